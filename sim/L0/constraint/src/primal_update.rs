//! Step along the search direction and evaluation of the new point (`PrimalUpdateConstraint`, `PrimalUpdateGradient`):
//! a pass over the constraint rows, and one over the dofs. Each has two halves in a large problem, which threads share.

use crate::block_jacobian::BlockJacobian;
use crate::jacobian::{self, RowBlock};
use crate::parallel::join;
use crate::problem::{ContactRows, Problem, Solution};
use crate::update::{Part, update_part};
use crate::vector::{add_scaled, resize_to, sum_lanes};
use crate::workspace::Workspace;
use sim_simd::dispatch;
use sim_simd::lanes::{FourLanes, Lanes, with_four_lanes};
use sim_types::ConstraintState;

/// Number of dofs from which on their pass has two halves.
const MIN_PARALLEL_DOFS: usize = 6000;

/// Scalar results of an update.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Update {
    /// Total cost: constraint cost plus Gauss cost.
    pub cost: f64,
    /// Gauss cost `½ (Ma − qfrc_smooth)ᵀ (qacc − qacc_smooth)`.
    pub gauss: f64,
    /// Norm of the gradient.
    pub gradient: f64,
    pub rows: RowCounts,
}

/// Numbers of rows.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowCounts {
    /// Not satisfied.
    pub active: usize,
    /// Of elliptic contacts in the middle zone of the cone.
    pub cone: usize,
    /// Whose state changed.
    pub changed: usize,
    /// Which entered or left the quadratic state.
    pub quadratic: usize,
}

/// Moves by `alpha` along the search direction, if given, and computes forces, states, costs and the gradient there.
/// The gradient is also copied to `Mgrad`. Newton's method needs the cone Hessians; CG has its own copy of the
/// Jacobian.
#[doc(alias = "PrimalUpdateConstraint")]
#[doc(alias = "PrimalUpdateGradient")]
pub(crate) fn update<const NEWTON: bool>(
    problem: &Problem<'_>,
    alpha: Option<f64>,
    out: &mut Solution<'_>,
    work: &mut Workspace,
) -> Update {
    let Workspace { row_blocks, constant_rows, jaref, line, product, .. } = work;
    let rows = RowPass {
        problem,
        alpha,
        first: 0,
        blocks: row_blocks,
        contacts: problem.contacts,
        constant: constant_rows,
        jv: &line.jv,
        jaref,
        force: out.force,
        state: out.state,
        state_old: &mut work.state_old,
        cones: NEWTON.then_some(&mut work.cones[..]),
    };
    let qfrc = &mut *out.qfrc_constraint;
    let mut other = None;
    let (mut cost, counts);
    if let Some(middle) = middle_block(problem, row_blocks).filter(|_| NEWTON) {
        resize_to(product, qfrc.len());
        let (one, two) = rows.split(middle);
        let (one, two) = join(|| one.run_with_product(qfrc), || two.run_with_product(product));
        (cost, counts) = (one.0 + two.0, one.1.plus(&two.1));
        other = Some(&product[..]);
    } else if NEWTON || !work.block_jacobian.is_built() {
        (cost, counts) = rows.run_with_product(qfrc);
    } else {
        (cost, counts) = rows.run(|_, force| multiply(&mut work.block_jacobian, force, qfrc));
    }
    let dofs = DofPass {
        alpha,
        search: &work.search,
        mv: &line.mv,
        qfrc_smooth: problem.qfrc_smooth,
        qacc_smooth: problem.qacc_smooth,
        other,
        qacc: out.qacc,
        ma: &mut work.ma,
        qfrc_constraint: qfrc,
        grad: &mut work.grad,
        mgrad: &mut work.mgrad,
    };
    let [gauss, squared] = dofs.run();
    let gauss = 0.5 * gauss;
    cost += gauss;
    Update { cost, gauss, gradient: squared.sqrt(), rows: counts }
}

/// The block at which the rows are divided, if they are: no contact is divided, and equality and friction rows belong to
/// the first half.
fn middle_block(problem: &Problem<'_>, row_blocks: &[RowBlock]) -> Option<usize> {
    let middle = row_blocks.len() / 2;
    let is_large = jacobian::is_large(row_blocks)
        && row_blocks[middle].row >= problem.rows.ne + problem.rows.nf;
    is_large.then_some(middle)
}

fn multiply(jacobian: &mut BlockJacobian, force: &[f64], qfrc: &mut [f64]) {
    jacobian.mul_transposed(force, qfrc);
}

impl RowCounts {
    fn plus(&self, other: &Self) -> Self {
        Self {
            active: self.active + other.active,
            cone: self.cone + other.cone,
            changed: self.changed + other.changed,
            quadratic: self.quadratic + other.quadratic,
        }
    }
}

