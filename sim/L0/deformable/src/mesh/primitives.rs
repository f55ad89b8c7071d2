//! Meshes of primitive shapes: grids, spheres, boxes.

use super::{MAX_ELEMENTS, SurfaceMesh, TetMesh};
use crate::error::{DeformableError, parameter};
use nalgebra::Vector3;
use std::collections::HashMap;

/// `Ok` if the product of the counts is within the limit and not zero.
fn count(what: &'static str, counts: &[usize]) -> Result<(), DeformableError> {
    let all = counts.iter().try_fold(1usize, |n, &c| n.checked_mul(c)).unwrap_or(usize::MAX);
    if counts.contains(&0) {
        return Err(DeformableError::Empty { what: "cells: every count must be at least 1" });
    }
    if all > MAX_ELEMENTS {
        return Err(DeformableError::TooMany { what, count: all, max: MAX_ELEMENTS });
    }
    Ok(())
}

fn positive(name: &'static str, value: f64) -> Result<(), DeformableError> {
    parameter(name, value, value > 0.0, "finite and above 0")
}

impl SurfaceMesh {
    /// A rectangle in the x-y plane, centred at the origin: `cells` squares along x and y, split
    /// along alternating diagonals. Vertices are ordered along x first.
    ///
    /// # Errors
    /// Sizes that are not positive, no cells, or too many.
    pub fn grid(size: [f64; 2], cells: [usize; 2]) -> Result<Self, DeformableError> {
        size.iter().try_for_each(|&s| positive("size of the grid", s))?;
        count("cells", &cells)?;
        let [nx, ny] = cells;
        count("vertices", &[nx + 1, ny + 1])?;
        let mut mesh = Self::default();
        for j in 0..=ny {
            for i in 0..=nx {
                let [x, y] = [i as f64 / nx as f64 - 0.5, j as f64 / ny as f64 - 0.5];
                mesh.vertices.push(Vector3::new(x * size[0], y * size[1], 0.0));
            }
        }
        let at = |i: usize, j: usize| (j * (nx + 1) + i) as u32;
        for j in 0..ny {
            for i in 0..nx {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                let halves =
                    if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                mesh.triangles.extend(halves);
            }
        }
        Ok(mesh)
    }

    /// A sphere around the origin: an icosahedron whose triangles are split in four, `subdivisions`
    /// times.
    ///
    /// # Errors
    /// A radius that is not positive, or too many triangles.
    pub fn sphere(radius: f64, subdivisions: u32) -> Result<Self, DeformableError> {
        positive("radius", radius)?;
        let pieces = 4usize.checked_pow(subdivisions).unwrap_or(usize::MAX);
        count("triangles", &[20, pieces])?;
        let mut mesh = icosahedron();
        for _ in 0..subdivisions {
            subdivide(&mut mesh);
        }
        mesh.vertices.iter_mut().for_each(|x| *x *= radius / x.norm());
        Ok(mesh)
    }
}

