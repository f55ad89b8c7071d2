//! The joint-space inertia matrix: building it (`mj_crb`, `mj_makeM`), factoring it
//! (`mj_factorM`), solving and multiplying with it (`mj_solveM`, `mj_mulM`).
//!
//! `M` is stored by rows in compressed form. Row `i` holds the dofs that `i` depends on, root
//! first, the diagonal last, so the pattern of an ancestor's row is a prefix of its descendants'
//! rows. Factoring as `LᵀDL` from the last row up creates no new entries.

pub(crate) mod articulated;
mod cholesky;
mod crb;
mod factor;
pub(crate) mod ldl;
pub(crate) mod lu;
mod mul;

pub use cholesky::{cholesky_in_place, cholesky_solve_in_place};
pub(crate) use crb::composite_inertias;
pub use crb::{mj_crb, mj_make_m};
pub use factor::{mj_factor_m, mj_factor_sparse, mj_solve_m, mj_solve_m2, mj_solve_sparse};
pub(crate) use factor::{solve_awake, solve_m_tree};
pub use mul::{mj_add_m, mj_full_m, mj_mul_m, mj_mul_m2};
