//! The only place that turns [`Data`] into a problem for the solvers.

use crate::math::at;
use crate::{Data, Model};
use sim_constraint::{ContactRows, Inertia, Problem, Rows, Solution, Workspace};

/// Memory of the solvers.
#[derive(Debug, Default)]
pub(crate) struct Solver {
    /// For the whole system.
    pub workspace: Workspace,
    /// One for each island: the same island is likely to come again with the same pattern.
    pub by_island: Vec<Workspace>,
    /// Contacts with several rows.
    pub contacts: Vec<ContactRows>,
    /// The same by island, with rows counted within each.
    pub island_contacts: Vec<ContactRows>,
    /// Where each island's contacts begin; one more at the end.
    pub island_start: Vec<usize>,
    /// `J qacc − aref` and `M qacc` at the starting point, by island.
    pub jaref: Vec<f64>,
    pub ma: Vec<f64>,
}

impl Clone for Solver {
    /// Nothing in it outlives a solve.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Solver {
    /// Lists the contacts with several rows.
    pub(super) fn collect_contacts(&mut self, d: &Data) {
        self.contacts.clear();
        let rows = d.contact.iter().filter(|c| c.dim > 1 && c.efc_address >= 0);
        self.contacts.extend(rows.map(|c| ContactRows {
            row: c.efc_address as usize,
            dim: c.dim as usize,
            mu: c.mu,
            friction: c.friction,
        }));
    }

    /// Sorts the contacts by island.
    pub(super) fn split_contacts(&mut self, d: &Data) {
        let Self { contacts, island_contacts, island_start, .. } = self;
        island_start.clear();
        island_start.resize(d.nisland + 2, 0);
        let island = |contact: &ContactRows| at(&d.efc_island, contact.row);
        for contact in &*contacts {
            island_start[island(contact) + 2] += 1;
        }
        for k in 2..island_start.len() {
            island_start[k] += island_start[k - 1];
        }
        island_contacts.clone_from(contacts);
        for contact in &*contacts {
            let k = island(contact);
            let row = at(&d.map_efc2iefc, contact.row) - at(&d.island_iefcadr, k);
            island_contacts[island_start[k + 1]] = ContactRows { row, ..*contact };
            island_start[k + 1] += 1;
        }
    }
}

/// The whole system.
pub(super) fn whole<'a>(
    m: &'a Model,
    d: &'a mut Data,
    contacts: &'a [ContactRows],
) -> (Problem<'a>, Solution<'a>) {
    let problem = Problem {
        inertia: Inertia {
            rownnz: &m.M_rownnz,
            rowadr: &m.M_rowadr,
            colind: &m.M_colind,
            m: &d.M,
            ld: &d.qLD,
            diag_inv: &d.qLDiagInv,
        },
        rows: Rows {
            ne: d.ne,
            nf: d.nf,
            kind: &d.efc_type,
            rownnz: &d.efc_J_rownnz,
            rowadr: &d.efc_J_rowadr,
            colind: &d.efc_J_colind,
            j: &d.efc_J,
            d: &d.efc_D,
            r: &d.efc_R,
            aref: &d.efc_aref,
            frictionloss: &d.efc_frictionloss,
        },
        contacts,
        qfrc_smooth: &d.qfrc_smooth,
        qacc_smooth: &d.qacc_smooth,
    };
    let out = Solution {
        qacc: &mut d.qacc,
        force: &mut d.efc_force,
        state: &mut d.efc_state,
        qfrc_constraint: &mut d.qfrc_constraint,
    };
    (problem, out)
}

/// One island.
pub(super) fn island<'a>(
    d: &'a mut Data,
    k: usize,
    contacts: &'a [ContactRows],
) -> (Problem<'a>, Solution<'a>) {
    let dofs = at(&d.island_idofadr, k)..at(&d.island_idofadr, k) + at(&d.island_nv, k);
    let rows = at(&d.island_iefcadr, k)..at(&d.island_iefcadr, k) + at(&d.island_nefc, k);
    let problem = Problem {
        inertia: Inertia {
            rownnz: &d.iM_rownnz[dofs.clone()],
            rowadr: &d.iM_rowadr[dofs.clone()],
            colind: &d.iM_colind,
            m: &d.iM,
            ld: &d.iLD,
            diag_inv: &d.iLDiagInv[dofs.clone()],
        },
        rows: Rows {
            ne: at(&d.island_ne, k),
            nf: at(&d.island_nf, k),
            kind: &d.iefc_type[rows.clone()],
            rownnz: &d.iefc_J_rownnz[rows.clone()],
            rowadr: &d.iefc_J_rowadr[rows.clone()],
            colind: &d.iefc_J_colind,
            j: &d.iefc_J,
            d: &d.iefc_D[rows.clone()],
            r: &d.iefc_R[rows.clone()],
            aref: &d.iefc_aref[rows.clone()],
            frictionloss: &d.iefc_frictionloss[rows.clone()],
        },
        contacts,
        qfrc_smooth: &d.ifrc_smooth[dofs.clone()],
        qacc_smooth: &d.iacc_smooth[dofs.clone()],
    };
    let out = Solution {
        qacc: &mut d.iacc[dofs.clone()],
        force: &mut d.iefc_force[rows.clone()],
        state: &mut d.iefc_state[rows],
        qfrc_constraint: &mut d.ifrc_constraint[dofs],
    };
    (problem, out)
}
