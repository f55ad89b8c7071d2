//! Properties of convex queries that hold for any two solids, independent of MuJoCo's results.

use super::super::manifold::{ContactPoint, Manifold};
use super::super::shape::{Mesh, Shape};
use super::support::Solid;
use super::{CcdOptions, CcdWork, convex, distance};
use crate::math::mat3::{self, Mat3};
use crate::math::quat;
use crate::math::vec3::{self, Vec3, add, dot, norm, scale, sub};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use sim_types::GeomType;

const EXACT: CcdOptions =
    CcdOptions { tolerance: 1e-6, iterations: 300, multiccd: false, mujoco_defects: false };
/// Error bound of results with these options, m.
const CLOSE: f64 = 1e-5;
const DEFAULT: CcdOptions =
    CcdOptions { tolerance: 1e-6, iterations: 35, multiccd: true, mujoco_defects: true };

/// A shape that owns its data.
#[derive(Debug, Clone)]
struct OwnedShape {
    kind: GeomType,
    size: Vec3,
    pos: Vec3,
    mat: Mat3,
    vertices: Vec<[f32; 3]>,
}

impl OwnedShape {
    fn shape(&self) -> Shape<'_> {
        let mesh = Mesh {
            vertices: &self.vertices,
            graph: &[],
            hull: None,
            poly_normals: &[],
            poly_adr: &[],
            poly_num: &[],
            poly_vertices: &[],
            polymap_adr: &[],
            polymap_num: &[],
            polymap: &[],
        };
        Shape {
            kind: self.kind,
            pos: self.pos,
            mat: &self.mat,
            size: self.size,
            rbound: 1.0,
            mesh: (self.kind == GeomType::Mesh).then_some(mesh),
            hfield: None,
        }
    }

    /// Support function: largest projection onto a direction.
    fn extent(&self, dir: Vec3) -> f64 {
        Solid::new(&self.shape(), 0.0).map_or(0.0, |mut solid| dot(solid.support(dir), dir))
    }

    fn moved(&self, rotation: quat::Quat, by: Vec3) -> Self {
        let rotation = quat::to_mat(rotation);
        let pos = add(mat3::mul_vec(&rotation, self.pos), by);
        Self { pos, mat: mat3::mul(&rotation, &self.mat), ..self.clone() }
    }
}

fn unit_quat() -> impl Strategy<Value = quat::Quat> {
    prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("too short", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.1)
        .prop_map(quat::normalize)
}

fn direction() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0..1.0f64)
        .prop_filter("too short", |v| norm(*v) > 0.1)
        .prop_map(|v| vec3::normalize(v).0)
}

fn kind() -> impl Strategy<Value = GeomType> {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere};
    prop::sample::select(vec![Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh])
}

prop_compose! {
    fn random_shape(spread: f64)(
        kind in kind(),
        size in prop::array::uniform3(0.1..0.5f64),
        pos in prop::array::uniform3(-spread..spread),
        q in unit_quat(),
        points in prop::collection::vec(prop::array::uniform3(-0.5..0.5f32), 4..30),
    ) -> OwnedShape {
        // compiled meshes are centred, and GJK starts from the centre
        let count = points.len() as f32;
        let mean = [0, 1, 2].map(|k| points.iter().map(|p| p[k]).sum::<f32>() / count);
        let vertices = points.iter().map(|p| [0, 1, 2].map(|k| p[k] - mean[k])).collect();
        OwnedShape { kind, size, pos, mat: quat::to_mat(q), vertices }
    }
}

/// Degenerate shapes: coplanar, collinear or coincident vertices, very large or small extents.
fn degenerate() -> impl Strategy<Value = OwnedShape> {
    (
        random_shape(0.3),
        prop::array::uniform3(prop::sample::select(vec![0.0, 1e-12, 1e-4, 1.0, 1e6])),
    )
        .prop_map(|(mut shape, stretch)| {
            for vertex in &mut shape.vertices {
                for k in 0..3 {
                    vertex[k] *= stretch[k] as f32;
                }
            }
            shape.size = [0, 1, 2].map(|k| shape.size[k] * stretch[k]);
            shape
        })
}

fn contacts(a: &OwnedShape, b: &OwnedShape, margin: f64, opt: &CcdOptions) -> Vec<ContactPoint> {
    let mut out = Manifold::default();
    convex(&a.shape(), &b.shape(), margin, opt, &mut CcdWork::default(), &mut out);
    out.as_slice().to_vec()
}

/// Penetration depth along a direction; negative if the direction separates the shapes.
fn depth_along(a: &OwnedShape, b: &OwnedShape, dir: Vec3) -> f64 {
    a.extent(dir) + b.extent(scale(dir, -1.0))
}

/// Whether a depth is approximately the one along a normal. EPA stops when its global upper and lower bounds
/// agree: the depth is accurate to the tolerance, but if several faces have similar depth, the returned one
/// need not have converged.
fn is_depth_along(a: &OwnedShape, b: &OwnedShape, normal: Vec3, depth: f64) -> bool {
    (-1e-6..1e-2).contains(&(depth_along(a, b, normal) - depth))
}

