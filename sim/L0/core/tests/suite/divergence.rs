//! Divergence: warnings, automatic reset, and errors without autoreset.

use crate::models::{chain, load, model, world};
use crate::tolerance::{ALGORITHM, close};
use sim_core::data::WarningStat;
use sim_core::types::{DisableBit, MAXVAL, StepError, Warning};
use sim_core::{Data, Model, mj_set_const};

/// Spoils a state that has run for a while, and steps.
fn step_after(m: &Model, spoil: impl Fn(&mut Data)) -> (Data, Result<(), StepError>) {
    let mut d = m.make_data();
    d.qvel.fill(0.5);
    for _ in 0..10 {
        d.step(m).unwrap();
    }
    spoil(&mut d);
    let result = d.step(m);
    (d, result)
}

/// A bad number in the state: one warning of this kind at this index, and a step from the start.
#[track_caller]
fn resets(m: &Model, warning: Warning, index: usize, spoil: impl Fn(&mut Data)) {
    let (d, result) = step_after(m, spoil);
    assert_eq!(result, Ok(()));
    assert_eq!(d.warning[warning as usize], WarningStat { lastinfo: index, number: 1 });
    assert_eq!(d.warning.iter().map(|w| w.number).sum::<usize>(), 1);
    let mut fresh = m.make_data();
    fresh.step(m).unwrap();
    // after a bad acceleration a deep tree is solved with its matrix, not by articulated bodies
    assert_eq!(d.time, fresh.time);
    close("qpos", &d.qpos, &fresh.qpos, ALGORITHM);
    close("qvel", &d.qvel, &fresh.qvel, ALGORITHM);
}

/// As [`resets`] with `autoreset` disabled: the error says what, where and when.
#[track_caller]
fn fails(m: &Model, warning: Warning, index: usize, spoil: impl Fn(&mut Data)) {
    let mut m = m.clone();
    m.opt.disableflags |= DisableBit::AutoReset as i32;
    let (d, result) = step_after(&m, spoil);
    assert_eq!(result, Err(StepError::Diverged { warning, index, time: d.time }));
    assert_eq!(d.warning[warning as usize].number, 1);
    assert!((d.time - 10.0 * m.opt.timestep).abs() < 1e-9, "time stays where the trouble was");
}

fn cases(check: impl Fn(&Model, Warning, usize, &dyn Fn(&mut Data))) {
    for path in ["robots/arm6", "robots/humanoid", "chains/chain_100", "features/rk4_tree"] {
        let m = model(path);
        for bad in [f64::NAN, f64::INFINITY, 2.0 * MAXVAL, -2.0 * MAXVAL] {
            check(&m, Warning::BadQpos, 1, &|d| d.qpos[1] = bad);
            check(&m, Warning::BadQvel, 2, &|d| d.qvel[2] = bad);
        }
        check(&m, Warning::BadQacc, 0, &|d| d.qfrc_applied.fill(f64::NAN));
    }
}

#[test]
fn invalid_state_is_reset() {
    cases(|m, warning, index, spoil| resets(m, warning, index, spoil));
}

#[test]
fn invalid_state_is_an_error_without_autoreset() {
    cases(|m, warning, index, spoil| fails(m, warning, index, spoil));
}

#[test]
fn invalid_applied_force_resets() {
    resets(&model("robots/arm6"), Warning::BadQacc, 0, |d| d.xfrc_applied[20] = f64::NAN);
}

