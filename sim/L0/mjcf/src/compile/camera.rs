//! Compilation of cameras.

use super::Context;
use super::body::Frames;
use super::math::Pose;
use super::symbols::SymbolTable;
use super::visual::visual;
use crate::spec::{Camera, Origin};

/// A compiled camera.
#[derive(Debug)]
pub(super) struct CompiledCamera<'a> {
    pub(super) spec: &'a Camera,
    pub(super) body: usize,
    pub(super) pose: Pose,
    pub(super) target: Option<usize>,
    pub(super) fovy: f64,
    pub(super) intrinsic: [f32; 4],
}

pub(super) fn camera<'a>(
    context: &mut Context<'a, '_>,
    frames: &Frames,
    symbols: &SymbolTable<'_>,
    body: usize,
    c: &'a Camera,
) -> CompiledCamera<'a> {
    context.check_user(c.origin, "camera", &c.user, context.spec.size.nuser_cam, "nuser_cam");
    let quat = context.orientation(c.origin, "camera", &c.orientation);
    let target = target(context, symbols, &c.target, (c.origin, "camera"));
    if c.fovy >= 180.0 {
        context.invalid(c.origin, "camera", Some("fovy"), "must be less than 180 degrees");
    }

    let is_set = |v: [f32; 2]| v != [0.0; 2];
    let intrinsics = [
        ("focal", c.focal),
        ("focalpixel", c.focalpixel),
        ("principal", c.principal),
        ("principalpixel", c.principalpixel),
    ];
    let sized = c.sensorsize[0] > 0.0 && c.sensorsize[1] > 0.0;
    if !sized && let Some((name, _)) = intrinsics.iter().find(|(_, v)| is_set(*v)) {
        context.invalid(c.origin, "camera", Some(name), "requires a positive `sensorsize`");
    }
    if sized && c.resolution.iter().any(|&r| r <= 0) {
        context.invalid(
            c.origin,
            "camera",
            Some("resolution"),
            "must be positive if `sensorsize` is set",
        );
    }
    let (mut fovy, intrinsic) = (c.fovy, intrinsic(context, c, sized));
    if sized {
        fovy =
            f64::from((c.sensorsize[1] / 2.0).atan2(intrinsic[1])) * 360.0 / std::f64::consts::PI;
    }
    CompiledCamera {
        spec: c,
        body,
        pose: frames.place(c.frame, Pose { pos: c.pos, quat }),
        target,
        fovy,
        intrinsic,
    }
}

/// Camera intrinsics: focal lengths and principal point in length units. Values in pixels take
/// precedence over lengths.
#[allow(clippy::cast_precision_loss, reason = "resolutions are small numbers of pixels")]
fn intrinsic(context: &Context<'_, '_>, c: &Camera, sized: bool) -> [f32; 4] {
    if !sized {
        let znear = visual(context.spec).map.znear;
        return [znear, znear, 0.0, 0.0];
    }
    let density =
        [c.resolution[0] as f32 / c.sensorsize[0], c.resolution[1] as f32 / c.sensorsize[1]];
    let pick = |pixel: f32, length: f32, density: f32| {
        if pixel == 0.0 { length } else { pixel / density }
    };
    [
        pick(c.focalpixel[0], c.focal[0], density[0]),
        pick(c.focalpixel[1], c.focal[1], density[1]),
        pick(c.principalpixel[0], c.principal[0], density[0]),
        pick(c.principalpixel[1], c.principal[1], density[1]),
    ]
}

/// Id of the target body of a camera or light, if it has one.
pub(super) fn target(
    context: &mut Context<'_, '_>,
    symbols: &SymbolTable<'_>,
    name: &str,
    (origin, element): (Origin, &str),
) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    symbols.find(context, &symbols.body, "body", name, (origin, element, "target"))
}
