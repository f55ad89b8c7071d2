//! Order of the integrators: how the error falls when the step is halved.

use crate::models::{conservative, moving, steps};
use crate::tolerance::largest;
use sim_core::Model;
use sim_core::types::Integrator;

/// Positions and velocities after a tenth of a second in `count` steps.
fn after(m: &Model, count: usize) -> Vec<f64> {
    let mut m = m.clone();
    m.opt.timestep = 0.1 / count as f64;
    let mut d = moving(&m, 5);
    steps(&m, &mut d, count);
    [d.qpos, d.qvel].concat()
}

/// The factor by which the error falls when `count` steps become twice as many.
fn gain(m: &Model, integrator: Integrator, count: usize) -> f64 {
    let mut exact = conservative(m);
    let truth = after(&exact, 64 * count);
    exact.opt.integrator = integrator;
    let error = |count| {
        let got = after(&exact, count);
        largest(&got.iter().zip(&truth).map(|(a, b)| a - b).collect::<Vec<_>>())
    };
    error(count) / error(2 * count)
}

fn runge_kutta_has_order_four(m: &Model) {
    let gain = gain(m, Integrator::Rk4, 16);
    assert!((12.0..22.0).contains(&gain), "error falls by {gain}, not 16");
}
on_models!(runge_kutta_has_order_four:
    robots / arm6, robots / cartpole, robots / double_pendulum,
    features / rk4_tree, features / slide,
);

/// The stages average angular velocities of different body frames, as the reference engine does,
/// which costs two orders where a quaternion turns.
fn runge_kutta_of_quaternions_has_order_two(m: &Model) {
    let gain = gain(m, Integrator::Rk4, 64);
    assert!((3.5..4.5).contains(&gain), "error falls by {gain}, not 4");
}
on_models!(runge_kutta_of_quaternions_has_order_two:
    features / branching_tree, features / ball, features / rk4_ball_free, robots / humanoid,
);

fn euler_has_order_one(m: &Model) {
    let gain = gain(m, Integrator::Euler, 64);
    assert!((1.8..2.2).contains(&gain), "error falls by {gain}, not 2");
}
on_models!(euler_has_order_one:
    robots / arm6, robots / cartpole, robots / double_pendulum, robots / humanoid,
    robots / quadruped, chains / chain_10, features / ball, features / free,
);

/// The integrators that are implicit in velocity, ours included, are of first order too.
fn implicit_integrators_have_order_one(m: &Model) {
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast, Integrator::ImplicitEuler] {
        let gain = gain(m, integrator, 64);
        assert!((1.8..2.2).contains(&gain), "{integrator:?}: error falls by {gain}, not 2");
    }
}
on_models!(implicit_integrators_have_order_one:
    robots / arm6, robots / cartpole, robots / double_pendulum, robots / humanoid,
    robots / quadruped, chains / chain_10, features / ball, features / springdamper,
    features / tendon_spring_damper,
);
