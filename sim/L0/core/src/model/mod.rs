//! The compiled model.

mod table;

pub use table::{Model, ModelSizes};
