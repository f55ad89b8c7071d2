//! `MjOption`, `MjStatistic` and `MjVisual`: the settings of a model, which are read and written in place.

use crate::error;
use crate::memory::{Busy, Getter, ModelMemory, Setter, add_property};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyEllipsis, PyType};
use sim_physics::Model;
use sim_physics::core::ModelSizes;
use sim_physics::types::{
    Headlight, NumericMut, Options, Statistic, VisualGlobal, VisualMap, VisualQuality, VisualRgba,
    VisualScale,
};

/// The value of a field.
enum Value {
    Real(f64),
    Integer(i32),
    Reals(Vec<f64>),
    Floats(Vec<f32>),
    Absent,
}

impl Value {
    fn of(field: Option<NumericMut<'_>>) -> Self {
        match field {
            Some(NumericMut::F64(x)) => Self::Real(*x),
            Some(NumericMut::F32(x)) => Self::Real(f64::from(*x)),
            Some(NumericMut::I32(x)) => Self::Integer(*x),
            Some(NumericMut::Enum(x)) => Self::Integer(x.get()),
            Some(NumericMut::F64s(v)) => Self::Reals(v.to_vec()),
            Some(NumericMut::F32s(v)) => Self::Floats(v.to_vec()),
            None => Self::Absent,
        }
    }
}

/// The functions that access a field by its index, in place and by a copy of its section.
#[derive(Clone, Copy)]
struct Access {
    field: fn(&mut Model, usize) -> Option<NumericMut<'_>>,
    value: fn(&Model, usize) -> Value,
}

/// Reads a field of a section by its index; vectors are views, cached in `arrays`.
///
/// A callback can read the settings of the model that is being stepped; vectors that were not accessed before are
/// copies then.
fn get<'py>(
    py: Python<'py>,
    memory: &Py<ModelMemory>,
    arrays: &[PyOnceLock<Py<PyAny>>],
    index: usize,
    access: Access,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(array) = arrays.get(index).and_then(|array| array.get(py)) {
        return Ok(array.bind(py).clone());
    }
    let value = {
        let model = memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        (access.value)(&model, index)
    };
    let copy = match value {
        Value::Real(x) => return Ok(x.into_pyobject(py)?.into_any()),
        Value::Integer(x) => return Ok(x.into_pyobject(py)?.into_any()),
        Value::Absent => return Ok(py.None().into_bound(py)),
        Value::Reals(values) => PyArray1::from_vec(py, values).into_any(),
        Value::Floats(values) => PyArray1::from_vec(py, values).into_any(),
    };
    match ModelMemory::view_vector(memory.bind(py), |model| (access.field)(model, index)) {
        Ok(Some(view)) => {
            // another thread may have stored an equal view
            let _ = arrays[index].set(py, view.clone().unbind());
            Ok(view)
        }
        Ok(None) | Err(_) => {
            copy.call_method1("setflags", (false,))?;
            Ok(copy)
        }
    }
}

/// Writes a field of a section.
fn set(
    memory: &Py<ModelMemory>,
    name: &str,
    field: impl FnOnce(&mut Model) -> Option<NumericMut<'_>>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let number: f64 = value.extract()?;
    let integer = || -> PyResult<i32> {
        #[allow(clippy::cast_possible_truncation, reason = "checked by converting back")]
        let integer = number as i32;
        if f64::from(integer) == number {
            Ok(integer)
        } else {
            Err(error::value(format!("{name} is an integer")))
        }
    };
    let mut model = memory.get().shared().write().map_err(|Busy| error::busy("MjModel"))?;
    match field(&mut model) {
        Some(NumericMut::F64(x)) => *x = number,
        #[allow(clippy::cast_possible_truncation, reason = "stored in single precision")]
        Some(NumericMut::F32(x)) => *x = number as f32,
        Some(NumericMut::I32(x)) => *x = integer()?,
        Some(NumericMut::Enum(x)) => {
            let integer = integer()?;
            x.set(integer).ok_or_else(|| error::value(format!("{name} has no value {integer}")))?;
        }
        Some(NumericMut::F64s(_) | NumericMut::F32s(_)) | None => {}
    }
    drop(model);
    memory.get().set_options_changed();
    Ok(())
}

