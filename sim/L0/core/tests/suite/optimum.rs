//! The optimum of the constraint problem does not depend on the algorithm: every solver, with or
//! without islands, dense or sparse; and inverse dynamics finds the forces again.

use crate::models::{driven, with_constraints};
use crate::tolerance::{OPTIMUM, OPTIMUM_DUAL, close, largest};
use sim_core::types::{DisableBit, JacobianType, SolverType};
use sim_core::{Data, Model, mj_apply_ft, mj_forward, mj_inverse};

/// The model with its solver driven to the limit.
fn tight(m: &Model, solver: SolverType) -> Model {
    let mut m = with_constraints(m);
    (m.opt.solver, m.opt.tolerance, m.opt.noslip_iterations) = (solver, 0.0, 0);
    (m.opt.iterations, m.opt.ls_iterations, m.opt.ls_tolerance) = (1000, 200, 1e-6);
    if solver == SolverType::Pgs {
        m.opt.iterations = 20_000;
    }
    m
}

fn solved(m: &Model) -> Data {
    let mut d = driven(m, 51);
    mj_forward(m, &mut d).unwrap();
    assert!(d.nefc > 0, "nothing is constrained");
    d
}

fn every_road_leads_to_the_optimum(m: &Model) {
    let newton = tight(m, SolverType::Newton);
    let best = solved(&newton);
    close("CG", &solved(&tight(m, SolverType::Cg)).qacc, &best.qacc, OPTIMUM);
    let mut whole = newton.clone();
    whole.opt.disableflags |= DisableBit::Island as i32;
    close("without islands", &solved(&whole).qacc, &best.qacc, OPTIMUM);
    for jacobian in [JacobianType::Dense, JacobianType::Sparse] {
        let mut other = newton.clone();
        other.opt.jacobian = jacobian;
        close(&format!("{jacobian:?}"), &solved(&other).qacc, &best.qacc, OPTIMUM);
    }
}
on_models!(every_road_leads_to_the_optimum:
    constraints / connect_bodies, constraints / weld_bodies, constraints / joint_equality,
    constraints / frictionloss_dof, constraints / frictionloss_tendon, constraints / limits_slide_hinge,
    constraints / limits_ball, constraints / limits_tendon, constraints / condim1_pyramidal,
    constraints / condim3_pyramidal, constraints / condim6_pyramidal, constraints / condim3_elliptic,
    constraints / condim6_elliptic, constraints / islands, constraints / contact_branches,
    constraints / solver_newton_pyramidal, constraints / solver_newton_elliptic,
);

/// Not among them: `solver_newton_elliptic`. Descent by one elliptic contact at a time can come to rest at
/// the edge of a cone, short of the optimum; there it rests where the reference engine's does.
fn rows_one_by_one_lead_there_too(m: &Model) {
    let best = solved(&tight(m, SolverType::Newton));
    close("PGS", &solved(&tight(m, SolverType::Pgs)).qacc, &best.qacc, OPTIMUM_DUAL);
}
on_models!(rows_one_by_one_lead_there_too:
    constraints / connect_bodies, constraints / weld_bodies, constraints / joint_equality,
    constraints / frictionloss_dof, constraints / frictionloss_tendon, constraints / limits_slide_hinge,
    constraints / limits_ball, constraints / limits_tendon, constraints / condim1_pyramidal,
    constraints / condim3_pyramidal, constraints / condim6_pyramidal, constraints / condim3_elliptic,
    constraints / condim6_elliptic, constraints / islands, constraints / contact_branches,
    constraints / solver_newton_pyramidal,
);

fn inverse_dynamics_finds_the_forces_again(m: &Model) {
    let m = tight(m, SolverType::Newton);
    let mut d = solved(&m);
    let mut outside: Vec<f64> =
        d.qfrc_actuator.iter().zip(&d.qfrc_applied).map(|(a, b)| a + b).collect();
    for (body, f) in d.xfrc_applied.chunks_exact(6).enumerate().skip(1) {
        let at = std::array::from_fn(|k| d.xipos[3 * body + k]);
        mj_apply_ft(&m, &d, [f[0], f[1], f[2]], [f[3], f[4], f[5]], at, body, &mut outside);
    }
    let rows = d.efc_force.clone();
    // what is left of forces that balance is judged by the forces
    let scale = largest(&d.qfrc_constraint).max(largest(&d.qfrc_smooth));
    mj_inverse(&m, &mut d).unwrap();
    let residual: Vec<f64> =
        d.qfrc_inverse.iter().zip(&outside).map(|(a, b)| (a - b) / scale).collect();
    assert!(largest(&residual) < 1e-8, "residual {:e}", largest(&residual));
    close("efc_force", &d.efc_force, &rows, OPTIMUM);
}
on_models!(inverse_dynamics_finds_the_forces_again:
    robots / humanoid, robots / quadruped, robots / hand,
    constraints / connect_sites, constraints / weld_sites, constraints / weld_mocap,
    constraints / tendon_equality, constraints / frictionloss_dof, constraints / limits_ball,
    constraints / solref_direct, constraints / solimp_shapes, constraints / condim4_pyramidal,
    constraints / condim6_elliptic, constraints / impratio_elliptic, constraints / pair_friction_elliptic,
    constraints / pair_friction_pyramidal, constraints / sensors_of_forces,
);
