//! Joint-space inertia matrix: construction (`mj_crb`, `mj_makeM`), factorisation (`mj_factorM`),
//! solves and products (`mj_solveM`, `mj_mulM`).
//!
//! `M` is in compressed sparse rows. Row `i` holds the ancestors of dof `i`, root first, and ends
//! with the diagonal, so that the row of an ancestor is a prefix of the rows of its descendants.
//! The factorisation `M = Lᵀ D L` from the last row to the first has no fill-in.

pub(crate) mod articulated;
mod buffers;
mod cholesky;
mod crb;
mod factor;
pub(crate) mod ldl;
pub(crate) mod lu;
mod mul;

pub(crate) use buffers::{Articulated, Triangles};
pub use cholesky::{cholesky_in_place, cholesky_solve_in_place};
pub(crate) use crb::composite_inertias;
pub use crb::{mj_crb, mj_make_m};
pub use factor::{mj_factor_m, mj_factor_sparse, mj_solve_m, mj_solve_m2, mj_solve_sparse};
pub(crate) use factor::{solve_awake, solve_m_tree};
pub use mul::{inertia_matrix, mj_add_m, mj_full_m, mj_mul_m, mj_mul_m2};
