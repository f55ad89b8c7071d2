//! `VecEnv`: vector environments of `sim-envs`. The gymnasium interface is in `python/sim_physics/envs`.

mod buffers;
mod description;

use crate::args::In;
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use crate::run::guarded;
use buffers::{Actions, Observations, Values};
use description::Description;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use sim_envs::{Autoreset, Builder, InfoRow, Randomization, Seeds, StepBuffers, Value};
use sim_physics::{Data, Model};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// Values of all environments, one row each.
type Rows<'py> = Bound<'py, PyArray2<f64>>;
/// One flag per environment.
type Mask<'py> = Bound<'py, PyArray1<bool>>;

/// Tracked body, distance, point and elevation of a camera.
type Camera = (Option<usize>, Option<f64>, Option<[f64; 3]>, Option<f64>);

/// Environments of one task, stepped together on one or several threads.
///
/// `sim_physics.envs.SimVectorEnv` is the gymnasium interface of this class. `task` is the name of a built-in task such
/// as `Ant-v5`, or a description that `sim_physics.envs.DescribedVectorEnv` makes; `options` are the keyword arguments
/// of gymnasium's constructors. Results do not depend on the number of threads.
#[pyclass(frozen, module = "sim_physics")]
pub struct VecEnv {
    env: Mutex<sim_envs::VecEnv>,
    process: u32,
    num_envs: usize,
    observation_size: usize,
    action_size: usize,
}

