//! A ball against one geom: how vertices, edges and faces of deformable bodies touch.

use super::shape::Shape;
use super::touch::Touch;
use super::triangles::ball_on_triangles;
use super::{Narrow, Routine, field, find};
use crate::Model;
use crate::math::vec3::{Vec3, add_scaled, normalize, scale, sub};
use crate::math::{mat3, rows};
use sim_types::GeomType;

/// Where a ball touches a geom, or nearly does: the deepest point, with the normal from the geom to the
/// ball. Nothing where they are farther apart than `margin`.
pub(crate) fn ball_touch(
    m: &Model,
    (geom, shape): (usize, &Shape<'_>),
    (center, radius): (Vec3, f64),
    margin: f64,
    work: &mut Narrow,
) -> Option<Touch> {
    let ball = Shape {
        kind: GeomType::Sphere,
        pos: center,
        mat: &mat3::IDENTITY,
        size: [radius, 0.0, 0.0],
        rbound: radius,
        mesh: None,
        hfield: None,
    };
    if shape.kind == GeomType::Sdf {
        return in_field(m, geom, shape, center, radius).filter(|touch| touch.dist <= margin);
    }
    // routines take the lower type first
    let second = (shape.kind as usize) > (GeomType::Sphere as usize);
    let triangles = super::dispatch::has_triangles(m, geom);
    if triangles {
        let Narrow { triangles, touches, .. } = work;
        touches.clear();
        ball_on_triangles(m, (geom, shape), &ball, margin, triangles, touches);
    } else if second {
        let routine = Routine::of(GeomType::Sphere, shape.kind);
        find(m, routine, [geom; 2], [&ball, shape], margin, work);
    } else {
        let routine = Routine::of(shape.kind, GeomType::Sphere);
        find(m, routine, [geom; 2], [shape, &ball], margin, work);
    }
    let deepest = work.touches.as_slice().iter().min_by(|a, b| a.dist.total_cmp(&b.dist))?;
    let normal = if second { scale(deepest.normal, -1.0) } else { deepest.normal };
    let finite = deepest.dist.is_finite() && normal.iter().all(|x| x.is_finite());
    finite.then_some(Touch { normal, tangent: [0.0; 3], ..*deepest })
}

/// The same for a signed distance field.
fn in_field(m: &Model, geom: usize, shape: &Shape<'_>, center: Vec3, radius: f64) -> Option<Touch> {
    let field = field(m, shape, geom)?;
    let local = mat3::mul_transpose_vec(shape.mat, sub(center, shape.pos));
    let (normal, _) = normalize(mat3::mul_vec(shape.mat, field.gradient(local)));
    let dist = field.distance(local) - radius;
    let pos = add_scaled(center, normal, -(radius + 0.5 * dist));
    Some(Touch { dist, pos, normal, tangent: [0.0; 3] })
}

/// The box around a geom in its frame, centre and half sizes; nothing for what has no end.
pub(crate) fn bounds(m: &Model, geom: usize) -> Option<[f64; 6]> {
    (m.geom_rbound[geom] > 0.0).then(|| rows::<6>(&m.geom_aabb)[geom])
}
