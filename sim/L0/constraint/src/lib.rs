//! Constraint solvers on plain slices, after MuJoCo's: Newton, conjugate gradients, projected
//! Gauss–Seidel and the no-slip pass.
//!
//! The primal problem is to find the acceleration `a` that minimises
//!
//! ```text
//! ½ (a − a₀)ᵀ M (a − a₀) + s(J a − aref)
//! ```
//!
//! where `a₀` is the acceleration without constraints and `s` a convex function of each row or
//! contact: quadratic for equalities, Huber's for dry friction, half a quadratic for limits and
//! pyramid edges, and the distance from a cone for elliptic contacts.
//!
//! Nothing here knows of models. A [`Problem`] lends the arrays, a [`Workspace`] keeps the memory,
//! and once it is warm nothing is allocated. Bad numbers are data: a solver given NaN or a singular
//! matrix returns and says so in [`Info`].

#[cfg(test)]
extern crate self as sim_constraint;

mod contact;
mod dual;
mod group;
mod hessian;
mod line_search;
mod noslip;
mod pgs;
mod primal;
mod problem;
mod qcqp;
mod tree;
mod update;
mod vector;
mod warm;
mod workspace;

pub use contact::{
    CGContactResult, CGSolverConfig, ContactBlock, ContactWorkspace, cg_solve_contacts,
};
pub use group::multiply_jacobian;
pub use noslip::noslip;
pub use pgs::pgs;
pub use primal::{Given, cg, newton, solve_given};
pub use problem::{
    ContactRows, Inertia, Info, Iteration, MAX_ITERATION_STATS, Params, Problem, Rows, Solution,
};
pub use update::{constraint_update, residual};
pub use warm::{solve_warm, warm_start};
pub use workspace::Workspace;
