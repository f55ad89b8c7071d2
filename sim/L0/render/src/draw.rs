//! Draw calls: parts with the same state become batches of indexed draws.

use crate::cull::Volume;
use crate::frame::Frame;
use crate::geometry::Geometry;
use crate::part::{Cull, Part, Texturing};
use crate::pipeline::{Key, Pass};
use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// Arguments of an indexed draw, as the device reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct DrawArgs {
    pub index_count: u32,
    pub instance_count: u32,
    pub first_index: u32,
    pub base_vertex: i32,
    pub first_instance: u32,
}

/// Consecutive draws with the same state.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub key: Key,
    pub texture: Option<usize>,
    /// Whether the vertices are those that are written for each image.
    pub dynamic: bool,
    /// Draws, as indices into the arguments.
    pub draws: Range<u32>,
}

/// Draws of all passes of an image.
#[derive(Debug, Default)]
pub(crate) struct DrawList {
    pub args: Vec<DrawArgs>,
    /// Part of each instance.
    pub order: Vec<u32>,
}

/// How a pass shows its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    pub pass: Pass,
    /// Shadow maps that it reads.
    pub shadow_maps: u8,
    /// What is visible.
    pub volume: Volume,
}

impl DrawList {
    /// Appends the draws of parts. Shapes outside of the visible volume are left out; consecutive parts with
    /// the same shape are instances of one draw.
    pub(crate) fn add(
        &mut self,
        frame: &Frame,
        geometry: &Geometry,
        shown: Shown,
        parts: impl Iterator<Item = u32>,
    ) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        for i in parts {
            let part = &frame.parts[i as usize];
            let (key, texture) = (key(frame, shown, part), texture(shown.pass, part));
            for id in part.shapes.clone() {
                let shape = frame.shape(geometry, id);
                // lines have a width in pixels
                let culled = !part.line && shown.volume.excludes(&part.data.model, &shape);
                if shape.index_count == 0 || culled {
                    continue;
                }
                let next = self.args.len() as u32;
                let same = |batch: &&mut Batch| {
                    (batch.key, batch.texture, batch.dynamic) == (key, texture, shape.dynamic)
                };
                let args = DrawArgs {
                    index_count: shape.index_count,
                    instance_count: 1,
                    first_index: shape.first_index,
                    base_vertex: shape.base_vertex,
                    first_instance: self.order.len() as u32,
                };
                self.order.push(i);
                let Some(batch) = batches.last_mut().filter(same) else {
                    let draws = next..next + 1;
                    batches.push(Batch { key, texture, dynamic: shape.dynamic, draws });
                    self.args.push(args);
                    continue;
                };
                match self.args.last_mut() {
                    Some(last)
                        if (last.first_index, last.base_vertex)
                            == (args.first_index, args.base_vertex) =>
                    {
                        last.instance_count += 1;
                    }
                    _ => {
                        self.args.push(args);
                        batch.draws.end = next + 1;
                    }
                }
            }
        }
        batches
    }
}

/// Pipeline of a part in a pass.
fn key(frame: &Frame, shown: Shown, part: &Part) -> Key {
    let pass = shown.pass;
    Key {
        pass,
        texturing: if is_textured(pass) { part.texturing } else { Texturing::None },
        // all faces cast shadows
        cull: if frame.cull && !matches!(pass, Pass::ShadowMap | Pass::Label) {
            part.cull
        } else {
            Cull::Never
        },
        line: part.line,
        wireframe: frame.wireframe,
        shadow_maps: shown.shadow_maps,
    }
}

fn texture(pass: Pass, part: &Part) -> Option<usize> {
    part.texture.filter(|_| is_textured(pass))
}

/// Whether a pass uses textures.
fn is_textured(pass: Pass) -> bool {
    !matches!(pass, Pass::Mirror | Pass::Label | Pass::ShadowMap | Pass::Identity)
}
