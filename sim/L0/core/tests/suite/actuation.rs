//! Activation dynamics against exact solutions, DC motors against the analytical motor equations.

use crate::models::load;
use crate::tolerance::{ROUNDING, close};
use sim_core::types::Integrator;
use sim_core::{Data, Model, mj_next_activation};

/// A hinge joint without gravity, with actuators.
#[track_caller]
fn hinge(joint: &str, actuator: &str) -> Model {
    load(&format!(
        r#"<mujoco><compiler angle="radian"/><option timestep=".01" gravity="0 0 0"><flag contact="disable"/></option>
        <worldbody><body><joint name="j" axis="0 1 0" {joint}/><geom size=".1" pos="1 0 0" mass="1"/></body></worldbody>
        <actuator>{actuator}</actuator></mujoco>"#
    ))
}

/// Armature that keeps the joint practically at rest.
const HEAVY: &str = r#"armature="1e12""#;

/// Steps with a constant control; returns the activations after each step.
fn run(m: &Model, d: &mut Data, ctrl: f64, count: usize) -> Vec<Vec<f64>> {
    d.ctrl.fill(ctrl);
    (0..count)
        .map(|_| {
            d.step(m).unwrap();
            d.act.clone()
        })
        .collect()
}

#[test]
fn exact_filter_matches_the_exponential_for_any_step() {
    for (tau, h) in [(0.05, 0.01), (0.05, 0.001), (0.05, 0.2), (1e-4, 0.01)] {
        let prm = format!(r#"<general joint="j" dyntype="filterexact" dynprm="{tau}"/>"#);
        let mut m = hinge("", &prm);
        m.opt.timestep = h;
        let mut d = m.make_data();
        d.act[0] = -0.5;
        for (k, act) in run(&m, &mut d, 0.8, 40).iter().enumerate() {
            let t = (k + 1) as f64 * h;
            close("activation", act, &[0.8 - 1.3 * (-t / tau).exp()], ROUNDING);
        }
    }
}

#[test]
fn filter_is_integrated_by_explicit_euler() {
    let m = hinge("", r#"<general joint="j" dyntype="filter" dynprm=".05"/>"#);
    let mut d = m.make_data();
    let mut expected = 0.0;
    for act in run(&m, &mut d, 1.0, 20) {
        expected += 0.01 * (1.0 - expected) / 0.05;
        close("activation", &act, &[expected], ROUNDING);
    }
}

/// For a linear equation, RK4 multiplies the error by the Taylor polynomial of the exponential of degree 4.
#[test]
fn rk4_integrates_activation_to_fourth_order() {
    let mut m = hinge("", r#"<general joint="j" dyntype="filter" dynprm=".05"/>"#);
    m.opt.integrator = Integrator::Rk4;
    let mut d = m.make_data();
    let x = -0.01 / 0.05_f64;
    let factor = 1.0 + x + x * x / 2.0 + x.powi(3) / 6.0 + x.powi(4) / 24.0;
    let mut distance = 1.0;
    for act in run(&m, &mut d, 1.0, 20) {
        distance *= factor;
        close("activation", &act, &[1.0 - distance], ROUNDING);
    }
}

#[test]
fn integrator_accumulates_its_control_and_is_clamped() {
    let m = hinge(
        "",
        r#"<general joint="j" dyntype="integrator" actlimited="true" actrange="-.02 .035"/>"#,
    );
    let mut d = m.make_data();
    for (k, act) in run(&m, &mut d, 1.0, 6).iter().enumerate() {
        close("activation", act, &[(0.01 * (k + 1) as f64).min(0.035)], ROUNDING);
    }
    let down = run(&m, &mut d, -1.0, 20);
    close("lower end", &down[19], &[-0.02], ROUNDING);
}

#[test]
fn actearly_removes_one_step_of_delay() {
    let actuator = |early: bool| {
        hinge(HEAVY, &format!(r#"<general joint="j" dyntype="integrator" actearly="{early}"/>"#))
    };
    let (early, late) = (actuator(true), actuator(false));
    let (mut a, mut b) = (early.make_data(), late.make_data());
    for _ in 0..5 {
        run(&early, &mut a, 1.0, 1);
        b.ctrl.fill(1.0);
        let before = b.act[0];
        b.forward(&late).unwrap();
        assert_eq!(b.actuator_force[0], before);
        let next = mj_next_activation(&late, &b, 0, 0, b.act_dot[0]);
        assert_eq!(a.actuator_force[0], next);
        run(&late, &mut b, 1.0, 1);
        assert_eq!(b.act[0], next);
    }
}

#[test]
fn disabled_groups_have_no_force_and_constant_activation() {
    let mut m = hinge(
        "",
        r#"<general joint="j" dyntype="filter" group="1"/><general joint="j" dyntype="integrator" group="2"/>"#,
    );
    m.opt.disableactuator = 1 << 1;
    let mut d = m.make_data();
    d.act.copy_from_slice(&[0.7, 0.2]);
    run(&m, &mut d, 1.0, 3);
    assert_eq!(d.act[0], 0.7);
    assert_eq!(d.actuator_force[0], 0.0);
    close("the other", &d.act[1..], &[0.23], ROUNDING);
    assert!(d.actuator_force[1] > 0.0);
}

#[test]
fn dc_motor_has_stall_torque_and_no_load_speed() {
    let motor = r#"<dcmotor joint="j" motorconst=".2" resistance="4"/>"#;
    let stalled = hinge(HEAVY, motor);
    let mut d = stalled.make_data();
    run(&stalled, &mut d, 12.0, 1);
    close("stall torque", &d.actuator_force, &[0.2 * 12.0 / 4.0], ROUNDING);

    let free = hinge("", &motor.replace(".2", "2"));
    let mut d = free.make_data();
    run(&free, &mut d, 12.0, 3000);
    close("speed without load", &d.qvel, &[12.0 / 2.0], 1e-9);
    close("no torque is left", &d.actuator_force, &[0.0], 1e-6);
}

#[test]
fn current_has_the_electrical_time_constant() {
    let m = hinge(HEAVY, r#"<dcmotor joint="j" motorconst=".2" resistance="4" inductance=".2"/>"#);
    let mut d = m.make_data();
    for (k, act) in run(&m, &mut d, 12.0, 30).iter().enumerate() {
        let current = 3.0 * (1.0 - (-0.01 * (k + 1) as f64 / 0.05).exp());
        close("current", act, &[current], ROUNDING);
    }
    close("torque of the last step", &d.actuator_force, &[0.2 * d.act[0]], ROUNDING);
}

#[test]
fn current_rate_is_limited() {
    let m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" inductance="0 .05" saturation="0 0 2"/>"#,
    );
    let mut d = m.make_data();
    d.ctrl[0] = 12.0;
    d.forward(&m).unwrap();
    assert_eq!(d.act_dot, [2.0]);
}

#[test]
fn stalled_motor_reaches_thermal_equilibrium() {
    // 2 K/W and 1 J/K: a thermal time constant of 2 s; the resistance is constant here
    let m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" thermal="2 1 0 0 25 25"/>"#,
    );
    let mut d = m.make_data();
    run(&m, &mut d, 12.0, 4000);
    close("temperature rise", &d.act, &[2.0 * 4.0 * 9.0], 1e-6);
}

#[test]
fn torque_decreases_with_winding_temperature() {
    let m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" thermal="2 1 0 .01 25 25"/>"#,
    );
    let mut d = m.make_data();
    d.act[0] = 50.0;
    d.ctrl[0] = 12.0;
    d.forward(&m).unwrap();
    close("torque", &d.actuator_force, &[0.2 * 12.0 / (4.0 * 1.5)], ROUNDING);
}

#[test]
fn lugre_friction_in_steady_sliding_matches_the_stribeck_curve() {
    let (coulomb, fixed, stribeck) = (0.3, 0.5, 0.4_f64);
    let m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" lugre="200 .1 .3 .5 .4"/>"#,
    );
    for v in [0.1, -0.5, 3.0_f64] {
        let mut d = m.make_data();
        d.qvel[0] = v;
        run(&m, &mut d, 0.0, 2000);
        let friction = coulomb + (fixed - coulomb) * (-(v / stribeck).powi(2)).exp();
        let drag = 0.2 * 0.2 / 4.0 * v;
        close("force", &d.actuator_force, &[-friction * v.signum() - drag], 1e-9);
    }
}

#[test]
fn cogging_torque_is_not_saturated() {
    let m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" saturation=".1" cogging=".5 3 .2"/>"#,
    );
    let mut d = m.make_data();
    d.qpos[0] = 0.4;
    d.ctrl[0] = 100.0;
    d.forward(&m).unwrap();
    close("force", &d.actuator_force, &[0.1 + 0.5 * (1.2 + 0.2_f64).sin()], ROUNDING);
}

#[test]
fn slew_rate_limit_turns_a_step_into_a_ramp() {
    let m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" controller="0 0 0 30 0 0"/>"#,
    );
    let mut d = m.make_data();
    for (k, act) in run(&m, &mut d, 1.0, 6).iter().enumerate() {
        close("control", act, &[(0.3 * (k + 1) as f64).min(1.0)], ROUNDING);
    }
    close("force", &d.actuator_force, &[0.2 / 4.0], ROUNDING);
}

