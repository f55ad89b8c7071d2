//! Tests of the solvers on random problems, with no model in sight.

mod contact;
mod degenerate;
mod islands;
mod make;
mod optimum;
mod shared_start;
mod start;
