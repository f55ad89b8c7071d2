//! Model, Data and the simulation pipeline.

pub mod data;
pub mod field;
pub mod model;
mod names;
mod plan;
mod set_const;

pub use data::Data;
pub use field::{FieldInfo, FieldView, Stage};
pub use model::{Model, ModelSizes};
pub use names::*;
pub use set_const::mj_set_const;
pub use sim_types as types;
