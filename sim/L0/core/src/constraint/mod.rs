//! Constraint rows (`mj_makeConstraint`) and their reference acceleration
//! (`mj_referenceConstraint`).
//!
//! Rows are ordered as equality, dry friction, limit, contact. The Jacobian is in compressed sparse
//! rows with increasing columns; all rows of one constraint have the same columns.
//!
//! This module builds the rows from a model and its data. The crate `sim-constraint` has the solvers,
//! which only see arrays; the module [`solve`](crate::solve) calls them.

mod chain;
mod chain_dof;
mod contact;
mod contact_cg;
mod contact_flex;
mod deformable;
mod equality;
mod friction;
#[doc(hidden)]
pub mod impedance;
mod limit;
mod product;
mod project;
mod row;

pub(crate) use chain_dof::ChainDof;
pub use contact_cg::{cg_solve_contacts, contact_jacobian};
pub(crate) use contact_flex::passive_forces;
pub(crate) use equality::for_each_connect_weld;
pub use product::{mj_mul_jac_t_vec, mj_mul_jac_vec};
pub use project::mj_project_constraint;
pub(crate) use row::find_row_supernodes;
pub use row::mj_is_sparse;

use crate::math::at;
use crate::{Data, Model};
use row::RowSet;
use sim_types::DisableBit;
use std::ops::Range;

/// Constructs the rows of all constraints.
///
/// Reads positions and contacts. Writes `ne`, `nf`, `nl`, `nefc`, `nJ`, the `efc_` arrays up to
/// `efc_R`, `tendon_efcadr`, and `mu`, `exclude` and `efc_address` of contacts.
#[doc(alias = "mj_makeConstraint")]
pub fn mj_make_constraint(m: &Model, d: &mut Data) {
    d.nA = 0;
    d.efc_AR.clear();
    d.efc_AR_colind.clear();
    d.efc_AR_rownnz.clear();
    d.efc_AR_rowadr.clear();
    d.tendon_efcadr.clear();
    d.tendon_efcadr.resize(m.ntendon, -1);
    if d.contact.is_empty() && m.neq == 0 && !friction::exists(m) && !limit::is_active(m, d) {
        [d.ne, d.nf, d.nl] = [0; 3];
        return row::clear(d);
    }
    let mut rows = RowSet::take(m, d);
    let mut counts = [0; 4];
    if !m.opt.disabled(DisableBit::Constraint) {
        equality::add(m, d, &mut rows);
        counts[1] = rows.len();
        friction::add(m, d, &mut rows);
        counts[2] = rows.len();
        limit::add(m, d, &mut rows);
        counts[3] = rows.len();
        contact::add(m, d, &mut rows);
    }
    [d.ne, d.nf, d.nl] = [1, 2, 3].map(|k| counts[k] - counts[k - 1]);
    rows.put(d);
}

/// Computes the velocity and the reference acceleration of each row:
/// `aref = −B·vel − K·I·(pos − margin)`, minus `J̇ v` for `connect` and `weld`.
///
/// Reads the rows and `qvel`; for `connect` and `weld` also the poses, motion axes and velocities of bodies that
/// `J̇ v` depends on (`xpos`, `xquat`, `xmat`, `cdof`, `cdof_dot`, `cvel`, `subtree_com`). Writes `efc_vel`,
/// `efc_aref`.
#[doc(alias = "mj_referenceConstraint")]
pub fn mj_reference_constraint(m: &Model, d: &mut Data) {
    let mut vel = std::mem::take(&mut d.efc_vel);
    let mut aref = std::mem::take(&mut d.efc_aref);
    vel.resize(d.nefc, 0.0);
    aref.resize(d.nefc, 0.0);
    mj_mul_jac_vec(d, &d.qvel, &mut vel);
    if d.has_deformable_contacts() {
        crate::deformable::add_vertex_velocity(m, d, &mut vel);
    }
    for (i, aref) in aref.iter_mut().enumerate() {
        let [k, b, imp] = [0, 1, 2].map(|k| d.efc_KBIP[4 * i + k]);
        *aref = -b * vel[i] - k * imp * (d.efc_pos[i] - d.efc_margin[i]);
    }
    if d.ne > 0 {
        equality::subtract_jdotv(m, d, &mut aref);
    }
    (d.efc_vel, d.efc_aref) = (vel, aref);
}

/// Address range of the Jacobian of a tendon in `ten_J`.
fn tendon_row(m: &Model, i: usize) -> Range<usize> {
    let start = at(&m.ten_J_rowadr, i);
    start..start + at(&m.ten_J_rownnz, i)
}

/// Stores the first row that acts on a tendon.
fn set_tendon_efcadr(d: &mut Data, i: usize, row: usize) {
    if d.tendon_efcadr[i] < 0 {
        d.tendon_efcadr[i] = row as i32;
    }
}
