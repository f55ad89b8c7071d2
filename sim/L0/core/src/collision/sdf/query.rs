//! Signed distance of a point to a geom (`mjc_distance`).

use super::field::Field;
use crate::math::vec3::{Vec3, sub};
use crate::math::{mat3, rows};
use crate::{Data, Model};

/// Signed distance of a world position to a geom, as its distance field measures it; `None` for height
/// fields and for meshes without an octree.
pub(crate) fn signed_distance(m: &Model, d: &Data, geom: usize, point: Vec3) -> Option<f64> {
    let (pos, mat) = (*rows::<3>(&d.geom_xpos).get(geom)?, rows::<9>(&d.geom_xmat).get(geom)?);
    let local = mat3::mul_transpose_vec(mat, sub(point, pos));
    Some(Field::of_geom(m, geom)?.distance(local))
}
