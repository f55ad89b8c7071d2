//! Joint and tendon limit sensors: quantities of the active limit constraint row.

use crate::{Data, Model};
use sim_types::{ConstraintType, SensorType};

/// `value(row)` of the first limit row of the object of sensor `i`; zero if its limit is inactive.
pub(super) fn read(m: &Model, d: &Data, i: usize, value: impl Fn(usize) -> f64) -> f64 {
    let kind = match m.sensor_type[i] {
        SensorType::JointLimitPos | SensorType::JointLimitVel | SensorType::JointLimitFrc => {
            ConstraintType::LimitJoint
        }
        _ => ConstraintType::LimitTendon,
    };
    let mut rows = d.ne + d.nf..d.nefc;
    rows.find(|&row| d.efc_type[row] == kind && d.efc_id[row] == m.sensor_objid[i])
        .map_or(0.0, value)
}
