//! Edges and boundaries of meshes, by sorting.

use super::{SurfaceMesh, TetMesh};

/// An edge of a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    /// Its vertices, the lower index first.
    pub(crate) ends: [u32; 2],
    /// The first two triangles at the edge, and their opposite vertices.
    pub(crate) sides: [Option<(u32, u32)>; 2],
    /// Number of triangles at the edge.
    pub(crate) triangles: usize,
}

/// All edges, sorted by their vertices.
pub(crate) fn edges_of_triangles(mesh: &SurfaceMesh) -> Vec<Edge> {
    let mut all = Vec::with_capacity(3 * mesh.triangles.len());
    for (t, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        for (i, j, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            all.push(([i.min(j), i.max(j)], t as u32, opposite));
        }
    }
    all.sort_unstable();
    let mut edges: Vec<Edge> = Vec::with_capacity(all.len() / 2);
    for (ends, t, opposite) in all {
        match edges.last_mut() {
            Some(edge) if edge.ends == ends => {
                if edge.triangles == 1 {
                    edge.sides[1] = Some((t, opposite));
                }
                edge.triangles += 1;
            }
            _ => edges.push(Edge { ends, sides: [Some((t, opposite)), None], triangles: 1 }),
        }
    }
    edges
}

/// All edges, sorted by their vertices, with their tetrahedra.
pub(crate) fn edges_of_tetrahedra(mesh: &TetMesh) -> Vec<([u32; 2], Vec<u32>)> {
    let mut all = Vec::with_capacity(6 * mesh.tetrahedra.len());
    for (t, at) in mesh.tetrahedra.iter().enumerate() {
        for j in 1..4 {
            for i in 0..j {
                all.push(([at[i].min(at[j]), at[i].max(at[j])], t as u32));
            }
        }
    }
    all.sort_unstable();
    all.chunk_by(|a, b| a.0 == b.0)
        .map(|same| (same[0].0, same.iter().map(|e| e.1).collect()))
        .collect()
}

/// Boundary triangles: those of only one tetrahedron, with outward orientation.
pub(super) fn boundary(mesh: &TetMesh) -> (SurfaceMesh, Vec<u32>) {
    let mut all = Vec::with_capacity(4 * mesh.tetrahedra.len());
    for &[a, b, c, d] in &mesh.tetrahedra {
        for face in [[a, c, b], [a, b, d], [b, c, d], [a, d, c]] {
            let mut key = face;
            key.sort_unstable();
            all.push((key, face));
        }
    }
    all.sort_unstable();
    let outer = all.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|s| s[0].1);
    let mut triangles: Vec<[u32; 3]> = outer.collect();
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let mut number = vec![0; mesh.vertices.len()];
    for (k, &i) in used.iter().enumerate() {
        number[i as usize] = k as u32;
    }
    triangles.iter_mut().flatten().for_each(|i| *i = number[*i as usize]);
    let vertices = used.iter().map(|&i| mesh.vertices[i as usize]).collect();
    (SurfaceMesh { vertices, triangles }, used)
}
