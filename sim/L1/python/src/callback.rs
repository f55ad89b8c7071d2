//! Callbacks of MuJoCo's interface: functions of the process that every step calls.
//!
//! MuJoCo's callbacks are global. The engine's belong to a model, so that each model gets functions that call the
//! callbacks of the process as long as there are any.
#![allow(non_snake_case, reason = "MuJoCo's name `mj_resetCallbacks`")]

use crate::data::MjData;
use crate::error;
use crate::memory::{Busy, ModelMemory};
use crate::model::MjModel;
use pyo3::exceptions::PyTypeError;
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
    Time,
    ActDyn,
}

/// Number of kinds.
const KINDS: usize = 5;

/// The callbacks of the process.
static CALLBACKS: Mutex<[Option<Py<PyAny>>; KINDS]> = Mutex::new([const { None }; KINDS]);
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

/// Gives the model the current callbacks; returns whether there were any since the start of the process, or the model
/// has plugins written in Python.
///
/// # Errors
/// If another thread uses the model.
#[inline]
pub fn prepare(m: &Bound<'_, MjModel>) -> PyResult<bool> {
    let generation = GENERATION.load(Ordering::Acquire);
    let memory = m.get().memory.get();
    if generation == 0 {
        return Ok(memory.is_scripted());
    }
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
    let [control, passive, sensor, time, dynamics] = present;
    model.hooks.cb_control = None;
    model.hooks.cb_passive = None;
    model.hooks.cb_sensor = None;
    model.hooks.cb_time = None;
    model.hooks.cb_act_dyn = None;
    if control {
        model.set_control_callback(|_: &Model, d: &mut Data| {
            call(d, Kind::Control, None);
        });
    }
    if passive {
        model.set_passive_callback(|_: &Model, d: &mut Data| {
            call(d, Kind::Passive, None);
        });
    }
    if sensor {
        model.set_sensor_callback(|_, d, stage| {
            call(d, Kind::Sensor, Some(stage.number()));
        });
    }
    if time {
        model.set_time_callback(clock);
    }
    if dynamics {
        model.set_act_dyn_callback(|_, d, id| {
            let id = i32::try_from(id).unwrap_or(i32::MAX);
            let result = call(d, Kind::ActDyn, Some(id));
            Python::attach(|py| number(py, "mjcb_act_dyn", result))
        });
    }
    Ok(())
}

/// Stores an exception, which the innermost call raises when it ends.
fn store(error: PyErr) {
    CALLS.with_borrow_mut(|calls| {
        if let Some(call) = calls.last_mut() {
            call.error.get_or_insert(error);
        }
    });
}

/// Stores an exception for the innermost call, or prints it if there is no call.
pub fn store_or_print(py: Python<'_>, error: PyErr) {
    if CALLS.with_borrow(Vec::is_empty) {
        error.write_unraisable(py, None);
    } else {
        store(error);
    }
}

/// The objects of the innermost call; `None` without a call, and after an exception: the step is completed without
/// callbacks then.
fn objects(py: Python<'_>) -> Option<(Py<MjModel>, Py<MjData>)> {
    CALLS.with_borrow(|calls| {
        let call = calls.last()?;
        call.error.is_none().then(|| (call.model.clone_ref(py), call.data.clone_ref(py)))
    })
}

/// Calls a method of an object with the objects of the innermost call, and a number.
pub fn call_method(d: &mut Data, object: &Py<PyAny>, method: &str, number: Option<i32>) {
    Python::attach(|py| {
        let Some((model, data)) = objects(py) else { return };
        let shared = data.get().memory.get().shared();
        let result = shared.reborrow(d, || match number {
            Some(number) => object.call_method1(py, method, (&model, &data, number)),
            None => object.call_method1(py, method, (&model, &data)),
        });
        if let Err(error) = result {
            store(error);
        }
    });
}

/// The number that a callback returned; 0 after an exception.
fn number(py: Python<'_>, name: &str, result: Option<Py<PyAny>>) -> f64 {
    let Some(result) = result else { return 0.0 };
    result.extract(py).unwrap_or_else(|_| {
        store(PyTypeError::new_err(format!("{name} callback did not return a number")));
        0.0
    })
}

/// Calls the clock of the process.
fn clock() -> f64 {
    Python::attach(|py| {
        let failed =
            CALLS.with_borrow(|calls| calls.last().is_none_or(|call| call.error.is_some()));
        let function = callbacks()[Kind::Time as usize].as_ref().map(|f| f.clone_ref(py));
        let Some(function) = function.filter(|_| !failed) else { return 0.0 };
        let result = function.call0(py).map_err(store).ok();
        number(py, "mjcb_time", result)
    })
}

/// Calls a callback with the objects of the innermost call, and a stage or an index.
fn call(d: &mut Data, kind: Kind, stage: Option<i32>) -> Option<Py<PyAny>> {
    Python::attach(|py| {
        let (model, data) = objects(py)?;
        let function = callbacks()[kind as usize].as_ref().map(|f| f.clone_ref(py))?;
        let shared = data.get().memory.get().shared();
        let result = shared.reborrow(d, || match stage {
            Some(stage) => function.call1(py, (&model, &data, stage)),
            None => function.call1(py, (&model, &data)),
        });
        result.map_err(store).ok()
    })
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
            fn $set(py_function: Option<Bound<'_, PyAny>>) -> PyResult<()> {
                if py_function.as_ref().is_some_and(|f| !f.is_callable()) {
                    return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
                }
                set(py_function.map(Bound::unbind), Kind::$kind);
                Ok(())
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
    set_mjcb_time get_mjcb_time Time, "Sets a function that returns the time in `data.timer`; `None` removes it.";
    set_mjcb_act_dyn get_mjcb_act_dyn ActDyn, "Sets a function of model, data and index that returns the derivative of a user activation; `None` removes it.";
}
