//! The convex hull in the layout of `mesh_graph`.

use crate::asset::error::AssetError;
use crate::asset::hull::Hull;

/// Faces of the hull as triangles of mesh vertex indices.
pub(super) type GraphFaces = Vec<[i32; 3]>;

/// `mesh_graph`: numvert, numface, vert_edgeadr, vert_globalid, edge_localid, face_globalid.
pub(super) fn layout(hull: &Hull) -> Result<Vec<i32>, AssetError> {
    let int = |n: usize| {
        i32::try_from(n)
            .map_err(|_| AssetError::TooLarge { what: "convex hull", limit: i32::MAX as usize })
    };
    let (nvert, nface) = (hull.vertices.len(), hull.faces.len());
    int(2 + 3 * nvert + 6 * nface)?;
    let mut graph = Vec::with_capacity(2 + 3 * nvert + 6 * nface);
    graph.extend([int(nvert)?, int(nface)?]);
    // Each list of adjacent vertices is terminated by −1.
    graph.extend((0..nvert).map(|i| (hull.edge_adr[i] as usize + i) as i32));
    graph.extend(hull.vertices.iter().map(|&v| v as i32));
    for i in 0..nvert {
        graph.extend(hull.neighbors(i).iter().map(|&v| v as i32));
        graph.push(-1);
    }
    graph.extend(hull.faces.as_flattened().iter().map(|&v| v as i32));
    Ok(graph)
}

/// The faces of the hull.
pub(super) fn faces(hull: &Hull) -> GraphFaces {
    hull.faces.iter().map(|f| f.map(|v| v as i32)).collect()
}
