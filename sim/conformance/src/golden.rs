//! Goldens: committed recordings of our own models, checked without running the oracle.

use crate::compare::{self, Outcome};
use crate::known::{self, KNOWN, USES};
use crate::oracle::{Oracle, OracleError, Overrides, Recording};
use crate::{Archive, home};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Result of one case.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// `model/check`.
    pub case: String,
    /// Failure messages; empty when the case passes.
    pub failures: Vec<String>,
    /// Residuals, formatted.
    pub summary: String,
}

impl Verdict {
    /// Whether the case passes.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    fn failed(case: String, failure: String) -> Self {
        Self { case, failures: vec![failure], summary: String::new() }
    }
}

/// Names of the integrators whose trajectories are recorded.
pub(crate) const INTEGRATORS: [&str; 4] = ["euler", "rk4", "implicit", "implicitfast"];

/// Contents of a golden: four random states, and trajectories of 1000 steps with every integrator.
fn recording() -> Recording {
    Recording {
        states: 4,
        steps: 1000,
        seed: 20,
        all_integrators: true,
        parts: ["model", "stages", "flags", "trajectory"].map(String::from).to_vec(),
        smooth: false,
        overrides: Overrides::default(),
        compress: true,
        inputs: None,
    }
}

/// Models whose abstract scene has a golden.
const SCENES: [&str; 15] = [
    "chains/chain_10",
    "constraints/connect_sites",
    "constraints/islands",
    "constraints/weld_bodies",
    "features/cameras_lights",
    "features/flex_cloth",
    "features/flex_solids",
    "features/mesh_inline",
    "features/sdf",
    "features/sensors_rangefinder",
    "features/skin",
    "features/tendon_wrap_sphere",
    "features/texture_material",
    "features/transmission_slidercrank",
    "robots/humanoid",
];

/// Contents of the golden of a scene: one random state with every option.
fn scene_recording() -> Recording {
    Recording { states: 1, parts: vec!["scene".to_owned()], ..recording() }
}

/// Name of the golden of a model's scene.
fn scene_golden(name: &str) -> String {
    format!("scenes/{}", name.rsplit('/').next().unwrap_or(name))
}

/// Names of our own models (`robots/humanoid`), sorted.
///
/// # Errors
/// When the folder of the models cannot be read.
pub fn models() -> io::Result<Vec<String>> {
    let folder = home().join("models");
    let mut names = names(&folder, "xml")?;
    names.extend(self::names(&folder, "urdf")?);
    names.sort();
    Ok(names)
}

/// File of a model: URDF if one with this name exists, otherwise MJCF.
fn model_path(name: &str) -> PathBuf {
    let path = home().join("models").join(name);
    let urdf = path.with_extension("urdf");
    if urdf.is_file() { urdf } else { path.with_extension("xml") }
}

fn golden_path(name: &str) -> PathBuf {
    home().join("goldens").join(name).with_extension("npz")
}

