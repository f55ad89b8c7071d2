//! Plugins written in Python: objects of the class `Plugin` that are registered on a `Loader`.

use crate::callback;
use crate::error;
use crate::model::MjModel;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::core::{Capabilities, Plugin, PluginConfig, PluginError, PluginInstance};
use sim_physics::types::SensorStage;
use sim_physics::{Data, Model};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Names of all plugins that were written in Python.
static NAMES: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Whether a model has instances of plugins written in Python, which are called with the objects of a call.
pub fn is_scripted(m: &Model) -> bool {
    let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(names) = &*names else { return false };
    (0..m.nplugin).any(|i| m.plugin_name(i).is_some_and(|name| names.contains(name)))
}

/// Rejects a model with plugins written in Python where there is no Python object of the data.
///
/// # Errors
/// `UnsupportedError` for such a model.
pub fn check_not_scripted(py: Python<'_>, m: &MjModel, what: &str) -> PyResult<()> {
    if m.with(py, is_scripted)? {
        return Err(error::exception(
            "UnsupportedError",
            format!("{what} does not call plugins written in Python: step an MjData with mj_step"),
        ));
    }
    Ok(())
}

/// A plugin written in Python.
#[derive(Debug)]
struct ScriptPlugin {
    object: Py<PyAny>,
    name: String,
    /// Keys of the configuration; they live as long as the process.
    attributes: Vec<&'static str>,
    capabilities: Capabilities,
    needstage: SensorStage,
}

impl ScriptPlugin {
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name: String = object.getattr("name")?.extract()?;
        if name.is_empty() {
            return Err(error::value("a plugin needs a name, such as \"example.ramp\""));
        }
        let keys: Vec<String> = object.getattr("attributes")?.extract()?;
        let attributes = keys.into_iter().map(|key| &*key.leak()).collect();
        let bits: u32 = object.getattr("capabilities")?.extract()?;
        let known = [Capabilities::ACTUATOR, Capabilities::SENSOR, Capabilities::PASSIVE];
        let chosen = known.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        let capabilities =
            chosen.fold(Capabilities::default(), |all, (_, capability)| all | *capability);
        if bits == 0 || bits >> known.len() != 0 {
            let message = format!(
                "capabilities of {name}: {bits} is not a combination of ACTUATOR, SENSOR and PASSIVE"
            );
            return Err(error::value(message));
        }
        let stage: i32 = object.getattr("needstage")?.extract()?;
        let needstage = SensorStage::from_number(stage)
            .ok_or_else(|| error::value(format!("mjtStage has no value {stage}")))?;
        NAMES
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert_default()
            .insert(name.clone());
        Ok(Self { object: object.clone().unbind(), name, attributes, capabilities, needstage })
    }

    fn config<'py>(&self, py: Python<'py>, config: &PluginConfig) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for &key in &self.attributes {
            dict.set_item(key, config.get(key))?;
        }
        Ok(dict)
    }

    fn size(&self, method: &str, config: &PluginConfig) -> Result<usize, PluginError> {
        Python::attach(|py| {
            let config = self.config(py, config)?;
            self.object.call_method1(py, method, (config,))?.extract(py)
        })
        .map_err(|e: PyErr| failure(method, &e))
    }
}

fn failure(method: &str, error: &PyErr) -> PluginError {
    PluginError::new(format!("{method} of the plugin failed: {error}"))
}

impl Plugin for ScriptPlugin {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> &[&str] {
        &self.attributes
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn needstage(&self) -> SensorStage {
        self.needstage
    }

    fn nstate(&self, config: &PluginConfig) -> Result<usize, PluginError> {
        self.size("nstate", config)
    }

    fn nsensordata(&self, config: &PluginConfig) -> Result<usize, PluginError> {
        self.size("nsensordata", config)
    }

    fn init(&self, m: &Model, instance: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
        Python::attach(|py| {
            let config = self.config(py, &m.plugin_config(instance))?;
            let model = Py::new(py, MjModel::new(py, m.clone())?)?;
            let object = self.object.call_method1(py, "init", (model, instance, config))?;
            Ok(Arc::new(ScriptInstance { object }) as Arc<dyn PluginInstance>)
        })
        .map_err(|e: PyErr| failure("init", &e))
    }
}

/// An instance: an object of Python with the methods of `PluginInstance`.
#[derive(Debug)]
struct ScriptInstance {
    object: Py<PyAny>,
}

impl PluginInstance for ScriptInstance {
    fn reset(&self, _: &Model, state: &mut [f64]) {
        Python::attach(|py| {
            let array = PyArray1::from_slice(py, state);
            match self.object.call_method1(py, "reset", (&array,)) {
                Ok(_) => {
                    for (to, from) in state.iter_mut().zip(array.readonly().as_array()) {
                        *to = *from;
                    }
                }
                // data may be created outside of a call that can raise
                Err(error) => callback::store_or_print(py, error),
            }
        });
    }

    fn actuator_act_dot(&self, _: &Model, d: &mut Data) {
        callback::call_method(d, &self.object, "actuator_act_dot", None);
    }

    fn compute(&self, _: &Model, d: &mut Data, capability: Capabilities) {
        let all = [Capabilities::ACTUATOR, Capabilities::SENSOR, Capabilities::PASSIVE];
        let bit = all.iter().position(|c| *c == capability).unwrap_or(0);
        callback::call_method(d, &self.object, "compute", Some(1 << bit));
    }

    fn advance(&self, _: &Model, d: &mut Data) {
        callback::call_method(d, &self.object, "advance", None);
    }
}

/// Loads models that use plugins written in Python, and files in memory.
#[pyclass(frozen, module = "sim_physics")]
pub struct Loader {
    loader: sim_physics::Loader,
}

#[pymethods]
impl Loader {
    /// A loader with plugins (objects of classes derived from `Plugin`) and files in memory.
    #[new]
    #[pyo3(signature = (plugins=Vec::new(), assets=None))]
    fn new(plugins: Vec<Bound<'_, PyAny>>, assets: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut loader = MjModel::loader(assets)?;
        for plugin in &plugins {
            loader = loader.with_plugin(ScriptPlugin::new(plugin)?);
        }
        Ok(Self { loader })
    }

    /// Loads MJCF from a string.
    fn load_string(&self, py: Python<'_>, xml: &str) -> PyResult<MjModel> {
        let loaded = py.detach(|| {
            crate::run::guarded(|| {
                self.loader.parse_str(xml, "").and_then(|s| s.compile_with_warnings())
            })
        })?;
        Self::model(py, loaded)
    }

    /// Loads an MJCF file.
    fn load(&self, py: Python<'_>, filename: PathBuf) -> PyResult<MjModel> {
        let path = filename.display().to_string();
        let loaded = py.detach(|| crate::run::guarded(|| self.loader.load_with_warnings(&path)))?;
        Self::model(py, loaded)
    }
}

impl Loader {
    fn model(
        py: Python<'_>,
        loaded: Result<sim_physics::mjcf::Loaded, sim_physics::mjcf::Errors>,
    ) -> PyResult<MjModel> {
        let loaded = loaded.map_err(|errors| error::load(py, &errors))?;
        crate::error_warnings(py, &loaded.warnings)?;
        MjModel::new(py, loaded.model)
    }
}
