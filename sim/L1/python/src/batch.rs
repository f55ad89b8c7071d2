//! `BatchSim`: many environments of a model, stepped on several threads.

use crate::args::In;
use crate::error;
use crate::model::MjModel;
use crate::run::guarded;
use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::core::{FieldMut, FieldView};
use sim_physics::{Data, Model};
use std::sync::{Arc, Mutex, MutexGuard};

/// A batch of independent environments of one model, stepped in parallel.
///
/// Every environment is bit-identical to a single simulation, for any number of threads, unless it is stepped in SIMD
/// lanes, which agree with single simulations to rounding.
#[pyclass(frozen, module = "sim_physics")]
pub struct BatchSim {
    batch: Mutex<sim_physics::BatchSim>,
    model: Arc<Model>,
    count: usize,
    process: u32,
}

impl BatchSim {
    fn lock(&self) -> PyResult<MutexGuard<'_, sim_physics::BatchSim>> {
        if std::process::id() != self.process {
            return Err(error::exception(
                "ForkError",
                "this BatchSim was created before os.fork(), and its threads do not exist in the child process: \
                 create it in the child",
            ));
        }
        match self.batch.try_lock() {
            Ok(batch) => Ok(batch),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => Err(error::busy("BatchSim")),
        }
    }

    fn check(&self, environment: usize) -> PyResult<()> {
        crate::args::index("environment", i64::try_from(environment).unwrap_or(-1), self.count)
            .map(drop)
    }
}

#[pymethods]
impl BatchSim {
    /// Creates `num_envs` environments of a model at its reference configuration.
    ///
    /// `threads` is the number of threads, by default that of the CPUs; `time_limit` truncates episodes after a
    /// simulated time in seconds; `auto_reset` resets terminated and truncated environments at the next step. `lanes`
    /// steps several environments at once in the SIMD lanes of each core, which is 3 to 8 times as fast; `get` then has
    /// the state, poses and forces but no contacts, see `steps_in_lanes`.
    #[new]
    #[pyo3(signature = (model, num_envs, *, threads=None, time_limit=None, auto_reset=false, lanes=false))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        num_envs: usize,
        threads: Option<usize>,
        time_limit: Option<f64>,
        auto_reset: bool,
        lanes: bool,
    ) -> PyResult<Self> {
        crate::plugin::check_not_scripted(py, model.get(), "BatchSim")?;
        let model = Arc::new(model.get().with(py, Model::clone)?);
        let threads =
            threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let batch = sim_physics::BatchSim::new(model.clone(), num_envs);
        let mut batch =
            batch.with_threads(threads.max(1)).map_err(|e| error::fatal(e.to_string()))?;
        if let Some(seconds) = time_limit {
            batch = batch.with_time_limit(seconds);
        }
        if auto_reset {
            batch = batch.with_auto_reset();
        }
        if lanes {
            batch = batch.with_lanes();
        }
        Ok(Self { batch: Mutex::new(batch), model, count: num_envs, process: std::process::id() })
    }

    /// Number of environments.
    #[getter]
    fn num_envs(&self) -> usize {
        self.count
    }

    /// Whether environments are stepped in SIMD lanes: requested, and supported for the model.
    #[getter]
    fn steps_in_lanes(&self) -> PyResult<bool> {
        Ok(self.count > 0 && self.lock()?.steps_in_lanes(0))
    }

    /// Number of controls per environment.
    #[getter]
    fn nu(&self) -> usize {
        self.model.nu
    }

    /// Advances every environment by `nstep` time steps with controls of shape (num_envs, nu), or with those of the
    /// last call.
    ///
    /// Returns a dictionary with `states` (num_envs, nq + nv), `rewards`, `terminated`, `truncated`, and `errors`, a
    /// list with the message of each environment whose step failed.
    #[pyo3(signature = (ctrl=None, nstep=1))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        ctrl: Option<In>,
        nstep: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut batch = self.lock()?;
        if let Some(ctrl) = ctrl {
            let ctrl = ctrl.sized("ctrl", self.count * self.model.nu)?;
            batch.set_ctrl(ctrl).map_err(|e| error::shape(e.to_string()))?;
        }
        let batch: &mut sim_physics::BatchSim = &mut batch;
        py.detach(|| {
            guarded(|| {
                batch.step_n(nstep);
            })
        })?;
        let result = batch.result();
        let out = PyDict::new(py);
        let states = result.states.clone().into_pyarray(py).reshape([self.count, result.width])?;
        out.set_item("states", states)?;
        out.set_item("rewards", result.rewards.clone().into_pyarray(py))?;
        out.set_item("terminated", result.terminated.clone().into_pyarray(py))?;
        out.set_item("truncated", result.truncated.clone().into_pyarray(py))?;
        let errors: Vec<Option<String>> =
            result.errors.iter().map(|e| e.as_ref().map(ToString::to_string)).collect();
        out.set_item("errors", errors)?;
        Ok(out)
    }

    /// Starts a new episode in the environments whose entry in `mask` is true, by default in all.
    #[pyo3(signature = (mask=None))]
    fn reset(&self, py: Python<'_>, mask: Option<Vec<bool>>) -> PyResult<()> {
        let mut batch = self.lock()?;
        if let Some(mask) = &mask
            && mask.len() != self.count
        {
            return Err(error::shape(format!(
                "mask should have {} values, but has {}",
                self.count,
                mask.len()
            )));
        }
        let batch: &mut sim_physics::BatchSim = &mut batch;
        py.detach(|| {
            guarded(|| match &mask {
                Some(mask) => batch.reset_where(mask),
                None => batch.reset_all(),
            })
        })
    }

    /// A copy of an array of `MjData` for all environments, with the environment as first dimension.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        collect(py, &*self.lock()?, name)
    }

    /// Sets an array of `MjData` for all environments from values with the environment as first dimension.
    fn set(&self, name: &str, values: PyReadonlyArrayDyn<'_, f64>) -> PyResult<()> {
        let index = field(name)?;
        if index >= Data::FIXED_FIELDS {
            return Err(error::value(format!(
                "`{name}` is computed in every step and cannot be set"
            )));
        }
        let mut batch = self.lock()?;
        let values: Vec<f64> = values.as_array().iter().copied().collect();
        let width = values.len() / self.count.max(1);
        for k in 0..self.count {
            let row = &values[k * width..(k + 1) * width];
            match batch.data_mut(k).array_mut(index) {
                Some(FieldMut::F64(v)) if v.len() == width => v.copy_from_slice(row),
                Some(FieldMut::F64(v)) => {
                    return Err(error::shape(format!(
                        "`{name}` has {} values per environment, not {width}",
                        v.len()
                    )));
                }
                _ => return Err(error::value(format!("`{name}` cannot be set"))),
            }
        }
        Ok(())
    }

    /// Gives an environment its own model parameters: arrays of `MjModel` by name. Derived constants are recomputed.
    #[pyo3(signature = (environment, **arrays))]
    fn vary(&self, environment: usize, arrays: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        self.check(environment)?;
        let mut batch = self.lock()?;
        let edits = edits(&self.model, arrays)?;
        let result = guarded(|| batch.vary(environment, |m| apply(&edits, m)))?;
        result.map_err(|e| error::value(e.to_string()))
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<BatchSim of {} environments>", self.count)
    }
}

