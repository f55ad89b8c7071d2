//! Velocity derivative of the forces of a surrounding medium, for all bodies at once.
//!
//! With `B` the derivative of the force on a body by its velocity, both about the centre of mass
//! of the tree, dofs `i` and `j` get `Sᵢᵀ (Σ B) Sⱼ`, where the sum runs over the bodies that both
//! move: those below the deeper of the two.

use super::fluid_ellipsoid;
use crate::math::{at, rows, rows_mut, spatial};
use crate::passive::fluid::{self, Medium};
use crate::passive::fluid_ellipsoid::Ellipsoid;
use crate::support::Frame;
use crate::{Data, Model};
use sim_types::{DisableBit, ObjType};

/// A matrix of six rows of six: derivatives of `[torque, force]` by `[rotation, translation]`.
pub(super) type Slope = [f64; 36];

/// Which part of the derivative is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    All,
    /// Its symmetric part.
    Symmetric,
    /// What never drives a motion: the drag of inertia boxes. Lift and added mass may.
    Resisting,
}

/// Adds `∂qfrc_fluid / ∂qvel` to `qDeriv`, or a part of it.
///
/// Reads the poses, `cdof`, `cvel`.
pub(super) fn add(m: &Model, d: &mut Data, part: Part) {
    let Some(medium) = Medium::of(m) else { return };
    if m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper) {
        return;
    }
    let mut slopes = std::mem::take(&mut d.scratch.fluid_body);
    slopes.clear();
    slopes.resize(36 * m.nbody, 0.0);
    for body in (1..m.nbody).filter(|&body| fluid::feels(m, body)) {
        rows_mut::<36>(&mut slopes)[body] = body_slope(m, d, &medium, body, part);
    }
    add_entries(m, d, &mut slopes);
    d.scratch.fluid_body = slopes;
}

/// `B` of one body, about the centre of mass of its tree and in world axes.
fn body_slope(m: &Model, d: &Data, medium: &Medium, body: usize, part: Part) -> Slope {
    let mut sum = [0.0; 36];
    if !fluid::has_ellipsoids(m, body) {
        if let Some(frame) = Frame::of(m, d, ObjType::Body, body) {
            let velocity = fluid::velocity(m, d, &frame);
            let diagonal = fluid::resistance(m, medium, body).slope(&velocity);
            let mut local = [0.0; 36];
            for k in 0..6 {
                local[7 * k] = diagonal[k];
            }
            add_in_world(m, d, &frame, &local, &mut sum);
        }
        return sum;
    }
    if part == Part::Resisting {
        return sum;
    }
    for geom in fluid::geoms(m, body) {
        let ellipsoid = Ellipsoid::of(m, geom);
        if let Some(frame) = Frame::of(m, d, ObjType::Geom, geom)
            && ellipsoid.interaction != 0.0
        {
            let velocity = fluid::velocity(m, d, &frame);
            let mut local = fluid_ellipsoid::slope(medium, &ellipsoid, &velocity);
            if part == Part::Symmetric {
                symmetrize(&mut local);
            }
            add_in_world(m, d, &frame, &local, &mut sum);
        }
    }
    sum
}

fn symmetrize(b: &mut Slope) {
    for row in 0..6 {
        for col in 0..row {
            let mean = 0.5 * (b[6 * row + col] + b[6 * col + row]);
            b[6 * row + col] = mean;
            b[6 * col + row] = mean;
        }
    }
}

/// `sum += Xᵀ B X`, with `X` the map from motions about the tree's centre of mass to the frame.
fn add_in_world(m: &Model, d: &Data, frame: &Frame, local: &Slope, sum: &mut Slope) {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, frame.body)];
    let columns: [spatial::Vec6; 6] = std::array::from_fn(|k| {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        frame.to_local(&spatial::shift_motion(&unit, com, frame.pos))
    });
    for (col, right) in columns.iter().enumerate() {
        let force = mul(local, right);
        for (row, left) in columns.iter().enumerate() {
            sum[6 * row + col] += spatial::dot(left, &force);
        }
    }
}

/// `B v`.
fn mul(b: &Slope, v: &spatial::Vec6) -> spatial::Vec6 {
    let b = rows::<6>(b);
    std::array::from_fn(|k| spatial::dot(&b[k], v))
}

/// `Bᵀ v`.
fn mul_transpose(b: &Slope, v: &spatial::Vec6) -> spatial::Vec6 {
    let mut product = [0.0; 6];
    for (row, s) in rows::<6>(b).iter().zip(v) {
        spatial::add_scaled(&mut product, row, *s);
    }
    product
}

/// Sums the slopes over subtrees and adds the entries that they cause to `qDeriv`.
fn add_entries(m: &Model, d: &mut Data, slopes: &mut [f64]) {
    let Data { cdof, qDeriv, scratch, .. } = d;
    let (slopes, cdof) = (rows_mut::<36>(slopes), rows::<6>(cdof));
    for body in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, body);
        let (above, own) = slopes.split_at_mut(body);
        for (total, slope) in above[parent].iter_mut().zip(&own[0]) {
            *total += slope;
        }
    }

    // what each dof's velocity does to the force below it, and how it feels the force below it
    scratch.fluid_dof.resize(12 * m.nv, 0.0);
    let (by, felt) = scratch.fluid_dof.split_at_mut(6 * m.nv);
    let (by, felt) = (rows_mut::<6>(by), rows_mut::<6>(felt));
    for i in 0..m.nv {
        let slope = &slopes[at(&m.dof_bodyid, i)];
        by[i] = mul(slope, &cdof[i]);
        felt[i] = mul_transpose(slope, &cdof[i]);
    }

    for i in 0..m.nv {
        let start = at(&m.D_rowadr, i);
        for adr in start..start + at(&m.D_rownnz, i) {
            let j = at(&m.D_colind, adr);
            // a dof with a higher number lies below
            qDeriv[adr] += if j <= i {
                spatial::dot(&felt[i], &cdof[j])
            } else {
                spatial::dot(&cdof[i], &by[j])
            };
        }
    }
}
