//! Forward dynamics against inverse dynamics, and a step against the same step taken by hand.

use crate::models::{driven, model, steps};
use crate::tolerance::{ALGORITHM, ROUNDING, close};
use nalgebra::DVector;
use sim_core::math::poly;
use sim_core::types::{DisableBit, Integrator};
use sim_core::{
    Data, Model, mj_apply_ft, mj_forward, mj_full_m, mj_integrate_pos, mj_rne, mj_step1, mj_step2,
};

/// The acceleration that forward dynamics find needs exactly the forces that act.
fn inverse_of_forward_dynamics_is_the_applied_force(m: &Model) {
    let mut d = driven(m, 31);
    mj_forward(m, &mut d).unwrap();
    let mut needed = vec![0.0; m.nv];
    mj_rne(m, &mut d, true, &mut needed);
    let mut acting: Vec<f64> =
        (0..m.nv).map(|i| d.qfrc_passive[i] + d.qfrc_actuator[i] + d.qfrc_applied[i]).collect();
    for b in 1..m.nbody {
        let [fx, fy, fz, tx, ty, tz] = d.xfrc_applied.as_chunks().0[b];
        let point = d.xipos.as_chunks().0[b];
        mj_apply_ft(m, &d, [fx, fy, fz], [tx, ty, tz], point, b, &mut acting);
    }
    for i in 0..m.nv {
        needed[i] += m.dof_armature[i] * d.qacc[i];
    }
    // judged against the forces that cancel in the sum
    let mut scale = vec![crate::tolerance::largest(&d.qfrc_bias)];
    scale.extend(&d.qfrc_passive);
    let scale = crate::tolerance::largest(&scale).max(1.0);
    let scaled = |x: &[f64]| x.iter().map(|f| f / scale).collect::<Vec<_>>();
    close("force", &scaled(&needed), &scaled(&acting), ALGORITHM);
}
on_every_model!(inverse_of_forward_dynamics_is_the_applied_force);

/// Position and velocity after one Euler step, from the dense matrix `M + h B`.
fn euler_by_hand(m: &Model, d: &Data) -> (Vec<f64>, Vec<f64>) {
    let mut d = d.clone();
    let h = m.opt.timestep;
    mj_forward(m, &mut d).unwrap();
    let mut matrix = mj_full_m(m, &d);
    let implicit = !m.opt.disabled(DisableBit::EulerDamp) && !m.opt.disabled(DisableBit::Damper);
    for i in 0..m.nv {
        let poly = m.dof_dampingpoly.as_chunks().0[i];
        if implicit {
            matrix[(i, i)] += h * poly::damping_derivative(m.dof_damping[i], poly, d.qvel[i]);
        }
    }
    let force = DVector::from_column_slice(&d.qfrc_smooth);
    let qacc = matrix.cholesky().unwrap().solve(&force);
    for i in 0..m.nv {
        d.qvel[i] += h * qacc[i];
    }
    mj_integrate_pos(m, &mut d.qpos, &d.qvel, h);
    (d.qpos, d.qvel)
}

/// Deep chains are solved by articulated bodies, others by the sparse factor: both are Euler.
fn an_euler_step_is_the_step_by_hand(m: &Model) {
    let mut m = m.clone();
    m.opt.integrator = Integrator::Euler;
    for damper in [false, true] {
        if damper {
            m.opt.disableflags |= DisableBit::Damper as i32;
        }
        let mut d = driven(&m, 32);
        let (qpos, qvel) = euler_by_hand(&m, &d);
        d.step(&m).unwrap();
        close("qpos", &d.qpos, &qpos, ALGORITHM);
        close("qvel", &d.qvel, &qvel, ALGORITHM);
    }
}
on_every_model!(an_euler_step_is_the_step_by_hand);