/// A copy of an array of `Data` for all environments, with the environment as first dimension.
///
/// # Errors
/// If there is no such array, or it has no numbers.
pub fn collect<'py>(
    py: Python<'py>,
    batch: &sim_physics::BatchSim,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let index = field(name)?;
    let mut values = Vec::new();
    let mut shape = vec![batch.len()];
    for k in 0..batch.len() {
        let data = batch.data(k);
        match data.array(index) {
            Some(FieldView::F64(v)) => values.extend_from_slice(v),
            Some(FieldView::I32(v)) => values.extend(v.iter().map(|&x| f64::from(x))),
            Some(FieldView::U8(v)) => values.extend(v.iter().map(|&x| f64::from(x))),
            _ => return Err(error::value(format!("`{name}` has no numbers"))),
        }
        if k == 0 {
            let layout = crate::layout::of_data(index).shape(batch.model(0), values.len());
            shape.extend_from_slice(layout.sizes());
        }
    }
    values.into_pyarray(py).reshape(shape)
}

/// New values of arrays of `Model`, by their index in `Model::FIELDS`.
pub type Edits = Vec<(usize, Vec<f64>)>;

/// Checks the arrays that are to be changed in a model.
///
/// # Errors
/// If an array does not exist, has another length or cannot be varied.
pub fn edits(model: &Model, arrays: Option<&Bound<'_, PyDict>>) -> PyResult<Edits> {
    let mut edits = Vec::new();
    for (name, values) in arrays.into_iter().flatten() {
        let (name, values): (String, In) = (name.extract()?, values.extract()?);
        let index = Model::FIELDS.iter().position(|f| f.name == name);
        let index = index.ok_or_else(|| unknown(&name, Model::FIELDS.iter().map(|f| f.name)))?;
        match model.array(index) {
            Some(FieldView::F64(v)) if v.len() == values.0.len() => edits.push((index, values.0)),
            Some(FieldView::F64(v)) => {
                let message = format!("`{name}` has {} values, not {}", v.len(), values.0.len());
                return Err(error::shape(message));
            }
            _ => return Err(error::value(format!("`{name}` cannot be varied"))),
        }
    }
    Ok(edits)
}

/// Sets arrays of a model.
pub fn apply(edits: &Edits, model: &mut Model) {
    for (index, values) in edits {
        if let Some(FieldMut::F64(v)) = model.array_mut(*index) {
            v.copy_from_slice(values);
        }
    }
}

/// Index of an array of `Data`.
fn field(name: &str) -> PyResult<usize> {
    let index = Data::FIELDS.iter().position(|f| f.name == name);
    index.ok_or_else(|| unknown(name, Data::FIELDS.iter().map(|f| f.name)))
}

fn unknown<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> PyErr {
    let near = error::near_names(name, &names.collect::<Vec<_>>());
    error::exception(
        "UnknownNameError",
        format!("no array is named '{name}'; the nearest are {near}"),
    )
}
