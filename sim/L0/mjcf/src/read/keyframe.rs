//! `keyframe` section.

use super::Reader;
use crate::spec::Key;
use crate::xml::NodeId;

impl Reader<'_> {
    pub(super) fn keyframes(&mut self, id: NodeId) {
        for child in self.children(id) {
            let mut key = Key { origin: self.origin(child), ..Key::default() };
            self.text(child, "name", &mut key.name);
            self.real(child, "time", &mut key.time);
            for (name, target) in [
                ("qpos", &mut key.qpos),
                ("qvel", &mut key.qvel),
                ("act", &mut key.act),
                ("ctrl", &mut key.ctrl),
                ("mpos", &mut key.mpos),
                ("mquat", &mut key.mquat),
            ] {
                *target = self.numbers(child, name).unwrap_or_default();
            }
            self.spec.keys.push(key);
        }
    }
}
