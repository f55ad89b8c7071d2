//! Point queries on the signed distance field of a geom (`mjc_distance`, `mjc_gradient`).

use super::field::Field;
use crate::math::mat3::{self, Mat3};
use crate::math::rows;
use crate::math::vec3::{Vec3, sub};
use crate::{Data, Model};

/// Returns the signed distance of a world position to a geom, m; negative inside. `None` for height
/// fields, for meshes without an octree, and if there is no such geom.
///
/// The distance is that of the geom's field: exact for planes, spheres, capsules and cylinders and outside
/// boxes, a first-order approximation for ellipsoids, and trilinearly interpolated for meshes.
///
/// Reads `geom_xpos`, `geom_xmat`.
///
/// ```
/// # let model = sim_mjcf::load_str(r#"<mujoco><worldbody><geom size="0.5"/></worldbody></mujoco>"#)?;
/// # let mut data = model.make_data();
/// # sim_core::mj_kinematics(&model, &mut data);
/// assert_eq!(sim_core::signed_distance(&model, &data, 0, [0.0, 0.0, 2.0]), Some(1.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "mjc_distance")]
#[must_use]
pub fn signed_distance(m: &Model, d: &Data, geom: usize, point: [f64; 3]) -> Option<f64> {
    let (_, local) = to_local(d, geom, point)?;
    Some(Field::of_geom(m, geom)?.distance(local))
}

/// Returns the gradient of [`signed_distance`] in world axes: the outward direction of steepest increase.
///
/// As in MuJoCo it is not always of unit length: in the octree of a mesh it is the derivative with respect
/// to the normalized coordinates of a cell. It is not finite at points where the distance has no gradient,
/// such as the centre of a sphere.
///
/// Reads `geom_xpos`, `geom_xmat`.
#[doc(alias = "mjc_gradient")]
#[must_use]
pub fn signed_distance_gradient(
    m: &Model,
    d: &Data,
    geom: usize,
    point: [f64; 3],
) -> Option<[f64; 3]> {
    let (mat, local) = to_local(d, geom, point)?;
    Some(mat3::mul_vec(mat, Field::of_geom(m, geom)?.gradient(local)))
}

/// Orientation of a geom, and a world position in its frame.
fn to_local(d: &Data, geom: usize, point: Vec3) -> Option<(&Mat3, Vec3)> {
    let (pos, mat) = (*rows::<3>(&d.geom_xpos).get(geom)?, rows::<9>(&d.geom_xmat).get(geom)?);
    Some((mat, mat3::mul_transpose_vec(mat, sub(point, pos))))
}
