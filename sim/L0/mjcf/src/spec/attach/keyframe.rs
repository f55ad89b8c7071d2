//! Keyframes stored per object, so that they stay valid when the tree changes.

use super::super::key::ObjectKey;
use super::super::{Actuator, BodyId, Key, Origin, Spec};
use super::subtree::Subtree;
use crate::error::ErrorKind;
use sim_core::types::{DynType, JointType};

/// A keyframe vector of the wrong size: attribute and error.
pub(super) type KeySizeError = (&'static str, ErrorKind);

impl ObjectKey {
    /// Splits the vectors of a keyframe into values per object of the spec.
    pub(super) fn new(spec: &Spec, key: &Key) -> Result<Self, KeySizeError> {
        let bodies = spec.depth_first();
        let joints =
            || bodies.iter().flat_map(|&b| (0..spec.bodies[b.0].joints.len()).map(move |j| (b, j)));
        let joint = |(b, j): (BodyId, usize)| &spec.bodies[b.0].joints[j];
        let mocap = || bodies.iter().copied().filter(|b| spec.bodies[b.0].mocap);
        let split = |name, values: &[f64], width: fn(JointType) -> usize| {
            let total: usize = joints().map(|at| width(joint(at).jtype)).sum();
            let mut rest = Values::new(name, values, total)?;
            Ok(rest.take_each(joints().map(|(b, j)| ((b, j), width(joint((b, j)).jtype)))))
        };
        let joint_values = |name, values: &[f64], width: fn(JointType) -> usize| {
            if values.is_empty() {
                return Ok(None);
            }
            let parts: Vec<((BodyId, usize), Vec<f64>)> = split(name, values, width)?;
            Ok(Some(parts.into_iter().map(|((b, j), v)| (b, j, v)).collect()))
        };
        let mut saved = Self {
            qpos: joint_values("qpos", &key.qpos, JointType::nq)?,
            qvel: joint_values("qvel", &key.qvel, JointType::nv)?,
            ..Self::default()
        };
        if !key.act.is_empty() {
            let total = spec.actuators.iter().map(actdim).sum();
            let mut rest = Values::new("act", &key.act, total)?;
            saved.act = Some(rest.take_each(spec.actuators.iter().map(actdim).enumerate()));
        }
        if !key.ctrl.is_empty() {
            Values::new("ctrl", &key.ctrl, spec.actuators.len())?;
            saved.ctrl = Some(key.ctrl.iter().copied().enumerate().collect());
        }
        if !key.mpos.is_empty() {
            Values::new("mpos", &key.mpos, 3 * mocap().count())?;
            saved.mpos = Some(mocap().zip(key.mpos.as_chunks().0.iter().copied()).collect());
        }
        if !key.mquat.is_empty() {
            Values::new("mquat", &key.mquat, 4 * mocap().count())?;
            saved.mquat = Some(mocap().zip(key.mquat.as_chunks().0.iter().copied()).collect());
        }
        Ok(saved)
    }

    /// The same state with new object ids; objects without a new id are removed.
    pub(super) fn with_ids(
        &self,
        joint: &dyn Fn(BodyId, usize) -> Option<(BodyId, usize)>,
        actuator: &dyn Fn(usize) -> Option<usize>,
    ) -> Self {
        let joints = |list: &Option<Vec<(BodyId, usize, Vec<f64>)>>| {
            list.as_ref().map(|list| {
                let mapped = list
                    .iter()
                    .filter_map(|(b, j, v)| joint(*b, *j).map(|(b, j)| (b, j, v.clone())));
                mapped.collect()
            })
        };
        let body = |b: BodyId| joint(b, 0).map(|(b, _)| b);
        Self {
            qpos: joints(&self.qpos),
            qvel: joints(&self.qvel),
            act: self.act.as_ref().map(|list| {
                list.iter().filter_map(|(a, v)| Some((actuator(*a)?, v.clone()))).collect()
            }),
            ctrl: self
                .ctrl
                .as_ref()
                .map(|list| list.iter().filter_map(|&(a, v)| Some((actuator(a)?, v))).collect()),
            mpos: self
                .mpos
                .as_ref()
                .map(|list| list.iter().filter_map(|&(b, v)| Some((body(b)?, v))).collect()),
            mquat: self
                .mquat
                .as_ref()
                .map(|list| list.iter().filter_map(|&(b, v)| Some((body(b)?, v))).collect()),
        }
    }
}

/// The remaining values of a vector.
struct Values<'a>(&'a [f64]);

