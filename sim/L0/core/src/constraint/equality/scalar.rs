//! Scalar equality constraints: two joints or two tendons coupled by a quartic polynomial.

use super::super::row::RowSet;
use super::super::{set_tendon_efcadr, tendon_row};
use super::{common, data};
use crate::math::at;
use crate::{Data, Model};
use sim_types::EqType;
use std::ops::Range;

/// A joint or tendon of the constraint.
struct Term {
    /// Position relative to the reference position.
    offset: f64,
    /// `invweight0`.
    weight: f64,
    /// Jacobian of its position.
    jacobian: TermJacobian,
}

/// Jacobian of a joint (one dof) or tendon (range of `ten_J`).
enum TermJacobian {
    Dof(i32),
    Tendon(Range<usize>),
}

/// Adds the row of constraint `i`. Returns false if it is empty.
pub(super) fn add(m: &Model, d: &mut Data, i: usize, out: &mut RowSet) -> bool {
    let a = data(m, i);
    let one = term(m, d, i, m.eq_obj1id[i] as usize);
    let two = usize::try_from(m.eq_obj2id[i]).ok().map(|id| term(m, d, i, id));
    let (target, slope) = match &two {
        Some(Term { offset: x, .. }) => (
            a[1] * x + a[2] * x * x + a[3] * x * x * x + a[4] * x * x * x * x,
            a[1] + 2.0 * a[2] * x + 3.0 * a[3] * x * x + 4.0 * a[4] * x * x * x,
        ),
        None => (0.0, 0.0),
    };
    let start = out.j.len();
    let mut side = 0;
    let mut entries = [Some(&one), two.as_ref()].map(|term| {
        side += 1;
        let factor = if side == 1 { 1.0 } else { -slope };
        term.map(|term| Entries { m, d, jacobian: &term.jacobian, next: 0, factor })
    });
    // merge the two sorted column lists
    loop {
        let heads = [0, 1].map(|k| entries[k].as_ref().and_then(Entries::column));
        let Some(column) = heads.iter().flatten().min().copied() else { break };
        let mut value = 0.0;
        for k in 0..2 {
            if let Some(list) = entries[k].as_mut().filter(|_| heads[k] == Some(column)) {
                value += list.take();
            }
        }
        out.entry(start, column, value);
    }
    if !out.commit(start, 1, &common(i)) {
        return false;
    }
    let row = out.len() - 1;
    out.pos[row] = one.offset - a[0] - target;
    out.diag[row] = one.weight + two.map_or(0.0, |term| term.weight);
    if m.eq_type[i] == EqType::Tendon {
        for id in [m.eq_obj1id[i], m.eq_obj2id[i]] {
            if let Ok(id) = usize::try_from(id) {
                set_tendon_efcadr(d, id, row);
            }
        }
    }
    true
}

fn term(m: &Model, d: &Data, i: usize, id: usize) -> Term {
    if m.eq_type[i] == EqType::Joint {
        let (q, dof) = (at(&m.jnt_qposadr, id), m.jnt_dofadr[id]);
        Term {
            offset: d.qpos[q] - m.qpos0[q],
            weight: m.dof_invweight0[dof as usize],
            jacobian: TermJacobian::Dof(dof),
        }
    } else {
        Term {
            offset: d.ten_length[id] - m.tendon_length0[id],
            weight: m.tendon_invweight0[id],
            jacobian: TermJacobian::Tendon(tendon_row(m, id)),
        }
    }
}

/// Iterator over the entries of a joint or tendon Jacobian in column order.
struct Entries<'a> {
    m: &'a Model,
    d: &'a Data,
    jacobian: &'a TermJacobian,
    next: usize,
    factor: f64,
}

impl Entries<'_> {
    /// Column of the next entry.
    fn column(&self) -> Option<i32> {
        match self.jacobian {
            TermJacobian::Dof(dof) => (self.next == 0).then_some(*dof),
            TermJacobian::Tendon(row) => self.m.ten_J_colind[row.clone()].get(self.next).copied(),
        }
    }

    /// Value of the next entry; advances the iterator.
    fn take(&mut self) -> f64 {
        let value = match self.jacobian {
            TermJacobian::Dof(_) => 1.0,
            TermJacobian::Tendon(row) => self.d.ten_J[row.start + self.next],
        };
        self.next += 1;
        self.factor * value
    }
}
