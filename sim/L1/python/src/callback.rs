//! Callbacks of MuJoCo's interface: functions of the process that every step calls.
//!
//! MuJoCo's callbacks are global. The engine's belong to a model, so that each model gets functions that call the
//! callbacks of the process as long as there are any.
#![allow(non_snake_case, reason = "MuJoCo's name `mj_resetCallbacks`")]

use crate::data::MjData;
use crate::error;
use crate::memory::{Busy, ModelMemory};
use crate::model::MjModel;
use pyo3::prelude::*;
use sim_physics::{Data, Model};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The kinds of callbacks.
#[derive(Clone, Copy)]
enum Kind {
    Control,
    Passive,
    Sensor,
}

/// Number of kinds.
const KINDS: usize = 3;

/// The callbacks of the process.
static CALLBACKS: Mutex<[Option<Py<PyAny>>; KINDS]> = Mutex::new([None, None, None]);
/// Number of changes of the callbacks; 0 if none was ever set.
static GENERATION: AtomicUsize = AtomicUsize::new(0);

fn callbacks() -> MutexGuard<'static, [Option<Py<PyAny>>; KINDS]> {
    CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The call of an engine function on this thread.
struct Call {
    model: Py<MjModel>,
    data: Py<MjData>,
    error: Option<PyErr>,
}

thread_local! {
    /// Calls in progress on this thread, innermost last.
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// A registered call; `leave` removes it and returns the exception of a callback.
pub struct Scope(());

/// Gives the model the current callbacks; returns whether there were any since the start of the process.
///
/// # Errors
/// If another thread uses the model.
#[inline]
pub fn prepare(m: &Bound<'_, MjModel>) -> PyResult<bool> {
    let generation = GENERATION.load(Ordering::Acquire);
    if generation == 0 {
        return Ok(false);
    }
    let memory = m.get().memory.get();
    if memory.set_callback_generation(generation) != generation {
        install(memory)?;
    }
    Ok(true)
}

/// Registers a call.
pub fn enter(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> Scope {
    CALLS.with_borrow_mut(|calls| {
        calls.push(Call { model: m.clone().unbind(), data: d.clone().unbind(), error: None });
    });
    Scope(())
}

impl Scope {
    /// Ends the call.
    ///
    /// # Errors
    /// The first exception that a callback raised.
    pub fn leave(self) -> PyResult<()> {
        let call = CALLS.with_borrow_mut(Vec::pop);
        call.and_then(|call| call.error).map_or(Ok(()), Err)
    }
}

/// Gives the model functions that call the callbacks of the process.
fn install(memory: &ModelMemory) -> PyResult<()> {
    let present = callbacks().each_ref().map(Option::is_some);
    let mut model = memory.shared().write().map_err(|Busy| error::busy("MjModel"))?;
    let [control, passive, sensor] = present;
    model.hooks.cb_control = None;
    model.hooks.cb_passive = None;
    model.hooks.cb_sensor = None;
    if control {
        model.set_control_callback(|_: &Model, d: &mut Data| call(d, Kind::Control, None));
    }
    if passive {
        model.set_passive_callback(|_: &Model, d: &mut Data| call(d, Kind::Passive, None));
    }
    if sensor {
        model.set_sensor_callback(|_, d, stage| call(d, Kind::Sensor, Some(stage.number())));
    }
    Ok(())
}

/// Calls a callback with the objects of the innermost call.
fn call(d: &mut Data, kind: Kind, stage: Option<i32>) {
    Python::attach(|py| {
        let objects = CALLS.with_borrow(|calls| {
            let call = calls.last()?;
            // after an exception the step is completed without callbacks
            call.error.is_none().then(|| (call.model.clone_ref(py), call.data.clone_ref(py)))
        });
        let Some((model, data)) = objects else { return };
        let Some(function) = callbacks()[kind as usize].as_ref().map(|f| f.clone_ref(py)) else {
            return;
        };
        let shared = data.get().memory.get().shared();
        let result = shared.reborrow(d, || match stage {
            Some(stage) => function.call1(py, (&model, &data, stage)),
            None => function.call1(py, (&model, &data)),
        });
        if let Err(error) = result {
            CALLS.with_borrow_mut(|calls| {
                if let Some(call) = calls.last_mut() {
                    call.error.get_or_insert(error);
                }
            });
        }
    });
}

fn set(callback: Option<Py<PyAny>>, kind: Kind) {
    let old = std::mem::replace(&mut callbacks()[kind as usize], callback);
    GENERATION.fetch_add(1, Ordering::AcqRel);
    drop(old);
}

fn get(py: Python<'_>, kind: Kind) -> Option<Py<PyAny>> {
    callbacks()[kind as usize].as_ref().map(|callback| callback.clone_ref(py))
}

/// Declares the functions that set and get a callback.
macro_rules! callbacks {
    ($($set:ident $get:ident $kind:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (py_function))]
            fn $set(py_function: Option<Py<PyAny>>) {
                set(py_function, Kind::$kind);
            }

            /// The callback, or `None`.
            #[pyfunction]
            fn $get(py: Python<'_>) -> Option<Py<PyAny>> {
                get(py, Kind::$kind)
            }
        )*

        /// Removes all callbacks.
        #[pyfunction]
        fn mj_resetCallbacks() {
            $(set(None, Kind::$kind);)*
        }

        /// Adds the functions to the module.
        ///
        /// # Errors
        /// If Python has no memory.
        pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            crate::add_functions!(module; $($set, $get,)* mj_resetCallbacks);
            Ok(())
        }
    };
}

callbacks! {
    set_mjcb_control get_mjcb_control Control, "Sets a function of model and data that every step calls before actuation; `None` removes it.";
    set_mjcb_passive get_mjcb_passive Passive, "Sets a function of model and data that adds to `qfrc_passive`; `None` removes it.";
    set_mjcb_sensor get_mjcb_sensor Sensor, "Sets a function of model, data and stage that writes the readings of user sensors; `None` removes it.";
}
