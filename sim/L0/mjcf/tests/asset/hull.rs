//! Properties of convex hulls.

use proptest::prelude::*;
use sim_mjcf::asset::hull::{Hull, HullError, convex_hull};
use std::collections::HashMap;

type Point = [f64; 3];

fn sub(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] - b[k])
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn volume(points: &[Point], hull: &Hull) -> f64 {
    hull.faces
        .iter()
        .map(|f| {
            let [a, b, c] = f.map(|v| points[v as usize]);
            dot(a, cross(b, c)) / 6.0
        })
        .sum()
}

/// Checks that a hull is a closed surface around all points.
fn check(points: &[Point], hull: &Hull) {
    let scale = points.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert_eq!(hull.faces.len() + 4, 2 * hull.vertices.len(), "Euler's formula");
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    for &[a, b, c] in &hull.faces {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((from, to)).or_default() += 1;
            assert!(hull.vertices.contains(&from));
        }
    }
    for (&(from, to), &count) in &edges {
        assert_eq!((count, edges.get(&(to, from))), (1, Some(&1)), "edge {from} {to}");
    }
    for f in &hull.faces {
        let [a, b, c] = f.map(|v| points[v as usize]);
        let normal = cross(sub(b, a), sub(c, a));
        let size = dot(normal, normal).sqrt();
        if size < 1e-6 * scale * scale {
            continue;
        }
        for &p in points {
            let height = dot(sub(p, a), normal) / size;
            assert!(height < 1e-9 * scale, "a point {height} above a face");
        }
    }
    for i in 0..hull.vertices.len() {
        for &j in hull.neighbors(i) {
            assert!(hull.neighbors(j as usize).contains(&(i as u32)), "edges go both ways");
        }
    }
    assert_eq!(hull.edges.len(), 3 * hull.faces.len());
}

fn hull(points: &[Point]) -> Hull {
    let hull = convex_hull(points, None).expect("a hull");
    check(points, &hull);
    hull
}

/// A grid of points in a box, `n` along each axis, turned by a rotation with whole numbers.
fn grid(n: usize, turned: bool) -> Vec<Point> {
    let mut points = Vec::new();
    for i in 0..n * n * n {
        let p = [i % n, i / n % n, i / n / n].map(|x| x as f64);
        points.push(if turned {
            // Three orthogonal vectors of length 3.
            let [x, y, z] = p;
            [x + 2.0 * y + 2.0 * z, 2.0 * x + y - 2.0 * z, 2.0 * x - 2.0 * y + z]
        } else {
            p
        });
    }
    points
}

#[test]
fn hull_of_a_grid_has_eight_vertices() {
    for n in 2..6 {
        for turned in [false, true] {
            let points = grid(n, turned);
            let h = hull(&points);
            assert_eq!(h.vertices.len(), 8, "grid of {n}, turned: {turned}");
            let side = (n - 1) as f64 * if turned { 3.0 } else { 1.0 };
            assert!((volume(&points, &h) - side.powi(3)).abs() < 1e-9 * side.powi(3));
        }
    }
}

#[test]
fn points_on_edges_and_duplicates_are_not_vertices() {
    let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]];
    let mut points = Vec::new();
    for a in corners {
        for b in corners {
            for t in [0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0] {
                points.push(std::array::from_fn(|k| a[k] + t * (b[k] - a[k])));
            }
        }
    }
    assert_eq!(hull(&points).vertices.len(), 4);
}

#[test]
fn hull_of_a_prism_keeps_all_vertices() {
    let mut points = Vec::new();
    for i in 0..40 {
        let (s, c) = (f64::from(i) * std::f64::consts::TAU / 40.0).sin_cos();
        for z in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            points.push([c, s, z]);
        }
    }
    assert_eq!(hull(&points).vertices.len(), 80);
}

