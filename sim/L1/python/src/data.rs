//! `MjData`: state, inputs and computed quantities with NumPy views of the arrays.

use crate::contact::MjContactList;
use crate::error;
use crate::layout;
use crate::memory::{Busy, DataMemory, Getter, Setter, add_property};
use crate::model::MjModel;
use crate::named::{NamedView, Owner, Views};
use numpy::PyArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyEllipsis, PyList, PyType};
use sim_physics::core::data::WarningStat;
use sim_physics::core::{FieldView, ModelSizes};
use sim_physics::types::ObjType;
use sim_physics::{Data, Model};

/// State, inputs and computed quantities of a simulation (`mjData`).
///
/// Arrays whose length is a size of the model are NumPy views of the engine's memory, which stay valid as long as
/// they are referenced. Contacts and constraint rows are read-only copies of the last step.
#[pyclass(frozen, weakref, module = "sim_physics")]
pub struct MjData {
    /// The memory of the arrays.
    pub memory: Py<DataMemory>,
    /// The model for which it was created.
    pub model: Py<MjModel>,
    sizes: ModelSizes,
    /// Views that were accessed, by their index in `Data::FIELDS`.
    arrays: Box<[PyOnceLock<Py<PyAny>>]>,
    /// Views of its elements.
    pub views: Views,
}

impl MjData {
    /// Takes ownership of a data of a model.
    ///
    /// # Errors
    /// If another thread changes the model.
    pub fn new(py: Python<'_>, model: Py<MjModel>, data: Data) -> PyResult<Self> {
        let sizes = model.get().with(py, Model::sizes)?;
        let arrays = (0..Data::FIXED_FIELDS).map(|_| PyOnceLock::new()).collect();
        let memory = Py::new(py, DataMemory::new(data))?;
        Ok(Self { memory, model, sizes, arrays, views: Views::default() })
    }

    /// Checks that the data can be used with a model.
    ///
    /// # Errors
    /// If it was created for a model with other sizes.
    #[inline]
    pub fn check_model(&self, m: &MjModel, model: &Model) -> PyResult<()> {
        if std::ptr::eq(self.model.get(), m) || model.sizes() == self.sizes {
            return Ok(());
        }
        Err(error::value(
            "this MjData was created for a model of other sizes: create one with MjData(model)",
        ))
    }

    /// Calls `f` with the data.
    ///
    /// # Errors
    /// If another thread steps it.
    pub fn with<R>(&self, f: impl FnOnce(&Data) -> R) -> PyResult<R> {
        let data = self.memory.get().shared().read().map_err(|Busy| error::busy("MjData"))?;
        Ok(f(&data))
    }

