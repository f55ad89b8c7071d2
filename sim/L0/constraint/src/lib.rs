//! Constraint solvers on plain slices (MuJoCo's `engine_solver`): Newton, conjugate gradients,
//! projected Gauss–Seidel and the noslip post-processor.
//!
//! The primal problem is to find the acceleration `a` that minimises
//!
//! ```text
//! ½ (a − a₀)ᵀ M (a − a₀) + s(J a − aref)
//! ```
//!
//! where `a₀` is the unconstrained acceleration `qacc_smooth` and `s` is convex in each row or
//! contact: quadratic for equalities, the Huber function for dry friction, a one-sided quadratic
//! for limits and pyramid edges, and the squared distance to the friction cone for elliptic
//! contacts.
//!
//! The crate does not depend on a model: a [`Problem`] borrows the input arrays and a
//! [`Workspace`] owns all temporary memory, so that repeated solves of similar problems do not
//! allocate. Invalid numbers do not panic: a solver given NaN or a singular matrix returns and
//! reports it in [`Info`].

#[cfg(test)]
extern crate self as sim_constraint;

mod block_jacobian;
mod cone;
mod contact;
mod dual;
mod dual_blocks;
mod dual_factor;
mod dual_matrix;
mod dual_sweep;
mod hessian;
mod inertia;
mod jacobian;
mod line_search;
mod noslip;
mod parallel;
mod pgs;
mod primal;
mod primal_update;
mod problem;
mod qcqp;
mod small;
mod update;
mod vector;
mod warmstart;
mod workspace;

pub use contact::{
    CGContactResult, CGSolverConfig, ContactBlock, ContactWorkspace, cg_solve_contacts,
};
pub use jacobian::multiply_jacobian;
pub use noslip::noslip;
pub use pgs::pgs;
pub use primal::{cg, newton};
pub use problem::{
    ContactRows, Inertia, Info, Iteration, MAX_ITERATION_STATS, Params, Problem, Rows, Solution,
};
pub use update::{constraint_update, residual};
pub use warmstart::{StartCosts, solve_start, solve_warmstart, start_costs, warmstart};
pub use workspace::Workspace;
