//! Data that a model carries for its users.

use super::Origin;
use sim_core::types::ObjType;

/// Named numbers.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Numeric {
    pub name: String,
    pub data: Vec<f64>,
    pub origin: Origin,
}

/// Named text.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Text {
    pub name: String,
    pub data: String,
    pub origin: Origin,
}

/// A named list of references to other elements.
#[derive(Debug, Clone, Default)]
pub struct Tuple {
    /// Name.
    pub name: String,
    /// What it refers to.
    pub elements: Vec<TupleElement>,
    /// Where it was defined.
    pub origin: Origin,
}

/// One reference of a [`Tuple`].
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct TupleElement {
    pub objtype: ObjType,
    pub objname: String,
    pub prm: f64,
    pub origin: Origin,
}
