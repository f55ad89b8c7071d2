//! Contacts between deformable bodies.
//!
//! They are not constraint rows of the rigid problem: they are projected in the substeps, like
//! self-contact.

use super::buffers::{Aabb, BodyPair, BodyPairs};
use super::contact::{contacts_enabled, motion_bound};
use super::substep::MIN_RELAXATION_STEPS;
use super::{Deformable, Instance, attached_bodies};
use crate::Model;
use nalgebra::Vector3;
use sim_deformable::BodyPairSide;
use sim_types::EnableBit;

impl BodyPairs {
    /// Finds the overlapping pairs of the current step. A sleeping body that overlaps an awake one
    /// is activated.
    pub(super) fn find_candidates(&mut self, m: &Model, instances: &mut [Instance]) {
        self.count = 0;
        if instances.len() < 2 || !contacts_enabled(m) {
            return;
        }
        self.find_pairs(m, instances);
        activate_neighbours(&self.pairs, instances);
        let h = m.opt.timestep;
        let substep = h / m.deformables.config.substeps.max(1) as f64;
        for &[a, b] in &self.pairs {
            if instances[a].body.is_asleep() {
                continue;
            }
            if self.count == self.list.len() {
                self.list.push(BodyPair::default());
            }
            let pair = &mut self.list[self.count];
            self.count += 1;
            let time_constant = |k: usize| m.deformables.get(k).map_or(0.0, |d| d.solref[0]);
            let relaxation_time = if time_constant(a) > 0.0 && time_constant(b) > 0.0 {
                0.5 * (time_constant(a) + time_constant(b))
            } else {
                0.0
            };
            pair.instances = [a, b];
            pair.recovery = 1.0 - (-substep / relaxation_time.max(MIN_RELAXATION_STEPS * h)).exp();
            pair.friction = if m.opt.enabled(EnableBit::Override) {
                m.opt.o_friction[0]
            } else {
                instances[a].body.friction().max(instances[b].body.friction())
            };
            pair.contacts.invalidate();
        }
    }

    /// Sweep-and-prune along x.
    fn find_pairs(&mut self, m: &Model, instances: &[Instance]) {
        let Self { boxes, pairs, .. } = self;
        boxes.clear();
        pairs.clear();
        for (k, instance) in instances.iter().enumerate() {
            let Aabb { min, max } = Aabb::of_surface(instance);
            let motion_bound =
                Vector3::repeat(motion_bound(m, instance) + instance.body.collision_radius());
            let aabb = Aabb { min: min - motion_bound, max: max + motion_bound };
            boxes.push((aabb.min.x, k, aabb));
        }
        boxes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (k, &(_, a, aabb)) in boxes.iter().enumerate() {
            for &(start, b, other) in &boxes[k + 1..] {
                if start > aabb.max.x {
                    break;
                }
                let overlaps =
                    |k: usize| aabb.min[k] <= other.max[k] && aabb.max[k] >= other.min[k];
                let declared = m.deformables.get(a).zip(m.deformables.get(b));
                if overlaps(1) && overlaps(2) && declared.is_some_and(|(a, b)| can_collide(a, b)) {
                    pairs.push([a.min(b), a.max(b)]);
                }
            }
        }
        pairs.sort_unstable();
    }

    /// Projects the contacts of all pairs; called once per substep.
    pub(super) fn solve(&mut self, instances: &mut [Instance]) {
        for pair in &mut self.list[..self.count] {
            let Ok([a, b]) = instances.get_disjoint_mut(pair.instances) else { continue };
            if !(a.active && b.active) {
                continue;
            }
            let (attached_a, attached_b) = (&a.attached_vertices, &b.attached_vertices);
            // elements attached to the same rigid body do not collide
            let skip = |one: &[u32], other: &[u32]| {
                !(attached_a.is_empty() || attached_b.is_empty())
                    && one.iter().flat_map(|&v| attached_bodies(attached_a, v)).any(|body| {
                        other
                            .iter()
                            .flat_map(|&v| attached_bodies(attached_b, v))
                            .any(|other| other == body)
                    })
            };
            let sides = [
                BodyPairSide { body: &a.body, surface: &a.surface, solver: &mut a.solver },
                BodyPairSide { body: &b.body, surface: &b.surface, solver: &mut b.solver },
            ];
            pair.contacts.solve(sides, pair.friction, pair.recovery, skip);
        }
    }

    /// Number of candidate contacts of all pairs.
    pub(super) fn candidate_count(&self) -> usize {
        self.list[..self.count].iter().map(|pair| pair.contacts.len()).sum()
    }
}

/// Whether `contype` and `conaffinity` allow contacts between two deformable bodies.
fn can_collide(a: &Deformable, b: &Deformable) -> bool {
    a.contype & b.conaffinity != 0 || b.contype & a.conaffinity != 0
}

/// Activates sleeping bodies that overlap awake ones, transitively. Their sleep timers go on: they
/// fall asleep again if they stay slow.
fn activate_neighbours(pairs: &[[usize; 2]], instances: &mut [Instance]) {
    let mut changed = true;
    while changed {
        changed = false;
        for &[a, b] in pairs {
            let asleep = [a, b].map(|k| instances[k].body.is_asleep());
            if asleep[0] != asleep[1] {
                instances[if asleep[0] { a } else { b }].body.activate();
                changed = true;
            }
        }
    }
}