    /// The array `index` of `Data::FIELDS`.
    fn array<'py>(slf: &Bound<'py, Self>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if this.memory.get().shared().is_written() {
            return Err(error::busy("MjData"));
        }
        let Some(cached) = this.arrays.get(index) else { return this.copy(py, index) };
        let array = cached.get_or_try_init(py, || {
            let length = this.with(|d| d.array(index).map_or(0, |v| v.len()))?;
            let shape = this.shape(py, index, length)?;
            let view = DataMemory::view(this.memory.bind(py), index, None, shape.sizes())?;
            view.map(Bound::unbind).ok_or_else(|| error::fatal("no such array"))
        })?;
        Ok(array.bind(py).clone())
    }

    fn shape(&self, py: Python<'_>, index: usize, length: usize) -> PyResult<layout::Shape> {
        let model = self.model.get().memory.bind(py).get().shared().read();
        let model = model.map_err(|Busy| error::busy("MjModel"))?;
        let layout = layout::of_data(index);
        if index < Data::FIXED_FIELDS {
            return Ok(layout.shape(&model, length));
        }
        Ok(layout.shape_of_rows(&model, length))
    }

    /// A read-only copy of an array whose length changes in every step.
    fn copy<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let length = self.with(|d| d.array(index).map_or(0, |v| v.len()))?;
        let shape = self.shape(py, index, length)?;
        let data = self.memory.get().shared().read().map_err(|Busy| error::busy("MjData"))?;
        let dims = shape.sizes();
        if let Some(dense) = self.dense(&data, Data::FIELDS[index].name)? {
            return frozen(py, &dense, &[dense.len()]);
        }
        match data.array(index) {
            Some(FieldView::F64(v)) => frozen(py, v, dims),
            Some(FieldView::F32(v)) => frozen(py, v, dims),
            Some(FieldView::I32(v)) => frozen(py, &v, dims),
            Some(FieldView::I64(v)) => frozen(py, v, dims),
            Some(FieldView::U8(v)) => frozen(py, &v, dims),
            Some(FieldView::Contact(_)) | None => Err(error::fatal("no such array")),
        }
    }

    /// Dense form of the constraint Jacobian or inverse inertia, which the engine stores in sparse form; `None` for
    /// other arrays, and for models whose matrices MuJoCo stores in sparse form.
    fn dense(&self, d: &Data, name: &str) -> PyResult<Option<Vec<f64>>> {
        let (values, rownnz, rowadr, colind) = match name {
            "efc_J" => (&d.efc_J, &d.efc_J_rownnz, &d.efc_J_rowadr, &d.efc_J_colind),
            "efc_AR" => (&d.efc_AR, &d.efc_AR_rownnz, &d.efc_AR_rowadr, &d.efc_AR_colind),
            _ => return Ok(None),
        };
        let model =
            self.model.get().memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        if sim_physics::core::mj_is_sparse(&model) {
            return Ok(None);
        }
        let columns = if name == "efc_J" { model.nv } else { rownnz.len() };
        let mut dense = vec![0.0; rownnz.len() * columns];
        let index = |n: i32| usize::try_from(n).unwrap_or(0);
        for (row, (&nnz, &adr)) in rownnz.iter().zip(rowadr).enumerate() {
            for k in index(adr)..index(adr) + index(nnz) {
                dense[row * columns + index(colind[k])] = values[k];
            }
        }
        Ok(Some(dense))
    }

    /// Whether views of an array stay valid, so that they can be kept.
    ///
    /// # Errors
    /// If another thread steps the data.
    pub fn keeps_view(&self, index: usize) -> PyResult<bool> {
        if self.memory.get().shared().is_written() {
            return Err(error::busy("MjData"));
        }
        Ok(index < Data::FIXED_FIELDS)
    }

    /// Rows of an array; see [`crate::named::rows`].
    ///
    /// # Errors
    /// If another thread steps the data.
    pub fn rows<'py>(
        slf: &Bound<'py, Self>,
        index: usize,
        start: usize,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if index >= Data::FIXED_FIELDS {
            return crate::named::rows(&Self::array(slf, index)?, start, count);
        }
        if this.memory.get().shared().is_written() {
            return Err(error::busy("MjData"));
        }
        let (range, shape) = this.shape(py, index, 0)?.rows(start, count);
        let view = DataMemory::view(this.memory.bind(py), index, Some(range), shape.sizes())?;
        view.ok_or_else(|| error::fatal("no such array"))
    }
}

/// A read-only array with a copy of the values.
fn frozen<'py, T: numpy::Element + Copy>(
    py: Python<'py>,
    values: &[T],
    dims: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let array = numpy::PyArray1::from_slice(py, values).reshape(dims)?;
    array.readwrite().make_nonwriteable();
    Ok(array.into_any())
}

#[pymethods]
impl MjData {
    #[new]
    fn py_new(py: Python<'_>, model: Py<MjModel>) -> PyResult<Self> {
        let data = model.get().with(py, Model::make_data)?;
        Self::new(py, model, data)
    }

