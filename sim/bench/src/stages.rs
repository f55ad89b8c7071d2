//! Time of each stage, in a build with feature `profile`.

use crate::advance;
use crate::scene::Scene;
use crate::side_by_side::{Failure, own_state};
use serde_json::{Map, Value, json};
use sim_core::Timer;
use std::path::Path;

/// Times the stages of one scene.
///
/// # Errors
/// When the model does not load or step.
pub fn measure(scene: &Scene, temp: &Path) -> Result<Value, Failure> {
    let model = sim_conformance::parse(&scene.file(temp)?)?.compile()?;
    let (mut d, controls) = own_state(&model, scene)?;
    d.timer = Default::default();
    advance(&model, &mut d, &controls, scene.batch())?;
    let stages: Map<String, Value> = Timer::ALL
        .iter()
        .zip(d.timer)
        .map(|((name, _), stat)| {
            ((*name).to_owned(), json!(1e6 * stat.duration / scene.batch() as f64))
        })
        .collect();
    Ok(Value::Object(stages))
}
