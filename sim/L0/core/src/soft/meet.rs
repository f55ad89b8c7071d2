//! Deformable bodies that touch each other.
//!
//! Their contacts are no rows of the rigid problem: the substeps keep the bodies apart, as they keep a
//! body from passing through itself.

use super::find::{Range, contacts_on, room_to_move};
use super::step::EASE;
use super::{Deformable, Part, holders};
use crate::Model;
use nalgebra::Vector3;
use sim_deformable::{MutualContacts, Side};
use sim_types::EnableBit;

/// The pairs of deformable bodies that may touch in the step at hand.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    /// Memory is kept from step to step; the first `count` are of the step at hand.
    list: Vec<Meeting>,
    count: usize,
    /// Boxes of the parts, by where they begin.
    boxes: Vec<(f64, usize, Range)>,
    /// Pairs of parts, in order.
    pairs: Vec<[usize; 2]>,
}

/// Two deformable bodies.
#[derive(Debug, Default)]
struct Meeting {
    parts: [usize; 2],
    friction: f64,
    /// Share of a penetration that comes right in a substep.
    recover: f64,
    contacts: MutualContacts,
}

impl Meetings {
    /// Finds who may touch whom, and makes those take part in the step who sleep beside what does not.
    pub(super) fn find(&mut self, m: &Model, parts: &mut [Part]) {
        self.count = 0;
        if parts.len() < 2 || !contacts_on(m) {
            return;
        }
        self.find_pairs(m, parts);
        rouse(&self.pairs, parts);
        let h = m.opt.timestep;
        let substep = h / m.deformables.config.substeps.max(1) as f64;
        for &[a, b] in &self.pairs {
            if parts[a].body.is_asleep() {
                continue;
            }
            if self.count == self.list.len() {
                self.list.push(Meeting::default());
            }
            let meeting = &mut self.list[self.count];
            self.count += 1;
            let time = |k: usize| m.deformables.get(k).map_or(0.0, |d| d.solref[0]);
            let ease = if time(a) > 0.0 && time(b) > 0.0 { 0.5 * (time(a) + time(b)) } else { 0.0 };
            meeting.parts = [a, b];
            meeting.recover = 1.0 - (-substep / ease.max(EASE * h)).exp();
            meeting.friction = if m.opt.enabled(EnableBit::Override) {
                m.opt.o_friction[0]
            } else {
                parts[a].body.friction().max(parts[b].body.friction())
            };
            meeting.contacts.forget();
        }
    }

    /// Sweeps over the boxes along the first axis.
    fn find_pairs(&mut self, m: &Model, parts: &[Part]) {
        let Self { boxes, pairs, .. } = self;
        boxes.clear();
        pairs.clear();
        for (k, part) in parts.iter().enumerate() {
            let Range { least, most } = Range::of(part);
            let room = Vector3::repeat(room_to_move(m, part) + part.body.skin());
            let range = Range { least: least - room, most: most + room };
            boxes.push((range.least.x, k, range));
        }
        boxes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (k, &(_, a, range)) in boxes.iter().enumerate() {
            for &(start, b, other) in &boxes[k + 1..] {
                if start > range.most.x {
                    break;
                }
                let near =
                    |k: usize| range.least[k] <= other.most[k] && range.most[k] >= other.least[k];
                let masks = m.deformables.get(a).zip(m.deformables.get(b));
                if near(1) && near(2) && masks.is_some_and(|(a, b)| meets(a, b)) {
                    pairs.push([a.min(b), a.max(b)]);
                }
            }
        }
        pairs.sort_unstable();
    }

    /// Keeps them apart in a substep.
    pub(super) fn keep_apart(&mut self, parts: &mut [Part]) {
        for meeting in &mut self.list[..self.count] {
            let Ok([a, b]) = parts.get_disjoint_mut(meeting.parts) else { continue };
            if !(a.moves && b.moves) {
                continue;
            }
            let (holds, others) = (&a.held, &b.held);
            // what one rigid body holds together is not kept apart
            let skip = |one: &[u32], other: &[u32]| {
                !(holds.is_empty() || others.is_empty())
                    && one.iter().flat_map(|&v| holders(holds, v)).any(|body| {
                        other.iter().flat_map(|&v| holders(others, v)).any(|other| other == body)
                    })
            };
            let sides = [
                Side { body: &a.body, outline: &a.outline, solver: &mut a.solver },
                Side { body: &b.body, outline: &b.outline, solver: &mut b.solver },
            ];
            meeting.contacts.solve(sides, meeting.friction, meeting.recover, skip);
        }
    }

    /// Number of places that are near each other.
    pub(super) fn near(&self) -> usize {
        self.list[..self.count].iter().map(|meeting| meeting.contacts.len()).sum()
    }
}

/// Whether the masks let two deformable bodies touch.
fn meets(a: &Deformable, b: &Deformable) -> bool {
    a.contype & b.conaffinity != 0 || b.contype & a.conaffinity != 0
}

/// Makes those take part who sleep beside what does not sleep: they sleep on if they stay slow.
fn rouse(pairs: &[[usize; 2]], parts: &mut [Part]) {
    let mut changed = true;
    while changed {
        changed = false;
        for &[a, b] in pairs {
            let asleep = [a, b].map(|k| parts[k].body.is_asleep());
            if asleep[0] != asleep[1] {
                parts[if asleep[0] { a } else { b }].body.rouse();
                changed = true;
            }
        }
    }
}