/// Declares the class of a section with a property per field.
macro_rules! sections {
    ($($(#[$meta:meta])* $name:ident $python:literal $type:ident $($path:ident).+;)*) => {
        $(
            $(#[$meta])*
            #[pyclass(frozen, module = "sim_physics", name = $python)]
            pub struct $name {
                memory: Py<ModelMemory>,
                arrays: Box<[PyOnceLock<Py<PyAny>>]>,
            }

            impl $name {
                /// The section of a model.
                pub fn of(memory: Py<ModelMemory>) -> Self {
                    Self { memory, arrays: $type::FIELDS.iter().map(|_| PyOnceLock::new()).collect() }
                }

                fn add_fields(class: &Bound<'_, PyType>) -> PyResult<()> {
                    fn field(m: &mut Model, index: usize) -> Option<NumericMut<'_>> {
                        m.$($path).+.value_mut(index)
                    }
                    fn value(m: &Model, index: usize) -> Value {
                        Value::of(m.$($path).+.clone().value_mut(index))
                    }
                    let access = Access { field, value };
                    for (index, (name, doc)) in $type::FIELDS.iter().enumerate() {
                        let read: Getter = Box::new(move |object| {
                            let this = object.cast::<$name>()?.get();
                            get(object.py(), &this.memory, &this.arrays, index, access)
                        });
                        let write: Setter = Box::new(move |object, value| {
                            let this = object.cast::<$name>()?.get();
                            let current = get(object.py(), &this.memory, &this.arrays, index, access)?;
                            if this.arrays[index].get(object.py()).is_some() {
                                return current.set_item(PyEllipsis::get(object.py()), value);
                            }
                            set(&this.memory, name, |m| field(m, index), value)
                        });
                        add_property(class, name, doc.trim(), read, Some(write))?;
                    }
                    Ok(())
                }
            }

            #[pymethods]
            impl $name {
                #[new]
                fn new(py: Python<'_>) -> PyResult<Self> {
                    let model = Model::with_sizes(&ModelSizes::default());
                    Ok(Self::of(Py::new(py, ModelMemory::new(model))?))
                }

                fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                    let mut out = format!("<{}", $python);
                    for (name, _) in $type::FIELDS {
                        out += &format!("\n  {name}: {}", slf.getattr(*name)?.repr()?);
                    }
                    Ok(out + "\n>")
                }

                fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Self> {
                    let copy = Bound::new(slf.py(), Self::new(slf.py())?)?;
                    for (name, _) in $type::FIELDS {
                        copy.setattr(*name, slf.getattr(*name)?)?;
                    }
                    let inner = copy.get();
                    Ok(Self::of(inner.memory.clone_ref(slf.py())))
                }

                fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
                    Self::__copy__(slf)
                }

                fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                    let Ok(other) = other.cast::<Self>() else { return Ok(false) };
                    Ok(slf.repr()?.to_string() == other.repr()?.to_string())
                }
            }
        )*

        /// Name and description of the fields of a section.
        pub fn fields(class: &str) -> &'static [(&'static str, &'static str)] {
            match class {
                $($python => $type::FIELDS,)*
                _ => &[],
            }
        }

        /// Adds the classes of all sections to the module.
        ///
        /// # Errors
        /// If a property cannot be created.
        pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_class::<$name>()?;
                $name::add_fields(&module.py().get_type::<$name>())?;
            )*
            module.add_class::<MjVisual>()
        }
    };
}

sections! {
    /// Simulation options (`mjOption`).
    MjOption "MjOption" Options opt;
    /// Typical magnitudes of a model (`mjStatistic`).
    MjStatistic "MjStatistic" Statistic stat;
    /// Global visualization parameters.
    MjVisualGlobal "MjVisualGlobal" VisualGlobal vis.global;
    /// Rendering quality.
    MjVisualQuality "MjVisualQuality" VisualQuality vis.quality;
    /// Light at the camera.
    MjVisualHeadlight "MjVisualHeadlight" Headlight vis.headlight;
    /// Maps between simulated quantities and their visualization.
    MjVisualMap "MjVisualMap" VisualMap vis.map;
    /// Sizes of decorative elements.
    MjVisualScale "MjVisualScale" VisualScale vis.scale;
    /// Colours of decorative elements.
    MjVisualRgba "MjVisualRgba" VisualRgba vis.rgba;
}

/// Visualization settings of a model (`mjVisual`).
#[pyclass(frozen, module = "sim_physics")]
pub struct MjVisual {
    /// Global parameters.
    #[pyo3(get)]
    global_: Py<MjVisualGlobal>,
    /// Rendering quality.
    #[pyo3(get)]
    quality: Py<MjVisualQuality>,
    /// Light at the camera.
    #[pyo3(get)]
    headlight: Py<MjVisualHeadlight>,
    /// Maps between simulated quantities and their visualization.
    #[pyo3(get)]
    map: Py<MjVisualMap>,
    /// Sizes of decorative elements.
    #[pyo3(get)]
    scale: Py<MjVisualScale>,
    /// Colours of decorative elements.
    #[pyo3(get)]
    rgba: Py<MjVisualRgba>,
}

impl MjVisual {
    /// The settings of a model.
    ///
    /// # Errors
    /// If Python has no memory.
    pub fn new(py: Python<'_>, memory: &Py<ModelMemory>) -> PyResult<Self> {
        let memory = || memory.clone_ref(py);
        Ok(Self {
            global_: Py::new(py, MjVisualGlobal::of(memory()))?,
            quality: Py::new(py, MjVisualQuality::of(memory()))?,
            headlight: Py::new(py, MjVisualHeadlight::of(memory()))?,
            map: Py::new(py, MjVisualMap::of(memory()))?,
            scale: Py::new(py, MjVisualScale::of(memory()))?,
            rgba: Py::new(py, MjVisualRgba::of(memory()))?,
        })
    }
}

#[pymethods]
impl MjVisual {
    #[new]
    fn py_new(py: Python<'_>) -> PyResult<Self> {
        let model = Model::with_sizes(&ModelSizes::default());
        Self::new(py, &Py::new(py, ModelMemory::new(model))?)
    }

    /// Global parameters, under the name of the C struct.
    #[getter]
    #[pyo3(name = "global")]
    fn global(&self, py: Python<'_>) -> Py<MjVisualGlobal> {
        self.global_.clone_ref(py)
    }
}