    /// The model for which the data was created.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<MjModel> {
        self.model.clone_ref(py)
    }

    /// Contacts of the last collision detection.
    #[getter]
    fn contact(slf: &Bound<'_, Self>) -> PyResult<MjContactList> {
        MjContactList::of(slf)
    }

    /// Number of times each warning was raised, and the index that raised it last.
    #[getter]
    fn warning(slf: &Bound<'_, Self>) -> PyResult<MjWarningStatList> {
        let (py, memory) = (slf.py(), slf.get().memory.bind(slf.py()));
        let stats = slf.get().with(|d| {
            let stat = |w: &WarningStat| MjWarningStat { lastinfo: w.lastinfo, number: w.number };
            d.warning.iter().map(stat).collect::<Vec<_>>()
        })?;
        let number = DataMemory::view_warnings(memory, true)?.unbind();
        let lastinfo = DataMemory::view_warnings(memory, false)?.unbind();
        Ok(MjWarningStatList { number, lastinfo, stats: PyList::new(py, stats)?.unbind() })
    }

    /// Time spent in each stage; zero without a clock callback.
    #[getter]
    fn timer(&self) -> PyResult<Vec<MjTimerStat>> {
        self.with(|d| {
            d.timer.iter().map(|t| MjTimerStat { duration: t.duration, number: t.number }).collect()
        })
    }

    /// Addresses of the data of plugins in MuJoCo; zero here, since instances have no data of their own.
    #[getter]
    fn plugin_data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray1<u64>>> {
        Ok(numpy::PyArray1::zeros(py, self.model.get().with(py, |m| m.nplugin)?, false))
    }

    /// Hash of the structure of the model.
    #[getter]
    fn signature(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.model.getattr(py, "signature")
    }

    /// Deserialises a data that `to_bytes` wrote, for the same model.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, model: Py<MjModel>, bytes: &[u8]) -> PyResult<Self> {
        let data = model.get().with(py, |m| Data::from_bytes(m, bytes))?;
        let data = data.map_err(|e| PyValueError::new_err(e.to_string()))?;
        Self::new(py, model, data)
    }

    /// The arrays of an element of a spec, or of a list of elements of one kind, after the spec was compiled.
    fn bind<'py>(
        slf: &Bound<'py, Self>,
        elements: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("sim_physics.spec._bind")?;
        let model = slf.get().model.bind(slf.py());
        module.getattr("bind")?.call1((slf, model, elements))
    }

    /// Address of the memory of the arrays.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(self.memory.get()) as usize
    }

    /// Serialises all fields.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(Data::to_bytes)?))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        Self::new(py, self.model.clone_ref(py), self.with(Data::clone)?)
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        let copy = py.import("copy")?.getattr("deepcopy")?.call1((&self.model, memo))?;
        Self::new(py, copy.cast_into::<MjModel>()?.unbind(), self.with(Data::clone)?)
    }

    #[allow(clippy::type_complexity, reason = "function and arguments, as pickle requires")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<MjModel>, Bound<'py, PyBytes>))> {
        let (py, this) = (slf.py(), slf.get());
        let arguments = (this.model.clone_ref(py), this.to_bytes(py)?);
        Ok((slf.get_type().getattr("from_bytes")?, arguments))
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|d| format!("<MjData time={} ncon={} nefc={}>", d.time, d.ncon, d.nefc))
    }

    /// Whether every view is where it was created; always true, for tests.
    fn _is_in_place(&self) -> PyResult<bool> {
        let memory = self.memory.get();
        let mut data = memory.shared().write().map_err(|Busy| error::busy("MjData"))?;
        Ok(memory.is_in_place(&mut data))
    }
}

/// Statistics of a warning (`mjWarningStat`).
#[pyclass(get_all, set_all, eq, subclass, module = "sim_physics")]
#[derive(PartialEq, Default)]
pub struct MjWarningStat {
    /// Index that last raised the warning.
    lastinfo: usize,
    /// Number of times the warning was raised.
    number: usize,
}

/// Statistics of all warnings: a sequence, and views of its two columns.
#[pyclass(frozen, module = "sim_physics")]
pub struct MjWarningStatList {
    /// Number of times each warning was raised.
    #[pyo3(get)]
    number: Py<PyAny>,
    /// Index that last raised each warning.
    #[pyo3(get)]
    lastinfo: Py<PyAny>,
    stats: Py<PyList>,
}

