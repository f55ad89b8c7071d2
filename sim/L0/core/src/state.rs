//! Conversion between the state and a flat vector (`mj_getState`, `mj_setState`, `mj_extractState`,
//! `mj_copyState`, `mj_stateSize`), and storing the state in a keyframe (`mj_setKeyframe`).

use crate::{Data, Model};
use sim_types::{StateBits, StateError};

/// Length of the state vector with the components `sig`.
///
/// ```
/// # let model = sim_mjcf::load_str("<mujoco><worldbody/></mujoco>").unwrap();
/// use sim_core::{mj_state_size, types::StateBits};
/// assert_eq!(mj_state_size(&model, StateBits::TIME | StateBits::QPOS), 1 + model.nq);
/// ```
#[doc(alias = "mj_stateSize")]
#[must_use]
pub fn mj_state_size(m: &Model, sig: StateBits) -> usize {
    sig.parts().map(|part| component_size(m, part)).sum()
}

/// Length of one state component.
fn component_size(m: &Model, part: StateBits) -> usize {
    match part {
        StateBits::TIME => 1,
        StateBits::QPOS => m.nq,
        StateBits::QVEL | StateBits::WARMSTART | StateBits::QFRC_APPLIED => m.nv,
        StateBits::ACT => m.na,
        StateBits::HISTORY => m.nhistory,
        StateBits::CTRL => m.nu,
        StateBits::XFRC_APPLIED => 6 * m.nbody,
        StateBits::EQ_ACTIVE => m.neq,
        StateBits::MOCAP_POS => 3 * m.nmocap,
        StateBits::MOCAP_QUAT => 4 * m.nmocap,
        StateBits::USERDATA => m.nuserdata,
        StateBits::PLUGIN => m.npluginstate,
        _ => 0,
    }
}

/// One state component of a data: all are real except `eq_active`.
enum Component<'a> {
    Real(&'a [f64]),
    Bool(&'a [bool]),
}

/// As [`Component`], mutable.
enum ComponentMut<'a> {
    Real(&'a mut [f64]),
    Bool(&'a mut [bool]),
}

fn component(d: &Data, part: StateBits) -> Component<'_> {
    Component::Real(match part {
        StateBits::TIME => std::slice::from_ref(&d.time),
        StateBits::QPOS => &d.qpos,
        StateBits::QVEL => &d.qvel,
        StateBits::ACT => &d.act,
        StateBits::HISTORY => &d.history,
        StateBits::WARMSTART => &d.qacc_warmstart,
        StateBits::CTRL => &d.ctrl,
        StateBits::QFRC_APPLIED => &d.qfrc_applied,
        StateBits::XFRC_APPLIED => &d.xfrc_applied,
        StateBits::EQ_ACTIVE => return Component::Bool(&d.eq_active),
        StateBits::MOCAP_POS => &d.mocap_pos,
        StateBits::MOCAP_QUAT => &d.mocap_quat,
        StateBits::USERDATA => &d.userdata,
        StateBits::PLUGIN => &d.plugin_state,
        _ => &[],
    })
}

fn component_mut(d: &mut Data, part: StateBits) -> ComponentMut<'_> {
    ComponentMut::Real(match part {
        StateBits::TIME => std::slice::from_mut(&mut d.time),
        StateBits::QPOS => &mut d.qpos,
        StateBits::QVEL => &mut d.qvel,
        StateBits::ACT => &mut d.act,
        StateBits::HISTORY => &mut d.history,
        StateBits::WARMSTART => &mut d.qacc_warmstart,
        StateBits::CTRL => &mut d.ctrl,
        StateBits::QFRC_APPLIED => &mut d.qfrc_applied,
        StateBits::XFRC_APPLIED => &mut d.xfrc_applied,
        StateBits::EQ_ACTIVE => return ComponentMut::Bool(&mut d.eq_active),
        StateBits::MOCAP_POS => &mut d.mocap_pos,
        StateBits::MOCAP_QUAT => &mut d.mocap_quat,
        StateBits::USERDATA => &mut d.userdata,
        StateBits::PLUGIN => &mut d.plugin_state,
        _ => &mut [],
    })
}

/// Returns an error unless `given` is the length of the components `sig`.
fn check_length(m: &Model, sig: StateBits, given: usize) -> Result<(), StateError> {
    let needed = mj_state_size(m, sig);
    if given == needed { Ok(()) } else { Err(StateError::Length { needed, given }) }
}

/// Returns an error unless the components of a data have the sizes given by the model.
fn check_data(m: &Model, d: &Data, sig: StateBits) -> Result<(), StateError> {
    let fits = |bits| {
        let len = match component(d, bits) {
            Component::Real(values) => values.len(),
            Component::Bool(values) => values.len(),
        };
        len == component_size(m, bits)
    };
    if sig.parts().all(fits) { Ok(()) } else { Err(StateError::OtherModel) }
}

