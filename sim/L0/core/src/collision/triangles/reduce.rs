//! From many points of contact to a few that are well spread.

use crate::collision::touch::{Touch, Touches};
use crate::math::vec3::{self, dot};

/// Most contacts of a pair with triangles.
pub(super) const MOST: usize = 12;
/// Points closer than this part of the shapes' size are one.
const SAME: f64 = 1e-3;

/// Adds the points that matter: the deepest, then always the one that differs most, in place or in
/// direction, from those taken, up to `most`. `size` is the length that counts as much as a right angle.
pub(super) fn reduce(all: &mut [Touch], size: f64, most: usize, out: &mut Touches) {
    all.sort_by(|a, b| a.dist.total_cmp(&b.dist));
    let start = out.as_slice().len();
    let away = |a: &Touch, b: &Touch| {
        let place = vec3::sub(a.pos, b.pos);
        dot(place, place) + size * size * (1.0 - dot(a.normal, b.normal)).max(0.0)
    };
    for _ in 0..most {
        let taken = &out.as_slice()[start..];
        let far = |t: &Touch| taken.iter().map(|o| away(t, o)).fold(f64::INFINITY, f64::min);
        let mut best: Option<(f64, Touch)> = None;
        for touch in all.iter() {
            let score = far(touch);
            // of equals the deeper one, which comes first
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, *touch));
            }
        }
        match best {
            Some((score, touch)) if score > (SAME * size) * (SAME * size) => out.push(touch),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(x: f64, y: f64, dist: f64) -> Touch {
        Touch { dist, pos: [x, y, 0.0], normal: [0.0, 0.0, 1.0], tangent: [0.0; 3] }
    }

    #[test]
    fn the_deepest_and_the_corners_stay() {
        let mut all: Vec<Touch> = (0..400)
            .map(|k| {
                touch(f64::from(k % 20), f64::from(k / 20), if k == 210 { -2.0 } else { -1.0 })
            })
            .collect();
        let mut out = Touches::default();
        reduce(&mut all, 1.0, MOST, &mut out);
        let out = out.as_slice();
        assert_eq!(out.len(), MOST);
        assert_eq!(out[0].dist, -2.0);
        for corner in [[0.0, 0.0, 0.0], [19.0, 0.0, 0.0], [0.0, 19.0, 0.0], [19.0, 19.0, 0.0]] {
            assert!(out.iter().any(|t| t.pos == corner), "{corner:?}");
        }
    }

    #[test]
    fn the_same_point_twice_is_one() {
        let mut all = [touch(0.0, 0.0, -1.0), touch(1e-9, 0.0, -0.5), touch(1.0, 0.0, -1.0)];
        let mut out = Touches::default();
        reduce(&mut all, 1.0, MOST, &mut out);
        assert_eq!(out.as_slice().len(), 2);
    }
}
