//! Finite-difference derivatives of the step and of inverse dynamics: against an analytical linearization,
//! against differences of individual steps, and rejected configurations.

use crate::models::{constrained as model, driven, load, with_constraints};
use crate::tolerance::{DIFFERENCE, ONE_SIDED, close};
use sim_core::types::{Integrator, StepError, Warning};
use sim_core::{
    Data, DerivativeError, Model, inertia_matrix, inverse_matrices, mj_differentiate_pos,
    mj_integrate_pos, mj_inverse, mjd_inverse_fd, mjd_transition_fd, transition_matrices,
};

/// Finite-difference step of all tests.
const EPS: f64 = 1e-6;

/// A mass with spring, damper, motor and sensors.
fn oscillator() -> Model {
    load(
        r#"<mujoco><option timestep="0.01"/><worldbody><body>
        <joint name="j" type="slide" axis="1 0 0" stiffness="30" damping="4"/>
        <geom size=".1" mass="2"/></body></worldbody>
        <actuator><motor joint="j" gear="3" ctrlrange="-1 1"/></actuator>
        <sensor><jointpos joint="j"/><jointvel joint="j"/><actuatorfrc actuator="motor"/></sensor>
        </mujoco>"#
            .replace("<motor ", r#"<motor name="motor" "#)
            .as_str(),
    )
}

#[test]
fn oscillator_matches_its_analytical_linearization() {
    let m = oscillator();
    let (h, k, b, gear) = (0.01, 30.0, 4.0, 3.0);
    // damping is integrated implicitly
    let mass = 2.0 + h * b;
    let mut d = m.make_data();
    (d.qpos[0], d.qvel[0], d.ctrl[0]) = (0.3, -0.7, 0.2);
    for centered in [false, true] {
        let got = transition_matrices(&m, &mut d, EPS, centered).unwrap();
        let a = [1.0 - h * h * k / mass, h - h * h * b / mass, -h * k / mass, 1.0 - h * b / mass];
        close("A", got.A.transpose().as_slice(), &a, DIFFERENCE);
        close("B", got.B.as_slice(), &[h * h * gear / mass, h * gear / mass], DIFFERENCE);
        close("C", got.C.transpose().as_slice(), &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0], DIFFERENCE);
        close("D", got.D.as_slice(), &[0.0, 0.0, 1.0], DIFFERENCE);
    }
}

#[test]
fn controls_are_perturbed_inside_their_range() {
    let m = oscillator();
    let mut d = m.make_data();
    let mut column = |ctrl: f64, centered: bool| {
        d.ctrl[0] = ctrl;
        let got = transition_matrices(&m, &mut d, EPS, centered).unwrap();
        assert_eq!(d.ctrl[0], ctrl);
        got.B[(1, 0)]
    };
    let slope = 0.01 * 3.0 / 2.04;
    for centered in [false, true] {
        for ctrl in [-1.0, 0.0, 1.0] {
            close("slope", &[column(ctrl, centered)], &[slope], DIFFERENCE);
        }
        for ctrl in [-1.5, 1.5] {
            assert_eq!(column(ctrl, centered), 0.0, "the perturbation is outside the range");
        }
    }
}

/// The data after one step from a perturbed state.
fn perturbed_step(m: &Model, d: &Data, perturb: impl Fn(&mut Data)) -> Data {
    let mut d = d.clone();
    perturb(&mut d);
    d.step(m).unwrap();
    d
}

/// `(to − from) / 2 EPS` in the tangent space.
fn slope(m: &Model, from: &Data, to: &Data) -> Vec<f64> {
    let mut slope = vec![0.0; m.nv];
    mj_differentiate_pos(m, &mut slope, 2.0 * EPS, &from.qpos, &to.qpos);
    let pairs = from.qvel.iter().chain(&from.act).zip(to.qvel.iter().chain(&to.act));
    slope.extend(pairs.map(|(from, to)| (to - from) / (2.0 * EPS)));
    slope
}

