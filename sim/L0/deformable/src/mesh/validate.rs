//! Validation of meshes.

use super::topology::{Edge, edges_of_triangles};
use super::{SurfaceMesh, TetMesh};
use crate::constraint::volume::signed_volume;
use crate::error::DeformableError;
use nalgebra::Vector3;

/// Areas and volumes below this fraction of the square or cube of the longest edge count as zero.
const FLAT: f64 = 1e-12;

/// Checks that vertices are finite, distinct and not too many.
pub(super) fn vertices(x: &[Vector3<f64>]) -> Result<(), DeformableError> {
    if x.is_empty() {
        return Err(DeformableError::Empty { what: "vertices" });
    }
    let max = u32::MAX as usize;
    if x.len() > max {
        return Err(DeformableError::TooMany { what: "vertices", count: x.len(), max });
    }
    if let Some(vertex) = x.iter().position(|x| !x.iter().all(|v| v.is_finite())) {
        return Err(DeformableError::NotFinite { vertex });
    }
    // adding 0 maps −0 to 0
    let key = |i: &u32| x[*i as usize].map(|v| v + 0.0);
    let mut order: Vec<u32> = (0..x.len() as u32).collect();
    order.sort_by(|a, b| {
        let (p, q) = (key(a), key(b));
        let by_axis = (0..3).map(|k| p[k].total_cmp(&q[k]));
        by_axis.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then).then(a.cmp(b))
    });
    match order.windows(2).find(|w| key(&w[0]) == key(&w[1])) {
        Some(w) => {
            Err(DeformableError::DuplicateVertices { first: w[0] as usize, second: w[1] as usize })
        }
        None => Ok(()),
    }
}

/// Checks that indices are in range and distinct within an element, and that no element is
/// duplicated.
pub(super) fn elements<const N: usize>(
    what: &'static str,
    elements: &[[u32; N]],
    count: usize,
) -> Result<(), DeformableError> {
    if elements.is_empty() {
        return Err(DeformableError::Empty { what: plural(what) });
    }
    let mut sorted = Vec::with_capacity(elements.len());
    for (element, at) in elements.iter().enumerate() {
        for (k, &i) in at.iter().enumerate() {
            let vertex = i as usize;
            if vertex >= count {
                return Err(DeformableError::Index { what, element, vertex, count });
            }
            if at[..k].contains(&i) {
                return Err(DeformableError::RepeatedVertex { what, element, vertex });
            }
        }
        let mut key = *at;
        key.sort_unstable();
        sorted.push((key, element));
    }
    sorted.sort_unstable();
    match sorted.windows(2).find(|w| w[0].0 == w[1].0) {
        Some(w) => Err(DeformableError::DuplicateElement { what, first: w[0].1, second: w[1].1 }),
        None => Ok(()),
    }
}

fn plural(what: &'static str) -> &'static str {
    if what == "triangle" { "triangles" } else { "tetrahedra" }
}

/// Squared length of the longest edge, m².
fn longest2<const N: usize>(x: [Vector3<f64>; N]) -> f64 {
    let mut longest = 0.0f64;
    for i in 0..N {
        for j in 0..i {
            longest = longest.max((x[i] - x[j]).norm_squared());
        }
    }
    longest
}

pub(super) fn areas(mesh: &SurfaceMesh) -> Result<(), DeformableError> {
    for (triangle, at) in mesh.triangles.iter().enumerate() {
        let long = longest2(at.map(|i| mesh.vertices[i as usize]));
        let area = mesh.area(triangle);
        if area.is_nan() || area <= FLAT * long {
            return Err(DeformableError::ZeroArea { triangle });
        }
    }
    Ok(())
}

/// Signed volume, m³; the indices must be in range.
pub(super) fn volume(x: &[Vector3<f64>], at: [u32; 4]) -> f64 {
    signed_volume(at.map(|i| x[i as usize]))
}

pub(super) fn volumes(mesh: &TetMesh) -> Result<(), DeformableError> {
    for (tetrahedron, &at) in mesh.tetrahedra.iter().enumerate() {
        let long = longest2(at.map(|i| mesh.vertices[i as usize]));
        let volume = volume(&mesh.vertices, at);
        if volume.is_nan() || volume.abs() <= FLAT * long * long.sqrt() {
            return Err(DeformableError::ZeroVolume { tetrahedron });
        }
        if volume < 0.0 {
            return Err(DeformableError::Inverted { tetrahedron, volume });
        }
    }
    Ok(())
}

/// Checks that no edge has more than two triangles.
pub(super) fn manifold(mesh: &SurfaceMesh) -> Result<(), DeformableError> {
    for Edge { ends, triangles, .. } in edges_of_triangles(mesh) {
        if triangles > 2 {
            let [first, second] = ends.map(|i| i as usize);
            return Err(DeformableError::NonManifold { first, second, triangles });
        }
    }
    Ok(())
}

/// Checks that every vertex is used and that the mesh is connected.
pub(super) fn connected<const N: usize>(
    what: &'static str,
    elements: &[[u32; N]],
    count: usize,
) -> Result<(), DeformableError> {
    let mut parent: Vec<u32> = (0..count as u32).collect();
    let mut used = vec![false; count];
    for at in elements {
        let root = find(&mut parent, at[0]);
        for &i in at {
            used[i as usize] = true;
            let other = find(&mut parent, i);
            parent[other as usize] = root;
        }
    }
    if let Some(vertex) = used.iter().position(|u| !u) {
        return Err(DeformableError::Unused { vertex, what });
    }
    let parts = (0..count).filter(|&i| parent[i] as usize == i).count();
    let first = find(&mut parent, 0);
    match (0..count).find(|&i| find(&mut parent, i as u32) != first) {
        Some(vertex) => Err(DeformableError::Disconnected { parts, vertex }),
        None => Ok(()),
    }
}

/// Root of a vertex in the union–find forest, with path halving.
fn find(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}
