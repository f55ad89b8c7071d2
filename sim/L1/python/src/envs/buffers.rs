//! NumPy arrays that the environments read and write in place.

use crate::error;
use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

/// A writable array with values of all environments.
pub struct Values<'py, T: Element>(PyReadwriteArrayDyn<'py, T>);

impl<'a, 'py, T: Element> FromPyObject<'a, 'py> for Values<'py, T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = object.cast::<PyArrayDyn<T>>().map_err(|_| wrong_dtype(&object))?;
        let array = array.try_readwrite();
        array.map(Self).map_err(|e| error::value(format!("cannot write the output: {e}")))
    }
}

/// Observations in single or double precision.
pub enum Observations<'py> {
    Single(Values<'py, f32>),
    Double(Values<'py, f64>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Observations<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.cast::<PyArrayDyn<f32>>().is_ok() {
            return object.extract().map(Self::Single);
        }
        object.extract().map(Self::Double)
    }
}

/// Actions in single or double precision.
pub enum Actions<'py> {
    Single(PyReadonlyArrayDyn<'py, f32>),
    Double(PyReadonlyArrayDyn<'py, f64>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Actions<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let busy = |e| error::value(format!("cannot read the actions: {e}"));
        if let Ok(array) = object.cast::<PyArrayDyn<f32>>() {
            return array.try_readonly().map(Self::Single).map_err(busy);
        }
        let array = object.cast::<PyArrayDyn<f64>>().map_err(|_| wrong_dtype(&object))?;
        array.try_readonly().map(Self::Double).map_err(busy)
    }
}

impl Actions<'_> {
    /// Checks the shape.
    ///
    /// # Errors
    /// If it is not (rows, columns).
    pub fn check(&self, rows: usize, columns: usize) -> PyResult<()> {
        let shape = match self {
            Self::Single(array) => array.shape(),
            Self::Double(array) => array.shape(),
        };
        if shape == [rows, columns] {
            return Ok(());
        }
        Err(error::shape(format!(
            "actions should be of shape (num_envs, action_size) = ({rows}, {columns}), but have {shape:?}"
        )))
    }
}

fn wrong_dtype(object: &Bound<'_, PyAny>) -> PyErr {
    let dtype = object.getattr("dtype").map(|dtype| dtype.to_string());
    let given = dtype.unwrap_or_else(|_| object.get_type().to_string());
    let text = format!(
        "expected a NumPy array of float32 or float64 for actions and observations, of float64 for rewards and of \
         bool for flags, not {given}"
    );
    error::exception("DTypeError", text)
}

fn not_contiguous(name: &str) -> PyErr {
    error::shape(format!(
        "{name} should be a contiguous array: use numpy.ascontiguousarray, or numpy.empty for outputs"
    ))
}

/// The values of a writable array.
///
/// # Errors
/// If it is not contiguous.
pub fn slice_mut<'a, T: Element>(
    name: &str,
    array: &'a mut Values<'_, T>,
) -> PyResult<&'a mut [T]> {
    array.0.as_slice_mut().map_err(|_| not_contiguous(name))
}

/// The values of an array.
///
/// # Errors
/// If it is not contiguous.
pub fn slice<'a, T: Element>(
    name: &str,
    array: &'a PyReadonlyArrayDyn<'_, T>,
) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| not_contiguous(name))
}
