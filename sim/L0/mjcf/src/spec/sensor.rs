//! Sensors.

use super::{Interpolation, Origin};
use sim_core::types::{DataType, ObjType, SensorStage, SensorType};
use std::sync::Arc;

/// A sensor.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Sensor {
    pub name: String,
    /// MJCF element it was written as.
    pub element: &'static str,
    pub stype: SensorType,
    pub objtype: ObjType,
    pub objname: String,
    pub reftype: ObjType,
    pub refname: String,
    /// What to report (bits of `data`), how to reduce contacts, how many of them.
    pub intprm: [i32; 3],
    /// Numbers that a user sensor writes.
    pub dim: i32,
    /// Kind of numbers that a user sensor writes.
    pub datatype: DataType,
    /// Stage after which a user sensor can be computed.
    pub needstage: SensorStage,
    pub cutoff: f64,
    pub noise: f64,
    pub nsample: i32,
    pub interp: Interpolation,
    pub delay: f64,
    /// Period and phase of the samples.
    pub interval: [f64; 2],
    pub user: Arc<[f64]>,
    pub origin: Origin,
}

impl Default for Sensor {
    fn default() -> Self {
        Self {
            name: String::new(),
            element: "user",
            stype: SensorType::User,
            objtype: ObjType::Unknown,
            objname: String::new(),
            reftype: ObjType::Unknown,
            refname: String::new(),
            intprm: [0; 3],
            dim: 0,
            datatype: DataType::Real,
            needstage: SensorStage::Acc,
            cutoff: 0.0,
            noise: 0.0,
            nsample: 0,
            interp: Interpolation::Zoh,
            delay: 0.0,
            interval: [0.0; 2],
            user: Arc::default(),
            origin: Origin::default(),
        }
    }
}
