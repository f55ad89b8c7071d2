//! Muscle model: force curves and activation dynamics.

use crate::models::{cases, load};
use crate::tolerance::{CENTRAL, DIFFERENCE, ROUNDING, close};
use proptest::prelude::*;
use sim_core::math::scalar::sigmoid;
use sim_core::muscle::{
    activation_rate, bias, gain, gain_vel_derivative, length_curve, passive_curve, time_constant,
    velocity_curve, velocity_curve_derivative,
};

/// `range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax`.
const PRM: [f64; 10] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];

#[test]
fn force_is_maximal_at_the_optimal_length_and_zero_velocity() {
    assert_eq!(length_curve(1.0, 0.5, 1.6), 1.0);
    assert_eq!(velocity_curve(0.0, 1.2), 1.0);
    // half of the maximum at the midpoints to lmin and lmax
    close(
        "halfway",
        &[length_curve(0.75, 0.5, 1.6), length_curve(1.3, 0.5, 1.6)],
        &[0.5; 2],
        ROUNDING,
    );
}

#[test]
fn curves_are_constant_outside_their_range() {
    for length in [-1.0, 0.0, 0.49, 0.5, 1.6, 1.61, 3.0] {
        close("length", &[length_curve(length, 0.5, 1.6)], &[0.0], ROUNDING);
    }
    for velocity in [-5.0, -1.0] {
        assert_eq!(velocity_curve(velocity, 1.2), 0.0);
    }
    for length in [0.0, 0.5, 1.0] {
        assert_eq!(passive_curve(length, 1.6, 1.3), 0.0);
    }
    for velocity in [0.2, 0.3, 7.0] {
        close("stretched", &[velocity_curve(velocity, 1.2)], &[1.2], ROUNDING);
    }
}

#[test]
fn passive_curve_values() {
    // quadratic up to fpmax / 2 at the midpoint, then linear
    close("halfway", &[passive_curve(1.3, 1.6, 1.3)], &[0.65], ROUNDING);
    close("at lmax", &[passive_curve(1.6, 1.6, 1.3)], &[1.95], ROUNDING);
    close("line", &[passive_curve(1.9, 1.6, 1.3)], &[3.25], ROUNDING);
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn curves_are_continuous(x in -2.0..3.0_f64, lmin in 0.1..0.9_f64, lmax in 1.1..2.5_f64, fvmax in 1.05..2.0_f64) {
        let h = 1e-7;
        for (name, jump) in [
            ("length", length_curve(x + h, lmin, lmax) - length_curve(x - h, lmin, lmax)),
            ("velocity", velocity_curve(x + h, fvmax) - velocity_curve(x - h, fvmax)),
            ("passive", passive_curve(x + h, lmax, 1.3) - passive_curve(x - h, lmax, 1.3)),
            ("switch", sigmoid(x + h) - sigmoid(x - h)),
        ] {
            prop_assert!(jump.abs() < 1e-4, "{name} jumps by {jump} at {x}");
        }
    }

    #[test]
    fn curves_stay_within_their_bounds(x in -2.0..3.0_f64, lmin in 0.1..0.9_f64, lmax in 1.1..2.5_f64, fvmax in 1.05..2.0_f64) {
        prop_assert!((0.0..=1.0).contains(&length_curve(x, lmin, lmax)));
        prop_assert!((0.0..=fvmax).contains(&velocity_curve(x, fvmax)));
        prop_assert!(passive_curve(x, lmax, 1.3) >= 0.0);
    }

    #[test]
    fn derivatives_match_differences_of_the_curves(v in -1.5..0.5_f64, length in -1.0..1.0_f64) {
        // not at the breakpoints, where the derivative has kinks
        prop_assume!([-1.0, 0.0, 0.2].iter().all(|end| (v - end).abs() > 2.0 * CENTRAL));
        let rate = |f: &dyn Fn(f64) -> f64, x: f64| (f(x + CENTRAL) - f(x - CENTRAL)) / (2.0 * CENTRAL);
        close("curve", &[velocity_curve_derivative(v, 1.2)], &[rate(&|v| velocity_curve(v, 1.2), v)], DIFFERENCE);
        let range = [-1.0, 1.0];
        // at this velocity the curve is at v
        let velocity = v * 1.5 * (range[1] - range[0]) / 0.3;
        close(
            "gain",
            // relative to the peak force over the fastest shortening, or more
            &[gain_vel_derivative(length, velocity, range, 4.0, &PRM), 5.0],
            &[rate(&|velocity| gain(length, velocity, range, 4.0, &PRM), velocity), 5.0],
            DIFFERENCE,
        );
    }
}

#[test]
fn force_is_scaled_by_the_peak_force_and_negative() {
    // the range ends at 0.75 and 1.05 optimal lengths, so one optimal length is 5/6 along
    let (range, optimal) = ([0.2, 0.8], 0.7);
    let mut prm = PRM;
    prm[2] = 30.0;
    close("given", &[gain(optimal, 0.0, range, 4.0, &prm)], &[-30.0], ROUNDING);
    close("by acceleration", &[gain(optimal, 0.0, range, 4.0, &PRM)], &[-50.0], ROUNDING);
    assert_eq!(bias(optimal - 0.01, range, 4.0, &prm), 0.0);
    assert!(bias(optimal + 0.1, range, 4.0, &prm) < 0.0);
}

#[test]
fn activation_is_faster_than_deactivation() {
    let prm = [0.01, 0.04, 0.0];
    close("activation from 0", &[activation_rate(1.0, 0.0, prm)], &[1.0 / 0.005], ROUNDING);
    close("deactivation from 1", &[activation_rate(0.0, 1.0, prm)], &[-1.0 / 0.02], ROUNDING);
    assert_eq!(activation_rate(0.4, 0.4, prm), 0.0);
    // controls are clamped to [0, 1]
    assert_eq!(activation_rate(5.0, 0.3, prm), activation_rate(1.0, 0.3, prm));
    assert_eq!(activation_rate(-5.0, 0.3, prm), activation_rate(0.0, 0.3, prm));
}

#[test]
fn time_constants_are_blended_over_the_width() {
    let tau = |excess: f64| time_constant(excess, 0.01, 0.04, 0.2);
    close("ends and middle", &[tau(-0.1), tau(0.1), tau(0.0)], &[0.04, 0.01, 0.025], ROUNDING);
    assert!(tau(-0.05) > tau(0.0) && tau(0.0) > tau(0.05));
}

#[test]
fn activation_converges_to_the_control() {
    let m = load(
        r#"<mujoco><option timestep=".001"><flag contact="disable" gravity="disable"/></option>
        <worldbody><body><joint name="j" damping="1"/><geom size=".1" pos="1 0 0"/></body></worldbody>
        <actuator><muscle joint="j" lengthrange="-1 1" force="1"/></actuator></mujoco>"#,
    );
    let mut d = m.make_data();
    d.ctrl[0] = 0.6;
    let mut before = 0.0;
    for _ in 0..1000 {
        d.step(&m).unwrap();
        assert!(d.act[0] >= before, "activation never overshoots");
        before = d.act[0];
    }
    close("activation", &d.act, &[0.6], 1e-6);
    assert!(d.actuator_force[0] < 0.0 && d.qpos[0] < 0.0, "the muscle pulls");
}
