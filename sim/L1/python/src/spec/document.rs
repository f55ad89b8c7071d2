//! A spec as a Python dictionary: lists of elements with their fields, and the references between them as indices.
//!
//! Every element is a dictionary of its fields with the entries `_class` and `_frame` (indices), and `_origin`: file,
//! line, column and number of the attached model.

use super::fields::Fields;
use crate::error;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sim_physics::Spec;
use sim_physics::mjcf::Location;
use sim_physics::mjcf::spec::{
    Body, BodyId, DefaultClass, DefaultId, Extension, Frame, FrameId, Key, ObjectKey, Origin,
    Plugin, Wrap, WrapKind,
};

/// Lists of bodies: field, entry of the dictionary.
macro_rules! for_lists {
    ($each:ident!) => {
        $each!(
            meshes, hfields, textures, materials, pairs, flexes, skins, excludes, equalities,
            actuators, sensors, numerics, texts, tuples
        )
    };
}

/// Elements of a class of defaults.
macro_rules! for_defaults {
    ($each:ident!) => {
        $each!(mesh, material, joint, geom, site, camera, light, pair, equality, tendon, actuator)
    };
}

/// Whether an element has a class, a frame and an origin.
trait Links {
    fn class(&mut self) -> Option<&mut DefaultId> {
        None
    }
    fn frame(&mut self) -> Option<&mut Option<FrameId>> {
        None
    }
    fn origin(&mut self) -> &mut Origin;
}

macro_rules! links {
    ($($type:ident $($class:ident $($frame:ident)?)?;)*) => {
        $(impl Links for sim_physics::mjcf::spec::$type {
            $(fn class(&mut self) -> Option<&mut DefaultId> {
                Some(&mut self.$class)
            }
            $(fn frame(&mut self) -> Option<&mut Option<FrameId>> {
                Some(&mut self.$frame)
            })?)?
            fn origin(&mut self) -> &mut Origin {
                &mut self.origin
            }
        })*
    };
}

links! {
    Body childclass frame;
    Frame;
    Joint class frame;
    Geom class frame;
    Site class frame;
    Camera class frame;
    Light class frame;
    Mesh class;
    HField;
    Texture;
    Material class;
    Pair class;
    Exclude;
    Equality class;
    Tendon class;
    Actuator class;
    Sensor;
    Flex;
    Skin;
    Numeric;
    Text;
    Tuple;
    Key;
}

/// The dictionary of an element.
fn get<'py, T: Fields + Links + Clone>(
    py: Python<'py>,
    spec: &Spec,
    item: &T,
) -> PyResult<Bound<'py, PyDict>> {
    let (dict, mut item) = (PyDict::new(py), item.clone());
    item.get(&dict)?;
    if let Some(class) = item.class() {
        dict.set_item("_class", class.0)?;
    }
    if let Some(frame) = item.frame() {
        dict.set_item("_frame", frame.map(|f| f.0))?;
    }
    let origin = *item.origin();
    let Location { file, line, column } = spec.location(origin);
    dict.set_item("_origin", (file, line, column, spec.scope_number(origin)))?;
    Ok(dict)
}

fn list<'py, T: Fields + Links + Clone>(
    py: Python<'py>,
    spec: &Spec,
    items: &[T],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for item in items {
        list.append(get(py, spec, item)?)?;
    }
    Ok(list)
}

/// Sets an element from its dictionary.
fn set<T: Fields + Links>(spec: &mut Spec, mut item: T, from: &Bound<'_, PyDict>) -> PyResult<T> {
    if let Some(origin) = from.get_item("_origin")? {
        let (file, line, column, scope) = origin.extract()?;
        *item.origin() = spec.add_origin(&Location { file, line, column }, scope);
    }
    item.set(from)?;
    if let (Some(class), Some(number)) = (item.class(), from.get_item("_class")?) {
        *class = DefaultId(number.extract()?);
    }
    if let (Some(frame), Some(number)) = (item.frame(), from.get_item("_frame")?) {
        *frame = number.extract::<Option<usize>>()?.map(FrameId);
    }
    Ok(item)
}

fn entries<'py>(from: &Bound<'py, PyDict>, name: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    from.get_item(name)?.map_or(Ok(Vec::new()), |list| list.extract())
}

