//! Calls of engine functions: locks, released interpreter, panics and interrupts.

use crate::callback;
use crate::data::MjData;
use crate::error;
use crate::memory::Busy;
use crate::model::MjModel;
use pyo3::prelude::*;
use sim_physics::types::StepError;
use sim_physics::{Data, Model};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of an engine function that may fail.
pub trait Outcome: Send {
    /// The value that Python receives.
    type Value;
    /// The value or an exception.
    ///
    /// # Errors
    /// The error of the function.
    fn into_py(self) -> PyResult<Self::Value>;
}

impl Outcome for () {
    type Value = ();
    fn into_py(self) -> PyResult<()> {
        Ok(())
    }
}

impl Outcome for Result<(), StepError> {
    type Value = ();
    #[inline]
    fn into_py(self) -> PyResult<()> {
        self.map_err(|error| error::step(&error))
    }
}

/// Any other value.
pub struct Plain<T>(pub T);

impl<T: Send> Outcome for Plain<T> {
    type Value = T;
    fn into_py(self) -> PyResult<T> {
        Ok(self.0)
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("internal error of the engine: {}", text.unwrap_or_else(|| "unknown".to_owned()))
}

/// Calls `f` and converts a panic to a `FatalError`.
///
/// # Errors
/// If `f` panicked.
pub fn guarded<R>(f: impl FnOnce() -> R) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| error::fatal(message(&*panic)))
}

/// Calls an engine function that changes a data, without holding the interpreter.
///
/// # Errors
/// If another thread uses the data, it does not belong to the model, or the function fails.
#[inline]
pub fn run<R: Outcome>(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    f: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R::Value> {
    let py = m.py();
    let has_callbacks = callback::prepare(m)?;
    let objects = (m, d);
    let (m, d) = (m.get(), d.get());
    m.sync(py)?;
    let memory = d.memory.get();
    let model = m.memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
    let mut data = memory.shared().write().map_err(|Busy| error::busy("MjData"))?;
    d.check_model(m, &model)?;
    let (model, target): (&Model, &mut Data) = (&model, &mut data);
    let scope = has_callbacks.then(|| callback::enter(objects.0, objects.1));
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(|| f(model, target))));
    let callbacks = scope.map_or(Ok(()), callback::Scope::leave);
    match outcome {
        Ok(outcome) => callbacks.and_then(|()| outcome.into_py()),
        Err(panic) => {
            memory.check_after_panic(&mut data);
            Err(error::fatal(message(&*panic)))
        }
    }
}

/// Calls an engine function that reads a data.
///
/// # Errors
/// If another thread steps the data, it does not belong to the model, or the function panicked.
pub fn read<R>(
    py: Python<'_>,
    m: &MjModel,
    d: &MjData,
    f: impl FnOnce(&Model, &Data) -> R,
) -> PyResult<R> {
    m.sync(py)?;
    let model = m.memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
    let data = d.memory.get().shared().read().map_err(|Busy| error::busy("MjData"))?;
    d.check_model(m, &model)?;
    guarded(|| f(&model, &data))
}