/// Relative paths, without extension, of the files below `root` with this extension. Folders named
/// `parts` hold files that are only included or attached and are skipped.
fn names(root: &Path, extension: &str) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                if path.file_name().is_none_or(|name| name != "parts") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|ext| ext == extension)
                && let Ok(relative) = path.strip_prefix(root)
            {
                found.push(relative.with_extension("").to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Checks every case whose name contains `filter`, calls `report` with each verdict and returns the
/// numbers of passed and failed cases.
///
/// # Errors
/// When the folder of the models cannot be read.
pub fn check_all(filter: &str, report: &mut dyn FnMut(&Verdict)) -> io::Result<(usize, usize)> {
    let mut seen = BTreeSet::new();
    let (mut passed, mut failed) = (0, 0);
    let mut count_and_report = |verdict: Verdict| {
        if verdict.passed() {
            passed += 1
        } else {
            failed += 1
        }
        report(&verdict);
    };
    let models = models()?;
    let selected: Vec<&String> =
        models.iter().filter(|name| filter.is_empty() || case_matches(name, filter)).collect();
    let verdicts: Vec<Vec<Verdict>> = selected.par_iter().map(|name| check(name)).collect();
    for verdict in verdicts.into_iter().flatten() {
        seen.insert(verdict.case.clone());
        if filter.is_empty() || verdict.case.contains(filter) {
            count_and_report(verdict);
        }
    }
    for (name, cases) in WITHOUT_MODEL {
        if filter.is_empty() || case_matches(name, filter) {
            for verdict in check_without_model(name, cases) {
                seen.insert(verdict.case.clone());
                if verdict.case.contains(filter) {
                    count_and_report(verdict);
                }
            }
        }
    }
    // a golden without a model and a known difference without a case are stale
    if filter.is_empty() {
        for name in names(&home().join("goldens"), "npz").unwrap_or_default() {
            let known = models.contains(&name)
                || WITHOUT_MODEL.iter().any(|(other, _)| *other == name)
                || SCENES.iter().any(|model| scene_golden(model) == name);
            if !known {
                count_and_report(Verdict::failed(name, "the golden has no model".into()));
            }
        }
        let cases = KNOWN.iter().map(|row| row.case).chain(USES.iter().map(|row| row.0));
        for case in cases.filter(|case| !seen.contains(*case)) {
            let failure = "the table of known differences names a case that does not exist";
            count_and_report(Verdict::failed(case.into(), failure.into()));
        }
    }
    Ok((passed, failed))
}

/// Compares an archive case by case.
type Cases = fn(&Archive) -> Vec<(String, Outcome)>;

/// Goldens without a model file: math functions and pairs of geoms.
const WITHOUT_MODEL: [(&str, Cases); 2] = [(FUNCTIONS, functions), (PAIRS, pairs)];
const FUNCTIONS: &str = "functions/math";
const PAIRS: &str = "functions/pairs";
/// Poses of each pair of geoms in the golden.
const POSES: usize = 56;

/// Compares the math functions; one case per family.
fn functions(archive: &Archive) -> Vec<(String, Outcome)> {
    let families = compare::math(archive).into_iter();
    families.map(|(family, outcome)| (family.to_owned(), outcome)).collect()
}

/// Compares the contacts of pairs of geoms; one case per pair of geom types.
fn pairs(archive: &Archive) -> Vec<(String, Outcome)> {
    compare::pairs(archive).into_iter().map(|pair| (pair.name, pair.outcome)).collect()
}

fn check_without_model(name: &str, cases: Cases) -> Vec<Verdict> {
    match Archive::open(&golden_path(name)) {
        Ok(archive) => cases(&archive)
            .iter()
            .map(|(case, outcome)| judge(format!("{name}/{case}"), outcome))
            .collect(),
        Err(error) => vec![Verdict::failed(
            format!("{name}/golden"),
            format!("no usable golden: {error}; record it with `cargo xtask golden {name}`"),
        )],
    }
}

/// Whether the filter can match a case of this model.
fn case_matches(model: &str, filter: &str) -> bool {
    model.contains(filter) || filter.starts_with(model) || !filter.contains('/')
}

/// Runs all checks of one model.
fn check(name: &str) -> Vec<Verdict> {
    let archive = match Archive::open(&golden_path(name)) {
        Ok(archive) => archive,
        Err(error) => {
            return vec![Verdict::failed(
                format!("{name}/golden"),
                format!("no usable golden: {error}; record it with `cargo xtask golden {name}`"),
            )];
        }
    };
    let current = fs::read(model_path(name)).map(|bytes| u64::from(crc32fast::hash(&bytes)));
    if current.ok() != archive.crc32() {
        return vec![Verdict::failed(
            format!("{name}/golden"),
            format!("the model changed after recording; run `cargo xtask golden {name}`"),
        )];
    }
    let path = model_path(name);
    let loaded = crate::parse(&path).and_then(|spec| Ok((spec.compile()?, spec)));
    let (model, spec) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            return vec![Verdict::failed(format!("{name}/load"), error.to_string())];
        }
    };
    let mut verdicts = vec![
        judge(format!("{name}/model"), &compare::model(&archive, &model)),
        judge(format!("{name}/round_trip"), &compare::round_trip(&spec, &model)),
        judge(format!("{name}/stages"), &compare::stages(&archive, &model)),
        judge(format!("{name}/functions"), &compare::functions(&archive, &model)),
    ];
    verdicts.extend(flag_case(name, &archive));
    if let Some(outcome) = compare::sleep(&archive, &model) {
        verdicts.push(judge(format!("{name}/sleep"), &outcome));
    }
    if SCENES.contains(&name) {
        let golden = scene_golden(name);
        verdicts.push(match Archive::open(&golden_path(&golden)) {
            Ok(archive) => judge(format!("{name}/scene"), &compare::scene(&archive, &model)),
            Err(error) => Verdict::failed(
                format!("{name}/scene"),
                format!("no usable golden: {error}; record it with `cargo xtask golden {golden}`"),
            ),
        });
    }
    for integrator in INTEGRATORS {
        let result = compare::trajectory(&archive, &model, integrator);
        let case = format!("{name}/trajectory_{integrator}");
        let summary = format!(
            "ratio {:.2e} at step {}, drift {:.2e}",
            result.ratio, result.step, result.drift
        );
        let failures = match &result.error {
            Some(error) => vec![error.clone()],
            None if !result.agrees() => vec![format!("exceeds the allowed drift: {summary}")],
            None => Vec::new(),
        };
        verdicts.push(Verdict { case, failures, summary });
    }
    verdicts
}

