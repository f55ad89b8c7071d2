//! Named access: `model.body('torso').mass`, `data.joint('knee').qpos`.

use crate::data::MjData;
use crate::error;
use crate::memory::{Busy, generic_attribute};
use crate::model::MjModel;
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PySlice, PyString, PyWeakrefMethods, PyWeakrefReference};
use sim_physics::core::FieldInfo;
use sim_physics::types::ObjType;
use sim_physics::{Data, Model};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The object whose arrays are accessed.
pub enum Owner {
    /// Arrays of a model.
    Model(Py<MjModel>),
    /// Arrays of a data.
    Data(Py<MjData>),
}

/// How the rows of an element are found in an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// One row per element.
    Own,
    /// Rows of the dofs of a joint.
    Dofs,
    /// Entries of a joint in `qpos`.
    Qpos,
    /// The values of a sensor.
    Sensor,
    /// The values of a custom numeric array.
    Numeric,
    /// Activations of an actuator.
    Activation,
}

/// An attribute: index of the array and its rows.
type Attributes = HashMap<&'static str, (usize, Rows)>;

/// Size, prefix in `Model` and prefix in `Data` of the arrays of an object type.
fn prefixes(kind: ObjType) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match kind {
        ObjType::Body | ObjType::XBody => ("nbody", "body_", ""),
        ObjType::Joint => ("njnt", "jnt_", ""),
        ObjType::Geom => ("ngeom", "geom_", "geom_"),
        ObjType::Site => ("nsite", "site_", "site_"),
        ObjType::Camera => ("ncam", "cam_", "cam_"),
        ObjType::Light => ("nlight", "light_", "light_"),
        ObjType::Mesh => ("nmesh", "mesh_", "mesh_"),
        ObjType::Skin => ("nskin", "skin_", "skin_"),
        ObjType::HField => ("nhfield", "hfield_", "hfield_"),
        ObjType::Texture => ("ntex", "tex_", "tex_"),
        ObjType::Material => ("nmat", "mat_", "mat_"),
        ObjType::Pair => ("npair", "pair_", "pair_"),
        ObjType::Exclude => ("nexclude", "exclude_", "exclude_"),
        ObjType::Equality => ("neq", "eq_", "eq_"),
        ObjType::Tendon => ("ntendon", "tendon_", "ten_"),
        ObjType::Actuator => ("nu", "actuator_", "actuator_"),
        ObjType::Sensor => ("nsensor", "sensor_", "sensor_"),
        ObjType::Numeric => ("nnumeric", "numeric_", "numeric_"),
        ObjType::Text => ("ntext", "text_", "text_"),
        ObjType::Tuple => ("ntuple", "tuple_", "tuple_"),
        ObjType::Key => ("nkey", "key_", "key_"),
        ObjType::Flex => ("nflex", "flex_", "flex_"),
        ObjType::Plugin => ("nplugin", "plugin_", "plugin_"),
        ObjType::Dof | ObjType::Unknown => return None,
    })
}

/// The attributes of an object type in a field table.
fn attributes(fields: &'static [FieldInfo], kind: ObjType, of_model: bool) -> Attributes {
    let mut out = Attributes::new();
    let Some((size, in_model, in_data)) = prefixes(kind) else { return out };
    let prefix = if of_model { in_model } else { in_data };
    let mut add = |name: &'static str, index: usize, rows: Rows| {
        out.entry(name).or_insert((index, rows));
    };
    let first = |field: &FieldInfo| field.shape.first().copied();
    for (index, field) in fields.iter().enumerate() {
        if first(field) == Some(size) && !field.name.starts_with("name_") {
            add(field.name.strip_prefix(prefix).unwrap_or(field.name), index, Rows::Own);
        }
    }
    for (index, field) in fields.iter().enumerate() {
        let name = field.name;
        match (kind, first(field)) {
            (ObjType::Joint, Some("nv")) => {
                add(
                    name.strip_prefix("dof_").filter(|_| of_model).unwrap_or(name),
                    index,
                    Rows::Dofs,
                );
            }
            (ObjType::Joint, Some("nq")) => add(name, index, Rows::Qpos),
            (ObjType::Sensor, Some("nsensordata")) => add("data", index, Rows::Sensor),
            (ObjType::Numeric, Some("nnumericdata")) => add("data", index, Rows::Numeric),
            (ObjType::Actuator, Some("na")) => add(name, index, Rows::Activation),
            _ => {}
        }
    }
    out
}

