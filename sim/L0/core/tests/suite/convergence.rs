//! Convergence order of the integrators, from the error ratio when the step is halved.

use crate::models::{conservative, moving, steps};
use crate::tolerance::largest;
use sim_core::Model;
use sim_core::types::Integrator;

/// Positions and velocities after 0.1 s in `count` steps.
fn state_after(m: &Model, count: usize) -> Vec<f64> {
    let mut m = m.clone();
    m.opt.timestep = 0.1 / count as f64;
    let mut d = moving(&m, 5);
    steps(&m, &mut d, count);
    [d.qpos, d.qvel].concat()
}

/// Ratio of the errors with `count` and `2 * count` steps.
fn error_ratio(m: &Model, integrator: Integrator, count: usize) -> f64 {
    let mut exact = conservative(m);
    let truth = state_after(&exact, 64 * count);
    exact.opt.integrator = integrator;
    let error = |count| {
        let got = state_after(&exact, count);
        largest(&got.iter().zip(&truth).map(|(a, b)| a - b).collect::<Vec<_>>())
    };
    error(count) / error(2 * count)
}

fn runge_kutta_has_order_four(m: &Model) {
    let ratio = error_ratio(m, Integrator::Rk4, 16);
    assert!((12.0..22.0).contains(&ratio), "error ratio {ratio}, expected 16");
}
on_models!(runge_kutta_has_order_four:
    robots / arm6, robots / cartpole, robots / double_pendulum,
    features / rk4_tree, features / slide,
);

/// As in MuJoCo, the stages average angular velocities of different body frames, which reduces the order to
/// two for quaternion joints.
fn runge_kutta_of_quaternions_has_order_two(m: &Model) {
    let ratio = error_ratio(m, Integrator::Rk4, 64);
    assert!((3.5..4.5).contains(&ratio), "error ratio {ratio}, expected 4");
}
on_models!(runge_kutta_of_quaternions_has_order_two:
    features / branching_tree, features / ball, features / rk4_ball_free, robots / humanoid,
);

fn euler_has_order_one(m: &Model) {
    let ratio = error_ratio(m, Integrator::Euler, 64);
    assert!((1.8..2.2).contains(&ratio), "error ratio {ratio}, expected 2");
}
on_models!(euler_has_order_one:
    robots / arm6, robots / cartpole, robots / double_pendulum, robots / humanoid,
    robots / quadruped, chains / chain_10, features / ball, features / free,
);

/// The integrators that are implicit in velocity are of first order as well.
fn implicit_integrators_have_order_one(m: &Model) {
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast, Integrator::ImplicitEuler] {
        let ratio = error_ratio(m, integrator, 64);
        assert!((1.8..2.2).contains(&ratio), "{integrator:?}: error ratio {ratio}, expected 2");
    }
}
on_models!(implicit_integrators_have_order_one:
    robots / arm6, robots / cartpole, robots / double_pendulum, robots / humanoid,
    robots / quadruped, chains / chain_10, features / ball, features / springdamper,
    features / tendon_spring_damper,
);
