//! Sensors (mjsSensor).

use super::{Interpolation, Origin, PluginRef};
use sim_core::types::{DataType, ObjType, SensorStage, SensorType};
use std::sync::Arc;

/// A sensor.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Sensor {
    pub name: String,
    /// MJCF element name.
    pub element: &'static str,
    pub stype: SensorType,
    pub objtype: ObjType,
    pub objname: String,
    pub reftype: ObjType,
    pub refname: String,
    /// `data` bits, contact reduction, number of contacts.
    pub intprm: [i32; 3],
    /// Dimension of a user sensor.
    pub dim: i32,
    /// Data type of a user sensor.
    pub datatype: DataType,
    /// Stage required by a user sensor.
    pub needstage: SensorStage,
    pub cutoff: f64,
    pub noise: f64,
    pub nsample: i32,
    pub interp: Interpolation,
    pub delay: f64,
    /// Sampling period and phase, s.
    pub interval: [f64; 2],
    pub user: Arc<[f64]>,
    /// Plugin of a plugin sensor.
    pub plugin: Option<Box<PluginRef>>,
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
            plugin: None,
            origin: Origin::default(),
        }
    }
}
