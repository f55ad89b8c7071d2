//! Inverse inertia in constraint space, `A = J M⁻¹ Jᵀ` (`mj_projectConstraint`).

use super::product::row_of;
use crate::inertia::mj_solve_m;
use crate::{Data, Model};

/// Computes `AR = J M⁻¹ Jᵀ + R` in compressed sparse rows. Two rows are coupled if their dofs have a
/// common ancestor.
///
/// No solver needs this matrix and no step computes it; it is provided for inspection and custom
/// solvers. Its cost is quadratic in the number of rows.
///
/// Reads the rows and the factor of `M`. Writes `efc_AR`, `efc_AR_rownnz`, `efc_AR_rowadr`,
/// `efc_AR_colind`, `nA`.
#[doc(alias = "mj_projectConstraint")]
pub fn mj_project_constraint(m: &Model, d: &mut Data) {
    let mut value = std::mem::take(&mut d.efc_AR);
    let mut column = std::mem::take(&mut d.efc_AR_colind);
    value.clear();
    column.clear();
    d.efc_AR_rownnz.clear();
    d.efc_AR_rowadr.clear();
    let mut marker = vec![usize::MAX; m.nv];
    let mut x = vec![0.0; m.nv];
    for row in 0..d.nefc {
        x.fill(0.0);
        let (dofs, entries) = row_of(d, row);
        for (&dof, j) in dofs.iter().zip(entries) {
            x[dof as usize] = *j;
            for_each_ancestor(m, dof, |dof| marker[dof] = row);
        }
        mj_solve_m(m, d, &mut x);
        let start = column.len();
        for other in 0..d.nefc {
            let (dofs, entries) = row_of(d, other);
            let mut coupled = false;
            dofs.iter()
                .for_each(|&dof| for_each_ancestor(m, dof, |dof| coupled |= marker[dof] == row));
            if coupled {
                let sum: f64 = dofs.iter().zip(entries).map(|(&dof, j)| j * x[dof as usize]).sum();
                column.push(other as i32);
                value.push(if other == row { sum + d.efc_R[row] } else { sum });
            }
        }
        d.efc_AR_rowadr.push(start as i32);
        d.efc_AR_rownnz.push((column.len() - start) as i32);
    }
    d.nA = value.len();
    (d.efc_AR, d.efc_AR_colind) = (value, column);
}

/// Calls `visit` with a dof and its ancestors.
fn for_each_ancestor(m: &Model, dof: i32, mut visit: impl FnMut(usize)) {
    let mut next = usize::try_from(dof);
    while let Ok(dof) = next {
        visit(dof);
        next = usize::try_from(m.dof_parentid[dof]);
    }
}
