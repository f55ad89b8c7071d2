//! What is computed from the rendered values on the CPU: depth in metres, segmentation, frames.

use crate::picture::{Outputs, Picture};
use crate::readback::Stored;
use sim_core::math::random::halton;
use sim_scene::{GlCamera, RenderFlag, Scene, SceneGeom};

/// What completes an image on the CPU, independent of its scene.
pub(crate) struct Completion {
    outputs: Outputs,
    camera: GlCamera,
    /// Object of each segmentation id, if it is requested.
    objects: Vec<[i32; 2]>,
    /// Depth as grey levels instead of colours.
    gray: bool,
    /// Segmentation ids instead of colours; whether as bytes.
    segment: Option<bool>,
    /// Width and colour of the frame around the image.
    frame: (usize, [u8; 3]),
}

impl Completion {
    pub(crate) fn new(scene: &Scene, outputs: Outputs) -> Self {
        let segmented = outputs.contains(Outputs::SEGMENTATION);
        Self {
            outputs,
            camera: scene.camera[0],
            objects: if segmented { objects(&scene.geoms) } else { Vec::new() },
            gray: scene.flag(RenderFlag::Depth),
            segment: scene.flag(RenderFlag::Segment).then_some(scene.flag(RenderFlag::IdColor)),
            frame: (
                scene.framewidth.max(0) as usize,
                scene.framergb.map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8),
            ),
        }
    }

    /// Whether depth or segmentation replaces the colours.
    pub(crate) fn replaces_colors(&self) -> bool {
        self.outputs.contains(Outputs::RGB) && (self.gray || self.segment.is_some())
    }

    /// Outputs that are rendered: those that replace the colours, if they are replaced.
    pub(crate) fn rendered(&self) -> Outputs {
        match self.replaces_colors() {
            true => self.outputs.without(Outputs::RGB) | Outputs::DEPTH | Outputs::SEGMENTATION,
            false => self.outputs,
        }
    }

    /// Computes the outputs that are not rendered.
    pub(crate) fn finish(&self, picture: &mut Picture, stored: &Stored) {
        if self.outputs.contains(Outputs::RGB) {
            if self.gray {
                picture.rgb = gray(&stored.depth);
            } else if let Some(bytes) = self.segment {
                picture.rgb = segment_colors(&stored.identity, bytes);
            }
            frame(picture, self.frame);
        }
        if self.outputs.contains(Outputs::DEPTH) {
            picture.depth = metric_depth(&stored.depth, &self.camera);
        }
        if self.outputs.contains(Outputs::SEGMENTATION) {
            let object = |&id: &u32| self.objects.get(id as usize).copied().unwrap_or([-1, -1]);
            picture.segmentation = stored.identity.iter().map(object).collect();
        }
    }
}

/// Distances along the line of sight of depth values: 1 at the near plane, 0 at the far plane.
fn metric_depth(stored: &[f32], camera: &GlCamera) -> Vec<f32> {
    let (near, far) = (f64::from(camera.frustum_near), f64::from(camera.frustum_far));
    let distance = |z: f64| match camera.orthographic {
        true => far - z * (far - near),
        false => far * near / (near + z * (far - near)),
    };
    stored.iter().map(|&z| distance(f64::from(z)) as f32).collect()
}

/// Depth values as grey levels.
fn gray(stored: &[f32]) -> Vec<u8> {
    stored.iter().flat_map(|&z| [(z.clamp(0.0, 1.0) * 255.0).round() as u8; 3]).collect()
}

/// Index and type of the object with each segmentation id, the background first.
fn objects(geoms: &[SceneGeom]) -> Vec<[i32; 2]> {
    let mut objects = vec![[-1, -1]; geoms.len() + 1];
    for geom in geoms {
        let id = usize::try_from(geom.segid.saturating_add(1)).ok();
        if let Some(object) = id.and_then(|id| objects.get_mut(id)) {
            *object = [geom.objid, geom.objtype as i32];
        }
    }
    objects[0] = [-1, -1];
    objects
}

/// Segmentation ids as colours: the bytes of the id, or a colour that differs between ids.
fn segment_colors(identity: &[u32], bytes: bool) -> Vec<u8> {
    let color = |id: u32| -> [u8; 3] {
        if id == 0 {
            return [0; 3];
        }
        if bytes {
            let [a, b, c, _] = id.to_le_bytes();
            return [a, b, c];
        }
        let index = id - 1 + 10;
        [2, 3, 5].map(|base| ((0.1 + 0.8 * halton(index, base)) * 255.0).round() as u8)
    };
    identity.iter().flat_map(|&id| color(id)).collect()
}

/// Draws a frame around the image.
fn frame(picture: &mut Picture, (width, color): (usize, [u8; 3])) {
    if width == 0 {
        return;
    }
    for y in 0..picture.height {
        for x in 0..picture.width {
            let inside = |i: usize, n: usize| i >= width && i + width < n;
            if !(inside(x, picture.width) && inside(y, picture.height)) {
                let i = 3 * (y * picture.width + x);
                picture.rgb[i..i + 3].copy_from_slice(&color);
            }
        }
    }
}
