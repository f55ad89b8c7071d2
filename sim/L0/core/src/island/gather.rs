//! Constraint rows and inertia matrix in island order, with columns relative to the island.

use crate::constraint::find_row_supernodes;
use crate::math::at;
use crate::solve::join;
use crate::{Data, Model};
use std::ops::Range;

/// Gathers `M` and its factor: `iM_`, `iM`, `iLD`, `iLDiagInv`.
pub(super) fn inertia(m: &Model, d: &mut Data) {
    for list in [&mut d.iM_rownnz, &mut d.iM_rowadr, &mut d.iM_colind] {
        list.clear();
    }
    for list in [&mut d.iM, &mut d.iLD, &mut d.iLDiagInv] {
        list.clear();
    }
    let mut next = 0;
    while next < d.nidof {
        // consecutive dofs of one island are copied together; they stay consecutive
        let first = at(&d.map_idof2dof, next);
        let island = d.dof_island[first];
        let count = d.dof_island[first..].iter().take_while(|&&other| other == island).count();
        let dofs = first..first + count;
        let entries = at(&m.M_rowadr, first)
            ..m.M_rowadr.get(dofs.end).map_or(m.M_colind.len(), |&end| end as usize);
        let shift = (next as i32 - d.island_idofadr[island as usize]) - first as i32;
        let moved = d.iM.len() as i32 - entries.start as i32;
        next += count;
        d.iM_rowadr.extend(m.M_rowadr[dofs.clone()].iter().map(|adr| adr + moved));
        d.iM_rownnz.extend_from_slice(&m.M_rownnz[dofs.clone()]);
        d.iM_colind.extend(m.M_colind[entries.clone()].iter().map(|column| column + shift));
        d.iM.extend_from_slice(&d.M[entries.clone()]);
        d.iLD.extend_from_slice(&d.qLD[entries]);
        d.iLDiagInv.extend_from_slice(&d.qLDiagInv[dofs]);
    }
}

/// Gathers the position-dependent row arrays: `iefc_` up to `iefc_R`.
pub(super) fn rows(d: &mut Data) {
    let is_large = d.nefc >= MIN_PARALLEL_ROWS;
    let nnz = d.nJ;
    let Data {
        map_iefc2efc,
        map_dof2idof,
        island_idofadr,
        efc_island,
        efc_type,
        efc_id,
        efc_frictionloss,
        efc_D,
        efc_R,
        efc_J,
        efc_J_rownnz,
        efc_J_rowadr,
        efc_J_rowsuper,
        efc_J_colind,
        iefc_type,
        iefc_id,
        iefc_frictionloss,
        iefc_D,
        iefc_R,
        iefc_J,
        iefc_J_rownnz,
        iefc_J_rowadr,
        iefc_J_rowsuper,
        iefc_J_colind,
        ..
    } = d;
    let (efc_island, map) = (&efc_island[..], &map_iefc2efc[..]);
    let entries = |rows: &Range<usize>| {
        let last = rows.end - 1;
        efc_J_rowadr[rows.start] as usize..(efc_J_rowadr[last] + efc_J_rownnz[last]) as usize
    };
    let values = || {
        iefc_J.clear();
        for_each_run(efc_island, map, |rows| iefc_J.extend_from_slice(&efc_J[entries(&rows)]));
    };
    let others = || {
        iefc_type.clear();
        [&mut *iefc_id, iefc_J_rownnz, iefc_J_rowadr].into_iter().for_each(Vec::clear);
        [&mut *iefc_frictionloss, iefc_D, iefc_R].into_iter().for_each(Vec::clear);
        iefc_J_colind.resize(nnz, 0);
        let source = Columns {
            rowsuper: efc_J_rowsuper,
            rowadr: efc_J_rowadr,
            rownnz: efc_J_rownnz,
            colind: efc_J_colind,
            dof2idof: map_dof2idof,
        };
        let mut to = 0;
        for_each_run(efc_island, map, |rows| {
            let before = island_idofadr[efc_island[rows.start] as usize];
            to = source.gather(rows.clone(), before, to, iefc_J_colind, iefc_J_rowadr);
            iefc_J_rownnz.extend_from_slice(&efc_J_rownnz[rows.clone()]);
            iefc_type.extend_from_slice(&efc_type[rows.clone()]);
            iefc_id.extend_from_slice(&efc_id[rows.clone()]);
            iefc_frictionloss.extend_from_slice(&efc_frictionloss[rows.clone()]);
            iefc_D.extend_from_slice(&efc_D[rows.clone()]);
            iefc_R.extend_from_slice(&efc_R[rows]);
        });
        let row_of = |row: usize| at(map, row);
        find_row_supernodes(
            iefc_J_rownnz,
            iefc_J_rowadr,
            iefc_J_colind,
            iefc_J_rowsuper,
            |row| efc_island[row_of(row)] == efc_island[row_of(row + 1)],
            // a row supernode belongs to one island and stays contiguous
            |row| efc_J_rowsuper[row_of(row)] > 0,
        );
    };
    join(is_large, values, others);
}

/// Number of rows from which on two threads share the copies.
const MIN_PARALLEL_ROWS: usize = 4000;

/// Calls `visit` with consecutive rows of one island, which are copied together, in island order.
fn for_each_run(island: &[i32], map: &[i32], mut visit: impl FnMut(Range<usize>)) {
    let mut next = 0;
    while let Some(&first) = map.get(next) {
        let first = first as usize;
        let own = island[first];
        let count = island[first..].iter().take_while(|&&other| other == own).count();
        next += count;
        visit(first..first + count);
    }
}

/// Columns of the rows before they are gathered.
struct Columns<'a> {
    rowsuper: &'a [i32],
    rowadr: &'a [i32],
    rownnz: &'a [i32],
    colind: &'a [i32],
    dof2idof: &'a [i32],
}

impl Columns<'_> {
    /// Writes the columns of consecutive rows of one island, relative to its first dof `before`, from address `to` on,
    /// and the addresses of the rows. Returns the address after them.
    fn gather(
        &self,
        rows: Range<usize>,
        before: i32,
        mut to: usize,
        colind: &mut [i32],
        rowadr: &mut Vec<i32>,
    ) -> usize {
        let mut row = rows.start;
        while row < rows.end {
            // rows of a supernode have the same columns
            let count = self.rowsuper[row] as usize + 1;
            let (start, len) = (self.rowadr[row] as usize, at(self.rownnz, row));
            let (first, others) = colind[to..to + count * len].split_at_mut(len);
            for (local, &column) in first.iter_mut().zip(&self.colind[start..start + len]) {
                *local = self.dof2idof[column as usize] - before;
            }
            rowadr.push(to as i32);
            for k in 1..count {
                let other = &mut others[(k - 1) * len..k * len];
                for (to, from) in other.iter_mut().zip(&*first) {
                    *to = *from;
                }
                rowadr.push((to + k * len) as i32);
            }
            row += count;
            to += count * len;
        }
        to
    }
}
