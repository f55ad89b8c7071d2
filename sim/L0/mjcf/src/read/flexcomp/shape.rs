//! Points and elements of the shapes that `flexcomp` generates.

use super::{Failure, FlexComp, Shape};
use crate::asset::normalize::{EPS, normalize};

/// The two triangles of a quad with corners (0, 0), (1, 0), (1, 1), (0, 1).
const QUAD: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
/// The same with the other diagonal.
const QUAD_FLIPPED: [[usize; 3]; 2] = [[0, 1, 3], [1, 2, 3]];
/// The six tetrahedra of a cube: corners as of a quad at z = 0, then at z = 1.
const CUBE: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

/// A fraction of a side as a texture coordinate.
#[allow(clippy::cast_possible_truncation, reason = "texture coordinates have single precision")]
fn fraction(i: usize, count: usize) -> f32 {
    (i as f64 / count.saturating_sub(1).max(1) as f64) as f32
}

impl FlexComp {
    /// Generates the points and elements of a shape that is not read from a file or given directly.
    pub(super) fn generate(&mut self) -> Result<(), Failure> {
        match self.shape {
            Shape::Grid | Shape::Circle => self.grid(),
            Shape::Square | Shape::Disc => {
                self.flex.dim = 2;
                self.grid()?;
                if self.shape == Shape::Disc {
                    self.project_to_disc();
                }
                Ok(())
            }
            Shape::Box | Shape::Cylinder | Shape::Ellipsoid => self.shell(),
            Shape::Mesh | Shape::Gmsh | Shape::Direct => Ok(()),
        }
    }

    /// Whether texture coordinates are generated.
    fn needs_texcoord(&self) -> bool {
        self.texcoord.is_empty() && !self.flex.material.is_empty()
    }

    fn grid(&mut self) -> Result<(), Failure> {
        match self.flex.dim {
            1 => self.line(),
            2 => self.quads()?,
            _ => self.cubes(),
        }
        if self.elem.is_empty() {
            let message = "is too small: the grid has no elements";
            return Err((Some("count"), message.to_owned()));
        }
        Ok(())
    }

    /// Position of grid index `i` along an axis, centred at the origin.
    fn coordinate(&self, axis: usize, i: usize) -> f64 {
        self.spacing[axis] * (i as f64 - 0.5 * (self.count[axis] as f64 - 1.0))
    }

    /// A line, or a ring whose last point coincides with the first.
    fn line(&mut self) {
        let n = self.count[0];
        let ring = self.shape == Shape::Circle;
        let points = if ring { n - 1 } else { n };
        for i in 0..points {
            if ring {
                let theta = 2.0 * std::f64::consts::PI / (n as f64 - 1.0);
                let radius = self.spacing[0] / (theta / 2.0).sin() / 2.0;
                let angle = theta * i as f64;
                self.points.extend([radius * angle.cos(), radius * angle.sin(), 0.0]);
                self.element(&[i, if i + 2 == n { 0 } else { i + 1 }]);
            } else {
                self.points.extend([self.coordinate(0, i), 0.0, 0.0]);
                if i + 1 < n {
                    self.element(&[i, i + 1]);
                }
            }
        }
    }

    /// A grid of triangles in the xy plane.
    fn quads(&mut self) -> Result<(), Failure> {
        let [nx, ny, nz] = self.count;
        if nz != 1 {
            let message = "the third number must be 1 for a grid of triangles";
            return Err((Some("count"), message.to_owned()));
        }
        let textured = self.needs_texcoord();
        for ix in 0..nx {
            for iy in 0..ny {
                let (x, y) = (self.coordinate(0, ix), self.coordinate(1, iy));
                self.points.extend([x, y, 0.0]);
                if textured {
                    self.texcoord.extend([fraction(ix, nx), fraction(iy, ny)]);
                }
                // diagonals of a disc point outward
                let flip =
                    self.shape == Shape::Disc && ((x < -EPS && y > -EPS) || (x > -EPS && y < -EPS));
                if ix + 1 < nx && iy + 1 < ny {
                    let at = |ix: usize, iy: usize| ix * ny + iy;
                    let corners = [at(ix, iy), at(ix + 1, iy), at(ix + 1, iy + 1), at(ix, iy + 1)];
                    for triangle in if flip { QUAD_FLIPPED } else { QUAD } {
                        self.element(&triangle.map(|k| corners[k]));
                    }
                }
            }
        }
        Ok(())
    }

    /// A grid of tetrahedra.
    fn cubes(&mut self) {
        let [nx, ny, nz] = self.count;
        let textured = self.needs_texcoord();
        let at = |ix: usize, iy: usize, iz: usize| (ix * ny + iy) * nz + iz;
        for ix in 0..nx {
            for iy in 0..ny {
                for iz in 0..nz {
                    let point =
                        [self.coordinate(0, ix), self.coordinate(1, iy), self.coordinate(2, iz)];
                    self.points.extend(point);
                    if textured {
                        self.texcoord.extend([fraction(ix, nx), fraction(iy, ny)]);
                    }
                    if ix + 1 < nx && iy + 1 < ny && iz + 1 < nz {
                        let face = |iz: usize| {
                            [
                                at(ix, iy, iz),
                                at(ix + 1, iy, iz),
                                at(ix + 1, iy + 1, iz),
                                at(ix, iy + 1, iz),
                            ]
                        };
                        let (low, high) = (face(iz), face(iz + 1));
                        let corner = |k: usize| if k < 4 { low[k] } else { high[k - 4] };
                        for tetrahedron in CUBE {
                            self.element(&tetrahedron.map(corner));
                        }
                    }
                }
            }
        }
    }

