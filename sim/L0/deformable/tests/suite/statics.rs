//! Static equilibria compared with analytical solutions.

use crate::run;
use nalgebra::Vector3;
use sim_deformable::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, Material, SoftBody,
    SoftBodyConfig, SolidModel, SurfaceMesh, TetMesh,
};
use std::f64::consts::PI;

const G: f64 = 9.81;

#[track_caller]
fn close(what: &str, value: f64, expected: f64, tolerance: f64) {
    let off = value / expected - 1.0;
    println!("{what}: {value:.6} for {expected:.6}, off by {:.3} %", 100.0 * off);
    assert!(off.abs() < tolerance, "{what}: {value} for {expected}");
}

/// Soft rubber without material damping: velocity damping brings it to rest.
fn rubber() -> Material {
    Material { youngs_modulus: 5e5, damping: 0.0, ..Material::rubber() }
}

#[test]
fn a_hanging_bar_stretches_by_hookes_law() {
    let (length, radius) = (1.0, 0.01);
    let config = ChainConfig { material: rubber(), radius, bending: 0.0, twist: 0.0 };
    let mut bar =
        CapsuleChain::straight(Vector3::zeros(), Vector3::new(0.0, 0.0, -length), 10, &config)
            .unwrap();
    bar.body_mut().pin(0).unwrap();
    let weight = G * bar.body().masses().iter().sum::<f64>();
    let load = 0.5;
    let end = bar.body().masses()[10];
    bar.body_mut().set_mass(10, end + load / G).unwrap();
    run(&mut bar, 4.0, 1e-2, 100, 5.0);
    // F·L/(E·A), plus half of that for its own weight
    let expected =
        (load + 0.5 * weight) * length / (rubber().youngs_modulus * PI * radius * radius);
    close("bar", bar.length() - length, expected, 1e-3);
}

#[test]
fn a_hanging_strip_of_cloth_stretches_by_hookes_law() {
    let config = ClothConfig { material: rubber(), ..ClothConfig::rubber() };
    let cells = [10, 30];
    let mut strip = Cloth::new(&SurfaceMesh::grid([0.1, 0.3], cells).unwrap(), &config).unwrap();
    // vertical, with the height of its upper side fixed
    for x in strip.body_mut().positions_mut() {
        *x = Vector3::new(x.x, 0.0, x.y);
    }
    let (top, bottom) = (30 * 11, 0);
    for i in 0..11 {
        strip.body_mut().pin(top + i).unwrap();
    }
    let load = 0.2;
    for i in 0..11 {
        let mass = strip.body().masses()[bottom + i];
        strip.body_mut().set_mass(bottom + i, mass + load / G / 11.0).unwrap();
    }
    let weight = G * config.material.density * config.thickness * 0.03;
    run(&mut strip, 1.0, 1e-2, 400, 10.0);
    let now = strip.body().positions();
    let mean = now[..11].iter().map(|x| x.z).sum::<f64>() / 11.0;
    let stretch = -0.15 - mean;
    let expected =
        (load + 0.5 * weight) * 0.3 / (config.material.youngs_modulus * config.thickness * 0.1);
    // the pinned side cannot contract, which stiffens the strip slightly
    close("strip", stretch, expected, 0.03);
}

fn hanging_block(model: SolidModel, tolerance: f64) {
    let material = Material { youngs_modulus: 1e5, poissons_ratio: 0.3, ..rubber() };
    let mesh = TetMesh::cuboid([0.1, 0.1, 0.4], [3, 3, 12]).unwrap();
    let mut bar = SoftBody::new(&mesh, &SoftBodyConfig { material, model }).unwrap();
    for i in 12 * 16..13 * 16 {
        bar.body_mut().pin(i).unwrap();
    }
    let (load, weight) = (40.0, G * material.density * 4e-3);
    for i in 0..16 {
        let mass = bar.body().masses()[i];
        bar.body_mut().set_mass(i, mass + load / G / 16.0).unwrap();
    }
    run(&mut bar, 2.0, 1e-2, 60, 10.0);
    let low = bar.body().positions()[..16].iter().map(|x| x.z).sum::<f64>() / 16.0;
    let expected = (load + 0.5 * weight) * 0.4 / (material.youngs_modulus * 0.01);
    close(&format!("block of {model:?}"), -0.2 - low, expected, tolerance);
}

