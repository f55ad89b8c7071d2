//! `MjModel`: the compiled model with NumPy views of its arrays.

use crate::error;
use crate::layout;
use crate::memory::{Busy, Getter, ModelMemory, Setter, add_property};
use crate::named::{NamedView, Owner, Views};
use crate::section::{MjOption, MjStatistic, MjVisual};
use crate::tracked::Tracked;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyEllipsis, PyType};
use sim_physics::core::FieldView;
use sim_physics::mjcf::Loader;
use sim_physics::types::ObjType;
use sim_physics::{Model, Vfs};
use std::path::PathBuf;

/// A compiled model: everything that is constant during simulation (`mjModel`).
///
/// Arrays are NumPy views of the engine's memory under MuJoCo's names; a change of a view takes effect at the next
/// step. Create a model with `MjModel.from_xml_path`, `MjModel.from_xml_string` or `MjModel.from_binary_path`.
#[pyclass(frozen, weakref, module = "sim_physics")]
pub struct MjModel {
    /// The memory of the arrays.
    pub memory: Py<ModelMemory>,
    /// Arrays that were accessed, by their index in `Model::FIELDS`.
    arrays: Box<[PyOnceLock<Py<PyAny>>]>,
    /// Writable views of arrays from which the engine precomputes tables.
    tracked: Tracked,
    /// Views of its elements.
    pub views: Views,
    opt: PyOnceLock<Py<MjOption>>,
    stat: PyOnceLock<Py<MjStatistic>>,
    vis: PyOnceLock<Py<MjVisual>>,
}

/// Arrays of strings, which Python reads as bytes.
const BYTES: &[&str] = &["names", "paths", "text_data"];
/// Arrays that cannot be changed after compilation, because tables of the collision detection depend on them and
/// they are too large to compare before every step.
const FROZEN: &[&str] = &["mesh_", "bvh_", "oct_", "names_map"];

/// A string, or bytes in UTF-8.
fn text(object: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        let text = std::str::from_utf8(bytes.as_bytes());
        return text
            .map(ToOwned::to_owned)
            .map_err(|e| error::value(format!("the text is not UTF-8: {e}")));
    }
    object.extract()
}

/// Whether an array cannot be changed.
fn is_frozen(name: &str) -> bool {
    FROZEN.iter().any(|prefix| name.starts_with(prefix))
}

impl MjModel {
    /// Takes ownership of a model.
    pub fn new(py: Python<'_>, model: Model) -> PyResult<Self> {
        Ok(Self {
            memory: Py::new(py, ModelMemory::new(model))?,
            arrays: Model::FIELDS.iter().map(|_| PyOnceLock::new()).collect(),
            tracked: Tracked::default(),
            views: Views::default(),
            opt: PyOnceLock::new(),
            stat: PyOnceLock::new(),
            vis: PyOnceLock::new(),
        })
    }

    /// Updates the tables of the engine if arrays or options were changed through views.
    ///
    /// # Errors
    /// If the new values are invalid, or another thread uses the model.
    #[inline]
    pub fn sync(&self, py: Python<'_>) -> PyResult<()> {
        self.tracked.sync(py, self.memory.get())
    }

    /// Calls `f` with the model, after [`MjModel::sync`].
    ///
    /// # Errors
    /// Those of [`MjModel::sync`].
    pub fn with<R>(&self, py: Python<'_>, f: impl FnOnce(&Model) -> R) -> PyResult<R> {
        self.sync(py)?;
        let model = self.memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        Ok(f(&model))
    }

    /// Replaces the values of all arrays by those of a changed copy of the model.
    ///
    /// # Errors
    /// If another thread uses the model.
    pub fn edit<R>(&self, py: Python<'_>, f: impl FnOnce(&mut Model) -> R) -> PyResult<R> {
        let mut copy = self.with(py, Model::clone)?;
        let result = f(&mut copy);
        let mut model =
            self.memory.get().shared().write().map_err(|Busy| error::busy("MjModel"))?;
        for index in 0..Model::FIELDS.len() {
            crate::tracked::assign(model.array_mut(index), copy.array_mut(index));
        }
        (model.opt, model.stat) = (copy.opt, copy.stat);
        model.refresh();
        Ok(result)
    }

