//! History buffers: delayed controls, delayed and periodically sampled sensors, against the undelayed signal.

use crate::models::{Rng, load, model, steps};
use crate::tolerance::{ROUNDING, close};
use sim_core::types::Interpolation::{Cubic, Linear, Zoh};
use sim_core::types::{Integrator, Interpolation};
use sim_core::{
    Data, HistoryError, Model, mj_init_ctrl_history, mj_init_sensor_history, mj_read_ctrl,
    mj_read_sensor,
};

/// Time step of all models in this file: a power of two, so that times are exact.
const H: f64 = 1.0 / 128.0;

/// A slider with an actuator and a sensor.
#[track_caller]
fn slider(actuator: &str, sensor: &str) -> Model {
    load(&format!(
        r#"<mujoco><option timestep="{H}"><flag contact="disable"/></option>
        <worldbody><body><joint name="j" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/><site name="s"/></body></worldbody>
        <actuator>{actuator}</actuator><sensor>{sensor}</sensor></mujoco>"#
    ))
}

/// A motor with a control history.
fn delayed(samples: usize, delay: f64, interp: Interpolation) -> Model {
    let interp = match interp {
        Zoh => "zoh",
        Linear => "linear",
        Cubic => "cubic",
    };
    slider(
        &format!(r#"<motor joint="j" nsample="{samples}" delay="{delay}" interp="{interp}"/>"#),
        "",
    )
}

/// Steps with the control `signal(time)`; calls `look` after each step.
fn drive(
    m: &Model,
    d: &mut Data,
    count: usize,
    signal: impl Fn(f64) -> f64,
    mut look: impl FnMut(f64, &Data),
) {
    for _ in 0..count {
        let t = d.time;
        d.ctrl.fill(signal(t));
        d.step(m).unwrap();
        look(t, d);
    }
}

#[test]
fn delayed_control_is_applied_after_its_delay() {
    for interp in [Zoh, Linear, Cubic] {
        let m = delayed(8, 5.0 * H, interp);
        let mut d = m.make_data();
        let signal = |t: f64| if t < 0.0 { 0.0 } else { (30.0 * t).sin() + 0.3 };
        drive(&m, &mut d, 60, signal, |t, d| {
            assert_eq!(d.actuator_force[0], signal(t - 5.0 * H), "{interp:?} at {t}");
        });
    }
}

#[test]
fn all_integrators_apply_the_delay() {
    for integrator in [Integrator::Rk4, Integrator::Implicit, Integrator::ImplicitFast] {
        let mut m = delayed(4, 2.0 * H, Zoh);
        m.opt.integrator = integrator;
        let mut d = m.make_data();
        for k in 0..6 {
            d.ctrl[0] = 1.0 + f64::from(k);
            d.forward(&m).unwrap();
            assert_eq!(d.actuator_force[0], if k < 2 { 0.0 } else { f64::from(k) - 1.0 });
            d.step(&m).unwrap();
        }
    }
}

#[test]
fn values_between_samples_are_held_or_interpolated() {
    let ramp = |t: f64| 3.0 * t + 0.5;
    for (interp, expected) in [
        (Zoh, (|t| 3.0 * (t - 3.0 * H) + 0.5) as fn(f64) -> f64),
        (Linear, |t| 3.0 * (t - 2.25 * H) + 0.5),
        // the cubic reproduces a line where it has a sample on each side
        (Cubic, |t| 3.0 * (t - 2.25 * H) + 0.5),
    ] {
        let m = delayed(8, 2.25 * H, interp);
        let mut d = m.make_data();
        drive(&m, &mut d, 40, ramp, |t, d| {
            if t > 10.0 * H {
                close("control", &d.actuator_force, &[expected(t)], ROUNDING);
            }
        });
    }
}

#[test]
fn cubic_interpolation_is_exact_for_parabolas() {
    let parabola = |t: f64| 40.0 * t * t - 3.0 * t;
    let m = delayed(8, 2.3 * H, Cubic);
    let mut d = m.make_data();
    drive(&m, &mut d, 40, parabola, |t, d| {
        if t > 10.0 * H {
            close("control", &d.actuator_force, &[parabola(t - 2.3 * H)], ROUNDING);
        }
    });
}

#[test]
fn delays_beyond_the_buffer_use_the_oldest_sample() {
    let m = delayed(3, 100.0 * H, Linear);
    let mut d = m.make_data();
    drive(
        &m,
        &mut d,
        20,
        |t| t,
        |t, d| {
            assert_eq!(d.actuator_force[0], (t - 3.0 * H).max(0.0));
        },
    );
}

#[test]
fn delayed_controls_are_clamped_when_applied() {
    let mut m = delayed(4, 2.0 * H, Zoh);
    m.actuator_ctrllimited[0] = true;
    m.actuator_ctrlrange.copy_from_slice(&[-1.0, 1.0]);
    let mut d = m.make_data();
    drive(&m, &mut d, 5, |_| 7.0, |_, _| {});
    assert_eq!(d.actuator_force[0], 1.0);
    assert_eq!(mj_read_ctrl(&m, &d, 0, d.time, None), 7.0);
}

/// Reads of a buffer that has wrapped around many times, against a plain list of all samples.
#[test]
fn ring_buffer_matches_a_plain_list() {
    const SAMPLES: usize = 7;
    let m = delayed(SAMPLES, 0.0, Zoh);
    let mut d = m.make_data();
    let mut rng = Rng(5);
    let mut list: Vec<(f64, f64)> = (1..=SAMPLES).rev().map(|k| (-(k as f64) * H, 0.0)).collect();
    for _ in 0..50 {
        d.ctrl[0] = rng.number();
        list.push((d.time, d.ctrl[0]));
        d.step(&m).unwrap();
        let kept = &list[list.len() - SAMPLES..];
        for _ in 0..20 {
            let t = d.time - 8.0 * H * (0.5 + 0.5 * rng.number());
            let read = |interp| mj_read_ctrl(&m, &d, 0, t, Some(interp));
            let Some(k) = (1..SAMPLES).find(|&k| kept[k - 1].0 < t && t < kept[k].0) else {
                let end = if t <= kept[0].0 { kept[0] } else { kept[SAMPLES - 1] };
                assert_eq!(read(Zoh), end.1);
                continue;
            };
            let ((t0, a), (t1, b)) = (kept[k - 1], kept[k]);
            assert_eq!(read(Zoh), a);
            close("linear", &[read(Linear)], &[a + (t - t0) / (t1 - t0) * (b - a)], ROUNDING);
            close("cubic", &[read(Cubic)], &[hermite(kept, k, t)], ROUNDING);
        }
    }
}

/// The cubic between samples `k - 1` and `k`, from its Bézier points.
fn hermite(list: &[(f64, f64)], k: usize, t: f64) -> f64 {
    let slope = |k: usize| {
        if k == 0 || k + 1 == list.len() {
            return 0.0;
        }
        (list[k + 1].1 - list[k - 1].1) / (list[k + 1].0 - list[k - 1].0)
    };
    let ((t0, a), (t1, b)) = (list[k - 1], list[k]);
    let (h, x) = (t1 - t0, (t - t0) / (t1 - t0));
    let mut points = [a, a + h * slope(k - 1) / 3.0, b - h * slope(k) / 3.0, b];
    for n in (1..4).rev() {
        for i in 0..n {
            points[i] += x * (points[i + 1] - points[i]);
        }
    }
    points[0]
}

#[test]
fn samples_can_be_inserted_out_of_order() {
    let m = delayed(4, 0.0, Zoh);
    let mut d = m.make_data();
    let record = |d: &mut Data, time: f64, ctrl: f64| {
        (d.time, d.ctrl[0]) = (time, ctrl);
        d.step(&m).unwrap();
    };
    for (time, ctrl) in [(1.0, 10.0), (2.0, 20.0), (4.0, 40.0), (5.0, 50.0)] {
        record(&mut d, time, ctrl);
    }
    let read = |d: &Data, t: f64| mj_read_ctrl(&m, d, 0, t, None);
    record(&mut d, 3.0, 30.0);
    assert_eq!(
        [read(&d, 1.5), read(&d, 2.5), read(&d, 3.5), read(&d, 4.5)],
        [20.0, 20.0, 30.0, 40.0]
    );
    // the same time again replaces the sample
    record(&mut d, 4.0, 41.0);
    assert_eq!([read(&d, 2.5), read(&d, 4.5)], [20.0, 41.0]);
    // earlier than all samples: replaces the oldest
    record(&mut d, 0.5, 5.0);
    assert_eq!([read(&d, 0.0), read(&d, 2.5), read(&d, 3.5)], [5.0, 5.0, 30.0]);
}

#[test]
fn reset_fills_histories_with_zeros_at_past_times() {
    let m = slider(
        r#"<motor joint="j" nsample="3" delay=".01"/>"#,
        r#"<clock nsample="2" delay=".01"/><framepos objtype="site" objname="s" nsample="2" interval=".02 -.003"/>"#,
    );
    let mut d = m.make_data();
    steps(&m, &mut d, 10);
    d.reset(&m);
    let zeros = [0.0; 6];
    assert_eq!(d.history[..8], [0.0, 2.0, -3.0 * H, -2.0 * H, -H, 0.0, 0.0, 0.0]);
    assert_eq!(d.history[8..14], [-H, 1.0, -2.0 * H, -H, 0.0, 0.0]);
    // intervals start at their phase; samples are taken at the first step at or after their time
    assert_eq!(d.history[14..18], [-0.003, 1.0, -2.0 * H, 0.0]);
    assert_eq!(d.history[18..], zeros);
}

#[test]
fn control_history_can_be_initialized() {
    let m = delayed(3, 2.0 * H, Linear);
    let mut d = m.make_data();
    mj_init_ctrl_history(&m, &mut d, 0, None, &[3.0, 5.0, 9.0]).unwrap();
    d.forward(&m).unwrap();
    assert_eq!(d.actuator_force[0], 5.0);
    mj_init_ctrl_history(&m, &mut d, 0, Some(&[-4.0 * H, -3.0 * H, 0.0]), &[1.0, 2.0, 8.0])
        .unwrap();
    d.forward(&m).unwrap();
    close("interpolated", &d.actuator_force, &[4.0], ROUNDING);
}

#[test]
fn invalid_histories_are_rejected_without_changes() {
    let m = slider(
        r#"<motor joint="j" nsample="2"/><motor joint="j"/>"#,
        r#"<framepos objtype="site" objname="s" nsample="2"/>"#,
    );
    let mut d = m.make_data();
    let before = d.history.clone();
    let mut ctrl = |id, times: Option<&[f64]>, values: &[f64]| {
        mj_init_ctrl_history(&m, &mut d, id, times, values).unwrap_err()
    };
    assert_eq!(ctrl(1, None, &[]), HistoryError::NoHistory);
    assert_eq!(ctrl(7, None, &[]), HistoryError::NoHistory);
    let error = ctrl(0, Some(&[1.0, 1.0]), &[0.0; 2]);
    assert_eq!(error, HistoryError::Order { index: 1, time: 1.0, before: 1.0 });
    assert_eq!(error.to_string(), "times must be strictly increasing, but times[1] is 1, after 1");
    let error = ctrl(0, Some(&[1.0]), &[0.0; 2]);
    assert_eq!(error.to_string(), "`times` has 1 entries, but the history buffer needs 2");
    assert_eq!(
        mj_init_sensor_history(&m, &mut d, 0, None, &[1.0; 3], 0.0).unwrap_err(),
        HistoryError::Length { what: "values", found: 3, expected: 6 }
    );
    assert_eq!(d.history, before);
}

#[test]
fn arbitrary_history_values_do_not_panic() {
    let m = model("features/sensor_history");
    for bad in [f64::NAN, -1.0, 1e300, f64::INFINITY, 0.5] {
        let mut d = m.make_data();
        d.history.fill(bad);
        steps(&m, &mut d, 3);
    }
}

/// The delayed sensor reports the earlier readings of the undelayed one.
#[test]
fn delayed_sensor_reports_past_readings() {
    let m = slider(
        r#"<motor joint="j"/>"#,
        &format!(
            r#"<jointpos joint="j"/><jointpos joint="j" nsample="6" delay="{}"/>
            <accelerometer site="s"/><accelerometer site="s" nsample="6" interp="cubic" delay="{}" cutoff="12"/>"#,
            4.0 * H,
            3.0 * H
        ),
    );
    let mut d = m.make_data();
    let mut past: Vec<Vec<f64>> = Vec::new();
    drive(
        &m,
        &mut d,
        40,
        |t| 20.0 * (20.0 * t).sin(),
        |_, d| {
            let back = |k: usize| past.len().checked_sub(k).map(|i| past[i].clone());
            assert_eq!(d.sensordata[1], back(4).map_or(0.0, |then| then[0]));
            let then = back(3).map_or(0.0, |then| then[4].clamp(-12.0, 12.0));
            assert_eq!(d.sensordata[7], then);
            past.push(d.sensordata.clone());
        },
    );
    assert!(past.iter().any(|row| row[4] > 12.0), "the cutoff was used");
}

#[test]
fn sensor_with_interval_holds_its_reading() {
    let m = slider("", &format!(r#"<clock nsample="3" interval="{}"/>"#, 2.5 * H));
    let mut d = m.make_data();
    let mut readings = Vec::new();
    drive(&m, &mut d, 11, |_| 0.0, |_, d| readings.push(d.sensordata[0] / H));
    // nominal sample times of 0, 2.5, 5, 7.5, 10 steps, rounded up
    assert_eq!(readings, [0.0, 0.0, 0.0, 3.0, 3.0, 5.0, 5.0, 5.0, 8.0, 8.0, 10.0]);
}

#[test]
fn interval_starts_at_its_phase() {
    let m = slider("", &format!(r#"<clock nsample="3" interval="{} {}"/>"#, 4.0 * H, -H));
    let mut d = m.make_data();
    let mut readings = Vec::new();
    drive(&m, &mut d, 8, |_| 0.0, |_, d| readings.push(d.sensordata[0] / H));
    assert_eq!(readings, [0.0, 0.0, 0.0, 3.0, 3.0, 3.0, 3.0, 7.0]);
}

#[test]
fn delay_and_interval_combine() {
    let sensor = format!(r#"<clock nsample="4" interval="{}" delay="{}"/>"#, 2.0 * H, 3.0 * H);
    let m = slider("", &sensor);
    let mut d = m.make_data();
    let mut readings = Vec::new();
    drive(&m, &mut d, 9, |_| 0.0, |_, d| readings.push(d.sensordata[0] / H));
    assert_eq!(readings, [0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 4.0, 4.0]);
}

#[test]
fn sensor_history_can_be_read_and_initialized() {
    let m = slider("", r#"<framepos objtype="site" objname="s" nsample="4"/><clock/>"#);
    let mut d = m.make_data();
    d.qvel[0] = 2.0;
    let mut heights = Vec::new();
    for _ in 0..4 {
        d.forward(&m).unwrap();
        heights.push(d.sensordata[2]);
        d.step(&m).unwrap();
    }
    let mut out = [0.0; 3];
    for (k, &height) in heights.iter().enumerate() {
        mj_read_sensor(&m, &d, 0, (k as f64 + 0.5) * H, Some(Zoh), &mut out);
        assert_eq!(out[2], height);
    }
    mj_read_sensor(&m, &d, 0, 0.5 * H, Some(Linear), &mut out);
    close("between", &out[2..], &[0.5 * (heights[0] + heights[1])], ROUNDING);
    // without a history buffer, the last reading
    let mut clock = [0.0];
    mj_read_sensor(&m, &d, 1, -5.0, None, &mut clock);
    assert_eq!(clock[0], d.sensordata[3]);
    let values: Vec<f64> = (0..12).map(f64::from).collect();
    mj_init_sensor_history(&m, &mut d, 0, Some(&[1.0, 2.0, 3.0, 4.0]), &values, 0.5).unwrap();
    mj_read_sensor(&m, &d, 0, 3.0, None, &mut out);
    assert_eq!(out, [6.0, 7.0, 8.0]);
    assert_eq!(d.history[0], 0.5);
}

#[test]
fn user_sensors_are_written_by_the_callback_and_clamped() {
    let mut m = slider(
        "",
        r#"<user dim="2" needstage="vel" cutoff="3"/><user dim="1" needstage="acc"/><clock/>"#,
    );
    let mut d = m.make_data();
    d.sensordata.fill(1.0);
    d.forward(&m).unwrap();
    assert_eq!(d.sensordata[..3], [0.0; 3], "zero without a callback");
    m.set_sensor_callback(|_, d, stage| {
        assert!(d.flg_subtreevel);
        match stage {
            sim_core::types::SensorStage::Vel => d.sensordata[..2].copy_from_slice(&[-5.0, 2.0]),
            _ => d.sensordata[2] = 9.0,
        }
    });
    d.forward(&m).unwrap();
    assert_eq!(d.sensordata[..3], [-3.0, 2.0, 9.0]);
}
