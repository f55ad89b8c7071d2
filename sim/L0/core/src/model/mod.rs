//! `Model`: the compiled model.

mod table;

pub(crate) use table::Changed;
pub use table::{Model, ModelSizes};
