//! Where a point appears in the image of a camera.

use crate::math::{mat3, rows, vec3};
use crate::{Data, Model};
use sim_types::MINVAL;
use std::f64::consts::PI;

/// Pixel coordinates of a world position, for a perspective camera.
pub(super) fn project(m: &Model, d: &Data, camera: usize, point: [f64; 3]) -> [f64; 2] {
    let [width, height] = m.cam_resolution.as_chunks::<2>().0[camera];
    let [chip_width, chip_height] = m.cam_sensorsize.as_chunks::<2>().0[camera];
    let intrinsic = m.cam_intrinsic.as_chunks::<4>().0[camera];
    let (fx, fy) = if chip_width != 0.0 && chip_height != 0.0 {
        // in single precision, as the camera is stored
        let fx = intrinsic[0] / chip_width * width as f32;
        let fy = intrinsic[1] / chip_height * height as f32;
        (f64::from(fx), f64::from(fy))
    } else {
        let f = 0.5 / (m.cam_fovy[camera] * PI / 360.0).tan() * f64::from(height);
        (f, f)
    };
    let away = vec3::sub(point, rows::<3>(&d.cam_xpos)[camera]);
    let [x, y, z] = mat3::mul_transpose_vec(&rows::<9>(&d.cam_xmat)[camera], away);
    // the camera looks along its negative z axis
    let depth = if z.abs() >= MINVAL { z } else { MINVAL.copysign(z) };
    [(f64::from(width) / 2.0 * z - fx * x) / depth, (f64::from(height) / 2.0 * z + fy * y) / depth]
}
