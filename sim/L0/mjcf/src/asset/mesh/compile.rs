//! Compilation of a mesh (mjCMesh::Process).

use super::bvh::Bvh;
use super::graph::{self, GraphFaces};
use super::inertia::{self, Solid, triangle};
use super::octree::Octree;
use super::polygons::Polygons;
use super::{Mesh, MeshInertia, MeshOptions, MeshSource, normals};
use crate::asset::content_type::MeshFormat;
use crate::asset::error::AssetError;
use crate::asset::hull::convex_hull;
use crate::asset::normalize::normalize;
use crate::compile::math::principal_axes;
use sim_core::math::mat3::{mul_transpose_vec, mul_vec};
use sim_core::math::quat::{IDENTITY, conjugate, to_mat};
use sim_core::math::vec3::{Vec3, sub};

/// Areas and volumes below this are treated as zero (`mjMINVAL`).
pub(super) const MIN_VALUE: f64 = 1e-15;
/// Maximum number of vertices and of faces of a mesh.
const MAX_ELEMENTS: usize = 1 << 26;

/// Compiles a mesh.
///
/// # Errors
///
/// The data are inconsistent, or the mesh has no volume or surface area.
pub fn compile_mesh(source: MeshSource, options: &MeshOptions) -> Result<Mesh, AssetError> {
    check(&source)?;
    let mut points: Vec<Vec3> =
        source.vert.as_chunks::<3>().0.iter().map(|v| v.map(f64::from)).collect();
    let mut faces: Vec<[i32; 3]> = source.face.as_chunks::<3>().0.to_vec();
    let righthand = options.scale.iter().product::<f64>() > 0.0;
    if source.format == Some(MeshFormat::Msh) && !righthand {
        reverse_winding(&mut faces);
    }
    let mut mesh = Mesh {
        normal: source.normal,
        texcoord: source.texcoord,
        facenormal: source.facenormal,
        facetexcoord: source.facetexcoord,
        scale: options.scale,
        ..Mesh::default()
    };
    if options.inertia == MeshInertia::Exact {
        check_orientation(&points, &faces)?;
    }

    // The convex hull is computed before the mesh is transformed.
    let hull = if options.need_hull || faces.is_empty() || options.inertia == MeshInertia::Convex {
        let hull = convex_hull(&points, max_hull_vertices(options)?)?;
        mesh.polygons = Polygons::new(&points, &hull.faces);
        mesh.graph = graph::layout(&hull)?;
        if faces.is_empty() {
            faces = graph::faces(&hull);
        }
        Some(hull)
    } else {
        mesh.polygons = Polygons::none(points.len());
        None
    };
    add_missing_attributes(&mut mesh, &points, &faces, options.smoothnormal)?;
    if !righthand {
        reverse_winding(&mut faces);
        for corners in [&mut mesh.facenormal, &mut mesh.facetexcoord] {
            reverse_winding(corners.as_chunks_mut::<3>().0);
        }
    }
    transform(&mut points, &mut mesh.normal, options);

    let hull_faces: GraphFaces = hull.as_ref().map(graph::faces).unwrap_or_default();
    let mass_faces = if options.inertia == MeshInertia::Convex { &hull_faces } else { &faces };
    let solid = inertia::solid(&points, &faces, mass_faces, options.inertia)?;
    align(&mut mesh, &mut points, &solid, options.keep_frame)?;
    mesh.polygons.update_normals(&points);
    mesh.bvh = Bvh::new(&points, &faces);
    if options.need_sdf {
        mesh.octree = Octree::new(&points, &faces, mesh.aamm, &mesh.bvh);
    }
    mesh.vert = points.into_iter().flatten().map(|x| x as f32).collect();
    mesh.face = faces.into_flattened();
    Ok(mesh)
}