/// Consecutive rows from `first` on.
struct RowPass<'a> {
    problem: &'a Problem<'a>,
    alpha: Option<f64>,
    first: usize,
    blocks: &'a [RowBlock],
    contacts: &'a [ContactRows],
    constant: &'a [usize],
    jv: &'a [f64],
    jaref: &'a mut [f64],
    force: &'a mut [f64],
    state: &'a mut [ConstraintState],
    state_old: &'a mut [ConstraintState],
    cones: Option<&'a mut [[f64; 36]]>,
}

impl<'a> RowPass<'a> {
    /// The rows before a block, and the others.
    fn split(self, block: usize) -> (Self, Self) {
        let (blocks, blocks2) = self.blocks.split_at(block);
        let first = blocks2[0].row;
        let contacts = self.contacts.partition_point(|contact| contact.row < first);
        let (contacts, contacts2) = self.contacts.split_at(contacts);
        let (cones, cones2) = self.cones.map(|cones| cones.split_at_mut(contacts.len())).unzip();
        let (jv, jv2) = self.jv.split_at(first);
        let (jaref, jaref2) = self.jaref.split_at_mut(first);
        let (force, force2) = self.force.split_at_mut(first);
        let (state, state2) = self.state.split_at_mut(first);
        let (state_old, state_old2) = self.state_old.split_at_mut(first);
        let second = Self {
            first,
            blocks: blocks2,
            contacts: contacts2,
            constant: &[],
            jv: jv2,
            jaref: jaref2,
            force: force2,
            state: state2,
            state_old: state_old2,
            cones: cones2,
            ..self
        };
        (Self { blocks, contacts, jv, jaref, force, state, state_old, cones, ..self }, second)
    }

    /// [`run`](Self::run), and `Jᵀ force` of these rows.
    fn run_with_product(self, qfrc: &mut [f64]) -> (f64, RowCounts) {
        let problem = self.problem;
        self.run(|blocks, force| jacobian::mul_transposed(problem, blocks, force, qfrc))
    }

    /// Returns the cost of the rows and their counts; `multiply` is called with the forces.
    fn run(self, multiply: impl FnOnce(&[RowBlock], &[f64])) -> (f64, RowCounts) {
        let Self { problem, alpha, first, blocks, contacts, constant, cones, .. } = self;
        if let Some(alpha) = alpha {
            add_scaled(self.jaref, self.jv, alpha);
            self.state_old.copy_from_slice(self.state);
        }
        let part = Part { first, contacts, constant };
        let cost = update_part(problem, part, self.jaref, self.force, self.state, cones);
        multiply(blocks, self.force);
        let (state, old) = (&*self.state, &*self.state_old);
        (cost, dispatch!(count(state: &[ConstraintState], old: &[ConstraintState]) -> RowCounts))
    }
}

/// Counts rows by their states and previous states.
#[inline(always)]
fn count(state: &[ConstraintState], old: &[ConstraintState]) -> RowCounts {
    // the counts of a chunk fit into bytes, which a SIMD vector has most of
    let mut total = RowCounts::default();
    for (state, old) in state.chunks(255).zip(old.chunks(255)) {
        let mut counts = [0u8; 4];
        for (&now, &old) in state.iter().zip(old) {
            let quadratic = |s: ConstraintState| s == ConstraintState::Quadratic;
            counts[0] += u8::from(now != ConstraintState::Satisfied);
            counts[1] += u8::from(now == ConstraintState::Cone);
            counts[2] += u8::from(now != old);
            counts[3] += u8::from(quadratic(now) != quadratic(old));
        }
        let [active, cone, changed, quadratic] = counts.map(usize::from);
        total = total.plus(&RowCounts { active, cone, changed, quadratic });
    }
    total
}

/// Consecutive dofs.
struct DofPass<'a> {
    alpha: Option<f64>,
    search: &'a [f64],
    mv: &'a [f64],
    qfrc_smooth: &'a [f64],
    qacc_smooth: &'a [f64],
    /// `Jᵀ force` of the second half of the rows.
    other: Option<&'a [f64]>,
    qacc: &'a mut [f64],
    ma: &'a mut [f64],
    qfrc_constraint: &'a mut [f64],
    grad: &'a mut [f64],
    mgrad: &'a mut [f64],
}

impl<'a> DofPass<'a> {
    /// Twice the Gauss cost, and the squared norm of the gradient.
    fn run(self) -> [f64; 2] {
        if self.qacc.len() < MIN_PARALLEL_DOFS {
            return self.run_serial();
        }
        let (one, two) = self.split();
        let (one, two) = join(|| one.run_serial(), || two.run_serial());
        [one[0] + two[0], one[1] + two[1]]
    }

