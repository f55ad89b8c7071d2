//! Rows and inertia in the order of islands, columns counted within each island.

use crate::constraint::equal_patterns;
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

/// Gathers what the position stage knows of the rows: `iefc_` up to `iefc_R`.
pub(super) fn rows(d: &mut Data) {
    d.iefc_type.clear();
    for list in [&mut d.iefc_id, &mut d.iefc_J_rownnz, &mut d.iefc_J_rowadr, &mut d.iefc_J_colind] {
        list.clear();
    }
    for list in [&mut d.iefc_J, &mut d.iefc_frictionloss, &mut d.iefc_D, &mut d.iefc_R] {
        list.clear();
    }
    for &row in &d.map_iefc2efc {
        let row = row as usize;
        let start = d.efc_J_rowadr[row] as usize;
        let entries = start..start + d.efc_J_rownnz[row] as usize;
        let before = d.island_idofadr[at(&d.efc_island, row)];
        d.iefc_type.push(d.efc_type[row]);
        d.iefc_id.push(d.efc_id[row]);
        d.iefc_J_rowadr.push(d.iefc_J.len() as i32);
        d.iefc_J_rownnz.push(d.efc_J_rownnz[row]);
        let local = |&column: &i32| d.map_dof2idof[column as usize] - before;
        d.iefc_J_colind.extend(d.efc_J_colind[entries.clone()].iter().map(local));
        d.iefc_J.extend_from_slice(&d.efc_J[entries]);
        d.iefc_frictionloss.push(d.efc_frictionloss[row]);
        d.iefc_D.push(d.efc_D[row]);
        d.iefc_R.push(d.efc_R[row]);
    }
    let island = |row: usize| d.efc_island[at(&d.map_iefc2efc, row)];
    equal_patterns(
        &d.iefc_J_rownnz,
        &d.iefc_J_rowadr,
        &d.iefc_J_colind,
        &mut d.iefc_J_rowsuper,
        |row| island(row) == island(row + 1),
    );
}
