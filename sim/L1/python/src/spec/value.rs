//! Conversion of the values of spec fields to and from Python: numbers, NumPy arrays, strings and enums.

use crate::error;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use sim_physics::mjcf::spec::{
    Angle, ColorSpace, Elastic2d, Interpolation, Mark, MeshCollider, MeshInertia, Pattern,
    SelfCollide, TextureType, Tri,
};
use sim_physics::types::{
    BiasType, CamLightMode, DataType, DynType, EqType, GainType, GeomType, JointType, LightType,
    ObjType, Projection, SensorStage, SensorType, SleepPolicy, TransmissionType,
};
use std::sync::Arc;

/// A value of a field of an element.
pub trait Value {
    /// The value as a Python object.
    ///
    /// # Errors
    /// If Python has no memory.
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;

    /// Sets the value.
    ///
    /// # Errors
    /// If the object has the wrong type, size or number.
    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()>;
}

/// Values that PyO3 converts.
macro_rules! plain {
    ($($type:ty),*) => {
        $(impl Value for $type {
            fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(self.clone().into_pyobject(py)?.into_any())
            }

            fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
                *self = object.extract()?;
                Ok(())
            }
        })*
    };
}

plain!(String, f64, i32, f32);

impl Value for bool {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        i32::from(*self).get(py)
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        *self = object.is_truthy()?;
        Ok(())
    }
}

/// The elements of a NumPy array.
fn numbers<T: Element + Copy>(object: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let array = object
        .cast::<PyArray1<T>>()
        .map_err(|_| PyTypeError::new_err("a vector of numbers is needed"))?;
    Ok(array.readonly().as_array().iter().copied().collect())
}

impl<T: Element + Copy, const N: usize> Value for [T; N] {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyArray1::from_slice(py, self).into_any())
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let values = numbers(object)?;
        let found = values.len();
        let size = || error::shape(format!("{N} numbers are needed, but {found} are given"));
        *self = values.try_into().map_err(|_| size())?;
        Ok(())
    }
}

impl<T: Element + Copy> Value for Vec<T> {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyArray1::from_slice(py, self).into_any())
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        *self = numbers(object)?;
        Ok(())
    }
}

impl<T: Element + Copy> Value for Arc<[T]> {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyArray1::from_slice(py, self).into_any())
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        *self = numbers(object)?.into();
        Ok(())
    }
}

/// A list of names.
#[derive(Debug, Default)]
pub struct Names(pub Vec<String>);

impl Value for Names {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, &self.0)?.into_any())
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        for item in object.try_iter()? {
            self.0.push(item?.extract()?);
        }
        Ok(())
    }
}

/// Bytes.
pub struct Bytes<'a>(pub &'a mut Arc<[u8]>);

impl Value for Bytes<'_> {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyBytes::new(py, self.0).into_any())
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        *self.0 = object.extract::<Vec<u8>>()?.into();
        Ok(())
    }
}

/// Enums with MuJoCo's numbers.
macro_rules! enums {
    ($($type:ident),*) => {
        $(impl Value for $type {
            fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.number().get(py)
            }

            fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
                let number: i32 = object.extract()?;
                let invalid = || error::value(format!("{} has no value {number}", stringify!($type)));
                *self = Self::from_number(number).ok_or_else(invalid)?;
                Ok(())
            }
        })*
    };
}

enums!(
    JointType,
    GeomType,
    CamLightMode,
    LightType,
    Projection,
    SleepPolicy,
    TextureType,
    ColorSpace,
    DynType,
    GainType,
    BiasType,
    TransmissionType,
    Interpolation,
    SensorType,
    ObjType,
    DataType,
    SensorStage,
    EqType
);

/// Enums of the reader, whose variants are listed in the order of their numbers.
macro_rules! listed {
    ($($type:ty: $($variant:expr),*;)*) => {
        $(impl Value for $type {
            fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let number = [$($variant),*].iter().position(|variant| variant == self);
                number.unwrap_or(0).into_pyobject(py).map(Bound::into_any).map_err(Into::into)
            }

            fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
                let number: usize = object.extract()?;
                let invalid = || error::value(format!("{} has no value {number}", stringify!($type)));
                *self = [$($variant),*].get(number).copied().ok_or_else(invalid)?;
                Ok(())
            }
        })*
    };
}

listed! {
    Tri: Self::False, Self::True, Self::Auto;
    Angle: Self::Radian, Self::Degree;
    MeshInertia: Self::Convex, Self::Exact, Self::Legacy, Self::Shell;
    MeshCollider: Self::Hull, Self::Triangles;
    Mark: Self::None, Self::Edge, Self::Cross, Self::Random;
    Option<Pattern>: None, Some(Pattern::Gradient), Some(Pattern::Checker), Some(Pattern::Flat);
    SelfCollide: Self::None, Self::Narrow, Self::Bvh, Self::Sap, Self::Auto;
    Elastic2d: Self::None, Self::Bend, Self::Stretch, Self::Both;
}

/// A number that may be absent, which is NaN in Python.
pub struct OrNan<'a>(pub &'a mut Option<f64>);

impl Value for OrNan<'_> {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.unwrap_or(f64::NAN).get(py)
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        *self.0 = Some(object.extract()?).filter(|x: &f64| !x.is_nan());
        Ok(())
    }
}

/// A vector that may be absent; its first element is NaN then.
pub struct OrNans<'a, const N: usize>(pub &'a mut Option<[f64; N]>);

impl<const N: usize> Value for OrNans<'_, N> {
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut absent = [0.0; N];
        absent[0] = f64::NAN;
        self.0.unwrap_or(absent).get(py)
    }

    fn set(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut values = [0.0_f64; N];
        values.set(object)?;
        *self.0 = Some(values).filter(|v| !v[0].is_nan());
        Ok(())
    }
}
