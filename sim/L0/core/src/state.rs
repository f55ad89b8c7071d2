//! The state as one vector: saved, restored, taken apart (`mj_getState` and its family), and stored
//! in a keyframe.

use crate::{Data, Model};
use sim_types::{StateBits, StateError};

/// Length of the vector that holds these parts of the state.
///
/// ```
/// # let model = sim_mjcf::load_str("<mujoco><worldbody/></mujoco>").unwrap();
/// use sim_core::{mj_state_size, types::StateBits};
/// assert_eq!(mj_state_size(&model, StateBits::TIME | StateBits::QPOS), 1 + model.nq);
/// ```
#[doc(alias = "mj_stateSize")]
#[must_use]
pub fn mj_state_size(m: &Model, sig: StateBits) -> usize {
    sig.parts().map(|part| part_size(m, part)).sum()
}

/// Number of entries of one part.
fn part_size(m: &Model, part: StateBits) -> usize {
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

/// One part of a data: numbers, or the switches of the equality constraints.
enum Part<'a> {
    Numbers(&'a [f64]),
    Switches(&'a [bool]),
}

/// The same, for writing.
enum PartMut<'a> {
    Numbers(&'a mut [f64]),
    Switches(&'a mut [bool]),
}

fn part(d: &Data, part: StateBits) -> Part<'_> {
    Part::Numbers(match part {
        StateBits::TIME => std::slice::from_ref(&d.time),
        StateBits::QPOS => &d.qpos,
        StateBits::QVEL => &d.qvel,
        StateBits::ACT => &d.act,
        StateBits::HISTORY => &d.history,
        StateBits::WARMSTART => &d.qacc_warmstart,
        StateBits::CTRL => &d.ctrl,
        StateBits::QFRC_APPLIED => &d.qfrc_applied,
        StateBits::XFRC_APPLIED => &d.xfrc_applied,
        StateBits::EQ_ACTIVE => return Part::Switches(&d.eq_active),
        StateBits::MOCAP_POS => &d.mocap_pos,
        StateBits::MOCAP_QUAT => &d.mocap_quat,
        StateBits::USERDATA => &d.userdata,
        StateBits::PLUGIN => &d.plugin_state,
        _ => &[],
    })
}

fn part_mut(d: &mut Data, part: StateBits) -> PartMut<'_> {
    PartMut::Numbers(match part {
        StateBits::TIME => std::slice::from_mut(&mut d.time),
        StateBits::QPOS => &mut d.qpos,
        StateBits::QVEL => &mut d.qvel,
        StateBits::ACT => &mut d.act,
        StateBits::HISTORY => &mut d.history,
        StateBits::WARMSTART => &mut d.qacc_warmstart,
        StateBits::CTRL => &mut d.ctrl,
        StateBits::QFRC_APPLIED => &mut d.qfrc_applied,
        StateBits::XFRC_APPLIED => &mut d.xfrc_applied,
        StateBits::EQ_ACTIVE => return PartMut::Switches(&mut d.eq_active),
        StateBits::MOCAP_POS => &mut d.mocap_pos,
        StateBits::MOCAP_QUAT => &mut d.mocap_quat,
        StateBits::USERDATA => &mut d.userdata,
        StateBits::PLUGIN => &mut d.plugin_state,
        _ => &mut [],
    })
}

/// Fails unless `given` numbers are what the parts need.
fn check_length(m: &Model, sig: StateBits, given: usize) -> Result<(), StateError> {
    let needed = mj_state_size(m, sig);
    if given == needed { Ok(()) } else { Err(StateError::Length { needed, given }) }
}

/// Fails unless the parts of a data have the sizes that the model gives them.
fn check_data(m: &Model, d: &Data, sig: StateBits) -> Result<(), StateError> {
    let fits = |bits| {
        let len = match part(d, bits) {
            Part::Numbers(numbers) => numbers.len(),
            Part::Switches(switches) => switches.len(),
        };
        len == part_size(m, bits)
    };
    if sig.parts().all(fits) { Ok(()) } else { Err(StateError::OtherModel) }
}

/// Copies parts of the state into a vector, in the order of their bits. Switches become 0 or 1.
///
/// # Errors
/// When the vector has not the length of [`mj_state_size`], or the data is another model's.
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
        let (out, after) = rest.split_at_mut(part_size(m, bits));
        match part(d, bits) {
            Part::Numbers(numbers) => out.copy_from_slice(numbers),
            Part::Switches(switches) => {
                for (x, &on) in out.iter_mut().zip(switches) {
                    *x = f64::from(u8::from(on));
                }
            }
        }
        rest = after;
    }
    Ok(())
}

/// Sets parts of the state from a vector, in the order of their bits.
///
/// # Errors
/// When the vector has not the length of [`mj_state_size`], or the data is another model's.
/// Nothing is changed then.
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
        let (source, after) = rest.split_at(part_size(m, bits));
        match part_mut(d, bits) {
            PartMut::Numbers(numbers) => numbers.copy_from_slice(source),
            PartMut::Switches(switches) => {
                for (on, x) in switches.iter_mut().zip(source) {
                    // MuJoCo stores a byte: fractions are cut off
                    *on = x.trunc() != 0.0;
                }
            }
        }
        rest = after;
    }
    Ok(())
}

/// Copies from a vector that holds the parts `src_sig` those of `dst_sig`.
///
/// # Errors
/// When `dst_sig` is not contained in `src_sig`, or a vector has the wrong length.
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
        let (numbers, after) = source.split_at(part_size(m, bits));
        if dst_sig.contains(bits) {
            let (out, rest) = target.split_at_mut(numbers.len());
            out.copy_from_slice(numbers);
            target = rest;
        }
        source = after;
    }
    Ok(())
}

/// Copies parts of the state from one data to another.
///
/// # Errors
/// When one of them is another model's. Nothing is changed then.
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
        match (part(src, bits), part_mut(dst, bits)) {
            (Part::Numbers(from), PartMut::Numbers(to)) => to.copy_from_slice(from),
            (Part::Switches(from), PartMut::Switches(to)) => to.copy_from_slice(from),
            _ => {}
        }
    }
    Ok(())
}

/// Stores the state in keyframe `key` of the model.
///
/// # Errors
/// When there is no such keyframe, or the data is another model's.
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
