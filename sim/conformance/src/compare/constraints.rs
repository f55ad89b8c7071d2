//! Comparison of the constraint rows (`efc_*`) built from the oracle's contacts: same rows, same order.

use super::Outcome;
use crate::{Archive, tolerance};
use sim_core::{Data, FieldView, Model, Stage};
use std::ops::Range;

/// The recorded rows, one state after another.
pub(super) struct Constraints<'a> {
    archive: &'a Archive,
    state: usize,
    /// First row of the state.
    row: usize,
    /// First entry of the Jacobian of the state.
    entry: usize,
}

/// Arrays of the constraint rows that the position and velocity stages write.
pub(super) const ROWS: [&str; 11] =
    ["type", "id", "pos", "margin", "frictionloss", "diagApprox", "KBIP", "D", "R", "vel", "aref"];

impl<'a> Constraints<'a> {
    pub(super) fn of(archive: &'a Archive) -> Self {
        Self { archive, state: 0, row: 0, entry: 0 }
    }

    /// Moves to the next state and returns the ranges of its rows and of their Jacobian's entries.
    pub(super) fn advance(&mut self) -> Option<(Range<usize>, Range<usize>)> {
        let count = |name: &str| self.archive.get(name).get(self.state).map(|&n| n as usize);
        let rows = self.row..self.row + count("efc/count")?;
        let entries = self.entry..self.entry + count("efc/entries")?;
        (self.state, self.row, self.entry) = (self.state + 1, rows.end, entries.end);
        Some((rows, entries))
    }

    /// Compares the rows of the next state.
    pub(super) fn compare(&mut self, out: &mut Outcome, m: &Model, d: &Data) {
        let Some((theirs, entries)) = self.advance() else { return };
        let stage = Stage::MakeConstraint.function();
        if d.nefc != theirs.len() {
            let detail = format!("{} rows, the oracle has {}", d.nefc, theirs.len());
            return out.push(stage, "nefc", f64::INFINITY, 0.0, detail);
        }
        for name in ROWS {
            self.array(out, d, name, theirs.clone());
        }
        self.jacobian(out, m, d, entries);
    }

    fn array(&self, out: &mut Outcome, d: &Data, name: &str, rows: Range<usize>) {
        let field = format!("efc_{name}");
        let stage = match name {
            "vel" | "aref" => Stage::ReferenceConstraint,
            _ => Stage::MakeConstraint,
        };
        let width = if name == "KBIP" { 4 } else { 1 };
        let array = format!("efc/{name}");
        if out.skips(self.archive, &array) {
            return;
        }
        let all = self.archive.get(&array);
        let theirs = &all[width * rows.start..width * rows.end];
        let Some(tolerance) = tolerance::of(stage) else { return };
        match d.field(&field) {
            Some(FieldView::F64(ours)) => {
                // each row has its own scale
                for (ours, theirs) in ours.chunks(width).zip(theirs.chunks(width)) {
                    out.reals(stage.function(), &field, tolerance, ours, theirs);
                }
            }
            Some(FieldView::I32(ours)) => {
                let ours = ours.iter().map(|&x| f64::from(x));
                out.integers(stage.function(), &field, ours, theirs);
            }
            _ => out.push(stage.function(), &field, f64::INFINITY, 0.0, "missing".into()),
        }
    }

    fn jacobian(&self, out: &mut Outcome, m: &Model, d: &Data, entries: Range<usize>) {
        let [rows, columns, values] = ["J_row", "J_column", "J_value"]
            .map(|name| &self.archive.get(&format!("efc/{name}"))[entries.clone()]);
        let stage = Stage::MakeConstraint;
        let Some(tolerance) = tolerance::of(stage) else { return };
        let mut next = 0;
        for row in 0..d.nefc {
            let (mut ours, mut theirs) = (vec![0.0; m.nv], vec![0.0; m.nv]);
            let start = d.efc_J_rowadr[row] as usize;
            for k in start..start + d.efc_J_rownnz[row] as usize {
                ours[d.efc_J_colind[k] as usize] = d.efc_J[k];
            }
            while rows.get(next).is_some_and(|&r| r as usize == row) {
                theirs[columns[next] as usize] = values[next];
                next += 1;
            }
            out.reals(stage.function(), "efc_J", tolerance, &ours, &theirs);
        }
    }
}
