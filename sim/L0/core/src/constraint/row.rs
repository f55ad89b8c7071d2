//! Constraint rows under construction.

use super::chain_dof::ChainDof;
use super::impedance::SolParams;
use crate::flex::ContactColumn;
use crate::{Data, Model};
use sim_types::{ConstraintType, JacobianType};
use std::ops::Range;

/// Number of dofs from which MuJoCo uses a sparse Jacobian with `jacobian="auto"`.
const AUTO_SPARSE: usize = 60;

/// The `efc_` arrays of [`Data`], moved out of it so that the rest of the data can be borrowed.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowSet {
    pub kind: Vec<ConstraintType>,
    pub id: Vec<i32>,
    pub rownnz: Vec<i32>,
    pub rowadr: Vec<i32>,
    pub rowsuper: Vec<i32>,
    pub colind: Vec<i32>,
    pub j: Vec<f64>,
    pub pos: Vec<f64>,
    pub margin: Vec<f64>,
    pub frictionloss: Vec<f64>,
    pub diag: Vec<f64>,
    pub kbip: Vec<f64>,
    pub d: Vec<f64>,
    pub r: Vec<f64>,
    /// Merged dof chain of the two bodies of the current constraint, last dof first.
    pub chain: Vec<ChainDof>,
    /// Columns of the current contact with a flex.
    pub columns: Vec<ContactColumn>,
    /// Whether rows with only zero entries are omitted, as MuJoCo does with a dense Jacobian.
    skip_zeros: bool,
}

/// Properties shared by all rows of a constraint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowInfo {
    pub kind: ConstraintType,
    pub id: usize,
    pub margin: f64,
    pub frictionloss: f64,
}

/// Removes all rows.
pub(super) fn clear(d: &mut Data) {
    (d.nefc, d.nJ) = (0, 0);
    d.efc_type.clear();
    for list in [
        &mut d.efc_id,
        &mut d.efc_J_rownnz,
        &mut d.efc_J_rowadr,
        &mut d.efc_J_rowsuper,
        &mut d.efc_J_colind,
    ] {
        list.clear();
    }
    for list in [
        &mut d.efc_J,
        &mut d.efc_pos,
        &mut d.efc_margin,
        &mut d.efc_frictionloss,
        &mut d.efc_diagApprox,
        &mut d.efc_KBIP,
        &mut d.efc_D,
        &mut d.efc_R,
    ] {
        list.clear();
    }
}

impl RowSet {
    /// Moves the arrays out of the data and clears them.
    pub(crate) fn take(m: &Model, d: &mut Data) -> Self {
        clear(d);
        let mut rows = Self {
            chain: std::mem::take(&mut d.scratch.chain),
            columns: std::mem::take(&mut d.scratch.flex.contact_columns),
            skip_zeros: !mj_is_sparse(m),
            ..Self::default()
        };
        rows.swap(d);
        rows
    }

    /// Moves the arrays back into the data and computes `efc_J_rowsuper`.
    pub(crate) fn put(mut self, d: &mut Data) {
        let Self { kind, id, rownnz, rowadr, colind, rowsuper, .. } = &mut self;
        let is_contact =
            |row: usize| kind[row] as i32 >= ConstraintType::ContactFrictionless as i32;
        // all rows of a contact have the same columns
        let same_contact =
            |row: usize| id[row] == id[row + 1] && is_contact(row) && is_contact(row + 1);
        find_row_supernodes(rownnz, rowadr, colind, rowsuper, |_| true, same_contact);
        d.nefc = self.len();
        d.nJ = self.j.len();
        d.scratch.chain = std::mem::take(&mut self.chain);
        d.scratch.flex.contact_columns = std::mem::take(&mut self.columns);
        self.swap(d);
    }

    fn swap(&mut self, d: &mut Data) {
        use std::mem::swap;
        swap(&mut self.kind, &mut d.efc_type);
        swap(&mut self.id, &mut d.efc_id);
        swap(&mut self.rownnz, &mut d.efc_J_rownnz);
        swap(&mut self.rowadr, &mut d.efc_J_rowadr);
        swap(&mut self.rowsuper, &mut d.efc_J_rowsuper);
        swap(&mut self.colind, &mut d.efc_J_colind);
        swap(&mut self.j, &mut d.efc_J);
        swap(&mut self.pos, &mut d.efc_pos);
        swap(&mut self.margin, &mut d.efc_margin);
        swap(&mut self.frictionloss, &mut d.efc_frictionloss);
        swap(&mut self.diag, &mut d.efc_diagApprox);
        swap(&mut self.kbip, &mut d.efc_KBIP);
        swap(&mut self.d, &mut d.efc_D);
        swap(&mut self.r, &mut d.efc_R);
    }

