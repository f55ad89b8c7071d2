//! Constraint update: cost, force and state of each row at a given `jar = J qacc − aref`
//! (`mj_constraintUpdate`).

use crate::problem::{ContactRows, Problem};
use crate::vector::{Terms, norm, sum_lanes, sums};
use sim_simd::dispatch;
use sim_simd::lanes::{FourLanes, Lanes, Mask, with_four_lanes};
use sim_types::{ConstraintState, ConstraintType};

/// `jar = J qacc − aref`.
pub fn residual(problem: &Problem<'_>, qacc: &[f64], jar: &mut [f64]) {
    let rows = &problem.rows;
    for (i, jar) in jar.iter_mut().enumerate().take(problem.nefc()) {
        let (adr, nnz) = (rows.rowadr[i] as usize, rows.rownnz[i] as usize);
        let values = rows.j[adr..adr + nnz].iter().zip(&rows.colind[adr..adr + nnz]);
        let product: f64 = values.map(|(&j, &c)| j * qacc[c as usize]).sum();
        *jar = product - rows.aref[i];
    }
}

/// Computes the force and state of each row at `jar = J qacc − aref`, and
/// `qfrc_constraint = Jᵀ force`. Returns the constraint cost without the Gauss term.
///
/// If `cone_hessian` is given, the row-major Hessian of each elliptic contact in the middle zone of
/// its cone is written to it: one block of `dim × dim` entries for each element of
/// `problem.contacts`.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(
    problem: &Problem<'_>,
    jar: &[f64],
    force: &mut [f64],
    state: &mut [ConstraintState],
    qfrc_constraint: &mut [f64],
    cone_hessian: Option<&mut [[f64; 36]]>,
) -> f64 {
    let cost = update_rows(problem, &[], jar, force, state, cone_hessian);
    qfrc_constraint.fill(0.0);
    let rows = &problem.rows;
    for (i, &f) in force.iter().enumerate() {
        let (adr, nnz) = (rows.rowadr[i] as usize, rows.rownnz[i] as usize);
        if f != 0.0 {
            for (&j, &c) in rows.j[adr..adr + nnz].iter().zip(&rows.colind[adr..adr + nnz]) {
                qfrc_constraint[c as usize] += f * j;
            }
        }
    }
    cost
}

/// Finds the equality rows without a nonzero Jacobian entry, as those of a weld between bodies that do not move
/// relative to each other.
pub(crate) fn find_constant_rows(problem: &Problem<'_>, constant: &mut Vec<usize>) {
    let rows = &problem.rows;
    constant.clear();
    constant.extend((0..rows.ne).filter(|&i| {
        let (adr, nnz) = (rows.rowadr[i] as usize, rows.rownnz[i] as usize);
        rows.j[adr..adr + nnz].iter().all(|&j| j == 0.0)
    }));
}

/// Computes force and state of all rows and returns the constraint cost without the equality rows in `constant`
/// ([`find_constant_rows`]): the regularisation of such a row is tiny, and the round-off of a cost of 1e20
/// would hide the improvement of an iteration.
pub(crate) fn update_rows(
    problem: &Problem<'_>,
    constant: &[usize],
    jar: &[f64],
    force: &mut [f64],
    state: &mut [ConstraintState],
    cone_hessian: Option<&mut [[f64; 36]]>,
) -> f64 {
    let part = Part { first: 0, contacts: problem.contacts, constant };
    update_part(problem, part, jar, force, state, cone_hessian)
}

/// Consecutive rows: all, or limits and contacts from row `first` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub first: usize,
    /// Contacts with more than one row among them.
    pub contacts: &'a [ContactRows],
    /// Equality rows without a cost.
    pub constant: &'a [usize],
}

/// [`update_rows`] of some rows; the slices start with the first of them.
pub(crate) fn update_part(
    problem: &Problem<'_>,
    part: Part<'_>,
    jar: &[f64],
    force: &mut [f64],
    state: &mut [ConstraintState],
    cone_hessian: Option<&mut [[f64; 36]]>,
) -> f64 {
    dispatch!(update_part_rows(problem: &Problem<'_>, part: Part<'_>, jar: &[f64], force: &mut [f64], state: &mut [ConstraintState], cone_hessian: Option<&mut [[f64; 36]]>) -> f64)
}