impl VecEnv {
    fn lock(&self) -> PyResult<MutexGuard<'_, sim_envs::VecEnv>> {
        if std::process::id() != self.process {
            return Err(error::exception(
                "ForkError",
                "these environments were created before os.fork(), and their threads do not exist in the child \
                 process: create them in the child",
            ));
        }
        match self.env.try_lock() {
            Ok(env) => Ok(env),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => Err(error::busy("VecEnv")),
        }
    }

    /// An array with a row for each environment.
    fn rows<'py>(&self, py: Python<'py>, values: Vec<f64>) -> PyResult<Rows<'py>> {
        let width = values.len() / self.num_envs.max(1);
        values.into_pyarray(py).reshape([self.num_envs, width])
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (task, num_envs=1, *, model=None, options=None, frame_skip=None, max_episode_steps=None,
                        autoreset="NextStep", threads=None, lanes=false))]
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of the constructor")]
    fn new(
        py: Python<'_>,
        task: &Bound<'_, PyAny>,
        num_envs: usize,
        model: Option<&Bound<'_, MjModel>>,
        options: Option<&Bound<'_, PyDict>>,
        frame_skip: Option<usize>,
        max_episode_steps: Option<i64>,
        autoreset: &str,
        threads: Option<usize>,
        lanes: bool,
    ) -> PyResult<Self> {
        let model = model.map(|m| m.get().with(py, |m| Arc::new(m.clone()))).transpose()?;
        let mut builder = match (task.extract::<String>(), model) {
            (Ok(id), None) => sim_envs::make(&id).map_err(|e| convert(py, &e))?,
            (Ok(id), Some(model)) => sim_envs::make(&id).map_err(|e| convert(py, &e))?.model(model),
            (Err(_), Some(model)) => Builder::new(task.extract::<Description>()?.0, model),
            (Err(_), None) => return Err(error::value("a task by description needs a model")),
        };
        for (name, option) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            let option = option_value(&name, &option)?;
            builder = builder.option(&name, option).map_err(|e| convert(py, &e))?;
        }
        if let Some(steps) = max_episode_steps {
            // as in gymnasium, -1 is for episodes of any length
            builder = match u64::try_from(steps) {
                Ok(steps) => builder.max_episode_steps(steps),
                Err(_) => builder.without_time_limit(),
            };
        }
        if let Some(frames) = frame_skip {
            builder = builder.frame_skip(frames);
        }
        // threads of its own: those of a global pool would not exist in a child process
        let cpus = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or_else(|| cpus().min(num_envs).max(1));
        builder = builder.num_envs(num_envs).threads(threads).lanes(lanes);
        builder = builder.autoreset(autoreset_mode(autoreset)?);
        let env = py
            .detach(|| crate::process::parallel(|| builder.build()))?
            .map_err(|e| convert(py, &e))?;
        Ok(Self {
            process: std::process::id(),
            num_envs,
            observation_size: env.observation_size(),
            action_size: env.action_size(),
            env: Mutex::new(env),
        })
    }

    /// Number of environments.
    #[getter]
    fn num_envs(&self) -> usize {
        self.num_envs
    }

    /// Number of values of an observation.
    #[getter]
    fn observation_size(&self) -> usize {
        self.observation_size
    }

    /// Number of values of an action.
    #[getter]
    fn action_size(&self) -> usize {
        self.action_size
    }

    /// Lower and upper bound of the values of an action.
    #[getter]
    fn action_bounds<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let bounds: Vec<f64> = self.lock()?.action_bounds().flat_map(|(a, b)| [a, b]).collect();
        bounds.into_pyarray(py).reshape([self.action_size, 2])
    }

    /// Duration of a step in seconds.
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        Ok(self.lock()?.dt())
    }

    /// Number of time steps of the simulation per step.
    #[getter]
    fn frame_skip(&self) -> PyResult<usize> {
        Ok(self.lock()?.frame_skip())
    }

    /// Number of threads.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.lock()?.threads())
    }

    /// Whether the environments are stepped in SIMD lanes: requested, and supported for the model.
    #[getter]
    fn steps_in_lanes(&self) -> PyResult<bool> {
        Ok(self.lock()?.steps_in_lanes())
    }

    /// Name, length (None for a number) and validity after a reset of the values that `infos` has.
    #[getter]
    fn info_fields(&self) -> PyResult<Vec<(String, Option<usize>, bool)>> {
        let env = self.lock()?;
        let state = env.state_fields().len();
        let fields = env.info_fields().iter().enumerate();
        Ok(fields.map(|(i, field)| (field.name.to_string(), field.len, i < state)).collect())
    }

    /// The camera of images: tracked body, distance, point, elevation; None where the default applies.
    #[getter]
    fn camera(&self) -> PyResult<Camera> {
        let camera = self.lock()?.camera();
        Ok((camera.track_body, camera.distance, camera.lookat, camera.elevation))
    }

    /// Starts a new episode in all environments, or in those that `mask` selects, and writes the observations of all.
    ///
    /// `seed` is None to continue, an integer (environment `i` gets `seed + i`) or a list with an integer or None for
    /// each environment.
    #[pyo3(signature = (observations, seed=None, mask=None))]
    fn reset(
        &self,
        py: Python<'_>,
        observations: Observations<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        mask: Option<Vec<bool>>,
    ) -> PyResult<()> {
        let mut env = self.lock()?;
        let env: &mut sim_envs::VecEnv = &mut env;
        let each: Vec<Option<u64>>;
        let seeds = match seed {
            None => Seeds::Continue,
            Some(seed) => match seed.extract::<u64>() {
                Ok(first) => Seeds::From(first),
                Err(_) => {
                    each = seed.extract().map_err(|_| seed_error())?;
                    Seeds::Each(&each)
                }
            },
        };
        let mask = mask.as_deref();
        let result = match observations {
            Observations::Double(mut rows) => {
                let rows = buffers::slice_mut("observations", &mut rows)?;
                py.detach(|| guarded(|| env.reset(seeds, mask, rows)))?
            }
            Observations::Single(mut rows) => {
                let rows = buffers::slice_mut("observations", &mut rows)?;
                py.detach(|| guarded(|| env.reset(seeds, mask, rows)))?
            }
        };
        result.map_err(|e| convert(py, &e))
    }

    /// Takes one step in every environment and writes the results into the given arrays.
    fn step(
        &self,
        py: Python<'_>,
        actions: Actions<'_>,
        observations: Observations<'_>,
        mut rewards: Values<'_, f64>,
        mut terminated: Values<'_, bool>,
        mut truncated: Values<'_, bool>,
    ) -> PyResult<()> {
        let mut env = self.lock()?;
        actions.check(self.num_envs, self.action_size)?;
        let rewards = buffers::slice_mut("rewards", &mut rewards)?;
        let terminated = buffers::slice_mut("terminated", &mut terminated)?;
        let truncated = buffers::slice_mut("truncated", &mut truncated)?;
        let result = match observations {
            Observations::Double(mut rows) => {
                let observations = buffers::slice_mut("observations", &mut rows)?;
                let out = StepBuffers { observations, rewards, terminated, truncated };
                advance(py, &mut env, &actions, out)?
            }
            Observations::Single(mut rows) => {
                let observations = buffers::slice_mut("observations", &mut rows)?;
                let out = StepBuffers { observations, rewards, terminated, truncated };
                advance(py, &mut env, &actions, out)?
            }
        };
        result.map_err(|e| convert(py, &e))
    }

    /// Writes the current observations in double precision, without a step.
    fn observe(&self, py: Python<'_>, mut observations: Values<'_, f64>) -> PyResult<()> {
        let env = self.lock()?;
        let env: &sim_envs::VecEnv = &env;
        let rows = buffers::slice_mut("observations", &mut observations)?;
        let result = py.detach(|| guarded(|| env.observe(rows)))?;
        result.map_err(|e| convert(py, &e))
    }

    /// The infos of the last call: values (zero where they are not valid), whether the fields of states are valid, and
    /// whether all fields are.
    fn infos<'py>(&self, py: Python<'py>) -> PyResult<(Rows<'py>, Mask<'py>, Mask<'py>)> {
        let env = self.lock()?;
        let mut values = env.infos().to_vec();
        let width = values.len() / self.num_envs.max(1);
        let states: usize = env.state_fields().iter().map(sim_envs::InfoField::size).sum();
        let rows: Vec<InfoRow> = env.info_rows().collect();
        if width > 0 {
            for (row, kind) in values.chunks_exact_mut(width).zip(&rows) {
                match kind {
                    InfoRow::Step => {}
                    InfoRow::Reset => row[states..].fill(0.0),
                    InfoRow::Absent => row.fill(0.0),
                }
            }
        }
        let is_state: Vec<bool> = rows.iter().map(|row| *row != InfoRow::Absent).collect();
        let is_step: Vec<bool> = rows.iter().map(|row| *row == InfoRow::Step).collect();
        Ok((self.rows(py, values)?, is_state.into_pyarray(py), is_step.into_pyarray(py)))
    }

    /// The environments whose episode ended in the last step and was followed by a new one, with the last observations
    /// and infos; None if there are none.
    fn finals<'py>(&self, py: Python<'py>) -> PyResult<Option<(Mask<'py>, Rows<'py>, Rows<'py>)>> {
        let env = self.lock()?;
        let mask: Vec<bool> = env.final_mask().collect();
        if !mask.contains(&true) {
            return Ok(None);
        }
        let mut infos = env.final_infos().to_vec();
        let width = infos.len() / self.num_envs.max(1);
        if width > 0 {
            let rows = infos.chunks_exact_mut(width).zip(&mask);
            rows.filter(|(_, is_final)| !**is_final).for_each(|(row, _)| row.fill(0.0));
        }
        let observations = self.rows(py, env.final_observations().to_vec())?;
        Ok(Some((mask.into_pyarray(py), observations, self.rows(py, infos)?)))
    }

    /// The environments whose simulation failed in the last step, with the reasons.
    fn errors(&self) -> PyResult<Vec<(usize, String)>> {
        Ok(self.lock()?.errors().map(|(i, error)| (i, error.to_string())).collect())
    }

    /// Number of steps of the running episode of each environment.
    fn elapsed_steps(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let env = self.lock()?;
        let steps = (0..self.num_envs).map(|i| env.elapsed_steps(i));
        steps.collect::<Result<_, _>>().map_err(|e| convert(py, &e))
    }

    /// Simulated time of each environment in seconds.
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let env = self.lock()?;
        let times: Vec<f64> = (0..self.num_envs).map(|i| env.batch().data(i).time).collect();
        Ok(times.into_pyarray(py))
    }

    /// A copy of the model of an environment, with its variation.
    fn model(&self, py: Python<'_>, environment: usize) -> PyResult<MjModel> {
        let mut env = self.lock()?;
        let model = guarded(|| env.varied_model(environment))?;
        MjModel::new(py, model.map_err(|e| convert(py, &e))?)
    }

    /// A copy of the state of an environment; `model` is the result of `model(environment)`.
    fn data(&self, py: Python<'_>, environment: usize, model: Py<MjModel>) -> PyResult<MjData> {
        let env = self.lock()?;
        let data = env.data(environment).map_err(|e| convert(py, &e))?.clone();
        let sizes = model.get().with(py, Model::sizes)?;
        if env.batch().model(environment).sizes() != sizes {
            return Err(error::value("the model has other sizes than that of the environments"));
        }
        MjData::new(py, model, data)
    }

    /// A copy of an array of `MjData` for all environments, with the environment as first dimension.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        crate::batch::collect(py, self.lock()?.batch(), name)
    }

    /// Sets positions, velocities and times of the environments with the given indices, and evaluates their states.
    fn set_state(
        &self,
        py: Python<'_>,
        environments: Vec<usize>,
        qpos: In,
        qvel: In,
        time: In,
    ) -> PyResult<()> {
        let mut env = self.lock()?;
        let count = environments.len();
        let (nq, nv) = (env.model().nq, env.model().nv);
        let (qpos, qvel) = (qpos.sized("qpos", count * nq)?, qvel.sized("qvel", count * nv)?);
        let time = time.sized("time", count)?;
        for (k, environment) in environments.into_iter().enumerate() {
            let (q, v) = (&qpos[k * nq..(k + 1) * nq], &qvel[k * nv..(k + 1) * nv]);
            let result = guarded(|| env.set_state(environment, q, v, time[k]))?;
            result.map_err(|e| convert(py, &e))?;
        }
        Ok(())
    }

    /// Multiplies masses, friction, gains and damping of each environment by random factors between the given bounds.
    #[pyo3(signature = (seed, *, mass=(1.0, 1.0), friction=(1.0, 1.0), gain=(1.0, 1.0), damping=(1.0, 1.0)))]
    fn randomize(
        &self,
        py: Python<'_>,
        seed: u64,
        mass: (f64, f64),
        friction: (f64, f64),
        gain: (f64, f64),
        damping: (f64, f64),
    ) -> PyResult<()> {
        let mut env = self.lock()?;
        let env: &mut sim_envs::VecEnv = &mut env;
        let ranges = Randomization { mass, friction, gain, damping };
        let result = py.detach(|| guarded(|| env.randomize(seed, &ranges)))?;
        result.map_err(|e| convert(py, &e))
    }

    /// Gives an environment its own model parameters: arrays of `MjModel` by name. Derived constants are recomputed.
    #[pyo3(signature = (environment, **arrays))]
    fn vary(
        &self,
        py: Python<'_>,
        environment: usize,
        arrays: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let mut env = self.lock()?;
        let edits = crate::batch::edits(env.model(), arrays)?;
        let edit = |model: &mut Model| crate::batch::apply(&edits, model);
        let result = guarded(|| env.vary(environment, edit))?;
        result.map_err(|e| convert(py, &e))
    }

    fn __len__(&self) -> usize {
        self.num_envs
    }

    fn __repr__(&self) -> String {
        format!("<VecEnv of {} environments>", self.num_envs)
    }
}

