//! Functions under MuJoCo's names and signatures.
#![allow(non_snake_case, reason = "MuJoCo's names of functions and arguments")]

mod jacobian;
mod math;
pub mod pipeline;
mod schema;
mod state;
mod support;

use pyo3::prelude::*;

/// Adds the functions to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    pipeline::register(module)?;
    math::register(module)?;
    jacobian::register(module)?;
    schema::register(module)?;
    state::register(module)?;
    support::register(module)
}