fn transition_columns_match_differences_of_steps(m: &Model) {
    let m = &with_constraints(m);
    let mut d = driven(m, 31);
    // the reference configuration, which is in contact with the ground
    d.qpos.copy_from_slice(&m.qpos0);
    d.step(m).unwrap();
    d.act.fill(0.3);
    let before = d.clone();
    let got = transition_matrices(m, &mut d, EPS, true).unwrap();
    assert_eq!((d.time, &d.qpos, &d.qvel), (before.time, &before.qpos, &before.qvel));
    assert_eq!((&d.act, &d.ctrl), (&before.act, &before.ctrl));
    assert_eq!(d.qacc_warmstart, before.qacc_warmstart);
    let check = |name: &str, column: &[f64], sensors: &[f64], perturb: &dyn Fn(&mut Data, f64)| {
        let [plus, minus] = [EPS, -EPS].map(|by| perturbed_step(m, &before, |d| perturb(d, by)));
        close(name, column, &slope(m, &minus, &plus), DIFFERENCE);
        let pairs = minus.sensordata.iter().zip(&plus.sensordata);
        let slopes: Vec<f64> = pairs.map(|(from, to)| (to - from) / (2.0 * EPS)).collect();
        close(name, sensors, &slopes, DIFFERENCE);
    };
    let state = |name: &str, k: usize, perturb: &dyn Fn(&mut Data, f64)| {
        check(name, got.A.column(k).as_slice(), got.C.column(k).as_slice(), perturb);
    };
    for i in 0..m.nv {
        state("position", i, &|d, by| {
            let mut unit = vec![0.0; m.nv];
            unit[i] = 1.0;
            mj_integrate_pos(m, &mut d.qpos, &unit, by);
        });
        state("velocity", m.nv + i, &|d, by| d.qvel[i] += by);
    }
    for i in 0..m.na {
        state("activation", 2 * m.nv + i, &|d, by| d.act[i] += by);
    }
    for i in (0..m.nu).filter(|&i| !m.actuator_ctrllimited[i]) {
        let (b, s) = (got.B.column(i), got.D.column(i));
        check("control", b.as_slice(), s.as_slice(), &|d, by| d.ctrl[i] += by);
    }
    let one_sided = transition_matrices(m, &mut d, EPS, false).unwrap();
    let far = (&one_sided.B - &got.B).amax();
    assert!(far <= ONE_SIDED * got.B.amax().max(1.0), "one-sided and centred differ by {far}");
}
on_models!(transition_columns_match_differences_of_steps:
    robots / cartpole, robots / arm6, robots / quadruped, robots / humanoid, chains / chain_10,
    features / actuator_activation, features / ball, features / gear_ball_free, features / forest,
);

fn inverse_rows_match_differences_of_inverse_dynamics(m: &Model) {
    let m = &with_constraints(m);
    let mut d = driven(m, 33);
    for (i, a) in d.qacc.iter_mut().enumerate() {
        *a = 0.1 * i as f64 - 0.4;
    }
    let before = d.clone();
    let got = inverse_matrices(m, &mut d, EPS, false).unwrap();
    assert_eq!((&d.qpos, &d.qvel, &d.qacc), (&before.qpos, &before.qvel, &before.qacc));
    let force = |perturb: &dyn Fn(&mut Data)| {
        let mut d = before.clone();
        perturb(&mut d);
        mj_inverse(m, &mut d).unwrap();
        d
    };
    let here = force(&|_| ());
    let quotient = |from: &[f64], to: &[f64]| -> Vec<f64> {
        from.iter().zip(to).map(|(from, to)| (to - from) / EPS).collect()
    };
    for i in 0..m.nv {
        let position = force(&|d| {
            let mut unit = vec![0.0; m.nv];
            unit[i] = 1.0;
            mj_integrate_pos(m, &mut d.qpos, &unit, EPS);
        });
        let (velocity, acceleration) = (force(&|d| d.qvel[i] += EPS), force(&|d| d.qacc[i] += EPS));
        for (name, there, of_force, of_sensors) in [
            ("position", &position, &got.DfDq, &got.DsDq),
            ("velocity", &velocity, &got.DfDv, &got.DsDv),
            ("acceleration", &acceleration, &got.DfDa, &got.DsDa),
        ] {
            let column = of_force.column(i);
            close(
                name,
                column.as_slice(),
                &quotient(&here.qfrc_inverse, &there.qfrc_inverse),
                DIFFERENCE,
            );
            let column = of_sensors.column(i);
            close(
                name,
                column.as_slice(),
                &quotient(&here.sensordata, &there.sensordata),
                DIFFERENCE,
            );
        }
        close(
            "inertia",
            got.DmDq.column(i).as_slice(),
            &quotient(&here.qM, &position.qM),
            DIFFERENCE,
        );
    }
}
on_models!(inverse_rows_match_differences_of_inverse_dynamics:
    robots / arm6, robots / humanoid, features / ball, features / gear_ball_free,
    features / sensors_acceleration,
);

#[test]
fn force_derivative_by_acceleration_is_the_inertia() {
    let m = model("robots/arm6");
    let mut d = driven(&m, 34);
    let got = inverse_matrices(&m, &mut d, EPS, false).unwrap();
    close("DfDa", got.DfDa.as_slice(), inertia_matrix(&m, &d).as_slice(), DIFFERENCE);
}

#[test]
fn actuator_force_is_subtracted_on_request() {
    let m = load(
        r#"<mujoco><worldbody><body><joint name="j" type="slide" stiffness="2"/>
        <geom size=".1" mass="3"/></body></worldbody>
        <actuator><position joint="j" kp="7" kv="0.5"/></actuator></mujoco>"#,
    );
    let mut d = m.make_data();
    for (actuation, slopes) in [(false, [2.0, 0.0, 3.0]), (true, [9.0, 0.5, 3.0])] {
        let got = inverse_matrices(&m, &mut d, EPS, actuation).unwrap();
        close("slopes", &[got.DfDq[0], got.DfDv[0], got.DfDa[0]], &slopes, DIFFERENCE);
    }
}

