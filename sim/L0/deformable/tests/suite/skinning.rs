//! Skeletal skinning.

use crate::Random;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use sim_deformable::{Bone, DeformableError, Influence, Skeleton, SkinnedMesh, SkinningMethod};
use std::f64::consts::PI;

const METHODS: [SkinningMethod; 2] = [SkinningMethod::Linear, SkinningMethod::DualQuaternion];

fn frame(shift: Vector3<f64>, turn: Vector3<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(shift), UnitQuaternion::from_scaled_axis(turn))
}

/// An upper and a lower arm along x, each of length 1.
fn arm() -> Skeleton {
    let upper = Bone { name: "upper".into(), parent: None, rest: Isometry3::identity() };
    let rest = frame(Vector3::x(), Vector3::zeros());
    let lower = Bone { name: "lower".into(), parent: Some(0), rest };
    Skeleton::new(vec![upper, lower]).unwrap()
}

/// A ring of radius 0.1 around the elbow, half upper and half lower arm.
fn sleeve() -> (SkinnedMesh, Vec<Vector3<f64>>) {
    let at = |k: usize| {
        let angle = k as f64 * 0.25 * PI;
        Vector3::new(1.0, 0.1 * angle.cos(), 0.1 * angle.sin())
    };
    let vertices: Vec<_> = (0..8).map(at).collect();
    let halves = [Influence { bone: 0, weight: 3.0 }, Influence { bone: 1, weight: 3.0 }];
    let skin = SkinnedMesh::new(&arm(), &vertices, &[&halves[..]; 8]).unwrap();
    (skin, vertices)
}

fn deformed(local: [Isometry3<f64>; 2], method: SkinningMethod) -> Vec<Vector3<f64>> {
    let (mut skin, mut vertices) = sleeve();
    let mut world = local;
    arm().pose(&local, &mut world).unwrap();
    skin.deform(&world, method, &mut vertices).unwrap();
    vertices
}

#[test]
fn the_rest_pose_is_the_identity() {
    for method in METHODS {
        let (_, expected) = sleeve();
        let bones = arm();
        let local = [bones.bones()[0].rest, bones.bones()[1].rest];
        for (x, y) in deformed(local, method).iter().zip(&expected) {
            assert!((x - y).norm() < 1e-15);
        }
    }
}

#[test]
fn a_rigid_motion_of_all_bones_is_applied_to_all_vertices() {
    let mut random = Random::new(1);
    for method in METHODS {
        for _ in 0..20 {
            let moved = frame(random.vector(), 3.0 * random.vector());
            let (_, rest) = sleeve();
            let got = deformed([moved, arm().bones()[1].rest], method);
            for (x, y) in got.iter().zip(&rest) {
                let expected = moved * nalgebra::Point3::from(*y);
                assert!((x - expected.coords).norm() < 1e-12, "{method:?}");
            }
        }
    }
}

#[test]
fn a_twisted_wrist_collapses_only_when_blended_linearly() {
    let twist = frame(Vector3::x(), Vector3::x() * (0.999 * PI));
    let radius = |method| {
        let ring = deformed([Isometry3::identity(), twist], method);
        let off = ring.iter().map(|x| (x.y * x.y + x.z * x.z).sqrt());
        off.fold(0.0f64, f64::max)
    };
    assert!(radius(SkinningMethod::Linear) < 0.001);
    assert!((radius(SkinningMethod::DualQuaternion) - 0.1).abs() < 1e-12);
}

#[test]
fn quaternion_sign_does_not_matter() {
    // the quaternion of a rotation by 1.5 rad with the opposite sign
    let turn = frame(Vector3::x(), Vector3::y() * 1.5);
    let mut other = turn;
    other.rotation = UnitQuaternion::new_unchecked(-turn.rotation.into_inner());
    for method in METHODS {
        let [a, b] = [turn, other].map(|t| deformed([Isometry3::identity(), t], method));
        for (x, y) in a.iter().zip(&b) {
            assert!((x - y).norm() < 1e-14, "{method:?}");
        }
    }
}

#[test]
fn invalid_weights_are_errors() {
    let say = |e: DeformableError| e.to_string();
    let bone = |parent| Bone { name: String::new(), parent, rest: Isometry3::identity() };
    let skeleton = |bones| say(Skeleton::new(bones).unwrap_err());
    assert!(skeleton(vec![]).contains("no bones"));
    assert!(skeleton(vec![bone(Some(0))]).contains("bone 0: its parent must come before it"));
    assert!(skeleton(vec![bone(None), bone(Some(2))]).contains("bone 1"));
    let mut bad = bone(None);
    bad.rest.translation.x = f64::NAN;
    assert!(skeleton(vec![bad]).contains("not finite"));

    let x = [Vector3::zeros()];
    let skin = |bone, weight| {
        say(SkinnedMesh::new(&arm(), &x, &[&[Influence { bone, weight }]]).unwrap_err())
    };
    assert!(skin(2, 1.0).contains("weights of vertex 0: there is no such bone"));
    assert!(skin(0, -1.0).contains("negative"));
    assert!(skin(0, 0.0).contains("above 0"));
    assert!(skin(0, f64::NAN).contains("not finite"));
    assert!(say(SkinnedMesh::new(&arm(), &x, &[]).unwrap_err()).contains("0 were given, but 1"));
    let (mut mesh, mut out) = sleeve();
    let failed = mesh.deform(&[Isometry3::identity()], SkinningMethod::Linear, &mut out);
    assert!(say(failed.unwrap_err()).contains("world frames: 1 were given, but 2 are needed"));
    assert_eq!(arm().find("lower"), Some(1));
}