/// Attributes of every object type of `Model` and `Data`.
fn table(kind: ObjType, of_model: bool) -> &'static Attributes {
    static TABLES: LazyLock<[Vec<Attributes>; 2]> = LazyLock::new(|| {
        let all = |fields, of_model| {
            ObjType::ALL.iter().map(|kind| attributes(fields, *kind, of_model)).collect()
        };
        [all(Data::FIELDS, false), all(Model::FIELDS, true)]
    });
    &TABLES[usize::from(of_model)][kind as usize]
}

/// The rows `start..start + count` of an array as a view; without a count one row, without its first dimension if it
/// has two.
pub fn rows<'py>(
    array: &Bound<'py, PyAny>,
    start: usize,
    count: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let index = |n: usize| isize::try_from(n).unwrap_or(isize::MAX);
    let many = |count| array.get_item(PySlice::new(py, index(start), index(start + count), 1));
    match count {
        Some(count) => many(count),
        None if array.getattr("ndim")?.extract::<usize>()? == 1 => many(1),
        None => array.get_item(start),
    }
}

/// An attribute of an element: type, index and name.
type AttributeKey = (ObjType, usize, &'static str);

/// The views of the elements of a model or data that exist: an element has one view at a time.
#[derive(Default)]
pub struct Views {
    elements: Mutex<HashMap<(ObjType, usize), Py<PyWeakrefReference>>>,
    /// Arrays of the elements; they refer to the memory, not to the model or data.
    arrays: Mutex<HashMap<AttributeKey, Py<PyAny>>>,
}

/// Arrays of one element of a model or data.
#[pyclass(frozen, weakref, module = "sim_physics")]
pub struct NamedView {
    owner: Owner,
    kind: ObjType,
    id: usize,
    model: Py<MjModel>,
}

impl NamedView {
    /// Finds an element by name or index.
    ///
    /// # Errors
    /// `UnknownNameError` (a `KeyError`) or `IndexError` if there is no such element.
    pub fn find<'py>(
        owner: impl FnOnce() -> Owner,
        views: &Views,
        model: &Bound<'py, MjModel>,
        kind: ObjType,
        what: &str,
        name: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let m = model.get().memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        let id = find(&m, kind, what, name)?;
        drop(m);
        let py = model.py();
        let mut views = views.elements.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(&(kind, id)).and_then(|view| view.bind(py).upgrade()) {
            return Ok(view.cast_into()?);
        }
        let view =
            Bound::new(py, Self { owner: owner(), kind, id, model: model.clone().unbind() })?;
        views.insert((kind, id), PyWeakrefReference::new(&view)?.unbind());
        Ok(view)
    }

    fn attributes(&self) -> &'static Attributes {
        table(self.kind, matches!(self.owner, Owner::Model(_)))
    }

    /// The rows of an attribute in its array.
    fn range(&self, rows: Rows) -> PyResult<(usize, Option<usize>)> {
        let m =
            self.model.get().memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        let id = self.id;
        let at = |array: &[i32]| array.get(id).and_then(|&n| usize::try_from(n).ok()).unwrap_or(0);
        Ok(match rows {
            Rows::Own => (id, None),
            Rows::Dofs => (at(&m.jnt_dofadr), m.jnt_type.get(id).map(|t| t.nv())),
            Rows::Qpos => (at(&m.jnt_qposadr), m.jnt_type.get(id).map(|t| t.nq())),
            Rows::Sensor => (at(&m.sensor_adr), Some(at(&m.sensor_dim))),
            Rows::Numeric => (at(&m.numeric_adr), Some(at(&m.numeric_size))),
            Rows::Activation => (at(&m.actuator_actadr), Some(at(&m.actuator_actnum))),
        })
    }

    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((&name, &(index, rows))) = self.attributes().get_key_value(name) else {
            return Ok(None);
        };
        let (views, kept) = match &self.owner {
            Owner::Model(model) => (&model.get().views, true),
            Owner::Data(data) => (&data.get().views, data.get().keeps_view(index)?),
        };
        let key = (self.kind, self.id, name);
        let arrays = || views.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(array) = arrays().get(&key).filter(|_| kept) {
            return Ok(Some(array.bind(py).clone()));
        }
        let (start, count) = self.range(rows)?;
        let array = match &self.owner {
            Owner::Model(model) => MjModel::rows(model.bind(py), index, start, count)?,
            Owner::Data(data) => MjData::rows(data.bind(py), index, start, count)?,
        };
        if kept {
            arrays().insert(key, array.clone().unbind());
        }
        Ok(Some(array))
    }

    fn unknown(&self, name: &str) -> PyErr {
        let mut names: Vec<&str> = self.attributes().keys().copied().collect();
        names.extend(["id", "name"]);
        let near = error::near_names(name, &names);
        PyAttributeError::new_err(format!("no attribute '{name}'; the nearest are {near}"))
    }
}

