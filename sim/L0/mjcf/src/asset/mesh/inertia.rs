//! Volume, center of mass and inertia of a triangle mesh.
//!
//! The solid is decomposed into tetrahedra from an interior point to each face. The products of
//! inertia of a tetrahedron follow from its vertices: T. Lien, T. Kajiya, "A symbolic method for
//! calculating the integral properties of arbitrary nonconvex polyhedra", IEEE CG&A 4 (1984).

use super::MeshInertia;
use super::compile::MIN_VALUE;
use crate::asset::error::AssetError;
use sim_core::math::vec3::{Vec3, cross, dot, sub};

/// Area, unit normal and centroid of a triangle.
pub(super) struct Triangle {
    pub(super) area: f64,
    pub(super) normal: Vec3,
    pub(super) center: Vec3,
}

/// Area, normal and centroid; a degenerate triangle has zero area and an unnormalized normal.
pub(super) fn triangle(a: Vec3, b: Vec3, c: Vec3) -> Triangle {
    let center = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
    let normal = cross(sub(b, a), sub(c, a));
    let length = dot(normal, normal).sqrt();
    if length < MIN_VALUE {
        return Triangle { area: 0.0, normal, center };
    }
    Triangle { area: 0.5 * length, normal: normal.map(|x| x / length), center }
}

/// Mass properties at unit density.
pub(super) struct Solid {
    /// Volume, or surface area of a shell.
    pub(super) volume: f64,
    pub(super) center: Vec3,
    /// Inertia about the center of mass: xx yy zz xy xz yz.
    pub(super) inertia: [f64; 6],
}

/// Mass properties of a mesh. `mass_faces` are the faces that bound the solid: those of the convex
/// hull in mode convex, else those of the mesh.
pub(super) fn solid(
    points: &[Vec3],
    faces: &[[i32; 3]],
    mass_faces: &[[i32; 3]],
    mode: MeshInertia,
) -> Result<Solid, AssetError> {
    let too_small =
        || AssetError::invalid("the surface area of the mesh is too small; check its scale");
    let (area, apex) = centroid(points, faces);
    if is_small(area) {
        return Err(too_small());
    }
    let (total, center) = if mode == MeshInertia::Shell {
        let (total, center) = weighted_center(points, faces, apex, |t, _| t.area);
        if is_small(total) {
            return Err(too_small());
        }
        (total, center)
    } else {
        weighted_center(points, mass_faces, apex, |t, from| {
            let volume = dot(sub(t.center, from), t.normal) * t.area / 3.0;
            if mode == MeshInertia::Legacy { volume.abs() } else { volume }
        })
    };
    if total < 0.0 {
        return Err(AssetError::invalid(
            "the volume of the mesh is negative: its faces have inward orientation",
        ));
    }
    if is_small(total) {
        return Err(AssetError::invalid(
            "the volume of the mesh is too small; try inertia=\"shell\"",
        ));
    }
    let faces = if mode == MeshInertia::Shell { faces } else { mass_faces };
    let (volume, inertia) = moments(points, faces, center, mode);
    Ok(Solid { volume, center, inertia })
}

/// Whether an area or volume is treated as zero; so is NaN from overflow.
fn is_small(size: f64) -> bool {
    size.is_nan() || size < MIN_VALUE
}

/// Area of the faces and its centroid.
fn centroid(points: &[Vec3], faces: &[[i32; 3]]) -> (f64, Vec3) {
    let (mut total, mut center) = (0.0, [0.0; 3]);
    for face in faces {
        let [a, b, c] = face.map(|v| points[v as usize]);
        let t = triangle(a, b, c);
        for k in 0..3 {
            center[k] += t.area * t.center[k];
        }
        total += t.area;
    }
    if total >= MIN_VALUE {
        center = center.map(|x| x / total);
    }
    (total, center)
}

/// Total weight of the tetrahedra with `apex`, and their center of mass.
fn weighted_center(
    points: &[Vec3],
    faces: &[[i32; 3]],
    apex: Vec3,
    weight: impl Fn(&Triangle, Vec3) -> f64,
) -> (f64, Vec3) {
    let (mut total, mut center) = (0.0, [0.0; 3]);
    for face in faces {
        let [a, b, c] = face.map(|v| points[v as usize]);
        let t = triangle(a, b, c);
        let w = weight(&t, apex);
        total += w;
        for k in 0..3 {
            center[k] += w * (t.center[k] * 3.0 / 4.0 + apex[k] / 4.0);
        }
    }
    if total >= MIN_VALUE {
        center = center.map(|x| x / total);
    }
    (total, center)
}

/// Volume and inertia about `center`.
fn moments(
    points: &[Vec3],
    faces: &[[i32; 3]],
    center: Vec3,
    mode: MeshInertia,
) -> (f64, [f64; 6]) {
    const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];
    let divisor = if mode == MeshInertia::Shell { 12.0 } else { 20.0 };
    let (mut total, mut product) = (0.0, [0.0; 6]);
    for face in faces {
        let [d, e, f] = face.map(|v| sub(points[v as usize], center));
        let t = triangle(d, e, f);
        let volume = match mode {
            MeshInertia::Shell => t.area,
            MeshInertia::Legacy => (dot(t.center, t.normal) * t.area / 3.0).abs(),
            _ => dot(t.center, t.normal) * t.area / 3.0,
        };
        total += volume;
        for (sum, [i, j]) in product.iter_mut().zip(PAIRS) {
            *sum += volume / divisor
                * (2.0 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
                    + d[i] * e[j]
                    + d[j] * e[i]
                    + d[i] * f[j]
                    + d[j] * f[i]
                    + e[i] * f[j]
                    + e[j] * f[i]);
        }
    }
    let [xx, yy, zz, xy, xz, yz] = product;
    (total, [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz])
}