    /// The array `index` of `Model::FIELDS`.
    fn array<'py>(slf: &Bound<'py, Self>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let array = slf.get().arrays[index].get_or_try_init(py, || Self::new_array(slf, index))?;
        Ok(array.bind(py).clone())
    }

    fn new_array(slf: &Bound<'_, Self>, index: usize) -> PyResult<Py<PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let field = &Model::FIELDS[index];
        let memory = this.memory.bind(py);
        let model = memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        let values = model.array(index);
        if let (true, Some(FieldView::U8(bytes))) = (BYTES.contains(&field.name), &values) {
            return Ok(PyBytes::new(py, bytes).into_any().unbind());
        }
        let shape =
            layout::of_model(index).shape(&model, values.as_ref().map_or(0, FieldView::len));
        let writeable = !is_frozen(field.name);
        if let Some(view) = ModelMemory::view(memory, index, None, shape.sizes(), writeable)? {
            if writeable {
                this.tracked.add_view(index, &model);
            }
            return Ok(view.unbind());
        }
        // enums: a copy, which is written back before the next step
        let numbers: Vec<i32> = match values {
            Some(FieldView::I32(v)) => v.into_owned(),
            Some(FieldView::U8(v)) => v.iter().map(|&x| i32::from(x)).collect(),
            _ => Vec::new(),
        };
        let copy = PyArray1::from_vec(py, numbers);
        this.tracked.add_copy(index, copy.clone().unbind());
        Ok(copy.into_any().unbind())
    }

    /// Row `id` of an array, as a view with the dimensions of a row, or one element of a vector.
    pub fn rows<'py>(
        slf: &Bound<'py, Self>,
        index: usize,
        start: usize,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = Self::array(slf, index)?;
        let (py, this) = (slf.py(), slf.get());
        let model = this.memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        let (range, shape) = layout::of_model(index).shape(&model, 0).rows(start, count);
        drop(model);
        let writeable = !is_frozen(Model::FIELDS[index].name);
        let view =
            ModelMemory::view(this.memory.bind(py), index, Some(range), shape.sizes(), writeable)?;
        view.map_or_else(|| crate::named::rows(&array, start, count), Ok)
    }

    fn load(py: Python<'_>, loader: &Loader, path: &str) -> PyResult<Self> {
        let loader = loader.clone().with_front_end(sim_physics::urdf::Urdf::default());
        let loaded = py.detach(|| crate::process::parallel(|| loader.load_with_warnings(path)))?;
        let loaded = loaded.map_err(|errors| error::load(py, &errors))?;
        crate::error_warnings(py, &loaded.warnings)?;
        Self::new(py, loaded.model)
    }

    /// A loader with the files of a Python dictionary.
    pub fn loader(assets: Option<&Bound<'_, PyDict>>) -> PyResult<Loader> {
        let Some(assets) = assets else { return Ok(Loader::default()) };
        let mut vfs = Vfs::default();
        for (name, contents) in assets {
            let bytes: Vec<u8> = contents
                .extract()
                .or_else(|_| contents.extract::<String>().map(String::into_bytes))?;
            vfs.add(text(&name)?, bytes);
        }
        Ok(Loader::new(vfs))
    }
}

#[pymethods]
impl MjModel {
    /// Loads an MJCF or URDF file. `assets` maps file names to their contents.
    #[staticmethod]
    #[pyo3(signature = (filename, assets=None))]
    fn from_xml_path(
        py: Python<'_>,
        filename: PathBuf,
        assets: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        Self::load(py, &Self::loader(assets)?, &filename.display().to_string())
    }

    /// Loads MJCF or URDF from a string. `assets` maps file names to their contents.
    #[staticmethod]
    #[pyo3(signature = (xml, assets=None))]
    fn from_xml_string(
        py: Python<'_>,
        xml: &Bound<'_, PyAny>,
        assets: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let xml = text(xml)?;
        let loader = Self::loader(assets)?.with_front_end(sim_physics::urdf::Urdf::default());
        let loaded = py.detach(|| {
            crate::process::parallel(|| {
                loader.parse_str(&xml, "").and_then(|s| s.compile_with_warnings())
            })
        })?;
        let loaded = loaded.map_err(|errors| error::load(py, &errors))?;
        crate::error_warnings(py, &loaded.warnings)?;
        Self::new(py, loaded.model)
    }

    /// Loads a compiled model that `mj_saveModel` wrote. `assets` maps file names to their contents.
    #[staticmethod]
    #[pyo3(signature = (filename, assets=None))]
    fn from_binary_path(
        py: Python<'_>,
        filename: PathBuf,
        assets: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let name = filename.display().to_string();
        let bytes = match assets.map(|a| a.get_item(&name)).transpose()?.flatten() {
            Some(contents) => contents.extract()?,
            None => std::fs::read(&filename)?,
        };
        let model = Model::from_bytes(&bytes);
        Self::new(py, model.map_err(|e| PyValueError::new_err(format!("{name}: {e}")))?)
    }

