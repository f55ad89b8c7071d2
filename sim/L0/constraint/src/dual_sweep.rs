//! Gauss–Seidel sweeps of PGS with a dense dual matrix.
//!
//! Consecutive rows that do not belong to an elliptic contact are updated in groups: the residuals of a group are read
//! once, a change of the force of one row is added to those of the next ones by the diagonal block of `A`, and
//! all changes are added to the residuals of all rows in one pass. The updates are those of a sweep row by row up to
//! rounding.

use crate::dual::Dual;
use crate::pgs::{update_contact, update_row};
use crate::problem::Problem;
use crate::vector::heap_bytes;
use sim_simd::dispatch;
use sim_types::ConstraintType;
use std::ops::Range;

/// Largest number of rows of a group that do not belong to an elliptic contact.
const MAX_ROWS: usize = 4;

/// Division of the rows into runs, so that each loop has updates of one kind.
#[derive(Debug, Default)]
pub(crate) struct DualSweep {
    runs: Vec<Run>,
}

/// Consecutive rows or contacts.
#[derive(Debug, Clone, Copy)]
enum Run {
    /// Rows that do not belong to elliptic contacts.
    Rows { start: usize, end: usize },
    /// Elliptic contacts with `dim` rows each.
    Contacts { start: usize, end: usize, dim: usize },
}

impl DualSweep {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        heap_bytes!(self.runs)
    }

    /// Divides the rows of a well-formed problem into runs.
    pub(crate) fn build(&mut self, problem: &Problem<'_>) {
        let runs = &mut self.runs;
        runs.clear();
        let mut next = 0;
        for (index, contact) in problem.contacts.iter().enumerate() {
            if problem.rows.kind[contact.row] != ConstraintType::ContactElliptic {
                continue;
            }
            if next < contact.row {
                runs.push(Run::Rows { start: next, end: contact.row });
            }
            next = contact.row + contact.dim;
            match runs.last_mut() {
                Some(Run::Contacts { end, dim, .. }) if *end == index && *dim == contact.dim => {
                    *end = index + 1;
                }
                _ => runs.push(Run::Contacts { start: index, end: index + 1, dim: contact.dim }),
            }
        }
        if next < problem.nefc() {
            runs.push(Run::Rows { start: next, end: problem.nefc() });
        }
    }
}

/// One sweep over all rows in order. Returns the decrease of the cost.
pub(crate) fn sweep(
    problem: &Problem<'_>,
    force: &mut [f64],
    dual: &mut Dual,
    sweep: &DualSweep,
) -> f64 {
    let mut improvement = 0.0;
    for &run in &sweep.runs {
        improvement -= match run {
            Run::Rows { start, end } => sweep_rows(start..end, force, dual),
            Run::Contacts { start, end, dim } => {
                sweep_contacts(problem, start..end, dim, force, dual)
            }
        };
    }
    improvement
}

/// Updates rows that do not belong to elliptic contacts. Returns the change of the cost.
#[inline(never)]
fn sweep_rows(rows: Range<usize>, force: &mut [f64], dual: &mut Dual) -> f64 {
    #[inline(always)]
    fn in_groups(rows: Range<usize>, force: &mut [f64], dual: &mut Dual) -> f64 {
        let (mut row, mut change) = (rows.start, 0.0);
        while rows.end - row >= MAX_ROWS {
            change += update_rows::<MAX_ROWS>(row, force, dual);
            row += MAX_ROWS;
        }
        change
            + match rows.end - row {
                0 => 0.0,
                1 => update_rows::<1>(row, force, dual),
                2 => update_rows::<2>(row, force, dual),
                _ => update_rows::<3>(row, force, dual),
            }
    }
    dispatch!(in_groups(rows: Range<usize>, force: &mut [f64], dual: &mut Dual) -> f64)
}

/// Updates elliptic contacts with `dim` rows each. Returns the change of the cost. Not inlined: the registers that its
/// portable loops need would be saved in each sweep.
#[inline(never)]
fn sweep_contacts(
    problem: &Problem<'_>,
    contacts: Range<usize>,
    dim: usize,
    force: &mut [f64],
    dual: &mut Dual,
) -> f64 {
    /// A loop for each dimension is a function of its own, so that the compiler keeps only its own values in
    /// registers.
    macro_rules! updates {
        ($dim:literal, $friction:literal) => {{
            #[inline(always)]
            fn in_order(
                problem: &Problem<'_>,
                contacts: Range<usize>,
                force: &mut [f64],
                dual: &mut Dual,
            ) -> f64 {
                let mut change = 0.0;
                for index in contacts {
                    change += update_contact::<$dim, $friction, true>(problem, index, force, dual);
                }
                change
            }
            dispatch!(in_order(problem: &Problem<'_>, contacts: Range<usize>, force: &mut [f64], dual: &mut Dual) -> f64)
        }};
    }
    match dim {
        3 => updates!(3, 2),
        4 => updates!(4, 3),
        5 => updates!(5, 4),
        6 => updates!(6, 5),
        _ => updates!(2, 1),
    }
}

/// Minimises over the forces of `N` rows that do not belong to an elliptic contact, one after the other. Returns the
/// change of the cost.
#[inline(always)]
fn update_rows<const N: usize>(first: usize, force: &mut [f64], dual: &mut Dual) -> f64 {
    let mut residual: [f64; N] = dual.matrix.residuals(first);
    let (force, scalars) = (&mut force[first..first + N], &dual.scalars[first..first + N]);
    let (mut delta, mut total) = ([0.0; N], 0.0);
    for k in 0..N {
        let change;
        (delta[k], change) = update_row(&scalars[k], &mut force[k], residual[k]);
        total += change;
        for j in k + 1..N {
            residual[j] += dual.matrix.entry(first + k, first + j) * delta[k];
        }
    }
    dual.matrix.add_forces(first, delta);
    total
}
