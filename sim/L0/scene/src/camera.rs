//! Abstract cameras (`mjvCamera`), cameras of a renderer (`mjvGLCamera`), and the conversion of the former to
//! the latter (`mjv_updateCamera`).

use crate::{CameraType, Scene, SceneError, single};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, rows};
use sim_core::types::Projection;
use sim_core::{Data, Model};
use std::f64::consts::PI;

/// An abstract camera (`mjvCamera`).
#[doc(alias = "mjvCamera")]
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Type.
    pub kind: CameraType,
    /// Camera of the model, for [`CameraType::Fixed`].
    pub fixedcamid: i32,
    /// Body that is followed, for [`CameraType::Tracking`].
    pub trackbodyid: i32,
    /// Point that the camera looks at (m).
    pub lookat: [f64; 3],
    /// Distance from that point (m).
    pub distance: f64,
    /// Azimuth (degrees).
    pub azimuth: f64,
    /// Elevation (degrees).
    pub elevation: f64,
    /// Whether the projection is orthographic.
    pub orthographic: bool,
}

impl Default for Camera {
    /// A free camera at the origin (`mjv_defaultCamera`).
    fn default() -> Self {
        Self {
            kind: CameraType::Free,
            fixedcamid: -1,
            trackbodyid: -1,
            lookat: [0.0; 3],
            distance: 2.0,
            azimuth: 90.0,
            elevation: -45.0,
            orthographic: false,
        }
    }
}

impl Camera {
    /// A free camera that shows the whole model (`mjv_defaultFreeCamera`).
    #[doc(alias = "mjv_defaultFreeCamera")]
    #[must_use]
    pub fn free(m: &Model) -> Self {
        let global = &m.vis.global;
        Self {
            lookat: m.stat.center,
            distance: 1.5 * m.stat.extent,
            azimuth: f64::from(global.azimuth),
            elevation: f64::from(global.elevation),
            orthographic: global.orthographic != 0,
            ..Self::default()
        }
    }

    /// The camera of the model with this index.
    #[must_use]
    pub fn fixed(id: usize) -> Self {
        let fixedcamid = i32::try_from(id).unwrap_or(-1);
        Self { kind: CameraType::Fixed, fixedcamid, ..Self::default() }
    }

    /// A camera that shows the whole model and follows a body's subtree.
    #[must_use]
    pub fn tracking(m: &Model, body: usize) -> Self {
        let trackbodyid = i32::try_from(body).unwrap_or(-1);
        Self { kind: CameraType::Tracking, trackbodyid, ..Self::free(m) }
    }

    /// Index of the camera of the model.
    fn fixed_id(&self, m: &Model) -> Result<usize, SceneError> {
        let id = usize::try_from(self.fixedcamid).ok().filter(|&id| id < m.ncam);
        id.ok_or(SceneError::FixedCamera(self.fixedcamid))
    }
}

/// A camera of the renderer (`mjvGLCamera`).
#[doc(alias = "mjvGLCamera")]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GlCamera {
    /// Position (m).
    pub pos: [f32; 3],
    /// Unit vector along the view.
    pub forward: [f32; 3],
    /// Unit vector upwards.
    pub up: [f32; 3],
    /// Horizontal centre of the frustum at the near plane (m).
    pub frustum_center: f32,
    /// Half-width of the frustum at the near plane (m); 0 if it follows from the aspect ratio.
    pub frustum_width: f32,
    /// Lower bound of the frustum at the near plane (m).
    pub frustum_bottom: f32,
    /// Upper bound of the frustum at the near plane (m).
    pub frustum_top: f32,
    /// Distance of the near plane (m).
    pub frustum_near: f32,
    /// Distance of the far plane (m).
    pub frustum_far: f32,
    /// Whether the projection is orthographic.
    pub orthographic: bool,
}

/// Pose of a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraFrame {
    /// Position (m).
    pub headpos: Vec3,
    /// Unit vector along the view.
    pub forward: Vec3,
    /// Unit vector upwards.
    pub up: Vec3,
    /// Unit vector to the right.
    pub right: Vec3,
}

/// Pose of an abstract camera.
///
/// # Errors
///
/// If a camera of the model does not exist, or the user controls the camera.
#[doc(alias = "mjv_cameraFrame")]
pub fn mjv_camera_frame(m: &Model, d: &Data, camera: &Camera) -> Result<CameraFrame, SceneError> {
    match camera.kind {
        CameraType::Free | CameraType::Tracking => {
            let (sa, ca) = (camera.azimuth / 180.0 * PI).sin_cos();
            let (se, ce) = (camera.elevation / 180.0 * PI).sin_cos();
            let forward = [ce * ca, ce * sa, se];
            Ok(CameraFrame {
                headpos: vec3::add_scaled(camera.lookat, forward, -camera.distance),
                forward,
                up: [-se * ca, -se * sa, ce],
                right: [sa, -ca, 0.0],
            })
        }
        CameraType::Fixed => {
            let id = camera.fixed_id(m)?;
            let mat = &rows::<9>(&d.cam_xmat)[id];
            Ok(CameraFrame {
                headpos: rows::<3>(&d.cam_xpos)[id],
                forward: vec3::scale(mat3::column(mat, 2), -1.0),
                up: mat3::column(mat, 1),
                right: mat3::column(mat, 0),
            })
        }
        CameraType::User => Err(SceneError::CameraType(camera.kind)),
    }
}

/// Bounds of a camera's view volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraFrustum {
    /// Upward and downward extent at the near plane (m).
    pub zver: [f32; 2],
    /// Extent to the left and right at the near plane (m); zero if it follows from the aspect ratio.
    pub zhor: [f32; 2],
    /// Distances of the near and far planes (m).
    pub zclip: [f32; 2],
}

