//! User code that the pipeline calls: `mjcb_control`, `mjcb_passive` and their like.
//!
//! Hooks belong to a model and are shared by its clones. There are no global ones, so two models
//! in one process never disturb each other.

use crate::{Data, Model};
use sim_types::SensorStage;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A function that can be shared between threads and cloned cheaply. It is called through its
/// dereference: `(**callback)(m, d)`.
pub struct Callback<F: ?Sized>(Arc<F>);

impl<F: ?Sized> Callback<F> {
    /// Wraps a function.
    ///
    /// ```
    /// use sim_core::{Callback, StateFn};
    /// let hold: Callback<StateFn> = Callback::new(std::sync::Arc::new(|_, d| d.ctrl.fill(1.0)));
    /// # let _ = hold;
    /// ```
    #[must_use]
    pub fn new(function: Arc<F>) -> Self {
        Self(function)
    }
}

impl<F: ?Sized> Clone for Callback<F> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<F: ?Sized> Deref for Callback<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.0
    }
}

impl<F: ?Sized> fmt::Debug for Callback<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Callback")
    }
}

/// May read everything and change the data.
pub type StateFn = dyn Fn(&Model, &mut Data) + Send + Sync;
/// Says whether two geoms, given by index, must not touch.
pub type ContactFilterFn = dyn Fn(&Model, &Data, usize, usize) -> bool + Send + Sync;
/// Writes the readings of user sensors of a stage into `sensordata`.
pub type SensorFn = dyn Fn(&Model, &mut Data, SensorStage) + Send + Sync;
/// A number for an actuator, given by index.
pub type ActuatorFn = dyn Fn(&Model, &Data, usize) -> f64 + Send + Sync;
/// Changes the activation rates of an actuator with several activations, and returns the last.
pub type ActivationFn = dyn Fn(&Model, &mut Data, usize) -> f64 + Send + Sync;
/// Seconds from any starting point.
pub type TimeFn = dyn Fn() -> f64 + Send + Sync;

/// The hooks of a model. None are set at first.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    /// Sets `ctrl` (or applied forces) before actuation is computed.
    #[doc(alias = "mjcb_control")]
    pub cb_control: Option<Callback<StateFn>>,
    /// Adds to `qfrc_passive` after all other passive forces.
    #[doc(alias = "mjcb_passive")]
    pub cb_passive: Option<Callback<StateFn>>,
    /// Replaces the masks that decide which geoms may touch.
    #[doc(alias = "mjcb_contactfilter")]
    pub cb_contactfilter: Option<Callback<ContactFilterFn>>,
    /// Fills user sensors.
    #[doc(alias = "mjcb_sensor")]
    pub cb_sensor: Option<Callback<SensorFn>>,
    /// Rate of the last activation of an actuator with user dynamics.
    #[doc(alias = "mjcb_act_dyn")]
    pub cb_act_dyn: Option<Callback<ActivationFn>>,
    /// Gain of an actuator with user gain.
    #[doc(alias = "mjcb_act_gain")]
    pub cb_act_gain: Option<Callback<ActuatorFn>>,
    /// Bias of an actuator with user bias.
    #[doc(alias = "mjcb_act_bias")]
    pub cb_act_bias: Option<Callback<ActuatorFn>>,
    /// The clock of the per-stage timers; without one nothing is timed.
    #[doc(alias = "mjcb_time")]
    pub cb_time: Option<Callback<TimeFn>>,
}

macro_rules! setters {
    ($($name:ident $field:ident [$($bound:tt)+] $doc:literal;)*) => {
        impl Model {
            $(
                #[doc = $doc]
                pub fn $name(&mut self, f: impl $($bound)+ + Send + Sync + 'static) {
                    self.hooks.$field = Some(Callback(Arc::new(f)));
                }
            )*
        }
    };
}

setters! {
    set_control_callback cb_control [Fn(&Model, &mut Data)]
        "Calls `f` before actuation is computed, to set `ctrl`.";
    set_passive_callback cb_passive [Fn(&Model, &mut Data)]
        "Calls `f` after the passive forces, to add to `qfrc_passive`.";
    set_contactfilter_callback cb_contactfilter [Fn(&Model, &Data, usize, usize) -> bool]
        "Asks `f` whether to drop a pair of geoms, instead of comparing their masks.";
    set_sensor_callback cb_sensor [Fn(&Model, &mut Data, SensorStage)]
        "Calls `f` in each sensor stage, to fill user sensors.";
    set_act_dyn_callback cb_act_dyn [Fn(&Model, &mut Data, usize) -> f64]
        "Asks `f` for the activation rate of actuators with user dynamics.";
    set_act_gain_callback cb_act_gain [Fn(&Model, &Data, usize) -> f64]
        "Asks `f` for the gain of actuators with user gain.";
    set_act_bias_callback cb_act_bias [Fn(&Model, &Data, usize) -> f64]
        "Asks `f` for the bias of actuators with user bias.";
    set_time_callback cb_time [Fn() -> f64]
        "Times the stages of the pipeline with the clock `f`, into `Data::timer`.";
}
