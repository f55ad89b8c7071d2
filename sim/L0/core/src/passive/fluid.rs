//! Forces of a surrounding medium (`mj_fluid`): which model a body follows, and how the forces on
//! all bodies reach the joints.

use super::fluid_box::Resistance;
use super::fluid_ellipsoid::{self, Ellipsoid};
use crate::math::{at, mat3, rows, rows_mut, spatial, vec3};
use crate::sleep::body_sleeps;
use crate::support::{Frame, spread_wrenches};
use crate::{Data, Model};
use sim_types::{MINVAL, NFLUID, ObjType};
use std::ops::Range;

/// What surrounds the bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Medium {
    /// Mass of a unit of volume.
    pub density: f64,
    /// Resistance to shear.
    pub viscosity: f64,
}

impl Medium {
    /// The medium of a model, if it is not empty.
    pub(crate) fn of(m: &Model) -> Option<Self> {
        let (density, viscosity) = (m.opt.density, m.opt.viscosity);
        (density != 0.0 || viscosity != 0.0).then_some(Self { density, viscosity })
    }
}

/// Computes `qfrc_fluid`, and adds it to `qfrc_passive`.
pub(super) fn forces(m: &Model, d: &mut Data) {
    let Some(medium) = Medium::of(m) else { return };
    let mut wrench = std::mem::take(&mut d.scratch.body_a);
    wrench.fill(0.0);
    let sleepers = d.sleepers(m);
    let acts = |body: &usize| feels(m, *body) && !(sleepers && body_sleeps(d, *body));
    for body in (1..m.nbody).filter(acts) {
        rows_mut::<6>(&mut wrench)[body] = body_wrench(m, d, &medium, body);
    }
    spread_wrenches(m, &d.cdof, &mut wrench, &mut d.qfrc_fluid);
    d.scratch.body_a = wrench;
    for (total, fluid) in d.qfrc_passive.iter_mut().zip(&d.qfrc_fluid) {
        *total += fluid;
    }
}

/// Whether the medium acts on a body: it has mass and can move.
pub(crate) fn feels(m: &Model, body: usize) -> bool {
    m.body_mass[body] >= MINVAL && m.body_weldid[body] != 0
}

/// The geoms of a body.
pub(crate) fn geoms(m: &Model, body: usize) -> Range<usize> {
    let first = m.body_geomadr[body].max(0) as usize;
    first..first + at(&m.body_geomnum, body)
}

/// Whether a body follows the ellipsoid model: one of its geoms asks for it.
pub(crate) fn has_ellipsoids(m: &Model, body: usize) -> bool {
    geoms(m, body).any(|geom| rows::<NFLUID>(&m.geom_fluid)[geom][0] > 0.0)
}

/// The resistance of a body taken for a box.
pub(crate) fn resistance(m: &Model, medium: &Medium, body: usize) -> Resistance {
    Resistance::of(medium, m.body_mass[body], rows::<3>(&m.body_inertia)[body])
}

/// Velocity of a frame against the medium `[rotational, linear]`, in the frame's own axes.
pub(crate) fn velocity(m: &Model, d: &Data, frame: &Frame) -> spatial::Vec6 {
    let vel = frame.velocity(m, d);
    let against = vec3::sub(spatial::translation(&vel), m.opt.wind);
    frame.to_local(&spatial::join(spatial::rotation(&vel), against))
}

/// Torque and force on a body about the centre of mass of its tree, in world axes.
fn body_wrench(m: &Model, d: &Data, medium: &Medium, body: usize) -> spatial::Vec6 {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let to_world = |frame: &Frame, local: &spatial::Vec6| {
        let torque = mat3::mul_vec(&frame.mat, spatial::rotation(local));
        let force = mat3::mul_vec(&frame.mat, spatial::translation(local));
        spatial::shift_force(&spatial::join(torque, force), frame.pos, com)
    };
    if !has_ellipsoids(m, body) {
        let Some(frame) = Frame::of(m, d, ObjType::Body, body) else { return [0.0; 6] };
        return to_world(&frame, &resistance(m, medium, body).force(&velocity(m, d, &frame)));
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
