//! Camera projection: pixel coordinates of a point, and the rays of pixels (`mju_camIntrinsics`,
//! `mju_camPixelRay`).

use crate::math::vec3::Vec3;
use crate::math::{mat3, rows, vec3};
use crate::{Data, Model};
use sim_types::{MINVAL, Projection};
use std::f64::consts::PI;

/// Focal lengths of a perspective camera, in pixels.
fn focal(m: &Model, camera: usize) -> [f64; 2] {
    let [width, height] = m.cam_resolution.as_chunks::<2>().0[camera];
    match sensor_size(m, camera) {
        Some([sensor_width, sensor_height]) => {
            // computed in single precision, as in MuJoCo
            let [x, y, ..] = m.cam_intrinsic.as_chunks::<4>().0[camera];
            [
                f64::from(x / sensor_width * width as f32),
                f64::from(y / sensor_height * height as f32),
            ]
        }
        None => [0.5 / (m.cam_fovy[camera] * PI / 360.0).tan() * f64::from(height); 2],
    }
}

/// Physical width and height of the image sensor (m); `None` if the camera is defined by `cam_fovy`.
fn sensor_size(m: &Model, camera: usize) -> Option<[f32; 2]> {
    let size = m.cam_sensorsize.as_chunks::<2>().0[camera];
    (size[0] != 0.0 && size[1] != 0.0).then_some(size)
}

/// Pixel coordinates of a world position under perspective projection.
pub(super) fn project(m: &Model, d: &Data, camera: usize, point: Vec3) -> [f64; 2] {
    let [width, height] = m.cam_resolution.as_chunks::<2>().0[camera].map(f64::from);
    let [fx, fy] = focal(m, camera);
    let offset = vec3::sub(point, rows::<3>(&d.cam_xpos)[camera]);
    let [x, y, z] = mat3::mul_transpose_vec(&rows::<9>(&d.cam_xmat)[camera], offset);
    // the camera looks along its -z axis; |z| is kept away from zero
    let depth = if z.abs() >= MINVAL { z } else { MINVAL.copysign(z) };
    [(width / 2.0 * z - fx * x) / depth, (height / 2.0 * z + fy * y) / depth]
}

/// Generator of the rays of a camera's pixels.
#[derive(Debug)]
pub struct PixelRays<'a> {
    /// World position of the camera (m).
    pos: Vec3,
    /// World rotation matrix of the camera.
    mat: &'a mat3::Mat3,
    /// Image width in pixels.
    width: usize,
    /// Image height in pixels.
    height: usize,
    /// Focal lengths in pixels; half the resolution for an orthographic camera.
    focal: [f64; 2],
    /// Principal point in pixels.
    principal: [f64; 2],
    /// Half the height of the view volume of an orthographic camera (m); `None` for a perspective camera.
    half_height: Option<f64>,
}

impl<'a> PixelRays<'a> {
    /// The rays of a camera at its current pose.
    ///
    /// # Panics
    ///
    /// If `camera` is out of range.
    #[doc(alias = "mju_camIntrinsics")]
    #[must_use]
    pub fn of(m: &Model, d: &'a Data, camera: usize) -> Self {
        let resolution = m.cam_resolution.as_chunks::<2>().0[camera];
        let middle = resolution.map(|n| f64::from(n) / 2.0);
        let orthographic = m.cam_projection[camera] == Projection::Orthographic;
        let principal = match sensor_size(m, camera).filter(|_| !orthographic) {
            Some(size) => {
                let [.., x, y] = m.cam_intrinsic.as_chunks::<4>().0[camera];
                [x / size[0] * resolution[0] as f32, y / size[1] * resolution[1] as f32]
                    .map(f64::from)
            }
            None => middle,
        };
        let [width, height] = resolution.map(|n| usize::try_from(n).unwrap_or(0));
        Self {
            pos: rows::<3>(&d.cam_xpos)[camera],
            mat: &rows::<9>(&d.cam_xmat)[camera],
            width,
            height,
            focal: if orthographic { middle } else { focal(m, camera) },
            principal,
            half_height: orthographic.then(|| m.cam_fovy[camera] / 2.0),
        }
    }

    /// Whether all rays start at the camera's position.
    pub(super) fn is_perspective(&self) -> bool {
        self.half_height.is_none()
    }

    /// Origin and unit direction of every pixel's ray in the world frame, row-major from the top left.
    pub fn rays(&self) -> impl Iterator<Item = (Vec3, Vec3)> {
        let pixels = (0..self.height).flat_map(|row| (0..self.width).map(move |col| (row, col)));
        pixels.map(|(row, col)| self.ray(row, col))
    }

    /// Ray through the centre of one pixel.
    #[doc(alias = "mju_camPixelRay")]
    fn ray(&self, row: usize, col: usize) -> (Vec3, Vec3) {
        let x = (col as f64 + 0.5 - self.principal[0]) / self.focal[0];
        let y = -(row as f64 + 0.5 - self.principal[1]) / self.focal[1];
        match self.half_height {
            None => {
                let direction = mat3::mul_vec(self.mat, [x, y, -1.0]);
                (self.pos, vec3::normalize(direction).0)
            }
            Some(half) => {
                let offset = mat3::mul_vec(self.mat, [x * half, y * half, 0.0]);
                let direction = vec3::scale(mat3::column(self.mat, 2), -1.0);
                (vec3::add(self.pos, offset), direction)
            }
        }
    }
}