#[test]
fn a_hanging_block_stretches_by_hookes_law() {
    // the pinned end cannot contract, and the material is not linear at 4 % strain
    hanging_block(SolidModel::NeoHookean, 0.05);
    // springs have the modulus on average over directions only
    hanging_block(SolidModel::Springs, 0.25);
}

#[test]
fn a_rope_hangs_in_a_catenary() {
    let (span, length, n) = (1.0f64, 1.3, 60);
    // a zigzag of the right length, flattened to the span
    let rise = (length * length - span * span).sqrt() / 2.0;
    let point = |k: usize| {
        let t = k as f64 / n as f64;
        Vector3::new(t * span, 0.0, -2.0 * rise * t.min(1.0 - t))
    };
    let points: Vec<_> = (0..=n).map(point).collect();
    let config = ChainConfig { bending: 0.0, twist: 0.0, ..ChainConfig::rope() };
    let mut rope = CapsuleChain::new(&points, &config).unwrap();
    rope.body_mut().pin(0).unwrap();
    rope.body_mut().pin(n).unwrap();
    run(&mut rope, 6.0, 1e-2, 100, 2.0);
    // z = a·cosh(x/a) of length 2a·sinh(span/2a): a by bisection
    let (mut low, mut high) = (0.05, 10.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length { low = a } else { high = a }
    }
    let sag = |x: f64| low * ((span / (2.0 * low)).cosh() - ((x - 0.5 * span) / low).cosh());
    let worst = rope.body().positions().iter().map(|p| (p.z + sag(p.x)).abs()).fold(0.0, f64::max);
    println!("catenary: off by {:.3} % of the sag", 100.0 * worst / sag(0.5));
    assert!(worst < 0.01 * sag(0.5), "{worst} of {}", sag(0.5));
}

#[test]
fn beam_deflection_agrees_with_euler_bernoulli() {
    let (length, n) = (0.5, 20);
    let material = Material { youngs_modulus: 1e7, damping: 0.0, ..Material::rubber() };
    let config = ChainConfig { material, radius: 0.02, bending: 1.0, twist: 0.0 };
    let mut beam =
        CapsuleChain::straight(Vector3::zeros(), Vector3::new(length, 0.0, 0.0), n, &config)
            .unwrap();
    // two pinned particles clamp position and direction; the beam starts between them
    beam.body_mut().pin(0).unwrap();
    beam.body_mut().pin(1).unwrap();
    let weight = G * material.density * PI * 4e-4;
    let inertia = PI * 1.6e-7 / 4.0;
    run(&mut beam, 4.0, 1e-2, 200, 2.0);
    // w·L⁴/(8EI) under its own weight per length w, with a little more than the free length
    let free = length * (1.0 - 0.5 / n as f64);
    let expected = weight * free.powi(4) / (8.0 * material.youngs_modulus * inertia);
    assert!(expected < 0.2 * length, "the formula is for small deflections: {expected}");
    close("beam", -beam.body().positions()[n].z, expected, 0.05);
}

#[test]
fn a_rolled_sheet_has_the_bending_energy_of_a_plate() {
    let config = ClothConfig::paper();
    let mut sheet = Cloth::new(&SurfaceMesh::grid([0.2, 0.1], [80, 40]).unwrap(), &config).unwrap();
    let radius = 0.1;
    for x in sheet.body_mut().positions_mut() {
        let angle = x.x / radius;
        *x = Vector3::new(radius * angle.sin(), x.y, radius * (1.0 - angle.cos()));
    }
    let flat = ClothConfig { bending: 0.0, ..config };
    let mut limp = Cloth::new(sheet.mesh(), &flat).unwrap();
    limp.body_mut().positions_mut().copy_from_slice(sheet.body().positions());
    let energy = sheet.body().elastic_energy() - limp.body().elastic_energy();
    // ½ D κ² A
    let rigidity = config.material.flexural_rigidity(config.thickness);
    let expected = 0.5 * rigidity * 0.02 / (radius * radius);
    close("plate", energy, expected, 0.05);
}
