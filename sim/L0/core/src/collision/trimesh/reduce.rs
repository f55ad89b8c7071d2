//! Contact reduction: a few well-distributed points out of many.

use crate::collision::manifold::{ContactPoint, Manifold};
use crate::math::vec3::{self, dot};

/// Largest number of contacts of a pair with triangles.
pub(super) const MAX_CONTACTS: usize = 12;
/// Distance below which points are merged, relative to the size of the shapes.
const MERGE_DISTANCE: f64 = 1e-3;

/// Adds up to `max` points by farthest-point sampling: the deepest first, then the one that differs most in
/// position or normal from those taken. `size` is the distance that counts as much as a right angle, m.
pub(super) fn reduce(all: &mut [ContactPoint], size: f64, max: usize, out: &mut Manifold) {
    all.sort_by(|a, b| a.dist.total_cmp(&b.dist));
    let start = out.as_slice().len();
    let difference = |a: &ContactPoint, b: &ContactPoint| {
        let offset = vec3::sub(a.pos, b.pos);
        dot(offset, offset) + size * size * (1.0 - dot(a.normal, b.normal)).max(0.0)
    };
    for _ in 0..max {
        let taken = &out.as_slice()[start..];
        let least =
            |p: &ContactPoint| taken.iter().map(|o| difference(p, o)).fold(f64::INFINITY, f64::min);
        let mut best: Option<(f64, ContactPoint)> = None;
        for point in all.iter() {
            let score = least(point);
            // ties go to the deeper point, which comes first
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, *point));
            }
        }
        match best {
            Some((score, point)) if score > (MERGE_DISTANCE * size) * (MERGE_DISTANCE * size) => {
                out.push(point);
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, y: f64, dist: f64) -> ContactPoint {
        ContactPoint { dist, pos: [x, y, 0.0], normal: [0.0, 0.0, 1.0], tangent: [0.0; 3] }
    }

    #[test]
    fn deepest_and_corner_points_are_kept() {
        let mut all: Vec<ContactPoint> = (0..400)
            .map(|k| {
                point(f64::from(k % 20), f64::from(k / 20), if k == 210 { -2.0 } else { -1.0 })
            })
            .collect();
        let mut out = Manifold::default();
        reduce(&mut all, 1.0, MAX_CONTACTS, &mut out);
        let out = out.as_slice();
        assert_eq!(out.len(), MAX_CONTACTS);
        assert_eq!(out[0].dist, -2.0);
        for corner in [[0.0, 0.0, 0.0], [19.0, 0.0, 0.0], [0.0, 19.0, 0.0], [19.0, 19.0, 0.0]] {
            assert!(out.iter().any(|p| p.pos == corner), "{corner:?}");
        }
    }

    #[test]
    fn coincident_points_are_merged() {
        let mut all = [point(0.0, 0.0, -1.0), point(1e-9, 0.0, -0.5), point(1.0, 0.0, -1.0)];
        let mut out = Manifold::default();
        reduce(&mut all, 1.0, MAX_CONTACTS, &mut out);
        assert_eq!(out.as_slice().len(), 2);
    }
}
