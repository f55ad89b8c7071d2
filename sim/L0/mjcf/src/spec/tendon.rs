//! Tendons and their paths.

use super::settings::Tri;
use super::tree::{SOLIMP, SOLREF};
use super::{DefaultId, Origin};
use std::sync::Arc;

/// A tendon.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Tendon {
    pub name: String,
    pub class: DefaultId,
    /// MJCF element it was written as: `spatial` or `fixed`.
    pub element: &'static str,
    /// What the length is made of, in order.
    pub path: Vec<Wrap>,
    pub group: i32,
    pub limited: Tri,
    pub actfrclimited: Tri,
    pub range: [f64; 2],
    pub actfrcrange: [f64; 2],
    pub solref_limit: [f64; 2],
    pub solimp_limit: [f64; 5],
    pub solref_friction: [f64; 2],
    pub solimp_friction: [f64; 5],
    pub frictionloss: f64,
    /// Lengths between which the spring is slack; −1 twice: the length at the spring reference.
    pub springlength: [f64; 2],
    pub width: f64,
    /// Name of the material; empty: none.
    pub material: String,
    pub margin: f64,
    /// Coefficients of a polynomial in the stretch.
    pub stiffness: [f64; 3],
    /// Coefficients of a polynomial in the speed.
    pub damping: [f64; 3],
    pub armature: f64,
    pub rgba: [f32; 4],
    pub user: Arc<[f64]>,
    pub origin: Origin,
}

impl Default for Tendon {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: DefaultId(0),
            element: "spatial",
            path: Vec::new(),
            group: 0,
            limited: Tri::Auto,
            // As in MuJoCo 3.8.0: a force range alone limits nothing.
            actfrclimited: Tri::False,
            range: [0.0; 2],
            actfrcrange: [0.0; 2],
            solref_limit: SOLREF,
            solimp_limit: SOLIMP,
            solref_friction: SOLREF,
            solimp_friction: SOLIMP,
            frictionloss: 0.0,
            springlength: [-1.0; 2],
            width: 0.003,
            material: String::new(),
            margin: 0.0,
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            armature: 0.0,
            rgba: [0.5, 0.5, 0.5, 1.0],
            user: Arc::default(),
            origin: Origin::default(),
        }
    }
}

/// One element of a tendon's path.
#[derive(Debug, Clone)]
pub struct Wrap {
    /// What it is.
    pub kind: WrapKind,
    /// Where it was defined.
    pub origin: Origin,
}

/// What a path element is.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub enum WrapKind {
    /// The position of a joint, times a coefficient.
    Joint { joint: String, coef: f64 },
    /// The path goes through a site.
    Site { site: String },
    /// The path goes round a sphere or cylinder, on the side of a site if one is named.
    Geom { geom: String, sidesite: String },
    /// The path goes on after a pulley that divides the force.
    Pulley { divisor: f64 },
}
