//! Polygons of a convex hull (mjCMesh::MakePolygons).
//!
//! Hull triangles are binned by the azimuth and polar angle of their normals; triangles of one bin
//! that share edges are merged to a polygon. Disconnected components of a bin give several
//! polygons. The bins are in the iteration order of MuJoCo's hash map.

use super::compile::MIN_VALUE;
use super::hash_order::HashOrder;
use crate::asset::normalize::EPS;
use sim_core::math::vec3::{Vec3, cross, dot, sub};
use std::collections::HashMap;
use std::f64::consts::PI;

/// Size of a bin of normals, rad.
const BIN_SIZE: f64 = 0.01;

/// Polygons of a convex hull. Indices and addresses are local to the mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polygons {
    /// First entry of each polygon in `vert`.
    pub vertadr: Vec<i32>,
    /// Number of vertices of each polygon.
    pub vertnum: Vec<i32>,
    /// Vertices of the polygons.
    pub vert: Vec<i32>,
    /// Normal of each polygon.
    pub normal: Vec<[f64; 3]>,
    /// First entry of each vertex of the mesh in `map`.
    pub mapadr: Vec<i32>,
    /// Number of polygons of each vertex of the mesh.
    pub mapnum: Vec<i32>,
    /// Polygons incident to each vertex.
    pub map: Vec<i32>,
}

impl Polygons {
    /// No polygons on a mesh of `nvert` vertices.
    pub(super) fn none(nvert: usize) -> Self {
        Self { mapadr: vec![0; nvert], mapnum: vec![0; nvert], ..Self::default() }
    }

    /// Number of polygons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vertnum.len()
    }

    /// Whether there are no polygons.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vertnum.is_empty()
    }

    pub(super) fn size_bytes(&self) -> usize {
        4 * (2 * self.len() + self.vert.len() + 2 * self.mapadr.len() + self.map.len())
            + 24 * self.len()
    }

    /// Merges coplanar faces of a hull.
    pub(super) fn new(points: &[Vec3], faces: &[[u32; 3]]) -> Self {
        let mut bins: HashMap<(i32, i32), usize> = HashMap::new();
        let mut boundaries: Vec<Boundary> = Vec::new();
        let mut order = HashOrder::new();
        for face in faces {
            let [a, b, c] = face.map(|v| points[v as usize]);
            let Some(key) = bin(a, b, c) else {
                continue;
            };
            let face = face.map(|v| v as i32);
            let at = *bins.entry(key).or_insert_with(|| {
                order.insert([f64::from(key.0), f64::from(key.1)]);
                boundaries.push(Boundary::default());
                boundaries.len() - 1
            });
            boundaries[at].insert(face);
        }
        let mut polygons = Self::none(points.len());
        for bin in order.iter() {
            for path in boundaries[bin].paths().iter().filter(|p| p.len() >= 3) {
                polygons.vertadr.push(polygons.vert.len() as i32);
                polygons.vertnum.push(path.len() as i32);
                polygons.vert.extend_from_slice(path);
            }
        }
        polygons.normal = vec![[0.0; 3]; polygons.len()];
        polygons.make_map();
        polygons
    }

    /// Computes the map from vertices to incident polygons.
    fn make_map(&mut self) {
        for &v in &self.vert {
            self.mapnum[v as usize] += 1;
        }
        let mut next = 0;
        for (adr, num) in self.mapadr.iter_mut().zip(&self.mapnum) {
            *adr = next;
            next += num;
        }
        self.map = vec![0; self.vert.len()];
        let mut free = self.mapadr.clone();
        for polygon in 0..self.len() {
            let first = self.vertadr[polygon] as usize;
            for &v in &self.vert[first..first + self.vertnum[polygon] as usize] {
                self.map[free[v as usize] as usize] = polygon as i32;
                free[v as usize] += 1;
            }
        }
    }

    /// Recomputes the normals from the first three vertices of each polygon.
    ///
    /// If these are collinear the normal is the x axis, as in MuJoCo 3.10; 3.8.0 then divides it by
    /// the length of the cross product.
    pub(super) fn update_normals(&mut self, points: &[Vec3]) {
        for (normal, &first) in self.normal.iter_mut().zip(&self.vertadr) {
            let corner = |k: usize| points[self.vert[first as usize + k] as usize];
            let area = cross(sub(corner(1), corner(0)), sub(corner(2), corner(0)));
            let length = dot(area, area).sqrt();
            *normal = if length < EPS { [1.0, 0.0, 0.0] } else { area.map(|x| x / length) };
        }
    }
}

/// Bin of a triangle's normal: its rounded azimuth and polar angle.
fn bin(a: Vec3, b: Vec3, c: Vec3) -> Option<(i32, i32)> {
    let normal = cross(sub(b, a), sub(c, a));
    let length = dot(normal, normal).sqrt();
    if length.is_nan() || length < MIN_VALUE {
        return None;
    }
    // Adding zero turns negative zero into positive zero.
    let [x, y, z] = normal.map(|n| n / length + 0.0);
    if z.abs() > 1.0 - 1e-7 {
        let pole = if z < 0.0 { (PI / BIN_SIZE).round() } else { 0.0 };
        return Some((0, pole as i32));
    }
    Some(((y.atan2(x) / BIN_SIZE).round() as i32, (z.acos() / BIN_SIZE).round() as i32))
}

/// Boundary edges of the faces of one bin, by connected component.
#[derive(Default)]
struct Boundary {
    edges: Vec<[i32; 2]>,
    components: Vec<usize>,
    count: usize,
}

impl Boundary {
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut component = None;
        let mut open = Vec::with_capacity(3);
        for edge in [[a, b], [b, c], [c, a]] {
            let reverse = [edge[1], edge[0]];
            let Some(at) = self.edges.iter().position(|&e| e == reverse) else {
                open.push(edge);
                continue;
            };
            let other = self.components[at];
            component = Some(match component {
                Some(current) if current != other => self.merge(current, other),
                _ => other,
            });
            self.edges.remove(at);
            self.components.remove(at);
        }
        let component = component.unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        for edge in open {
            self.edges.push(edge);
            self.components.push(component);
        }
    }

    /// Merges two components and returns the index of the result.
    fn merge(&mut self, one: usize, other: usize) -> usize {
        let (keep, gone) = (one.min(other), one.max(other));
        self.count -= 1;
        for component in &mut self.components {
            if *component == gone {
                *component = keep;
            } else if *component > gone {
                *component -= 1;
            }
        }
        keep
    }

    /// The boundaries as closed paths of vertices.
    fn paths(&self) -> Vec<Vec<i32>> {
        if let [a, b, c] = self.edges.as_slice() {
            return vec![vec![a[0], b[0], c[0]]];
        }
        let mut paths = Vec::new();
        for component in 0..self.count {
            let Some(first) = self.components.iter().position(|&i| i == component) else {
                continue;
            };
            let mut path = self.edges[first].to_vec();
            let mut at = path[1];
            for _ in 0..self.edges.len() {
                let next = (1..self.edges.len())
                    .find(|&k| self.components[k] == component && self.edges[k][0] == at);
                let Some(next) = next else {
                    break;
                };
                at = self.edges[next][1];
                if at == path[0] {
                    paths.push(path);
                    break;
                }
                path.push(at);
            }
        }
        paths
    }
}
