//! Builtin wedge and plate: grids of vertices with a frame of normals each.

use super::source;
use crate::asset::mesh::MeshSource;
use sim_core::math::vec3::cross;
use std::f64::consts::PI;

/// `n` equally spaced numbers from −1 to 1.
fn linspace(n: usize) -> Vec<f64> {
    let step = if n > 1 { 2.0 / (n - 1) as f64 } else { 0.0 };
    let mut x = -1.0;
    (0..n)
        .map(|_| {
            let here = x;
            x += step;
            here
        })
        .collect()
}

/// Bin edges over ±`fov` degrees, in radians; `gamma` (foveation) concentrates them at the center.
fn bin_edges(cells: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let mut edges = linspace(cells + 1);
    for x in &mut edges {
        if gamma != 0.0 {
            *x = gamma * x.powf(5.0) + (1.0 - gamma) * *x;
        }
        *x *= fov * PI / 180.0;
    }
    edges
}

/// Vertices on the unit sphere at the bin centres, each with a frame of three normals.
pub(super) fn wedge(size: [usize; 2], fov: [f64; 2], gamma: f64) -> MeshSource {
    let (across, up) = (bin_edges(size[0], fov[0], gamma), bin_edges(size[1], fov[1], gamma));
    let mut mesh = source(Vec::new(), Vec::new());
    for i in 0..size[0] {
        let a = 0.5 * (across[i + 1] + across[i]);
        for j in 0..size[1] {
            let e = 0.5 * (up[j + 1] + up[j]);
            let point = [e.cos() * a.sin(), e.sin(), -e.cos() * a.cos()];
            mesh.vert.extend(point.map(|x| x as f32));
            let mut azimuth = [e.cos() * a.cos(), 0.0, e.cos() * a.sin()];
            let mut elevation = [-e.sin() * a.sin(), e.cos(), e.sin() * a.cos()];
            crate::asset::normalize::normalize(&mut azimuth);
            crate::asset::normalize::normalize(&mut elevation);
            for n in [cross(elevation, azimuth), azimuth, elevation] {
                mesh.normal.extend(n.map(|x| x as f32));
            }
        }
    }
    mesh
}

/// A grid of vertices in a square, each with a frame of three normals.
pub(super) fn plate(size: [usize; 2]) -> MeshSource {
    let mut mesh = source(Vec::new(), Vec::new());
    let coordinate = |i: usize, n: usize| (-1.0 + (i as f64 + 0.5) * (2.0 / n as f64)) as f32;
    for i in 0..size[0] {
        for j in 0..size[1] {
            mesh.vert.extend([coordinate(i, size[0]), coordinate(j, size[1]), -1.0]);
            mesh.normal.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            if i > 0 && j > 0 {
                let at = |i: usize, j: usize| (i * size[1] + j) as i32;
                let (a, b, c, d) = (at(i - 1, j - 1), at(i, j - 1), at(i - 1, j), at(i, j));
                mesh.face.extend([a, b, c, d, c, b]);
            }
        }
    }
    mesh
}
