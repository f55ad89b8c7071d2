//! Transformations between the room, in which the cameras are, and the model; head position of the cameras.

use crate::{Scene, SceneError};
use sim_core::math::pose::Pose;
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, quat};
use sim_core::types::MINVAL;

/// Average pose of the two cameras of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadFrame {
    /// Position (m).
    pub pos: Vec3,
    /// Unit vector along the view.
    pub forward: Vec3,
    /// Unit vector upwards.
    pub up: Vec3,
}

impl Scene {
    /// Transforms a pose from room to model space.
    ///
    /// # Errors
    ///
    /// [`SceneError::Scale`] if the scale of the scene is not positive.
    #[doc(alias = "mjv_room2model")]
    pub fn room2model(&self, room: &Pose) -> Result<Pose, SceneError> {
        let scale = self.checked_scale()?;
        if !self.enabletransform {
            return Ok(*room);
        }
        let pose = self.model_pose().inverse().then(room);
        Ok(Pose { pos: vec3::scale(pose.pos, 1.0 / scale), quat: pose.quat })
    }

    /// Transforms a pose from model to room space.
    ///
    /// # Errors
    ///
    /// [`SceneError::Scale`] if the scale of the scene is not positive.
    #[doc(alias = "mjv_model2room")]
    pub fn model2room(&self, model: &Pose) -> Result<Pose, SceneError> {
        let scale = self.checked_scale()?;
        if !self.enabletransform {
            return Ok(*model);
        }
        let pose = self.model_pose().then(model);
        Ok(Pose { pos: vec3::scale(pose.pos, scale), quat: pose.quat })
    }

    /// Average pose of the two cameras in model space.
    ///
    /// # Errors
    ///
    /// If the cameras or the scale of the scene are not set.
    #[doc(alias = "mjv_cameraInModel")]
    pub fn camera_in_model(&self) -> Result<HeadFrame, SceneError> {
        camera_in_model(self)
    }

    /// Average pose of the two cameras in room space.
    ///
    /// # Errors
    ///
    /// If the cameras of the scene are not set.
    #[doc(alias = "mjv_cameraInRoom")]
    pub fn camera_in_room(&self) -> Result<HeadFrame, SceneError> {
        self.check_near()?;
        let [a, b] = &self.camera;
        let mean = |a: [f32; 3], b: [f32; 3]| {
            let half = vec3::add_scaled([0.0; 3], a.map(f64::from), 0.5);
            vec3::add_scaled(half, b.map(f64::from), 0.5)
        };
        Ok(HeadFrame {
            pos: mean(a.pos, b.pos),
            forward: vec3::normalize(mean(a.forward, b.forward)).0,
            up: vec3::normalize(mean(a.up, b.up)).0,
        })
    }

    /// Mean height of the view volumes of the two cameras: at unit distance, or of orthographic cameras.
    ///
    /// # Errors
    ///
    /// If the cameras are not set, or only one of them is orthographic.
    #[doc(alias = "mjv_frustumHeight")]
    pub fn frustum_height(&self) -> Result<f64, SceneError> {
        let [a, b] = &self.camera;
        if a.orthographic != b.orthographic {
            return Err(SceneError::Projection);
        }
        let height = if a.orthographic {
            (a.frustum_top - a.frustum_bottom) + (b.frustum_top - b.frustum_bottom)
        } else {
            self.check_near()?;
            (a.frustum_top - a.frustum_bottom) / a.frustum_near
                + (b.frustum_top - b.frustum_bottom) / b.frustum_near
        };
        Ok(0.5 * f64::from(height))
    }

    /// Pose of the model in the room, without scaling.
    fn model_pose(&self) -> Pose {
        Pose { pos: self.translate.map(f64::from), quat: self.rotate.map(f64::from) }
    }

    fn checked_scale(&self) -> Result<f64, SceneError> {
        let scale = f64::from(self.scale);
        if scale < MINVAL { Err(SceneError::Scale) } else { Ok(scale) }
    }

    fn check_near(&self) -> Result<(), SceneError> {
        let invalid = self.camera.iter().any(|camera| f64::from(camera.frustum_near) < MINVAL);
        if invalid { Err(SceneError::FrustumNear) } else { Ok(()) }
    }
}

/// [`Scene::camera_in_model`].
pub(crate) fn camera_in_model(scene: &Scene) -> Result<HeadFrame, SceneError> {
    scene.check_near()?;
    let [mut pos, mut forward, mut up] = [[0.0; 3]; 3];
    for camera in &scene.camera {
        let (z, _) = vec3::normalize(camera.forward.map(f64::from));
        let (y, _) = vec3::normalize(camera.up.map(f64::from));
        let (x, _) = vec3::normalize(vec3::cross(y, z));
        let room = Pose {
            pos: camera.pos.map(f64::from),
            quat: quat::from_mat(&[x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]),
        };
        let model = scene.room2model(&room)?;
        let mat = quat::to_mat(model.quat);
        pos = vec3::add_scaled(pos, model.pos, 0.5);
        forward = vec3::add_scaled(forward, mat3::column(&mat, 2), 0.5);
        up = vec3::add_scaled(up, mat3::column(&mat, 1), 0.5);
    }
    Ok(HeadFrame { pos, forward: vec3::normalize(forward).0, up: vec3::normalize(up).0 })
}

/// Rotates a vector about the z axis by the angle between the y axis and the horizontal part of `forward`.
///
/// ```
/// assert_eq!(sim_scene::align_to_camera([0.0, 1.0, 2.0], [3.0, 0.0, -1.0]), [1.0, 0.0, 2.0]);
/// ```
#[doc(alias = "mjv_alignToCamera")]
#[must_use]
pub fn align_to_camera(vec: Vec3, forward: Vec3) -> Vec3 {
    let length = (forward[0] * forward[0] + forward[1] * forward[1]).sqrt();
    // a vertical view counts as one along x
    let [x, y] = if length < MINVAL {
        [1.0, 0.0]
    } else {
        let inverse = 1.0 / length;
        [forward[0] * inverse, forward[1] * inverse]
    };
    [vec[0] * y + vec[1] * x, -vec[0] * x + vec[1] * y, vec[2]]
}