#[test]
fn integral_term_has_anti_windup() {
    let m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" controller="5 3 0 0 .07 2" input="position"/>"#,
    );
    let mut d = m.make_data();
    let up = run(&m, &mut d, 1.0, 30);
    close("at its limit", &up[29], &[0.07], ROUNDING);
    close("supply", &d.actuator_force, &[0.2 * 2.0 / 4.0], ROUNDING);
    // it leaves the limit immediately
    let down = run(&m, &mut d, -1.0, 1);
    close("unwound", &down[0], &[0.06], ROUNDING);
}

#[test]
fn user_types_call_their_callbacks_or_use_defaults() {
    let mut m = hinge(
        "",
        r#"<general joint="j" dyntype="user" gaintype="user" biastype="user"/>
        <general joint="j" dyntype="user" actdim="2" gainprm="3"/>"#,
    );
    let mut d = m.make_data();
    d.act.copy_from_slice(&[0.5, 1.0, 2.0]);
    d.forward(&m).unwrap();
    assert_eq!(d.act_dot, [0.0; 3]);
    assert_eq!(d.actuator_force, [0.5, 6.0], "gain 1, bias 0, last activation as input");

    m.set_act_dyn_callback(|m, d, i| {
        let adr = m.actuator_actadr[i] as usize;
        d.act_dot[adr] = 7.0;
        d.act_dot[adr + m.actuator_actnum[i] as usize - 1] = 8.0;
        9.0
    });
    m.set_act_gain_callback(|_, d, i| 2.0 + d.actuator_velocity[i]);
    m.set_act_bias_callback(|_, d, i| 10.0 + d.actuator_force[i]);
    d.forward(&m).unwrap();
    // with one activation, act_dot is the return value of the callback
    assert_eq!(d.act_dot, [9.0, 7.0, 8.0]);
    // actuator_force holds the gain term when the bias callback is called
    assert_eq!(d.actuator_force, [1.0 + 11.0, 6.0]);
}

#[test]
fn motor_with_inconsistent_activation_count_does_not_affect_others() {
    let mut m = hinge(
        HEAVY,
        r#"<dcmotor joint="j" motorconst=".2" resistance="4" inductance="0 .1"/><general joint="j" dyntype="integrator"/>"#,
    );
    // parameters that require more activations than the motor has
    m.actuator_dynprm[..9].fill(1.0);
    m.actuator_gainprm[5] = 1.0;
    let mut d = m.make_data();
    run(&m, &mut d, 1.0, 2);
    close("the other", &d.act[1..], &[0.02], ROUNDING);
    assert!(d.qacc[0].is_finite());
}
