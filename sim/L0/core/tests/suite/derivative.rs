//! Derivatives of the smooth forces with respect to velocity, against finite differences.

use crate::models::{driven, load};
use crate::tolerance::{CENTRAL, DIFFERENCE, close};
use sim_core::{Data, Model, mj_fwd_actuation, mj_fwd_position, mj_fwd_velocity, mjd_smooth_vel};

/// `qfrc_actuator + qfrc_passive`, minus `qfrc_bias` with `bias`.
fn force(m: &Model, d: &mut Data, bias: bool) -> Vec<f64> {
    mj_fwd_velocity(m, d);
    mj_fwd_actuation(m, d);
    let bias = if bias { 1.0 } else { 0.0 };
    (0..m.nv).map(|i| d.qfrc_actuator[i] + d.qfrc_passive[i] - bias * d.qfrc_bias[i]).collect()
}

/// The matrix `∂force/∂qvel` by central differences, in the layout of `qDeriv`.
fn differences(m: &Model, d: &Data, bias: bool) -> Vec<f64> {
    let mut matrix = vec![0.0; m.nv * m.nv];
    for k in 0..m.nv {
        let shifted = |by: f64| {
            let mut d = d.clone();
            d.qvel[k] += by;
            force(m, &mut d, bias)
        };
        let (up, down) = (shifted(CENTRAL), shifted(-CENTRAL));
        for i in 0..m.nv {
            matrix[i * m.nv + k] = (up[i] - down[i]) / (2.0 * CENTRAL);
        }
    }
    let entries = (0..m.nv).flat_map(|i| {
        let start = m.D_rowadr[i] as usize;
        let row = m.D_colind[start..start + m.D_rownnz[i] as usize].iter();
        row.map(move |&k| (i, k as usize))
    });
    entries.map(|(i, k)| matrix[i * m.nv + k]).collect()
}

fn derivatives_match_finite_differences(m: &Model) {
    for seed in [3, 4] {
        let mut d = driven(m, seed);
        mj_fwd_position(m, &mut d);
        for bias in [true, false] {
            let _ = force(m, &mut d, bias);
            mjd_smooth_vel(m, &mut d, bias);
            close("qDeriv", &d.qDeriv, &differences(m, &d, bias), DIFFERENCE);
        }
    }
}
on_every_model!(derivatives_match_finite_differences);

fn derivatives_of_dampers_and_actuators(m: &Model) {
    derivatives_match_finite_differences(m);
}
on_models!(derivatives_of_dampers_and_actuators:
    features / damping_poly, features / tendon_spring_damper, features / affine_actuators,
);

#[test]
fn saturated_actuator_has_zero_derivative() {
    let m = load(
        r#"<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
        <actuator><velocity joint="j" kv="5" forcerange="-1 1"/></actuator></mujoco>"#,
    );
    let mut d = m.make_data();
    for (speed, derivative) in [(0.1, -5.0), (10.0, 0.0)] {
        d.qvel[0] = speed;
        mj_fwd_position(&m, &mut d);
        let _ = force(&m, &mut d, false);
        mjd_smooth_vel(&m, &mut d, false);
        assert_eq!(d.qDeriv, [derivative]);
    }
}
