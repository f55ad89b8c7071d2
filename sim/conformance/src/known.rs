//! Known differences from the oracle, as tables; each row has a bound and a reason.
//!
//! A difference up to its bound passes. A row whose difference no longer occurs fails the run, so that
//! it is removed.

use crate::tolerance;
use sim_core::types::GeomType;

/// An accepted difference.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Name of the case, `model/check`.
    pub case: &'static str,
    /// The field that differs.
    pub field: &'static str,
    /// The largest accepted relative difference.
    pub bound: f64,
    /// Why the difference is accepted.
    pub reason: &'static str,
}

/// Every known difference.
pub const KNOWN: &[Known] = &[
    Known {
        case: "features/disabled_damper/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
    Known {
        case: "features/disabled_damper_spring/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
    Known {
        case: "features/fluid_without_dampers/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
    Known {
        case: "features/fluid_without_passive/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
];

const DAMPED_INVERSE: &str = "MuJoCo's discrete inverse dynamics of Euler removes implicit damping \
    even when dampers are disabled, so it is not the inverse of its forward step; ours is";

/// An accepted difference in the contacts of a pair of geom types.
#[derive(Debug, Clone, Copy)]
pub struct KnownContacts {
    /// The two geom types.
    pub shapes: [GeomType; 2],
    /// Whether a difference is accepted, given the smallest contact distance here and in the oracle.
    pub accepts: fn(f64, f64) -> bool,
    /// Why the difference is accepted.
    pub reason: &'static str,
}

/// Every pair of geom types whose contacts are known to differ.
pub const CONTACTS: &[KnownContacts] = &[
    KnownContacts {
        shapes: [GeomType::Plane, GeomType::Mesh],
        accepts: same_depth,
        reason: PLANE_MESH,
    },
    KnownContacts {
        shapes: [GeomType::Plane, GeomType::Sdf],
        accepts: same_depth,
        reason: PLANE_MESH,
    },
    KnownContacts {
        shapes: [GeomType::Box, GeomType::Box],
        accepts: |ours, theirs| {
            theirs == f64::INFINITY && ours < 0.0 || theirs < ours * (1.0 + 1e-6) - 1e-9
        },
        reason: "3.8.0 misses some overlapping boxes and reports contacts deeper than the overlap; \
            3.12 fixed both and agrees with ours",
    },
];

const PLANE_MESH: &str = "3.8.0 adds neighbours of the deepest vertex in the graph of the hull; 3.13 \
    adds the vertices of the face that contains it, as we do. The deepest point is the same";

/// Whether the deepest points agree.
fn same_depth(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= tolerance::ANALYTIC * theirs.abs().max(tolerance::MIN_SCALE)
}

/// The row for a pair of geom types, if there is one.
#[must_use]
pub fn contacts(shapes: [GeomType; 2]) -> Option<&'static KnownContacts> {
    CONTACTS.iter().find(|row| row.shapes == shapes)
}

/// Fields of a compiled model that are not compared, with the reason.
pub const NOT_COMPARED: &[(&str, &str)] = &[
    ("narena", "bytes of MuJoCo's arena; Data here has no arena"),
    ("mesh_triangles", "collision representation of a mesh, an extension of MJCF"),
    ("nbuffer", "bytes of MuJoCo's model buffer"),
    ("njmax", "upper bound on constraint rows, -1 for none; arrays here grow on demand"),
    ("nconmax", "upper bound on contacts, -1 for none; arrays here grow on demand"),
];

/// The row for a case and field, if there is one.
#[must_use]
pub fn find(case: &str, field: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|row| row.case == case && row.field == field)
}
