//! `MjSpec` on [`Spec`]: conversion between the element objects of `sim_physics.spec` and the structs of the engine.
//!
//! The elements live in Python, where programs hold references to them and to their arrays. [`document`] converts all
//! of them at once when a spec is parsed, compiled or saved; [`fields`] has the table of fields.

mod document;
mod fields;
mod settings;
mod shortcut;
mod value;

use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use fields::Fields;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use shortcut::_spec_actuator;
use sim_physics::Spec;
use sim_physics::mjcf::spec::{self, Orientation};

/// What a spec has besides its elements: deformable bodies, and settings that have no name in Python.
#[pyclass(frozen, module = "sim_physics._core")]
pub struct SpecBase {
    spec: Spec,
}

#[pymethods]
impl SpecBase {
    #[new]
    fn new() -> Self {
        Self { spec: Spec::default() }
    }
}

/// The fields of every kind of element with their default values.
#[pyfunction]
fn _spec_defaults(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    fn add<T: Fields>(out: &Bound<'_, PyDict>) -> PyResult<()> {
        let fields = PyDict::new(out.py());
        T::default().get(&fields)?;
        out.set_item(T::KIND, fields)
    }
    let out = PyDict::new(py);
    add::<spec::Body>(&out)?;
    add::<spec::Frame>(&out)?;
    add::<spec::Joint>(&out)?;
    add::<spec::Geom>(&out)?;
    add::<spec::Site>(&out)?;
    add::<spec::Camera>(&out)?;
    add::<spec::Light>(&out)?;
    add::<spec::Mesh>(&out)?;
    add::<spec::HField>(&out)?;
    add::<spec::Texture>(&out)?;
    add::<spec::Material>(&out)?;
    add::<spec::Pair>(&out)?;
    add::<spec::Exclude>(&out)?;
    add::<spec::Equality>(&out)?;
    add::<spec::Tendon>(&out)?;
    add::<spec::Actuator>(&out)?;
    add::<spec::Sensor>(&out)?;
    add::<spec::Flex>(&out)?;
    add::<spec::Skin>(&out)?;
    add::<spec::Numeric>(&out)?;
    add::<spec::Text>(&out)?;
    add::<spec::Tuple>(&out)?;
    add::<spec::Key>(&out)?;
    add::<spec::Compiler>(&out)?;
    add::<spec::Sizes>(&out)?;
    Ok(out)
}

/// Parses MJCF or URDF: the elements, the settings as a model without elements, and the rest.
#[pyfunction]
#[pyo3(signature = (xml, filename, assets))]
fn _spec_parse<'py>(
    py: Python<'py>,
    xml: Option<&str>,
    filename: Option<&str>,
    assets: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Bound<'py, PyDict>, MjModel, SpecBase)> {
    let loader = MjModel::loader(assets)?.with_front_end(sim_physics::urdf::Urdf::default());
    let parsed = match (xml, filename) {
        (_, Some(path)) => crate::run::guarded(|| loader.parse(path))?,
        (text, None) => crate::run::guarded(|| loader.parse_str(text.unwrap_or_default(), ""))?,
    };
    let spec = parsed.map_err(|errors| error::load(py, &errors))?;
    let document = document::read(py, &spec)?;
    let settings = MjModel::new(py, settings::model(&spec))?;
    let mut base = Spec::default();
    (base.deformables, base.xpbd) = (spec.deformables, spec.xpbd);
    (base.compiler, base.size) = (spec.compiler, spec.size);
    base.warnings = spec.warnings;
    Ok((document, settings, SpecBase { spec: base }))
}

/// A model without elements that has the settings of an empty spec.
#[pyfunction]
fn _spec_settings(py: Python<'_>) -> PyResult<MjModel> {
    MjModel::new(py, settings::model(&Spec::default()))
}

/// The spec of a document.
fn build(
    document: &Bound<'_, PyDict>,
    settings: &MjModel,
    base: &SpecBase,
    assets: Option<&Bound<'_, PyDict>>,
) -> PyResult<Spec> {
    let mut spec = base.spec.clone();
    spec.loader = MjModel::loader(assets)?;
    document::write(&mut spec, document)?;
    settings.with(document.py(), |model| settings::apply(model, &mut spec))?;
    Ok(spec)
}

/// Compiles a document.
#[pyfunction]
#[pyo3(signature = (document, settings, base, assets))]
fn _spec_compile(
    py: Python<'_>,
    document: &Bound<'_, PyDict>,
    settings: &MjModel,
    base: &SpecBase,
    assets: Option<&Bound<'_, PyDict>>,
) -> PyResult<MjModel> {
    let spec = build(document, settings, base, assets)?;
    let loaded = py.detach(|| crate::process::parallel(|| spec.compile_with_warnings()))?;
    let loaded = loaded.map_err(|errors| error::load(py, &errors))?;
    crate::error_warnings(py, &loaded.warnings)?;
    MjModel::new(py, loaded.model)
}

/// Compiles a document and transfers the state of a data of another model.
#[pyfunction]
#[pyo3(signature = (document, settings, base, assets, model, data))]
fn _spec_recompile(
    py: Python<'_>,
    document: &Bound<'_, PyDict>,
    settings: &MjModel,
    base: &SpecBase,
    assets: Option<&Bound<'_, PyDict>>,
    model: &MjModel,
    data: &MjData,
) -> PyResult<(Py<MjModel>, MjData)> {
    let spec = build(document, settings, base, assets)?;
    let result = crate::run::read(py, model, data, |m, d| spec.recompile_with_warnings(m, d))?;
    let (loaded, data) = result.map_err(|errors| error::load(py, &errors))?;
    crate::error_warnings(py, &loaded.warnings)?;
    let model = Py::new(py, MjModel::new(py, loaded.model)?)?;
    let data = MjData::new(py, model.clone_ref(py), data)?;
    Ok((model, data))
}

/// Writes a document as MJCF.
#[pyfunction]
#[pyo3(signature = (document, settings, base, assets))]
fn _spec_xml(
    py: Python<'_>,
    document: &Bound<'_, PyDict>,
    settings: &MjModel,
    base: &SpecBase,
    assets: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let spec = build(document, settings, base, assets)?;
    let text = crate::run::guarded(|| spec.save_xml())?;
    text.map_err(|errors| error::load(py, &errors))
}

/// The quaternion of an orientation specifier: its type and values, and the settings of the compiler.
#[pyfunction]
fn _spec_orientation(
    number: i32,
    values: Vec<f64>,
    compiler: &Bound<'_, PyDict>,
) -> PyResult<[f64; 4]> {
    let size = |_| error::shape("an orientation has the wrong number of values");
    let orientation = match number {
        1 => Orientation::AxisAngle(values.try_into().map_err(size)?),
        2 => Orientation::XyAxes(values.try_into().map_err(size)?),
        3 => Orientation::ZAxis(values.try_into().map_err(size)?),
        4 => Orientation::Euler(values.try_into().map_err(size)?),
        _ => Orientation::Quat(values.try_into().map_err(size)?),
    };
    let mut settings = spec::Compiler::default();
    settings.set(compiler)?;
    settings
        .resolve(&orientation)
        .ok_or_else(|| error::value("the orientation is not defined by its values"))
}

/// Adds the functions to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SpecBase>()?;
    crate::add_functions!(
        module; _spec_defaults, _spec_parse, _spec_settings, _spec_compile, _spec_recompile, _spec_xml,
        _spec_orientation, _spec_actuator,
    );
    Ok(())
}