    /// Number of rows.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.kind.len()
    }

    /// Reserves Jacobian entries for `count` rows with `width` columns, and returns the address of
    /// the first entry. The caller pushes the columns of the first row to `colind`.
    #[inline]
    pub(crate) fn reserve(&mut self, count: usize, width: usize) -> usize {
        let start = self.j.len();
        self.j.resize(start + count * width, 0.0);
        start
    }

    /// Adds `count` rows whose entries are written, repeating the columns of the first row. Returns
    /// false and discards them if they are empty.
    pub(crate) fn commit(&mut self, start: usize, count: usize, common: &RowInfo) -> bool {
        let width = (self.j.len() - start) / count.max(1);
        let zero = || self.j[start..].iter().all(|&x| x == 0.0);
        let contact = common.kind as i32 >= ConstraintType::ContactFrictionless as i32;
        if !contact && (width == 0 || self.skip_zeros && zero()) {
            self.j.truncate(start);
            self.colind.truncate(start);
            return false;
        }
        let width = if count == 1 && !contact && self.skip_zeros {
            self.remove_zeros(start)
        } else {
            width
        };
        for row in 0..count {
            if row > 0 {
                self.colind.extend_from_within(start..start + width);
            }
            self.rownnz.push(width as i32);
            self.rowadr.push((start + row * width) as i32);
            self.kind.push(common.kind);
            self.id.push(common.id as i32);
            self.pos.push(0.0);
            self.margin.push(common.margin);
            self.frictionloss.push(common.frictionloss);
            self.diag.push(0.0);
            self.kbip.extend([0.0; 4]);
            self.d.push(0.0);
            self.r.push(0.0);
        }
        true
    }

    /// Adds independent scalar constraints with the same solver parameters. Each item is the range of its
    /// entries in the Jacobian `(colind, j)`, the constraint violation `pos`, and `diagApprox`. Rows
    /// without entries are omitted; with `skip_zeros` also those without nonzero entries.
    pub(crate) fn push_scalar_rows(
        &mut self,
        (colind, j): (&[i32], &[f64]),
        rows: impl Iterator<Item = (Range<usize>, f64, f64)>,
        common: &RowInfo,
        params: &SolParams,
    ) {
        let first = self.len();
        if self.skip_zeros {
            for (row, pos, diag) in rows {
                let start = self.j.len();
                self.colind.extend_from_slice(&colind[row.clone()]);
                self.j.extend_from_slice(&j[row]);
                if self.commit(start, 1, common) {
                    let last = self.len() - 1;
                    (self.pos[last], self.diag[last]) = (pos, diag);
                }
            }
        } else {
            // adjacent rows are copied at once
            let mut adjacent = 0..0;
            let mut start = self.j.len();
            for (row, pos, diag) in rows.filter(|(row, ..)| !row.is_empty()) {
                self.rownnz.push(row.len() as i32);
                self.rowadr.push(start as i32);
                self.pos.push(pos);
                self.diag.push(diag);
                start += row.len();
                if row.start == adjacent.end {
                    adjacent.end = row.end;
                } else {
                    self.colind.extend_from_slice(&colind[adjacent.clone()]);
                    self.j.extend_from_slice(&j[adjacent]);
                    adjacent = row;
                }
            }
            self.colind.extend_from_slice(&colind[adjacent.clone()]);
            self.j.extend_from_slice(&j[adjacent]);
            let end = self.rownnz.len();
            self.kind.resize(end, common.kind);
            self.id.resize(end, common.id as i32);
            self.margin.resize(end, common.margin);
            self.frictionloss.resize(end, common.frictionloss);
            self.kbip.resize(4 * end, 0.0);
            self.d.resize(end, 0.0);
            self.r.resize(end, 0.0);
        }
        self.make_scalar_impedances(first, params);
    }

    /// Removes the entries of the last row that are zero and returns the number of the others. In a dense
    /// Jacobian such a row does not couple the trees of these columns in an island.
    fn remove_zeros(&mut self, start: usize) -> usize {
        let mut kept = start;
        for i in start..self.j.len() {
            if self.j[i] != 0.0 {
                (self.j[kept], self.colind[kept]) = (self.j[i], self.colind[i]);
                kept += 1;
            }
        }
        self.j.truncate(kept);
        self.colind.truncate(kept);
        kept - start
    }

    /// Adds one row with the given columns and entries. Returns false if it is empty.
    pub(crate) fn push(
        &mut self,
        columns: impl IntoIterator<Item = i32>,
        entries: impl IntoIterator<Item = f64>,
        common: &RowInfo,
    ) -> bool {
        let start = self.j.len();
        for (column, entry) in columns.into_iter().zip(entries) {
            self.entry(start, column, entry);
        }
        self.commit(start, 1, common)
    }

    /// Appends an entry to the row that starts at address `start`. Columns are in increasing order;
    /// duplicates (a tendon with a repeated joint) are summed.
    pub(crate) fn entry(&mut self, start: usize, column: i32, entry: f64) {
        match self.j[start..].last_mut() {
            Some(last) if self.colind.last() == Some(&column) => *last += entry,
            _ => {
                self.colind.push(column);
                self.j.push(entry);
            }
        }
    }
}

/// Row supernodes: for each row, the number of following rows with the same columns, restricted to
/// consecutive rows for which `joined(row)` holds. `known(row)` tells without a comparison that a row and the
/// next one have the same columns.
pub(crate) fn find_row_supernodes(
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    rowsuper: &mut Vec<i32>,
    joined: impl Fn(usize) -> bool,
    known: impl Fn(usize) -> bool,
) {
    rowsuper.clear();
    rowsuper.resize(rownnz.len(), 0);
    let columns = |row: usize| &colind[rowadr[row] as usize..][..rownnz[row] as usize];
    // skips most comparisons of slices, which cost a library call
    let same = |a: usize, b: usize| {
        let (a, b) = (columns(a), columns(b));
        a.len() == b.len()
            && a.first() == b.first()
            && a.last() == b.last()
            && (a.len() < 3 || a == b)
    };
    for row in (0..rownnz.len().saturating_sub(1)).rev() {
        if joined(row) && (known(row) || same(row, row + 1)) {
            rowsuper[row] = rowsuper[row + 1] + 1;
        }
    }
}

/// Whether MuJoCo uses a sparse constraint Jacobian for this model. Here it is always sparse.
#[doc(alias = "mj_isSparse")]
#[must_use]
pub fn mj_is_sparse(m: &Model) -> bool {
    match m.opt.jacobian {
        JacobianType::Dense => false,
        JacobianType::Sparse => true,
        JacobianType::Auto => m.nv >= AUTO_SPARSE,
    }
}