    fn split(self) -> (Self, Self) {
        let middle = self.qacc.len() / 2;
        let (search, search2) = self.search.split_at(middle);
        let (mv, mv2) = self.mv.split_at(middle);
        let (qfrc_smooth, qfrc_smooth2) = self.qfrc_smooth.split_at(middle);
        let (qacc_smooth, qacc_smooth2) = self.qacc_smooth.split_at(middle);
        let (other, other2) = self.other.map(|other| other.split_at(middle)).unzip();
        let (qacc, qacc2) = self.qacc.split_at_mut(middle);
        let (ma, ma2) = self.ma.split_at_mut(middle);
        let (qfrc_constraint, qfrc_constraint2) = self.qfrc_constraint.split_at_mut(middle);
        let (grad, grad2) = self.grad.split_at_mut(middle);
        let (mgrad, mgrad2) = self.mgrad.split_at_mut(middle);
        let second = Self {
            alpha: self.alpha,
            search: search2,
            mv: mv2,
            qfrc_smooth: qfrc_smooth2,
            qacc_smooth: qacc_smooth2,
            other: other2,
            qacc: qacc2,
            ma: ma2,
            qfrc_constraint: qfrc_constraint2,
            grad: grad2,
            mgrad: mgrad2,
        };
        let first = Self {
            alpha: self.alpha,
            search,
            mv,
            qfrc_smooth,
            qacc_smooth,
            other,
            qacc,
            ma,
            qfrc_constraint,
            grad,
            mgrad,
        };
        (first, second)
    }

    fn run_serial(self) -> [f64; 2] {
        if let Some(other) = self.other {
            add_scaled(self.qfrc_constraint, other, 1.0);
        }
        match self.alpha {
            Some(alpha) => with_four_lanes(DofKernel::<true> { alpha, pass: self }),
            None => with_four_lanes(DofKernel::<false> { alpha: 0.0, pass: self }),
        }
    }
}

/// The pass over the dofs, with a step along the search direction if `STEP`.
struct DofKernel<'a, const STEP: bool> {
    alpha: f64,
    pass: DofPass<'a>,
}

/// Entries of some dofs that do not change: search direction, `M search`, `qfrc_smooth`, `qacc_smooth` and
/// `qfrc_constraint`.
type Fixed<T> = [T; 5];

/// Entries of four dofs that change: `qacc` and `Ma`.
type Moving<T> = [T; 2];

impl<const STEP: bool> DofKernel<'_, STEP> {
    /// Updates `qacc` and `Ma`. Returns the gradient and the terms of the Gauss cost.
    #[inline(always)]
    fn step<V: Lanes>(alpha: V, fixed: Fixed<V>, [qacc, ma]: &mut Moving<V>) -> [V; 2] {
        let [search, mv, qfrc_smooth, qacc_smooth, constraint] = fixed;
        if STEP {
            *qacc += alpha * search;
            *ma += alpha * mv;
        }
        let force = *ma - qfrc_smooth;
        [force - constraint, force * (*qacc - qacc_smooth)]
    }
}

impl<const STEP: bool> FourLanes for DofKernel<'_, STEP> {
    type Output = [f64; 2];

    #[inline(always)]
    fn run<V: Lanes>(self) -> [f64; 2] {
        let DofPass { search, mv, qfrc_smooth, qacc_smooth, qfrc_constraint, .. } = self.pass;
        let n = qfrc_smooth.len();
        let fixed = [search, mv, qfrc_smooth, qacc_smooth, qfrc_constraint].map(|x| &x[..n]);
        let DofPass { qacc, ma, grad, mgrad, .. } = self.pass;
        let (qacc, ma) = (&mut qacc[..n], &mut ma[..n]);
        let (grad, mgrad) = (&mut grad[..n], &mut mgrad[..n]);
        let alpha = V::splat(self.alpha);
        // the terms of the even and of the odd groups of four dofs
        let (mut sums, mut next) = ([V::zero(); 2], [V::zero(); 2]);
        for start in (0..n).step_by(4) {
            let four = start..n.min(start + 4);
            let is_full = start + 4 <= n;
            let mut at = [V::zero(); 5];
            for k in 0..5 {
                at[k] = load(&fixed[k][four.clone()], is_full);
            }
            let (qacc, ma) = (&mut qacc[four.clone()], &mut ma[four.clone()]);
            let mut moving = [load(qacc, is_full), load(ma, is_full)];
            let [gradient, gauss] = Self::step(alpha, at, &mut moving);
            if STEP {
                store(moving[0], qacc, is_full);
                store(moving[1], ma, is_full);
            }
            store(gradient, &mut grad[four.clone()], is_full);
            store(gradient, &mut mgrad[four], is_full);
            sums[0] += gauss;
            sums[1] += gradient * gradient;
            (sums, next) = (next, sums);
        }
        [sum_lanes(sums[0] + next[0]), sum_lanes(sums[1] + next[1])]
    }
}

/// Loads up to four numbers; `is_full` if there are four.
#[inline(always)]
fn load<V: Lanes>(x: &[f64], is_full: bool) -> V {
    if is_full { V::load(x) } else { V::load_padded(x) }
}

/// Stores as many lanes as `x` has entries; `is_full` if it has four.
#[inline(always)]
fn store<V: Lanes>(vector: V, x: &mut [f64], is_full: bool) {
    if is_full {
        x.copy_from_slice(vector.as_slice());
    } else {
        vector.store(x);
    }
}
