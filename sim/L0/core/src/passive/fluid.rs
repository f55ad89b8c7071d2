//! Fluid forces (`mj_fluid`): selection of the fluid model of each body, and projection of the body wrenches
//! to joint space.

use super::fluid_ellipsoid;

pub use super::fluid_box::BoxDrag;
pub use super::fluid_ellipsoid::Ellipsoid;

use crate::math::{at, mat3, rows, rows_mut, spatial, vec3};
use crate::sleep::body_asleep;
use crate::support::{Frame, project_wrenches};
use crate::{Data, Model};
use sim_types::{MINVAL, NFLUID, ObjType};
use std::ops::Range;

/// Properties of the surrounding fluid.
#[derive(Debug, Clone, Copy)]
pub struct Medium {
    /// Density (kg/m³).
    pub density: f64,
    /// Dynamic viscosity (Pa s).
    pub viscosity: f64,
}

impl Medium {
    /// The medium of a model; `None` if density and viscosity are zero.
    #[must_use]
    pub fn of(m: &Model) -> Option<Self> {
        let (density, viscosity) = (m.opt.density, m.opt.viscosity);
        (density != 0.0 || viscosity != 0.0).then_some(Self { density, viscosity })
    }
}

/// Computes `qfrc_fluid`, and adds it to `qfrc_passive`. Reads the frames of bodies and geoms, `subtree_com`,
/// `cdof`, `cvel`.
pub(super) fn forces(m: &Model, d: &mut Data) {
    let Some(medium) = Medium::of(m) else { return };
    let mut wrench = std::mem::take(&mut d.scratch.body_a);
    wrench.fill(0.0);
    let any_asleep = d.any_asleep(m);
    let active = |body: &usize| has_fluid_force(m, *body) && !(any_asleep && body_asleep(d, *body));
    for body in (1..m.nbody).filter(active) {
        rows_mut::<6>(&mut wrench)[body] = body_wrench(m, d, &medium, body);
    }
    project_wrenches(m, &d.cdof, &mut wrench, &mut d.qfrc_fluid);
    d.scratch.body_a = wrench;
    for (total, fluid) in d.qfrc_passive.iter_mut().zip(&d.qfrc_fluid) {
        *total += fluid;
    }
}

/// Whether the fluid acts on a body: it has mass and is not fixed to the world.
#[must_use]
pub fn has_fluid_force(m: &Model, body: usize) -> bool {
    m.body_mass[body] >= MINVAL && m.body_weldid[body] != 0
}

/// Range of the geoms of a body.
#[must_use]
pub fn geoms(m: &Model, body: usize) -> Range<usize> {
    let first = m.body_geomadr[body].max(0) as usize;
    first..first + at(&m.body_geomnum, body)
}

/// Whether a body uses the ellipsoid model: one of its geoms has `fluidshape="ellipsoid"`.
#[must_use]
pub fn has_ellipsoids(m: &Model, body: usize) -> bool {
    geoms(m, body).any(|geom| rows::<NFLUID>(&m.geom_fluid)[geom][0] > 0.0)
}

/// Drag coefficients of the equivalent inertia box of a body.
pub(crate) fn box_drag(m: &Model, medium: &Medium, body: usize) -> BoxDrag {
    BoxDrag::of(medium, m.body_mass[body], rows::<3>(&m.body_inertia)[body])
}

/// Velocity `[angular, linear]` of a frame relative to the fluid (wind subtracted), in the frame's own axes.
pub(crate) fn velocity(m: &Model, d: &Data, frame: &Frame) -> spatial::Vec6 {
    let vel = frame.velocity(m, d);
    let relative = vec3::sub(spatial::translation(&vel), m.opt.wind);
    frame.to_local(&spatial::join(spatial::rotation(&vel), relative))
}

/// Fluid wrench `[torque, force]` on a body about the centre of mass of its tree, in world axes.
fn body_wrench(m: &Model, d: &Data, medium: &Medium, body: usize) -> spatial::Vec6 {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let to_world = |frame: &Frame, local: &spatial::Vec6| {
        let torque = mat3::mul_vec(&frame.mat, spatial::rotation(local));
        let force = mat3::mul_vec(&frame.mat, spatial::translation(local));
        spatial::shift_force(&spatial::join(torque, force), frame.pos, com)
    };
    if !has_ellipsoids(m, body) {
        let Some(frame) = Frame::of(m, d, ObjType::Body, body) else { return [0.0; 6] };
        return to_world(&frame, &box_drag(m, medium, body).force(&velocity(m, d, &frame)));
    }
    let mut sum = [0.0; 6];
    for geom in geoms(m, body) {
        let ellipsoid = Ellipsoid::of(m, geom);
        if let Some(frame) = Frame::of(m, d, ObjType::Geom, geom)
            && ellipsoid.interaction != 0.0
        {
            let local = fluid_ellipsoid::force(medium, &ellipsoid, &velocity(m, d, &frame));
            spatial::add_scaled(&mut sum, &to_world(&frame, &local), ellipsoid.interaction);
        }
    }
    sum
}
