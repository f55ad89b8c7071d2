//! Tasks by description: the values that `sim_physics/envs/described.py` makes from dictionaries.

use crate::error;
use pyo3::prelude::*;
use sim_envs::{Array, DescribedTask, Function, Quantity, RewardTerm};

/// A task that is described by data.
pub struct Description(pub DescribedTask);

/// Array, element, part and bounds.
type Fields = (String, Option<String>, Option<(usize, usize)>, Option<(f64, f64)>);

impl<'a, 'py> FromPyObject<'a, 'py> for Description {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        type Reward = (String, Fields, String, f64, f64);
        let field = |name: &str| object.getattr(name);
        let observation: Vec<Fields> = field("observation")?.extract()?;
        let reward: Vec<Reward> = field("reward")?.extract()?;
        let healthy: Vec<(Fields, (f64, f64))> = field("healthy")?.extract()?;
        let reward = reward.into_iter().map(|(name, fields, kind, scale, weight)| {
            let function = function(&kind, scale)?;
            Ok(RewardTerm { name, quantity: quantity(fields)?, function, weight })
        });
        let healthy = healthy.into_iter().map(|(fields, range)| Ok((quantity(fields)?, range)));
        Ok(Self(DescribedTask {
            observation: observation.into_iter().map(quantity).collect::<PyResult<_>>()?,
            reward: reward.collect::<PyResult<_>>()?,
            healthy: healthy.collect::<PyResult<_>>()?,
            qpos_noise: field("qpos_noise")?.extract()?,
            qvel_noise: field("qvel_noise")?.extract()?,
            keyframe: field("keyframe")?.extract()?,
        }))
    }
}

fn quantity((array, element, part, clip): Fields) -> PyResult<Quantity> {
    let found = Array::from_name(&array).ok_or_else(|| {
        let near = error::near_names(&array, &super::_task_arrays());
        error::exception(
            "UnknownNameError",
            format!("tasks have no array '{array}'; the nearest are {near}"),
        )
    })?;
    let mut quantity = element.map_or_else(|| Quantity::new(found), |e| Quantity::of(found, e));
    if let Some((start, end)) = part {
        quantity = quantity.part(start..end);
    }
    if let Some((low, high)) = clip {
        quantity = quantity.clip(low, high);
    }
    Ok(quantity)
}

fn function(name: &str, scale: f64) -> PyResult<Function> {
    Ok(match name {
        "one" => Function::One,
        "sum" => Function::Sum,
        "square_sum" => Function::SquareSum,
        "norm" => Function::Norm,
        "rate" => Function::Rate,
        "gaussian" => Function::Gaussian { scale },
        _ => {
            return Err(error::value(format!(
                "`function` is '{name}', but must be 'one', 'sum', 'square_sum', 'norm', 'rate' or 'gaussian'"
            )));
        }
    })
}
