//! Compilation of keyframes (mjCKey).

use super::Context;
use super::body::Tree;
use super::lower::index;
use super::symbols::SymbolTable;
use crate::error::ErrorKind;
use crate::spec::{BodyId, ObjectKey};
use sim_core::Model;
use sim_core::math::quat::{self, IDENTITY};
use sim_core::types::JointType;

/// Fills the keyframe arrays. A vector that is too short is completed from the reference state.
pub(super) fn keys(
    context: &mut Context<'_, '_>,
    symbols: &SymbolTable<'_>,
    tree: &Tree<'_>,
    m: &mut Model,
) {
    let reference = unconverted_reference(context, symbols, m);
    let (mut mpos, mut mquat) = (Vec::new(), Vec::new());
    for body in tree.bodies.iter().filter(|b| b.spec.mocap) {
        mpos.extend(body.pose.pos);
        mquat.extend(body.pose.quat);
    }
    for (k, key) in context.spec.keyframes().enumerate() {
        let key = key.cloned().unwrap_or_default();
        m.key_time[k] = key.time;
        let (nq, nv, na, nu, nmocap) = (m.nq, m.nv, m.na, m.nu, m.nmocap);
        m.key_qpos[k * nq..][..nq].copy_from_slice(&m.qpos0);
        m.key_mpos[k * 3 * nmocap..][..3 * nmocap].copy_from_slice(&mpos);
        m.key_mquat[k * 4 * nmocap..][..4 * nmocap].copy_from_slice(&mquat);
        if let Some(saved) = &key.saved {
            restore(symbols, tree, m, k, saved);
        }
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
        fill("qpos", &key.qpos, &mut m.key_qpos[k * nq..][..nq], &reference);
        fill("qvel", &key.qvel, &mut m.key_qvel[k * nv..][..nv], &[]);
        fill("act", &key.act, &mut m.key_act[k * na..][..na], &[]);
        fill("ctrl", &key.ctrl, &mut m.key_ctrl[k * nu..][..nu], &[]);
        fill("mpos", &key.mpos, &mut m.key_mpos[k * 3 * nmocap..][..3 * nmocap], &mpos);
        fill("mquat", &key.mquat, &mut m.key_mquat[k * 4 * nmocap..][..4 * nmocap], &mquat);
        normalize(m, k);
    }
}

/// Fills a keyframe whose state is stored per object.
fn restore(symbols: &SymbolTable<'_>, tree: &Tree<'_>, m: &mut Model, k: usize, saved: &ObjectKey) {
    let joint = |body: BodyId, j: usize| {
        let body = symbols.model_id(body)?;
        tree.bodies[body].joints.clone().nth(j)
    };
    for (body, j, values) in saved.qpos.iter().flatten() {
        if let Some(j) = joint(*body, *j) {
            copy_at(&mut m.key_qpos, k * m.nq + index(m.jnt_qposadr[j]), values);
        }
    }
    for (body, j, values) in saved.qvel.iter().flatten() {
        if let Some(j) = joint(*body, *j) {
            copy_at(&mut m.key_qvel, k * m.nv + index(m.jnt_dofadr[j]), values);
        }
    }
    for (a, values) in saved.act.iter().flatten() {
        if m.actuator_actadr.get(*a).is_some_and(|&adr| adr >= 0) {
            copy_at(&mut m.key_act, k * m.na + index(m.actuator_actadr[*a]), values);
        }
    }
    for (a, value) in saved.ctrl.iter().flatten() {
        copy_at(&mut m.key_ctrl, k * m.nu + a, &[*value]);
    }
    let mocap = |body: BodyId| {
        let id = m.body_mocapid[symbols.model_id(body)?];
        usize::try_from(id).ok()
    };
    for (body, value) in saved.mpos.iter().flatten() {
        if let Some(row) = mocap(*body) {
            copy_at(&mut m.key_mpos, 3 * (k * m.nmocap + row), value);
        }
    }
    for (body, value) in saved.mquat.iter().flatten() {
        if let Some(row) = mocap(*body) {
            copy_at(&mut m.key_mquat, 4 * (k * m.nmocap + row), value);
        }
    }
}

fn copy_at(array: &mut [f64], at: usize, values: &[f64]) {
    if let Some(slots) = array.get_mut(at..at + values.len()) {
        slots.copy_from_slice(values);
    }
}

/// Normalizes the quaternions of a keyframe.
fn normalize(m: &mut Model, k: usize) {
    for j in 0..m.njnt {
        let adr = k * m.nq + index(m.jnt_qposadr[j]);
        let at = match m.jnt_type[j] {
            JointType::Ball => adr,
            JointType::Free => adr + 3,
            JointType::Slide | JointType::Hinge => continue,
        };
        normalize_row(&mut m.key_qpos[at..at + 4]);
    }
    for row in m.key_mquat[4 * k * m.nmocap..].chunks_exact_mut(4).take(m.nmocap) {
        normalize_row(row);
    }
}

fn normalize_row(row: &mut [f64]) {
    let mut q = [0.0; 4];
    q.copy_from_slice(row);
    row.copy_from_slice(&quat::normalize(q));
}

/// Reference configuration with which MuJoCo completes short keyframes: `ref` before conversion to
/// radians, and free joints at the origin.
fn unconverted_reference(
    context: &Context<'_, '_>,
    symbols: &SymbolTable<'_>,
    m: &Model,
) -> Vec<f64> {
    let mut reference = Vec::with_capacity(m.nq);
    for joint in symbols.bodies.iter().flat_map(|id| &context.spec.bodies[id.0].joints) {
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
