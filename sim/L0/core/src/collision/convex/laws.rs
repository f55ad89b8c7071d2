//! What must hold for any two convex solids, whatever the reference engine says.

use super::super::shape::{Mesh, Shape};
use super::super::touch::Touches;
use super::support::Solid;
use super::{CcdOptions, CcdWork, Touch, convex, distance};
use crate::math::mat3::{self, Mat3};
use crate::math::quat;
use crate::math::vec3::{self, Vec3, add, dot, norm, scale, sub};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use sim_types::GeomType;

const EXACT: CcdOptions =
    CcdOptions { tolerance: 1e-6, iterations: 300, multiccd: false, faithful: false };
/// How far an answer may be off with these options.
const CLOSE: f64 = 1e-5;
const DEFAULT: CcdOptions =
    CcdOptions { tolerance: 1e-6, iterations: 35, multiccd: true, faithful: true };

/// A shape that owns what it is made of.
#[derive(Debug, Clone)]
struct Thing {
    kind: GeomType,
    size: Vec3,
    pos: Vec3,
    mat: Mat3,
    vertices: Vec<[f32; 3]>,
}

impl Thing {
    fn shape(&self) -> Shape<'_> {
        let mesh = Mesh {
            vertices: &self.vertices,
            graph: &[],
            map: None,
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

    /// The farthest extent in a direction.
    fn extent(&self, dir: Vec3) -> f64 {
        Solid::new(&self.shape(), 0.0).map_or(0.0, |mut solid| dot(solid.support(dir), dir))
    }

    fn moved(&self, turn: quat::Quat, by: Vec3) -> Self {
        let turn = quat::to_mat(turn);
        let pos = add(mat3::mul_vec(&turn, self.pos), by);
        Self { pos, mat: mat3::mul(&turn, &self.mat), ..self.clone() }
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
    fn thing(reach: f64)(
        kind in kind(),
        size in prop::array::uniform3(0.1..0.5f64),
        pos in prop::array::uniform3(-reach..reach),
        q in unit_quat(),
        points in prop::collection::vec(prop::array::uniform3(-0.5..0.5f32), 4..30),
    ) -> Thing {
        // the engine's meshes are centred, and searches start from the centre
        let count = points.len() as f32;
        let mean = [0, 1, 2].map(|k| points.iter().map(|p| p[k]).sum::<f32>() / count);
        let vertices = points.iter().map(|p| [0, 1, 2].map(|k| p[k] - mean[k])).collect();
        Thing { kind, size, pos, mat: quat::to_mat(q), vertices }
    }
}

/// Vertices in a plane, on a line, in one point, huge or tiny.
fn degenerate() -> impl Strategy<Value = Thing> {
    (thing(0.3), prop::array::uniform3(prop::sample::select(vec![0.0, 1e-12, 1e-4, 1.0, 1e6])))
        .prop_map(|(mut thing, stretch)| {
            for vertex in &mut thing.vertices {
                for k in 0..3 {
                    vertex[k] *= stretch[k] as f32;
                }
            }
            thing.size = [0, 1, 2].map(|k| thing.size[k] * stretch[k]);
            thing
        })
}

fn contacts(a: &Thing, b: &Thing, margin: f64, opt: &CcdOptions) -> Vec<Touch> {
    let mut out = Touches::default();
    convex(&a.shape(), &b.shape(), margin, opt, &mut CcdWork::default(), &mut out);
    out.as_slice().to_vec()
}

/// How far `b` must move along a direction to leave `a`; negative when it has left already.
fn depth_along(a: &Thing, b: &Thing, dir: Vec3) -> f64 {
    a.extent(dir) + b.extent(scale(dir, -1.0))
}

/// Whether a depth is about the one along a normal. The search ends when the best bound from above,
/// of any face, meets the best from below: the depth is right to the tolerance, but where several
/// ways out are about equally short the face that is returned need not have converged.
fn is_depth_along(a: &Thing, b: &Thing, normal: Vec3, depth: f64) -> bool {
    (-1e-6..1e-2).contains(&(depth_along(a, b, normal) - depth))
}

fn cases() -> Config {
    Config { rng_seed: RngSeed::Fixed(380), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(cases())]

    /// The witnesses prove the distance: they are points of the solids, and the plane between them
    /// keeps the solids that far apart.
    #[test]
    fn distance_is_proved_by_its_witnesses(
        a in thing(1.0), b in thing(1.0), u in prop::array::uniform8(direction())
    ) {
        let (dist, s) = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default());
        if dist > 1e-6 {
            let (p, q) = ([s[0], s[1], s[2]], [s[3], s[4], s[5]]);
            prop_assert!((vec3::distance(p, q) - dist).abs() < CLOSE);
            let between = vec3::normalize(sub(q, p)).0;
            prop_assert!((depth_along(&a, &b, between) + dist).abs() < CLOSE, "not separated");
            for u in u {
                prop_assert!(dot(p, u) < a.extent(u) + CLOSE, "outside of the first");
                prop_assert!(dot(q, u) < b.extent(u) + CLOSE, "outside of the second");
                prop_assert!(-depth_along(&a, &b, u) < dist + CLOSE, "farther apart than said");
            }
        }
    }

    /// No direction is a shorter way out than the normal, and the depth is the way along it.
    #[test]
    fn depth_is_the_shortest_way_out(
        a in thing(0.2), b in thing(0.2), u in prop::array::uniform32(direction())
    ) {
        for touch in contacts(&a, &b, 0.0, &EXACT) {
            prop_assert!(touch.dist < 0.0);
            prop_assert!((norm(touch.normal) - 1.0).abs() < 1e-12);
            prop_assert!(is_depth_along(&a, &b, touch.normal, -touch.dist));
            for u in u {
                prop_assert!(depth_along(&a, &b, u) > -touch.dist - 1e-6, "a shorter way out");
            }
        }
    }

    /// Solids that a plane separates do not touch; solids that share a point do.
    #[test]
    fn contact_means_overlap(a in thing(0.6), b in thing(0.6)) {
        let gap = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        let touches = contacts(&a, &b, 0.0, &EXACT);
        if gap > 1e-5 {
            prop_assert!(touches.is_empty());
        } else if gap < -1e-5 {
            prop_assert!(!touches.is_empty());
        }
    }

    #[test]
    fn swapping_flips_the_normal(a in thing(0.4), b in thing(0.4)) {
        let (ab, ba) = (contacts(&a, &b, 0.0, &EXACT), contacts(&b, &a, 0.0, &EXACT));
        if let ([ab], [ba]) = (&ab[..], &ba[..]) {
            prop_assert!((ab.dist - ba.dist).abs() < CLOSE);
            // where two ways out are equally short, either may be found
            prop_assert!(is_depth_along(&a, &b, scale(ba.normal, -1.0), -ab.dist));
        }
    }

    #[test]
    fn the_world_may_move(a in thing(0.4), b in thing(0.4), q in unit_quat(), by in direction()) {
        let here = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        let (a, b) = (a.moved(q, by), b.moved(q, by));
        let there = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        prop_assert!((here - there).abs() < CLOSE, "{} {}", here, there);
    }

    /// A margin only adds to the distance at which solids are found.
    #[test]
    fn margin_finds_the_same_distance(a in thing(0.8), b in thing(0.8)) {
        let gap = distance(&a.shape(), &b.shape(), 10.0, &EXACT, &mut CcdWork::default()).0;
        for touch in contacts(&a, &b, 0.05, &EXACT) {
            prop_assert!((touch.dist - gap).abs() < 1e-4, "{} {}", touch.dist, gap);
        }
    }

    /// Whatever the solids, the answer is finite and storage does not grow.
    #[test]
    fn degenerate_solids_give_numbers(
        a in degenerate(), b in degenerate(), margin in prop::sample::select(vec![0.0, 0.01])
    ) {
        let mut work = CcdWork::default();
        for opt in [DEFAULT, EXACT, CcdOptions { iterations: 1, ..DEFAULT }] {
            let mut out = Touches::default();
            convex(&a.shape(), &b.shape(), margin, &opt, &mut work, &mut out);
            for touch in out.as_slice() {
                let numbers = touch.pos.iter().chain(&touch.normal);
                prop_assert!(numbers.chain([&touch.dist]).all(|x| x.is_finite()), "{:?}", touch);
            }
            prop_assert!(work.polytope.faces.len() <= 6 * EXACT.iterations);
            let (dist, _) = distance(&a.shape(), &b.shape(), 1.0, &opt, &mut work);
            prop_assert!(dist <= 1.0);
        }
    }
}

/// Two boxes as meshes and as boxes, face on face.
#[test]
fn queries_allocate_only_once() {
    let mat = mat3::IDENTITY;
    let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 0.5f32 } else { -0.5 });
    let cube = |kind, z| Thing {
        kind,
        size: [0.5; 3],
        pos: [0.0, 0.0, z],
        mat,
        vertices: (0..8).map(corner).collect(),
    };
    let mut work = CcdWork::default();
    let mut out = Touches::default();
    let mut run = |a: &Thing, b: &Thing| {
        out.clear();
        convex(&a.shape(), &b.shape(), 0.0, &DEFAULT, &mut work, &mut out);
        let room = (work.polytope.faces.capacity(), work.polytope.vertices.capacity());
        (out.as_slice().len(), room)
    };
    let (_, room) = run(&cube(GeomType::Mesh, 0.0), &cube(GeomType::Mesh, 0.9));
    let (count, same) = run(&cube(GeomType::Box, 0.0), &cube(GeomType::Box, 0.9));
    assert_eq!(count, 4, "face on face");
    let (_, still) = run(&cube(GeomType::Ellipsoid, 0.1), &cube(GeomType::Cylinder, 0.4));
    assert_eq!((room, room), (same, still));
}
