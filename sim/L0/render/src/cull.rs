//! Frustum culling.

use crate::matrix::{Mat4, mul, transform};
use crate::mesh_buffer::Shape;

/// The volume that a projection shows: its six sides as planes with unit normals that point inwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volume {
    planes: [[f32; 4]; 6],
}

impl Volume {
    /// The volume of a projection after a view, with depths from 0 to 1.
    pub(crate) fn new(projection: &Mat4, view: &Mat4) -> Self {
        let m = mul(projection, view);
        let row = |r: usize| [m[0][r], m[1][r], m[2][r], m[3][r]];
        let [x, y, z, w] = [row(0), row(1), row(2), row(3)];
        let sum = |a: [f32; 4], b: [f32; 4], sign: f32| std::array::from_fn(|k| a[k] + sign * b[k]);
        let planes =
            [sum(w, x, 1.0), sum(w, x, -1.0), sum(w, y, 1.0), sum(w, y, -1.0), z, sum(w, z, -1.0)];
        let unit = |p: [f32; 4]| {
            let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
            p.map(|x| x / length)
        };
        Self { planes: planes.map(unit) }
    }

    /// Whether a transformed shape is outside. Values that are not finite count as inside.
    pub(crate) fn excludes(&self, model: &Mat4, shape: &Shape) -> bool {
        let [x, y, z] = shape.center;
        let center = transform(model, [x, y, z, 1.0]);
        let square = |c: [f32; 4]| c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        let scale = square(model[0]).max(square(model[1])).max(square(model[2])).sqrt();
        // rounding errors of the planes grow with the distance from the origin
        let radius = 1.001 * shape.radius * scale + 1e-5 * square(center).sqrt();
        let distance = |p: &[f32; 4]| (0..4).map(|k| p[k] * center[k]).sum::<f32>();
        self.planes.iter().any(|plane| distance(plane) < -radius)
    }
}

#[cfg(test)]
mod tests {
    use super::Volume;
    use crate::matrix::{Frustum, IDENTITY, translated};
    use crate::mesh_buffer::Shape;

    #[test]
    fn spheres_outside_of_each_side_are_excluded() {
        let frustum =
            Frustum { left: -1.0, right: 1.0, bottom: -1.0, top: 1.0, near: 1.0, far: 20.0 };
        let sphere = Shape { radius: 1.0, ..Shape::default() };
        for projection in [frustum.project(), frustum.orthographic()] {
            let volume = Volume::new(&projection, &IDENTITY);
            let excluded = |at: [f32; 3]| volume.excludes(&translated(&IDENTITY, at), &sphere);
            let inside = [[0.0, 0.0, -5.0], [0.0, 0.0, -0.1], [0.0, 0.0, -20.9], [1.5, 0.0, -2.0]];
            assert!(inside.into_iter().all(|at| !excluded(at)));
            let outside =
                [[0.0, 0.0, 0.1], [0.0, 0.0, -21.1], [30.0, 0.0, -5.0], [0.0, -30.0, -5.0]];
            assert!(outside.into_iter().all(excluded));
            assert!(!excluded([f32::NAN; 3]));
        }
    }
}