#[test]
fn unsupported_configurations_are_rejected() {
    let transition = |m: &Model, d: &mut Data, eps: f64| {
        mjd_transition_fd(m, d, eps, false, None, None, None, None)
    };
    let mut m = oscillator();
    let mut d = m.make_data();
    for eps in [0.0, -1e-6, f64::NAN, f64::INFINITY] {
        assert!(matches!(transition(&m, &mut d, eps), Err(DerivativeError::Step(_))));
    }
    let short = DerivativeError::Length { name: "A", needed: 4, given: 3 };
    let a = Some(&mut [0.0; 3][..]);
    assert_eq!(mjd_transition_fd(&m, &mut d, EPS, false, a, None, None, None), Err(short));
    let short = DerivativeError::Length { name: "DsDa", needed: 3, given: 1 };
    let a = Some(&mut [0.0; 1][..]);
    let inverse = mjd_inverse_fd(&m, &mut d, EPS, false, None, None, None, None, None, a, None);
    assert_eq!(inverse, Err(short));
    d.qvel[0] = f64::NAN;
    let diverged = StepError::Diverged { warning: Warning::BadQvel, index: 0, time: 0.0 };
    assert_eq!(transition(&m, &mut d, EPS), Err(diverged.into()));
    assert!(d.qvel[0].is_nan() && d.time == 0.0, "the state is not reset");
    let inverse = |m: &Model, d: &mut Data| {
        mjd_inverse_fd(m, d, EPS, false, None, None, None, None, None, None, None)
    };
    d.reset(&m);
    m.opt.noslip_iterations = 3;
    assert_eq!(inverse(&m, &mut d), Err(DerivativeError::NoSlip));
    m.opt.integrator = Integrator::Rk4;
    assert_eq!(transition(&m, &mut d, EPS), Err(DerivativeError::RungeKutta));
    assert_eq!(inverse(&m, &mut d), Err(DerivativeError::RungeKutta));
    let m = model("features/actuator_delay");
    assert_eq!(transition(&m, &mut m.make_data(), EPS), Err(DerivativeError::Delay));
}

/// Implicit integrators keep their matrix while controls are perturbed_step, which changes nothing where the
/// matrix does not depend on them.
#[test]
fn all_single_stage_integrators_are_supported() {
    let mut m = model("robots/arm6");
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast, Integrator::ImplicitEuler] {
        m.opt.integrator = integrator;
        let mut d = driven(&m, 35);
        d.ctrl.fill(0.0);
        let before = d.clone();
        let got = transition_matrices(&m, &mut d, EPS, true).unwrap();
        for i in 0..m.nu {
            let [plus, minus] =
                [EPS, -EPS].map(|by| perturbed_step(&m, &before, |d| d.ctrl[i] += by));
            close("B", got.B.column(i).as_slice(), &slope(&m, &minus, &plus), DIFFERENCE);
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn parallel_results_are_bit_identical() {
    use sim_core::{mjd_inverse_fd_parallel, mjd_transition_fd_parallel};
    for path in ["robots/humanoid", "robots/quadruped", "features/actuator_activation"] {
        let m = model(path);
        let mut d = driven(&m, 36);
        d.qpos.copy_from_slice(&m.qpos0);
        let (nx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
        for centered in [false, true] {
            let mut one = [nx * nx, nx * nu, ns * nx, ns * nu].map(|size| vec![0.0; size]);
            let mut many = one.clone();
            let [a, b, c, s] = one.each_mut().map(|x| Some(&mut x[..]));
            mjd_transition_fd(&m, &mut d, EPS, centered, a, b, c, s).unwrap();
            let [a, b, c, s] = many.each_mut().map(|x| Some(&mut x[..]));
            mjd_transition_fd_parallel(&m, &mut d, EPS, centered, a, b, c, s).unwrap();
            assert_eq!(one, many, "{path}");
        }
        let (nv, nm) = (m.nv, m.nM);
        let mut one = [nv, nv, nv, ns, ns, ns, nm].map(|width| vec![0.0; nv * width]);
        let mut many = one.clone();
        let [fq, fv, fa, sq, sv, sa, mq] = one.each_mut().map(|x| Some(&mut x[..]));
        mjd_inverse_fd(&m, &mut d, EPS, true, fq, fv, fa, sq, sv, sa, mq).unwrap();
        let [fq, fv, fa, sq, sv, sa, mq] = many.each_mut().map(|x| Some(&mut x[..]));
        mjd_inverse_fd_parallel(&m, &mut d, EPS, true, fq, fv, fa, sq, sv, sa, mq).unwrap();
        assert_eq!(one, many, "{path}");
    }
}