/// Checks that flipping the flag which a model is named after changes the oracle's result.
fn flag_case(name: &str, archive: &Archive) -> Option<Verdict> {
    let (_, file) = name.rsplit_once('/').unwrap_or(("", name));
    let flags = file.strip_prefix("disabled_").or(file.strip_suffix("_flag"))?;
    let mut failures = Vec::new();
    let mut summary = String::new();
    for flag in flags.split('_') {
        let change = archive.number(&format!("flag/{flag}")).unwrap_or(0.0);
        summary += &format!("{flag} changes the oracle's result by {change:.1e} ");
        if change < 1e-9 {
            failures.push(format!("flipping `{flag}` does not change the oracle's result"));
        }
    }
    Some(Verdict { case: format!("{name}/flag"), failures, summary })
}

/// Turns an outcome into a verdict, taking the table of known differences into account.
fn judge(case: String, outcome: &Outcome) -> Verdict {
    let mut failures = Vec::new();
    for difference in &outcome.differences {
        match known::find(&case, &difference.field) {
            Some(row) if difference.error <= row.bound => {}
            Some(row) => failures
                .push(format!("{difference}; the known difference is at most {:e}", row.bound)),
            None => failures.push(difference.to_string()),
        }
    }
    for row in KNOWN.iter().filter(|row| row.case == case) {
        if !outcome.differences.iter().any(|difference| difference.field == row.field) {
            failures.push(format!("{} agrees: remove its row of known differences", row.field));
        }
    }
    let rules = USES.iter().filter(|row| row.0 == case).map(|row| row.1);
    let rules: BTreeSet<&str> = rules.chain(outcome.known.keys().copied()).collect();
    for rule in rules {
        let (used, recorded) =
            (outcome.known.get(rule).copied().unwrap_or(0), known::uses(&case, rule));
        if used != recorded {
            failures.push(format!(
                "the known difference `{rule}` occurs {used} times, recorded are {recorded}"
            ));
        }
    }
    if outcome.compared == 0 {
        failures.push("nothing was compared".into());
    }
    let summary = format!(
        "{} arrays, worst {:.2e} in {}",
        outcome.compared,
        outcome.worst,
        if outcome.worst_field.is_empty() { "none" } else { &outcome.worst_field }
    );
    Verdict { case, failures, summary }
}

/// Error of recording goldens.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The oracle failed.
    #[error("{model}: {source}")]
    Oracle {
        /// The model.
        model: String,
        /// The oracle's error.
        source: OracleError,
    },
    /// Files could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Records the goldens of every model whose name contains `filter` and reports the changed arrays.
///
/// # Errors
/// When the oracle is missing or fails, or files cannot be written.
pub fn record_all(filter: &str, report: &mut dyn FnMut(&str)) -> Result<(), RecordError> {
    let failed = |model: &str| {
        let model = model.to_owned();
        move |source| RecordError::Oracle { model, source }
    };
    let oracle = Oracle::find().map_err(failed("oracle"))?;
    let mut recorder = oracle.recorder(&recording(), &std::env::temp_dir());
    let mut scenes = oracle.recorder(&scene_recording(), &std::env::temp_dir());
    let mut total = 0;
    let mut names = models()?;
    names.extend(WITHOUT_MODEL.map(|(name, _)| name.to_owned()));
    names.extend(SCENES.map(scene_golden));
    for name in names.iter().filter(|name| name.contains(filter)) {
        let out = golden_path(name);
        if let Some(folder) = out.parent() {
            fs::create_dir_all(folder)?;
        }
        let before = Archive::open(&out).ok();
        let limit = Duration::from_secs(300);
        let recorded = match name.as_str() {
            FUNCTIONS => oracle.record_functions(&out, limit),
            PAIRS => oracle.record_pairs(&out, POSES, 20, limit),
            _ => match SCENES.iter().find(|model| scene_golden(model) == *name) {
                Some(model) => scenes.record(&model_path(model), &out, limit),
                None => recorder.record(&model_path(name), &out, limit),
            },
        };
        recorded.map_err(failed(name))?;
        let size = fs::metadata(&out)?.len();
        total += size;
        let change = match (before, Archive::open(&out)) {
            (None, _) => "new".to_owned(),
            (Some(before), Ok(after)) => changes(&before, &after),
            (Some(_), Err(error)) => error.to_string(),
        };
        report(&format!("{name}: {} kB, {change}", size / 1000));
    }
    report(&format!("{:.1} MB in total", total as f64 / 1e6));
    Ok(())
}

/// Lists the arrays that differ between two recordings.
fn changes(before: &Archive, after: &Archive) -> String {
    let names: BTreeSet<&str> = before.names("").chain(after.names("")).collect();
    let changed: Vec<&str> =
        names.into_iter().filter(|name| before.get(name) != after.get(name)).collect();
    match changed.as_slice() {
        [] => "unchanged".to_owned(),
        some if some.len() <= 5 => format!("changed: {}", some.join(", ")),
        some => format!("changed: {} and {} more", some[..5].join(", "), some.len() - 5),
    }
}
