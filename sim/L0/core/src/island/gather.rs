//! Constraint rows and inertia matrix in island order, with columns relative to the island.

use crate::constraint::find_row_supernodes;
use crate::math::at;
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
    d.iefc_type.clear();
    for list in [&mut d.iefc_id, &mut d.iefc_J_rownnz, &mut d.iefc_J_rowadr, &mut d.iefc_J_colind] {
        list.clear();
    }
    for list in [&mut d.iefc_J, &mut d.iefc_frictionloss, &mut d.iefc_D, &mut d.iefc_R] {
        list.clear();
    }
    d.iefc_J_colind.resize(d.nJ, 0);
    let mut next = 0;
    while let Some(&first) = d.map_iefc2efc.get(next) {
        // consecutive rows of one island are copied together
        let first = first as usize;
        let island = d.efc_island[first];
        let count = d.efc_island[first..].iter().take_while(|&&other| other == island).count();
        next += count;
        let rows = first..first + count;
        gather_columns(d, rows.clone(), d.island_idofadr[island as usize]);
        let (start, last) = (d.efc_J_rowadr[first] as usize, rows.end - 1);
        let end = d.efc_J_rowadr[last] as usize + at(&d.efc_J_rownnz, last);
        d.iefc_J.extend_from_slice(&d.efc_J[start..end]);
        d.iefc_J_rownnz.extend_from_slice(&d.efc_J_rownnz[rows.clone()]);
        d.iefc_type.extend_from_slice(&d.efc_type[rows.clone()]);
        d.iefc_id.extend_from_slice(&d.efc_id[rows.clone()]);
        d.iefc_frictionloss.extend_from_slice(&d.efc_frictionloss[rows.clone()]);
        d.iefc_D.extend_from_slice(&d.efc_D[rows.clone()]);
        d.iefc_R.extend_from_slice(&d.efc_R[rows]);
    }
    let row_of = |row: usize| at(&d.map_iefc2efc, row);
    find_row_supernodes(
        &d.iefc_J_rownnz,
        &d.iefc_J_rowadr,
        &d.iefc_J_colind,
        &mut d.iefc_J_rowsuper,
        |row| d.efc_island[row_of(row)] == d.efc_island[row_of(row + 1)],
        // a row supernode belongs to one island and stays contiguous
        |row| d.efc_J_rowsuper[row_of(row)] > 0,
    );
}

/// Writes the columns of consecutive rows of one island, relative to its first dof `before`, and their
/// addresses.
fn gather_columns(d: &mut Data, rows: Range<usize>, before: i32) {
    let (mut row, mut to) = (rows.start, d.iefc_J.len());
    while row < rows.end {
        // rows of a supernode have the same columns
        let count = d.efc_J_rowsuper[row] as usize + 1;
        let (start, len) = (d.efc_J_rowadr[row] as usize, at(&d.efc_J_rownnz, row));
        let (first, others) = d.iefc_J_colind[to..to + count * len].split_at_mut(len);
        for (local, &column) in first.iter_mut().zip(&d.efc_J_colind[start..start + len]) {
            *local = d.map_dof2idof[column as usize] - before;
        }
        d.iefc_J_rowadr.push(to as i32);
        for k in 1..count {
            let other = &mut others[(k - 1) * len..k * len];
            for (to, from) in other.iter_mut().zip(&*first) {
                *to = *from;
            }
            d.iefc_J_rowadr.push((to + k * len) as i32);
        }
        row += count;
        to += count * len;
    }
}
