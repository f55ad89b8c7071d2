//! Exceptions: the classes are defined in `sim_physics/_errors.py`, errors of the engine are converted here.

use crate::memory::Busy;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyModule};
use sim_physics::mjcf;
use sim_physics::types::{StateError, StepError};

/// The module with the exception classes.
fn classes(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let import = || PyModule::import(py, "sim_physics._errors").map(Bound::unbind);
    Ok(MODULE.get_or_try_init(py, import)?.bind(py))
}

/// An exception of the class `name` of `sim_physics._errors`.
pub fn exception(name: &str, message: impl Into<String>) -> PyErr {
    let message = message.into();
    Python::attach(|py| {
        let raise = || classes(py)?.getattr(name)?.call1((message,));
        raise().map_or_else(|error| error, PyErr::from_value)
    })
}

/// Another thread steps the object.
pub fn busy(class: &str) -> PyErr {
    exception(
        "BusyError",
        format!(
            "this {class} is in use by another thread: step it from one thread at a time, or give each thread its \
             own copy (`copy.copy`)"
        ),
    )
}

impl From<Busy> for PyErr {
    fn from(_: Busy) -> Self {
        busy("object")
    }
}

/// Arguments of unsuitable shape.
pub fn shape(message: impl Into<String>) -> PyErr {
    exception("ShapeError", message)
}

/// A value that is out of range or inconsistent.
pub fn value(message: impl Into<String>) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(message.into())
}

/// An error of the engine that MuJoCo would report as fatal.
pub fn fatal(message: impl Into<String>) -> PyErr {
    exception("FatalError", message)
}

/// A failed step.
pub fn step(error: &StepError) -> PyErr {
    let class = match error {
        StepError::Diverged { .. } | StepError::SingularMassMatrix { .. } => "DivergedError",
        StepError::Unsupported(_) => "UnsupportedError",
        _ => "FatalError",
    };
    exception(class, error.to_string())
}

/// An invalid state vector.
pub fn state(error: &StateError) -> PyErr {
    match error {
        StateError::Length { .. } => shape(error.to_string()),
        _ => value(error.to_string()),
    }
}

/// Errors of a model file, with their locations.
pub fn load(py: Python<'_>, errors: &mjcf::Errors) -> PyErr {
    let build = || {
        let list = PyList::empty(py);
        for error in errors {
            let entry = PyDict::new(py);
            entry.set_item("file", &error.location.file)?;
            entry.set_item("line", error.location.line)?;
            entry.set_item("column", error.location.column)?;
            entry.set_item("element", &error.element)?;
            entry.set_item("attribute", error.attribute.as_deref())?;
            entry.set_item("message", error.kind.to_string())?;
            list.append(entry)?;
        }
        classes(py)?.getattr("XMLError")?.call1((errors.to_string(), list))
    };
    build().map_or_else(|error| error, PyErr::from_value)
}

/// Names at most `limit` edits away from `name`, nearest first, and then others up to a total of twelve.
pub fn near_names(name: &str, names: &[&str]) -> String {
    let mut sorted: Vec<&str> = names.to_vec();
    sorted.sort_by_key(|candidate| (distance(name, candidate), *candidate));
    let shown: Vec<String> = sorted.iter().take(12).map(|n| format!("'{n}'")).collect();
    let more =
        if names.len() > 12 { format!(", and {} more", names.len() - 12) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
