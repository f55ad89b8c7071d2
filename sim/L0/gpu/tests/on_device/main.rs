//! Generated kernels against the CPU engine, on the available device; the tests fail without one.

mod batch;
mod cameras;
mod collision;
mod delays;
mod devices;
mod models;
mod rows;
mod stages;
mod two_passes;
