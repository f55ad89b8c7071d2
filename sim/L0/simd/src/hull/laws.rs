//! What walks over hulls have to hold to.

use super::{CELLS, HullMap, beyond, cell, cell_centre, reach};

/// Points on a sphere, each next to those that differ little in number: no hull, but a map.
fn points() -> Vec<[f32; 3]> {
    (0..200_u16)
        .map(|k| {
            let (turn, z) = (f32::from(k) * 2.4, f32::from(k) / 100.0 - 0.995);
            let r = (1.0 - z * z).sqrt();
            [r * turn.cos(), r * turn.sin(), z]
        })
        .collect()
}

/// How far a point is along a direction.
fn along(point: [f32; 3], d: [f64; 3]) -> f64 {
    let p = point.map(f64::from);
    d[0] * p[0] + d[1] * p[1] + d[2] * p[2]
}

#[test]
fn both_versions_walk_the_same_way() {
    let points = points();
    let around = |k: usize| -> Vec<(u32, [f32; 3])> {
        let steps = [1, 8, 13, 21, 34, 5].iter().take(3 + k % 4);
        steps
            .flat_map(|step| [k.checked_sub(*step), Some(k + step)])
            .flatten()
            .filter(|&j| j < points.len())
            .map(|j| (j as u32, points[j]))
            .collect()
    };
    let map = HullMap::new((0..points.len()).map(|k| around(k).into_iter()));
    assert!(!map.is_empty());
    for k in 0..500_u16 {
        let t = f64::from(k);
        let direction = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
        let along = |j: u32| along(points[j as usize], direction);
        let start = u32::from(k) % 200;
        for lowest in [f64::MIN, along(start)] {
            let end = map.climb(start, lowest, &direction);
            assert_eq!(end, map.climb_with(start, lowest, &direction, reach, beyond));
            // one vertex after another
            let (mut best, mut farthest) = (start, lowest);
            loop {
                let from = best;
                for (j, _) in around(from as usize) {
                    if along(j) > farthest {
                        (best, farthest) = (j, along(j));
                    }
                }
                if best == from {
                    break;
                }
            }
            assert_eq!(end, best);
        }
    }
}

#[test]
fn a_small_hull_is_searched_whole() {
    let points: Vec<[f32; 3]> = points().into_iter().step_by(9).collect();
    let around = |k: usize| {
        let others = (0..points.len()).filter(move |&j| j != k);
        others.map(|j| (j as u32, points[j])).collect::<Vec<_>>().into_iter()
    };
    let map = HullMap::new((0..points.len()).map(around));
    for k in 0..500_u16 {
        let t = f64::from(k);
        let d = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
        let along = |j: u32| along(points[j as usize], d);
        let best = (0..points.len() as u32).max_by(|&a, &b| along(a).total_cmp(&along(b)));
        let from = u32::from(k) % 23;
        assert_eq!(best, map.alone(from, &d));
        assert_eq!(best, map.alone_without(from, &d));
        assert_eq!(best, Some(map.farthest(from, &d)));
    }
}

/// A ball of trapezoids: rings of vertices between two poles.
#[test]
fn walks_over_a_large_hull_start_near_their_end() {
    let (rings, around) = (12_u16, 16_u16);
    let number = |ring: u16, k: u16| u32::from(ring * around + k % around);
    let angle = |k: u16, of: u16| f32::from(k) / f32::from(of) * std::f32::consts::TAU;
    let point = |j: u32| -> [f32; 3] {
        let (ring, k) = (j as u16 / around, j as u16 % around);
        let (polar, turn) = (angle(2 * ring + 1, 4 * rings), angle(k, around));
        [polar.sin() * turn.cos(), polar.sin() * turn.sin(), 0.7 * polar.cos()]
    };
    let count = u32::from(rings * around);
    let neighbours = |j: u32| {
        let (ring, k) = (j as u16 / around, j as u16 % around);
        let mut list = vec![number(ring, k + 1), number(ring, k + around - 1)];
        list.extend((ring > 0).then(|| number(ring - 1, k)));
        list.extend((ring + 1 < rings).then(|| number(ring + 1, k)));
        list.into_iter().map(|j| (j, point(j))).collect::<Vec<_>>().into_iter()
    };
    let map = HullMap::new((0..count).map(neighbours));
    let mut found = 0;
    for k in 0..2000_u16 {
        let t = f64::from(k);
        let d = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
        let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        let d = d.map(|x| x / length);
        let along = |j: u32| along(point(j), d);
        let best = (0..count).max_by(|&a, &b| along(a).total_cmp(&along(b)));
        let from = u32::from(k) % count;
        let alone = map.alone(from, &d);
        assert_eq!(alone, map.alone_without(from, &d));
        assert!(alone.is_none() || alone == best);
        found += u32::from(alone.is_some());
        let end = map.farthest(from, &d);
        assert!(along(end) > along(best.unwrap_or(0)) - 2.0 * f64::from(map.slack));
    }
    assert!(found > 1900, "{found}");
}

