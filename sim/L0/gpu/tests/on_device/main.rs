//! Generated kernels against the CPU engine, on the available device; the tests fail without one.

mod batch;
#[allow(dead_code, reason = "`main` and the command line of the example are not used")]
#[path = "../../examples/cartpole.rs"]
mod cartpole;
mod collision;
mod compare;
mod examples;
mod models;
mod rows;
mod stages;
mod tree_groups;
mod two_passes;
