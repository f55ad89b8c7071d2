//! Readings of the constraint rows of joint and tendon limits.

use crate::{Data, Model};
use sim_types::{ConstraintType, SensorType};

/// What sensor `i` reads of the first active row of its limit; zero while no limit acts. `value`
/// gives the reading of a row.
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
