//! Builtin parametric meshes (mjs_makeMesh).

mod cone;
mod grid;
mod sphere;
mod superquadric;

use super::error::AssetError;
use super::mesh::{MeshInertia, MeshSource};

/// Types of builtin meshes (mjtMeshBuiltin), with their `params`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuiltinMesh {
    /// A subdivided icosahedron: number of subdivisions, 0 to 4.
    Sphere,
    /// Half a sphere with a flat bottom: resolution, 0 to 10.
    Hemisphere,
    /// A cone or frustum: number of edges, radius of the top.
    Cone,
    /// A superellipsoid: resolution, exponents around and along.
    Supersphere,
    /// A supertoroid: resolution, radius of the tube, exponents of tube and ring.
    Supertorus,
    /// Part of a sphere as a grid of points: resolutions, fields of view, foveation.
    Wedge,
    /// A flat grid: resolutions.
    Plate,
}

/// Maximum number of vertices of a builtin mesh.
const MAX_VERTICES: usize = 1 << 20;
/// Maximum number of edges of a cone: the time of its convex hull grows with the square of it.
const MAX_CONE_EDGES: usize = 1 << 14;

impl BuiltinMesh {
    /// The type with the given MJCF keyword.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sphere" => Self::Sphere,
            "hemisphere" => Self::Hemisphere,
            "cone" => Self::Cone,
            "supersphere" => Self::Supersphere,
            "supertorus" => Self::Supertorus,
            "wedge" => Self::Wedge,
            "plate" => Self::Plate,
            _ => return None,
        })
    }

    /// Makes the mesh, and the inertia mode it requires: a plate has no volume, so it is a shell.
    ///
    /// # Errors
    ///
    /// The number of parameters is wrong or one of them is out of range.
    pub fn make(self, params: &[f64]) -> Result<(MeshSource, Option<MeshInertia>), AssetError> {
        let mesh = match (self, params) {
            (Self::Sphere, &[subdivisions]) => {
                sphere::sphere(integer("sphere: number of subdivisions", subdivisions, 0, 4)?)
            }
            (Self::Hemisphere, &[resolution]) => {
                sphere::hemisphere(integer("hemisphere: resolution", resolution, 0, 10)?)
            }
            (Self::Cone, &[edges, radius]) => {
                cone::cone(integer("cone: number of edges", edges, 1, MAX_CONE_EDGES)?, radius)
            }
            (Self::Supersphere, &[resolution, e, n]) => {
                require(e >= 0.0 && n >= 0.0, "supersphere: exponents must not be negative")?;
                superquadric::supersphere(
                    integer("supersphere: resolution", resolution, 3, 1000)?,
                    e,
                    n,
                )
            }
            (Self::Supertorus, &[resolution, radius, s, t]) => {
                require(radius > 0.0 && radius <= 1.0, "supertorus: radius must be in (0, 1]")?;
                require(s > 0.0 && t > 0.0, "supertorus: exponents must be positive")?;
                let resolution = integer("supertorus: resolution", resolution, 3, 1000)?;
                superquadric::supertorus(resolution, radius, s, t)
            }
            (Self::Wedge, &[nx, ny, fov_x, fov_y, gamma]) => {
                require(
                    fov_x > 0.0 && fov_x <= 180.0,
                    "wedge: fov[0] must be in (0, 180] degrees",
                )?;
                require(fov_y > 0.0 && fov_y <= 90.0, "wedge: fov[1] must be in (0, 90] degrees")?;
                require((0.0..=1.0).contains(&gamma), "wedge: gamma must be in [0, 1]")?;
                grid::wedge(resolution("wedge", nx, ny)?, [fov_x, fov_y], gamma)
            }
            (Self::Plate, &[nx, ny]) => {
                return Ok((grid::plate(resolution("plate", nx, ny)?), Some(MeshInertia::Shell)));
            }
            _ => return Err(self.wrong_count(params.len())),
        };
        Ok((mesh, None))
    }

    fn wrong_count(self, found: usize) -> AssetError {
        let (name, count) = match self {
            Self::Sphere => ("sphere", 1),
            Self::Hemisphere => ("hemisphere", 1),
            Self::Cone => ("cone", 2),
            Self::Supersphere => ("supersphere", 3),
            Self::Supertorus => ("supertorus", 4),
            Self::Wedge => ("wedge", 5),
            Self::Plate => ("plate", 2),
        };
        AssetError::invalid(format!("builtin {name} needs {count} params, found {found}"))
    }
}

fn require(holds: bool, problem: &str) -> Result<(), AssetError> {
    if holds { Ok(()) } else { Err(AssetError::invalid(problem)) }
}

/// An integer parameter, truncated toward zero and checked against `[least, most]`.
fn integer(what: &str, value: f64, min: usize, max: usize) -> Result<usize, AssetError> {
    let n = value.trunc();
    if n >= min as f64 && n <= max as f64 {
        Ok(n as usize)
    } else {
        Err(AssetError::invalid(format!("{what} must be in [{min}, {max}], found {value}")))
    }
}

fn resolution(name: &str, nx: f64, ny: f64) -> Result<[usize; 2], AssetError> {
    let what = format!("{name}: resolution");
    let size = [integer(&what, nx, 1, MAX_VERTICES)?, integer(&what, ny, 1, MAX_VERTICES)?];
    if size[0] * size[1] > MAX_VERTICES {
        return Err(AssetError::TooLarge { what: "number of vertices", limit: MAX_VERTICES });
    }
    Ok(size)
}

fn source(vert: Vec<f32>, face: Vec<[i32; 3]>) -> MeshSource {
    MeshSource { vert, face: face.into_flattened(), ..MeshSource::default() }
}
