//! Tendons and their paths (mjsTendon, mjsWrap).

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
    /// MJCF element name: `spatial` or `fixed`.
    pub element: &'static str,
    /// Path elements in order.
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
    /// Spring resting length range (deadband); −1 for the length in the reference configuration.
    pub springlength: [f64; 2],
    pub width: f64,
    /// Name of the material; empty for none.
    pub material: String,
    pub margin: f64,
    /// Polynomial stiffness coefficients.
    pub stiffness: [f64; 3],
    /// Polynomial damping coefficients.
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
            // As in MuJoCo 3.8.0, a force range alone does not enable the limit.
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

/// An element of a tendon path.
#[derive(Debug, Clone)]
pub struct Wrap {
    /// Type.
    pub kind: WrapKind,
    /// Source location.
    pub origin: Origin,
}

/// Types of path elements (mjtWrap).
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub enum WrapKind {
    /// A joint position times a coefficient.
    Joint { joint: String, coef: f64 },
    /// A site that the path passes through.
    Site { site: String },
    /// A sphere or cylinder that the path wraps around, on the side of `sidesite` if not empty.
    Geom { geom: String, sidesite: String },
    /// A pulley that starts a new branch with a divided force.
    Pulley { divisor: f64 },
}
