//! `keyframe` section.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::Key;

impl Writer<'_> {
    pub(super) fn keys(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("keyframe", |doc| {
            let mut written = 0;
            for (i, key) in spec.keyframes().enumerate() {
                let Some(key) = key else { continue };
                // those that `size nkey` adds are written if another keyframe follows
                (written..i).for_each(|_| doc.element("key", &Attributes::default()));
                doc.element("key", &self.key(i, key));
                written = i + 1;
            }
        });
    }

    /// A keyframe, as specified or as compiled.
    fn key(&self, i: usize, key: &Key) -> Attributes {
        let mut a = Attributes::default();
        a.word("name", &key.name);
        if key.time != 0.0 {
            a.number("time", key.time);
        }
        let Some(m) = self.compiled.as_ref().filter(|_| self.spec.is_written_compiled(key)) else {
            a.list("qpos", &key.qpos);
            a.list("qvel", &key.qvel);
            a.list("act", &key.act);
            a.list("ctrl", &key.ctrl);
            a.list("mpos", &key.mpos);
            a.list("mquat", &key.mquat);
            return a;
        };
        a.list("qpos", &m.key_qpos[i * m.nq..][..m.nq]);
        a.list("qvel", &m.key_qvel[i * m.nv..][..m.nv]);
        a.list("act", &m.key_act[i * m.na..][..m.na]);
        a.list("ctrl", &m.key_ctrl[i * m.nu..][..m.nu]);
        a.list("mpos", &m.key_mpos[i * 3 * m.nmocap..][..3 * m.nmocap]);
        a.list("mquat", &m.key_mquat[i * 4 * m.nmocap..][..4 * m.nmocap]);
        a
    }
}