fn icosahedron() -> SurfaceMesh {
    let g = (1.0 + 5.0f64.sqrt()) / 2.0;
    // three golden rectangles; a face is three vertices at distance 2, with outward orientation
    let mut vertices = Vec::with_capacity(12);
    for axis in 0..3 {
        for (s, t) in [(1.0, g), (1.0, -g), (-1.0, g), (-1.0, -g)] {
            let mut x = Vector3::zeros();
            x[(axis + 1) % 3] = s;
            x[(axis + 2) % 3] = t;
            vertices.push(x);
        }
    }
    let mut triangles = Vec::with_capacity(20);
    let near = |a: usize, b: usize| ((vertices[a] - vertices[b]).norm() - 2.0).abs() < 1e-9;
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(a, c) {
                    let out = vertices[a].cross(&vertices[b]).dot(&vertices[c]) > 0.0;
                    let [a, b, c] = [a, b, c].map(|i| i as u32);
                    triangles.push(if out { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    SurfaceMesh { vertices, triangles }
}

/// Splits every triangle in four, with the new vertices on the unit sphere.
fn subdivide(mesh: &mut SurfaceMesh) {
    let mut middle: HashMap<[u32; 2], u32> = HashMap::with_capacity(2 * mesh.triangles.len());
    let vertices = &mut mesh.vertices;
    let mut between = |a: u32, b: u32| {
        *middle.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            let sum = vertices[a as usize].normalize() + vertices[b as usize].normalize();
            vertices.push(sum.normalize());
            vertices.len() as u32 - 1
        })
    };
    let mut triangles = Vec::with_capacity(4 * mesh.triangles.len());
    for &[a, b, c] in &mesh.triangles {
        let (ab, bc, ca) = (between(a, b), between(b, c), between(c, a));
        triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    mesh.triangles = triangles;
}

impl TetMesh {
    /// A box around the origin: `cells` along each axis, each split in five tetrahedra with
    /// alternating orientation. Vertices are ordered along x first, then y.
    ///
    /// # Errors
    /// Sizes that are not positive, no cells, or too many.
    pub fn cuboid(size: [f64; 3], cells: [usize; 3]) -> Result<Self, DeformableError> {
        size.iter().try_for_each(|&s| positive("size of the box", s))?;
        count("tetrahedra", &[5, cells[0], cells[1], cells[2]])?;
        let [nx, ny, nz] = cells;
        count("vertices", &[nx + 1, ny + 1, nz + 1])?;
        let mut mesh = Self::default();
        for k in 0..=nz {
            for j in 0..=ny {
                for i in 0..=nx {
                    let at = [(i, nx), (j, ny), (k, nz)].map(|(i, n)| i as f64 / n as f64 - 0.5);
                    let x = Vector3::from(at).component_mul(&Vector3::from(size));
                    mesh.vertices.push(x);
                }
            }
        }
        let at = |i: usize, j: usize, k: usize| ((k * (ny + 1) + j) * (nx + 1) + i) as u32;
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    // vertex by bits x, y, z; odd cells are mirrored along x
                    let odd = (i + j + k) % 2;
                    let c = |n: usize| at(i + ((n & 1) ^ odd), j + (n >> 1 & 1), k + (n >> 2));
                    for t in [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]]
                    {
                        mesh.tetrahedra.push(t.map(c));
                    }
                }
            }
        }
        mesh.orient();
        Ok(mesh)
    }

    /// A solid sphere around the origin: `layers` concentric shells with the triangles of
    /// [`SurfaceMesh::sphere`]. The prism between two shells is split in three tetrahedra, the core
    /// in one per triangle.
    ///
    /// # Errors
    /// A radius that is not positive, no layers, or too many tetrahedra.
    pub fn sphere(radius: f64, subdivisions: u32, layers: usize) -> Result<Self, DeformableError> {
        let shell = SurfaceMesh::sphere(radius, subdivisions)?;
        count("tetrahedra", &[3, shell.triangles.len(), layers])?;
        let n = shell.vertices.len();
        let mut mesh = Self { vertices: vec![Vector3::zeros()], tetrahedra: Vec::new() };
        for layer in 1..=layers {
            let share = layer as f64 / layers as f64;
            mesh.vertices.extend(shell.vertices.iter().map(|x| x * share));
        }
        for &[a, b, c] in &shell.triangles {
            mesh.tetrahedra.push([0, a + 1, b + 1, c + 1]);
        }
        for layer in 1..layers {
            let [inner, outer] = [layer - 1, layer].map(|l| (1 + l * n) as u32);
            for &triangle in &shell.triangles {
                // split by vertex order, so that neighbours split their common face alike
                let mut t = triangle;
                t.sort_unstable();
                let [a, b, c] = t;
                mesh.tetrahedra.extend([
                    [inner + a, inner + b, inner + c, outer + c],
                    [inner + a, inner + b, outer + b, outer + c],
                    [inner + a, outer + a, outer + b, outer + c],
                ]);
            }
        }
        mesh.orient();
        Ok(mesh)
    }
}
