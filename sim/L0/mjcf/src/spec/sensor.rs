//! Sensors.

use super::Origin;
use sim_core::types::{ObjType, SensorType};
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
    pub cutoff: f64,
    pub noise: f64,
    pub user: Arc<[f64]>,
    pub origin: Origin,
}
