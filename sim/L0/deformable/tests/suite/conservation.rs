//! Conservation of momentum, energy and volume.

use crate::{GRAVITY, randomize_velocities, run};
use nalgebra::Vector3;
use sim_deformable::{
    Body, CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, Material, SoftBody,
    SoftBodyConfig, SolidModel, SurfaceMesh, TetMesh, XpbdConfig, XpbdSolver,
};

fn soft(model: SolidModel) -> SoftBody {
    let mesh = TetMesh::cuboid([0.2, 0.1, 0.1], [6, 3, 3]).unwrap();
    SoftBody::new(&mesh, &SoftBodyConfig { model, ..SoftBodyConfig::gelatin() }).unwrap()
}

/// One body of each kind, with every kind of constraint.
fn bodies() -> Vec<(&'static str, Box<dyn DeformableBody>)> {
    let helix = |k: usize| {
        let t = 0.5 * k as f64;
        Vector3::new(0.1 * t.cos(), 0.1 * t.sin(), 0.02 * t)
    };
    let points: Vec<_> = (0..30).map(helix).collect();
    let grid = SurfaceMesh::grid([1.0, 1.0], [12, 12]).unwrap();
    let sphere = SurfaceMesh::sphere(0.3, 2).unwrap();
    vec![
        ("sheet", Box::new(Cloth::new(&grid, &ClothConfig::cotton()).unwrap())),
        ("balloon", Box::new(Cloth::new(&sphere, &ClothConfig::rubber()).unwrap())),
        ("helix", Box::new(CapsuleChain::new(&points, &ChainConfig::soft_cable()).unwrap())),
        ("springs", Box::new(soft(SolidModel::Springs))),
        ("neo-Hookean", Box::new(soft(SolidModel::NeoHookean))),
    ]
}

#[test]
fn momentum_is_conserved_in_free_flight() {
    for (name, mut body) in bodies() {
        randomize_velocities(body.as_mut(), 0.3);
        let (before, about) = (body.body().momentum(), body.body().angular_momentum());
        let mass: f64 = body.body().masses().iter().sum();
        let mut solver = XpbdSolver::default();
        for _ in 0..100 {
            solver.step(body.as_mut(), Vector3::zeros(), 1e-2).unwrap();
        }
        let drift = (body.body().momentum() - before).norm();
        assert!(drift < 1e-12 * mass, "{name}: {drift} of {mass}");
        // the constraint directions change within a substep, so that angular momentum is conserved
        // up to the substep
        let turn = (body.body().angular_momentum() - about).norm();
        assert!(turn < 2e-2 * mass * 0.3, "{name}: {turn} of {mass}");
    }
}

#[test]
fn the_centre_of_mass_is_in_free_fall() {
    for (name, mut body) in bodies() {
        randomize_velocities(body.as_mut(), 0.3);
        let mass: f64 = body.body().masses().iter().sum();
        let (start, velocity) = (body.body().center_of_mass(), body.body().momentum() / mass);
        run(body.as_mut(), 1.0, 0.01, 10, 0.0);
        // symplectic Euler: n substeps fall by g·h²·n(n + 1)/2
        let fallen = GRAVITY * 0.5 * (1.0 + 1e-3);
        let error = (body.body().center_of_mass() - start - velocity - fallen).norm();
        assert!(error < 1e-10, "{name}: {error}");
    }
}

/// Steps every body with random initial velocities, damping and one pinned particle; after each
/// step `predicate` is given the body, the initial energy and the energy before the step.
fn check_energy(dt: f64, substeps: usize, predicate: impl Fn(&Body, f64, f64) -> bool) {
    for (name, mut body) in bodies() {
        randomize_velocities(body.as_mut(), 0.5);
        body.body_mut().pin(0).unwrap();
        let start = energy(body.body());
        let mut before = start;
        let config = XpbdConfig { substeps, damping: 0.5, ..XpbdConfig::default() };
        let mut solver = XpbdSolver::new(config);
        for step in 0..300 {
            solver.step(body.as_mut(), GRAVITY, dt).unwrap();
            let now = energy(body.body());
            let valid = predicate(body.body(), start, before);
            assert!(valid, "{name}, step {step}: {before} to {now} of {start}");
            before = now;
        }
    }
}

fn energy(body: &Body) -> f64 {
    body.kinetic_energy() + body.elastic_energy() + body.potential_energy(GRAVITY)
}

#[test]
fn energy_never_grows() {
    check_energy(1e-3, 40, |body, start, before| energy(body) <= before + 1e-9 * start.abs());
}

#[test]
fn kinetic_energy_stays_below_the_initial_energy() {
    // ten substeps a hundredth of a second cannot follow these stiff bodies, and what is left of
    // their strain counts for too much; but no motion comes out of nothing
    check_energy(1e-2, 10, |body, start, _| {
        body.kinetic_energy() + body.potential_energy(GRAVITY) <= start
    });
}

#[test]
fn volume_is_conserved_under_load() {
    // a nearly incompressible block on its lower face sags, but its volume hardly changes
    let material = Material { poissons_ratio: 0.49, ..Material::gelatin() };
    for model in [SolidModel::Springs, SolidModel::NeoHookean] {
        let mesh = TetMesh::cuboid([0.1, 0.1, 0.1], [4, 4, 4]).unwrap();
        let mut jelly = SoftBody::new(&mesh, &SoftBodyConfig { material, model }).unwrap();
        for i in 0..25 {
            jelly.body_mut().pin(i).unwrap();
        }
        run(&mut jelly, 2.0, 1e-2, 40, 1.0);
        let top = jelly.body().positions()[124 - 12].z;
        assert!(top < 0.045, "{model:?}: it sinks under its weight: {top}");
        let share = jelly.volume() / 1e-3;
        assert!((share - 1.0).abs() < 0.02, "{model:?}: {share}");
    }
}
