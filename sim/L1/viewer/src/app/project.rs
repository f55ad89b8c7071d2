//! Projection of points of the scene to the screen, for text.

use egui::{Pos2, Rect, pos2};
use sim_physics::scene::{GlCamera, Scene, mjv_average_camera};

/// The screen position of a point in model space; `None` if it is behind the camera.
pub(crate) fn project(scene: &Scene, rect: Rect, point: [f32; 3]) -> Option<Pos2> {
    let camera = mjv_average_camera(&scene.camera[0], &scene.camera[1]).ok()?;
    let [x, y] = normalized(&camera, rect.aspect_ratio(), point)?;
    let visible = x.abs() <= 1.0 && y.abs() <= 1.0;
    visible.then(|| {
        pos2(rect.center().x + 0.5 * x * rect.width(), rect.center().y - 0.5 * y * rect.height())
    })
}

/// Normalized device coordinates of a point, each in -1 to 1 inside of the view.
fn normalized(camera: &GlCamera, aspect: f32, point: [f32; 3]) -> Option<[f32; 2]> {
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (f, u) = (camera.forward, camera.up);
    let right = [f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2], f[0] * u[1] - f[1] * u[0]];
    let offset = std::array::from_fn(|k| point[k] - camera.pos[k]);
    let depth = dot(offset, f);
    let scale = match camera.orthographic {
        true => 1.0,
        false if depth > camera.frustum_near => camera.frustum_near / depth,
        false => return None,
    };
    let half_height = 0.5 * (camera.frustum_top - camera.frustum_bottom);
    let center = 0.5 * (camera.frustum_top + camera.frustum_bottom);
    let half_width =
        if camera.frustum_width > 0.0 { camera.frustum_width } else { half_height * aspect };
    let x = (dot(offset, right) * scale - camera.frustum_center) / half_width;
    let y = (dot(offset, u) * scale - center) / half_height;
    (x.is_finite() && y.is_finite()).then_some([x, y])
}

#[cfg(test)]
mod tests {
    use super::normalized;
    use sim_physics::scene::GlCamera;

    #[test]
    fn points_are_projected() {
        let camera = GlCamera {
            pos: [0.0, -2.0, 0.0],
            forward: [0.0, 1.0, 0.0],
            up: [0.0, 0.0, 1.0],
            frustum_top: 0.1,
            frustum_bottom: -0.1,
            frustum_near: 0.1,
            frustum_far: 10.0,
            ..GlCamera::default()
        };
        let close = |a: Option<[f32; 2]>, b: [f32; 2]| {
            let a = a.expect("visible");
            assert!((a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6, "{a:?} {b:?}");
        };
        close(normalized(&camera, 1.0, [0.0; 3]), [0.0, 0.0]);
        close(normalized(&camera, 1.0, [1.0, 0.0, 0.5]), [0.5, 0.25]);
        close(normalized(&camera, 2.0, [1.0, 0.0, 0.5]), [0.25, 0.25]);
        assert_eq!(normalized(&camera, 1.0, [0.0, -3.0, 0.0]), None);
    }
}
