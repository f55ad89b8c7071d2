//! Tests of the solvers on random convex problems, without a model.

mod contact;
mod degenerate;
mod islands;
mod optimum;
mod random_problem;
mod start_point;
mod warmstart;