#[inline(always)]
fn update_part_rows(
    problem: &Problem<'_>,
    Part { first, contacts, constant }: Part<'_>,
    jar: &[f64],
    force: &mut [f64],
    state: &mut [ConstraintState],
    mut cone_hessian: Option<&mut [[f64; 36]]>,
) -> f64 {
    let rows = &problem.rows;
    let (ne, friction_end) = if first == 0 { (rows.ne, rows.ne + rows.nf) } else { (0, 0) };
    let nefc = jar.len();
    let all_d = &rows.d[first..];
    state[..ne].fill(ConstraintState::Quadratic);
    let mut cost = 0.0;
    let mut start = 0;
    for end in constant.iter().copied().chain([ne]) {
        cost += equality_rows(&all_d[start..end], &jar[start..end], &mut force[start..end]);
        if end < ne {
            force[end] = -all_d[end] * jar[end];
        }
        start = end + 1;
    }
    if ne < friction_end {
        let range = ne..friction_end;
        cost = with_four_lanes(FrictionRows {
            cost,
            vectors: [rows.d, rows.r, rows.frictionloss, jar].map(|x| &x[range.clone()]),
            force: &mut force[range.clone()],
            state: &mut state[range],
        });
    }
    // limits and contacts; the rows between elliptic contacts are one-sided quadratic
    let mut next = friction_end;
    for (index, contact) in contacts.iter().enumerate() {
        if rows.kind[contact.row] != ConstraintType::ContactElliptic {
            continue;
        }
        let row = contact.row - first;
        let between = next..row;
        next = row + contact.dim;
        if !between.is_empty() {
            let (d, jar) = (&all_d[between.clone()], &jar[between.clone()]);
            cost += limit_rows(d, jar, &mut force[between.clone()], &mut state[between]);
        }
        let hessian = cone_hessian.as_deref_mut().and_then(|all| all.get_mut(index));
        let range = row..next;
        let (d, jar) = (&all_d[range.clone()], &jar[range.clone()]);
        let force = &mut force[range.clone()];
        // loops of constant length are unrolled
        let (zone, zone_cost) = match contact.dim {
            3 => update_cone(contact, 3, d, jar, force, hessian),
            dim => update_cone(contact, dim, d, jar, force, hessian),
        };
        state[range].fill(zone);
        cost += zone_cost;
    }
    let rest = next..nefc;
    cost + limit_rows(
        &all_d[rest.clone()],
        &jar[rest.clone()],
        &mut force[rest.clone()],
        &mut state[rest],
    )
}

/// Forces and states of rows that are quadratic on one side; returns their cost, summed in four lanes.
fn limit_rows(d: &[f64], jar: &[f64], force: &mut [f64], state: &mut [ConstraintState]) -> f64 {
    with_four_lanes(LimitRows { d, jar, force, state })
}

struct LimitRows<'a> {
    d: &'a [f64],
    jar: &'a [f64],
    force: &'a mut [f64],
    state: &'a mut [ConstraintState],
}

/// States of four rows by the bits of those that are satisfied.
static LIMIT_STATES: [[ConstraintState; 4]; 16] = {
    let mut states = [[ConstraintState::Quadratic; 4]; 16];
    let mut k = 0;
    while k < 64 {
        if (k / 4) >> (k % 4) & 1 == 1 {
            states[k / 4][k % 4] = ConstraintState::Satisfied;
        }
        k += 1;
    }
    states
};

impl FourLanes for LimitRows<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<V: Lanes>(self) -> f64 {
        let mut sum = V::zero();
        let n = self.jar.len();
        let (d, d_rest) = self.d[..n].as_chunks::<4>();
        let (jar, jar_rest) = self.jar.as_chunks::<4>();
        let (force, force_rest) = self.force[..n].as_chunks_mut::<4>();
        let (state, state_rest) = self.state[..n].as_chunks_mut::<4>();
        for (((d, jar), force), state) in d.iter().zip(jar).zip(force).zip(state) {
            let new;
            (new, *state) = four_limit_rows(&mut sum, V::load(d), V::load(jar));
            new.store(force);
        }
        if !jar_rest.is_empty() {
            let (d, jar) = (V::load_padded(d_rest), V::load_padded(jar_rest));
            let (force, states) = four_limit_rows(&mut sum, d, jar);
            force.store(force_rest);
            for (state, new) in state_rest.iter_mut().zip(states) {
                *state = new;
            }
        }
        0.5 * sum_lanes(sum)
    }
}

/// Forces and states of four rows; adds twice their cost to `sum`.
#[inline(always)]
fn four_limit_rows<V: Lanes>(sum: &mut V, d: V, jar: V) -> (V, [ConstraintState; 4]) {
    let (f, satisfied) = (d * jar, jar.ge(V::zero()));
    *sum += (f * jar).masked(!satisfied);
    ((-f).masked(!satisfied), LIMIT_STATES[satisfied.bits() as usize & 15])
}

/// Rows of dry friction. The output is the sum of their cost and that of the rows before.
struct FrictionRows<'a> {
    /// Cost of the rows before.
    cost: f64,
    /// `D`, `R`, `frictionloss` and `jar`.
    vectors: [&'a [f64]; 4],
    force: &'a mut [f64],
    state: &'a mut [ConstraintState],
}

impl FourLanes for FrictionRows<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<V: Lanes>(self) -> f64 {
        let n = self.force.len();
        let [d, r, f, jar] = self.vectors.map(|x| x[..n].as_chunks::<4>());
        let (force, force_rest) = self.force.as_chunks_mut::<4>();
        let (state, state_rest) = self.state[..n].as_chunks_mut::<4>();
        let mut cost = self.cost;
        for k in 0..n / 4 {
            let (d, r, f) = (V::load(&d.0[k]), V::load(&r.0[k]), V::load(&f.0[k]));
            let (new, states) = four_friction_rows(&mut cost, [d, r, f, V::load(&jar.0[k])]);
            new.store(&mut force[k]);
            state[k] = states;
        }
        if !force_rest.is_empty() {
            let (d, r, f) = (V::load_padded(d.1), V::load_padded(r.1), V::load_padded(f.1));
            let (force, states) = four_friction_rows(&mut cost, [d, r, f, V::load_padded(jar.1)]);
            force.store(force_rest);
            for (state, new) in state_rest.iter_mut().zip(states) {
                *state = new;
            }
        }
        cost
    }
}