#[pymethods]
impl MjWarningStatList {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.stats.bind(py).len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.stats.bind(index.py()).as_any().get_item(index)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let py = other.py();
        self.stats.bind(py).eq(other.get().stats.bind(py))
    }
}

/// Accumulated time of a stage (`mjTimerStat`).
#[pyclass(get_all, set_all, eq, subclass, module = "sim_physics")]
#[derive(PartialEq, Default)]
pub struct MjTimerStat {
    /// Accumulated time.
    duration: f64,
    /// Number of calls.
    number: usize,
}

/// Constructors and representations of the statistics.
macro_rules! statistics {
    ($($class:ident: $($field:ident),*;)*) => {
        $(#[pymethods]
        impl $class {
            #[new]
            fn new() -> Self {
                Self::default()
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let this = slf.borrow();
                let mut out = format!("<{}", slf.get_type().name()?);
                $(out += &format!("\n  {}: {}", stringify!($field), this.$field);)*
                Ok(out + "\n>")
            }
        })*
    };
}

statistics! {
    MjWarningStat: lastinfo, number;
    MjTimerStat: duration, number;
}

/// The methods of named access.
macro_rules! named_methods {
    ($($name:ident $kind:ident;)*) => {
        #[pymethods]
        impl MjData {
            $(
                #[doc = concat!("Access to the arrays of one element by its name or index (`mjOBJ_", stringify!($kind), "`).")]
                #[pyo3(signature = (name=None, /))]
                fn $name<'py>(
                    slf: &Bound<'py, Self>,
                    name: Option<&Bound<'py, PyAny>>,
                ) -> PyResult<Bound<'py, NamedView>> {
                    let model = slf.get().model.bind(slf.py());
                    let owner = || Owner::Data(slf.clone().unbind());
                    NamedView::find(owner, &slf.get().views, model, ObjType::$kind, stringify!($name), name)
                }
            )*
        }
    };
}

named_methods! {
    body Body;
    joint Joint;
    jnt Joint;
    geom Geom;
    site Site;
    camera Camera;
    cam Camera;
    light Light;
    tendon Tendon;
    ten Tendon;
    actuator Actuator;
    sensor Sensor;
    equality Equality;
    eq Equality;
}

/// Adds the properties of the scalars and arrays to the class.
///
/// # Errors
/// If a property cannot be created.
pub fn add_fields(class: &Bound<'_, PyType>) -> PyResult<()> {
    for (index, (name, doc)) in Data::SCALARS.iter().enumerate() {
        let is_time = *name == "time";
        let get: Getter = Box::new(move |object| {
            let value = object.cast::<MjData>()?.get().with(|d| d.scalar(index).unwrap_or(0.0))?;
            if is_time {
                return Ok(value.into_pyobject(object.py())?.into_any());
            }
            #[allow(clippy::cast_possible_truncation, reason = "counts are whole numbers")]
            Ok((value as i64).into_pyobject(object.py())?.into_any())
        });
        let set: Setter = Box::new(|object, value| {
            let memory = object.cast::<MjData>()?.get().memory.get();
            let time = value.extract()?;
            memory.shared().write().map_err(|Busy| error::busy("MjData"))?.time = time;
            Ok(())
        });
        add_property(class, name, doc, get, is_time.then_some(set))?;
    }
    for (index, field) in Data::FIELDS.iter().enumerate().filter(|(_, f)| f.name != "contact") {
        let get: Getter = Box::new(move |object| MjData::array(object.cast::<MjData>()?, index));
        let set: Setter = Box::new(move |object, value| {
            let array = MjData::array(object.cast::<MjData>()?, index)?;
            array.set_item(PyEllipsis::get(object.py()), value)
        });
        let doc = format!(
            "{}\n\nShape: ({}). Written by `{}`.",
            field.doc,
            field.shape.join(", "),
            field.stage.function()
        );
        add_property(class, field.name, &doc, get, Some(set))?;
    }
    Ok(())
}
