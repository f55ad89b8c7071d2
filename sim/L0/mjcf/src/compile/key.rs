//! Keyframes.

use super::Context;
use super::order::Order;
use crate::error::ErrorKind;
use sim_core::Model;
use sim_core::math::quat::{self, IDENTITY};
use sim_core::types::JointType;

/// Fills the keyframes. A vector that is too short is completed from the reference state.
pub(super) fn keys(context: &mut Context<'_, '_>, order: &Order<'_>, m: &mut Model) {
    let reference = written_reference(context, order, m);
    for k in 0..m.nkey {
        let key = context.spec.keys.get(k).cloned().unwrap_or_default();
        m.key_time[k] = key.time;
        let (nq, nv, na, nu) = (m.nq, m.nv, m.na, m.nu);
        let mut fill = |name: &str, from: &[f64], to: &mut [f64], rest: &[f64]| {
            if from.len() > to.len() {
                let expected = format!("{} numbers", to.len());
                let kind = ErrorKind::WrongCount { expected, found: from.len() };
                context.error(key.origin, "key", Some(name), kind);
                return;
            }
            to[..from.len()].copy_from_slice(from);
            if !from.is_empty() && !rest.is_empty() {
                to[from.len()..].copy_from_slice(&rest[from.len()..]);
            }
        };
        m.key_qpos[k * nq..][..nq].copy_from_slice(&m.qpos0);
        fill("qpos", &key.qpos, &mut m.key_qpos[k * nq..][..nq], &reference);
        fill("qvel", &key.qvel, &mut m.key_qvel[k * nv..][..nv], &[]);
        fill("act", &key.act, &mut m.key_act[k * na..][..na], &[]);
        fill("ctrl", &key.ctrl, &mut m.key_ctrl[k * nu..][..nu], &[]);
        for j in 0..m.njnt {
            #[allow(clippy::cast_sign_loss, reason = "addresses are not negative")]
            let adr = k * nq + m.jnt_qposadr[j] as usize;
            let at = match m.jnt_type[j] {
                JointType::Ball => adr,
                JointType::Free => adr + 3,
                JointType::Slide | JointType::Hinge => continue,
            };
            let mut q = [0.0; 4];
            q.copy_from_slice(&m.key_qpos[at..at + 4]);
            m.key_qpos[at..at + 4].copy_from_slice(&quat::normalize(q));
        }
    }
}

/// What MuJoCo completes short keyframes with: references as written, before units are converted,
/// and free joints at the origin.
fn written_reference(context: &Context<'_, '_>, order: &Order<'_>, m: &Model) -> Vec<f64> {
    let mut reference = Vec::with_capacity(m.nq);
    for joint in order.bodies.iter().flat_map(|id| &context.spec.bodies[id.0].joints) {
        match joint.jtype {
            JointType::Slide | JointType::Hinge => reference.push(joint.reference),
            JointType::Ball => reference.extend(IDENTITY),
            JointType::Free => {
                reference.extend([0.0; 3]);
                reference.extend(IDENTITY);
            }
        }
    }
    reference
}
