//! Contact pairs and excluded body pairs (mjsPair, mjsExclude).

use super::tree::{SOLIMP, SOLREF};
use super::{DefaultId, Origin};

/// An explicit contact pair.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Pair {
    pub name: String,
    pub class: DefaultId,
    pub geom1: String,
    pub geom2: String,
    pub condim: i32,
    pub friction: [f64; 5],
    pub solref: [f64; 2],
    pub solreffriction: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,
    pub origin: Origin,
}

impl Default for Pair {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            geom1: String::new(),
            geom2: String::new(),
            condim: 3,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
            solref: SOLREF,
            solreffriction: [0.0; 2],
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            origin: Origin::default(),
        }
    }
}

/// A body pair whose geoms do not collide.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Exclude {
    pub name: String,
    pub body1: String,
    pub body2: String,
    pub origin: Origin,
}