fn items<T: Fields + Links>(
    spec: &mut Spec,
    from: &Bound<'_, PyDict>,
    name: &str,
) -> PyResult<Vec<T>> {
    entries(from, name)?.iter().map(|entry| set(spec, T::default(), entry)).collect()
}

/// The dictionary of a spec.
///
/// # Errors
/// If a keyframe that is stored per object needs the compiled model, and the model has errors.
pub fn read<'py>(py: Python<'py>, spec: &Spec) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("modelname", &spec.modelname)?;
    out.set_item("directory", &spec.directory)?;
    let compiler = PyDict::new(py);
    spec.compiler.clone().get(&compiler)?;
    out.set_item("compiler", compiler)?;
    let size = PyDict::new(py);
    spec.size.clone().get(&size)?;
    out.set_item("size", size)?;
    let scopes = PyList::empty(py);
    for (compiler, directory) in spec.scopes() {
        let dict = PyDict::new(py);
        compiler.clone().get(&dict)?;
        scopes.append((dict, directory))?;
    }
    out.set_item("scopes", scopes)?;
    let defaults = PyList::empty(py);
    for class in &spec.defaults {
        defaults.append(read_default(py, spec, class)?)?;
    }
    out.set_item("defaults", defaults)?;
    let bodies = PyList::empty(py);
    for body in &spec.bodies {
        bodies.append(read_body(py, spec, body)?)?;
    }
    out.set_item("bodies", bodies)?;
    let frames = PyList::empty(py);
    for frame in &spec.frames {
        let dict = get(py, spec, frame)?;
        dict.set_item("_frame", frame.parent.map(|f| f.0))?;
        frames.append(dict)?;
    }
    out.set_item("frames", frames)?;
    macro_rules! each {
        ($($name:ident),*) => { $(out.set_item(stringify!($name), list(py, spec, &spec.$name)?)?;)* };
    }
    for_lists!(each!);
    out.set_item("keys", read_keys(py, spec)?)?;
    let tendons = PyList::empty(py);
    for tendon in &spec.tendons {
        let dict = get(py, spec, tendon)?;
        let path: Vec<_> = tendon.path.iter().map(|wrap| wrap_entry(&wrap.kind)).collect();
        dict.set_item("path", path)?;
        tendons.append(dict)?;
    }
    out.set_item("tendons", tendons)?;
    let plugins = PyList::empty(py);
    for Plugin { name, plugin, config, .. } in &spec.plugins {
        let values = PyDict::new(py);
        for (key, value) in config {
            values.set_item(key, value)?;
        }
        plugins.append((name, plugin, values))?;
    }
    out.set_item("plugins", plugins)?;
    let extensions: Vec<&str> = spec.extensions.iter().map(|e| e.plugin.as_str()).collect();
    out.set_item("extensions", extensions)?;
    Ok(out)
}

fn read_default<'py>(
    py: Python<'py>,
    spec: &Spec,
    class: &DefaultClass,
) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("name", &class.name)?;
    out.set_item("_parent", class.parent.map(|p| p.0))?;
    macro_rules! each {
        ($($name:ident),*) => { $(out.set_item(stringify!($name), get(py, spec, &class.$name)?)?;)* };
    }
    for_defaults!(each!);
    Ok(out)
}

fn read_body<'py>(py: Python<'py>, spec: &Spec, body: &Body) -> PyResult<Bound<'py, PyDict>> {
    let out = get(py, spec, body)?;
    out.set_item("_children", body.children.iter().map(|id| id.0).collect::<Vec<_>>())?;
    macro_rules! each {
        ($($name:ident),*) => { $(out.set_item(stringify!($name), list(py, spec, &body.$name)?)?;)* };
    }
    each!(joints, geoms, sites, cameras, lights);
    Ok(out)
}

/// Keyframes; those stored per object have the vectors of the compiled model.
fn read_keys<'py>(py: Python<'py>, spec: &Spec) -> PyResult<Bound<'py, PyList>> {
    let out = PyList::empty(py);
    let compiled = if spec.keys.iter().any(Key::has_objects) {
        Some(spec.compile().map_err(|errors| error::load(py, &errors))?)
    } else {
        None
    };
    for key in &spec.keys {
        let mut key = key.clone();
        if let (true, Some(m)) = (key.has_objects(), &compiled) {
            let adr = m.name2id(sim_physics::types::ObjType::Key, &key.name).unwrap_or(0);
            let row = |values: &[f64], n: usize| values[adr * n..(adr + 1) * n].to_vec();
            key.qpos = row(&m.key_qpos, m.nq);
            key.qvel = row(&m.key_qvel, m.nv);
            key.act = row(&m.key_act, m.na);
            key.ctrl = row(&m.key_ctrl, m.nu);
            key.mpos = row(&m.key_mpos, 3 * m.nmocap);
            key.mquat = row(&m.key_mquat, 4 * m.nmocap);
        }
        out.append(get(py, spec, &key)?)?;
    }
    Ok(out)
}

