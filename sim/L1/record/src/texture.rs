//! Textures of a model, reduced to a size that suits a page.

use crate::blob::Blob;
use serde_json::{Value, json};
use sim_core::Model;
use sim_core::types::{ColorSpace, TextureType};

/// Largest width and height of a recorded texture in pixels; larger ones are halved until they fit.
const LARGEST: usize = 512;

/// Writes texture `id`: one image, or the six faces of a cube one after the other.
pub(crate) fn texture(blob: &mut Blob, m: &Model, id: usize) -> Value {
    let kind = m.tex_type[id];
    let flat = kind == TextureType::TwoD;
    let (width, height) = (m.tex_width[id].max(1) as usize, m.tex_height[id].max(1) as usize);
    let channels = m.tex_nchannel[id].max(1) as usize;
    let mut size = if flat { [width, height] } else { [width, width] };
    let bytes = size[0] * size[1] * channels;
    // a square image is repeated on all faces of a cube
    let faces = if flat || width == height { 1 } else { 6 };
    let adr = m.tex_adr[id] as usize;
    let face = |i: usize| {
        let mut face =
            m.tex_data.get(adr + i * bytes..adr + (i + 1) * bytes).unwrap_or(&[]).to_vec();
        face.resize(bytes, 255);
        face
    };
    let mut images: Vec<Vec<u8>> = (0..faces).map(face).collect();
    while size[0].max(size[1]) > LARGEST {
        let half = size.map(|n| (n / 2).max(1));
        images.iter_mut().for_each(|image| *image = reduced(image, size, half, channels));
        size = half;
    }
    let pixels: Vec<u8> = images.concat();
    json!({
        "type": match kind {
            TextureType::TwoD => "2d",
            TextureType::Cube => "cube",
            TextureType::Skybox => "skybox",
        },
        "width": size[0],
        "height": size[1],
        "channels": channels,
        "faces": faces,
        "srgb": flat && m.tex_colorspace[id] == ColorSpace::Srgb,
        "pixels": blob.u8(&pixels, size[0] * channels),
    })
}

/// The mean of the pixels of `image` that each pixel of the smaller image covers.
fn reduced(image: &[u8], from: [usize; 2], to: [usize; 2], channels: usize) -> Vec<u8> {
    let step = [from[0] / to[0], from[1] / to[1]];
    let count = (step[0] * step[1]) as u32;
    let mut out = Vec::with_capacity(to[0] * to[1] * channels);
    for y in 0..to[1] {
        for x in 0..to[0] {
            for channel in 0..channels {
                let pixel = |u: usize, v: usize| {
                    let at = (y * step[1] + v) * from[0] + x * step[0] + u;
                    u32::from(image[at * channels + channel])
                };
                let rows = (0..step[1]).map(|v| (0..step[0]).map(|u| pixel(u, v)).sum::<u32>());
                out.push(((rows.sum::<u32>() + count / 2) / count) as u8);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::reduced;

    #[test]
    fn reduction_is_the_mean() {
        assert_eq!(reduced(&[0, 100, 200, 100], [2, 2], [1, 1], 1), [100]);
        assert_eq!(reduced(&[1, 2, 3, 4, 9, 9], [3, 1], [1, 1], 2), [4, 5]);
    }
}
