//! Fluid forces and their velocity derivatives.

use crate::models::{load, model, moving};
use crate::tolerance::{CENTRAL, DIFFERENCE, ROUNDING, close};
use sim_core::types::{DisableBit, Integrator};
use sim_core::{Data, Model, mj_fwd_position, mj_fwd_velocity, mjd_smooth_vel};

/// One test for each model with a fluid.
macro_rules! on_fluid_models {
    ($check:ident) => {
        on_models!($check: features / fluid_box, features / fluid_ellipsoid,
            features / fluid_mixed, features / fluid_viscous);
    };
}

fn ready(m: &Model) -> Data {
    let mut d = moving(m, 61);
    evaluate(m, &mut d);
    d
}

fn evaluate(m: &Model, d: &mut Data) {
    mj_fwd_position(m, d);
    mj_fwd_velocity(m, d);
}

/// `qDeriv` as a full matrix, row by row.
fn dense(m: &Model, d: &Data) -> Vec<f64> {
    let mut full = vec![0.0; m.nv * m.nv];
    for i in 0..m.nv {
        let start = m.D_rowadr[i] as usize;
        for adr in start..start + m.D_rownnz[i] as usize {
            full[i * m.nv + m.D_colind[adr] as usize] = d.qDeriv[adr];
        }
    }
    full
}

fn without_dampers(m: &Model) -> Model {
    let mut m = m.clone();
    m.opt.disableflags |= DisableBit::Damper as i32;
    m
}

fn qderiv_matches_differences_of_the_force(m: &Model) {
    let m = &without_dampers(m);
    let mut d = ready(m);
    mjd_smooth_vel(m, &mut d, false);
    let got = dense(m, &d);
    let mut want = vec![0.0; m.nv * m.nv];
    for j in 0..m.nv {
        let force = |step: f64| {
            let mut d = d.clone();
            d.qvel[j] += step;
            evaluate(m, &mut d);
            d.qfrc_fluid
        };
        let (up, down) = (force(CENTRAL), force(-CENTRAL));
        for i in 0..m.nv {
            want[i * m.nv + j] = (up[i] - down[i]) / (2.0 * CENTRAL);
        }
    }
    close("qDeriv", &got, &want, DIFFERENCE);
}
on_fluid_models!(qderiv_matches_differences_of_the_force);

fn implicitfast_uses_the_symmetric_part(m: &Model) {
    let mut m = without_dampers(m);
    let mut d = ready(&m);
    mjd_smooth_vel(&m, &mut d, false);
    let full = dense(&m, &d);
    let transposed: Vec<f64> = (0..m.nv * m.nv).map(|k| full[k % m.nv * m.nv + k / m.nv]).collect();
    let want: Vec<f64> = full.iter().zip(&transposed).map(|(a, b)| 0.5 * (a + b)).collect();
    m.opt.integrator = Integrator::ImplicitFast;
    mjd_smooth_vel(&m, &mut d, false);
    close("symmetric part", &dense(&m, &d), &want, ROUNDING);
}
on_fluid_models!(implicitfast_uses_the_symmetric_part);

fn fluid_at_rest_is_dissipative(m: &Model) {
    let mut m = m.clone();
    m.opt.wind = [0.0; 3];
    // lift and added mass do no work, drag is dissipative
    let d = ready(&m);
    let power: f64 = d.qfrc_fluid.iter().zip(&d.qvel).map(|(f, v)| f * v).sum();
    assert!(power < 0.0, "{power}");
}
on_fluid_models!(fluid_at_rest_is_dissipative);

#[test]
fn no_force_at_wind_velocity() {
    for shape in ["none", "ellipsoid"] {
        let m = load(&format!(
            r#"<mujoco><option density="2" viscosity=".3" wind="3 -1 2"/><worldbody>
            <body quat=".7 .1 .2 .3"><freejoint/>
            <geom type="box" size=".1 .2 .3" fluidshape="{shape}"/></body></worldbody></mujoco>"#
        ));
        let mut d = m.make_data();
        d.qvel[..3].copy_from_slice(&m.opt.wind);
        evaluate(&m, &mut d);
        close(shape, &d.qfrc_fluid, &[0.0; 6], ROUNDING);
        d.qvel[1] += 1.0;
        evaluate(&m, &mut d);
        assert!(d.qfrc_fluid[1] < 0.0, "{shape}");
    }
}

#[test]
fn stokes_drag_of_a_sphere() {
    let radius = 0.25;
    let m = load(&format!(
        r#"<mujoco><option viscosity=".3"/><worldbody><body><freejoint/>
        <geom size="{radius}" fluidshape="ellipsoid"/></body></worldbody></mujoco>"#
    ));
    let mut d = m.make_data();
    d.qvel = vec![1.0, -2.0, 3.0, 0.5, 0.4, -0.3];
    evaluate(&m, &mut d);
    let force = 6.0 * std::f64::consts::PI * 0.3 * radius;
    let torque = 8.0 * std::f64::consts::PI * 0.3 * radius * radius * radius;
    let want: Vec<f64> = (0..6).map(|k| -d.qvel[k] * if k < 3 { force } else { torque }).collect();
    close("drag", &d.qfrc_fluid, &want, ROUNDING);
}

#[test]
fn massless_body_has_no_fluid_force() {
    let m = model("features/fluid_mixed");
    assert!(m.body_mass[2] == 0.0, "the model has a body without mass");
    let d = ready(&m);
    assert!(d.qfrc_fluid.iter().all(|f| f.is_finite() && *f != 0.0));
}

#[test]
fn disabling_springs_and_dampers_disables_fluid_forces() {
    let mut m = model("features/fluid_mixed");
    m.opt.disableflags |= DisableBit::Damper as i32;
    assert!(ready(&m).qfrc_fluid.iter().any(|&f| f != 0.0));
    m.opt.disableflags |= DisableBit::Spring as i32;
    let mut d = ready(&m);
    assert_eq!(d.qfrc_passive, vec![0.0; m.nv]);
    mjd_smooth_vel(&m, &mut d, false);
    assert_eq!(d.qDeriv, vec![0.0; m.nD]);
}