    /// Deserialises a model that `to_bytes` wrote.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let model = Model::from_bytes(bytes).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Self::new(py, model)
    }

    /// Serialises the model; callbacks are not included.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, Model::to_bytes)?))
    }

    /// The arrays of an element of a spec, or of a list of elements of one kind, after the spec was compiled.
    fn bind<'py>(
        slf: &Bound<'py, Self>,
        elements: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("sim_physics.spec._bind")?;
        module.getattr("bind")?.call1((slf, slf, elements))
    }

    /// Address of the memory of the arrays.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(self.memory.get()) as usize
    }

    /// Simulation options.
    #[getter]
    fn opt<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, MjOption>> {
        let new = || Py::new(py, MjOption::of(self.memory.clone_ref(py)));
        Ok(self.opt.get_or_try_init(py, new)?.bind(py).clone())
    }

    /// Statistics: typical magnitudes of the model.
    #[getter]
    fn stat<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, MjStatistic>> {
        let new = || Py::new(py, MjStatistic::of(self.memory.clone_ref(py)));
        Ok(self.stat.get_or_try_init(py, new)?.bind(py).clone())
    }

    /// Visualization settings.
    #[getter]
    fn vis<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, MjVisual>> {
        let new = || Py::new(py, MjVisual::new(py, &self.memory)?);
        Ok(self.vis.get_or_try_init(py, new)?.bind(py).clone())
    }

    /// Hash of the sizes and names, which differs for models of different structure.
    #[getter]
    fn signature(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |m| {
            let mut hash = 0xcbf2_9ce4_8422_2325_u64;
            let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            m.sizes().visit(&mut |_, n| n.to_le_bytes().into_iter().for_each(&mut add));
            m.names.iter().copied().for_each(add);
            hash
        })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        Self::new(py, self.with(py, Model::clone)?)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        Ok((slf.get_type().getattr("from_bytes")?, (slf.get().to_bytes(py)?,)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |m| {
            format!(
                "<MjModel nbody={} njnt={} nv={} ngeom={} nu={} nsensor={}>",
                m.nbody, m.njnt, m.nv, m.ngeom, m.nu, m.nsensor
            )
        })
    }
}

/// The methods of named access: `model.body('torso')`, `model.body(1)`; without an argument they access the only
/// element.
macro_rules! named_methods {
    ($($name:ident $kind:ident;)*) => {
        #[pymethods]
        impl MjModel {
            $(
                #[doc = concat!("Access to the arrays of one element by its name or index (`mjOBJ_", stringify!($kind), "`).")]
                #[pyo3(signature = (name=None, /))]
                fn $name<'py>(
                    slf: &Bound<'py, Self>,
                    name: Option<&Bound<'py, PyAny>>,
                ) -> PyResult<Bound<'py, NamedView>> {
                    let owner = || Owner::Model(slf.clone().unbind());
                    NamedView::find(owner, &slf.get().views, slf, ObjType::$kind, stringify!($name), name)
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
    mesh Mesh;
    skin Skin;
    hfield HField;
    texture Texture;
    tex Texture;
    material Material;
    mat Material;
    pair Pair;
    exclude Exclude;
    equality Equality;
    eq Equality;
    tendon Tendon;
    actuator Actuator;
    sensor Sensor;
    numeric Numeric;
    text Text;
    tuple Tuple;
    key Key;
    keyframe Key;
    flex Flex;
}

/// Adds the properties of the sizes and arrays to the class.
///
/// # Errors
/// If a property cannot be created.
pub fn add_fields(class: &Bound<'_, PyType>) -> PyResult<()> {
    for (index, (name, doc)) in Model::SIZES.iter().enumerate() {
        let get: Getter = Box::new(move |object| {
            let model = object.cast::<MjModel>()?.get();
            let memory =
                model.memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
            // limits without a value are negative
            let size = memory.size(index).unwrap_or(0);
            let size = i64::try_from(size).unwrap_or(-1);
            Ok(size.into_pyobject(object.py())?.into_any())
        });
        add_property(class, name, doc, get, None)?;
    }
    for (index, field) in Model::FIELDS.iter().enumerate() {
        let get: Getter = Box::new(move |object| MjModel::array(object.cast::<MjModel>()?, index));
        let set: Setter = Box::new(move |object, value| {
            let array = MjModel::array(object.cast::<MjModel>()?, index)?;
            array.set_item(PyEllipsis::get(object.py()), value)
        });
        let doc = format!("{}\n\nShape: ({}).", field.doc, field.shape.join(", "));
        add_property(class, field.name, &doc, get, Some(set))?;
    }
    Ok(())
}
