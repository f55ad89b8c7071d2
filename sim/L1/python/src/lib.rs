//! Python package of the simulator: the extension module `sim_physics._core`.
//!
//! The Python sources are in `python/sim_physics`; the package is documented in `docs/guide/python.md`.

mod args;
mod batch;
mod callback;
mod contact;
mod data;
mod envs;
mod error;
mod functions;
#[cfg(feature = "gpu")]
mod gpu;
mod kinematics;
mod layout;
mod memory;
mod model;
mod named;
mod plugin;
mod process;
mod rollout;
mod run;
#[cfg(feature = "render")]
mod scene;
mod section;
mod spec;
mod tracked;
#[cfg(feature = "viewer")]
mod viewer;

use envs::_task_arrays;
use pyo3::prelude::*;
use pyo3::types::PyList;
use rollout::_rollout;

/// Adds functions to a module.
macro_rules! add_functions {
    ($module:expr; $($name:ident),* $(,)?) => {
        $($module.add_function(pyo3::wrap_pyfunction!($name, $module)?)?;)*
    };
}
pub(crate) use add_functions;

/// Reports the warnings of a model file as Python warnings.
fn error_warnings(py: Python<'_>, warnings: &[sim_physics::mjcf::Warning]) -> PyResult<()> {
    let category = py.import("sim_physics._errors")?.getattr("ModelWarning")?;
    let warn = py.import("warnings")?.getattr("warn")?;
    for warning in warnings {
        warn.call1((warning.to_string(), &category))?;
    }
    Ok(())
}

/// The field tables: name, element type, shape and description of the arrays of a class, for stubs.
#[pyfunction]
fn _fields<'py>(py: Python<'py>, class: &str) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    let fields = match class {
        "MjModel" => sim_physics::Model::FIELDS,
        _ => sim_physics::Data::FIELDS,
    };
    for field in fields {
        list.append((field.name, field.element, field.shape.to_vec(), field.doc))?;
    }
    Ok(list)
}

/// Name and description of the scalars of a class, for stubs.
#[pyfunction]
fn _scalars(class: &str) -> Vec<(&'static str, &'static str)> {
    match class {
        "MjModel" => sim_physics::Model::SIZES.to_vec(),
        "MjData" => sim_physics::Data::SCALARS.to_vec(),
        _ => section::fields(class).to_vec(),
    }
}

#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    process::initialize();
    module.add("_version", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::MjModel>()?;
    module.add_class::<data::MjData>()?;
    module.add_class::<data::MjWarningStat>()?;
    module.add_class::<data::MjWarningStatList>()?;
    module.add_class::<data::MjTimerStat>()?;
    module.add_class::<contact::MjContact>()?;
    module.add_class::<contact::MjContactList>()?;
    module.add_class::<named::NamedView>()?;
    module.add_class::<batch::BatchSim>()?;
    module.add_class::<plugin::Loader>()?;
    module.add_class::<envs::VecEnv>()?;
    module.add_class::<kinematics::Chain>()?;
    module.add_class::<kinematics::Solver>()?;
    module.add_class::<kinematics::Solution>()?;
    section::register(module)?;
    model::add_fields(&py.get_type::<model::MjModel>())?;
    data::add_fields(&py.get_type::<data::MjData>())?;
    functions::register(module)?;
    callback::register(module)?;
    spec::register(module)?;
    #[cfg(feature = "gpu")]
    gpu::register(module)?;
    #[cfg(feature = "render")]
    scene::register(module)?;
    #[cfg(feature = "viewer")]
    module.add_class::<viewer::Window>()?;
    add_functions!(module; _fields, _scalars, _rollout, _task_arrays);
    Ok(())
}
