//! Array arguments: inputs are copied to vectors, outputs are written after the engine function has returned, so that
//! an argument may be a view of the data that the function uses.

use crate::error;
use numpy::{AllowTypeChange, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_physics::types::ObjType;

/// An input array of numbers: a NumPy array or anything that converts to one.
pub struct In(pub Vec<f64>);

impl<'a, 'py> FromPyObject<'a, 'py> for In {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = object
            .extract()
            .map_err(|_| error::exception("DTypeError", "expected an array of numbers"))?;
        Ok(Self(array.as_array().iter().copied().collect()))
    }
}

impl In {
    /// The values, of which there must be `length`.
    ///
    /// # Errors
    /// If the length is another.
    pub fn sized(&self, name: &str, length: usize) -> PyResult<&[f64]> {
        if self.0.len() == length {
            return Ok(&self.0);
        }
        Err(error::shape(format!("{name} should have {length} values, but has {}", self.0.len())))
    }

    /// The values as an array of `N`.
    ///
    /// # Errors
    /// If the length is another.
    pub fn fixed<const N: usize>(&self, name: &str) -> PyResult<[f64; N]> {
        let values = self.sized(name, N)?;
        values.try_into().map_err(|_| error::shape(format!("{name} should have {N} values")))
    }
}

/// An output array: a writable NumPy array in double precision.
pub struct Out<'py>(Bound<'py, PyArrayDyn<f64>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Out<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = object.cast::<PyArrayDyn<f64>>().map_err(|_| {
            let dtype = object.getattr("dtype").map(|d| d.to_string());
            let given = dtype.unwrap_or_else(|_| object.get_type().to_string());
            error::exception(
                "DTypeError",
                format!("an output must be a NumPy array of float64, not {given}: use numpy.zeros(shape)"),
            )
        })?;
        Ok(Self(array.to_owned()))
    }
}

impl Out<'_> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The shape.
    pub fn shape(&self) -> Vec<usize> {
        self.0.shape().to_vec()
    }

    /// Checks the number of elements.
    ///
    /// # Errors
    /// If it is not `length`.
    pub fn check(&self, name: &str, length: usize) -> PyResult<()> {
        if self.len() == length {
            return Ok(());
        }
        Err(error::shape(format!(
            "{name} should have {length} elements, but has shape {:?}",
            self.0.shape()
        )))
    }

    /// Checks the shape.
    ///
    /// # Errors
    /// If it is another.
    pub fn check_shape(&self, name: &str, shape: &[usize], symbols: &str) -> PyResult<()> {
        if self.0.shape() == shape {
            return Ok(());
        }
        Err(error::shape(format!(
            "{name} should be of shape {symbols} = {shape:?}, but has {:?}",
            self.0.shape()
        )))
    }

    /// A copy of the values.
    pub fn to_vec(&self) -> Vec<f64> {
        self.0.readonly().as_array().iter().copied().collect()
    }

    /// Writes the values.
    ///
    /// # Errors
    /// If the array is read-only.
    pub fn write(&self, values: &[f64]) -> PyResult<()> {
        let mut array = self
            .0
            .try_readwrite()
            .map_err(|e| error::value(format!("cannot write the output: {e}")))?;
        array.as_array_mut().iter_mut().zip(values).for_each(|(to, from)| *to = *from);
        Ok(())
    }
}

/// Writes an optional output.
///
/// # Errors
/// If the array is read-only.
pub fn write_optional(out: Option<&Out<'_>>, values: &[f64]) -> PyResult<()> {
    out.map_or(Ok(()), |out| out.write(values))
}

/// An index of an element.
///
/// # Errors
/// If it is out of range.
pub fn index(name: &str, id: i64, count: usize) -> PyResult<usize> {
    usize::try_from(id).ok().filter(|&id| id < count).ok_or_else(|| {
        pyo3::exceptions::PyIndexError::new_err(format!(
            "{name} {id} is out of range: the model has {count}"
        ))
    })
}

/// An object type by MuJoCo's number (`mjtObj`).
///
/// # Errors
/// If there is none with this number.
pub fn object_type(number: i32) -> PyResult<ObjType> {
    ObjType::from_number(number).ok_or_else(|| {
        PyTypeError::new_err(format!("{number} is not an object type; use a member of mjtObj"))
    })
}