/// Forces and states of four rows of dry friction; adds their costs, zero for rows of zeros, one after the other.
#[inline(always)]
fn four_friction_rows<V: Lanes>(
    cost: &mut f64,
    [d, r, f, jar]: [V; 4],
) -> (V, [ConstraintState; 4]) {
    let (rf, half) = (r * f, V::splat(0.5));
    let (below, above) = (jar.le(-rf), jar.ge(rf));
    // the absolute value where it counts
    let distance = (-jar).select(below, jar);
    let (linear, quadratic) = (f * distance - half * (rf * f), half * (d * jar) * jar);
    let costs = linear.select(below | above, quadratic);
    for lane in 0..4 {
        *cost += costs.get(lane);
    }
    let force = f.select(below, (-f).select(above, -(d * jar)));
    let mut states = [ConstraintState::Quadratic; 4];
    let (below, above) = (below.bits(), above.bits());
    if below | above != 0 {
        for (lane, state) in states.iter_mut().enumerate() {
            if below >> lane & 1 == 1 {
                *state = ConstraintState::LinearNeg;
            } else if above >> lane & 1 == 1 {
                *state = ConstraintState::LinearPos;
            }
        }
    }
    (force, states)
}

/// Forces of equality rows; returns their cost.
#[inline(always)]
fn equality_rows(d: &[f64], jar: &[f64], force: &mut [f64]) -> f64 {
    for ((force, d), jar) in force.iter_mut().zip(d).zip(jar) {
        *force = -(d * jar);
    }
    struct Cost;
    impl Terms<2, 1> for Cost {
        #[inline(always)]
        fn terms<V: Lanes>([d, jar]: [V; 2]) -> [V; 1] {
            [(d * jar) * jar]
        }
    }
    let [cost] = sums::<Cost, 2, 1>([d, jar]);
    0.5 * cost
}

/// Force, state and cost of an elliptic contact: top zone (satisfied), bottom zone (quadratic) or
/// middle zone (cone). `dim` is the number of its rows.
#[inline(always)]
fn update_cone(
    contact: &ContactRows,
    dim: usize,
    d: &[f64],
    jar: &[f64],
    force: &mut [f64],
    hessian: Option<&mut [f64; 36]>,
) -> (ConstraintState, f64) {
    let ContactRows { mu, ref friction, .. } = *contact;
    // map to the regular dual cone: U = (μ jar₀, friction ∘ jar₁…)
    let mut u = [0.0; 6];
    u[0] = jar[0] * mu;
    for j in 1..dim {
        u[j] = jar[j] * friction[j - 1];
    }
    let n = u[0];
    let t = norm(&u[1..dim]);
    if n >= mu * t || (t <= 0.0 && n >= 0.0) {
        force.fill(0.0);
        return (ConstraintState::Satisfied, 0.0);
    }
    if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) {
        let mut cost = 0.0;
        for j in 0..dim {
            force[j] = -d[j] * jar[j];
            cost += 0.5 * d[j] * jar[j] * jar[j];
        }
        return (ConstraintState::Quadratic, cost);
    }
    // middle zone: cost ½ dm (N − μT)²
    let dm = d[0] / (mu * mu * (1.0 + mu * mu));
    let nmt = n - mu * t;
    force[0] = -dm * nmt * mu;
    for j in 1..dim {
        force[j] = -force[0] / t * u[j] * friction[j - 1];
    }
    if let Some(h) = hessian {
        cone_hessian(contact, dim, &u, t, dm, h);
    }
    (ConstraintState::Cone, 0.5 * dm * nmt * nmt)
}

/// Hessian of the middle-zone cost `½ dm (N − μT)²` with respect to `jar`: differentiated with
/// respect to `U`, then scaled by `diag(μ, friction)` on both sides.
#[inline(always)]
fn cone_hessian(
    contact: &ContactRows,
    dim: usize,
    u: &[f64; 6],
    t: f64,
    dm: f64,
    h: &mut [f64; 36],
) {
    let ContactRows { mu, ref friction, .. } = *contact;
    let n = u[0];
    let scale = |k: usize| if k == 0 { mu } else { friction[k - 1] };
    let curvature = mu * n / (t * t * t);
    for k in 0..dim {
        for j in k..dim {
            let mut value = match (k, j) {
                (0, 0) => 1.0,
                (0, _) => -mu / t * u[j],
                _ => curvature * u[j] * u[k],
            };
            if k == j && k > 0 {
                value += mu * mu - mu * n / t;
            }
            value *= dm * scale(k) * scale(j);
            h[k * dim + j] = value;
            h[j * dim + k] = value;
        }
    }
}
