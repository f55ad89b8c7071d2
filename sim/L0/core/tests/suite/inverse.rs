//! Inverse dynamics inverts forward dynamics, in continuous and discrete time.

use crate::models::{driven, moving};
use crate::tolerance::{ALGORITHM, close};
use sim_core::types::{EnableBit, Integrator};
use sim_core::{Model, mj_apply_ft, mj_forward, mj_inverse};

/// What pushes from outside: actuators, joint forces, body forces.
fn outside(m: &Model, d: &sim_core::Data) -> Vec<f64> {
    let mut force: Vec<f64> =
        d.qfrc_actuator.iter().zip(&d.qfrc_applied).map(|(a, b)| a + b).collect();
    for body in 1..m.nbody {
        let f = &d.xfrc_applied[6 * body..6 * body + 6];
        let at = &d.xipos[3 * body..3 * body + 3];
        let (push, turn) = ([f[0], f[1], f[2]], [f[3], f[4], f[5]]);
        mj_apply_ft(m, d, push, turn, [at[0], at[1], at[2]], body, &mut force);
    }
    force
}

fn inverse_dynamics_inverts_forward_dynamics(m: &Model) {
    let mut d = driven(m, 11);
    mj_forward(m, &mut d).unwrap();
    let applied = outside(m, &d);
    let qacc = d.qacc.clone();
    mj_inverse(m, &mut d).unwrap();
    close("qfrc_inverse", &d.qfrc_inverse, &applied, ALGORITHM);
    assert_eq!(d.qacc, qacc, "the acceleration is an input");
}
on_every_model!(inverse_dynamics_inverts_forward_dynamics);

/// The velocity's change over a step, divided by the step, inverts to the forces of the step.
fn discrete_inverse_dynamics_inverts_a_step(m: &Model) {
    use Integrator::{Euler, Implicit, ImplicitEuler, ImplicitFast};
    for integrator in [Euler, Implicit, ImplicitFast, ImplicitEuler] {
        let mut m = m.clone();
        m.opt.integrator = integrator;
        m.opt.enableflags |= EnableBit::InvDiscrete as i32;
        let mut d = moving(&m, 12);
        d.ctrl.fill(0.2);
        let before = d.clone();
        d.step(&m).unwrap();
        let mut start = before.clone();
        // which actuators are saturated is known from the forward pass
        mj_forward(&m, &mut start).unwrap();
        for i in 0..m.nv {
            start.qacc[i] = (d.qvel[i] - before.qvel[i]) / m.opt.timestep;
        }
        mj_inverse(&m, &mut start).unwrap();
        close(&format!("{integrator:?}"), &start.qfrc_inverse, &outside(&m, &start), ALGORITHM);
    }
}
on_every_model!(discrete_inverse_dynamics_inverts_a_step);