/// A whole step and its two halves, also where they solve by different algorithms.
fn a_step_is_its_two_halves(m: &Model) {
    let mut m = m.clone();
    m.opt.integrator = Integrator::Euler;
    let mut whole = driven(&m, 33);
    let mut halves = whole.clone();
    for _ in 0..3 {
        whole.step(&m).unwrap();
        mj_step1(&m, &mut halves).unwrap();
        mj_step2(&m, &mut halves).unwrap();
    }
    assert_eq!(whole.time, halves.time);
    close("qpos", &whole.qpos, &halves.qpos, ALGORITHM);
    close("qvel", &whole.qvel, &halves.qvel, ALGORITHM);
    close("qacc", &whole.qacc, &halves.qacc, ALGORITHM);
    close("sensordata", &whole.sensordata, &halves.sensordata, ALGORITHM);
}
on_every_model!(a_step_is_its_two_halves);

#[test]
fn controls_set_between_the_halves_take_effect_in_the_same_step() {
    let m = model("robots/arm6");
    let (mut early, mut late) = (m.make_data(), m.make_data());
    early.ctrl.fill(5.0);
    early.step(&m).unwrap();
    mj_step1(&m, &mut late).unwrap();
    late.ctrl.fill(5.0);
    mj_step2(&m, &mut late).unwrap();
    close("qvel", &late.qvel, &early.qvel, ROUNDING);
}

/// One classical Runge–Kutta step, from four evaluations of the forward dynamics.
fn runge_kutta_by_hand(m: &Model, d: &Data) -> (Vec<f64>, Vec<f64>) {
    let h = m.opt.timestep;
    let rates = |v: &[f64], a: &[f64], share: f64| {
        let mut e = d.clone();
        mj_integrate_pos(m, &mut e.qpos, v, share * h);
        for i in 0..m.nv {
            e.qvel[i] += share * h * a[i];
        }
        mj_forward(m, &mut e).unwrap();
        (e.qvel, e.qacc)
    };
    let nothing = vec![0.0; m.nv];
    let (v1, a1) = rates(&nothing, &nothing, 0.0);
    let (v2, a2) = rates(&v1, &a1, 0.5);
    let (v3, a3) = rates(&v2, &a2, 0.5);
    let (v4, a4) = rates(&v3, &a3, 1.0);
    let mean = |x: [&Vec<f64>; 4]| -> Vec<f64> {
        (0..m.nv).map(|i| (x[0][i] + 2.0 * (x[1][i] + x[2][i]) + x[3][i]) / 6.0).collect()
    };
    let (mut qpos, mut qvel) = (d.qpos.clone(), d.qvel.clone());
    mj_integrate_pos(m, &mut qpos, &mean([&v1, &v2, &v3, &v4]), h);
    for (v, a) in qvel.iter_mut().zip(mean([&a1, &a2, &a3, &a4])) {
        *v += h * a;
    }
    (qpos, qvel)
}

fn a_runge_kutta_step_is_the_step_by_hand(m: &Model) {
    let mut m = m.clone();
    m.opt.integrator = Integrator::Rk4;
    let mut d = driven(&m, 34);
    let (qpos, qvel) = runge_kutta_by_hand(&m, &d);
    d.step(&m).unwrap();
    close("qpos", &d.qpos, &qpos, ALGORITHM);
    close("qvel", &d.qvel, &qvel, ALGORITHM);
}
on_every_model!(a_runge_kutta_step_is_the_step_by_hand);

#[test]
fn disabled_gravity_leaves_a_still_mechanism_still() {
    for path in ["robots/arm6", "chains/chain_100"] {
        let mut m = model(path);
        m.opt.disableflags |= DisableBit::Gravity as i32;
        let mut d = m.make_data();
        steps(&m, &mut d, 10);
        assert!(crate::tolerance::largest(&d.qvel) == 0.0, "{path} moved");
    }
}

#[test]
fn a_falling_body_gains_g_every_second() {
    let m = crate::models::world(r#"<body><freejoint/><geom size=".1"/></body>"#);
    let mut d = m.make_data();
    steps(&m, &mut d, 500);
    close("time", &[d.time], &[1.0], ROUNDING);
    close("qvel", &d.qvel, &[0.0, 0.0, -9.81, 0.0, 0.0, 0.0], ROUNDING);
}
