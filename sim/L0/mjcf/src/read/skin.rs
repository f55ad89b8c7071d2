//! `skin` in `asset` and `deformable`.

use super::Reader;
use crate::spec::{Skin, SkinBone};
use crate::xml::NodeId;

/// Number of visualization groups.
const GROUPS: i32 = 6;

impl Reader<'_> {
    pub(super) fn skin(&mut self, id: NodeId) {
        let mut s = Skin { origin: self.origin(id), ..Skin::default() };
        self.text(id, "name", &mut s.name);
        self.file(id, "file", &mut s.file);
        self.text(id, "material", &mut s.material);
        self.vector32(id, "rgba", &mut s.rgba);
        self.real32(id, "inflate", &mut s.inflate);
        if self.int(id, "group", &mut s.group) && !(0..GROUPS).contains(&s.group) {
            let message = format!("must be between 0 and {}", GROUPS - 1);
            self.invalid(id, Some("group"), message);
        }
        s.vertex = self.singles(id, "vertex").unwrap_or_default();
        s.texcoord = self.singles(id, "texcoord").unwrap_or_default();
        s.face = self.ints(id, "face").into();
        for child in self.children(id) {
            let mut bone = SkinBone::default();
            self.text(child, "body", &mut bone.body);
            self.vector32(child, "bindpos", &mut bone.bindpos);
            self.vector32(child, "bindquat", &mut bone.bindquat);
            bone.vertid = self.ints(child, "vertid").into();
            bone.vertweight = self.singles(child, "vertweight").unwrap_or_default();
            s.bones.push(bone);
        }
        self.spec.skins.push(s);
    }
}
