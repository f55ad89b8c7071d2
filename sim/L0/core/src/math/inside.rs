//! Point-in-geom test (`mju_insideGeom`).

use super::mat3::{self, Mat3};
use super::vec3::{self, Vec3};
use sim_types::GeomType;

/// Whether `point` is inside a geom of type `kind` and size `size` with world position `pos` and rotation
/// `mat`. False for height fields, meshes and SDFs.
#[doc(alias = "mju_insideGeom")]
#[must_use]
pub fn inside_geom(pos: Vec3, mat: &Mat3, size: Vec3, kind: GeomType, point: Vec3) -> bool {
    let offset = vec3::sub(point, pos);
    if kind == GeomType::Sphere {
        return vec3::dot(offset, offset) < size[0] * size[0];
    }
    let [x, y, z] = mat3::mul_transpose_vec(mat, offset);
    let [a, b, c] = size;
    match kind {
        GeomType::Capsule => {
            let beyond = z - z.max(-b).min(b);
            x * x + y * y + beyond * beyond < a * a
        }
        GeomType::Ellipsoid => x * x / (a * a) + y * y / (b * b) + z * z / (c * c) < 1.0,
        GeomType::Cylinder => z.abs() < b && x * x + y * y < a * a,
        GeomType::Box => x.abs() < a && y.abs() < b && z.abs() < c,
        GeomType::Plane => z < 0.0,
        _ => false,
    }
}
