//! Properties of hull support queries.

use super::{CELLS, HullSupport, cell, cell_centre, lanes_above, project_f64};

/// Points on a spiral on the sphere, connected by index differences: a graph that need not be a hull.
fn points() -> Vec<[f32; 3]> {
    (0..200_u16)
        .map(|k| {
            let (turn, z) = (f32::from(k) * 2.4, f32::from(k) / 100.0 - 0.995);
            let r = (1.0 - z * z).sqrt();
            [r * turn.cos(), r * turn.sin(), z]
        })
        .collect()
}

/// Projection of a point onto a direction.
fn along(point: [f32; 3], d: [f64; 3]) -> f64 {
    let p = point.map(f64::from);
    d[0] * p[0] + d[1] * p[1] + d[2] * p[2]
}

#[test]
fn vector_and_scalar_hill_climbs_agree() {
    let points = points();
    let neighbours = |k: usize| -> Vec<(u32, [f32; 3])> {
        let steps = [1, 8, 13, 21, 34, 5].iter().take(3 + k % 4);
        steps
            .flat_map(|step| [k.checked_sub(*step), Some(k + step)])
            .flatten()
            .filter(|&j| j < points.len())
            .map(|j| (j as u32, points[j]))
            .collect()
    };
    let map = HullSupport::new((0..points.len()).map(|k| neighbours(k).into_iter()));
    assert!(!map.is_empty());
    for k in 0..500_u16 {
        let t = f64::from(k);
        let direction = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
        let along = |j: u32| along(points[j as usize], direction);
        let start = u32::from(k) % 200;
        for lowest in [f64::MIN, along(start)] {
            let end = map.hill_climb(start, lowest, &direction);
            assert_eq!(
                end,
                map.hill_climb_with(start, lowest, &direction, project_f64, lanes_above)
            );
            // reference implementation, one vertex at a time
            let (mut best, mut highest) = (start, lowest);
            loop {
                let from = best;
                for (j, _) in neighbours(from as usize) {
                    if along(j) > highest {
                        (best, highest) = (j, along(j));
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
fn a_small_hull_is_searched_exhaustively() {
    let points: Vec<[f32; 3]> = points().into_iter().step_by(9).collect();
    let neighbours = |k: usize| {
        let others = (0..points.len()).filter(move |&j| j != k);
        others.map(|j| (j as u32, points[j])).collect::<Vec<_>>().into_iter()
    };
    let map = HullSupport::new((0..points.len()).map(neighbours));
    for k in 0..500_u16 {
        let t = f64::from(k);
        let d = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
        let along = |j: u32| along(points[j as usize], d);
        let best = (0..points.len() as u32).max_by(|&a, &b| along(a).total_cmp(&along(b)));
        let from = u32::from(k) % 23;
        assert_eq!(best, map.unique_support(from, &d));
        assert_eq!(best, map.unique_support_scalar(from, &d));
        assert_eq!(best, Some(map.support_vertex(from, &d)));
    }
}

/// A sphere of quadrilaterals: rings of vertices between two poles.
#[test]
fn seeded_search_on_a_large_hull_finds_the_support_vertex() {
    let (rings, neighbours) = (12_u16, 16_u16);
    let number = |ring: u16, k: u16| u32::from(ring * neighbours + k % neighbours);
    let angle = |k: u16, of: u16| f32::from(k) / f32::from(of) * std::f32::consts::TAU;
    let point = |j: u32| -> [f32; 3] {
        let (ring, k) = (j as u16 / neighbours, j as u16 % neighbours);
        let (polar, turn) = (angle(2 * ring + 1, 4 * rings), angle(k, neighbours));
        [polar.sin() * turn.cos(), polar.sin() * turn.sin(), 0.7 * polar.cos()]
    };
    let count = u32::from(rings * neighbours);
    let neighbours = |j: u32| {
        let (ring, k) = (j as u16 / neighbours, j as u16 % neighbours);
        let mut list = vec![number(ring, k + 1), number(ring, k + neighbours - 1)];
        list.extend((ring > 0).then(|| number(ring - 1, k)));
        list.extend((ring + 1 < rings).then(|| number(ring + 1, k)));
        list.into_iter().map(|j| (j, point(j))).collect::<Vec<_>>().into_iter()
    };
    let map = HullSupport::new((0..count).map(neighbours));
    let mut found = 0;
    for k in 0..2000_u16 {
        let t = f64::from(k);
        let d = [t.sin(), (1.7 * t).sin(), (0.3 * t).cos()];
        let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        let d = d.map(|x| x / length);
        let along = |j: u32| along(point(j), d);
        let best = (0..count).max_by(|&a, &b| along(a).total_cmp(&along(b)));
        let from = u32::from(k) % count;
        let unique_support = map.unique_support(from, &d);
        assert_eq!(unique_support, map.unique_support_scalar(from, &d));
        assert!(unique_support.is_none() || unique_support == best);
        found += u32::from(unique_support.is_some());
        let end = map.support_vertex(from, &d);
        assert!(along(end) > along(best.unwrap_or(0)) - 2.0 * f64::from(map.tolerance));
    }
    assert!(found > 1900, "{found}");
}

#[test]
fn cell_centres_map_to_their_own_cell() {
    for k in 0..6 * CELLS * CELLS {
        assert_eq!(cell(&cell_centre(k)), k);
    }
}

#[test]
fn ties_are_decided_by_the_hill_climb() {
    let corner = |k: u32| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let neighbours = |k: u32| (0..3).map(move |axis| (k ^ 1 << axis, corner(k ^ 1 << axis)));
    let map = HullSupport::new((0..8).map(neighbours));
    let up = [0.0, 0.0, 1.0];
    assert_eq!(map.unique_support(0, &up), None);
    assert_eq!(map.unique_support_scalar(0, &up), None);
    for from in 0..8 {
        assert_eq!(map.support_vertex(from, &up), map.hill_climb(from, f64::MIN, &up));
    }
    assert_eq!(map.support_vertex(0, &[0.6, -0.48, 0.64]), 0b101);
}

#[test]
fn an_invalid_neighbour_index_ends_the_climb() {
    let lowest = |k: u32| std::iter::once((k + 40, [1.0, 0.0, 0.0]));
    let map = HullSupport::new((0..40).map(lowest));
    assert_eq!(map.support_vertex(3, &[1.0, 0.0, 0.0]), 40);
}

#[test]
fn an_invalid_start_vertex_has_no_neighbours() {
    let map = HullSupport::new(std::iter::empty::<std::iter::Empty<(u32, [f32; 3])>>());
    assert!(map.is_empty());
    assert_eq!(map.hill_climb(7, f64::MIN, &[1.0, 0.0, 0.0]), 7);
}

#[test]
fn a_transformed_hull_is_searched_in_its_own_frame() {
    let points = points();
    // a small hull, and one for hill climbing
    for step in [9, 1] {
        let points: Vec<[f32; 3]> = points.iter().copied().step_by(step).collect();
        let neighbours = |k: usize| {
            let others = (0..points.len()).filter(move |&j| j != k);
            others.map(|j| (j as u32, points[j])).collect::<Vec<_>>().into_iter()
        };
        let map = HullSupport::new((0..points.len()).map(neighbours));
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
            assert_eq!((vertex, point), map.support_scalar(&mat, &pos, &d, from, position));
            // compare with the maximum over all vertices
            let along = |p: [f64; 3]| (0..3).map(|k| d[k] * (p[k] - pos[k])).sum::<f64>();
            let to_world = |p: &[f32; 3]| -> [f64; 3] {
                let p = p.map(f64::from);
                std::array::from_fn(|r| pos[r] + (0..3).map(|k| mat[3 * r + k] * p[k]).sum::<f64>())
            };
            let most = points.iter().map(|p| along(to_world(p))).fold(f64::MIN, f64::max);
            assert!((along(point) - most).abs() < 1e-5);
            assert!((along(to_world(&points[vertex as usize])) - most).abs() < 1e-5);
        }
    }
}
