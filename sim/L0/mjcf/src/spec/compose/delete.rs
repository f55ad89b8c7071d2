//! Deleting a subtree with everything that refers to it.

use super::super::key::SavedKey;
use super::super::{BodyId, Spec};
use super::fragment::{Fate, Fragment};
use super::refers::Refers;
use std::collections::HashSet;

impl Fragment {
    /// Takes a body and what is below it out of the tree, and drops what refers to it.
    ///
    /// The bodies stay in the list as empty ones outside the tree, so that ids do not change.
    pub(in crate::spec) fn delete(spec: &mut Spec, root: BodyId) {
        // Keyframes are tied to their objects before these change places.
        let saved: Vec<_> = spec.keys.iter().map(|key| SavedKey::new(spec, key).ok()).collect();
        for (key, saved) in spec.keys.iter_mut().zip(saved) {
            if key.saved.is_none()
                && let Some(saved) = saved
            {
                key.saved = Some(Box::new(saved));
                for list in [
                    &mut key.qpos,
                    &mut key.qvel,
                    &mut key.act,
                    &mut key.ctrl,
                    &mut key.mpos,
                    &mut key.mquat,
                ] {
                    list.clear();
                }
            }
        }

        let gone: HashSet<BodyId> = spec.subtree(root).into_iter().collect();
        let parent = spec.bodies[root.0].parent;
        spec.bodies[parent.0].children.retain(|&child| child != root);
        let mut fragment = Self::default();
        for id in &gone {
            fragment.bodies.push(std::mem::take(&mut spec.bodies[id.0]));
        }
        fragment.index();
        fragment.drop_from(&mut spec.pairs);
        fragment.drop_from(&mut spec.excludes);
        fragment.drop_from(&mut spec.tendons);
        fragment.drop_from(&mut spec.equalities);
        let before = spec.actuators.len();
        let kept = fragment.drop_from(&mut spec.actuators);
        let ranks: Vec<usize> = kept
            .iter()
            .scan(0, |rank, &kept| {
                let before = *rank;
                *rank += usize::from(kept);
                Some(before)
            })
            .collect();
        fragment.drop_from(&mut spec.sensors);
        fragment.drop_from(&mut spec.tuples);

        let actuator = |a: usize| {
            let stays = a < before && kept[a];
            stays.then(|| ranks[a])
        };
        let joint = |b: BodyId, j: usize| (!gone.contains(&b)).then_some((b, j));
        for key in &mut spec.keys {
            if let Some(saved) = &mut key.saved {
                **saved = saved.moved(&joint, &actuator);
            }
        }
    }

    /// Removes what refers to the subtree; returns which elements of the list stayed.
    fn drop_from<T: Refers>(&mut self, list: &mut Vec<T>) -> Vec<bool> {
        let mut kept = Vec::with_capacity(list.len());
        for item in list.iter_mut() {
            let stays = matches!(self.fate(item), Fate::Stays);
            if !stays {
                self.names.add(T::KIND, item.name());
            }
            kept.push(stays);
        }
        let mut stays = kept.iter();
        list.retain(|_| *stays.next().unwrap_or(&true));
        kept
    }
}
