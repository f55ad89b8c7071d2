//! User callbacks: called at the right stage, owned by their model.

use sim_core::Model;
use sim_core::types::DisableBit;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const PENDULUM: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint name="j" axis="0 1 0"/><geom size="0.1" pos="0 0 -1" contype="0" conaffinity="0"/>
  </body></worldbody><actuator><motor joint="j"/></actuator></mujoco>"#;

fn pendulum() -> Model {
    sim_mjcf::load_str(PENDULUM).expect("the model is valid")
}

#[test]
fn control_callback_runs_before_actuation() {
    let mut m = pendulum();
    m.set_control_callback(|m, d| {
        for i in 0..m.nu {
            d.ctrl[i] = 3.0 - d.qvel[i];
        }
    });
    let mut d = m.make_data();
    d.qvel[0] = 1.0;
    d.forward(&m).expect("the model is supported");
    assert_eq!(d.qfrc_actuator[0], 2.0);

    m.opt.disableflags |= DisableBit::Actuation as i32;
    let mut d = m.make_data();
    d.forward(&m).expect("the model is supported");
    assert_eq!(d.ctrl[0], 0.0, "without actuation the control callback is not called");
    sim_core::mj_step1(&m, &mut d).expect("the model is supported");
    assert_eq!(d.ctrl[0], 3.0, "mj_step1 always calls it");
}

#[test]
fn passive_callback_adds_force_unless_passive_forces_are_disabled() {
    let mut m = pendulum();
    m.set_passive_callback(|_, d| d.qfrc_passive[0] += 5.0);
    let mut d = m.make_data();
    d.forward(&m).expect("the model is supported");
    assert_eq!(d.qfrc_smooth[0], 5.0);
    m.opt.disableflags |= DisableBit::Spring as i32 | DisableBit::Damper as i32;
    d.forward(&m).expect("the model is supported");
    assert_eq!(d.qfrc_smooth[0], 0.0);
}

#[test]
fn callbacks_are_shared_by_clones_but_not_between_models() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut m = pendulum();
    let counter = Arc::clone(&calls);
    m.set_control_callback(move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let copy = m.clone();
    let other = pendulum();
    std::thread::scope(|scope| {
        for model in [&m, &copy, &other] {
            scope.spawn(move || model.make_data().step(model));
        }
    });
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[test]
fn stages_are_timed_by_the_time_callback() {
    let mut m = pendulum();
    let ticks = AtomicUsize::new(0);
    m.set_time_callback(move || ticks.fetch_add(1, Ordering::Relaxed) as f64);
    let mut d = m.make_data();
    d.step(&m).expect("the model is supported");
    let step = d.timer[sim_core::Timer::Step as usize];
    assert_eq!(step.number, 1);
    assert!(step.duration > d.timer[sim_core::Timer::Forward as usize].duration);
    assert!(d.timer[sim_core::Timer::Inverse as usize].number == 0);
}
