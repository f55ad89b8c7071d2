//! Slider-cranks: a rod of fixed length between a crank site and a slider on an axis.

use super::{compress, site_jacobian};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows, rows_mut};
use crate::{Data, Model};

/// Fills the moment row of actuator `i` from `adr` on; returns its length.
///
/// With the axis `a` of the slider and the vector `v` from it to the crank, the slider is at
/// `a·v - √((a·v)² + r² - v·v)`.
pub(super) fn transmit(m: &Model, d: &mut Data, i: usize, gear: f64, adr: usize) -> usize {
    let crank = at(&m.actuator_trnid, 2 * i);
    let slider = at(&m.actuator_trnid, 2 * i + 1);
    let rod = m.actuator_cranklength[i];
    let axis = mat3::column(&rows::<9>(&d.site_xmat)[slider], 2);
    let pos = rows::<3>(&d.site_xpos);
    let v = vec3::sub(pos[crank], pos[slider]);
    let along = vec3::dot(v, axis);
    let det = along * along + rod * rod - vec3::dot(v, v);

    // derivatives of the length by axis and vector; out of reach, the rod points along the axis
    let (length, by_axis, by_v) = if det > 0.0 {
        let root = det.sqrt();
        let share = 1.0 - along / root;
        let by_v = vec3::add(vec3::scale(axis, share), vec3::scale(v, 1.0 / root));
        (along - root, vec3::scale(v, share), by_v)
    } else {
        (along, v, axis)
    };
    d.actuator_length[i] = gear * length;

    let mut row = std::mem::take(&mut d.scratch.dof_row);
    let mut relative = std::mem::take(&mut d.scratch.dof_jac);
    chain_rule(m, d, (crank, slider), (axis, by_axis, by_v), &mut relative, &mut row);
    let nnz = compress(d, &mut row, gear, adr);
    d.scratch.dof_row = row;
    d.scratch.dof_jac = relative;
    nnz
}

/// `row = ∂length/∂axis · axis Jacobian + ∂length/∂v · (crank - slider Jacobian)`.
///
/// `jac` holds the Jacobians of `v` and of the axis, dof by dof, and is zero before and after.
fn chain_rule(
    m: &Model,
    d: &Data,
    (crank, slider): (usize, usize),
    (axis, by_axis, by_v): (Vec3, Vec3, Vec3),
    jac: &mut [f64],
    row: &mut [f64],
) {
    let jac = rows_mut::<6>(jac);
    site_jacobian(m, d, crank, |k, linear, _| jac[k][..3].copy_from_slice(&linear));
    site_jacobian(m, d, slider, |k, linear, angular| {
        let [x, y, z, ..] = jac[k];
        let turn = vec3::cross(angular, axis);
        let difference = vec3::sub([x, y, z], linear);
        jac[k][..3].copy_from_slice(&difference);
        jac[k][3..].copy_from_slice(&turn);
    });
    let mut collect = |k: usize| {
        let j = std::mem::take(&mut jac[k]);
        // in this order, because entries that cancel exactly are left out
        row[k] += (0..3).fold(0.0, |sum, c| sum + (by_axis[c] * j[3 + c] + by_v[c] * j[c]));
    };
    site_jacobian(m, d, crank, |k, _, _| collect(k));
    site_jacobian(m, d, slider, |k, _, _| collect(k));
}