    /// Half of the side lengths.
    fn half_size(&self) -> [f64; 3] {
        std::array::from_fn(|k| 0.5 * self.spacing[k] * (self.count[k] as f64 - 1.0))
    }

    fn project_to_disc(&mut self) {
        let size = self.half_size();
        for p in self.points.as_chunks_mut::<3>().0 {
            let radius = p[0].abs().max(p[1].abs());
            let mut direction = [p[0], p[1]];
            normalize(&mut direction);
            p[0] = direction[0] * (size[0] * radius);
            p[1] = direction[1] * (size[1] * radius);
        }
    }

    /// A point of the surface of a box, or its projection to a cylinder or ellipsoid.
    fn surface_point(&self, at: [usize; 3]) -> [f64; 3] {
        let size = self.half_size();
        let mut p: [f64; 3] =
            std::array::from_fn(|k| 2.0 * at[k] as f64 / (self.count[k] as f64 - 1.0) - 1.0);
        match self.shape {
            Shape::Cylinder => {
                let radius = p[0].abs().max(p[1].abs());
                let mut direction = [p[0], p[1]];
                normalize(&mut direction);
                let [x, y] = direction;
                [x * (size[0] * radius), y * (size[1] * radius), p[2] * size[2]]
            }
            Shape::Ellipsoid => {
                normalize(&mut p);
                std::array::from_fn(|k| p[k] * size[k])
            }
            _ => std::array::from_fn(|k| p[k] * size[k]),
        }
    }

    /// The surface of a box, cylinder or ellipsoid: tetrahedra to the centre, or triangles without the face at
    /// the end of the z axis.
    fn shell(&mut self) -> Result<(), Failure> {
        if self.count.iter().any(|&n| n < 2) {
            let message = "must be at least 2 along each axis for this type";
            return Err((Some("count"), message.to_owned()));
        }
        if self.flex.dim == 1 {
            return Err((Some("dim"), "must be 2 or 3 for this type".to_owned()));
        }
        let solid = self.flex.dim == 3;
        let textured = self.needs_texcoord();
        if solid {
            self.points.extend([0.0; 3]);
        }
        if textured {
            self.texcoord.extend([0.0; 2]);
        }
        let index = self.shell_points(solid, textured);
        for (axis, end) in [(2, 0), (2, 1), (1, 0), (1, 1), (0, 0), (0, 1)] {
            if solid || (axis, end) != (2, 1) {
                self.shell_face(&index, axis, end == 1);
            }
        }
        Ok(())
    }

    /// Adds the points of the surface; returns the point of each grid position.
    fn shell_points(&mut self, solid: bool, textured: bool) -> Vec<usize> {
        let [nx, ny, nz] = self.count;
        let mut index = vec![0; nx * ny * nz];
        let mut add = |comp: &mut Self, at: [usize; 3], uv: [f32; 2]| {
            index[(at[0] * ny + at[1]) * nz + at[2]] = comp.points.len() / 3;
            let point = comp.surface_point(at);
            comp.points.extend(point);
            if textured {
                comp.texcoord.extend(uv);
            }
        };
        let last = if solid { nz - 1 } else { nz };
        for iz in if solid { vec![0, nz - 1] } else { vec![0] } {
            for ix in 0..nx {
                for iy in 0..ny {
                    add(self, [ix, iy, iz], [fraction(ix, nx), fraction(iy, ny)]);
                }
            }
        }
        for iy in [0, ny - 1] {
            for ix in 0..nx {
                for iz in 1..last {
                    add(self, [ix, iy, iz], [fraction(ix, nx), fraction(iz, nz)]);
                }
            }
        }
        for ix in [0, nx - 1] {
            for iy in 1..ny - 1 {
                for iz in 1..last {
                    add(self, [ix, iy, iz], [fraction(iy, ny), fraction(iz, nz)]);
                }
            }
        }
        index
    }

    /// Adds the elements of one face, at the low or high end of an axis.
    fn shell_face(&mut self, index: &[usize], axis: usize, high: bool) {
        let [_, ny, nz] = self.count;
        let (first, second) = match axis {
            2 => (0, 1),
            1 => (0, 2),
            _ => (1, 2),
        };
        let fixed = if high { self.count[axis] - 1 } else { 0 };
        for i in 0..self.count[first] - 1 {
            for j in 0..self.count[second] - 1 {
                let at = |di: usize, dj: usize| {
                    let mut g = [0; 3];
                    (g[axis], g[first], g[second]) = (fixed, i + di, j + dj);
                    index[(g[0] * ny + g[1]) * nz + g[2]]
                };
                if self.flex.dim == 3 {
                    self.element(&[0, at(0, 0), at(1, 0), at(1, 1)]);
                    self.element(&[0, at(0, 0), at(0, 1), at(1, 1)]);
                    continue;
                }
                // the normals of all triangles point outward
                let forward = if axis == 0 { high } else { !high };
                if axis == 2 {
                    self.element(&[at(0, 0), at(1, 1), at(1, 0)]);
                    self.element(&[at(0, 0), at(0, 1), at(1, 1)]);
                } else {
                    let (a, b) = if forward { (0, 1) } else { (1, 0) };
                    self.element(&[at(a, 0), at(b, 0), at(b, 1)]);
                    self.element(&[at(a, 0), at(b, 1), at(a, 1)]);
                }
            }
        }
    }

    /// Adds an element.
    fn element(&mut self, corners: &[usize]) {
        self.elem.extend(corners.iter().map(|&v| i32::try_from(v).unwrap_or(i32::MAX)));
    }
}
