//! Tests of the loader through its public API.

mod compile;
mod errors;
mod hostile;
mod include;
mod relations;
