//! Contacts of signed distance fields: closed forms of plugins, octrees of meshes, and triangles of meshes.

use crate::collision::{case, check};

const TORUS: &str = r#"type="sdf" mesh="torus""#;
const BOWL: &str = r#"type="sdf" mesh="bowl""#;
const GEAR: &str = r#"type="sdf" mesh="gear""#;
const BOLT: &str = r#"type="sdf" mesh="bolt""#;
const NUT: &str = r#"type="sdf" mesh="nut""#;
const OCTREE: &str = r#"type="sdf" mesh="prism""#;
const PRISM: &str = r#"type="mesh" mesh="prism""#;
const SPHERE: &str = r#"type="sphere" size=".2""#;
const CAPSULE: &str = r#"type="capsule" size=".1 .3""#;
const ELLIPSOID: &str = r#"type="ellipsoid" size=".3 .2 .15""#;
const CYLINDER: &str = r#"type="cylinder" size=".25 .2""#;
const BOX: &str = r#"type="box" size=".3 .4 .2""#;

#[test]
fn primitives() {
    let cases = [
        case(SPHERE, 0.2, TORUS, 0.15),
        case(CAPSULE, 0.4, TORUS, 0.15),
        case(ELLIPSOID, 0.15, TORUS, 0.15),
        case(CYLINDER, 0.2, TORUS, 0.15),
        case(TORUS, 0.15, TORUS, 0.15),
    ];
    check("primitives", &cases, 1e-8);
}

// The CPU engine differentiates these fields, octrees only outside, by forward differences, as MuJoCo does, with an error
// of 1e-8.

#[test]
fn octrees() {
    let cases = [
        case(SPHERE, 0.2, OCTREE, 0.2),
        case(TORUS, 0.15, OCTREE, 0.2),
        case(OCTREE, 0.2, OCTREE, 0.2),
    ];
    check("octrees", &cases, 1e-6);
}

#[test]
fn boxes() {
    let cases = [case(BOX, 0.2, TORUS, 0.15), case(BOX, 0.2, OCTREE, 0.2)];
    check("boxes", &cases, 1e-5);
}

#[test]
fn bowls_and_gears() {
    let cases = [case(SPHERE, 0.2, BOWL, 0.2), case(CAPSULE, 0.4, GEAR, 0.1)];
    check("bowls and gears", &cases, 1e-5);
}

#[test]
fn screws() {
    let cases = [case(BOLT, 0.2, NUT, 0.2), case(SPHERE, 0.2, BOLT, 0.2)];
    check("screws", &cases, 1e-5);
}

#[test]
fn triangles() {
    check("triangles", &[case(PRISM, 0.2, TORUS, 0.15), case(PRISM, 0.2, OCTREE, 0.2)], 1e-8);
}