/// Copies the state components `sig` to a vector, concatenated in the order of their bits. Booleans become 0
/// or 1.
///
/// # Errors
/// If the length of the vector is not [`mj_state_size`], or the data belongs to a different model.
#[doc(alias = "mj_getState")]
pub fn mj_get_state(
    m: &Model,
    d: &Data,
    state: &mut [f64],
    sig: StateBits,
) -> Result<(), StateError> {
    check_length(m, sig, state.len())?;
    check_data(m, d, sig)?;
    let mut rest = state;
    for bits in sig.parts() {
        let (out, after) = rest.split_at_mut(component_size(m, bits));
        match component(d, bits) {
            Component::Real(values) => out.copy_from_slice(values),
            Component::Bool(values) => {
                for (x, &on) in out.iter_mut().zip(values) {
                    *x = f64::from(u8::from(on));
                }
            }
        }
        rest = after;
    }
    Ok(())
}

/// Sets the state components `sig` from a vector, concatenated in the order of their bits.
///
/// # Errors
/// If the length of the vector is not [`mj_state_size`], or the data belongs to a different model. The data
/// is unchanged then.
#[doc(alias = "mj_setState")]
pub fn mj_set_state(
    m: &Model,
    d: &mut Data,
    state: &[f64],
    sig: StateBits,
) -> Result<(), StateError> {
    check_length(m, sig, state.len())?;
    check_data(m, d, sig)?;
    let mut rest = state;
    for bits in sig.parts() {
        let (source, after) = rest.split_at(component_size(m, bits));
        match component_mut(d, bits) {
            ComponentMut::Real(values) => values.copy_from_slice(source),
            ComponentMut::Bool(values) => {
                for (on, x) in values.iter_mut().zip(source) {
                    // converted through a byte in MuJoCo, which truncates
                    *on = x.trunc() != 0.0;
                }
            }
        }
        rest = after;
    }
    Ok(())
}

/// Copies the components `dst_sig` from a state vector with the components `src_sig`.
///
/// # Errors
/// If `dst_sig` is not a subset of `src_sig`, or a vector has the wrong length.
#[doc(alias = "mj_extractState")]
pub fn mj_extract_state(
    m: &Model,
    src: &[f64],
    src_sig: StateBits,
    dst: &mut [f64],
    dst_sig: StateBits,
) -> Result<(), StateError> {
    if !src_sig.contains(dst_sig) {
        return Err(StateError::NotContained {
            source_bits: src_sig.bits(),
            wanted_bits: dst_sig.bits(),
        });
    }
    check_length(m, src_sig, src.len())?;
    check_length(m, dst_sig, dst.len())?;
    let (mut source, mut target) = (src, dst);
    for bits in src_sig.parts() {
        let (values, after) = source.split_at(component_size(m, bits));
        if dst_sig.contains(bits) {
            let (out, rest) = target.split_at_mut(values.len());
            out.copy_from_slice(values);
            target = rest;
        }
        source = after;
    }
    Ok(())
}

/// Copies the state components `sig` from one data to another.
///
/// # Errors
/// If one of them belongs to a different model. Nothing is changed then.
#[doc(alias = "mj_copyState")]
pub fn mj_copy_state(
    m: &Model,
    src: &Data,
    dst: &mut Data,
    sig: StateBits,
) -> Result<(), StateError> {
    check_data(m, src, sig)?;
    check_data(m, dst, sig)?;
    for bits in sig.parts() {
        match (component(src, bits), component_mut(dst, bits)) {
            (Component::Real(from), ComponentMut::Real(to)) => to.copy_from_slice(from),
            (Component::Bool(from), ComponentMut::Bool(to)) => to.copy_from_slice(from),
            _ => {}
        }
    }
    Ok(())
}

/// Stores the state in keyframe `key` of the model.
///
/// # Errors
/// If `key` is out of range, or the data belongs to a different model.
#[doc(alias = "mj_setKeyframe")]
pub fn mj_set_keyframe(m: &mut Model, d: &Data, key: usize) -> Result<(), StateError> {
    if key >= m.nkey {
        return Err(StateError::NoKeyframe { key, nkey: m.nkey });
    }
    let stored = StateBits::QPOS
        | StateBits::QVEL
        | StateBits::ACT
        | StateBits::CTRL
        | StateBits::MOCAP_POS
        | StateBits::MOCAP_QUAT;
    check_data(m, d, stored)?;
    m.key_time[key] = d.time;
    for (frames, state) in [
        (&mut m.key_qpos, &d.qpos),
        (&mut m.key_qvel, &d.qvel),
        (&mut m.key_act, &d.act),
        (&mut m.key_mpos, &d.mocap_pos),
        (&mut m.key_mquat, &d.mocap_quat),
        (&mut m.key_ctrl, &d.ctrl),
    ] {
        frames[key * state.len()..][..state.len()].copy_from_slice(state);
    }
    Ok(())
}