#[test]
fn every_direction_is_in_the_cell_of_its_middle() {
    for k in 0..6 * CELLS * CELLS {
        assert_eq!(cell(&cell_centre(k)), k);
    }
}

#[test]
fn of_equally_far_vertices_the_climb_decides() {
    let corner = |k: u32| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let around = |k: u32| (0..3).map(move |axis| (k ^ 1 << axis, corner(k ^ 1 << axis)));
    let map = HullMap::new((0..8).map(around));
    let up = [0.0, 0.0, 1.0];
    assert_eq!(map.alone(0, &up), None);
    assert_eq!(map.alone_without(0, &up), None);
    for from in 0..8 {
        assert_eq!(map.farthest(from, &up), map.climb(from, f64::MIN, &up));
    }
    assert_eq!(map.farthest(0, &[0.6, -0.48, 0.64]), 0b101);
}

#[test]
fn a_neighbour_that_is_not_there_ends_a_walk() {
    let nowhere = |k: u32| std::iter::once((k + 40, [1.0, 0.0, 0.0]));
    let map = HullMap::new((0..40).map(nowhere));
    assert_eq!(map.farthest(3, &[1.0, 0.0, 0.0]), 40);
}

#[test]
fn a_vertex_that_is_not_there_has_no_neighbours() {
    let map = HullMap::new(std::iter::empty::<std::iter::Empty<(u32, [f32; 3])>>());
    assert!(map.is_empty());
    assert_eq!(map.climb(7, f64::MIN, &[1.0, 0.0, 0.0]), 7);
}

#[test]
fn a_placed_hull_is_searched_in_its_own_frame() {
    let points = points();
    // a whole hull, and one that is walked
    for step in [9, 1] {
        let points: Vec<[f32; 3]> = points.iter().copied().step_by(step).collect();
        let around = |k: usize| {
            let others = (0..points.len()).filter(move |&j| j != k);
            others.map(|j| (j as u32, points[j])).collect::<Vec<_>>().into_iter()
        };
        let map = HullMap::new((0..points.len()).map(around));
        let position = |k: u32| points[k as usize];
        for k in 0..500_u16 {
            let t = f64::from(k);
            let (sin, cos) = (0.1 * t).sin_cos();
            // about z, then about x
            let (s, c) = (0.37 * t).sin_cos();
            let mat = [cos, -sin, 0.0, c * sin, c * cos, -s, s * sin, s * cos, c];
            let pos = [t, -2.0, 0.5 * t];
            let d = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
            let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            let d = d.map(|x| x / length);
            let from = u32::from(k) % points.len() as u32;
            let (vertex, point) = map.support(&mat, &pos, &d, from, position);
            assert_eq!((vertex, point), map.support_without(&mat, &pos, &d, from, position));
            // as far as the farthest of all
            let along = |p: [f64; 3]| (0..3).map(|k| d[k] * (p[k] - pos[k])).sum::<f64>();
            let place = |p: &[f32; 3]| -> [f64; 3] {
                let p = p.map(f64::from);
                std::array::from_fn(|r| pos[r] + (0..3).map(|k| mat[3 * r + k] * p[k]).sum::<f64>())
            };
            let most = points.iter().map(|p| along(place(p))).fold(f64::MIN, f64::max);
            assert!((along(point) - most).abs() < 1e-5);
            assert!((along(place(&points[vertex as usize])) - most).abs() < 1e-5);
        }
    }
}
