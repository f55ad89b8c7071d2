//! Properties of distance fields and their contacts, independent of MuJoCo's results.

use super::SdfOptions;
use super::descent::gradient_descent;
use super::field::Field;
use super::objective::{FieldPair, Objective};
use super::octree::Octree;
use super::pair::{SdfShape, sdf_sdf};
use super::pose::{Pose, Transform};
use crate::PluginRegistry;
use crate::collision::manifold::Manifold;
use crate::collision::shape::Shape;
use crate::math::mat3;
use crate::math::random::halton;
use crate::math::vec3::{Vec3, add_scaled, distance, dot, norm, normalize, sub};
use crate::{PluginConfig, SignedDistance};
use sim_types::GeomType;
use std::sync::Arc;

/// A root cell with eight leaves and the values of a linear function, which interpolation reproduces.
struct Linear {
    child: Vec<[i32; 8]>,
    aabb: Vec<[f64; 6]>,
    coeff: Vec<[f64; 8]>,
}

/// Gradient and value at the origin of the linear function.
const SLOPE: Vec3 = [0.6, 0.0, 0.8];
const LEVEL: f64 = -0.1;
const HALF: Vec3 = [1.0, 0.5, 0.25];

impl Linear {
    fn new() -> Self {
        let mut child = vec![[1, 2, 3, 4, 5, 6, 7, 8]];
        let mut aabb = vec![[0.0, 0.0, 0.0, HALF[0], HALF[1], HALF[2]]];
        for j in 0..8 {
            let side = |k: usize| if j >> k & 1 == 1 { 0.5 * HALF[k] } else { -0.5 * HALF[k] };
            aabb.push([side(0), side(1), side(2), 0.5 * HALF[0], 0.5 * HALF[1], 0.5 * HALF[2]]);
            child.push([-1; 8]);
        }
        let value = |b: &[f64; 6], j: usize| {
            let corner = std::array::from_fn(|k| {
                if j >> k & 1 == 1 { b[k] + b[k + 3] } else { b[k] - b[k + 3] }
            });
            dot(SLOPE, corner) + LEVEL
        };
        let coeff = aabb.iter().map(|b| std::array::from_fn(|j| value(b, j))).collect();
        Self { child, aabb, coeff }
    }

    fn octree(&self) -> Octree<'_> {
        Octree { child: &self.child, aabb: &self.aabb, coeff: &self.coeff }
    }
}

fn points(spread: f64) -> impl Iterator<Item = Vec3> {
    (1..400).map(move |k| [2, 3, 5].map(|base| spread * (2.0 * halton(k, base) - 1.0)))
}

#[test]
fn octree_interpolation_is_exact_for_linear_functions() {
    let tree = Linear::new();
    for p in points(1.0).map(|p| std::array::from_fn(|k| 0.999 * HALF[k] * p[k])) {
        let exact = dot(SLOPE, p) + LEVEL;
        assert!((tree.octree().distance(p) - exact).abs() < 1e-12, "{p:?}");
        // derivatives are with respect to the leaf's normalized coordinates
        let gradient = tree.octree().gradient(p);
        for k in 0..3 {
            assert!((gradient[k] - SLOPE[k] * HALF[k]).abs() < 1e-12, "{p:?} {gradient:?}");
        }
    }
}

#[test]
fn distance_outside_the_root_cell_adds_the_projection_distance() {
    let tree = Linear::new();
    let p = [1.5, 0.1, 0.1];
    let inside = dot(SLOPE, [1.0, 0.1, 0.1]) + LEVEL;
    assert!((tree.octree().distance(p) - (inside + 0.5)).abs() < 2e-6);
    assert!(tree.octree().gradient(p)[0] > 0.9);
}

#[test]
fn search_in_a_malformed_octree_terminates() {
    let mut tree = Linear::new();
    tree.child[3] = [3; 8];
    tree.child[5] = [99; 8];
    for p in points(2.0) {
        assert!(tree.octree().distance(p).is_finite());
    }
}

/// Primitive fields; all but the ellipsoid are exact outside.
fn fields() -> [Field<'static>; 6] {
    [
        Field::Plane,
        Field::Sphere(0.4),
        Field::Capsule([0.2, 0.3]),
        Field::Cylinder([0.3, 0.2]),
        Field::Box([0.2, 0.3, 0.4]),
        Field::Ellipsoid([0.2, 0.3, 0.4]),
    ]
}

#[test]
fn gradients_match_finite_differences() {
    const STEP: f64 = 1e-6;
    for field in fields() {
        for p in points(0.9).filter(|p| field.distance(*p) > 0.02) {
            let gradient = field.gradient(p);
            for k in 0..3 {
                let mut moved = [p, p];
                moved[0][k] += STEP;
                moved[1][k] -= STEP;
                let slope = (field.distance(moved[0]) - field.distance(moved[1])) / (2.0 * STEP);
                // the ellipsoid's gradient is normalized
                let slack = if matches!(field, Field::Ellipsoid(_)) { 0.35 } else { 1e-4 };
                assert!((gradient[k] - slope).abs() < slack, "{field:?} {p:?} {k}");
            }
        }
    }
}

#[test]
fn exact_distances_are_lipschitz() {
    let exact = |f: &Field<'_>| !matches!(f, Field::Ellipsoid(_));
    for field in fields().into_iter().filter(exact) {
        for (p, q) in points(0.9).zip(points(0.9).skip(1)) {
            let (a, b) = (field.distance(p), field.distance(q));
            if a > 0.0 && b > 0.0 {
                assert!((a - b).abs() <= distance(p, q) + 1e-12, "{field:?}");
            }
        }
    }
}

