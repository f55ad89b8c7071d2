//! Actuators (mjsActuator).

use super::settings::Tri;
use super::{DefaultId, Origin, PluginRef};
use sim_core::types::{BiasType, DynType, GainType, Interpolation, TransmissionType};
use std::sync::Arc;

/// Invalid parameter of an actuator shortcut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("attribute \"{attribute}\": {message}")]
pub struct ActuatorError {
    /// MJCF attribute of the parameter.
    pub attribute: &'static str,
    /// Description of the problem.
    pub message: &'static str,
}

/// An actuator.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Actuator {
    pub name: String,
    pub class: DefaultId,
    /// MJCF element name: `motor`, `general` and so on.
    pub element: &'static str,
    pub trntype: TransmissionType,
    /// Name of the transmission target: joint, tendon, site, crank site or body.
    pub target: String,
    /// Slider site of a slider-crank.
    pub slidersite: String,
    /// Reference site of a site transmission.
    pub refsite: String,
    pub cranklength: f64,
    pub dyntype: DynType,
    pub gaintype: GainType,
    pub biastype: BiasType,
    pub dynprm: [f64; 10],
    pub gainprm: [f64; 10],
    pub biasprm: [f64; 10],
    pub actdim: i32,
    pub actearly: bool,
    pub group: i32,
    pub ctrllimited: Tri,
    pub forcelimited: Tri,
    pub actlimited: Tri,
    pub ctrlrange: [f64; 2],
    pub forcerange: [f64; 2],
    pub actrange: [f64; 2],
    pub lengthrange: [f64; 2],
    /// Scale of the control or activation range inherited from the target; none if not positive.
    pub inheritrange: f64,
    pub gear: [f64; 6],
    /// Polynomial damping coefficients.
    pub damping: [f64; 3],
    pub armature: f64,
    /// Number of samples in the history buffer.
    pub nsample: i32,
    pub interp: Interpolation,
    pub delay: f64,
    pub user: Arc<[f64]>,
    /// Plugin that computes the force.
    pub plugin: Option<Box<PluginRef>>,
    /// Invalid parameter of the constructor, which the compiler reports.
    pub error: Option<ActuatorError>,
    pub origin: Origin,
}

impl Default for Actuator {
    fn default() -> Self {
        let mut one = [0.0; 10];
        one[0] = 1.0;
        Self {
            name: String::new(),
            class: DefaultId(0),
            element: "general",
            trntype: TransmissionType::Undefined,
            target: String::new(),
            slidersite: String::new(),
            refsite: String::new(),
            cranklength: 0.0,
            dyntype: DynType::None,
            gaintype: GainType::Fixed,
            biastype: BiasType::None,
            dynprm: one,
            gainprm: one,
            biasprm: [0.0; 10],
            actdim: -1,
            actearly: false,
            group: 0,
            ctrllimited: Tri::Auto,
            forcelimited: Tri::Auto,
            actlimited: Tri::Auto,
            ctrlrange: [0.0; 2],
            forcerange: [0.0; 2],
            actrange: [0.0; 2],
            lengthrange: [0.0; 2],
            inheritrange: 0.0,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            damping: [0.0; 3],
            armature: 0.0,
            nsample: 0,
            interp: Interpolation::Zoh,
            delay: 0.0,
            user: Arc::default(),
            plugin: None,
            error: None,
            origin: Origin::default(),
        }
    }
}