/// Checks array lengths, index ranges and vertex coordinates.
fn check(source: &MeshSource) -> Result<(), AssetError> {
    let multiple = |what: &str, length: usize, of: usize| {
        if length.is_multiple_of(of) {
            Ok(())
        } else {
            Err(AssetError::invalid(format!("{what} requires a multiple of {of} numbers")))
        }
    };
    multiple("vertex", source.vert.len(), 3)?;
    multiple("normal", source.normal.len(), 3)?;
    multiple("texcoord", source.texcoord.len(), 2)?;
    multiple("face", source.face.len(), 3)?;
    let nvert = source.vert.len() / 3;
    if nvert < 4 {
        return Err(AssetError::invalid(format!(
            "a mesh requires at least 4 vertices, found {nvert}"
        )));
    }
    if nvert > MAX_ELEMENTS || source.face.len() / 3 > MAX_ELEMENTS {
        return Err(AssetError::TooLarge {
            what: "number of vertices or faces",
            limit: MAX_ELEMENTS,
        });
    }
    if let Some(at) = source.vert.iter().position(|x| !x.is_finite()) {
        return Err(AssetError::invalid(format!("vertex {} is not finite", at / 3)));
    }
    if !source.texcoord.is_empty()
        && source.texcoord.len() != 2 * nvert
        && source.facetexcoord.is_empty()
        && source.format != Some(MeshFormat::Obj)
    {
        return Err(AssetError::invalid(
            "texcoord requires two numbers per vertex, unless an OBJ file provides indices",
        ));
    }
    for (what, index, count) in [
        ("vertex", &source.face, nvert),
        ("normal", &source.facenormal, source.normal.len() / 3),
        ("texture coordinate", &source.facetexcoord, source.texcoord.len() / 2),
    ] {
        // A corner without normal or texture coordinate has index −1 in an OBJ file.
        let least = if what == "vertex" { 0 } else { -1 };
        let bad = |&i: &i32| i < least || (i >= 0 && i as usize >= count);
        // In an MSH file the faces also serve as normal indices, even without normals.
        if (what == "vertex" || count > 0)
            && let Some(at) = index.iter().position(bad)
        {
            return Err(AssetError::invalid(format!(
                "face {} refers to {what} {}, which is out of range: there are {count}",
                at / 3,
                index[at]
            )));
        }
    }
    Ok(())
}

fn max_hull_vertices(options: &MeshOptions) -> Result<Option<usize>, AssetError> {
    match options.maxhullvert {
        Some(n) if n < 4 => Err(AssetError::invalid("maxhullvert must be at least 4")),
        limit => Ok(limit),
    }
}

/// Checks that no two faces traverse an edge in the same direction.
fn check_orientation(points: &[Vec3], faces: &[[i32; 3]]) -> Result<(), AssetError> {
    let mut edges = Vec::with_capacity(3 * faces.len());
    for &[a, b, c] in faces {
        let corner = |v: i32| points[v as usize];
        let area = triangle(corner(a), corner(b), corner(c)).area;
        if area > MIN_VALUE.sqrt() {
            edges.extend([[a, b], [b, c], [c, a]]);
        }
    }
    edges.sort_unstable();
    match edges.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(AssetError::invalid(format!(
            "faces have inconsistent orientation: check those with vertices {} and {}, \
             or set inertia to a value other than exact",
            pair[0][0] + 1,
            pair[0][1] + 1
        ))),
        None => Ok(()),
    }
}

/// Computes missing normals and missing normal and texture coordinate indices.
fn add_missing_attributes(
    mesh: &mut Mesh,
    points: &[Vec3],
    faces: &[[i32; 3]],
    smooth: bool,
) -> Result<(), AssetError> {
    if mesh.normal.is_empty() {
        mesh.normal = normals::make(points, faces, smooth);
        mesh.facenormal = faces.as_flattened().to_vec();
    }
    if !mesh.facenormal.is_empty() && mesh.facenormal.len() != 3 * faces.len() {
        return Err(AssetError::invalid(
            "the number of face normals must equal the number of faces",
        ));
    }
    if mesh.facetexcoord.is_empty() && !mesh.texcoord.is_empty() {
        mesh.facetexcoord = faces.as_flattened().to_vec();
    }
    if !mesh.facetexcoord.is_empty() && mesh.facetexcoord.len() != 3 * faces.len() {
        return Err(AssetError::invalid(
            "the number of face texture coordinates must equal the number of faces",
        ));
    }
    if mesh.facenormal.is_empty() {
        // With several normals per vertex, the first is used for rendering.
        let per_vertex = (mesh.normal.len() / (3 * points.len())) as i32;
        mesh.facenormal = faces.as_flattened().iter().map(|v| per_vertex * v).collect();
    }
    Ok(())
}