#[test]
fn sphere_tracing_along_the_gradient_converges_to_the_surface() {
    for field in fields() {
        for p in points(0.7).filter(|p| field.distance(*p) > 0.05) {
            let mut x = p;
            for _ in 0..60 {
                x = add_scaled(x, normalize(field.gradient(x)).0, -field.distance(x));
            }
            assert!(field.distance(x).abs() < 1e-6, "{field:?} {p:?}");
        }
    }
}

#[test]
fn objectives_combine_both_distances() {
    let still = Pose::new([0.0; 3], &mat3::IDENTITY);
    let moved = Pose::new([0.5, 0.0, 0.0], &mat3::IDENTITY);
    let fields = FieldPair {
        first: Field::Sphere(0.4),
        second: Field::Sphere(0.3),
        to_second: Transform::new(&still, &moved),
    };
    for x in points(0.6) {
        let (a, b) = (norm(x) - 0.4, norm(sub(x, [0.5, 0.0, 0.0])) - 0.3);
        assert!((Objective::Intersection.value(fields.distances(x)) - a.max(b)).abs() < 1e-12);
        assert!((Objective::MidSurface.value(fields.distances(x)) - (a - b)).abs() < 1e-12);
        assert!(
            (Objective::Collision.value(fields.distances(x)) - (a + b + a.max(b).abs())).abs()
                < 1e-12
        );
    }
}

/// Contacts of two spheres as distance fields are those of spheres.
#[test]
fn sphere_fields_have_sphere_contacts() {
    let shape = |x: f64, radius: f64| Shape {
        kind: GeomType::Sphere,
        pos: [x, 0.0, 0.0],
        mat: &mat3::IDENTITY,
        size: [radius, 0.0, 0.0],
        rbound: radius,
        mesh: None,
        hfield: None,
    };
    let (a, b) = (shape(0.0, 0.4), shape(0.6, 0.3));
    let side = |shape, radius: f64| SdfShape {
        shape,
        field: Field::Sphere(radius),
        aabb: [0.0, 0.0, 0.0, radius, radius, radius],
    };
    let mut out = Manifold::default();
    let opt = SdfOptions { init_points: 20, iterations: 20 };
    sdf_sdf(&side(&a, 0.4), &side(&b, 0.3), opt, &mut out);
    assert!(!out.as_slice().is_empty());
    for contact in out.as_slice() {
        // the field midway between the surfaces is half the depth
        assert!(contact.dist <= 0.0 && contact.dist >= -0.0501, "{contact:?}");
        assert!(contact.normal[0] > 0.7, "{contact:?}");
    }
    let mut none = Manifold::default();
    let far = shape(2.0, 0.3);
    sdf_sdf(&side(&a, 0.4), &side(&far, 0.3), opt, &mut none);
    assert!(none.as_slice().is_empty());
}

/// The shapes of plugins with their default sizes.
fn shapes() -> Vec<Arc<dyn SignedDistance>> {
    let registry = PluginRegistry::default();
    ["bolt", "bowl", "gear", "nut", "torus"]
        .map(|name| {
            let (_, kind) = registry.get(&format!("mujoco.sdf.{name}")).unwrap();
            kind.signed_distance(&PluginConfig::new([])).unwrap().unwrap()
        })
        .into()
}

/// A shape without functions of four points.
#[derive(Debug)]
struct Single<'a>(&'a dyn SignedDistance);

impl SignedDistance for Single<'_> {
    fn distance(&self, point: Vec3) -> f64 {
        self.0.distance(point)
    }

    fn gradient(&self, point: Vec3) -> Vec3 {
        self.0.gradient(point)
    }

    fn aabb(&self) -> [f64; 6] {
        self.0.aabb()
    }
}

#[test]
fn four_points_have_the_distances_and_gradients_of_single_points() {
    let shapes = shapes();
    let plugins = shapes.iter().map(|shape| Field::Plugin(&**shape));
    for field in fields().into_iter().chain(plugins) {
        let all: Vec<Vec3> = points(0.8).collect();
        for four in all.as_chunks::<4>().0 {
            let points = [0, 1, 2].map(|i| four.map(|point| point[i]));
            let (distances, gradients) = (field.distance4(&points), field.gradient4(&points));
            for (k, &point) in four.iter().enumerate() {
                assert_eq!(distances[k], field.distance(point), "{field:?} at {point:?}");
                let gradient = gradients.map(|x| x[k]);
                assert_eq!(gradient, field.gradient(point), "{field:?} at {point:?}");
            }
        }
    }
}

#[test]
fn four_step_lengths_at_a_time_have_the_descents_of_single_ones() {
    let to_second = Transform { offset: [0.1, -0.2, 0.3], rotation: mat3::IDENTITY };
    for shape in shapes().iter().filter(|shape| shape.is_vectorized()) {
        let single = Single(&**shape);
        let pair = |first| FieldPair { first, second: Field::Sphere(0.3), to_second };
        let (together, one_by_one) = (pair(Field::Plugin(&**shape)), pair(Field::Plugin(&single)));
        assert!(together.is_vectorized() && !one_by_one.is_vectorized());
        for start in points(0.8) {
            for objective in [Objective::Collision, Objective::Intersection] {
                let [a, b] = [&together, &one_by_one].map(|fields| {
                    let (mut x, mut distances) = (start, fields.distances(start));
                    let value = gradient_descent(&mut x, &mut distances, fields, objective, 5);
                    (x, distances, value)
                });
                assert_eq!(a, b, "{shape:?} from {start:?}");
            }
        }
    }
}
