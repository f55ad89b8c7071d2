//! Generated kernels against the engine on the processor, on whatever device is here; without one these
//! tests fail.

mod batch;
#[allow(dead_code, reason = "a program, whose start and arguments are of no use here")]
#[path = "../../examples/cartpole.rs"]
mod cartpole;
mod compare;
mod learn;
mod models;
mod pairs;
mod passes;
mod stages;
mod teams;
