//! Compilation of lights.

use super::Context;
use super::body::Frames;
use super::camera::target;
use super::math::{EPS, Pose, Vec3, normalize, rotate};
use super::symbols::SymbolTable;
use crate::spec::Light;

/// A compiled light.
#[derive(Debug)]
pub(super) struct CompiledLight<'a> {
    pub(super) spec: &'a Light,
    pub(super) body: usize,
    pub(super) texture: Option<usize>,
    pub(super) pos: Vec3,
    pub(super) dir: Vec3,
    pub(super) target: Option<usize>,
}

pub(super) fn light<'a>(
    context: &mut Context<'a, '_>,
    frames: &Frames,
    symbols: &SymbolTable<'_>,
    body: usize,
    l: &'a Light,
) -> CompiledLight<'a> {
    let frame = frames.get(l.frame);
    let pos = frame.then(Pose { pos: l.pos, ..Pose::IDENTITY }).pos;
    let mut dir = rotate(frame.quat, l.dir);
    if normalize(&mut dir) < EPS {
        context.invalid(l.origin, "light", Some("dir"), "must not be the zero vector");
    }
    let target = target(context, symbols, &l.target, (l.origin, "light"));
    let texture = (!l.texture.is_empty()).then(|| {
        let reference = (l.origin, "light", "texture");
        symbols.find(context, &symbols.texture, "texture", &l.texture, reference)
    });
    CompiledLight { spec: l, body, texture: texture.flatten(), pos, dir, target }
}