/// A servo a billion times too stiff for the step: the state blows up by itself.
#[test]
fn unstable_gains_reset_or_fail() {
    let mut m = load(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
        <body pos="0 0 1"><joint name="a" axis="0 1 0"/><geom type="capsule" size=".1" fromto="0 0 0 .5 0 0"/>
        <body pos=".5 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".1" fromto="0 0 0 .5 0 0"/>
        </body></body></worldbody><actuator><position joint="a" kp="1e9"/><position joint="b" kp="1e9"/>
        </actuator></mujoco>"#,
    );
    let mut d = m.make_data();
    d.ctrl.fill(0.5);
    for _ in 0..2000 {
        d.step(&m).unwrap();
        assert!(d.qpos.iter().chain(&d.qvel).all(|x| x.abs() <= MAXVAL), "no bad number is left");
    }
    let resets = |d: &Data| {
        let bad = [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc];
        bad.iter().map(|&kind| d.warning[kind as usize].number).sum::<usize>()
    };
    assert!(resets(&d) > 1 && d.time < 2000.0 * m.opt.timestep, "it was reset again and again");
    m.opt.disableflags |= DisableBit::AutoReset as i32;
    d.reset(&m);
    d.ctrl.fill(0.5);
    let result = (0..2000).try_for_each(|_| d.step(&m));
    assert!(matches!(result, Err(StepError::Diverged { .. })), "{result:?}");
    assert_eq!(resets(&d), 1);
}

#[test]
fn values_below_maxval_are_valid() {
    let m = load(
        r#"<mujoco><option><flag contact="disable" gravity="disable"/></option><worldbody>
        <body><joint type="slide"/><geom size=".1"/></body></worldbody></mujoco>"#,
    );
    let mut d = m.make_data();
    d.qpos[0] = 0.99 * MAXVAL;
    d.step(&m).unwrap();
    assert_eq!(d.qpos[0], 0.99 * MAXVAL);
    assert!(d.warning.iter().all(|w| w.number == 0));
}

#[test]
fn warnings_accumulate_over_automatic_resets() {
    let m = model("robots/arm6");
    let mut d = m.make_data();
    for _ in 0..3 {
        d.qpos[0] = f64::NAN;
        d.step(&m).unwrap();
    }
    assert_eq!(d.warning[Warning::BadQpos as usize].number, 3);
    d.reset(&m);
    assert_eq!(d.warning[Warning::BadQpos as usize].number, 0);
}

#[test]
fn invalid_control_is_replaced_by_zero() {
    let m = model("robots/arm6");
    let (mut d, mut still) = (m.make_data(), m.make_data());
    d.ctrl.fill(3.0);
    d.ctrl[4] = f64::NAN;
    d.step(&m).unwrap();
    still.step(&m).unwrap();
    assert_eq!(d.warning[Warning::BadCtrl as usize], WarningStat { lastinfo: 4, number: 1 });
    assert_eq!((d.time, &d.qpos, &d.qvel), (still.time, &still.qpos, &still.qvel));
    assert!(d.ctrl[4].is_nan() && d.ctrl[0] == 3.0, "controls belong to the user");
}

#[test]
fn error_message_names_array_index_and_time() {
    let error = StepError::Diverged { warning: Warning::BadQvel, index: 3, time: 0.25 };
    assert_eq!(
        error.to_string(),
        "the simulation diverged at t = 0.25: NaN, infinite or too large value in qvel at index 3"
    );
}

/// A model whose inertia matrix is zero.
fn massless(autoreset: bool) -> Model {
    let mut m = world(&chain(3));
    m.body_mass.fill(0.0);
    m.body_inertia.fill(0.0);
    m.dof_armature.fill(0.0);
    mj_set_const(&mut m);
    if !autoreset {
        m.opt.disableflags |= DisableBit::AutoReset as i32;
    }
    m
}

#[test]
fn singular_inertia_matrix_is_an_error_without_autoreset() {
    let m = massless(false);
    let mut d = m.make_data();
    let error = d.step(&m).unwrap_err();
    assert!(matches!(error, StepError::SingularMassMatrix { time: 0.0, .. }), "{error}");
}

#[test]
fn singular_inertia_matrix_is_a_warning_with_autoreset() {
    let m = massless(true);
    let mut d = m.make_data();
    d.step(&m).unwrap();
    assert!(d.warning[Warning::Inertia as usize].number > 0);
}
