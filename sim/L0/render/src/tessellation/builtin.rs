//! Unit shapes: sphere, half spheres, cylinder, box, cone and the haze around the horizon.

use super::{Vertex, normalize, quad};
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI, TAU};

/// A shape that geoms scale to their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    /// Sphere of radius 1 around the origin.
    Sphere,
    /// Upper half of a sphere of radius 1 around (0, 0, 1).
    SphereTop,
    /// Lower half of a sphere of radius 1 around (0, 0, -1).
    SphereBottom,
    /// Closed cylinder of radius 1 from z = -1 to z = 1.
    Cylinder,
    /// The same without its two disks.
    CylinderOpen,
    /// Cube from -1 to 1.
    Box,
    /// Closed cone: disk of radius 1 at z = 0, apex at z = 1.
    Cone,
}

impl Builtin {
    /// All shapes, in the order of their discriminants.
    pub(crate) const ALL: [Self; 7] = [
        Self::Sphere,
        Self::SphereTop,
        Self::SphereBottom,
        Self::Cylinder,
        Self::CylinderOpen,
        Self::Box,
        Self::Cone,
    ];

    /// Triangles with `slices` segments around the z axis, `stacks` along it, and `quads` by `quads`
    /// squares on each face of the box.
    pub(crate) fn vertices(self, slices: usize, stacks: usize, quads: usize) -> Vec<Vertex> {
        let mut out = Vec::new();
        match self {
            Self::Sphere => {
                for sign in [-1.0, 1.0] {
                    half_sphere(&mut out, sign, 0.0, slices, stacks / 2);
                }
            }
            Self::SphereTop => half_sphere(&mut out, 1.0, 1.0, slices, stacks / 2),
            Self::SphereBottom => half_sphere(&mut out, -1.0, -1.0, slices, stacks / 2),
            Self::Cylinder => {
                disk(&mut out, -1.0, -1.0, slices, stacks / 2);
                cylinder(&mut out, slices, stacks);
                disk(&mut out, 1.0, 1.0, slices, stacks / 2);
            }
            Self::CylinderOpen => cylinder(&mut out, slices, stacks),
            Self::Box => cube(&mut out, quads),
            Self::Cone => {
                cone(&mut out, slices, stacks);
                disk(&mut out, -1.0, 0.0, slices, stacks);
            }
        }
        out
    }
}

/// Azimuths of both sides of slice `j`.
fn azimuths(j: usize, slices: usize) -> [f32; 2] {
    [j, j + 1].map(|j| TAU * j as f32 / slices as f32)
}

/// Appends the quadrilateral in the given order, or reversed where `sign` is negative.
fn oriented(out: &mut Vec<Vertex>, sign: f32, v: [Vertex; 4]) {
    quad(out, if sign > 0.0 { v } else { [v[3], v[2], v[1], v[0]] });
}

/// Appends the triangle in the given order, or reversed where `sign` is negative.
fn oriented_triangle(out: &mut Vec<Vertex>, sign: f32, v: [Vertex; 3]) {
    out.extend(if sign > 0.0 { v } else { [v[2], v[1], v[0]] });
}

/// Upper (`sign` = 1) or lower (-1) half of a unit sphere around (0, 0, `center`).
fn half_sphere(out: &mut Vec<Vertex>, sign: f32, center: f32, slices: usize, stacks: usize) {
    let at = |azimuth: f32, elevation: f32| {
        let normal =
            [azimuth.cos() * elevation.cos(), azimuth.sin() * elevation.cos(), elevation.sin()];
        Vertex::new([normal[0], normal[1], normal[2] + center], normal)
    };
    let elevation = |i: usize| FRAC_PI_2 * sign * i as f32 / stacks as f32;
    let pole = Vertex::new([0.0, 0.0, sign + center], [0.0, 0.0, sign]);
    for j in 0..slices {
        let [left, right] = azimuths(j, slices);
        let low = elevation(stacks.saturating_sub(1));
        oriented_triangle(out, sign, [at(left, low), at(right, low), pole]);
    }
    for i in 0..stacks.saturating_sub(1) {
        let (low, high) = (elevation(i), elevation(i + 1));
        for j in 0..slices {
            let [left, right] = azimuths(j, slices);
            let corners = [at(left, low), at(right, low), at(right, high), at(left, high)];
            oriented(out, sign, corners);
        }
    }
}

/// Disk of radius 1 at height `z` that faces up (`sign` = 1) or down (-1).
fn disk(out: &mut Vec<Vertex>, sign: f32, z: f32, slices: usize, stacks: usize) {
    let at = |azimuth: f32, r: f32| {
        Vertex::new([azimuth.cos() * r, azimuth.sin() * r, z], [0.0, 0.0, sign])
    };
    rings(out, sign, slices, stacks, at, |_, _| Vertex::new([0.0, 0.0, z], [0.0, 0.0, sign]));
}

