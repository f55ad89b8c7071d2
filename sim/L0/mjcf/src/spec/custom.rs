//! Data that a model carries for its users.

use super::Origin;

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
