//! Generated kernels against the engine on the processor, on whatever device is here; without one these
//! tests fail.

mod batch;
mod compare;
mod models;
mod pairs;
mod passes;
mod stages;
