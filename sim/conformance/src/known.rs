//! Known differences from the oracle: data, each with a bound and a reason.
//!
//! A difference up to its bound passes. A row whose difference has gone fails the run, so that the
//! row is removed.

use crate::tolerance;
use sim_core::types::GeomType;

/// A difference that is accepted.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The case, as the runner names it: `model/check`.
    pub case: &'static str,
    /// The field that differs.
    pub field: &'static str,
    /// The largest accepted relative difference.
    pub bound: f64,
    /// Why it is right, or why it is not mended.
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

const DAMPED_INVERSE: &str = "the reference engine's discrete inverse of Euler undoes implicit \
    damping even when dampers are disabled, so it does not invert its own forward step; ours does";

/// Contacts of a pair of shapes that differ on purpose.
#[derive(Debug, Clone, Copy)]
pub struct KnownContacts {
    /// The two shapes.
    pub shapes: [GeomType; 2],
    /// Whether a difference is the known one, from the least distance here and in the oracle.
    pub accepts: fn(f64, f64) -> bool,
    /// Why.
    pub reason: &'static str,
}

/// Every pair of shapes whose contacts are known to differ.
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
        reason: "3.8.0 misses some boxes that overlap, and finds contacts deeper than the overlap; \
            3.12 mended it, and agrees with ours",
    },
];

const PLANE_MESH: &str = "3.8.0 takes neighbours of the deepest vertex in the hull's graph; 3.13 takes \
    the corners of the face it lies on, as we do. The deepest point is the same";

/// The deepest points agree.
fn same_depth(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= tolerance::ANALYTIC * theirs.abs().max(tolerance::FLOOR)
}

/// The row for a pair of shapes, if there is one.
#[must_use]
pub fn contacts(shapes: [GeomType; 2]) -> Option<&'static KnownContacts> {
    CONTACTS.iter().find(|row| row.shapes == shapes)
}

/// Fields of a compiled model that have no meaning here, with the reason.
pub const NOT_COMPARED: &[(&str, &str)] = &[
    ("narena", "bytes of the reference engine's arena; memory here belongs to Data's arrays"),
    ("mesh_triangles", "what a mesh collides with, an attribute of our own"),
    ("nbuffer", "bytes of the reference engine's model buffer"),
    ("njmax", "a cap on constraints, -1 for none; arrays here grow as they need"),
    ("nconmax", "a cap on contacts, -1 for none; arrays here grow as they need"),
];

/// The row for a case and field, if there is one.
#[must_use]
pub fn find(case: &str, field: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|row| row.case == case && row.field == field)
}