/// Takes one step with actions of either precision, without holding the interpreter.
fn advance<O: sim_envs::Real>(
    py: Python<'_>,
    env: &mut sim_envs::VecEnv,
    actions: &Actions<'_>,
    out: StepBuffers<'_, O>,
) -> PyResult<Result<(), sim_envs::Error>> {
    match actions {
        Actions::Double(rows) => {
            let actions = buffers::slice("actions", rows)?;
            py.detach(|| guarded(|| env.step(actions, out)))
        }
        Actions::Single(rows) => {
            let actions = buffers::slice("actions", rows)?;
            py.detach(|| guarded(|| env.step(actions, out)))
        }
    }
}

/// The exception for an error of `sim-envs`.
fn convert(py: Python<'_>, error: &sim_envs::Error) -> PyErr {
    use sim_envs::Error;
    let text = error.to_string();
    match error {
        Error::UnknownTask { .. } => error::exception("UnknownNameError", text),
        Error::UnknownOption { .. } | Error::WrongType { .. } => PyTypeError::new_err(text),
        Error::OutOfRange { .. } | Error::Model(_) | Error::EmptyMask => error::value(text),
        Error::WrongLength { .. } => error::shape(text),
        Error::NoSuchEnvironment { .. } => PyIndexError::new_err(text),
        Error::NotReset(_) | Error::EpisodeEnded(_) => error::exception("ResetNeededError", text),
        Error::Physics(sim_physics::Error::Load(errors)) => error::load(py, errors),
        Error::Physics(sim_physics::Error::Step(error)) => error::step(error),
        _ => error::fatal(text),
    }
}

