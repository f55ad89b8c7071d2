//! The place on an edge or a face that goes deepest into a geom.

use super::Spot;
use crate::Model;
use crate::collision::{ContactPoint, Narrow, Shape, local_aabb, sphere_contact};
use crate::math::vec3::{Vec3, add_scaled, dot, sub};

/// Projections back and forth between the element and the core of the geom.
const ROUNDS: usize = 8;

/// An edge or a face of a deformable body, where it is now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    pub at: [u32; 3],
    pub x: [Vec3; 3],
    /// 2 for an edge, 3 for a face.
    pub count: usize,
}

impl Element {
    /// The place of the element that is nearest to a point.
    fn nearest(&self, point: Vec3) -> (Spot, Vec3) {
        let [a, b, c] = self.x;
        let weight = if self.count == 2 { on_edge(point, a, b) } else { on_face(point, a, b, c) };
        let spot = Spot { at: self.at, weight, count: self.count };
        let place = [0, 1, 2].map(|k| weight[0] * a[k] + weight[1] * b[k] + weight[2] * c[k]);
        (spot, place)
    }

    /// Where the element, made thick by `radius`, touches a geom: the place that is deepest inside,
    /// if it is within `margin`.
    ///
    /// Projects back and forth between the element and the inside of the geom, a core as deep as its
    /// box is thick: of two convex sets this comes to the pair of nearest points.
    pub(super) fn deepest(
        &self,
        m: &Model,
        (geom, shape): (usize, &Shape<'_>),
        radius: f64,
        margin: f64,
        work: &mut Narrow,
    ) -> Option<(Spot, ContactPoint)> {
        let inset = local_aabb(m, geom).map_or(0.0, |b| b[3].min(b[4]).min(b[5]));
        let third = if self.count == 2 { [0.5, 0.5, 0.0] } else { [1.0 / 3.0; 3] };
        let mut place = [0, 1, 2].map(|k| (0..3).map(|i| third[i] * self.x[i][k]).sum());
        // as far as any place of the element can be from the geom if the element is near it
        let size = (0..self.count).map(|k| dot(sub(self.x[k], place), sub(self.x[k], place)));
        let far = margin + 2.0 * size.fold(0.0, f64::max).sqrt();
        for _ in 0..ROUNDS {
            let touch = sphere_contact(m, (geom, shape), (place, radius), far, work)?;
            let inside = add_scaled(place, touch.normal, -(radius + touch.dist + inset));
            let before = place;
            place = self.nearest(inside).1;
            let moved = sub(place, before);
            if dot(moved, moved) < 1e-20 {
                break;
            }
        }
        let touch = sphere_contact(m, (geom, shape), (place, radius), margin, work)?;
        Some((self.nearest(place).0, touch))
    }
}

/// Weights of the place on a segment that is nearest to a point.
fn on_edge(point: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    let along = sub(b, a);
    let length = dot(along, along);
    let t = if length > 0.0 { (dot(sub(point, a), along) / length).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - t, t, 0.0]
}

/// Weights of the place on a triangle that is nearest to a point.
fn on_face(point: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (u, v, w) = (sub(b, a), sub(c, a), sub(point, a));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let area = uu * vv - uv * uv;
    if area > 0.0 {
        let (s, t) = ((vv * uw - uv * vw) / area, (uu * vw - uv * uw) / area);
        if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
            return [1.0 - s - t, s, t];
        }
    }
    // outside: the nearest place of the three sides
    let sides = [
        on_edge(point, a, b),
        {
            let [p, q, _] = on_edge(point, b, c);
            [0.0, p, q]
        },
        {
            let [p, q, _] = on_edge(point, c, a);
            [q, 0.0, p]
        },
    ];
    let away = |w: &Vec3| {
        let d = [0, 1, 2].map(|k| w[0] * a[k] + w[1] * b[k] + w[2] * c[k] - point[k]);
        dot(d, d)
    };
    let nearest = sides.iter().min_by(|p, q| away(p).total_cmp(&away(q)));
    nearest.copied().unwrap_or([1.0, 0.0, 0.0])
}

#[cfg(test)]
mod tests {
    use super::{on_edge, on_face};

    #[test]
    fn nearest_places_of_a_triangle() {
        let [a, b, c] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(on_face([0.25, 0.25, 3.0], a, b, c), [0.5, 0.25, 0.25]);
        assert_eq!(on_face([-1.0, -1.0, 0.0], a, b, c), [1.0, 0.0, 0.0]);
        assert_eq!(on_face([0.5, -2.0, 0.0], a, b, c), [0.5, 0.5, 0.0]);
        assert_eq!(on_face([2.0, 2.0, 1.0], a, b, c), [0.0, 0.5, 0.5]);
        assert_eq!(on_face([-1.0, 0.25, 0.0], a, b, c), [0.75, 0.0, 0.25]);
        assert_eq!(on_edge([2.0, 1.0, 0.0], a, b), [0.0, 1.0, 0.0]);
        assert_eq!(on_edge([0.0; 3], a, a), [1.0, 0.0, 0.0]);
    }
}