/// Reverses the winding of triangles.
fn reverse_winding(faces: &mut [[i32; 3]]) {
    for face in faces {
        face.swap(1, 2);
    }
}

/// Applies `refpos`, `refquat` and `scale`, and normalizes the normals.
fn transform(points: &mut [Vec3], normal: &mut [f32], options: &MeshOptions) {
    if options.refpos != [0.0; 3] {
        for p in points.iter_mut() {
            *p = sub(*p, options.refpos);
        }
    }
    if options.refquat != [1.0, 0.0, 0.0, 0.0] {
        let mut quat = options.refquat;
        normalize(&mut quat);
        let mat = to_mat(quat);
        for p in points.iter_mut() {
            *p = mul_transpose_vec(&mat, *p);
        }
        for n in normal.as_chunks_mut::<3>().0 {
            *n = mul_transpose_vec(&mat, n.map(f64::from)).map(|x| x as f32);
        }
    }
    if options.scale != [1.0; 3] {
        for p in points.iter_mut() {
            for k in 0..3 {
                p[k] *= options.scale[k];
            }
        }
        for n in normal.as_chunks_mut::<3>().0 {
            for k in 0..3 {
                n[k] = (f64::from(n[k]) * options.scale[k]) as f32;
            }
        }
    }
    for n in normal.as_chunks_mut::<3>().0 {
        let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        *n = if f64::from(square) > MIN_VALUE {
            let factor = 1.0 / square.sqrt();
            n.map(|x| x * factor)
        } else {
            [0.0, 0.0, 1.0]
        };
    }
}

/// Moves the mesh to its center of mass and rotates it to its principal axes of inertia, unless the frame is kept.
fn align(
    mesh: &mut Mesh,
    points: &mut [Vec3],
    solid: &Solid,
    keep_frame: bool,
) -> Result<(), AssetError> {
    const ABSOLUTE: f64 = 1e-9;
    const RELATIVE: f64 = 1e-6;
    let (moments, quat) = principal_axes(solid.inertia);
    let [a, b, c] = moments;
    if c.is_nan() || c <= 0.0 {
        return Err(AssetError::invalid("the mesh has no positive inertia"));
    }
    let violates = |x: f64, y: f64, z: f64| x + y < z * (1.0 - RELATIVE) - ABSOLUTE;
    if violates(a, b, c) || violates(a, c, b) || violates(b, c, a) {
        return Err(AssetError::invalid(
            "the inertia of the mesh violates A + B >= C; check the orientation of its faces",
        ));
    }
    mesh.volume = solid.volume;
    mesh.inertia_box =
        [b + c - a, a + c - b, a + b - c].map(|s| 0.5 * (6.0 * s / solid.volume).sqrt());
    // as in MuJoCo, the moments stay in descending order even if the axes are not rotated
    (mesh.pos, mesh.quat) = if keep_frame { ([0.0; 3], IDENTITY) } else { (solid.center, quat) };
    let mat = to_mat(conjugate(mesh.quat));
    let (mut low, mut high) = ([1e10; 3], [-1e10; 3]);
    for p in points {
        *p = mul_vec(&mat, sub(*p, mesh.pos));
        for k in 0..3 {
            low[k] = p[k].min(low[k]);
            high[k] = p[k].max(high[k]);
        }
    }
    for n in mesh.normal.as_chunks_mut::<3>().0 {
        *n = mul_vec(&mat, n.map(f64::from)).map(|x| x as f32);
    }
    mesh.aamm = [low[0], low[1], low[2], high[0], high[1], high[2]];
    Ok(())
}
