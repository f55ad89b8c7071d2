//! Couplings of two joints or two tendons by a polynomial.

use super::super::row::RowSet;
use super::super::{mark_tendon, tendon_row};
use super::{common, data};
use crate::math::at;
use crate::{Data, Model};
use sim_types::EqType;
use std::ops::Range;

/// A joint or tendon in a coupling.
struct Term {
    /// How far it is from its reference.
    offset: f64,
    /// Estimated inverse inertia.
    weight: f64,
    /// Where its Jacobian is: one dof, or entries of `ten_J`.
    place: Place,
}

enum Place {
    Dof(i32),
    Tendon(Range<usize>),
}

/// Adds the row of constraint `i`; false if it is empty.
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
        term.map(|term| Entries { m, d, place: &term.place, next: 0, factor })
    });
    // two increasing lists become one
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
    if !out.close(start, 1, &common(i)) {
        return false;
    }
    let row = out.len() - 1;
    out.pos[row] = one.offset - a[0] - target;
    out.diag[row] = one.weight + two.map_or(0.0, |term| term.weight);
    if m.eq_type[i] == EqType::Tendon {
        for id in [m.eq_obj1id[i], m.eq_obj2id[i]] {
            if let Ok(id) = usize::try_from(id) {
                mark_tendon(d, id, row);
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
            place: Place::Dof(dof),
        }
    } else {
        Term {
            offset: d.ten_length[id] - m.tendon_length0[id],
            weight: m.tendon_invweight0[id],
            place: Place::Tendon(tendon_row(m, id)),
        }
    }
}

/// The entries of a joint's or tendon's Jacobian, in order.
struct Entries<'a> {
    m: &'a Model,
    d: &'a Data,
    place: &'a Place,
    next: usize,
    factor: f64,
}

impl Entries<'_> {
    /// The column of the next entry.
    fn column(&self) -> Option<i32> {
        match self.place {
            Place::Dof(dof) => (self.next == 0).then_some(*dof),
            Place::Tendon(row) => self.m.ten_J_colind[row.clone()].get(self.next).copied(),
        }
    }

    /// The next entry.
    fn take(&mut self) -> f64 {
        let value = match self.place {
            Place::Dof(_) => 1.0,
            Place::Tendon(row) => self.d.ten_J[row.start + self.next],
        };
        self.next += 1;
        self.factor * value
    }
}