/// An element of a tendon path: number of its type, name, second name and number.
fn wrap_entry(kind: &WrapKind) -> (i32, &str, &str, f64) {
    match kind {
        WrapKind::Joint { joint, coef } => (1, joint, "", *coef),
        WrapKind::Pulley { divisor } => (2, "", "", *divisor),
        WrapKind::Site { site } => (3, site, "", 0.0),
        WrapKind::Geom { geom, sidesite } => (4, geom, sidesite, 0.0),
    }
}

/// Sets everything in a spec that a dictionary contains.
///
/// # Errors
/// If a value has the wrong type, size or number.
pub fn write(spec: &mut Spec, from: &Bound<'_, PyDict>) -> PyResult<()> {
    let settings = |name: &str| -> PyResult<Bound<'_, PyDict>> {
        from.get_item(name)?
            .map_or(Ok(PyDict::new(from.py())), |d| d.extract().map_err(PyErr::from))
    };
    if let Some(name) = from.get_item("modelname")? {
        spec.modelname = name.extract()?;
    }
    if let Some(name) = from.get_item("directory")? {
        spec.directory = name.extract()?;
    }
    let base = spec.compiler.clone();
    spec.compiler.set(&settings("compiler")?)?;
    spec.size.set(&settings("size")?)?;
    let scopes: Vec<(Bound<'_, PyDict>, String)> =
        from.get_item("scopes")?.map_or(Ok(Vec::new()), |list| list.extract())?;
    for (settings, directory) in scopes {
        let mut compiler = base.clone();
        compiler.set(&settings)?;
        spec.add_scope(compiler, directory);
    }
    spec.defaults.clear();
    for entry in entries(from, "defaults")? {
        let class = write_default(spec, &entry)?;
        spec.defaults.push(class);
    }
    let mut frames = Vec::new();
    for entry in entries(from, "frames")? {
        let mut frame = set(spec, Frame::default(), &entry)?;
        let parent = entry.get_item("_frame")?;
        frame.parent = parent.map_or(Ok(None), |p| p.extract::<Option<usize>>())?.map(FrameId);
        frames.push(frame);
    }
    spec.frames = frames;
    let mut bodies = Vec::new();
    for entry in entries(from, "bodies")? {
        let mut body = set(spec, Body::default(), &entry)?;
        macro_rules! each {
            ($($name:ident),*) => { $(body.$name = items(spec, &entry, stringify!($name))?;)* };
        }
        each!(joints, geoms, sites, cameras, lights);
        let children = entry.get_item("_children")?;
        let children: Vec<usize> = children.map_or(Ok(Vec::new()), |c| c.extract())?;
        body.children = children.into_iter().map(BodyId).collect();
        bodies.push(body);
    }
    for parent in 0..bodies.len() {
        for child in bodies[parent].children.clone() {
            if let Some(body) = bodies.get_mut(child.0) {
                body.parent = BodyId(parent);
            }
        }
    }
    spec.bodies = bodies;
    macro_rules! each {
        ($($name:ident),*) => { $(spec.$name = items(spec, from, stringify!($name))?;)* };
    }
    for_lists!(each!);
    write_keys(spec, from)?;
    write_tendons(spec, from)?;
    write_plugins(spec, from)
}

