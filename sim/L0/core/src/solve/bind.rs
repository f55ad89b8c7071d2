//! Conversion of [`Data`] to solver problems: the whole system or one island.

use super::buffers::Solver;
use crate::math::at;
use crate::{Data, Model};
use sim_constraint::{ContactRows, Inertia, Problem, Rows, Solution};
use sim_types::ConstraintState;
use std::ops::Range;

impl Solver {
    /// Collects the contacts with more than one row.
    pub(crate) fn collect_contacts(&mut self, d: &Data) {
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
    pub(super) fn sort_contacts_by_island(&mut self, d: &Data) {
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

/// Problem and solution arrays of the whole system.
pub(super) fn full_problem<'a>(
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

/// Input arrays of all islands.
#[derive(Clone, Copy)]
pub(super) struct Islands<'a> {
    idofadr: &'a [i32],
    iefcadr: &'a [i32],
    nv: &'a [i32],
    nefc: &'a [i32],
    ne: &'a [i32],
    nf: &'a [i32],
    /// Concatenated arrays of all islands.
    all: Problem<'a>,
}

/// Output arrays of consecutive islands.
pub(super) struct Results<'a> {
    pub qacc: &'a mut [f64],
    pub qfrc_constraint: &'a mut [f64],
    pub force: &'a mut [f64],
    pub state: &'a mut [ConstraintState],
}

/// Input and output arrays of all islands.
pub(super) fn islands<'a>(
    d: &'a mut Data,
    contacts: &'a [ContactRows],
) -> (Islands<'a>, Results<'a>) {
    let all = Problem {
        inertia: Inertia {
            rownnz: &d.iM_rownnz,
            rowadr: &d.iM_rowadr,
            colind: &d.iM_colind,
            m: &d.iM,
            ld: &d.iLD,
            diag_inv: &d.iLDiagInv,
        },
        rows: Rows {
            ne: 0,
            nf: 0,
            kind: &d.iefc_type,
            rownnz: &d.iefc_J_rownnz,
            rowadr: &d.iefc_J_rowadr,
            colind: &d.iefc_J_colind,
            j: &d.iefc_J,
            d: &d.iefc_D,
            r: &d.iefc_R,
            aref: &d.iefc_aref,
            frictionloss: &d.iefc_frictionloss,
        },
        contacts,
        qfrc_smooth: &d.ifrc_smooth,
        qacc_smooth: &d.iacc_smooth,
    };
    let islands = Islands {
        idofadr: &d.island_idofadr,
        iefcadr: &d.island_iefcadr,
        nv: &d.island_nv,
        nefc: &d.island_nefc,
        ne: &d.island_ne,
        nf: &d.island_nf,
        all,
    };
    let results = Results {
        qacc: &mut d.iacc,
        qfrc_constraint: &mut d.ifrc_constraint,
        force: &mut d.iefc_force,
        state: &mut d.iefc_state,
    };
    (islands, results)
}

impl<'a> Islands<'a> {
    /// Dof range of an island.
    pub(super) fn dofs(&self, k: usize) -> Range<usize> {
        at(self.idofadr, k)..at(self.idofadr, k) + at(self.nv, k)
    }

    /// Row range of an island.
    pub(super) fn rows(&self, k: usize) -> Range<usize> {
        at(self.iefcadr, k)..at(self.iefcadr, k) + at(self.nefc, k)
    }

    /// Problem of one island, given the range of its contacts.
    pub(super) fn problem(&self, k: usize, contacts: Range<usize>) -> Problem<'a> {
        let (dofs, rows) = (self.dofs(k), self.rows(k));
        let Problem { inertia, rows: all, .. } = self.all;
        Problem {
            inertia: Inertia {
                rownnz: &inertia.rownnz[dofs.clone()],
                rowadr: &inertia.rowadr[dofs.clone()],
                diag_inv: &inertia.diag_inv[dofs.clone()],
                ..inertia
            },
            rows: Rows {
                ne: at(self.ne, k),
                nf: at(self.nf, k),
                kind: &all.kind[rows.clone()],
                rownnz: &all.rownnz[rows.clone()],
                rowadr: &all.rowadr[rows.clone()],
                d: &all.d[rows.clone()],
                r: &all.r[rows.clone()],
                aref: &all.aref[rows.clone()],
                frictionloss: &all.frictionloss[rows],
                ..all
            },
            contacts: &self.all.contacts[contacts],
            qfrc_smooth: &self.all.qfrc_smooth[dofs.clone()],
            qacc_smooth: &self.all.qacc_smooth[dofs],
        }
    }
}

impl<'a> Results<'a> {
    /// The same arrays for a shorter time.
    pub(super) fn reborrow(&mut self) -> Results<'_> {
        let Self { qacc, qfrc_constraint, force, state } = self;
        Results { qacc, qfrc_constraint, force, state }
    }

    /// Splits after the given numbers of dofs and rows.
    pub(super) fn split_at(self, dofs: usize, rows: usize) -> (Self, Self) {
        let (qacc, qacc2) = self.qacc.split_at_mut(dofs);
        let (qfrc_constraint, qfrc_constraint2) = self.qfrc_constraint.split_at_mut(dofs);
        let (force, force2) = self.force.split_at_mut(rows);
        let (state, state2) = self.state.split_at_mut(rows);
        (
            Self { qacc, qfrc_constraint, force, state },
            Self { qacc: qacc2, qfrc_constraint: qfrc_constraint2, force: force2, state: state2 },
        )
    }

    /// Solution arrays of a single island.
    pub(super) fn solution(self) -> Solution<'a> {
        let Self { qacc, qfrc_constraint, force, state } = self;
        Solution { qacc, force, state, qfrc_constraint }
    }
}