/// Finds an element by name or index; the only one if `name` is none.
fn find(m: &Model, kind: ObjType, what: &str, name: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let count = count(m, kind);
    let unknown = |name: &str| {
        let names: Vec<&str> = (0..count).filter_map(|i| m.id2name(kind, i)).collect();
        let near = error::near_names(name, &names);
        let message = match names.len() {
            0 => format!("no {what} is named '{name}': the model has no named {what}"),
            _ => format!("Invalid name '{name}'. Valid names: [{near}]"),
        };
        error::exception("UnknownNameError", message)
    };
    let Some(name) = name else {
        return if count == 1 { Ok(0) } else { Err(unknown("")) };
    };
    if let Ok(name) = name.extract::<std::borrow::Cow<'_, str>>() {
        return m.name2id(kind, &name).ok_or_else(|| unknown(&name));
    }
    let id: i64 = name.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{what}(...) takes a name or an index, not {}",
            name.get_type()
        ))
    })?;
    usize::try_from(id).ok().filter(|&id| id < count).ok_or_else(|| {
        let last = i64::try_from(count).unwrap_or(i64::MAX) - 1;
        PyIndexError::new_err(format!("Invalid index {id}. Valid indices from 0 to {last}"))
    })
}

/// Number of elements of an object type.
pub fn count(m: &Model, kind: ObjType) -> usize {
    match kind {
        ObjType::Body | ObjType::XBody => m.nbody,
        ObjType::Joint => m.njnt,
        ObjType::Dof => m.nv,
        ObjType::Geom => m.ngeom,
        ObjType::Site => m.nsite,
        ObjType::Camera => m.ncam,
        ObjType::Light => m.nlight,
        ObjType::Flex => m.nflex,
        ObjType::Mesh => m.nmesh,
        ObjType::Skin => m.nskin,
        ObjType::HField => m.nhfield,
        ObjType::Texture => m.ntex,
        ObjType::Material => m.nmat,
        ObjType::Pair => m.npair,
        ObjType::Exclude => m.nexclude,
        ObjType::Equality => m.neq,
        ObjType::Tendon => m.ntendon,
        ObjType::Actuator => m.nu,
        ObjType::Sensor => m.nsensor,
        ObjType::Numeric => m.nnumeric,
        ObjType::Text => m.ntext,
        ObjType::Tuple => m.ntuple,
        ObjType::Key => m.nkey,
        ObjType::Plugin => m.nplugin,
        ObjType::Unknown => 0,
    }
}

#[pymethods]
impl NamedView {
    /// Index of the element.
    #[getter]
    fn id(&self) -> usize {
        self.id
    }

    /// Name of the element; empty if it has none.
    #[getter]
    fn name(&self) -> PyResult<String> {
        let m =
            self.model.get().memory.get().shared().read().map_err(|Busy| error::busy("MjModel"))?;
        Ok(m.id2name(self.kind, self.id).unwrap_or_default().to_owned())
    }

    // the arrays are found without the exception of a search in the class
    fn __getattribute__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(array) = slf.get().get(slf.py(), &name.to_cow()?)? {
            return Ok(array);
        }
        generic_attribute(slf.as_any(), name)
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, name)?.ok_or_else(|| self.unknown(name))
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let array = self.get(py, name)?.ok_or_else(|| self.unknown(name))?;
        array.set_item(PyEllipsis::get(py), value)
    }

    fn __dir__(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.attributes().keys().copied().collect();
        names.extend(["id", "name"]);
        names.sort_unstable();
        names
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let class = if matches!(self.owner, Owner::Model(_)) { "MjModel" } else { "MjData" };
        let kind = self.kind.name().unwrap_or("element");
        let (initial, rest) = kind.split_at(1);
        let mut out = format!("<_{class}{}{rest}Views", initial.to_uppercase());
        for name in self.__dir__() {
            let value = match name {
                "id" => self.id.to_string(),
                "name" => format!("'{}'", self.name()?),
                _ => match self.get(py, name)? {
                    Some(value) => value.repr()?.to_string(),
                    None => continue,
                },
            };
            out += &format!("\n  {name}: {value}");
        }
        Ok(out + "\n>")
    }
}
