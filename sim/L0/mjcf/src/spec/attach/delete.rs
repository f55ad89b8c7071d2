//! Deletion of a subtree and of all elements that refer to it (mjs_delete).

use super::super::key::ObjectKey;
use super::super::{BodyId, Spec};
use super::reference::References;
use super::subtree::{Membership, Subtree};
use std::collections::HashSet;

impl Subtree {
    /// Removes a subtree from the tree, and all elements that refer to it.
    ///
    /// Its bodies remain in the list as empty bodies outside the tree, so that ids do not change.
    pub(in crate::spec) fn delete(spec: &mut Spec, root: BodyId) {
        // Store keyframes per object before the indices of objects change.
        let saved: Vec<_> = spec.keys.iter().map(|key| ObjectKey::new(spec, key).ok()).collect();
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

        let deleted: HashSet<BodyId> = spec.subtree(root).into_iter().collect();
        let parent = spec.bodies[root.0].parent;
        spec.bodies[parent.0].children.retain(|&child| child != root);
        let mut subtree = Self::default();
        for id in &deleted {
            subtree.bodies.push(std::mem::take(&mut spec.bodies[id.0]));
        }
        subtree.collect_names();
        subtree.remove_from(&mut spec.pairs);
        subtree.remove_from(&mut spec.excludes);
        subtree.remove_from(&mut spec.flexes);
        subtree.remove_from(&mut spec.skins);
        subtree.remove_from(&mut spec.tendons);
        subtree.remove_from(&mut spec.equalities);
        let before = spec.actuators.len();
        let kept = subtree.remove_from(&mut spec.actuators);
        let ranks: Vec<usize> = kept
            .iter()
            .scan(0, |rank, &kept| {
                let before = *rank;
                *rank += usize::from(kept);
                Some(before)
            })
            .collect();
        subtree.remove_from(&mut spec.sensors);
        subtree.remove_from(&mut spec.tuples);

        let actuator = |a: usize| {
            let keep = a < before && kept[a];
            keep.then(|| ranks[a])
        };
        let joint = |b: BodyId, j: usize| (!deleted.contains(&b)).then_some((b, j));
        for key in &mut spec.keys {
            if let Some(saved) = &mut key.saved {
                **saved = saved.with_ids(&joint, &actuator);
            }
        }
    }

    /// Removes the elements that refer to the subtree; returns which elements were kept.
    fn remove_from<T: References>(&mut self, list: &mut Vec<T>) -> Vec<bool> {
        let mut kept = Vec::with_capacity(list.len());
        for item in list.iter_mut() {
            let unrelated = matches!(self.membership(item), Membership::Unrelated);
            if !unrelated {
                self.names.add(T::KIND, item.name());
            }
            kept.push(unrelated);
        }
        let mut keep = kept.iter();
        list.retain(|_| *keep.next().unwrap_or(&true));
        kept
    }
}
