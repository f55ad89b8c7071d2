//! Velocity derivative of the fluid forces (`mjd_inertiaBoxFluid`, `mjd_ellipsoidFluid`), for all bodies in
//! one pass.
//!
//! With `B` the 6 × 6 derivative of a body's wrench with respect to its velocity, both about the tree's centre
//! of mass, entry `(i, j)` of `qDeriv` is `Sᵢᵀ (Σ B) Sⱼ`, where the sum runs over the bodies moved by both
//! dofs: the subtree of the deeper one.

use super::fluid_ellipsoid;
use crate::math::{at, rows, rows_mut, spatial};
use crate::passive::fluid::{self, Medium};
use crate::passive::fluid_ellipsoid::Ellipsoid;
use crate::support::Frame;
use crate::{Data, Model};
use sim_types::{DisableBit, ObjType};

/// Row-major 6 × 6 derivative of a wrench `[torque, force]` with respect to a velocity `[angular, linear]`.
pub(super) type WrenchDerivative = [f64; 36];

/// The part of the derivative to add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    All,
    /// Its symmetric part.
    Symmetric,
    /// Its negative semidefinite part: the drag of inertia boxes, without lift and added mass.
    Dissipative,
}

/// Adds `∂qfrc_fluid / ∂qvel`, or a part of it, to `qDeriv`.
///
/// Reads `xipos`, `ximat`, `geom_xpos`, `geom_xmat`, `subtree_com`, `cdof`, `cvel`.
pub(super) fn add(m: &Model, d: &mut Data, part: Part) {
    let Some(medium) = Medium::of(m) else { return };
    if m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper) {
        return;
    }
    let mut derivatives = std::mem::take(&mut d.scratch.fluid_body);
    derivatives.clear();
    derivatives.resize(36 * m.nbody, 0.0);
    for body in (1..m.nbody).filter(|&body| fluid::has_fluid_force(m, body)) {
        rows_mut::<36>(&mut derivatives)[body] = body_derivative(m, d, &medium, body, part);
    }
    add_entries(m, d, &mut derivatives);
    d.scratch.fluid_body = derivatives;
}

/// `B` of one body, about the centre of mass of its tree and in world axes.
fn body_derivative(
    m: &Model,
    d: &Data,
    medium: &Medium,
    body: usize,
    part: Part,
) -> WrenchDerivative {
    let mut sum = [0.0; 36];
    if !fluid::has_ellipsoids(m, body) {
        if let Some(frame) = Frame::of(m, d, ObjType::Body, body) {
            let velocity = fluid::velocity(m, d, &frame);
            let diagonal = fluid::box_drag(m, medium, body).vel_derivative(&velocity);
            let mut local = [0.0; 36];
            for k in 0..6 {
                local[7 * k] = diagonal[k];
            }
            add_in_world(m, d, &frame, &local, &mut sum);
        }
        return sum;
    }
    if part == Part::Dissipative {
        return sum;
    }
    for geom in fluid::geoms(m, body) {
        let ellipsoid = Ellipsoid::of(m, geom);
        if let Some(frame) = Frame::of(m, d, ObjType::Geom, geom)
            && ellipsoid.interaction != 0.0
        {
            let velocity = fluid::velocity(m, d, &frame);
            let mut local = fluid_ellipsoid::vel_derivative(medium, &ellipsoid, &velocity);
            if part == Part::Symmetric {
                symmetrize(&mut local);
            }
            add_in_world(m, d, &frame, &local, &mut sum);
        }
    }
    sum
}

/// `B ← (B + Bᵀ) / 2`.
fn symmetrize(b: &mut WrenchDerivative) {
    for row in 0..6 {
        for col in 0..row {
            let mean = 0.5 * (b[6 * row + col] + b[6 * col + row]);
            b[6 * row + col] = mean;
            b[6 * col + row] = mean;
        }
    }
}

/// `sum += Xᵀ B X`, with `X` the motion transform from the tree's centre of mass to the frame.
fn add_in_world(
    m: &Model,
    d: &Data,
    frame: &Frame,
    local: &WrenchDerivative,
    sum: &mut WrenchDerivative,
) {
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
fn mul(b: &WrenchDerivative, v: &spatial::Vec6) -> spatial::Vec6 {
    let b = rows::<6>(b);
    std::array::from_fn(|k| spatial::dot(&b[k], v))
}

/// `Bᵀ v`.
fn mul_transpose(b: &WrenchDerivative, v: &spatial::Vec6) -> spatial::Vec6 {
    let mut product = [0.0; 6];
    for (row, s) in rows::<6>(b).iter().zip(v) {
        spatial::add_scaled(&mut product, row, *s);
    }
    product
}

/// Accumulates the derivatives over subtrees and adds `Sᵢᵀ B Sⱼ` to the entries of `qDeriv`.
fn add_entries(m: &Model, d: &mut Data, derivatives: &mut [f64]) {
    let Data { cdof, qDeriv, scratch, .. } = d;
    let (derivatives, cdof) = (rows_mut::<36>(derivatives), rows::<6>(cdof));
    for body in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, body);
        let (ancestors, own) = derivatives.split_at_mut(body);
        for (total, entry) in ancestors[parent].iter_mut().zip(&own[0]) {
            *total += entry;
        }
    }

    // B S and Bᵀ S of every dof, with B of the subtree of its body
    scratch.fluid_dof.resize(12 * m.nv, 0.0);
    let (b_s, bt_s) = scratch.fluid_dof.split_at_mut(6 * m.nv);
    let (b_s, bt_s) = (rows_mut::<6>(b_s), rows_mut::<6>(bt_s));
    for i in 0..m.nv {
        let b = &derivatives[at(&m.dof_bodyid, i)];
        b_s[i] = mul(b, &cdof[i]);
        bt_s[i] = mul_transpose(b, &cdof[i]);
    }

    for i in 0..m.nv {
        let start = at(&m.D_rowadr, i);
        for adr in start..start + at(&m.D_rownnz, i) {
            let j = at(&m.D_colind, adr);
            // the dof with the higher index is the deeper one
            qDeriv[adr] += if j <= i {
                spatial::dot(&bt_s[i], &cdof[j])
            } else {
                spatial::dot(&cdof[i], &b_s[j])
            };
        }
    }
}
