//! `replicate`: a template is read like a body, then taken out and put back as often as asked.

use super::super::{Body, BodyId, Frame, FrameId, Orientation, Origin, Spec};
use super::fragment::{Fate, Fragment, Naming};
use super::keys::{KeyCopies, Misfit};
use super::refers::{Item, Refers};
use crate::budget::Budget;

/// A template that is being read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Replicate {
    /// The body that stands for the template.
    pub(crate) template: BodyId,
    /// The body that receives the copies.
    pub(crate) target: BodyId,
    /// The frame around them.
    frame: Option<FrameId>,
    first_frame: usize,
}

/// What is wrong: the place, the attribute if one is to blame, and the error.
pub(crate) enum Trouble {
    /// A keyframe does not fit.
    Key(Origin, Misfit),
    /// So many elements that memory is at stake.
    TooMany(usize),
}

impl Replicate {
    /// Opens a template inside `target`.
    pub(crate) fn open(spec: &mut Spec, target: BodyId, frame: Option<FrameId>) -> Self {
        let template = BodyId(spec.bodies.len());
        spec.bodies.push(Body { parent: target, ..Body::default() });
        spec.bodies[target.0].children.push(template);
        Self { template, target, frame, first_frame: spec.frames.len() }
    }

    /// Replaces the template by one copy for each pose, its names followed by a suffix.
    pub(crate) fn close(
        self,
        spec: &mut Spec,
        copies: &[(String, [f64; 3], [f64; 4])],
        origin: Origin,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let keys = KeyCopies::take(spec).map_err(|(at, misfit)| Trouble::Key(at, misfit))?;
        budget.take_elements(spec.scan_weight()).map_err(Trouble::TooMany)?;
        let fragment = self.take(spec);
        let affix = copies.last().map_or(0, |(suffix, ..)| suffix.len());
        // Each copy has a frame around it.
        let each = fragment.weight(affix) + 1 + keys.weight(affix);
        budget.take_elements(each.saturating_mul(copies.len())).map_err(Trouble::TooMany)?;

        let stays = |a: usize| {
            let before = fragment.actuator_ids.partition_point(|&id| id < a);
            fragment.actuator(a).is_none().then(|| a - before)
        };
        let template = self.template;
        for (i, (suffix, pos, quat)) in copies.iter().enumerate() {
            let frame = FrameId(spec.frames.len());
            let orientation = Orientation::Quat(*quat);
            let parent = self.frame;
            spec.frames.push(Frame { parent, pos: *pos, orientation, origin, ..Frame::default() });
            let joints = spec.bodies[self.target.0].joints.len();
            let naming = Naming { prefix: "", suffix };
            let first = fragment.put(spec, self.target, Some(frame), naming, None);
            let joint = |b: BodyId, j: usize| {
                Some(match b.0.checked_sub(template.0) {
                    None => (b, j),
                    Some(0) => (self.target, joints + j),
                    Some(k) => (BodyId(first.0 + k - 1), j),
                })
            };
            if i == 0 {
                KeyCopies::first_copy(spec, &joint, &stays);
            }
            keys.add(spec, suffix, &joint, &stays);
        }
        let outside = |b: BodyId, j: usize| (b.0 < template.0).then_some((b, j));
        keys.add(spec, "", &outside, &stays);
        Ok(())
    }

    /// Takes the template, and what refers to it, out of the spec.
    fn take(self, spec: &mut Spec) -> Fragment {
        let children = &mut spec.bodies[self.target.0].children;
        if let Some(at) = children.iter().rposition(|&child| child == self.template) {
            children.remove(at);
        }
        // Everything since the template was opened belongs to it.
        let mut fragment = Fragment {
            bodies: spec.bodies.split_off(self.template.0),
            frames: spec.frames.split_off(self.first_frame),
            ..Fragment::default()
        };
        let body_id = |id: BodyId| BodyId(id.0.saturating_sub(self.template.0));
        let frame_id =
            |id: Option<FrameId>| id.and_then(|f| f.0.checked_sub(self.first_frame)).map(FrameId);
        for frame in &mut fragment.frames {
            frame.parent = frame_id(frame.parent);
        }
        for body in &mut fragment.bodies {
            body.parent = body_id(body.parent);
            body.frame = frame_id(body.frame);
            body.children.iter_mut().for_each(|child| *child = body_id(*child));
            body.joints.iter_mut().for_each(|j| j.frame = frame_id(j.frame));
            body.geoms.iter_mut().for_each(|g| g.frame = frame_id(g.frame));
            body.sites.iter_mut().for_each(|s| s.frame = frame_id(s.frame));
            body.cameras.iter_mut().for_each(|c| c.frame = frame_id(c.frame));
            body.lights.iter_mut().for_each(|l| l.frame = frame_id(l.frame));
        }
        fragment.index();
        fragment.pairs = fragment.extract(&mut spec.pairs, &mut Vec::new());
        fragment.excludes = fragment.extract(&mut spec.excludes, &mut Vec::new());
        fragment.tendons = fragment.extract(&mut spec.tendons, &mut Vec::new());
        fragment.equalities = fragment.extract(&mut spec.equalities, &mut Vec::new());
        let mut ids = Vec::new();
        fragment.actuators = fragment.extract(&mut spec.actuators, &mut ids);
        fragment.actuator_ids = ids;
        fragment.sensors = fragment.extract(&mut spec.sensors, &mut Vec::new());
        fragment.tuples = fragment.extract(&mut spec.tuples, &mut Vec::new());
        fragment
    }
}

impl Fragment {
    /// Moves what refers to the subtree out of a list, and adds its names to those that change.
    fn extract<T: Refers>(&mut self, list: &mut Vec<T>, ids: &mut Vec<usize>) -> Vec<T> {
        let (mut i, mut goes) = (0, Vec::new());
        let taken = list.extract_if(.., |item| {
            let fate = self.fate(item);
            if fate != Fate::Stays {
                ids.push(i);
                goes.push(fate == Fate::Goes);
            }
            if fate == Fate::Goes {
                self.names.add(<T as Item>::KIND, item.name());
            }
            i += 1;
            fate != Fate::Stays
        });
        let taken: Vec<T> = taken.collect();
        taken.into_iter().zip(goes).filter_map(|(item, goes)| goes.then_some(item)).collect()
    }
}
