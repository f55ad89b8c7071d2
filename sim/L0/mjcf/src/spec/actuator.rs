//! Actuators.

use super::settings::Tri;
use super::{DefaultId, Origin};
use sim_core::types::{BiasType, DynType, GainType, Interpolation, TransmissionType};
use std::sync::Arc;

/// An actuator.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Actuator {
    pub name: String,
    pub class: DefaultId,
    /// MJCF element it was written as: `motor`, `general` and so on.
    pub element: &'static str,
    pub trntype: TransmissionType,
    /// Name of what it acts on: a joint, tendon, site, crank site or body.
    pub target: String,
    /// Site that the slider of a slider-crank moves along.
    pub slidersite: String,
    /// Site that the wrench of a site transmission refers to.
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
    /// Share of the target's range that becomes the range of the control; not positive: none.
    pub inheritrange: f64,
    pub gear: [f64; 6],
    /// Coefficients of a polynomial in the speed of the target.
    pub damping: [f64; 3],
    pub armature: f64,
    /// How many past controls are kept.
    pub nsample: i32,
    pub interp: Interpolation,
    pub delay: f64,
    pub user: Arc<[f64]>,
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
            origin: Origin::default(),
        }
    }
}
