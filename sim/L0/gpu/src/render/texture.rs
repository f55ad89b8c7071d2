//! Textures as words of four bytes, with all levels of detail.

use bytemuck::{Pod, Zeroable};
use sim_core::Model;
use sim_core::types::{ColorSpace, TextureType};

/// A texture; the struct `Texture` of the kernel.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct TextureData {
    first: u32,
    width: u32,
    height: u32,
    levels: u32,
    is_cube: u32,
    is_srgb: u32,
    padding: [u32; 2],
}

/// All textures of a model.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    pub table: Vec<TextureData>,
    pub texels: Vec<u32>,
}

impl Textures {
    pub(crate) fn new(m: &Model) -> Self {
        let mut out = Self::default();
        (0..m.ntex).for_each(|id| out.add(m, id));
        out
    }

    fn add(&mut self, m: &Model, id: usize) {
        let is_cube = m.tex_type[id] != TextureType::TwoD;
        let (width, height) = (m.tex_width[id].max(1) as usize, m.tex_height[id].max(1) as usize);
        let (channels, adr) = (m.tex_nchannel[id].max(1) as usize, m.tex_adr[id] as usize);
        let size = if is_cube { [width, width] } else { [width, height] };
        let pixels = size[0] * size[1];
        let first = self.texels.len() as u32;
        // a square image is repeated on all faces of a cube
        let stacked = is_cube && width != height;
        let is_srgb = !is_cube && m.tex_colorspace[id] == ColorSpace::Srgb;
        let mut faces: Vec<Vec<[f32; 4]>> = (0..if is_cube { 6 } else { 1 })
            .map(|face| {
                let start = adr + if stacked { face * pixels * channels } else { 0 };
                let data = m.tex_data.get(start..start + pixels * channels).unwrap_or(&[]);
                let mut out: Vec<[f32; 4]> =
                    data.chunks_exact(channels).map(|p| rgba(p).map(f32::from)).collect();
                out.resize(pixels, [255.0; 4]);
                out
            })
            .collect();
        let levels = size[0].max(size[1]).ilog2() + 1;
        let mut extent = size;
        for level in 0..levels {
            if level > 0 {
                let next = extent.map(|n| (n / 2).max(1));
                for face in &mut faces {
                    *face = halve(face, extent, next);
                }
                extent = next;
            }
            for face in &faces {
                let word = |p: &[f32; 4]| u32::from_le_bytes(p.map(|x| x.round() as u8));
                self.texels.extend(face.iter().map(word));
            }
        }
        self.table.push(TextureData {
            first,
            width: size[0] as u32,
            height: size[1] as u32,
            levels,
            is_cube: u32::from(is_cube),
            is_srgb: u32::from(is_srgb),
            padding: [0; 2],
        });
    }
}

/// Red, green, blue and opacity of a pixel.
fn rgba(pixel: &[u8]) -> [u8; 4] {
    match *pixel {
        [r, g, b, a] => [r, g, b, a],
        [r, g, b] => [r, g, b, 255],
        [l, a] => [l, l, l, a],
        [l, ..] => [l, l, l, 255],
        [] => [255; 4],
    }
}

/// The next level of detail: means of up to four pixels.
fn halve(face: &[[f32; 4]], from: [usize; 2], to: [usize; 2]) -> Vec<[f32; 4]> {
    let mut out = Vec::with_capacity(to[0] * to[1]);
    for y in 0..to[1] {
        for x in 0..to[0] {
            let at = |dx: usize, dy: usize| {
                face[(2 * y + dy).min(from[1] - 1) * from[0] + (2 * x + dx).min(from[0] - 1)]
            };
            let corners = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
            out.push([0, 1, 2, 3].map(|k| corners.iter().map(|c| c[k]).sum::<f32>() / 4.0));
        }
    }
    out
}
