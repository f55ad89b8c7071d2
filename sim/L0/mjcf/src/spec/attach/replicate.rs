//! `replicate`: a template is read like a body, then extracted and inserted `count` times.

use super::super::{Body, BodyId, Frame, FrameId, Orientation, Origin, Spec};
use super::keyframe::{KeyReplicator, KeySizeError};
use super::reference::{References, SpecElement};
use super::subtree::{Affixes, Membership, Subtree};
use crate::limits::ExpansionLimits;

/// A template under construction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Replicate {
    /// The temporary body that holds the template.
    pub(crate) template: BodyId,
    /// The body that receives the copies.
    pub(crate) target: BodyId,
    /// The frame of the copies.
    frame: Option<FrameId>,
    first_frame: usize,
}

/// Error of expanding a `replicate`.
pub(crate) enum ReplicateError {
    /// A keyframe has the wrong size.
    Key(Origin, KeySizeError),
    /// The expansion limit is exceeded; the total expansion cost.
    TooMany(usize),
}

impl Replicate {
    /// Begins a template within `target`.
    pub(crate) fn open(spec: &mut Spec, target: BodyId, frame: Option<FrameId>) -> Self {
        let template = BodyId(spec.bodies.len());
        spec.bodies.push(Body { parent: target, ..Body::default() });
        spec.bodies[target.0].children.push(template);
        Self { template, target, frame, first_frame: spec.frames.len() }
    }

    /// Replaces the template by a copy for each suffix and pose.
    pub(crate) fn close(
        self,
        spec: &mut Spec,
        copies: &[(String, [f64; 3], [f64; 4])],
        origin: Origin,
        limits: &ExpansionLimits,
    ) -> Result<(), ReplicateError> {
        let keys =
            KeyReplicator::take(spec).map_err(|(at, error)| ReplicateError::Key(at, error))?;
        limits.add_elements(spec.scan_cost()).map_err(ReplicateError::TooMany)?;
        let subtree = self.extract_template(spec);
        let affix = copies.last().map_or(0, |(suffix, ..)| suffix.len());
        // Each copy is within a frame.
        let each = subtree.expansion_cost(affix) + 1 + keys.expansion_cost(affix);
        limits.add_elements(each.saturating_mul(copies.len())).map_err(ReplicateError::TooMany)?;

        let actuator_id = |a: usize| {
            let before = subtree.actuator_ids.partition_point(|&id| id < a);
            subtree.actuator(a).is_none().then(|| a - before)
        };
        let template = self.template;
        for (i, (suffix, pos, quat)) in copies.iter().enumerate() {
            let frame = FrameId(spec.frames.len());
            let orientation = Orientation::Quat(*quat);
            let parent = self.frame;
            spec.frames.push(Frame { parent, pos: *pos, orientation, origin, ..Frame::default() });
            let joints = spec.bodies[self.target.0].joints.len();
            let affixes = Affixes { prefix: "", suffix };
            let first = subtree.insert_into(spec, self.target, Some(frame), affixes, None);
            let joint = |b: BodyId, j: usize| {
                Some(match b.0.checked_sub(template.0) {
                    None => (b, j),
                    Some(0) => (self.target, joints + j),
                    Some(k) => (BodyId(first.0 + k - 1), j),
                })
            };
            if i == 0 {
                KeyReplicator::first_copy(spec, &joint, &actuator_id);
            }
            keys.add(spec, suffix, &joint, &actuator_id);
        }
        let outside = |b: BodyId, j: usize| (b.0 < template.0).then_some((b, j));
        keys.add(spec, "", &outside, &actuator_id);
        Ok(())
    }

    /// Extracts the template and all elements that refer to it from the spec.
    fn extract_template(self, spec: &mut Spec) -> Subtree {
        let children = &mut spec.bodies[self.target.0].children;
        if let Some(at) = children.iter().rposition(|&child| child == self.template) {
            children.remove(at);
        }
        // All bodies and frames since the begin of the template belong to it.
        let mut subtree = Subtree {
            bodies: spec.bodies.split_off(self.template.0),
            frames: spec.frames.split_off(self.first_frame),
            ..Subtree::default()
        };
        let body_id = |id: BodyId| BodyId(id.0.saturating_sub(self.template.0));
        let frame_id =
            |id: Option<FrameId>| id.and_then(|f| f.0.checked_sub(self.first_frame)).map(FrameId);
        for frame in &mut subtree.frames {
            frame.parent = frame_id(frame.parent);
        }
        for body in &mut subtree.bodies {
            body.parent = body_id(body.parent);
            body.frame = frame_id(body.frame);
            body.children.iter_mut().for_each(|child| *child = body_id(*child));
            body.joints.iter_mut().for_each(|j| j.frame = frame_id(j.frame));
            body.geoms.iter_mut().for_each(|g| g.frame = frame_id(g.frame));
            body.sites.iter_mut().for_each(|s| s.frame = frame_id(s.frame));
            body.cameras.iter_mut().for_each(|c| c.frame = frame_id(c.frame));
            body.lights.iter_mut().for_each(|l| l.frame = frame_id(l.frame));
        }
        subtree.collect_names();
        subtree.pairs = subtree.extract(&mut spec.pairs, &mut Vec::new());
        subtree.excludes = subtree.extract(&mut spec.excludes, &mut Vec::new());
        subtree.flexes = subtree.extract(&mut spec.flexes, &mut Vec::new());
        subtree.skins = subtree.extract(&mut spec.skins, &mut Vec::new());
        subtree.tendons = subtree.extract(&mut spec.tendons, &mut Vec::new());
        subtree.equalities = subtree.extract(&mut spec.equalities, &mut Vec::new());
        let mut ids = Vec::new();
        subtree.actuators = subtree.extract(&mut spec.actuators, &mut ids);
        subtree.actuator_ids = ids;
        // The sensors of an omitted actuator are omitted too.
        spec.sensors.retain_mut(|sensor| !subtree.reads_omitted(sensor));
        subtree.sensors = subtree.extract(&mut spec.sensors, &mut Vec::new());
        subtree.tuples = subtree.extract(&mut spec.tuples, &mut Vec::new());
        subtree
    }
}

impl Subtree {
    /// Moves the elements that refer to the subtree out of a list and records their names.
    fn extract<T: References>(&mut self, list: &mut Vec<T>, ids: &mut Vec<usize>) -> Vec<T> {
        let (mut i, mut included) = (0, Vec::new());
        let taken = list.extract_if(.., |item| {
            let membership = match self.membership(item) {
                Membership::Partial if T::KEPT_IF_PARTIAL => Membership::Unrelated,
                membership => membership,
            };
            let kind = <T as SpecElement>::KIND;
            match membership {
                Membership::Unrelated => {}
                Membership::Included => self.names.add(kind, item.name()),
                Membership::Partial => self.omitted.add(kind, item.name()),
            }
            if membership != Membership::Unrelated {
                ids.push(i);
                included.push(membership == Membership::Included);
            }
            i += 1;
            membership != Membership::Unrelated
        });
        let taken: Vec<T> = taken.collect();
        taken
            .into_iter()
            .zip(included)
            .filter_map(|(item, included)| included.then_some(item))
            .collect()
    }

    /// Whether an element refers to an omitted one.
    fn reads_omitted<T: References>(&self, item: &mut T) -> bool {
        let mut found = false;
        item.references(&mut |kind, name| found |= self.omitted.contains(kind, name));
        found
    }
}
