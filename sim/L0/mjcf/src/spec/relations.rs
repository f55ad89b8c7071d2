//! Elements outside the kinematic tree, which refer to others by name.

use super::Origin;
use super::settings::Tri;
use super::tree::{SOLIMP, SOLREF};
use sim_core::types::{BiasType, DynType, GainType, ObjType, SensorType, TransmissionType};
use std::sync::Arc;

/// An explicit contact pair.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Pair {
    pub name: String,
    pub geom1: String,
    pub geom2: String,
    pub condim: i32,
    pub friction: [f64; 5],
    pub solref: [f64; 2],
    pub solreffriction: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,
    pub origin: Origin,
}

impl Default for Pair {
    fn default() -> Self {
        Self {
            name: String::new(),
            geom1: String::new(),
            geom2: String::new(),
            condim: 3,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
            solref: SOLREF,
            solreffriction: [0.0; 2],
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            origin: Origin::default(),
        }
    }
}

/// Two bodies whose geoms do not collide.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Exclude {
    pub name: String,
    pub body1: String,
    pub body2: String,
    pub origin: Origin,
}

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

/// Named numbers.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Numeric {
    pub name: String,
    pub data: Vec<f64>,
    pub origin: Origin,
}

/// Named text.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Text {
    pub name: String,
    pub data: String,
    pub origin: Origin,
}

/// A saved state. Empty vectors mean the reference state.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Key {
    pub name: String,
    pub time: f64,
    pub qpos: Vec<f64>,
    pub qvel: Vec<f64>,
    pub act: Vec<f64>,
    pub ctrl: Vec<f64>,
    pub origin: Origin,
}