/// Side of a cone of radius 1 at z = 0 with its apex at z = 1.
fn cone(out: &mut Vec<Vertex>, slices: usize, stacks: usize) {
    let at = |azimuth: f32, r: f32| {
        let (x, y) = (azimuth.cos(), azimuth.sin());
        Vertex::new([x * r, y * r, 1.0 - r], [x, y, 1.0].map(|c| c * FRAC_1_SQRT_2))
    };
    rings(out, 1.0, slices, stacks, at, |a: Vertex, b: Vertex| {
        // the apex has the mean normal of its triangle
        let sum = [0, 1, 2].map(|k| a.normal[k] + b.normal[k]);
        Vertex::new([0.0, 0.0, 1.0], normalize(sum))
    });
}

/// Triangles around a centre, then rings of quadrilaterals: `at` returns the vertex at an azimuth and
/// radius, `center` the innermost vertex between two vertices.
fn rings(
    out: &mut Vec<Vertex>,
    sign: f32,
    slices: usize,
    stacks: usize,
    at: impl Fn(f32, f32) -> Vertex,
    center: impl Fn(Vertex, Vertex) -> Vertex,
) {
    let radius = |i: usize| i as f32 / stacks.max(1) as f32;
    for j in 0..slices {
        let [left, right] = azimuths(j, slices).map(|azimuth| at(azimuth, radius(1)));
        oriented_triangle(out, sign, [left, right, center(left, right)]);
    }
    for i in 1..stacks {
        let (inner, outer) = (radius(i), radius(i + 1));
        for j in 0..slices {
            let [left, right] = azimuths(j, slices);
            let corners = [at(left, outer), at(right, outer), at(right, inner), at(left, inner)];
            oriented(out, sign, corners);
        }
    }
}

/// Side of a cylinder of radius 1 from z = -1 to z = 1.
fn cylinder(out: &mut Vec<Vertex>, slices: usize, stacks: usize) {
    let at = |azimuth: f32, z: f32| {
        let (x, y) = (azimuth.cos(), azimuth.sin());
        Vertex::new([x, y, z], [x, y, 0.0])
    };
    let height = |i: usize| 2.0 * i as f32 / stacks as f32 - 1.0;
    for i in 0..stacks {
        let (low, high) = (height(i), height(i + 1));
        for j in 0..slices {
            let [left, right] = azimuths(j, slices);
            quad(out, [at(left, low), at(right, low), at(right, high), at(left, high)]);
        }
    }
}

/// Six faces of `n` by `n` squares each.
fn cube(out: &mut Vec<Vertex>, n: usize) {
    let d = 2.0 / n as f32;
    let c = |i: usize| d * i as f32 - 1.0;
    for i in 0..n {
        for j in 0..n {
            let (u, v) = ([c(i), c(i + 1)], [c(j), c(j + 1)]);
            // the four corners of a square, counterclockwise in (u, v)
            let ccw = [[u[0], v[0]], [u[1], v[0]], [u[1], v[1]], [u[0], v[1]]];
            let cw = [[u[0], v[1]], [u[1], v[1]], [u[1], v[0]], [u[0], v[0]]];
            let mut face = |corners: [[f32; 2]; 4], normal, at: fn([f32; 2]) -> [f32; 3]| {
                quad(out, corners.map(|uv| Vertex::new(at(uv), normal)));
            };
            face(ccw, [0.0, 0.0, 1.0], |[u, v]| [u, v, 1.0]);
            face(cw, [0.0, 0.0, -1.0], |[u, v]| [u, v, -1.0]);
            face(ccw, [1.0, 0.0, 0.0], |[u, v]| [1.0, u, v]);
            face(cw, [-1.0, 0.0, 0.0], |[u, v]| [-1.0, u, v]);
            face(ccw, [0.0, -1.0, 0.0], |[u, v]| [u, -1.0, v]);
            face(cw, [0.0, 1.0, 0.0], |[u, v]| [u, 1.0, v]);
        }
    }
}

/// Truncated cone of relative width `r` that blends the horizon of an infinite plane into the skybox: the
/// opacity, in the first texture coordinate, is 1 where the two meet in the image, and 0 at both ends.
pub(crate) fn haze(slices: usize, r: f32) -> Vec<Vertex> {
    let slope = 1.0_f32.atan2(r);
    let transition = 0.5_f32.sqrt() * r * slope.sin() / (0.75 * PI - slope).sin();
    let at = |azimuth: f32, z: f32, opacity: f32| Vertex {
        position: [azimuth.cos() * (1.0 - r * (1.0 - z)), azimuth.sin() * (1.0 - r * (1.0 - z)), z],
        normal: [0.0, 0.0, 1.0],
        uv: [opacity, 0.0],
    };
    let mut out = Vec::new();
    for [(z1, opacity1), (z2, opacity2)] in
        [[(0.0, 0.0), (transition, 1.0)], [(transition, 1.0), (1.0, 0.0)]]
    {
        for j in 0..slices {
            let [left, right] = azimuths(j, slices);
            let corners = [
                at(left, z1, opacity1),
                at(right, z1, opacity1),
                at(right, z2, opacity2),
                at(left, z2, opacity2),
            ];
            quad(&mut out, corners);
        }
    }
    out
}
