//! Integration tests: agreement with the scalar engine, determinism, support checks.

mod agreement;
mod determinism;
mod models;
mod separation;
mod support;
