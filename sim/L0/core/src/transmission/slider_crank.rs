//! Slider-crank transmission: a rod of fixed length `r` between a crank site and a slider that moves along
//! the z axis of its site.
//!
//! With the slider axis `a` and the vector `v` from the slider site to the crank, the slider position is
//! `a·v - √((a·v)² + r² - v·v)`.

use super::{compress, site_jacobian};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows, rows_mut};
use crate::{Data, Model};

/// Fills the moment row of actuator `i` from `adr` on; returns its number of entries.
pub(super) fn transmit(m: &Model, d: &mut Data, i: usize, gear: f64, adr: usize) -> usize {
    let crank = at(&m.actuator_trnid, 2 * i);
    let slider = at(&m.actuator_trnid, 2 * i + 1);
    let rod = m.actuator_cranklength[i];
    let axis = mat3::column(&rows::<9>(&d.site_xmat)[slider], 2);
    let pos = rows::<3>(&d.site_xpos);
    let v = vec3::sub(pos[crank], pos[slider]);
    let along = vec3::dot(v, axis);
    let det = along * along + rod * rod - vec3::dot(v, v);

    // gradients of the length with respect to a and v; without a real root the length is a·v
    let (length, dl_daxis, dl_dv) = if det > 0.0 {
        let root = det.sqrt();
        let factor = 1.0 - along / root;
        let dl_dv = vec3::add(vec3::scale(axis, factor), vec3::scale(v, 1.0 / root));
        (along - root, vec3::scale(v, factor), dl_dv)
    } else {
        (along, v, axis)
    };
    d.actuator_length[i] = gear * length;

    let mut row = std::mem::take(&mut d.scratch.dof_row);
    let mut relative = std::mem::take(&mut d.scratch.dof_jac);
    chain_rule(m, d, (crank, slider), (axis, dl_daxis, dl_dv), &mut relative, &mut row);
    let nnz = compress(d, &mut row, gear, adr);
    d.scratch.dof_row = row;
    d.scratch.dof_jac = relative;
    nnz
}

/// `row = ∂l/∂axis · J_axis + ∂l/∂v · (J_crank − J_slider)`.
///
/// `jac` is scratch for the Jacobian columns of `v` and of the axis, one row of six for each dof; it is zero
/// before and after.
fn chain_rule(
    m: &Model,
    d: &Data,
    (crank, slider): (usize, usize),
    (axis, dl_daxis, dl_dv): (Vec3, Vec3, Vec3),
    jac: &mut [f64],
    row: &mut [f64],
) {
    let jac = rows_mut::<6>(jac);
    site_jacobian(m, d, crank, |k, linear, _| jac[k][..3].copy_from_slice(&linear));
    site_jacobian(m, d, slider, |k, linear, angular| {
        let [x, y, z, ..] = jac[k];
        let axis_column = vec3::cross(angular, axis);
        let difference = vec3::sub([x, y, z], linear);
        jac[k][..3].copy_from_slice(&difference);
        jac[k][3..].copy_from_slice(&axis_column);
    });
    let mut collect = |k: usize| {
        let j = std::mem::take(&mut jac[k]);
        // MuJoCo's summation order: entries that cancel to exactly zero are not stored
        row[k] += (0..3).fold(0.0, |sum, c| sum + (dl_daxis[c] * j[3 + c] + dl_dv[c] * j[c]));
    };
    site_jacobian(m, d, crank, |k, _, _| collect(k));
    site_jacobian(m, d, slider, |k, _, _| collect(k));
}
