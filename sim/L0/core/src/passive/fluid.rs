//! Forces of a surrounding medium (`mj_fluid`): which model a body follows, and how the forces on
//! all bodies reach the joints.

use super::fluid_box;
use super::fluid_ellipsoid::{self, Ellipsoid};
use crate::math::{at, mat3, rows, rows_mut, spatial, vec3};
use crate::support::{Frame, spread_wrenches};
use crate::{Data, Model};
use sim_types::{MINVAL, NFLUID, ObjType};
use std::ops::Range;

/// Computes `qfrc_fluid`, and adds it to `qfrc_passive`.
pub(super) fn forces(m: &Model, d: &mut Data) {
    if m.opt.density == 0.0 && m.opt.viscosity == 0.0 {
        return;
    }
    let mut wrench = std::mem::take(&mut d.scratch.body_a);
    wrench.fill(0.0);
    for body in (1..m.nbody).filter(|&body| feels(m, body)) {
        rows_mut::<6>(&mut wrench)[body] = body_wrench(m, d, body);
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

/// Velocity of a frame against the medium `[rotational, linear]`, in the frame's own axes.
pub(crate) fn velocity(m: &Model, d: &Data, frame: &Frame) -> spatial::Vec6 {
    let vel = frame.velocity(m, d);
    let against = vec3::sub(spatial::translation(&vel), m.opt.wind);
    frame.to_local(&spatial::join(spatial::rotation(&vel), against))
}

/// Torque and force on a body about the centre of mass of its tree, in world axes.
fn body_wrench(m: &Model, d: &Data, body: usize) -> spatial::Vec6 {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
    let to_world = |frame: &Frame, local: &spatial::Vec6| {
        let torque = mat3::mul_vec(&frame.mat, spatial::rotation(local));
        let force = mat3::mul_vec(&frame.mat, spatial::translation(local));
        spatial::shift_force(&spatial::join(torque, force), frame.pos, com)
    };
    if !has_ellipsoids(m, body) {
        let Some(frame) = Frame::of(m, d, ObjType::Body, body) else { return [0.0; 6] };
        return to_world(&frame, &fluid_box::force(m, body, &velocity(m, d, &frame)));
    }
    let mut sum = [0.0; 6];
    for geom in geoms(m, body) {
        let ellipsoid = Ellipsoid::of(m, geom);
        if let Some(frame) = Frame::of(m, d, ObjType::Geom, geom)
            && ellipsoid.interaction != 0.0
        {
            let local = fluid_ellipsoid::force(m, &ellipsoid, &velocity(m, d, &frame));
            spatial::add_scaled(&mut sum, &to_world(&frame, &local), ellipsoid.interaction);
        }
    }
    sum
}
