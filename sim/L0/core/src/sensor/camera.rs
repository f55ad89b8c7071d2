//! Cameras: where a point appears in the image, and along which ray a pixel looks.

use crate::math::vec3::Vec3;
use crate::math::{mat3, rows, vec3};
use crate::{Data, Model};
use sim_types::{MINVAL, Projection};
use std::f64::consts::PI;

/// Focal lengths of a perspective camera, in pixels.
fn focal(m: &Model, camera: usize) -> [f64; 2] {
    let [width, height] = m.cam_resolution.as_chunks::<2>().0[camera];
    match chip(m, camera) {
        Some([chip_width, chip_height]) => {
            // in single precision, as the camera is stored
            let [x, y, ..] = m.cam_intrinsic.as_chunks::<4>().0[camera];
            [f64::from(x / chip_width * width as f32), f64::from(y / chip_height * height as f32)]
        }
        None => [0.5 / (m.cam_fovy[camera] * PI / 360.0).tan() * f64::from(height); 2],
    }
}

/// Width and height of the camera's chip, if the camera is described by one.
fn chip(m: &Model, camera: usize) -> Option<[f32; 2]> {
    let size = m.cam_sensorsize.as_chunks::<2>().0[camera];
    (size[0] != 0.0 && size[1] != 0.0).then_some(size)
}

/// Pixel coordinates of a world position, for a perspective camera.
pub(super) fn project(m: &Model, d: &Data, camera: usize, point: Vec3) -> [f64; 2] {
    let [width, height] = m.cam_resolution.as_chunks::<2>().0[camera].map(f64::from);
    let [fx, fy] = focal(m, camera);
    let away = vec3::sub(point, rows::<3>(&d.cam_xpos)[camera]);
    let [x, y, z] = mat3::mul_transpose_vec(&rows::<9>(&d.cam_xmat)[camera], away);
    // the camera looks along its negative z axis
    let depth = if z.abs() >= MINVAL { z } else { MINVAL.copysign(z) };
    [(width / 2.0 * z - fx * x) / depth, (height / 2.0 * z + fy * y) / depth]
}

/// The rays of a camera's pixels.
pub(super) struct PixelRays<'a> {
    pos: Vec3,
    mat: &'a mat3::Mat3,
    /// Pixels of a row.
    width: usize,
    /// Rows of pixels.
    height: usize,
    /// Pixels for each unit of the image plane.
    focal: [f64; 2],
    /// The pixel coordinates of the optical axis.
    centre: [f64; 2],
    /// Half the height of an image whose rays are parallel; nothing for a perspective camera.
    parallel: Option<f64>,
}

impl<'a> PixelRays<'a> {
    #[doc(alias = "mju_camIntrinsics")]
    pub(super) fn of(m: &Model, d: &'a Data, camera: usize) -> Self {
        let resolution = m.cam_resolution.as_chunks::<2>().0[camera];
        let middle = resolution.map(|n| f64::from(n) / 2.0);
        let orthographic = m.cam_projection[camera] == Projection::Orthographic;
        let centre = match chip(m, camera).filter(|_| !orthographic) {
            Some(chip) => {
                let [.., x, y] = m.cam_intrinsic.as_chunks::<4>().0[camera];
                [x / chip[0] * resolution[0] as f32, y / chip[1] * resolution[1] as f32]
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
            centre,
            parallel: orthographic.then(|| m.cam_fovy[camera] / 2.0),
        }
    }

    /// Whether all rays start in one point.
    pub(super) fn one_origin(&self) -> bool {
        self.parallel.is_none()
    }

    /// Origin and unit direction of every pixel's ray, row by row from the top.
    pub(super) fn rays(&self) -> impl Iterator<Item = (Vec3, Vec3)> {
        let pixels = (0..self.height).flat_map(|row| (0..self.width).map(move |col| (row, col)));
        pixels.map(|(row, col)| self.ray(row, col))
    }

    #[doc(alias = "mju_camPixelRay")]
    fn ray(&self, row: usize, col: usize) -> (Vec3, Vec3) {
        let x = (col as f64 + 0.5 - self.centre[0]) / self.focal[0];
        let y = -(row as f64 + 0.5 - self.centre[1]) / self.focal[1];
        match self.parallel {
            None => {
                let direction = mat3::mul_vec(self.mat, [x, y, -1.0]);
                (self.pos, vec3::normalize(direction).0)
            }
            Some(half) => {
                let aside = mat3::mul_vec(self.mat, [x * half, y * half, 0.0]);
                let direction = vec3::scale(mat3::column(self.mat, 2), -1.0);
                (vec3::add(self.pos, aside), direction)
            }
        }
    }
}