fn seed_error() -> PyErr {
    PyTypeError::new_err(
        "seed should be None, a non-negative integer, or a list with one of them for each environment",
    )
}

/// An autoreset mode by the name of the member of `gymnasium.vector.AutoresetMode`.
fn autoreset_mode(name: &str) -> PyResult<Autoreset> {
    Ok(match name {
        "NextStep" => Autoreset::NextStep,
        "SameStep" => Autoreset::SameStep,
        "Disabled" => Autoreset::Disabled,
        _ => {
            let text =
                format!("autoreset is '{name}', but must be 'NextStep', 'SameStep' or 'Disabled'");
            return Err(error::value(text));
        }
    })
}

/// The value of an option: a number, a flag, a pair of bounds or a text.
fn option_value(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Value::Number(number));
    }
    if let Ok(path) = value.extract::<PathBuf>() {
        return Ok(Value::Text(path.display().to_string()));
    }
    if let Ok(bounds) = value.extract::<Vec<f64>>()
        && let [low, high] = bounds[..]
    {
        return Ok(Value::Range(low, high));
    }
    Err(PyTypeError::new_err(format!(
        "option `{name}` should be a number, True or False, a pair of numbers or a text, not {}",
        value.get_type()
    )))
}

/// Names of the arrays of `MjData` that the description of a task can use.
#[pyfunction]
pub fn _task_arrays() -> Vec<&'static str> {
    let names = Data::FIELDS.iter().map(|field| field.name);
    names.filter(|name| sim_envs::Array::from_name(name).is_some()).collect()
}
