//! The rows of all constraints while they are being built.

use crate::{Data, Model};
use sim_types::{ConstraintType, JacobianType};

/// Rows from here on are sparse in the reference engine when it may choose.
const AUTO_SPARSE: usize = 60;

/// The arrays of [`Data`] that hold rows, taken out of it so that the rest can be read meanwhile.
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
    /// Dofs of the rows at hand, the last first, and which of the two bodies each moves.
    pub chain: Vec<Link>,
    /// Whether rows whose entries are all zero are left out, as the reference engine does when it
    /// stores rows in full.
    skip_zeros: bool,
}

/// A dof that moves one of two bodies, or both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// The dof.
    pub dof: i32,
    /// Whether it moves the first body.
    pub first: bool,
    /// Whether it moves the second body.
    pub second: bool,
}

/// What all rows of a constraint have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Common {
    pub kind: ConstraintType,
    pub id: usize,
    pub margin: f64,
    pub frictionloss: f64,
}

impl RowSet {
    /// Empties the arrays and takes them.
    pub(crate) fn take(m: &Model, d: &mut Data) -> Self {
        let mut rows = Self {
            chain: std::mem::take(&mut d.scratch.chain),
            skip_zeros: !mj_is_sparse(m),
            ..Self::default()
        };
        rows.swap(d);
        rows.kind.clear();
        for list in
            [&mut rows.id, &mut rows.rownnz, &mut rows.rowadr, &mut rows.rowsuper, &mut rows.colind]
        {
            list.clear();
        }
        for list in [
            &mut rows.j,
            &mut rows.pos,
            &mut rows.margin,
            &mut rows.frictionloss,
            &mut rows.diag,
            &mut rows.kbip,
            &mut rows.d,
            &mut rows.r,
        ] {
            list.clear();
        }
        rows
    }

    /// Puts the arrays back.
    pub(crate) fn put(mut self, d: &mut Data) {
        let Self { rownnz, rowadr, colind, rowsuper, .. } = &mut self;
        equal_patterns(rownnz, rowadr, colind, rowsuper, |_| true);
        d.nefc = self.len();
        d.nJ = self.j.len();
        d.scratch.chain = std::mem::take(&mut self.chain);
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

    /// How many rows there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.kind.len()
    }

    /// Makes room for `count` rows on `width` columns: columns are pushed to `colind` by the caller
    /// for the first of them; returns the address of the first entry.
    #[inline]
    pub(crate) fn open(&mut self, count: usize, width: usize) -> usize {
        let start = self.j.len();
        self.j.resize(start + count * width, 0.0);
        start
    }

    /// Completes rows whose entries are written: the columns of the first, at the end of `colind`,
    /// are repeated for the others. False if there is nothing in them, and they are dropped.
    pub(crate) fn close(&mut self, start: usize, count: usize, common: &Common) -> bool {
        let width = (self.j.len() - start) / count.max(1);
        let zero = || self.j[start..].iter().all(|&x| x == 0.0);
        let contact = common.kind as i32 >= ConstraintType::ContactFrictionless as i32;
        if !contact && (width == 0 || self.skip_zeros && zero()) {
            self.j.truncate(start);
            self.colind.truncate(start);
            return false;
        }
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

    /// Adds one row with given columns and entries; false if it is empty.
    pub(crate) fn push(
        &mut self,
        columns: impl IntoIterator<Item = i32>,
        entries: impl IntoIterator<Item = f64>,
        common: &Common,
    ) -> bool {
        let start = self.j.len();
        for (column, entry) in columns.into_iter().zip(entries) {
            self.entry(start, column, entry);
        }
        self.close(start, 1, common)
    }

    /// Adds an entry to the row that began at `start`. Columns come in order; a tendon that names a
    /// joint twice has a column twice, which is one entry here.
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

/// For each row, how many of the rows after it have the same columns, as far as `joined(row)` says that
/// a row and the next belong together.
pub(crate) fn equal_patterns(
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    rowsuper: &mut Vec<i32>,
    joined: impl Fn(usize) -> bool,
) {
    rowsuper.clear();
    rowsuper.resize(rownnz.len(), 0);
    let columns = |row: usize| &colind[rowadr[row] as usize..][..rownnz[row] as usize];
    // nothing is the same as nothing, but takes a library long to compare
    let same =
        |a: usize, b: usize| rownnz[a] == rownnz[b] && (rownnz[a] == 0 || columns(a) == columns(b));
    for row in (0..rownnz.len().saturating_sub(1)).rev() {
        if joined(row) && same(row, row + 1) {
            rowsuper[row] = rowsuper[row + 1] + 1;
        }
    }
}

/// Whether the reference engine stores rows sparsely for this model. Here they always are.
#[doc(alias = "mj_isSparse")]
#[must_use]
pub fn mj_is_sparse(m: &Model) -> bool {
    match m.opt.jacobian {
        JacobianType::Dense => false,
        JacobianType::Sparse => true,
        JacobianType::Auto => m.nv >= AUTO_SPARSE,
    }
}
