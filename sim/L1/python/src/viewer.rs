//! The window: a simulation that the program steps, shown by the viewer.

use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use crate::run::{Plain, run};
use pyo3::prelude::*;
use sim_physics::core::{mj_get_state, mj_set_state, mj_state_size};
use sim_physics::types::StateBits;
use sim_physics::{Data, Model, Simulation};
use sim_viewer::{Options, Passive};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A pressed key: its name, and whether Ctrl, Shift and Alt were pressed.
type Key = (String, bool, bool, bool);

/// A window with the copy of the simulation that it shows.
struct Open {
    window: Passive,
    simulation: Simulation,
}

impl Open {
    /// Shows the state of a data, and changes it if the user did; with `pace` waits until its time has passed.
    fn sync(&mut self, m: &Model, d: &mut Data, pace: bool) -> Result<(), String> {
        self.simulation.data_mut().copy_from(d);
        let before = state(m, d);
        if pace {
            self.window.pace(&mut self.simulation).map_err(|e| e.to_string())?;
        } else {
            self.window.sync(&mut self.simulation).map_err(|e| e.to_string())?;
        }
        let after = state(m, self.simulation.data());
        if before != after {
            mj_set_state(m, d, &after, StateBits::INTEGRATION).map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

fn state(m: &Model, d: &Data) -> Vec<f64> {
    let mut state = vec![0.0; mj_state_size(m, StateBits::INTEGRATION)];
    // the length is that of the components
    let _ = mj_get_state(m, d, &mut state, StateBits::INTEGRATION);
    state
}

/// A window that shows a model and the states given to `sync`.
#[pyclass(frozen, module = "sim_physics._core")]
pub struct Window(Mutex<Option<Open>>);

impl Window {
    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Window {
    /// Opens a window; `close_after` closes it after a number of seconds.
    #[new]
    #[pyo3(signature = (model, title="sim_physics", panels=true, paused=false, close_after=None))]
    fn new(
        py: Python<'_>,
        model: &MjModel,
        title: &str,
        panels: bool,
        paused: bool,
        close_after: Option<f64>,
    ) -> PyResult<Self> {
        let model = Arc::new(model.with(py, Model::clone)?);
        let options = Options::default().title(title).panels(panels).paused(paused);
        let options = options.close_after(close_after);
        let simulation = Simulation::new(model.clone());
        let opened = py.detach(|| crate::run::guarded(|| Passive::open_with(&model, options)))?;
        let window = opened.map_err(|e| error::fatal(e.to_string()))?;
        Ok(Self(Mutex::new(Some(Open { window, simulation }))))
    }

    /// Whether the window is open.
    fn is_open(&self) -> bool {
        self.lock().as_ref().is_some_and(|open| open.window.is_open())
    }

    /// Whether the user paused the simulation and requested no single step.
    fn is_paused(&self) -> bool {
        self.lock().as_mut().is_some_and(|open| open.window.is_paused())
    }

    /// Applies the changes of the user to a data and shows its state; with `pace` waits until its time has passed.
    #[pyo3(signature = (m, d, pace=false))]
    fn sync(&self, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, pace: bool) -> PyResult<()> {
        let result = run(m, d, |m, d| {
            let mut open = self.lock();
            Plain(open.as_mut().map_or(Ok(()), |open| open.sync(m, d, pace)))
        })?;
        result.map_err(error::fatal)
    }

    /// Keys that were pressed since the last call.
    fn keys(&self) -> Vec<Key> {
        let mut open = self.lock();
        let keys = open.as_mut().map(|open| open.window.keys()).unwrap_or_default();
        keys.into_iter().map(|k| (k.key, k.ctrl, k.shift, k.alt)).collect()
    }

    /// Closes the window.
    fn close(&self, py: Python<'_>) {
        let open = self.lock().take();
        py.detach(|| drop(open));
    }
}
