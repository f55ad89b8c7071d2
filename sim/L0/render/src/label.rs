//! Text labels of geoms, drawn over the image.

use crate::font::{HALF_WIDTH, segments};
use crate::matrix::{mul, transform};
use crate::mesh_buffer::MeshBuffer;
use crate::tessellation::Vertex;
use crate::view::View;
use sim_scene::Scene;

/// Pixels from the position of a geom to the strokes of its label, right and up.
const OFFSET: [f32; 2] = [3.0, 8.0];
/// Width of the shadow around strokes in pixels.
const SHADOW: f32 = 1.0;

/// Adds the strokes of all labels, widened to shadows, or as they are. Positions are those of the image, from
/// -1 to 1. Labels of geoms whose position is not in the image are left out. Returns whether there are any.
pub(crate) fn add(meshes: &mut Strokes, scene: &Scene, view: &View) -> bool {
    let clip = mul(&view.projection, &view.view);
    for geom in scene.geoms.iter().filter(|geom| !geom.label.is_empty()) {
        let [x, y, z] = geom.pos;
        let [x, y, z, w] = transform(&clip, [x, y, z, 1.0]);
        let inside = |x: f32| (-w..=w).contains(&x);
        if !(w > 0.0 && inside(x) && inside(y) && (0.0..=w).contains(&z)) {
            continue;
        }
        // the projection has y downwards; text begins at a whole pixel
        let pixel = |x: f32, size: f32| ((0.5 * x / w + 0.5) * size).floor();
        let pen = [pixel(x, view.viewport[0]), pixel(-y, view.viewport[1])];
        for segment in segments(&geom.label) {
            let at = |p: [f32; 2]| [0, 1].map(|k| pen[k] + OFFSET[k] + p[k]);
            meshes.add(segment.map(at), view.viewport);
        }
    }
    !meshes.shadow.vertices.is_empty()
}

/// Triangles of strokes and of their shadows.
#[derive(Default)]
pub(crate) struct Strokes {
    pub shadow: MeshBuffer,
    pub text: MeshBuffer,
}

impl Strokes {
    /// Adds a segment between two points in pixels.
    fn add(&mut self, [a, b]: [[f32; 2]; 2], viewport: [f32; 2]) {
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]);
        let along = if length > 0.0 { along.map(|x| x / length) } else { [1.0, 0.0] };
        for (meshes, half) in
            [(&mut self.shadow, HALF_WIDTH + SHADOW), (&mut self.text, HALF_WIDTH)]
        {
            let corner = |p: [f32; 2], forward: f32, side: f32| {
                let x = p[0] + half * (forward * along[0] - side * along[1]);
                let y = p[1] + half * (forward * along[1] + side * along[0]);
                let at = |x: f32, size: f32| 2.0 * x / size - 1.0;
                Vertex::new([at(x, viewport[0]), at(y, viewport[1]), 0.0], [0.0, 0.0, 1.0])
            };
            let base = meshes.vertices.len() as u32;
            meshes.vertices.extend([
                corner(a, -1.0, -1.0),
                corner(b, 1.0, -1.0),
                corner(b, 1.0, 1.0),
                corner(a, -1.0, 1.0),
            ]);
            meshes.indices.extend([0, 1, 2, 0, 2, 3].map(|i| base + i));
        }
    }
}
