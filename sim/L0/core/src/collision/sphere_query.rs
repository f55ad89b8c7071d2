//! Contact of a sphere with one geom: the primitive that vertices, edges and faces of deformable bodies
//! collide with.

use super::dispatch::Routine;
use super::geom::uses_triangles;
use super::manifold::ContactPoint;
use super::run_routine;
use super::scratch::Narrow;
use super::sdf::Field;
use super::shape::Shape;
use super::trimesh::sphere_on_triangles;
use crate::Model;
use crate::math::vec3::{Vec3, add_scaled, normalize, scale, sub};
use crate::math::{mat3, rows};
use sim_simd::batch_aabb_overlap_4;
use sim_types::GeomType;

/// The deepest contact point of a sphere and a geom, with the normal from the geom to the sphere; `None`
/// if they are farther apart than `margin`.
pub(crate) fn sphere_contact(
    m: &Model,
    (geom, shape): (usize, &Shape<'_>),
    (center, radius): (Vec3, f64),
    margin: f64,
    narrow: &mut Narrow,
) -> Option<ContactPoint> {
    let sphere = Shape {
        kind: GeomType::Sphere,
        pos: center,
        mat: &mat3::IDENTITY,
        size: [radius, 0.0, 0.0],
        rbound: radius,
        mesh: None,
        hfield: None,
    };
    if shape.kind == GeomType::Sdf {
        return sdf_contact(m, geom, shape, center, radius).filter(|point| point.dist <= margin);
    }
    // routines take the lower type first
    let geom_second = (shape.kind as usize) > (GeomType::Sphere as usize);
    if uses_triangles(m, geom) {
        let Narrow { trimesh, manifold, .. } = narrow;
        manifold.clear();
        sphere_on_triangles(m, (geom, shape), &sphere, margin, trimesh, manifold);
    } else if geom_second {
        let routine = Routine::of(GeomType::Sphere, shape.kind);
        run_routine(m, routine, [geom; 2], [&sphere, shape], margin, narrow);
    } else {
        let routine = Routine::of(shape.kind, GeomType::Sphere);
        run_routine(m, routine, [geom; 2], [shape, &sphere], margin, narrow);
    }
    let points = narrow.manifold.as_slice();
    let deepest = points.iter().min_by(|a, b| a.dist.total_cmp(&b.dist))?;
    let normal = if geom_second { scale(deepest.normal, -1.0) } else { deepest.normal };
    let finite = deepest.dist.is_finite() && normal.iter().all(|x| x.is_finite());
    finite.then_some(ContactPoint { normal, tangent: [0.0; 3], ..*deepest })
}

/// The contact point of a sphere and a signed distance field.
fn sdf_contact(
    m: &Model,
    geom: usize,
    shape: &Shape<'_>,
    center: Vec3,
    radius: f64,
) -> Option<ContactPoint> {
    let field = Field::of_geom(m, geom)?;
    let local = mat3::mul_transpose_vec(shape.mat, sub(center, shape.pos));
    let (normal, _) = normalize(mat3::mul_vec(shape.mat, field.gradient(local)));
    let dist = field.distance(local) - radius;
    let pos = add_scaled(center, normal, -(radius + 0.5 * dist));
    Some(ContactPoint { dist, pos, normal, tangent: [0.0; 3] })
}

/// `geom_aabb`: bounding box in the geom frame, centre and half-extents; `None` for unbounded geoms.
pub(crate) fn local_aabb(m: &Model, geom: usize) -> Option<[f64; 6]> {
    (m.geom_rbound[geom] > 0.0).then(|| rows::<6>(&m.geom_aabb)[geom])
}

/// Tests up to four points in the geom frame against a geom's box (see [`local_aabb`]) enlarged by `margin`;
/// bit `k` of the result is set if `points[indices[k]]` is inside. Every point is inside an unbounded geom.
pub(crate) fn points_in_aabb(
    indices: &[u32],
    points: &[Vec3],
    aabb: Option<[f64; 6]>,
    margin: f64,
) -> u32 {
    let Some(b) = aabb else { return !0 };
    let mut coordinates = [[f64::NAN; 4]; 3];
    for (lane, &index) in indices.iter().take(4).enumerate() {
        for axis in 0..3 {
            coordinates[axis][lane] = points[index as usize][axis];
        }
    }
    let bound = |k: usize| match k {
        0..3 => b[k] - b[3 + k] - margin,
        _ => b[k - 3] + b[k] + margin,
    };
    let point_boxes = coordinates.each_ref();
    batch_aabb_overlap_4(&std::array::from_fn(bound), point_boxes, point_boxes)
}

#[cfg(test)]
mod tests {
    use super::points_in_aabb;

    #[test]
    fn batched_test_agrees_with_single_points() {
        let points: Vec<[f64; 3]> = (0..60_u32)
            .map(|k| [1, 2, 3].map(|axis| (f64::from(k * axis) * 1.7).sin()))
            .chain([[f64::NAN, 0.0, 0.0], [0.5, 0.25, 0.25]])
            .collect();
        let (aabb, margin) = ([0.1, 0.0, -0.1, 0.3, 0.2, 0.4], 0.1);
        let inside = |p: &[f64; 3]| {
            (0..3).all(|k| {
                let (low, high) = (aabb[k] - aabb[3 + k] - margin, aabb[k] + aabb[3 + k] + margin);
                p[k] >= low && p[k] <= high
            })
        };
        let indices: Vec<u32> = (0..points.len() as u32).collect();
        for chunk in indices.chunks(4) {
            let mask = points_in_aabb(chunk, &points, Some(aabb), margin);
            for (k, &i) in chunk.iter().enumerate() {
                assert_eq!(mask >> k & 1 == 1, inside(&points[i as usize]), "{i}");
            }
            assert_eq!(points_in_aabb(chunk, &points, None, margin), !0);
        }
    }
}
