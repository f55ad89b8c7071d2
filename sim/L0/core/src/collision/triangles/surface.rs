//! The triangles of a placed mesh as a surface: which point is nearest, on which side something is,
//! and in which directions the surface can push.

use super::closest::{closest, normal};
use crate::collision::soup::Soup;
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3, dot, sub};

/// A placed mesh.
#[derive(Clone, Copy)]
pub(super) struct Surface<'a> {
    pub soup: Soup<'a>,
    pub pos: Vec3,
    pub mat: &'a Mat3,
    /// Whether it bounds a solid: every edge belongs to two triangles.
    pub closed: bool,
}

/// A point of a surface, in the frame of the mesh.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub point: Vec3,
    /// Distance to it, negative where it is seen from behind.
    pub dist: f64,
    /// Normal of the triangle that tells the sides apart best.
    pub normal: Vec3,
}

/// Points closer than this, as a part of the size of a triangle, are the same.
const SAME: f64 = 1e-6;
/// How far the sine of an angle may be beyond a right angle.
const SLACK: f64 = 1e-3;

impl Surface<'_> {
    /// A point of the world in the frame of the mesh.
    pub(super) fn local(&self, point: Vec3) -> Vec3 {
        mat3::mul_transpose_vec(self.mat, sub(point, self.pos))
    }

    /// A point of the mesh in the world.
    pub(super) fn world(&self, point: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(self.mat, point), self.pos)
    }

    /// Visits the triangles whose boxes come within `reach` of a box: centre and half sizes, in the
    /// frame of the mesh.
    pub(super) fn near(
        &self,
        centre: Vec3,
        half: Vec3,
        reach: f64,
        mut visit: impl FnMut(usize, &[Vec3; 3], Vec3),
    ) {
        let meets = |aabb: &[f64; 6]| {
            (0..3).all(|k| (aabb[k] - centre[k]).abs() <= aabb[k + 3] + half[k] + reach)
        };
        self.soup.walk(meets, |face| {
            let corners = self.soup.corners(face);
            if let Some(normal) = normal(&corners) {
                visit(face, &corners, normal);
            }
        });
    }

    /// The nearest point of the surface within `reach`, in the frame of the mesh.
    pub(super) fn nearest(&self, point: Vec3, reach: f64) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let limit = std::cell::Cell::new(reach);
        let boxed = |aabb: &[f64; 6]| {
            let away: Vec3 =
                std::array::from_fn(|k| ((point[k] - aabb[k]).abs() - aabb[k + 3]).max(0.0));
            vec3::norm(away) <= limit.get()
        };
        self.soup.walk(boxed, |face| {
            let corners = self.soup.corners(face);
            let Some(normal) = normal(&corners) else { return };
            let at = closest(point, &corners);
            let away = sub(point, at);
            let dist = vec3::norm(away);
            let tie = SAME * (vec3::distance(corners[0], corners[1]) + dist);
            let height = dot(away, normal);
            // Where triangles meet they are equally near; the one that is seen most squarely knows
            // on which side the point is.
            let clearer = best.is_none_or(|b| {
                let squarer = height.abs() > dot(sub(point, b.point), b.normal).abs();
                dist < b.dist.abs() - tie || (dist < b.dist.abs() + tie && squarer)
            });
            if dist <= limit.get() + tie && clearer {
                best = Some(Nearest { point: at, dist: dist.copysign(height), normal });
                limit.set(limit.get().min(dist + tie));
            }
        });
        best
    }

    /// Whether the surface at one of its points can push in a direction: some triangle there faces
    /// it, and none leans that way. In the frame of the mesh.
    ///
    /// What fails this is the edge of a triangle that others continue: they have the contact.
    pub(super) fn pushes(&self, point: Vec3, direction: Vec3, size: f64) -> bool {
        let (mut faces, mut leans) = (false, false);
        let same = SAME * size;
        self.near(point, [0.0; 3], same, |_, corners, normal| {
            if vec3::distance(point, closest(point, corners)) > 2.0 * same {
                return;
            }
            faces |= dot(direction, normal) > 0.0;
            for corner in corners {
                let along = sub(*corner, point);
                leans |= dot(direction, along) > SLACK * vec3::norm(along) + same;
            }
        });
        faces && !leans
    }
}
