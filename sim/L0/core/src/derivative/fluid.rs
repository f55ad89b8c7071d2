//! Velocity derivative of the fluid forces (`mjd_inertiaBoxFluid`, `mjd_ellipsoidFluid`), for all bodies in
//! one pass.
//!
//! With `B` the 6 × 6 derivative of a body's wrench with respect to its velocity, both about the tree's centre
//! of mass, entry `(i, j)` of `qDeriv` is `Sᵢᵀ (Σ B) Sⱼ`, where the sum runs over the bodies moved by both
//! dofs: the subtree of the deeper one.

use super::fluid_ellipsoid;
use crate::math::vec3::{self, Vec3};
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
    let mut is_symmetric = true;
    for body in (1..m.nbody).filter(|&body| fluid::has_fluid_force(m, body)) {
        is_symmetric &= part != Part::All || !fluid::has_ellipsoids(m, body);
        rows_mut::<36>(&mut derivatives)[body] = body_derivative(m, d, &medium, body, part);
    }
    add_entries(m, d, &mut derivatives, is_symmetric);
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
            return diagonal_in_world(m, d, &frame, &diagonal);
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

/// `Xᵀ D X` of a diagonal `D`, with `X` as in [`add_in_world`].
///
/// With `R` the orientation of the frame, `K` the cross product with its position relative to the centre of mass, and `U`
/// and `T` the two halves of `D` in world axes, its blocks are `U - K T K`, `K T`, `-T K` and `T`.
fn diagonal_in_world(
    m: &Model,
    d: &Data,
    frame: &Frame,
    diagonal: &spatial::Vec6,
) -> WrenchDerivative {
    let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, frame.body)];
    let arm = vec3::sub(frame.pos, com);
    let in_world = |d: Vec3| {
        let scaled = |k: usize| {
            let row = &frame.mat[3 * k..];
            [row[0] * d[0], row[1] * d[1], row[2] * d[2]]
        };
        let scaled = [scaled(0), scaled(1), scaled(2)];
        let entry = |i: usize, j: usize| {
            vec3::dot(scaled[i], [frame.mat[3 * j], frame.mat[3 * j + 1], frame.mat[3 * j + 2]])
        };
        let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
        [[entry(0, 0), xy, xz], [xy, entry(1, 1), yz], [xz, yz, entry(2, 2)]]
    };
    let rotational = in_world(spatial::rotation(diagonal));
    let translational = in_world(spatial::translation(diagonal));
    // columns of K T, which are the rows of -T K because T is symmetric
    let mixed = translational.map(|column| vec3::cross(arm, column));
    let mut sum = [0.0; 36];
    for j in 0..3 {
        let lower = vec3::cross(arm, [mixed[0][j], mixed[1][j], mixed[2][j]]);
        for i in 0..3 {
            sum[6 * i + j] = rotational[i][j] + lower[i];
            sum[6 * i + j + 3] = mixed[j][i];
            sum[6 * (i + 3) + j] = mixed[i][j];
            sum[6 * (i + 3) + j + 3] = translational[i][j];
        }
    }
    sum
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
fn add_entries(m: &Model, d: &mut Data, derivatives: &mut [f64], is_symmetric: bool) {
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
        bt_s[i] = mul_transpose(b, &cdof[i]);
        b_s[i] = if is_symmetric { bt_s[i] } else { mul(b, &cdof[i]) };
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
