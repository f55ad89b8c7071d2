//! Sites, cameras and lights.

use super::Context;
use super::asset::Assets;
use super::body::Frames;
use super::geom::{check_size, place};
use super::math::{EPS, Pose, Vec3, normalize, rotate};
use super::order::Order;
use crate::spec::{Camera, Light, Site};
use sim_core::types::GeomType;

/// A compiled site.
#[derive(Debug)]
pub(super) struct SiteOut<'a> {
    pub(super) spec: &'a Site,
    pub(super) body: usize,
    pub(super) material: Option<usize>,
    pub(super) pose: Pose,
    pub(super) size: Vec3,
}

pub(super) fn site<'a>(
    context: &mut Context<'a, '_>,
    (frames, order, assets): (&Frames, &Order<'a>, &Assets<'a>),
    body: usize,
    s: &'a Site,
) -> SiteOut<'a> {
    context.check_user(s.origin, "site", &s.user, context.spec.size.nuser_site, "nuser_site");
    match s.stype {
        GeomType::Sphere
        | GeomType::Capsule
        | GeomType::Ellipsoid
        | GeomType::Cylinder
        | GeomType::Box => {}
        _ => {
            let message = "a site is a sphere, capsule, ellipsoid, cylinder or box";
            context.invalid(s.origin, "site", Some("type"), message);
        }
    }
    let (pose, size) =
        place(context, (s.origin, "site"), s.stype, (s.pos, &s.orientation, s.fromto), s.size);
    check_size(context, (s.origin, "site"), s.stype, size);
    let material = assets.material(context, order, &s.material, (s.origin, "site"));
    SiteOut { spec: s, body, material, pose: frames.place(s.frame, pose), size }
}

/// A compiled camera.
#[derive(Debug)]
pub(super) struct CameraOut<'a> {
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
    order: &Order<'_>,
    body: usize,
    c: &'a Camera,
) -> CameraOut<'a> {
    context.check_user(c.origin, "camera", &c.user, context.spec.size.nuser_cam, "nuser_cam");
    let quat = context.orientation(c.origin, "camera", &c.orientation);
    let target = target(context, order, &c.target, (c.origin, "camera"));
    if c.fovy >= 180.0 {
        context.invalid(c.origin, "camera", Some("fovy"), "must be less than 180 degrees");
    }

    let given = |v: [f32; 2]| v != [0.0; 2];
    let intrinsics = [
        ("focal", c.focal),
        ("focalpixel", c.focalpixel),
        ("principal", c.principal),
        ("principalpixel", c.principalpixel),
    ];
    let sized = c.sensorsize[0] > 0.0 && c.sensorsize[1] > 0.0;
    if !sized && let Some((name, _)) = intrinsics.iter().find(|(_, v)| given(*v)) {
        context.invalid(c.origin, "camera", Some(name), "needs a positive `sensorsize`");
    }
    if sized && c.resolution.iter().any(|&r| r <= 0) {
        context.invalid(
            c.origin,
            "camera",
            Some("resolution"),
            "must be positive to use `sensorsize`",
        );
    }
    let (mut fovy, intrinsic) = (c.fovy, intrinsic(context, c, sized));
    if sized {
        fovy =
            f64::from((c.sensorsize[1] / 2.0).atan2(intrinsic[1])) * 360.0 / std::f64::consts::PI;
    }
    CameraOut {
        spec: c,
        body,
        pose: frames.place(c.frame, Pose { pos: c.pos, quat }),
        target,
        fovy,
        intrinsic,
    }
}

/// Focal lengths and principal point in length units; pixel values win over lengths.
#[allow(clippy::cast_precision_loss, reason = "resolutions are small numbers of pixels")]
fn intrinsic(context: &Context<'_, '_>, c: &Camera, sized: bool) -> [f32; 4] {
    if !sized {
        let znear = visual_number(context, "map", "znear").unwrap_or(0.01);
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

/// A number of the `visual` section; the last one given counts.
fn visual_number(context: &Context<'_, '_>, element: &str, name: &str) -> Option<f32> {
    let given =
        context.spec.visual.iter().rev().find(|v| v.element == element && v.name == name)?;
    given.value.trim().parse().ok()
}

/// A compiled light.
#[derive(Debug)]
pub(super) struct LightOut<'a> {
    pub(super) spec: &'a Light,
    pub(super) body: usize,
    pub(super) texture: Option<usize>,
    pub(super) pos: Vec3,
    pub(super) dir: Vec3,
    pub(super) target: Option<usize>,
}

pub(super) fn light<'a>(
    context: &mut Context<'a, '_>,
    frames: &Frames,
    order: &Order<'_>,
    body: usize,
    l: &'a Light,
) -> LightOut<'a> {
    let frame = frames.get(l.frame);
    let pos = frame.then(Pose { pos: l.pos, ..Pose::IDENTITY }).pos;
    let mut dir = rotate(frame.quat, l.dir);
    if normalize(&mut dir) < EPS {
        context.invalid(l.origin, "light", Some("dir"), "the direction has no length");
    }
    let target = target(context, order, &l.target, (l.origin, "light"));
    let texture = (!l.texture.is_empty()).then(|| {
        let place = (l.origin, "light", "texture");
        order.find(context, &order.texture, "texture", &l.texture, place)
    });
    LightOut { spec: l, body, texture: texture.flatten(), pos, dir, target }
}

fn target(
    context: &mut Context<'_, '_>,
    order: &Order<'_>,
    name: &str,
    (origin, element): (crate::spec::Origin, &str),
) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    order.find(context, &order.body, "body", name, (origin, element, "target"))
}
