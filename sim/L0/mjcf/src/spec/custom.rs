//! Custom data (mjsNumeric, mjsText, mjsTuple).

use super::Origin;
use sim_core::types::ObjType;

/// A custom numeric field.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Numeric {
    pub name: String,
    pub data: Vec<f64>,
    pub origin: Origin,
}

/// A custom text field.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Text {
    pub name: String,
    pub data: String,
    pub origin: Origin,
}

/// A custom tuple: a list of references to elements.
#[derive(Debug, Clone, Default)]
pub struct Tuple {
    /// Name.
    pub name: String,
    /// References.
    pub elements: Vec<TupleElement>,
    /// Source location.
    pub origin: Origin,
}

/// A reference of a [`Tuple`].
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct TupleElement {
    pub objtype: ObjType,
    pub objname: String,
    pub prm: f64,
    pub origin: Origin,
}
