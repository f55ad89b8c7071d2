//! Actuators.

use super::Origin;
use super::settings::Tri;
use sim_core::types::{BiasType, DynType, GainType, TransmissionType};
use std::sync::Arc;

/// An actuator.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Actuator {
    pub name: String,
    /// MJCF element it was written as: `motor`, `general` and so on.
    pub element: &'static str,
    pub trntype: TransmissionType,
    /// Name of the joint it acts on.
    pub target: String,
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
    pub gear: [f64; 6],
    pub user: Arc<[f64]>,
    pub origin: Origin,
}

impl Default for Actuator {
    fn default() -> Self {
        let mut one = [0.0; 10];
        one[0] = 1.0;
        Self {
            name: String::new(),
            element: "general",
            trntype: TransmissionType::Undefined,
            target: String::new(),
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
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            user: Arc::default(),
            origin: Origin::default(),
        }
    }
}