impl<'a> Values<'a> {
    fn new(name: &'static str, values: &'a [f64], expected: usize) -> Result<Self, KeySizeError> {
        if values.len() == expected {
            return Ok(Self(values));
        }
        let message =
            format!("{expected} for the model before the expansion of `replicate` and `attach`");
        Err((name, ErrorKind::WrongCount { expected: message, found: values.len() }))
    }

    fn take_each<I>(&mut self, parts: impl Iterator<Item = (I, usize)>) -> Vec<(I, Vec<f64>)> {
        let mut out = Vec::new();
        for (id, width) in parts {
            let (head, tail) = self.0.split_at(width.min(self.0.len()));
            self.0 = tail;
            if width > 0 {
                out.push((id, head.to_vec()));
            }
        }
        out
    }
}

/// Number of activations of an actuator, estimated from the spec.
fn actdim(actuator: &Actuator) -> usize {
    match usize::try_from(actuator.actdim) {
        Ok(n) if n > 0 => n,
        _ => usize::from(actuator.dyntype != DynType::None),
    }
}

/// Replicates the keyframes of a spec together with a template.
pub(super) struct KeyReplicator {
    /// Keyframes that include the template.
    keys: Vec<(Key, ObjectKey)>,
}

impl KeyReplicator {
    /// Removes the keyframes that are stored as vectors from the spec.
    pub(super) fn take(spec: &mut Spec) -> Result<Self, (Origin, KeySizeError)> {
        let (done, plain): (Vec<_>, Vec<_>) =
            std::mem::take(&mut spec.keys).into_iter().partition(|k| k.saved.is_some());
        spec.keys = done;
        let mut keys = Vec::new();
        for key in plain {
            match ObjectKey::new(spec, &key) {
                Ok(saved) => keys.push((key, saved)),
                Err(error) => return Err((key.origin, error)),
            }
        }
        Ok(Self { keys })
    }

    /// Expansion cost of the keyframes of one copy.
    pub(super) fn expansion_cost(&self, affix: usize) -> usize {
        super::expansion_cost::keys(self.keys.iter().map(|(key, _)| key), affix)
    }

    /// Assigns per-object keyframes to the first copy of the template.
    pub(super) fn first_copy(
        spec: &mut Spec,
        joint: &dyn Fn(BodyId, usize) -> Option<(BodyId, usize)>,
        actuator: &dyn Fn(usize) -> Option<usize>,
    ) {
        for key in &mut spec.keys {
            if let Some(saved) = &mut key.saved {
                **saved = saved.with_ids(joint, actuator);
            }
        }
    }

    /// Adds a copy of every keyframe for one copy of the template.
    pub(super) fn add(
        &self,
        spec: &mut Spec,
        suffix: &str,
        joint: &dyn Fn(BodyId, usize) -> Option<(BodyId, usize)>,
        actuator: &dyn Fn(usize) -> Option<usize>,
    ) {
        for (key, saved) in &self.keys {
            spec.keys.push(Key {
                name: format!("{}{suffix}", key.name),
                time: key.time,
                saved: Some(Box::new(saved.with_ids(joint, actuator))),
                origin: key.origin,
                ..Key::default()
            });
        }
    }
}

impl Subtree {
    /// Index in the subtree of an actuator of the source spec.
    pub(super) fn actuator(&self, index: usize) -> Option<usize> {
        // The ids are sorted.
        self.actuator_ids.binary_search(&index).ok()
    }
}
