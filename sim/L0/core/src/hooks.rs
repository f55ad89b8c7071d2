//! User callbacks of the pipeline (`mjcb_control`, `mjcb_passive`, …).
//!
//! Callbacks belong to a model and are shared by its clones. There are no global callbacks, unlike in MuJoCo.

use crate::{Data, Model};
use sim_types::SensorStage;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A reference-counted function that is shared between threads. It is called through its dereference:
/// `(**callback)(m, d)`.
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

/// Callback that may modify the data.
pub type StateFn = dyn Fn(&Model, &mut Data) + Send + Sync;
/// Contact filter: returns whether the pair of geoms with these indices is excluded from collision.
pub type ContactFilterFn = dyn Fn(&Model, &Data, usize, usize) -> bool + Send + Sync;
/// Writes the readings of the user sensors of a stage to `sensordata`.
pub type SensorFn = dyn Fn(&Model, &mut Data, SensorStage) + Send + Sync;
/// Gain or bias of the actuator with this index.
pub type ActuatorFn = dyn Fn(&Model, &Data, usize) -> f64 + Send + Sync;
/// Returns the activation derivative of the actuator with this index. With several activations the return
/// value is ignored and the callback writes `act_dot`.
pub type ActivationFn = dyn Fn(&Model, &mut Data, usize) -> f64 + Send + Sync;
/// Clock: seconds since an arbitrary origin.
pub type TimeFn = dyn Fn() -> f64 + Send + Sync;

/// The callbacks of a model; all are `None` by default.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    /// Called before actuation is computed, to set `ctrl` or applied forces.
    #[doc(alias = "mjcb_control")]
    pub cb_control: Option<Callback<StateFn>>,
    /// Called after all other passive forces, to add to `qfrc_passive`.
    #[doc(alias = "mjcb_passive")]
    pub cb_passive: Option<Callback<StateFn>>,
    /// Collision filter of geom pairs, in place of the `contype` and `conaffinity` masks.
    #[doc(alias = "mjcb_contactfilter")]
    pub cb_contactfilter: Option<Callback<ContactFilterFn>>,
    /// Called in each sensor stage, to write the readings of user sensors.
    #[doc(alias = "mjcb_sensor")]
    pub cb_sensor: Option<Callback<SensorFn>>,
    /// Activation derivative of actuators with user dynamics.
    #[doc(alias = "mjcb_act_dyn")]
    pub cb_act_dyn: Option<Callback<ActivationFn>>,
    /// Gain of actuators with user gain.
    #[doc(alias = "mjcb_act_gain")]
    pub cb_act_gain: Option<Callback<ActuatorFn>>,
    /// Bias of actuators with user bias.
    #[doc(alias = "mjcb_act_bias")]
    pub cb_act_bias: Option<Callback<ActuatorFn>>,
    /// Clock of the per-stage timers; without a clock the stages are not timed.
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
        "Sets the control callback, which is called before actuation is computed, to set `ctrl`.";
    set_passive_callback cb_passive [Fn(&Model, &mut Data)]
        "Sets the passive-force callback, which is called after all other passive forces, to add to `qfrc_passive`.";
    set_contactfilter_callback cb_contactfilter [Fn(&Model, &Data, usize, usize) -> bool]
        "Sets the contact filter: `f` returns whether a pair of geoms is excluded, in place of the `contype` and `conaffinity` masks.";
    set_sensor_callback cb_sensor [Fn(&Model, &mut Data, SensorStage)]
        "Sets the sensor callback, which is called in each sensor stage, to write the readings of user sensors.";
    set_act_dyn_callback cb_act_dyn [Fn(&Model, &mut Data, usize) -> f64]
        "Sets the callback for the activation derivative of actuators with user dynamics.";
    set_act_gain_callback cb_act_gain [Fn(&Model, &Data, usize) -> f64]
        "Sets the callback for the gain of actuators with user gain.";
    set_act_bias_callback cb_act_bias [Fn(&Model, &Data, usize) -> f64]
        "Sets the callback for the bias of actuators with user bias.";
    set_time_callback cb_time [Fn() -> f64]
        "Sets the clock with which the pipeline stages are timed, in `Data::timer`.";
}
