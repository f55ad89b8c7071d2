//! Cost of expanding copies of subtrees and models, in elements; see [`crate::limits`].

use super::super::{Body, Flex, Key, Skin, Spec};
use super::reference::References;
use super::subtree::Subtree;

/// Bytes of names that cost as much as one element.
const BYTES_PER_ELEMENT: usize = 32;
/// Cost of a default class, which holds one of every element.
const CLASS_COST: usize = 32;
/// Elements scanned in the time of copying one.
const SCANS_PER_COPY: usize = 4;

/// Cost of an element whose name gets `affix` more bytes.
const fn named(name: &str, affix: usize) -> usize {
    if name.is_empty() { 1 } else { 1 + (name.len() + affix) / BYTES_PER_ELEMENT }
}

fn bodies(bodies: &[Body], affix: usize) -> usize {
    let text = |name: &str| named(name, affix) - 1;
    let on_body = |b: &Body| {
        b.joints.iter().map(|j| named(&j.name, affix)).sum::<usize>()
            + b.geoms
                .iter()
                .map(|g| {
                    named(&g.name, affix) + text(&g.mesh) + text(&g.hfield) + text(&g.material)
                })
                .sum::<usize>()
            + b.sites.iter().map(|s| named(&s.name, affix) + text(&s.material)).sum::<usize>()
            + b.cameras.iter().map(|c| named(&c.name, affix) + text(&c.target)).sum::<usize>()
            + b.lights
                .iter()
                .map(|l| named(&l.name, affix) + text(&l.target) + text(&l.texture))
                .sum::<usize>()
    };
    bodies.iter().map(|b| named(&b.name, affix) + on_body(b)).sum()
}

fn list<T: References>(list: &[T], affix: usize) -> usize {
    let one = |item: &T| {
        let mut item = item.clone();
        let mut expansion_cost = named(item.name(), affix);
        item.references(&mut |_, name| expansion_cost += named(name, affix));
        expansion_cost
    };
    list.iter().map(one).sum()
}

/// Cost of flexes: their names and references, and their arrays.
fn flexes(flexes: &[Flex], affix: usize) -> usize {
    let arrays = flexes.iter().map(|f| (f.elem.len() + f.vert.len() + f.node.len()) / 8);
    list(flexes, affix) + arrays.sum::<usize>()
}

/// Cost of skins: their names and references, and their arrays.
fn skins(skins: &[Skin], affix: usize) -> usize {
    let arrays = skins.iter().map(|s| {
        let bones = s.bones.iter().map(|b| b.vertid.len()).sum::<usize>();
        (s.vertex.len() + s.face.len() + bones + s.file.len()) / 8
    });
    list(skins, affix) + arrays.sum::<usize>()
}

/// Cost of keyframes.
pub(super) fn keys<'a>(keys: impl Iterator<Item = &'a Key>, affix: usize) -> usize {
    let numbers = |key: &Key| {
        let saved = key.saved.as_ref().map_or(0, |s| {
            s.qpos.as_ref().map_or(0, Vec::len)
                + s.qvel.as_ref().map_or(0, Vec::len)
                + s.act.as_ref().map_or(0, Vec::len)
                + s.ctrl.as_ref().map_or(0, Vec::len)
                + s.mpos.as_ref().map_or(0, Vec::len)
                + s.mquat.as_ref().map_or(0, Vec::len)
        });
        let plain = key.qpos.len()
            + key.qvel.len()
            + key.act.len()
            + key.ctrl.len()
            + key.mpos.len()
            + key.mquat.len();
        saved + plain
    };
    keys.map(|key| named(&key.name, affix) + numbers(key)).sum()
}

/// Cost of the elements that a subtree and a spec have in common.
macro_rules! parts {
    ($of:ident, $affix:ident) => {
        bodies(&$of.bodies, $affix)
            + $of.frames.iter().map(|f| named(&f.name, $affix)).sum::<usize>()
            + list(&$of.pairs, $affix)
            + list(&$of.excludes, $affix)
            + flexes(&$of.flexes, $affix)
            + skins(&$of.skins, $affix)
            + list(&$of.tendons, $affix)
            + list(&$of.equalities, $affix)
            + list(&$of.actuators, $affix)
            + list(&$of.sensors, $affix)
            + list(&$of.tuples, $affix)
    };
}

impl Subtree {
    /// Cost of a copy.
    pub(super) fn expansion_cost(&self, affix: usize) -> usize {
        parts!(self, affix)
    }
}

impl Spec {
    /// Cost of scanning all elements that may refer to a subtree.
    pub(super) fn scan_cost(&self) -> usize {
        let lists = self.pairs.len()
            + self.excludes.len()
            + self.flexes.iter().map(|f| f.vertbody.len() + f.nodebody.len()).sum::<usize>()
            + self.skins.iter().map(|s| s.bones.len()).sum::<usize>()
            + self.tendons.len()
            + self.equalities.len()
            + self.actuators.len()
            + self.sensors.len()
            + self.tuples.len();
        lists / SCANS_PER_COPY
    }

    /// Cost of attaching a copy of this spec.
    pub(crate) fn expansion_cost(&self, affix: usize) -> usize {
        parts!(self, affix)
            + self.defaults.iter().map(|d| CLASS_COST + named(&d.name, affix)).sum::<usize>()
            + self
                .meshes
                .iter()
                .map(|m| 4 + named(&m.name, affix) + m.file.len() / BYTES_PER_ELEMENT)
                .sum::<usize>()
            + self
                .hfields
                .iter()
                .map(|h| named(&h.name, affix) + h.file.len() / BYTES_PER_ELEMENT)
                .sum::<usize>()
            + self
                .textures
                .iter()
                .map(|t| {
                    let faces: usize = t.cubefiles.iter().map(String::len).sum();
                    4 + named(&t.name, affix) + (t.file.len() + faces) / BYTES_PER_ELEMENT
                })
                .sum::<usize>()
            + self
                .materials
                .iter()
                .map(|m| {
                    4 + m.textures.iter().map(|t| named(t, affix)).sum::<usize>()
                        + named(&m.name, affix)
                })
                .sum::<usize>()
            + self.numerics.iter().map(|n| named(&n.name, affix) + n.data.len() / 8).sum::<usize>()
            + self
                .texts
                .iter()
                .map(|t| named(&t.name, affix) + t.data.len() / BYTES_PER_ELEMENT)
                .sum::<usize>()
            + keys(self.keys.iter(), affix)
            + self.origins.len() / 4
    }
}