/// View volume of an abstract camera.
///
/// # Errors
///
/// If a camera of the model does not exist, or the user controls the camera.
#[doc(alias = "mjv_cameraFrustum")]
pub fn mjv_camera_frustum(m: &Model, camera: &Camera) -> Result<CameraFrustum, SceneError> {
    let (orthographic, fovy, intrinsic) = match camera.kind {
        CameraType::Free | CameraType::Tracking => {
            (m.vis.global.orthographic != 0, f64::from(m.vis.global.fovy), None)
        }
        CameraType::Fixed => {
            let id = camera.fixed_id(m)?;
            let sensor = m.cam_sensorsize.as_chunks::<2>().0[id];
            let intrinsic = m.cam_intrinsic.as_chunks::<4>().0[id];
            let orthographic = m.cam_projection[id] == Projection::Orthographic;
            (orthographic, m.cam_fovy[id], (sensor[1] != 0.0).then_some((intrinsic, sensor)))
        }
        CameraType::User => return Err(SceneError::CameraType(camera.kind)),
    };
    let znear = single(f64::from(m.vis.map.znear) * m.stat.extent);
    let (zver, zhor) = if orthographic {
        ([single(fovy / 2.0); 2], [0.0; 2])
    } else if let Some((intrinsic, sensor)) = intrinsic {
        intrinsic_frustum(znear, intrinsic, sensor)
    } else {
        ([single(f64::from(znear) * (fovy * PI / 360.0).tan()); 2], [0.0; 2])
    };
    let zfar = single(f64::from(m.vis.map.zfar) * m.stat.extent);
    Ok(CameraFrustum { zver, zhor, zclip: [znear, zfar] })
}

/// Vertical and horizontal extents at the near plane of a camera that is defined by its focal lengths and
/// principal point.
pub(crate) fn intrinsic_frustum(
    znear: f32,
    intrinsic: [f32; 4],
    sensor: [f32; 2],
) -> ([f32; 2], [f32; 2]) {
    let extent = |k: usize| {
        let scale = znear / intrinsic[k];
        let (half, offset) = (sensor[k] / 2.0, intrinsic[k + 2]);
        [scale * (half - offset), scale * (half + offset)]
    };
    (extent(1), extent(0))
}

/// Sets the cameras of the scene from an abstract camera and disables the model transformation. A tracking
/// camera is moved to its body; a user camera leaves the scene unchanged.
///
/// # Errors
///
/// If a camera of the model or a tracked body does not exist.
#[doc(alias = "mjv_updateCamera")]
pub fn mjv_update_camera(
    m: &Model,
    d: &Data,
    camera: &mut Camera,
    scene: &mut Scene,
) -> Result<(), SceneError> {
    if camera.kind == CameraType::User {
        return Ok(());
    }
    if camera.kind == CameraType::Tracking {
        let body = usize::try_from(camera.trackbodyid).ok().filter(|&body| body < m.nbody);
        let body = body.ok_or(SceneError::TrackedBody(camera.trackbodyid))?;
        camera.lookat = rows::<3>(&d.subtree_com)[body];
    }
    let frame = mjv_camera_frame(m, d, camera)?;
    let CameraFrustum { zver, zhor, zclip } = mjv_camera_frustum(m, camera)?;
    let (ipd, orthographic) = match camera.kind {
        CameraType::Fixed => {
            let id = camera.fixed_id(m)?;
            (m.cam_ipd[id], m.cam_projection[id] == Projection::Orthographic)
        }
        _ => (f64::from(m.vis.global.ipd), m.vis.global.orthographic != 0),
    };
    for (view, offset) in scene.camera.iter_mut().zip([-ipd, ipd]) {
        *view = GlCamera {
            pos: std::array::from_fn(|k| single(frame.headpos[k] + offset * 0.5 * frame.right[k])),
            forward: frame.forward.map(single),
            up: frame.up.map(single),
            frustum_center: (zhor[1] - zhor[0]) / 2.0,
            frustum_width: (zhor[1] + zhor[0]) / 2.0,
            frustum_bottom: -zver[1],
            frustum_top: zver[0],
            frustum_near: zclip[0],
            frustum_far: zclip[1],
            orthographic,
        };
    }
    scene.enabletransform = false;
    Ok(())
}

/// The average of two cameras.
///
/// # Errors
///
/// [`SceneError::Projection`] if only one of them is orthographic.
#[doc(alias = "mjv_averageCamera")]
pub fn mjv_average_camera(a: &GlCamera, b: &GlCamera) -> Result<GlCamera, SceneError> {
    if a.orthographic != b.orthographic {
        return Err(SceneError::Projection);
    }
    let sum = |a: [f32; 3], b: [f32; 3]| vec3::add(a.map(f64::from), b.map(f64::from));
    let mean = |a: f32, b: f32| 0.5 * (a + b);
    let (forward, _) = vec3::normalize(sum(a.forward, b.forward));
    let up = sum(a.up, b.up);
    let (up, _) = vec3::normalize(vec3::add_scaled(up, forward, -vec3::dot(up, forward)));
    Ok(GlCamera {
        pos: vec3::scale(sum(a.pos, b.pos), 0.5).map(single),
        forward: forward.map(single),
        up: up.map(single),
        frustum_center: mean(a.frustum_center, b.frustum_center),
        frustum_width: mean(a.frustum_width, b.frustum_width),
        frustum_bottom: mean(a.frustum_bottom, b.frustum_bottom),
        frustum_top: mean(a.frustum_top, b.frustum_top),
        frustum_near: mean(a.frustum_near, b.frustum_near),
        frustum_far: mean(a.frustum_far, b.frustum_far),
        orthographic: a.orthographic,
    })
}
