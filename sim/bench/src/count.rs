//! A fixed number of steps of a scene, whose instructions `cargo xtask instructions` counts under Valgrind.

use crate::scene::Scene;
use crate::side_by_side::Failure;
use sim_conformance::Overrides;
use sim_core::{Data, Model};
use std::path::Path;

/// Steps before those that are counted, so that contacts and warm starts exist.
const WARM_UP: usize = 100;

/// Takes steps of a scene with periodic controls.
///
/// # Errors
/// If the model does not load or a step fails.
pub fn run(
    scene: &Scene,
    folder: &Path,
    overrides: &Overrides,
    steps: usize,
) -> Result<(), Failure> {
    let mut model = sim_mjcf::load_file(&scene.file(folder)?)?;
    overrides.apply(&mut model);
    let mut data = model.make_data();
    for step in 0..WARM_UP {
        set_ctrl(&mut data, step);
        data.step(&model)?;
    }
    counted_steps(&model, &mut data, steps)
}

/// Valgrind counts the instructions of this function, which it finds by its name.
#[inline(never)]
fn counted_steps(model: &Model, data: &mut Data, steps: usize) -> Result<(), Failure> {
    for step in WARM_UP..WARM_UP + steps {
        set_ctrl(data, step);
        data.step(model)?;
    }
    Ok(())
}

fn set_ctrl(data: &mut Data, step: usize) {
    for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
        *ctrl = 0.2 * (0.02 * step as f64 + i as f64).sin();
    }
}
