//! Contact forces alone, without the rest of the constraints: the contacts of a model's data as
//! blocks of three rows for [`sim_constraint::cg_solve_contacts`].

use super::impedance::Softness;
use crate::math::vec3::Vec3;
use crate::{Data, Model, mj_jac};
use nalgebra::DMatrix;
use sim_constraint::{CGContactResult, CGSolverConfig, ContactBlock, ContactWorkspace, Inertia};
use sim_types::Contact;
use std::collections::HashMap;

/// Velocity of the second body against the first at a contact, as a matrix for `qvel`: the normal, then
/// the two tangents. Zeros where a side is not a geom of the model.
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

/// Forces of point contacts with friction cones, found by projected conjugate gradients.
///
/// `jacobians` has three rows for each contact, as [`contact_jacobian`] gives them; friction is that
/// of the first tangent, the same in all directions. The forces drive each contact towards the
/// reference acceleration that `solref` and `solimp` ask for, starting from what the smooth forces
/// would do, and are hard: the softness of the regularised solvers ([`crate::mj_fwd_constraint`]) is
/// not in them. `efc_lambda` holds the forces of the last call by geoms; the search starts from
/// there, and the new ones are left there. A contact whose Jacobian has another shape than three
/// rows and `nv` columns is taken for one that nothing moves.
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
            rhs: wanted(model, data, contact, jacobian),
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

/// The acceleration that forces have to add: the reference without what the smooth forces do.
fn wanted(m: &Model, d: &Data, contact: &Contact, jacobian: &[f64]) -> Vec3 {
    let times = |x: &[f64]| -> Vec3 {
        std::array::from_fn(|k| {
            jacobian[k * m.nv..][..m.nv].iter().zip(x).map(|(j, x)| j * x).sum()
        })
    };
    let (velocity, smooth) = (times(&d.qvel), times(&d.qacc_smooth));
    let softness =
        Softness::with_friction(m, contact.solref, contact.solreffriction, contact.solimp);
    let reference = softness.contact_reference(contact.dist - contact.includemargin, velocity);
    std::array::from_fn(|k| reference[k] - smooth[k])
}
