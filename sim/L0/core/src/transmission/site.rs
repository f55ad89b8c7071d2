//! Site transmission: a wrench in the frame of the site, or of a reference site.

use super::{compress, site_jacobian};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, quat, rows};
use crate::{Data, Model};

/// Fills the moment row of actuator `i` from `adr` on; returns its number of entries.
pub(super) fn transmit(m: &Model, d: &mut Data, i: usize, gear: &[f64; 6], adr: usize) -> usize {
    let site = at(&m.actuator_trnid, 2 * i);
    let translation = [gear[0], gear[1], gear[2]];
    let rotation = [gear[3], gear[4], gear[5]];
    let mut row = std::mem::take(&mut d.scratch.dof_row);
    d.actuator_length[i] = 0.0;
    if let Ok(reference) = usize::try_from(m.actuator_trnid[2 * i + 1]) {
        d.actuator_length[i] = relative_pose(m, d, site, reference, translation, rotation);
        let mat = rows::<9>(&d.site_xmat)[reference];
        let wrench = [translation, rotation].map(|g| mat3::mul_vec(&mat, g));
        project(m, d, site, wrench, 1.0, &mut row);
        project(m, d, reference, wrench, -1.0, &mut row);
        // dofs that move both sites rigidly together have no moment
        let mut common = common_dof(m, site, reference);
        while let Ok(dof) = usize::try_from(common) {
            row[dof] = 0.0;
            common = m.dof_parentid[dof];
        }
    } else {
        let mat = rows::<9>(&d.site_xmat)[site];
        let wrench = [translation, rotation].map(|g| mat3::mul_vec(&mat, g));
        project(m, d, site, wrench, 1.0, &mut row);
    }
    let nnz = compress(d, &mut row, 1.0, adr);
    d.scratch.dof_row = row;
    nnz
}

/// Adds `sign · (Jpᵀ force + Jrᵀ torque)` of a wrench at a site to `row`.
fn project(m: &Model, d: &Data, site: usize, wrench: [Vec3; 2], sign: f64, row: &mut [f64]) {
    let [force, torque] = wrench;
    site_jacobian(m, d, site, |k, linear, angular| {
        row[k] += sign * (vec3::dot(linear, force) + vec3::dot(angular, torque));
    });
}

/// Actuator length: position and rotation of a site relative to the reference site, weighted by the gears.
fn relative_pose(
    m: &Model,
    d: &Data,
    site: usize,
    reference: usize,
    translation: Vec3,
    rotation: Vec3,
) -> f64 {
    let mut length = 0.0;
    if translation != [0.0; 3] {
        let pos = rows::<3>(&d.site_xpos);
        let offset = vec3::sub(pos[site], pos[reference]);
        let mat = rows::<9>(&d.site_xmat)[reference];
        length += vec3::dot(mat3::mul_transpose_vec(&mat, offset), translation);
    }
    if rotation != [0.0; 3] {
        // the order of this product is that of MuJoCo 3.8.0
        let orientation = |site: usize| {
            let body = rows::<4>(&d.xquat)[at(&m.site_bodyid, site)];
            quat::mul(rows::<4>(&m.site_quat)[site], body)
        };
        length += vec3::dot(quat::subtract(orientation(site), orientation(reference)), rotation);
    }
    length
}

/// The last dof that moves both sites, or −1.
fn common_dof(m: &Model, site: usize, reference: usize) -> i32 {
    let last = |site: usize| {
        let body = at(&m.body_weldid, at(&m.site_bodyid, site));
        if m.body_dofnum[body] == 0 { -1 } else { m.body_dofadr[body] + m.body_dofnum[body] - 1 }
    };
    let (mut a, mut b) = (last(site), last(reference));
    while a != b && a >= 0 && b >= 0 {
        if a < b {
            b = m.dof_parentid[b as usize];
        } else {
            a = m.dof_parentid[a as usize];
        }
    }
    if a == b { a } else { -1 }
}
