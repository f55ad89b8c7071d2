//! Comparison of our engine with a recording, array by array.

mod constraints;
mod contacts;
mod derivatives;
mod functions;
mod math;
mod model;
mod one_step;
mod pairs;
mod releases;
mod round_trip;
mod scene;
mod scene_functions;
mod scene_input;
mod sleep;
mod solution;
mod stages;
mod structure;
mod tendons;
mod trajectory;

pub use functions::functions;
pub use math::math;
pub use model::model;
pub use one_step::{OneStep, one_step};
pub use pairs::{KINDS, PairResult, pairs};
pub use releases::{Releases, releases};
pub use round_trip::round_trip;
pub use scene::scene;
pub use sleep::sleep;
pub use stages::stages;
pub(crate) use structure::normal_error;
pub use trajectory::{Trajectory, trajectory};

use crate::{Archive, tolerance};
use std::collections::{BTreeMap, BTreeSet};

/// Fields of the state and inputs from which a step starts.
pub(crate) const STATE: [&str; 10] = [
    "qpos",
    "qvel",
    "act",
    "history",
    "qacc_warmstart",
    "ctrl",
    "qfrc_applied",
    "xfrc_applied",
    "mocap_pos",
    "mocap_quat",
];

/// A difference between two arrays.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The pipeline stage that writes the array.
    pub stage: String,
    /// The array.
    pub field: String,
    /// Largest difference, relative to the array's scale; infinite when lengths differ.
    pub error: f64,
    /// The tolerance it was compared with.
    pub tolerance: f64,
    /// The worst element and both values, formatted.
    pub detail: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: {} differs by {:.2e} (allowed {:.0e}): {}",
            self.stage, self.field, self.error, self.tolerance, self.detail
        )
    }
}

/// The result of one check: all differences in pipeline order, and the largest error.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Differences larger than their tolerance.
    pub differences: Vec<Difference>,
    /// Largest relative error of any real array.
    pub worst: f64,
    /// Name of that array.
    pub worst_field: String,
    /// Number of arrays compared.
    pub compared: usize,
    /// Number of differences that each rule of [`known`](crate::known) accepted.
    pub known: BTreeMap<&'static str, usize>,
    /// Arrays that the release of the recording does not have, which are not compared.
    pub skipped: BTreeSet<String>,
    /// Number of states at which our solver's cost is lower than the oracle's.
    pub lower_cost: usize,
}

impl Outcome {
    /// Whether everything agrees.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.differences.is_empty()
    }

    /// Whether the release of a recording has no array of this name; counts it as skipped if so.
    fn skips(&mut self, archive: &Archive, name: &str) -> bool {
        let lacks = archive.lacks(name);
        if lacks {
            self.skipped.insert(name.to_owned());
        }
        lacks
    }

    /// Counts a difference that a rule of [`known`](crate::known) accepts.
    fn accept(&mut self, rule: &'static str) {
        *self.known.entry(rule).or_default() += 1;
    }

    /// Compares reals: the largest difference relative to the oracle's largest entry.
    fn reals(&mut self, stage: &str, field: &str, tolerance: f64, ours: &[f64], theirs: &[f64]) {
        self.compared += 1;
        let tolerance = tolerance * tolerance::scale();
        if let Some(difference) = lengths(stage, field, tolerance, ours.len(), theirs.len()) {
            self.differences.push(difference);
            return;
        }
        let scale = theirs.iter().fold(tolerance::MIN_SCALE, |s, x| s.max(x.abs()));
        let (mut error, mut at) = (0.0, 0);
        for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
            let e = if a == b { 0.0 } else { ((a - b) / scale).abs() };
            // a NaN in one engine only is an infinite error
            let e = if e.is_nan() { f64::INFINITY } else { e };
            if e > error {
                (error, at) = (e, i);
            }
        }
        if error > self.worst {
            self.worst = error;
            self.worst_field = field.to_owned();
        }
        if error > tolerance {
            let detail = format!("[{at}] is {:e}, the oracle has {:e}", ours[at], theirs[at]);
            self.push(stage, field, error, tolerance, detail);
        }
    }

    /// Compares integers for equality.
    fn integers(
        &mut self,
        stage: &str,
        field: &str,
        ours: impl ExactSizeIterator<Item = f64>,
        theirs: &[f64],
    ) {
        self.compared += 1;
        if let Some(difference) = lengths(stage, field, 0.0, ours.len(), theirs.len()) {
            self.differences.push(difference);
            return;
        }
        if let Some((i, (a, b))) = ours.zip(theirs).enumerate().find(|(_, (a, b))| a != *b) {
            let detail = format!("[{i}] is {a}, the oracle has {b}");
            self.push(stage, field, (a - b).abs(), 0.0, detail);
        }
    }

    fn push(&mut self, stage: &str, field: &str, error: f64, tolerance: f64, detail: String) {
        self.differences.push(Difference {
            stage: stage.to_owned(),
            field: field.to_owned(),
            error,
            tolerance,
            detail,
        });
    }
}

fn lengths(
    stage: &str,
    field: &str,
    tolerance: f64,
    ours: usize,
    theirs: usize,
) -> Option<Difference> {
    (ours != theirs).then(|| Difference {
        stage: stage.to_owned(),
        field: field.to_owned(),
        error: f64::INFINITY,
        tolerance,
        detail: format!("{ours} elements, the oracle has {theirs}"),
    })
}