fn write_default(spec: &mut Spec, from: &Bound<'_, PyDict>) -> PyResult<DefaultClass> {
    let name = from.get_item("name")?.map_or(Ok(String::new()), |n| n.extract())?;
    let parent = from.get_item("_parent")?;
    let parent = parent.map_or(Ok(None), |p| p.extract::<Option<usize>>())?.map(DefaultId);
    let mut class = DefaultClass { name, parent, ..DefaultClass::default() };
    macro_rules! each {
        ($($name:ident),*) => {
            $(if let Some(entry) = from.get_item(stringify!($name))? {
                class.$name = set(spec, std::mem::take(&mut class.$name), &entry.extract::<Bound<'_, PyDict>>()?)?;
            })*
        };
    }
    for_defaults!(each!);
    Ok(class)
}

fn write_keys(spec: &mut Spec, from: &Bound<'_, PyDict>) -> PyResult<()> {
    let mut keys = Vec::new();
    for entry in entries(from, "keys")? {
        let mut key = set(spec, Key::default(), &entry)?;
        if let Some(objects) = entry.get_item("_objects")? {
            key = key.objects(object_key(&objects.extract::<Bound<'_, PyDict>>()?)?);
        }
        keys.push(key);
    }
    spec.keys = keys;
    Ok(())
}

/// The state of a keyframe per object.
fn object_key(from: &Bound<'_, PyDict>) -> PyResult<ObjectKey> {
    type Joints = Vec<(BodyId, usize, Vec<f64>)>;
    type Poses = Vec<(usize, Vec<f64>)>;
    let joints = |name: &str| -> PyResult<Option<Joints>> {
        let Some(list) = from.get_item(name)? else { return Ok(None) };
        let list: Vec<(usize, usize, Vec<f64>)> = list.extract()?;
        Ok(Some(
            list.into_iter().map(|(body, joint, values)| (BodyId(body), joint, values)).collect(),
        ))
    };
    let poses = |name: &str| -> PyResult<Option<Poses>> {
        from.get_item(name)?.map(|list| list.extract()).transpose()
    };
    let size = |_: Vec<f64>| error::shape("a pose of a mocap body has the wrong size");
    let mut key =
        ObjectKey { qpos: joints("qpos")?, qvel: joints("qvel")?, ..ObjectKey::default() };
    key.act = poses("act")?;
    key.ctrl = from.get_item("ctrl")?.map(|list| list.extract()).transpose()?;
    if let Some(list) = poses("mpos")? {
        let pose = |(b, v): (usize, Vec<f64>)| Ok((BodyId(b), v.try_into().map_err(size)?));
        key.mpos = Some(list.into_iter().map(pose).collect::<PyResult<_>>()?);
    }
    if let Some(list) = poses("mquat")? {
        let pose = |(b, v): (usize, Vec<f64>)| Ok((BodyId(b), v.try_into().map_err(size)?));
        key.mquat = Some(list.into_iter().map(pose).collect::<PyResult<_>>()?);
    }
    Ok(key)
}

fn write_tendons(spec: &mut Spec, from: &Bound<'_, PyDict>) -> PyResult<()> {
    let mut tendons: Vec<sim_physics::mjcf::spec::Tendon> = items(spec, from, "tendons")?;
    for (tendon, entry) in tendons.iter_mut().zip(entries(from, "tendons")?) {
        let path: Vec<(i32, String, String, f64)> =
            entry.get_item("path")?.map_or(Ok(Vec::new()), |path| path.extract())?;
        for (number, name, sidesite, value) in path {
            let kind = match number {
                1 => WrapKind::Joint { joint: name, coef: value },
                2 => WrapKind::Pulley { divisor: value },
                3 => WrapKind::Site { site: name },
                _ => WrapKind::Geom { geom: name, sidesite },
            };
            if matches!(kind, WrapKind::Joint { .. }) {
                tendon.element = "fixed";
            }
            tendon.path.push(Wrap { kind, origin: tendon.origin });
        }
    }
    spec.tendons = tendons;
    Ok(())
}

fn write_plugins(spec: &mut Spec, from: &Bound<'_, PyDict>) -> PyResult<()> {
    spec.plugins.clear();
    spec.extensions.clear();
    let plugins: Vec<(String, String, Bound<'_, PyDict>)> =
        from.get_item("plugins")?.map_or(Ok(Vec::new()), |list| list.extract())?;
    for (name, plugin, values) in plugins {
        let mut config = Vec::new();
        for (key, value) in values {
            config.push((key.extract()?, value.extract()?));
        }
        spec.plugins.push(Plugin { name, plugin, config, ..Plugin::default() });
    }
    let names: Vec<String> =
        from.get_item("extensions")?.map_or(Ok(Vec::new()), |l| l.extract())?;
    let extension = |plugin| Extension { plugin, ..Extension::default() };
    spec.extensions = names.into_iter().map(extension).collect();
    Ok(())
}
