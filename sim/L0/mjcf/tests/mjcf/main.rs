//! Tests of the loader through its public API.

mod compile;
mod edit;
mod errors;
mod hostile;
mod include;
mod relations;
mod save;
mod vfs;
mod xpbd;
