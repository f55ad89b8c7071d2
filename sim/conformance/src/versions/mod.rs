//! Compares three engines with each other on every model of a folder: the reference release of MuJoCo,
//! another release, and ours. The result is a [`page`] of Markdown.
//!
//! The other release records the same states as the reference, so that the two recordings can be compared
//! with each other and both with our engine.

mod page;
mod reasons;

pub use page::page;

use crate::compare::{self, Outcome, Releases};
use crate::live::{self, Session};
use crate::{Archive, Oracle, OracleError, Overrides, REFERENCE, Recording};
use rayon::prelude::*;
use serde_json::Value;
use sim_core::Stage;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Options of a comparison.
#[derive(Debug, Clone)]
pub struct Options {
    /// Files and folders of models.
    pub paths: Vec<PathBuf>,
    /// The other release.
    pub version: String,
    /// Contents of the recordings.
    pub recording: Recording,
    /// Folder of temporary archives.
    pub temp: PathBuf,
}

/// Error of a comparison.
#[derive(Debug, thiserror::Error)]
pub enum VersionsError {
    /// An oracle is missing.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// A path cannot be read, or a temporary file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Result of a comparison.
#[derive(Debug, Clone)]
pub struct Report {
    /// The other release.
    pub version: String,
    /// Number of states of each model.
    pub states: usize,
    /// Number of steps of each trajectory.
    pub steps: usize,
    /// The models of each path.
    pub folders: Vec<Folder>,
    /// Arrays that the other release does not have, which are not compared.
    pub skipped: BTreeSet<String>,
}

/// The models of one path.
#[derive(Debug, Clone)]
pub struct Folder {
    /// Last component of the path.
    pub name: String,
    /// Its models, sorted by name.
    pub models: Vec<ModelReport>,
}

/// Result of one model.
#[derive(Debug, Clone)]
pub struct ModelReport {
    /// Path of the model, relative to the folder.
    pub name: String,
    /// Whether the reference, the other release and our engine load the model.
    pub loads: [bool; 3],
    /// Reference and ours, other release and ours, reference and other release; `None` if one of the two
    /// does not load the model.
    pub pairings: [Option<Pairing>; 3],
    /// Changes between the releases that explain their differences.
    pub reasons: Vec<String>,
}

/// Result of comparing two engines on one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Whether the compiled models agree.
    pub model: bool,
    /// Whether all contacts agree.
    pub contacts: bool,
    /// Whether all stages agree, including contacts.
    pub stages: bool,
    /// Whether the trajectories agree.
    pub trajectory: bool,
    /// The first array that differs.
    pub first: Option<String>,
}

impl Pairing {
    /// Whether everything agrees.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.model && self.contacts && self.stages && self.trajectory
    }
}

/// Contents of the recordings of a comparison.
#[must_use]
pub fn recording(states: usize, steps: usize, seed: u64) -> Recording {
    Recording {
        states,
        steps,
        seed,
        all_integrators: false,
        parts: ["model", "stages", "trajectory"].map(String::from).to_vec(),
        smooth: false,
        overrides: Overrides::default(),
        compress: false,
        inputs: None,
    }
}

/// Compares all models below the paths.
///
/// # Errors
/// When an oracle is missing, a path cannot be read, or a temporary file cannot be written.
pub fn run(options: &Options) -> Result<Report, VersionsError> {
    let engines = Engines::new(options)?;
    let mut report = Report {
        version: options.version.clone(),
        states: options.recording.states,
        steps: options.recording.steps,
        folders: Vec::new(),
        skipped: BTreeSet::new(),
    };
    for path in &options.paths {
        let mut files = Vec::new();
        live::collect(path, &mut files)?;
        files.sort();
        let results: Vec<(ModelReport, Vec<String>)> =
            files.par_iter().map(|file| engines.compare(file, &relative(file, path))).collect();
        let mut models = Vec::new();
        for (model, skipped) in results {
            report.skipped.extend(skipped);
            models.push(model);
        }
        report.folders.push(Folder { name: last_component(path), models });
    }
    // ignored: a remaining folder only takes disk space
    let _ = fs::remove_dir_all(&options.temp);
    Ok(report)
}

