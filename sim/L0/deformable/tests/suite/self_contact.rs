//! Self-contact.

use crate::GRAVITY;
use nalgebra::Vector3;
use sim_deformable::{
    Body, Cloth, ClothConfig, DeformableBody, SurfaceMesh, XpbdConfig, XpbdSolver,
};

#[test]
fn two_particles_bounce_at_the_contact_distance() {
    let points = [Vector3::zeros(), Vector3::new(1.0, 0.0, 0.0)];
    let mut pair = Body::new(&points, &[1.0, 3.0], &[]).unwrap();
    pair.set_contact_distance(0.1).unwrap();
    pair.velocities_mut()[0].x = 1.0;
    let before = pair.momentum();
    let mut solver = XpbdSolver::default();
    let mut nearest = f64::INFINITY;
    for _ in 0..200 {
        solver.step(&mut pair, Vector3::zeros(), 1e-2).unwrap();
        nearest = nearest.min((pair.positions()[1] - pair.positions()[0]).norm());
    }
    assert!((nearest - 0.1).abs() < 1e-9, "{nearest}");
    assert!((pair.momentum() - before).norm() < 1e-12);
}

#[test]
fn a_falling_sheet_does_not_pass_through_itself() {
    // a sheet held at one side is let go folded over itself
    let mesh = SurfaceMesh::grid([1.0, 0.3], [40, 12]).unwrap();
    let mut sheet = Cloth::new(&mesh, &ClothConfig::cotton()).unwrap();
    for x in sheet.body_mut().positions_mut() {
        if x.x > 0.0 {
            *x = Vector3::new(-x.x, x.y, 0.04);
        }
    }
    // less than the edge length of 0.025 m: triangles stop particles that would pass between
    // particles
    let far = 0.01;
    sheet.body_mut().set_contact_distance(far).unwrap();
    let left: Vec<usize> =
        (0..mesh.vertices.len()).filter(|&i| mesh.vertices[i].x <= 0.0).collect();
    for &i in &left {
        sheet.body_mut().pin(i).unwrap();
    }
    let mut solver = XpbdSolver::new(XpbdConfig { damping: 2.0, ..XpbdConfig::default() });
    let mut candidate_pairs = 0;
    for _ in 0..100 {
        candidate_pairs =
            candidate_pairs.max(solver.step(&mut sheet, GRAVITY, 5e-3).unwrap().candidate_pairs);
    }
    assert!(candidate_pairs > 0);
    // the falling half rests above the pinned half, except at the fold, where it hangs over the
    // edge
    let held = sheet.body();
    let fell = (0..held.len()).filter(|&i| !held.is_pinned(i)).map(|i| held.positions()[i]);
    let above: Vec<f64> = fell.filter(|x| x.x < -0.03).map(|x| x.z).collect();
    let lowest = above.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(above.len() > 200, "{}", above.len());
    assert!(lowest > 0.5 * far, "{lowest}");
}
