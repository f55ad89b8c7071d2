//! Contact forces without other constraints: adapter from contacts of [`Data`] to the three-row
//! blocks of [`sim_constraint::cg_solve_contacts`].

use super::impedance::SolParams;
use crate::math::vec3::Vec3;
use crate::{Data, Model, mj_jac};
use nalgebra::DMatrix;
use sim_constraint::{CGContactResult, CGSolverConfig, ContactBlock, ContactWorkspace, Inertia};
use sim_types::Contact;
use std::collections::HashMap;

/// Jacobian of a contact: relative velocity of the second body with respect to the first in the
/// contact frame (normal, two tangents). Zero if a side of the contact is not a geom.
///
/// Reads `xpos`, `cdof`, `subtree_com`.
#[must_use]
pub fn contact_jacobian(m: &Model, d: &Data, contact: &Contact) -> DMatrix<f64> {
    let mut relative = DMatrix::zeros(3, m.nv);
    for (geom, sign) in contact.geom.into_iter().zip([-1.0, 1.0]) {
        let body = usize::try_from(geom).ok().and_then(|g| m.geom_bodyid.get(g));
        let Some(&body) = body else { return DMatrix::zeros(3, m.nv) };
        let (linear, _) = mj_jac(m, d, body as usize, &contact.pos.into());
        relative += sign * linear;
    }
    DMatrix::from_row_slice(3, 3, &contact.frame) * relative
}

/// Computes the forces of point contacts with friction cones by projected conjugate gradients.
///
/// `jacobians` holds a `3 × nv` matrix for each contact, see [`contact_jacobian`]; a matrix of
/// another shape is treated as zero. The friction coefficient is `friction[0]` in all directions.
/// The forces produce the reference acceleration of each contact (`solref`, `solimp`) on top of
/// `qacc_smooth`. Unlike in [`crate::mj_fwd_constraint`] the contacts are hard: there is no
/// regularisation `R`. `efc_lambda` maps pairs of geoms to the forces of the last call, which are
/// the starting point, and receives the new forces.
///
/// Reads `qvel`, `qacc_smooth`, `qLD`.
#[must_use]
pub fn cg_solve_contacts<S: std::hash::BuildHasher>(
    contacts: &[Contact],
    jacobians: &[DMatrix<f64>],
    model: &Model,
    data: &Data,
    efc_lambda: &mut HashMap<(usize, usize), [f64; 3], S>,
    config: &CGSolverConfig,
) -> CGContactResult {
    let nv = model.nv;
    let key = |contact: &Contact| (contact.geom[0] as usize, contact.geom[1] as usize);
    let fits = |jacobian: &&DMatrix<f64>| jacobian.shape() == (3, nv);
    let rows: Vec<Vec<f64>> = (0..contacts.len())
        .map(|i| {
            let jacobian = jacobians.get(i).filter(fits);
            jacobian.map_or_else(|| vec![0.0; 3 * nv], |j| j.transpose().as_slice().to_vec())
        })
        .collect();
    let blocks: Vec<ContactBlock<'_>> = contacts
        .iter()
        .zip(&rows)
        .map(|(contact, jacobian)| ContactBlock {
            jacobian,
            rhs: right_hand_side(model, data, contact, jacobian),
            friction: contact.friction[0],
        })
        .collect();
    let start: Vec<[f64; 3]> = contacts
        .iter()
        .map(|contact| efc_lambda.get(&key(contact)).copied().unwrap_or_default())
        .collect();
    let inertia = Inertia {
        rownnz: &model.M_rownnz,
        rowadr: &model.M_rowadr,
        colind: &model.M_colind,
        m: &data.M,
        ld: &data.qLD,
        diag_inv: &data.qLDiagInv,
    };
    let mut work = ContactWorkspace::default();
    let result = sim_constraint::cg_solve_contacts(&blocks, &inertia, &start, config, &mut work);
    efc_lambda.clear();
    efc_lambda.extend(contacts.iter().map(key).zip(result.forces.iter().copied()));
    result
}

/// Reference acceleration minus unconstrained acceleration of a contact.
fn right_hand_side(m: &Model, d: &Data, contact: &Contact, jacobian: &[f64]) -> Vec3 {
    let times = |x: &[f64]| -> Vec3 {
        std::array::from_fn(|k| {
            jacobian[k * m.nv..][..m.nv].iter().zip(x).map(|(j, x)| j * x).sum()
        })
    };
    let (velocity, smooth) = (times(&d.qvel), times(&d.qacc_smooth));
    let params =
        SolParams::with_friction(&m.opt, contact.solref, contact.solreffriction, contact.solimp);
    let reference = params.contact_aref(contact.dist - contact.includemargin, velocity);
    std::array::from_fn(|k| reference[k] - smooth[k])
}
