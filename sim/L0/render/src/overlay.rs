//! What is computed from the rendered values on the CPU: depth in metres, segmentation, frames.

use crate::picture::Picture;
use sim_core::math::random::halton;
use sim_scene::{GlCamera, Scene, SceneGeom};

/// Distances along the line of sight of depth values: 1 at the near plane, 0 at the far plane.
pub(crate) fn metric_depth(stored: &[f32], camera: &GlCamera) -> Vec<f32> {
    let (near, far) = (f64::from(camera.frustum_near), f64::from(camera.frustum_far));
    let distance = |z: f64| match camera.orthographic {
        true => far - z * (far - near),
        false => far * near / (near + z * (far - near)),
    };
    stored.iter().map(|&z| distance(f64::from(z)) as f32).collect()
}

/// Depth values as grey levels.
pub(crate) fn gray(stored: &[f32]) -> Vec<u8> {
    stored.iter().flat_map(|&z| [(z.clamp(0.0, 1.0) * 255.0).round() as u8; 3]).collect()
}

/// Index and type of the object with each segmentation id.
pub(crate) fn segmentation(identity: &[u32], geoms: &[SceneGeom]) -> Vec<[i32; 2]> {
    let mut objects = vec![[-1, -1]; geoms.len() + 1];
    for geom in geoms {
        let id = usize::try_from(geom.segid + 1).ok();
        if let Some(object) = id.and_then(|id| objects.get_mut(id)) {
            *object = [geom.objid, geom.objtype as i32];
        }
    }
    objects[0] = [-1, -1];
    identity.iter().map(|&id| objects.get(id as usize).copied().unwrap_or([-1, -1])).collect()
}

/// Segmentation ids as colours: the bytes of the id, or a colour that differs between ids.
pub(crate) fn segment_colors(identity: &[u32], bytes: bool) -> Vec<u8> {
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

/// Draws the frame of the scene around the image.
pub(crate) fn frame(picture: &mut Picture, scene: &Scene) {
    let width = scene.framewidth.max(0) as usize;
    if width == 0 {
        return;
    }
    let color = scene.framergb.map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8);
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
