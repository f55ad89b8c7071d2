//! System identification: mass and damping of a pendulum from measured angles, by Gauss–Newton on
//! rollouts.

use nalgebra::{DMatrix, DVector, Vector2};
use sim_examples::{Random, Recorder};
use sim_physics::prelude::*;

const PENDULUM: &str = r#"
<mujoco>
  <worldbody>
    <body>
      <joint name="swing" axis="0 1 0" damping=".1"/>
      <geom name="rod" type="capsule" size=".02" fromto="0 0 0 0 0 -.5" mass=".1"/>
      <body name="bob" pos="0 0 -.5"><geom size=".05" mass="1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="swing"/></actuator>
</mujoco>"#;

/// Number of steps of a measurement.
const STEPS: usize = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(PENDULUM)?;
    let truth = Vector2::new(1.37, 0.083);
    let mut random = Random(3);
    let measured = simulate(&model, truth)?.map(|angle| angle + 1e-3 * random.number());

    let mut guess = Vector2::new(0.8, 0.2);
    let first = simulate(&model, guess)?;
    for round in 0..8 {
        let angles = simulate(&model, guess)?;
        let mut jacobian = DMatrix::zeros(STEPS, 2);
        for k in 0..2 {
            let mut perturbed = guess;
            perturbed[k] += 1e-5;
            jacobian.set_column(k, &((simulate(&model, perturbed)? - &angles) / 1e-5));
        }
        let error = &measured - &angles;
        println!(
            "{round}  mass {:.4} kg  damping {:.4} N m s  error {:.5} rad",
            guess[0],
            guess[1],
            error.norm() / (STEPS as f64).sqrt()
        );
        let normal = jacobian.transpose() * &jacobian;
        let step = normal
            .lu()
            .solve(&(jacobian.transpose() * error))
            .ok_or("singular normal equations")?;
        // keep the parameters positive
        for k in 0..2 {
            guess[k] += step[k].max(-0.5 * guess[k]);
        }
    }
    let mut table = Recorder::new(&["angle measured", "angle first-guess", "angle found"])?;
    let found = simulate(&model, guess)?;
    for k in 0..STEPS {
        table.add(k as f64 * model.opt.timestep, &[measured[k], first[k], found[k]])?;
    }
    assert!((guess - truth).norm() < 0.01, "found {guess}, expected {truth}");
    Ok(())
}

/// Angles of the driven pendulum with this mass and damping.
fn simulate(
    model: &Model,
    parameters: Vector2<f64>,
) -> Result<DVector<f64>, Box<dyn std::error::Error>> {
    let (mass, damping) = (parameters[0], parameters[1]);
    let mut model = model.clone();
    let bob = model.name2id(sim_physics::types::ObjType::Body, "bob").ok_or("no bob")?;
    // the inertia of a sphere is proportional to its mass
    let scale = mass / model.body_mass[bob];
    model.body_mass[bob] = mass;
    model.body_inertia[3 * bob..3 * bob + 3].iter_mut().for_each(|i| *i *= scale);
    model.dof_damping[0] = damping;
    sim_physics::mujoco::mj_set_const(&mut model);
    let mut sim = Simulation::new(model);
    sim.set_joint_pos("swing", &[0.5])?;
    let mut angles = DVector::zeros(STEPS);
    for k in 0..STEPS {
        sim.data_mut().ctrl[0] = if k < STEPS / 2 { 0.5 } else { 0.0 };
        sim.step()?;
        angles[k] = sim.joint_pos("swing")?[0];
    }
    Ok(angles)
}
