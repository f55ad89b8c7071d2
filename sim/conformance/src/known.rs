//! Known differences from the oracle: data, each with a bound and a reason.
//!
//! A difference up to its bound passes. A row whose difference has gone fails the run, so that the
//! row is removed.

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
