//! Forward against inverse dynamics, and steps against independent reference implementations.

use crate::models::{driven, model, steps};
use crate::tolerance::{ALGORITHM, ROUNDING, close};
use nalgebra::DVector;
use sim_core::math::poly;
use sim_core::types::{DisableBit, Integrator};
use sim_core::{
    Data, Model, inertia_matrix, mj_apply_ft, mj_forward, mj_integrate_pos, mj_rne, mj_step1,
    mj_step2,
};

/// Inverse dynamics of the forward acceleration gives the applied forces.
fn inverse_dynamics_inverts_forward_dynamics(m: &Model) {
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
    // relative to the forces that cancel in the sum
    let mut scale = vec![crate::tolerance::largest(&d.qfrc_bias)];
    scale.extend(&d.qfrc_passive);
    let scale = crate::tolerance::largest(&scale).max(1.0);
    let scaled = |x: &[f64]| x.iter().map(|f| f / scale).collect::<Vec<_>>();
    close("force", &scaled(&needed), &scaled(&acting), ALGORITHM);
}
on_every_model!(inverse_dynamics_inverts_forward_dynamics);

/// Position and velocity after one Euler step, from the dense matrix `M + h B`.
fn reference_euler(m: &Model, d: &Data) -> (Vec<f64>, Vec<f64>) {
    let mut d = d.clone();
    let h = m.opt.timestep;
    mj_forward(m, &mut d).unwrap();
    let mut matrix = inertia_matrix(m, &d);
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

/// Covers both solvers: the articulated-body algorithm for deep chains, the sparse factorization for others.
fn euler_step_matches_dense_reference(m: &Model) {
    let mut m = m.clone();
    m.opt.integrator = Integrator::Euler;
    for damper in [false, true] {
        if damper {
            m.opt.disableflags |= DisableBit::Damper as i32;
        }
        let mut d = driven(&m, 32);
        let (qpos, qvel) = reference_euler(&m, &d);
        d.step(&m).unwrap();
        close("qpos", &d.qpos, &qpos, ALGORITHM);
        close("qvel", &d.qvel, &qvel, ALGORITHM);
    }
}
on_every_model!(euler_step_matches_dense_reference);

/// `mj_step` against `mj_step1` and `mj_step2`, which may use different linear solvers.
fn step_equals_step1_and_step2(m: &Model) {
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
on_every_model!(step_equals_step1_and_step2);

#[test]
fn controls_set_between_step1_and_step2_take_effect() {
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
fn reference_rk4(m: &Model, d: &Data) -> (Vec<f64>, Vec<f64>) {
    let h = m.opt.timestep;
    let rates = |v: &[f64], a: &[f64], fraction: f64| {
        let mut e = d.clone();
        mj_integrate_pos(m, &mut e.qpos, v, fraction * h);
        for i in 0..m.nv {
            e.qvel[i] += fraction * h * a[i];
        }
        mj_forward(m, &mut e).unwrap();
        (e.qvel, e.qacc)
    };
    let zero = vec![0.0; m.nv];
    let (v1, a1) = rates(&zero, &zero, 0.0);
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

fn rk4_step_matches_reference(m: &Model) {
    let mut m = m.clone();
    m.opt.integrator = Integrator::Rk4;
    let mut d = driven(&m, 34);
    let (qpos, qvel) = reference_rk4(&m, &d);
    d.step(&m).unwrap();
    close("qpos", &d.qpos, &qpos, ALGORITHM);
    close("qvel", &d.qvel, &qvel, ALGORITHM);
}
on_every_model!(rk4_step_matches_reference);

#[test]
fn without_gravity_a_mechanism_at_rest_stays_at_rest() {
    for path in ["robots/arm6", "chains/chain_100"] {
        let mut m = model(path);
        m.opt.disableflags |= DisableBit::Gravity as i32;
        let mut d = m.make_data();
        steps(&m, &mut d, 10);
        assert!(crate::tolerance::largest(&d.qvel) == 0.0, "{path} moved");
    }
}

#[test]
fn free_fall_velocity_is_g_t() {
    let m = crate::models::world(r#"<body><freejoint/><geom size=".1"/></body>"#);
    let mut d = m.make_data();
    steps(&m, &mut d, 500);
    close("time", &[d.time], &[1.0], ROUNDING);
    close("qvel", &d.qvel, &[0.0, 0.0, -9.81, 0.0, 0.0, 0.0], ROUNDING);
}
