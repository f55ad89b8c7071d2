//! Tables of actuators on bodies (adhesion).

use crate::GpuBatchError;
use crate::layout::ModelTables;
use sim_core::Model;
use sim_types::{BiasType, GainType, SensorType, TransmissionType};

/// Adds the tables of actuators with a body transmission. Returns their number; there are no tables without them.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] where their moment, which follows from contacts, would be needed before collision
/// detection.
pub(crate) fn actuators(m: &Model, t: &mut ModelTables) -> Result<usize, GpuBatchError> {
    let on_body = |&i: &usize| m.actuator_trntype[i] == TransmissionType::Body;
    let all: Vec<usize> = (0..m.nu).filter(on_body).collect();
    if all.is_empty() {
        return Ok(0);
    }
    let by_velocity = |&&i: &&usize| {
        let (gain, bias) = (m.actuator_gaintype[i], m.actuator_biastype[i]);
        !matches!(gain, GainType::Fixed | GainType::Affine)
            || !matches!(bias, BiasType::None | BiasType::Affine)
            || gain == GainType::Affine && m.actuator_gainprm[10 * i + 2] != 0.0
            || bias == BiasType::Affine && m.actuator_biasprm[10 * i + 2] != 0.0
    };
    if let Some(i) = all.iter().find(by_velocity) {
        return unsupported(format!("actuator {i} acts on a body and depends on velocity"));
    }
    let senses = |kind: SensorType| m.sensor_type.contains(&kind);
    if senses(SensorType::JointActFrc) || senses(SensorType::ActuatorVel) {
        return unsupported("sensors of actuators with an actuator on a body".into());
    }
    if m.jnt_actfrclimited.contains(&true) {
        return unsupported("force ranges of joints with an actuator on a body".into());
    }
    t.size("NADHESION", all.len());
    t.indices("ADHESION_ACT", all.iter().copied());
    t.indices("ADHESION_BODY", all.iter().map(|&i| m.actuator_trnid[2 * i].max(0) as usize));
    Ok(all.len())
}

fn unsupported(what: String) -> Result<usize, GpuBatchError> {
    Err(GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" })
}