fn cases() -> Config {
    Config { rng_seed: RngSeed::Fixed(380), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(cases())]

    /// The witness points certify the distance: they belong to the solids, and the direction between them
    /// separates the solids by that distance.
    #[test]
    fn witness_points_certify_the_distance(
        a in random_shape(1.0), b in random_shape(1.0), u in prop::array::uniform8(direction())
    ) {
        let (dist, s) = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default());
        if dist > 1e-6 {
            let (p, q) = ([s[0], s[1], s[2]], [s[3], s[4], s[5]]);
            prop_assert!((vec3::distance(p, q) - dist).abs() < CLOSE);
            let between = vec3::normalize(sub(q, p)).0;
            prop_assert!((depth_along(&a, &b, between) + dist).abs() < CLOSE, "not separated");
            for u in u {
                prop_assert!(dot(p, u) < a.extent(u) + CLOSE, "outside the first solid");
                prop_assert!(dot(q, u) < b.extent(u) + CLOSE, "outside the second solid");
                prop_assert!(-depth_along(&a, &b, u) < dist + CLOSE, "distance too small");
            }
        }
    }

    /// No direction has a smaller penetration than the normal, and the depth is the one along it.
    #[test]
    fn depth_is_minimal_over_directions(
        a in random_shape(0.2), b in random_shape(0.2), u in prop::array::uniform32(direction())
    ) {
        for contact in contacts(&a, &b, 0.0, &EXACT) {
            prop_assert!(contact.dist < 0.0);
            prop_assert!((norm(contact.normal) - 1.0).abs() < 1e-12);
            prop_assert!(is_depth_along(&a, &b, contact.normal, -contact.dist));
            for u in u {
                prop_assert!(depth_along(&a, &b, u) > -contact.dist - 1e-6, "smaller depth");
            }
        }
    }

    /// Contacts exist exactly if the signed distance is negative.
    #[test]
    fn contacts_exist_only_for_overlapping_solids(a in random_shape(0.6), b in random_shape(0.6)) {
        let dist = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        let found = contacts(&a, &b, 0.0, &EXACT);
        if dist > 1e-5 {
            prop_assert!(found.is_empty());
        } else if dist < -1e-5 {
            prop_assert!(!found.is_empty());
        }
    }

    #[test]
    fn swapping_flips_the_normal(a in random_shape(0.4), b in random_shape(0.4)) {
        let (ab, ba) = (contacts(&a, &b, 0.0, &EXACT), contacts(&b, &a, 0.0, &EXACT));
        if let ([ab], [ba]) = (&ab[..], &ba[..]) {
            prop_assert!((ab.dist - ba.dist).abs() < CLOSE);
            // of two directions with equal depth either may be found
            prop_assert!(is_depth_along(&a, &b, scale(ba.normal, -1.0), -ab.dist));
        }
    }

    #[test]
    fn distance_is_invariant_under_rigid_motion(a in random_shape(0.4), b in random_shape(0.4), q in unit_quat(), by in direction()) {
        let here = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        let (a, b) = (a.moved(q, by), b.moved(q, by));
        let there = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        prop_assert!((here - there).abs() < CLOSE, "{} {}", here, there);
    }

    /// A margin does not change the reported distance.
    #[test]
    fn contact_distance_does_not_depend_on_the_margin(a in random_shape(0.8), b in random_shape(0.8)) {
        let dist = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        for contact in contacts(&a, &b, 0.05, &EXACT) {
            prop_assert!((contact.dist - dist).abs() < 1e-4, "{} {}", contact.dist, dist);
        }
    }

    /// Results are finite and buffers bounded even for degenerate solids.
    #[test]
    fn degenerate_solids_give_finite_results(
        a in degenerate(), b in degenerate(), margin in prop::sample::select(vec![0.0, 0.01])
    ) {
        let mut work = CcdWork::default();
        for opt in [DEFAULT, EXACT, CcdOptions { iterations: 1, ..DEFAULT }] {
            let mut out = Manifold::default();
            convex(&a.shape(), &b.shape(), margin, &opt, &mut work, &mut out);
            for contact in out.as_slice() {
                let values = contact.pos.iter().chain(&contact.normal);
                prop_assert!(values.chain([&contact.dist]).all(|x| x.is_finite()), "{:?}", contact);
            }
            prop_assert!(work.polytope.faces.len() <= 6 * EXACT.iterations);
            let (dist, _) = distance(&a.shape(), &b.shape(), 1.0, &opt, &mut work);
            prop_assert!(dist <= 1.0);
        }
    }
}

/// Two boxes in face contact, as meshes and as boxes.
#[test]
fn only_the_first_query_allocates() {
    let mat = mat3::IDENTITY;
    let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 0.5f32 } else { -0.5 });
    let cube = |kind, z| OwnedShape {
        kind,
        size: [0.5; 3],
        pos: [0.0, 0.0, z],
        mat,
        vertices: (0..8).map(corner).collect(),
    };
    let mut work = CcdWork::default();
    let mut out = Manifold::default();
    let mut run = |a: &OwnedShape, b: &OwnedShape| {
        out.clear();
        convex(&a.shape(), &b.shape(), 0.0, &DEFAULT, &mut work, &mut out);
        let capacity = (work.polytope.faces.capacity(), work.polytope.vertices.capacity());
        (out.as_slice().len(), capacity)
    };
    let (_, first) = run(&cube(GeomType::Mesh, 0.0), &cube(GeomType::Mesh, 0.9));
    let (count, second) = run(&cube(GeomType::Box, 0.0), &cube(GeomType::Box, 0.9));
    assert_eq!(count, 4, "face contact");
    let (_, third) = run(&cube(GeomType::Ellipsoid, 0.1), &cube(GeomType::Cylinder, 0.4));
    assert_eq!((first, first), (second, third));
}
