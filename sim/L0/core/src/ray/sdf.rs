//! Rays and distance fields: steps as long as the field says that nothing is near.

use super::{Met, ray_geom, to_local};
use crate::collision::Octree;
use crate::math::vec3::{self, Vec3};
use crate::math::{mat3, rows};
use crate::{Data, Model};
use sim_types::GeomType;

/// Most steps of a ray.
const STEPS: usize = 40;
/// So near a point counts as met.
const NEAR: f64 = 1e-7;
/// So far there is nothing left to meet.
const FAR: f64 = 1e6;

/// Where a ray first meets the surface of a distance field. From inside it meets the surface, too.
///
/// The distance is in metres, whatever the length of the vector, as in the reference engine.
#[doc(alias = "mj_raySdf")]
pub(super) fn meet(m: &Model, d: &Data, geom: usize, point: Vec3, vec: Vec3) -> Option<Met> {
    let (pos, mat) = (rows::<3>(&d.geom_xpos)[geom], &rows::<9>(&d.geom_xmat)[geom]);
    ray_geom(GeomType::Box, pos, mat, rows::<3>(&m.geom_size)[geom], point, vec)?;
    let field = Octree::of(m, usize::try_from(m.geom_dataid[geom]).ok()?)?;
    let (start, along) = to_local(pos, mat, point, vec);
    let (along, _) = vec3::normalize(along);
    let mut total = 0.0;
    for _ in 0..STEPS {
        let step = field.distance(vec3::add_scaled(start, along, total)).abs();
        total += step;
        if step < NEAR {
            let (normal, _) =
                vec3::normalize(field.gradient(vec3::add_scaled(start, along, total)));
            return Some((total, mat3::mul_vec(mat, normal)));
        }
        if step > FAR {
            return None;
        }
    }
    None
}