#[test]
fn coplanar_points_have_no_hull() {
    assert_eq!(convex_hull(&[[0.0; 3]; 3], None), Err(HullError::TooFew));
    assert_eq!(convex_hull(&[[1.0; 3]; 9], None), Err(HullError::Flat));
    let line: Vec<Point> = (0..9).map(|i| [f64::from(i); 3]).collect();
    assert_eq!(convex_hull(&line, None), Err(HullError::Flat));
    let plane: Vec<Point> = (0..25).map(|i| [f64::from(i % 5), f64::from(i / 5), 2.0]).collect();
    assert_eq!(convex_hull(&plane, None), Err(HullError::Flat));
    let slope: Vec<Point> = plane.iter().map(|p| [p[0], p[1], p[0] / 3.0 + p[1] / 7.0]).collect();
    assert!(convex_hull(&slope, None).is_err());
}

#[test]
fn vertex_limit_is_respected() {
    let points: Vec<Point> = (0..500)
        .map(|i| {
            let (z, a) = (f64::from(i) / 250.0 - 0.998, f64::from(i) * 2.4);
            let r = (1.0 - z * z).sqrt();
            [r * a.cos(), r * a.sin(), z]
        })
        .collect();
    assert_eq!(hull(&points).vertices.len(), 500);
    for limit in [4, 10, 64] {
        let few = convex_hull(&points, Some(limit)).expect("a hull");
        assert_eq!(few.vertices.len(), limit);
    }
}

#[test]
fn coordinates_must_be_finite() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut points = grid(2, false);
        points[3][1] = bad;
        assert_eq!(convex_hull(&points, None), Err(HullError::NotFinite));
    }
}

/// Coordinates of all magnitudes, of which some are equal.
fn any_coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            1e-300,
            1e300,
            f64::MAX,
            f64::MIN_POSITIVE
        ]),
        -1.0..1.0,
        (-1.0..1.0).prop_map(|x: f64| 1.0 + 1e-15 * x),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Overflow, underflow and duplicates give a hull or an error.
    #[test]
    fn extreme_coordinates_do_not_panic(
        points in prop::collection::vec(prop::array::uniform3(any_coordinate()), 4..40),
        limit in prop::option::of(0_usize..20),
    ) {
        if let Ok(h) = convex_hull(&points, limit) {
            prop_assert_eq!(h.edges.len(), 3 * h.faces.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_points(points in prop::collection::vec(prop::array::uniform3(-1.0_f64..1.0), 4..60)) {
        if let Ok(h) = convex_hull(&points, None) {
            check(&points, &h);
        }
    }

    /// Many points share planes and lines.
    #[test]
    fn points_of_a_coarse_grid(
        numbers in prop::collection::vec(prop::array::uniform3(0_i8..4), 4..80),
        turn in prop::array::uniform3(-2.0_f64..2.0),
    ) {
        let whole: Vec<Point> = numbers.iter().map(|p| p.map(f64::from)).collect();
        if let Ok(h) = convex_hull(&whole, None) {
            check(&whole, &h);
        }
        // Sheared, so that rounding blurs the planes.
        let sheared: Vec<Point> = whole
            .iter()
            .map(|p| [p[0] + turn[0] * p[1], p[1] + turn[1] * p[2], p[2] + turn[2] * p[0]])
            .collect();
        if let Ok(h) = convex_hull(&sheared, None) {
            check(&sheared, &h);
        }
    }

    /// Points of a sphere in single precision are all corners.
    #[test]
    fn points_of_a_sphere(seeds in prop::collection::vec(prop::array::uniform3(-1.0_f32..1.0), 8..60)) {
        let points: Vec<Point> = seeds
            .iter()
            .map(|p| p.map(f64::from))
            .filter(|p| dot(*p, *p) > 0.01)
            .map(|p| {
                let length = dot(p, p).sqrt();
                p.map(|x| x / length)
            })
            .collect();
        let distinct = points.iter().enumerate().all(|(i, p)| {
            points[..i].iter().all(|q| dot(sub(*p, *q), sub(*p, *q)) > 1e-6)
        });
        if distinct && points.len() > 4 && let Ok(h) = convex_hull(&points, None) {
            check(&points, &h);
            prop_assert_eq!(h.vertices.len(), points.len());
        }
    }
}
