//! Ray intersection with signed distance fields (`mj_raySdf`): sphere tracing.

use super::{SurfaceHit, ray_geom, to_local};
use crate::collision::Field;
use crate::math::vec3::{self, Vec3};
use crate::math::{mat3, rows};
use crate::{Data, Model};
use sim_types::GeomType;

/// Largest number of steps.
const MAX_STEPS: usize = 40;
/// Distance at which the surface counts as hit, m.
const TOLERANCE: f64 = 1e-7;
/// Distance at which the search is abandoned, m.
const MAX_DISTANCE: f64 = 1e6;

/// First intersection of a ray with the zero level set of a signed distance field, from outside or inside.
///
/// The distance is in metres independent of the length of the vector, as in MuJoCo.
#[doc(alias = "mj_raySdf")]
pub(super) fn intersect(
    m: &Model,
    d: &Data,
    geom: usize,
    point: Vec3,
    vec: Vec3,
) -> Option<SurfaceHit> {
    let (pos, mat) = (rows::<3>(&d.geom_xpos)[geom], &rows::<9>(&d.geom_xmat)[geom]);
    ray_geom(GeomType::Box, pos, mat, rows::<3>(&m.geom_size)[geom], point, vec)?;
    let field = Field::of_geom(m, geom)?;
    let (start, along) = to_local(pos, mat, point, vec);
    let (along, _) = vec3::normalize(along);
    let mut total = 0.0;
    for _ in 0..MAX_STEPS {
        let step = field.distance(vec3::add_scaled(start, along, total)).abs();
        total += step;
        if step < TOLERANCE {
            let (normal, _) =
                vec3::normalize(field.gradient(vec3::add_scaled(start, along, total)));
            return Some((total, mat3::mul_vec(mat, normal)));
        }
        if step > MAX_DISTANCE {
            return None;
        }
    }
    None
}
