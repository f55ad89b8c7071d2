//! Energy conservation without dissipation, and energy balance with applied power.

use crate::models::{conservative, driven, moving, steps};
use crate::tolerance::{
    CENTRAL, DIFFERENCE, ENERGY_DRIFT, ENERGY_DRIFT_QUATERNION, ROUNDING, close,
};
use sim_core::math::dot;
use sim_core::{
    Data, Model, mj_energy_pos, mj_energy_vel, mj_forward, mj_fwd_position, mj_fwd_velocity,
    mj_integrate_pos, mj_mul_m,
};

/// Potential and kinetic energy of a state.
pub(crate) fn energy(m: &Model, state: &Data) -> [f64; 2] {
    let mut d = state.clone();
    mj_fwd_position(m, &mut d);
    mj_fwd_velocity(m, &mut d);
    mj_energy_pos(m, &mut d);
    mj_energy_vel(m, &mut d);
    [d.energy[0], d.energy[1]]
}

fn kinetic_energy_is_half_v_m_v(m: &Model) {
    let mut d = moving(m, 1);
    mj_fwd_position(m, &mut d);
    let mut momentum = vec![0.0; m.nv];
    mj_mul_m(m, &d, &d.qvel, &mut momentum);
    close("T", &[energy(m, &d)[1]], &[0.5 * dot(&d.qvel, &momentum)], ROUNDING);
}
on_every_model!(kinetic_energy_is_half_v_m_v);

/// The share of the moving energy that is won or lost in a quarter of a second, in steps a quarter
/// as long as the model's own.
fn drift(m: &Model) -> f64 {
    let mut m = conservative(m);
    m.opt.timestep *= 0.25;
    let mut d = moving(&m, 2);
    let start = energy(&m, &d);
    let mut moved: f64 = start[1];
    for _ in 0..10 {
        steps(&m, &mut d, 50);
        moved = moved.max(energy(&m, &d)[1]);
    }
    let end = energy(&m, &d);
    (end[0] + end[1] - start[0] - start[1]).abs() / moved
}

fn energy_is_conserved(m: &Model) {
    let drift = drift(m);
    assert!(drift < ENERGY_DRIFT, "relative drift {drift:e}");
}
on_models!(energy_is_conserved:
    robots / arm6, robots / arm7, robots / cartpole, robots / double_pendulum, robots / hopper,
    robots / hand, chains / chain_10, features / hinge, features / rk4_tree, features / slide,
    features / sliders_only,
);

fn energy_is_conserved_where_quaternions_turn(m: &Model) {
    let drift = drift(m);
    assert!(drift < ENERGY_DRIFT_QUATERNION, "relative drift {drift:e}");
}
on_models!(energy_is_conserved_where_quaternions_turn:
    robots / humanoid, robots / quadruped, features / branching_tree, features / armature,
    features / ball, features / free, features / multi_joint_body, features / rk4_ball_free,
);

/// `d/dt (T + V) = q̇ · (damping + actuation + applied forces)`, at one state.
fn power_of_forces_is_the_rate_of_energy(m: &Model) {
    let mut d = driven(m, 3);
    mj_forward(m, &mut d).unwrap();
    // forces on bodies reach the joints through qfrc_smooth only
    let power: f64 =
        (0..m.nv).map(|i| d.qvel[i] * (d.qfrc_smooth[i] + d.qfrc_bias[i] - d.qfrc_spring[i])).sum();
    let at = |time: f64| {
        let mut shifted = d.clone();
        mj_integrate_pos(m, &mut shifted.qpos, &d.qvel, time);
        for i in 0..m.nv {
            shifted.qvel[i] += time * d.qacc[i];
        }
        energy(m, &shifted)
    };
    let (before, after) = (at(-CENTRAL), at(CENTRAL));
    let rate = |k: usize| (after[k] - before[k]) / (2.0 * CENTRAL);
    // judged against the two halves, which may cancel, and the energy the differences came from
    let scale = rate(0).abs().max(rate(1).abs()).max(energy(m, &d)[1]).max(energy(m, &d)[0].abs());
    let error = (rate(0) + rate(1) - power).abs() / scale;
    assert!(error < DIFFERENCE, "rate {} W, power {power} W", rate(0) + rate(1));
}
on_every_model!(power_of_forces_is_the_rate_of_energy);
