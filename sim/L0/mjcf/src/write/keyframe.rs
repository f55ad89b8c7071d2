//! `keyframe` section.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::Key;

impl Writer<'_> {
    pub(super) fn keys(&mut self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("keyframe", |doc| {
            for (i, key) in spec.keys.iter().enumerate() {
                let attributes = self.key(i, key);
                doc.element("key", &attributes);
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