/// The names of all arrays that were skipped in a report of the live mode, sorted.
#[must_use]
pub fn skipped_fields(report: &Value) -> Vec<String> {
    let files = report["files"].as_array().into_iter().flatten();
    files.flat_map(skipped_of).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The names of the arrays that were skipped in one file.
fn skipped_of(file: &Value) -> Vec<String> {
    let names = file[live::SKIPPED].as_array().into_iter().flatten();
    names.filter_map(|name| name.as_str().map(String::from)).collect()
}

/// Path of a model relative to the path that was given.
fn relative(file: &Path, path: &Path) -> String {
    let relative = file.strip_prefix(path).ok().filter(|rest| !rest.as_os_str().is_empty());
    relative.map_or_else(|| last_component(file), |rest| rest.display().to_string())
}

fn last_component(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The two releases, each compared with our engine in a session of its own, and the folders of their
/// recordings. Recordings of a model have the same name in both folders.
struct Engines {
    version: String,
    reference: (Session, PathBuf),
    other: (Session, PathBuf),
}

impl Engines {
    fn new(options: &Options) -> Result<Self, VersionsError> {
        let [reference, other] = ["reference", "other"].map(|name| options.temp.join(name));
        let recording = options.recording.clone();
        let same_states = Recording { inputs: Some(reference.clone()), ..recording.clone() };
        let session = |version: &str, recording, folder: PathBuf| {
            let session = Session::new(&Oracle::of_version(version)?, recording, &folder)?;
            Ok::<_, VersionsError>((session, folder))
        };
        Ok(Self {
            version: options.version.clone(),
            reference: session(REFERENCE, recording, reference)?,
            other: session(&options.version, same_states, other)?,
        })
    }

    /// Compares one model; also returns the names of the skipped arrays. Only the reference is compared again
    /// with a larger sample where our engine differs: most differences from another release are changes of
    /// that release, and the larger sample takes several seconds of each model.
    fn compare(&self, file: &Path, name: &str) -> (ModelReport, Vec<String>) {
        let archive_name = name.replace(std::path::MAIN_SEPARATOR, "+") + ".npz";
        let [one, two] =
            [(&self.reference, true), (&self.other, false)].map(|(engine, resample)| {
                let (session, folder) = engine;
                let archive = folder.join(&archive_name);
                (session.compare_into(file, &archive, resample), archive)
            });
        let archives = [&one.1, &two.1].map(|path| Archive::open(path).ok());
        let releases = match &archives {
            [Some(a), Some(b)] if a.loads() && b.loads() => Some(compare::releases(a, b)),
            _ => None,
        };
        let yes = |report: &Value, key: &str| report[key].as_bool().unwrap_or(false);
        let report = ModelReport {
            name: name.to_owned(),
            loads: [
                yes(&one.0, "oracle_loads"),
                yes(&two.0, "oracle_loads"),
                yes(&one.0, "we_load") || yes(&two.0, "we_load"),
            ],
            pairings: [
                with_ours(&one.0),
                with_ours(&two.0),
                releases.as_ref().map(between_releases),
            ],
            reasons: match archives.each_ref().map(Option::as_ref) {
                [Some(a), Some(b)] => reasons::of(&self.version, [a, b], releases.as_ref()),
                _ => Vec::new(),
            },
        };
        for path in [&one.1, &two.1] {
            // ignored: a remaining archive only takes disk space
            let _ = fs::remove_file(path);
        }
        (report, skipped_of(&two.0))
    }
}

/// The result of a release and our engine from the report of the live mode.
fn with_ours(report: &Value) -> Option<Pairing> {
    let yes = |key: &str| report[key].as_bool().unwrap_or(false);
    let text = |key: &str| report[key].as_str().map(String::from);
    if !yes("oracle_loads") || !(yes("we_load") || yes("broken")) {
        return None;
    }
    let [model, contacts, stages, trajectory] =
        ["model_ok", "contacts_ok", "stages_ok", "trajectory_ok"].map(yes);
    let first = if yes("broken") {
        Some("no result".to_owned())
    } else if !model {
        // "compile: geom_pos differs by …"
        text("model_first_diff").map(|text| field_of(&text).to_owned())
    } else if !stages {
        text("first_field").or_else(|| Some("no states".to_owned()))
    } else if !trajectory {
        Some("qpos, qvel".to_owned())
    } else {
        None
    };
    Some(Pairing { model, contacts, stages, trajectory, first })
}

/// The name of the array in the text of a difference, "stage: field differs by …".
fn field_of(text: &str) -> &str {
    let text = text.split(" differs by").next().unwrap_or(text);
    text.split_once(": ").map_or(text, |(_, field)| field)
}

/// The result of two releases.
fn between_releases(releases: &Releases) -> Pairing {
    let contact =
        |difference: &compare::Difference| difference.stage == Stage::Collision.function();
    let compared = |outcome: &Outcome| outcome.compared > 0;
    let contacts = compared(&releases.stages) && !releases.stages.differences.iter().any(contact);
    let first = |outcome: &Outcome| outcome.differences.first().map(|d| d.field.clone());
    let trajectory = releases.trajectory.agrees();
    Pairing {
        model: releases.model.agrees(),
        contacts,
        stages: compared(&releases.stages) && releases.stages.agrees(),
        trajectory,
        first: first(&releases.model)
            .or_else(|| first(&releases.stages))
            .or_else(|| (!trajectory).then(|| "qpos, qvel".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::{Pairing, field_of, relative, skipped_fields, with_ours};
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn skipped_fields_are_sorted_and_unique() {
        let report = json!({ "files": [
            { "skipped_fields": ["out/qM", "fn/fd.DmDq.0"] },
            { "skipped_fields": ["out/qM"] },
            {},
        ]});
        assert_eq!(skipped_fields(&report), ["fn/fd.DmDq.0", "out/qM"]);
    }

    #[test]
    fn first_difference_follows_the_pipeline() {
        let mut report = json!({
            "oracle_loads": true, "we_load": true, "model_ok": true, "contacts_ok": true,
            "stages_ok": true, "trajectory_ok": true,
        });
        let first = |report: &serde_json::Value| with_ours(report).and_then(|p| p.first);
        assert!(with_ours(&report).is_some_and(|pairing| pairing.agrees()));
        report["trajectory_ok"] = json!(false);
        assert_eq!(first(&report).as_deref(), Some("qpos, qvel"));
        report["stages_ok"] = json!(false);
        report["first_field"] = json!("ten_length");
        assert_eq!(first(&report).as_deref(), Some("ten_length"));
        report["model_ok"] = json!(false);
        report["model_first_diff"] = json!("compile: geom_pos differs by 1.0e0 (allowed …): …");
        assert_eq!(first(&report).as_deref(), Some("geom_pos"));
        report["oracle_loads"] = json!(false);
        assert_eq!(with_ours(&report), None::<Pairing>);
    }

    #[test]
    fn names_are_relative() {
        assert_eq!(relative(Path::new("a/b/c.xml"), Path::new("a")), "b/c.xml");
        assert_eq!(relative(Path::new("a/c.xml"), Path::new("a/c.xml")), "c.xml");
        assert_eq!(field_of("size: nu differs by 1"), "nu");
    }
}
