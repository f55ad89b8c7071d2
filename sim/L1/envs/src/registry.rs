//! The built-in tasks by name, and the builder of vector environments.

use crate::parameters::{Parameter, Value, convert, unknown_option};
use crate::vec_env::{Autoreset, Settings, VecEnv};
use crate::{Error, Task, models, tasks};
use sim_physics::Model;
use std::path::PathBuf;
use std::sync::Arc;

/// Names of the built-in tasks.
pub const IDS: [&str; 11] = [
    "Ant-v5",
    "HalfCheetah-v5",
    "Hopper-v5",
    "Humanoid-v5",
    "HumanoidStandup-v5",
    "InvertedDoublePendulum-v5",
    "InvertedPendulum-v5",
    "Pusher-v5",
    "Reacher-v5",
    "Swimmer-v5",
    "Walker2d-v5",
];

/// A built-in task: its model, frame skip and episode length.
fn built_in(id: &str) -> Option<(Box<dyn Task>, &'static str, usize, u64)> {
    fn task<T: Task + Default + 'static>() -> Box<dyn Task> {
        Box::new(T::default())
    }
    Some(match id {
        "Ant-v5" => (task::<tasks::Ant>(), "ant.xml", 5, 1000),
        "HalfCheetah-v5" => (task::<tasks::HalfCheetah>(), "half_cheetah.xml", 5, 1000),
        "Hopper-v5" => (task::<tasks::Hopper>(), "hopper.xml", 4, 1000),
        "Humanoid-v5" => (task::<tasks::Humanoid>(), "humanoid.xml", 5, 1000),
        "HumanoidStandup-v5" => (task::<tasks::HumanoidStandup>(), "humanoid_standup.xml", 5, 1000),
        "InvertedDoublePendulum-v5" => {
            (task::<tasks::InvertedDoublePendulum>(), "inverted_double_pendulum.xml", 5, 1000)
        }
        "InvertedPendulum-v5" => {
            (task::<tasks::InvertedPendulum>(), "inverted_pendulum.xml", 2, 1000)
        }
        "Pusher-v5" => (task::<tasks::Pusher>(), "pusher.xml", 5, 100),
        "Reacher-v5" => (task::<tasks::Reacher>(), "reacher.xml", 2, 50),
        "Swimmer-v5" => (task::<tasks::Swimmer>(), "swimmer.xml", 4, 1000),
        "Walker2d-v5" => (task::<tasks::Walker2d>(), "walker2d.xml", 4, 1000),
        _ => return None,
    })
}

/// Starts to build vector environments of a built-in task: `make("Humanoid-v5")?.num_envs(64).build()`.
///
/// # Errors
/// When there is no task with this name.
pub fn make(id: &str) -> Result<Builder, Error> {
    let (task, file, frame_skip, steps) =
        built_in(id).ok_or_else(|| Error::UnknownTask { id: id.to_owned() })?;
    let builder = Builder::with_source(id, task, Source::BuiltIn(file));
    Ok(builder.frame_skip(frame_skip).max_episode_steps(steps))
}

/// Where the model comes from.
enum Source {
    BuiltIn(&'static str),
    File(PathBuf),
    Model(Arc<Model>),
}

/// Settings of vector environments, which [`Builder::build`] creates.
#[must_use]
pub struct Builder {
    name: String,
    task: Box<dyn Task>,
    source: Source,
    num_envs: usize,
    threads: Option<usize>,
    settings: Settings,
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, num_envs, threads, settings, .. } = self;
        f.debug_struct("Builder")
            .field("task", name)
            .field("num_envs", num_envs)
            .field("threads", threads)
            .field("settings", settings)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// Starts with a task and a model. The default is one environment, one frame per step and episodes
    /// of any length.
    pub fn new(task: impl Task + 'static, model: Arc<Model>) -> Self {
        Self::from_box(Box::new(task), model)
    }

    /// As [`Builder::new`], for a task whose type is not known.
    pub fn from_box(task: Box<dyn Task>, model: Arc<Model>) -> Self {
        Self::with_source("custom", task, Source::Model(model))
    }

    fn with_source(name: &str, task: Box<dyn Task>, source: Source) -> Self {
        let name = name.to_owned();
        Self { name, task, source, num_envs: 1, threads: None, settings: Settings::default() }
    }

    /// Number of environments.
    pub fn num_envs(mut self, count: usize) -> Self {
        self.num_envs = count;
        self
    }

