//! Constraint rows and inertia matrix in island order, with columns relative to the island.

use crate::constraint::find_row_supernodes;
use crate::math::at;
use crate::{Data, Model};

/// Gathers `M` and its factor: `iM_`, `iM`, `iLD`, `iLDiagInv`.
pub(super) fn inertia(m: &Model, d: &mut Data) {
    for list in [&mut d.iM_rownnz, &mut d.iM_rowadr, &mut d.iM_colind] {
        list.clear();
    }
    for list in [&mut d.iM, &mut d.iLD, &mut d.iLDiagInv] {
        list.clear();
    }
    for &dof in &d.map_idof2dof[..d.nidof] {
        let dof = dof as usize;
        let row = at(&m.M_rowadr, dof)..at(&m.M_rowadr, dof) + at(&m.M_rownnz, dof);
        let before = d.island_idofadr[at(&d.dof_island, dof)];
        d.iM_rowadr.push(d.iM.len() as i32);
        d.iM_rownnz.push(m.M_rownnz[dof]);
        let local = |&column: &i32| d.map_dof2idof[column as usize] - before;
        d.iM_colind.extend(m.M_colind[row.clone()].iter().map(local));
        d.iM.extend_from_slice(&d.M[row.clone()]);
        d.iLD.extend_from_slice(&d.qLD[row]);
        d.iLDiagInv.push(d.qLDiagInv[dof]);
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
    let mut next = 0;
    while let Some(&row) = d.map_iefc2efc.get(next) {
        // a row supernode belongs to one island and stays contiguous
        let row = row as usize;
        let count = d.efc_J_rowsuper[row] as usize + 1;
        next += count;
        let rows = row..row + count;
        let (start, len) = (d.efc_J_rowadr[row] as usize, at(&d.efc_J_rownnz, row));
        let before = d.island_idofadr[at(&d.efc_island, row)];
        let local = |&column: &i32| d.map_dof2idof[column as usize] - before;
        let first = d.iefc_J.len();
        d.iefc_J_colind.extend(d.efc_J_colind[start..start + len].iter().map(local));
        d.iefc_J_rowadr.push(first as i32);
        for k in 1..count {
            d.iefc_J_colind.extend_from_within(first..first + len);
            d.iefc_J_rowadr.push((first + k * len) as i32);
        }
        d.iefc_J.extend_from_slice(&d.efc_J[start..start + count * len]);
        d.iefc_J_rownnz.extend_from_slice(&d.efc_J_rownnz[rows.clone()]);
        d.iefc_type.extend_from_slice(&d.efc_type[rows.clone()]);
        d.iefc_id.extend_from_slice(&d.efc_id[rows.clone()]);
        d.iefc_frictionloss.extend_from_slice(&d.efc_frictionloss[rows.clone()]);
        d.iefc_D.extend_from_slice(&d.efc_D[rows.clone()]);
        d.iefc_R.extend_from_slice(&d.efc_R[rows]);
    }
    let island = |row: usize| d.efc_island[at(&d.map_iefc2efc, row)];
    find_row_supernodes(
        &d.iefc_J_rownnz,
        &d.iefc_J_rowadr,
        &d.iefc_J_colind,
        &mut d.iefc_J_rowsuper,
        |row| island(row) == island(row + 1),
    );
}
