//! Convergence of first order in the substep.

use crate::run;
use nalgebra::Vector3;
use sim_deformable::{
    CapsuleChain, ChainConfig, DeformableBody, Material, SoftBody, SoftBodyConfig, SolidModel,
    TetMesh,
};

/// The error relative to a reference with 32 times the maximum number of substeps must halve
/// approximately.
fn check(name: &str, make: impl Fn() -> Box<dyn DeformableBody>, time: f64) {
    let positions = |substeps: usize| {
        let mut body = make();
        run(body.as_mut(), time, 1e-2, substeps, 0.0);
        body.body().positions().to_vec()
    };
    let counts = [10, 20, 40];
    let reference = positions(32 * 40);
    let errors = counts.map(|n| {
        let far =
            positions(n).iter().zip(&reference).map(|(a, b)| (a - b).norm_squared()).sum::<f64>();
        (far / reference.len() as f64).sqrt()
    });
    println!("{name}: {errors:?}");
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.6..2.6).contains(&ratio), "{name}: {errors:?}");
    }
}

#[test]
fn a_falling_rope_converges() {
    let material = Material { youngs_modulus: 2e6, damping: 0.0, ..Material::rubber() };
    let config = ChainConfig { material, radius: 0.01, bending: 1.0, twist: 0.0 };
    let make = || {
        let mut rope =
            CapsuleChain::straight(Vector3::zeros(), Vector3::new(0.5, 0.0, 0.0), 10, &config)
                .unwrap();
        rope.body_mut().pin(0).unwrap();
        Box::new(rope) as Box<dyn DeformableBody>
    };
    check("rope", make, 0.2);
}

#[test]
fn a_stretched_bar_converges() {
    for model in [SolidModel::Springs, SolidModel::NeoHookean] {
        // soft and damped: modes that a substep does not resolve would hide the order
        let material = Material {
            youngs_modulus: 3e4,
            poissons_ratio: 0.3,
            damping: 2e-3,
            ..Material::rubber()
        };
        let make = || {
            let mesh = TetMesh::cuboid([0.1, 0.1, 0.3], [1, 1, 3]).unwrap();
            let config = SoftBodyConfig { material, model };
            let mut bar = SoftBody::new(&mesh, &config).unwrap();
            bar.body_mut().positions_mut().iter_mut().for_each(|x| x.z *= 1.1);
            for i in 12..16 {
                bar.body_mut().pin(i).unwrap();
            }
            Box::new(bar) as Box<dyn DeformableBody>
        };
        check(&format!("bar of {model:?}"), make, 0.1);
    }
}