    /// Number of threads; the default is rayon's global pool, one thread per core. Results do not depend
    /// on it.
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = Some(count);
        self
    }

    /// Steps several environments at once in the SIMD lanes of each core, see [`BatchSim::with_lanes`]: 3 to 8 times as
    /// fast. Results agree with those of the default to rounding; they do not depend on the number of threads. Models
    /// that lanes do not support, see [`sim_physics::lanes::supports`], are stepped as by default, as are
    /// environments with a variation. Tasks with [`Task::needs_full_data`] and models with sensors take the last time
    /// step of each step without lanes.
    ///
    /// [`BatchSim::with_lanes`]: sim_physics::BatchSim::with_lanes
    pub fn lanes(mut self, enabled: bool) -> Self {
        self.settings.lanes = enabled;
        self
    }

    /// Number of time steps of the simulation per step of the environments.
    pub fn frame_skip(mut self, frames: usize) -> Self {
        self.settings.frame_skip = frames;
        self
    }

    /// Truncates episodes after this number of steps.
    pub fn max_episode_steps(mut self, steps: u64) -> Self {
        self.settings.max_episode_steps = Some(steps);
        self
    }

    /// Does not truncate episodes.
    pub fn without_time_limit(mut self) -> Self {
        self.settings.max_episode_steps = None;
        self
    }

    /// What happens when an episode ends.
    pub fn autoreset(mut self, mode: Autoreset) -> Self {
        self.settings.autoreset = mode;
        self
    }

    /// Uses the model of an MJCF or URDF file.
    pub fn xml_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.source = Source::File(path.into());
        self
    }

    /// Uses this model.
    pub fn model(mut self, model: Arc<Model>) -> Self {
        self.source = Source::Model(model);
        self
    }

    /// Sets an option by the name that it has in gymnasium's constructor: an option of the task,
    /// `frame_skip`, `max_episode_steps` or `xml_file`.
    ///
    /// # Errors
    /// When there is no such option, or the value has the wrong type.
    pub fn option(mut self, name: &str, value: impl Into<Value>) -> Result<Self, Error> {
        let value = value.into();
        match name {
            "xml_file" => match &value {
                Value::Text(path) => self.source = Source::File(path.into()),
                _ => return Err(wrong_type(name, "a path", &value)),
            },
            "frame_skip" => self.settings.frame_skip = count(name, &value)? as usize,
            "max_episode_steps" => self.settings.max_episode_steps = Some(count(name, &value)?),
            _ => match self.task.parameters() {
                Some(parameters) => parameters.set(name, &value)?,
                None => return Err(unknown_option(&self.name, name, &[])),
            },
        }
        Ok(self)
    }

    /// Names and values of the task's options.
    pub fn options(&mut self) -> Vec<(&'static str, Value)> {
        self.task.parameters().map(|parameters| parameters.options()).unwrap_or_default()
    }

    /// Creates the environments.
    ///
    /// # Errors
    /// When the model cannot be loaded or does not fit the task, a number is out of range, or the
    /// threads cannot be started.
    pub fn build(self) -> Result<VecEnv, Error> {
        let Self { mut task, source, num_envs, threads, settings, .. } = self;
        positive("num_envs", num_envs as u64)?;
        positive("frame_skip", settings.frame_skip as u64)?;
        positive("threads", threads.unwrap_or(1) as u64)?;
        positive("max_episode_steps", settings.max_episode_steps.unwrap_or(1))?;
        let model = match source {
            Source::BuiltIn(file) => Arc::new(models::load(file)?),
            Source::File(path) => {
                Arc::new(sim_physics::load_file(path).map_err(sim_physics::Error::from)?)
            }
            Source::Model(model) => model,
        };
        task.bind(&model)?;
        // a model with a feature that is not implemented is rejected here, not by the first step
        model.make_data().forward(&model).map_err(sim_physics::Error::from)?;
        VecEnv::new(task, model, num_envs, threads, settings)
    }
}

fn wrong_type(name: &str, expected: &'static str, value: &Value) -> Error {
    Error::WrongType { name: name.to_owned(), expected, given: format!("{value:?}") }
}

/// A value that counts something.
fn count(name: &str, value: &Value) -> Result<u64, Error> {
    let number: f64 = convert(name, value)?;
    if number.fract() == 0.0 && (1.0..1e15).contains(&number) {
        return Ok(number as u64);
    }
    Err(wrong_type(name, "a positive integer", &number.to_value()))
}

fn positive(name: &'static str, value: u64) -> Result<(), Error> {
    if value > 0 {
        return Ok(());
    }
    Err(Error::OutOfRange { name, given: "0".to_owned(), expected: "at least 1" })
}
