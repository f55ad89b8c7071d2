//! Tests of `cg_solve_contacts` on the contacts of a model.

use crate::models::load;
use crate::tolerance::{ALGORITHM, MINIMUM, close};
use sim_core::constraint_solvers::{CGContactResult, CGSolverConfig};
use sim_core::math::vec3;
use sim_core::{Data, Model, cg_solve_contacts, contact_jacobian, mj_forward};
use std::collections::HashMap;

/// A tilted plane with a sphere and a box on it, both sunk in by `depth`.
fn resting(slope: f64, friction: f64, depth: f64) -> (Model, Data) {
    let m = load(&format!(
        r#"<mujoco><option gravity="{} 0 {}" cone="elliptic"/>
        <default><geom friction="{friction}"/></default>
        <worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 {}"><freejoint/><geom size=".1" mass="2"/></body>
        <body pos="1 0 {}"><freejoint/><geom type="box" size=".2 .2 .2" mass="3"/></body>
        </worldbody></mujoco>"#,
        10.0 * slope.sin(),
        -10.0 * slope.cos(),
        0.1 - depth,
        0.2 - depth,
    ));
    let mut d = m.make_data();
    mj_forward(&m, &mut d).unwrap();
    assert_eq!(d.ncon, 5);
    (m, d)
}

fn solve(m: &Model, d: &Data, memory: &mut HashMap<(usize, usize), [f64; 3]>) -> Vec<[f64; 3]> {
    let jacobians: Vec<_> = d.contact.iter().map(|c| contact_jacobian(m, d, c)).collect();
    let config = CGSolverConfig { tolerance: 1e-10, ..CGSolverConfig::default() };
    let result = cg_solve_contacts(&d.contact, &jacobians, m, d, memory, &config);
    assert!(result.converged, "{result:?}");
    result.forces
}

#[test]
fn forces_support_the_weight_and_satisfy_the_cones() {
    for (slope, friction) in [(0.0, 1.0), (0.1, 1.0), (0.3, 0.2)] {
        let (m, d) = resting(slope, friction, 0.0);
        let forces = solve(&m, &d, &mut HashMap::new());
        for [normal, x, y] in &forces {
            assert!(*normal >= 0.0 && x.hypot(*y) <= friction * normal + 1e-9, "{forces:?}");
        }
        let total = forces[1..].iter().fold([0.0; 3], |s, f| vec3::add(s, *f));
        let held = total[1].hypot(total[2]);
        if slope.tan() < friction {
            close("box", &[total[0], held], &[30.0 * slope.cos(), 30.0 * slope.sin()], MINIMUM);
        } else {
            // sliding: friction at the cone boundary, whose convex form adds a small normal force
            close("box", &[held], &[friction * total[0]], MINIMUM);
            assert!(total[0] > 30.0 * slope.cos() && held < 30.0 * slope.sin());
        }
    }
}

#[test]
fn contact_jacobian_equals_the_constraint_rows() {
    let (m, d) = resting(0.2, 1.0, 1e-3);
    for contact in &d.contact {
        let ours = contact_jacobian(&m, &d, contact);
        for row in 0..3 {
            for dof in 0..m.nv {
                let mut unit = vec![0.0; m.nv];
                unit[dof] = 1.0;
                let mut all = vec![0.0; d.nefc];
                sim_core::mj_mul_jac_vec(&d, &unit, &mut all);
                let theirs = all[contact.efc_address as usize + row];
                close("row", &[ours[(row, dof)]], &[theirs], ALGORITHM);
            }
        }
    }
}

#[test]
fn forces_are_stored_by_geom_pair_for_warm_starts() {
    let (m, d) = resting(0.1, 0.5, 0.0);
    let mut memory = HashMap::new();
    let first = solve(&m, &d, &mut memory);
    assert_eq!(memory.len(), 2);
    assert_eq!(memory[&(0, 1)], first[0]);
    let jacobians: Vec<_> = d.contact[..1].iter().map(|c| contact_jacobian(&m, &d, c)).collect();
    let config = CGSolverConfig::default();
    let again = cg_solve_contacts(&d.contact[..1], &jacobians, &m, &d, &mut memory, &config);
    assert_eq!(again.iterations_used, 0);
    assert_eq!(memory.len(), 1);
    // a contact without a Jacobian of matching size
    let none = cg_solve_contacts(&d.contact[..1], &[], &m, &d, &mut memory, &config);
    assert!(none.forces[0].iter().all(|f| f.is_finite()));
}

/// A row of `towers` stacks of `height` boxes with four contacts per box.
fn stacks(towers: usize, height: usize) -> (Model, Data) {
    let mut bodies = String::new();
    for tower in 0..towers {
        for level in 0..height {
            let (x, z) = (tower as f64, 0.1 + 0.2 * level as f64 - 1e-4 * (level + 1) as f64);
            let body = r#"<freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>"#;
            bodies += &format!(r#"<body pos="{x} 0 {z}">{body}"#);
        }
    }
    let m = load(&format!(
        r#"<mujoco><option cone="elliptic"/><worldbody>
        <geom type="plane" size="50 5 1"/>{bodies}</worldbody></mujoco>"#
    ));
    let mut d = m.make_data();
    mj_forward(&m, &mut d).unwrap();
    assert_eq!(d.contact.len(), 4 * towers * height);
    (m, d)
}

/// Solves to a tolerance of 1e-6 with at most `cg` iterations of conjugate gradients, followed by at most `pgs`
/// sweeps of projected Gauss–Seidel.
fn solve_within(m: &Model, d: &Data, cg: usize, pgs: usize) -> CGContactResult {
    let jacobians: Vec<_> = d.contact.iter().map(|c| contact_jacobian(m, d, c)).collect();
    let config = CGSolverConfig { max_iterations: cg, tolerance: 1e-6, fallback_iterations: pgs };
    cg_solve_contacts(&d.contact, &jacobians, m, d, &mut HashMap::new(), &config)
}

/// The CG iteration count does not grow with the number of uncoupled stacks.
#[test]
fn cg_iteration_counts_do_not_grow_with_uncoupled_stacks() {
    let counts = [3, 13].map(|towers| {
        let (m, d) = stacks(towers, 2);
        let (cg, pgs) = (solve_within(&m, &d, 100_000, 0), solve_within(&m, &d, 0, 100_000));
        assert!(cg.converged && pgs.converged, "{} {}", cg.residual_norm, pgs.residual_norm);
        assert!(cg.iterations_used > 0 && pgs.fallback_iterations_used > 0);
        cg.iterations_used
    });
    assert!(counts[1] <= 2 * counts[0], "{counts:?}");
}

/// At 8 coupled contacts both methods converge. In a tower with 100 coupled contacts CG converges, and
/// Gauss–Seidel does not in ten times as many sweeps.
#[test]
fn cg_converges_on_a_tower_where_gauss_seidel_does_not() {
    let (m, d) = stacks(1, 2);
    assert!(solve_within(&m, &d, 0, 100_000).converged);
    let (m, d) = stacks(1, 25);
    let cg = solve_within(&m, &d, 20_000, 0);
    assert!(cg.converged, "{} {}", cg.iterations_used, cg.residual_norm);
    let pgs = solve_within(&m, &d, 0, 10 * cg.iterations_used);
    assert!(!pgs.converged, "{} {}", cg.iterations_used, pgs.fallback_iterations_used);
}
