//! Pins, sleep, damping and residuals.

use crate::{GRAVITY, run};
use nalgebra::Vector3;
use sim_deformable::{
    Body, CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, FlexEdge, SurfaceMesh,
    XpbdConfig, XpbdSolver,
};

fn rope() -> CapsuleChain {
    CapsuleChain::straight(Vector3::zeros(), Vector3::new(1.0, 0.0, 0.0), 20, &ChainConfig::rope())
        .unwrap()
}

#[test]
fn a_pinned_particle_reaches_its_target() {
    let mut rope = rope();
    rope.body_mut().pin(0).unwrap();
    let target = Vector3::new(0.1, 0.2, 0.3);
    rope.body_mut().pin_to(20, target).unwrap();
    let mut solver = XpbdSolver::default();
    solver.step(&mut rope, GRAVITY, 1e-2).unwrap();
    assert_eq!(rope.body().positions()[20], target);
    assert_eq!(rope.body().positions()[0], Vector3::zeros());
    rope.body_mut().unpin(20).unwrap();
    assert!(!rope.body().is_pinned(20));
    solver.step(&mut rope, GRAVITY, 1e-2).unwrap();
    assert_ne!(rope.body().positions()[20], target);
}

#[test]
fn a_body_at_rest_falls_asleep_and_wakes() {
    let mut rope = rope();
    rope.body_mut().pin(0).unwrap();
    let config =
        XpbdConfig { damping: 5.0, sleep_speed: 1e-3, sleep_time: 0.2, ..XpbdConfig::default() };
    let mut solver = XpbdSolver::new(config);
    let slept = (0..2000).any(|_| solver.step(&mut rope, GRAVITY, 1e-2).unwrap().asleep);
    assert!(slept);
    let before = rope.body().positions().to_vec();
    assert!(solver.step(&mut rope, GRAVITY, 1e-2).unwrap().asleep);
    assert_eq!(rope.body().positions(), before);
    // a change of gravity, velocity or pin target wakes it
    assert!(!solver.step(&mut rope, -GRAVITY, 1e-2).unwrap().asleep);
    for _ in 0..5000 {
        solver.step(&mut rope, GRAVITY, 1e-2).unwrap();
    }
    assert!(rope.body().is_asleep());
    rope.body_mut().pin_to(0, Vector3::zeros()).unwrap();
    assert!(rope.body().is_asleep(), "the same place does not wake");
    rope.body_mut().pin_to(0, Vector3::new(0.0, 0.1, 0.0)).unwrap();
    assert!(!solver.step(&mut rope, GRAVITY, 1e-2).unwrap().asleep);
}

#[test]
fn damping_is_exponential() {
    let mut particle = Body::new(&[Vector3::zeros()], &[1.0], &[]).unwrap();
    particle.velocities_mut()[0].x = 1.0;
    let config = XpbdConfig { damping: 2.0, ..XpbdConfig::default() };
    XpbdSolver::new(config).step(&mut particle, Vector3::zeros(), 0.5).unwrap();
    assert!((particle.velocities()[0].x - (-1.0f64).exp()).abs() < 1e-12);
}

#[test]
fn a_spring_oscillates_with_its_period() {
    let edge = FlexEdge::Stretch { ends: [0, 1], rest: 1.0, stiffness: 100.0 };
    let points = [Vector3::zeros(), Vector3::new(1.1, 0.0, 0.0)];
    let mut spring = Body::new(&points, &[1.0, 1.0], &[edge]).unwrap();
    spring.pin(0).unwrap();
    let mut solver = XpbdSolver::new(XpbdConfig { substeps: 1000, ..XpbdConfig::default() });
    // a whole period of a mass of 1 kg on 100 N/m
    let dt = std::f64::consts::TAU / 10.0 / 100.0;
    for _ in 0..100 {
        solver.step(&mut spring, Vector3::zeros(), dt).unwrap();
    }
    assert!((spring.positions()[1].x - 1.1).abs() < 1e-3, "{}", spring.positions()[1].x);
}

#[test]
fn residuals_count_and_measure() {
    let mesh = SurfaceMesh::grid([1.0, 1.0], [4, 4]).unwrap();
    let mut cloth = Cloth::new(&mesh, &ClothConfig::cotton()).unwrap();
    let rest = cloth.body().residuals();
    assert_eq!(rest.distance.count, 4 * 5 * 2 + 16);
    assert_eq!(rest.hinge.count, 4 * 5 * 2 + 16 - 16);
    assert!(rest.distance.max < 1e-15 && rest.hinge.max < 1e-12);
    let shears = cloth.edges().iter().filter(|e| matches!(e, FlexEdge::Shear { .. })).count();
    assert_eq!(shears, 16);
    cloth.body_mut().positions_mut()[0].x -= 0.1;
    let pulled = cloth.body().residuals();
    assert!((pulled.distance.max - 0.1).abs() < 1e-12, "{pulled:?}");
    assert!(pulled.distance.rms > 0.0 && pulled.distance.rms < pulled.distance.max);
}

#[test]
fn more_substeps_reduce_the_residual() {
    let stretch = |substeps: usize| {
        let mut rope = rope();
        rope.body_mut().pin(0).unwrap();
        run(&mut rope, 0.5, 1e-2, substeps, 0.0);
        rope.body().residuals().distance.max
    };
    assert!(stretch(40) < 0.5 * stretch(5));
}
