//! Generated kernels against the CPU engine, on the available device; the tests fail without one.

mod batch;
mod cameras;
mod collision;
mod contacts;
mod delays;
mod models;
mod randomize;
mod rows;
mod sleep;
mod stages;
mod two_passes;
