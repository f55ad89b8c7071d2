//! Equality constraints (mjsEquality).

use super::tree::{SOLIMP, SOLREF};
use super::{DefaultId, Origin};
use sim_core::types::{EqType, NEQDATA, ObjType};

/// An equality constraint.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Equality {
    pub name: String,
    pub class: DefaultId,
    /// MJCF element name: `connect`, `weld` and so on.
    pub element: &'static str,
    pub etype: EqType,
    /// Object type of a `connect` or `weld`: bodies or sites.
    pub objtype: ObjType,
    /// Name of the first object.
    pub name1: String,
    /// Name of the second object; if empty, the world or a constant.
    pub name2: String,
    pub active: bool,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    /// `eq_data`: anchors, relative pose and torque scale, or polynomial coefficients.
    pub data: [f64; NEQDATA],
    pub origin: Origin,
}

impl Default for Equality {
    fn default() -> Self {
        let mut data = [0.0; NEQDATA];
        data[1] = 1.0;
        data[10] = 1.0;
        Self {
            name: String::new(),
            class: DefaultId(0),
            element: "connect",
            etype: EqType::Connect,
            objtype: ObjType::Unknown,
            name1: String::new(),
            name2: String::new(),
            active: true,
            solref: SOLREF,
            solimp: SOLIMP,
            data,
            origin: Origin::default(),
        }
    }
}
