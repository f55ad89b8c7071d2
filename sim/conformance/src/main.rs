//! The conformance program, called by `cargo xtask conformance` and `cargo xtask golden`.

mod arguments;

#[cfg(feature = "gpu")]
use arguments::Part;
use arguments::{Action, Arguments, Check, Versions, overrides};
use clap::Parser;
use serde_json::Value;
use sim_conformance::{
    Archive, Oracle, REFERENCE, Recording, compare, convex, golden, home, hulls, live, random,
    versions,
};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Action::Check(check) => match check.random {
            Some(count) => check_random(&check, count),
            None if check.live.is_empty() => check_goldens(&check.filter),
            None => check_live(&check),
        },
        Action::Golden { filter } => record(&filter),
        Action::Pairs { poses, seed, show } => check_pairs(poses, seed, show),
        Action::Convex { filter, poses, seed, time } => check_convex(&filter, poses, seed, time),
        Action::Hulls { paths, meshes, seed, record } => {
            let temp = home().join(format!("../../target/hulls-{}", std::process::id()));
            let options = hulls::Options { sets: meshes, seed, paths, temp };
            if record { record_hulls(&options) } else { check_hulls(&options) }
        }
        Action::Versions(options) => compare_versions(&options),
        #[cfg(feature = "render")]
        Action::Images { golden: true, .. } => record_images(),
        #[cfg(feature = "render")]
        Action::Images { paths, models, sheet, json, .. } => {
            let temp = home().join(format!("../../target/images-{}", std::process::id()));
            let options = sim_conformance::images::Options { paths, models, sheet, temp };
            check_images(&options, json.as_deref())
        }
        #[cfg(feature = "gpu")]
        Action::Gpu { paths, states, steps, only, one_lane, json } => {
            let support_only = matches!(only, Some(Part::Model));
            let run = sim_conformance::gpu::Run { paths, states, steps, support_only, one_lane };
            check_gpu(&run, json.as_deref())
        }
        Action::Soak { steps, seed } => soak(steps, seed),
        Action::CompareFiles { smooth, solver, cone } => {
            live::serve(smooth, overrides(solver, cone)).map(|()| true).map_err(Into::into)
        }
    };
    match result {
        Ok(agrees) => ExitCode::from(u8::from(!agrees)),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

type Outcome = Result<bool, Box<dyn std::error::Error>>;

#[cfg(feature = "render")]
fn record_images() -> Outcome {
    let temp = home().join(format!("../../target/images-{}", std::process::id()));
    let count = sim_conformance::image_golden::record(&Oracle::find()?, &temp)?;
    println!("recorded {count} images");
    Ok(true)
}

/// Prints the totals of a comparison of images; fails unless all models are within the bounds.
#[cfg(feature = "render")]
fn check_images(
    options: &sim_conformance::images::Options,
    json: Option<&std::path::Path>,
) -> Outcome {
    let report = sim_conformance::images::run(&Oracle::find()?, options)?;
    if let Some(path) = json {
        std::fs::write(path, format!("{report:#}"))?;
    }
    let totals = &report["totals"];
    println!("{}: {totals:#}", report["adapter"].as_str().unwrap_or_default());
    let all = |key: &str| totals[key] == totals["models"];
    let mean = totals["mean_color"].as_f64().unwrap_or(f64::INFINITY);
    Ok(["segmentation_ok", "depth_ok", "color_ok"].iter().all(|key| all(key)) && mean <= 4.0)
}

/// Prints the totals of a comparison on the GPU; fails unless all models that run agree.
#[cfg(feature = "gpu")]
fn check_gpu(run: &sim_conformance::gpu::Run, json: Option<&std::path::Path>) -> Outcome {
    let report = sim_conformance::gpu::run(run)?;
    if let Some(path) = json {
        std::fs::write(path, format!("{report:#}"))?;
    }
    let totals = &report["totals"];
    println!("{}: {totals:#}", report["adapter"].as_str().unwrap_or_default());
    Ok(run.support_only || totals["stages_ok"] == totals["gpu_runs"])
}

fn check_goldens(filter: &str) -> Outcome {
    let residuals = std::env::var_os("SIM_TOL_SCALE").is_some();
    let (passed, failed) = golden::check_all(filter, &mut |verdict| {
        if !verdict.passed() {
            println!("FAIL {}", verdict.case);
            for failure in verdict.failures.iter().take(10) {
                println!("     {failure}");
            }
        }
        if residuals {
            println!("{:50} {}", verdict.case, verdict.summary);
        }
    })?;
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0 && passed > 0)
}

fn check_pairs(poses: usize, seed: u64, show: usize) -> Outcome {
    let folder = home().join(format!("../../target/conformance-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("pairs.npz");
    let limit = Duration::from_secs(600);
    let recorded = Oracle::find()?.record_pairs(&out, poses, seed, limit);
    let archive = recorded
        .map_err(Box::<dyn std::error::Error>::from)
        .and_then(|()| Archive::open(&out).map_err(Box::<dyn std::error::Error>::from));
    std::fs::remove_dir_all(&folder)?;
    let results = compare::pairs(&archive?);
    println!(
        "{:16} {:>6} {:>8} {:>6} {:>5} {:>6} {:>9} {:>9} {:>9}",
        "pair", "poses", "contacts", "counts", "differ", "known", "dist", "pos", "frame"
    );
    let mut agree = !results.is_empty();
    for pair in &results {
        let counts: usize = pair.miscounted.iter().sum();
        let differing: usize = pair.differing.iter().sum();
        let [dist, pos, frame] = pair.worst;
        println!(
            "{:16} {:6} {:8} {counts:6} {differing:6} {:6} {dist:9.1e} {pos:9.1e} {frame:9.1e}",
            pair.name,
            pair.poses,
            pair.contacts,
            pair.outcome.known.values().sum::<usize>()
        );
        for (kind, name) in compare::KINDS.iter().enumerate() {
            let (counts, differing) = (pair.miscounted[kind], pair.differing[kind]);
            if counts + differing > 0 {
                println!("    {name}: {counts} different counts, {differing} above tolerance");
            }
        }
        for difference in pair.outcome.differences.iter().take(show) {
            println!("    {difference}");
        }
        agree &= pair.outcome.agrees();
    }
    Ok(agree)
}

fn soak(steps: usize, seed: u64) -> Outcome {
    let reports = sim_conformance::soak::run(steps, seed)?;
    for r in &reports {
        let verdict = if r.passed() { "passed" } else { "FAILED" };
        let memory =
            r.memory.map_or(String::new(), |(early, late)| format!(", {early} to {late} kB"));
        println!(
            "{:10} {verdict}: {} steps, {:.0} steps/s, up to {} contacts{memory}, \
             {} non-finite states, warnings {:?}{}",
            r.name,
            r.steps,
            r.rate,
            r.contacts,
            r.not_finite,
            r.warnings,
            r.error.as_ref().map_or(String::new(), |error| format!(", {error}"))
        );
    }
    Ok(reports.iter().all(sim_conformance::soak::Report::passed))
}

fn check_hulls(options: &hulls::Options) -> Outcome {
    let report = hulls::run(&Oracle::find()?, options)?;
    for (case, why) in report.different.iter().take(20) {
        println!("FAIL {case}: {why}");
    }
    let [equal, all] = report.equal_normals;
    println!(
        "{} identical, {} without a hull in both, {} rejected by both, {} different; \
         {equal} of {all} polygon normals within {:.0e}",
        report.identical,
        report.failed_in_both,
        report.rejected_by_both,
        report.different.len(),
        hulls::NORMAL
    );
    let [ours, theirs] = report.seconds;
    if report.timed > 0 {
        println!(
            "hulls and polygons of {} files: {ours:.3} s, oracle {theirs:.3} s, {:.2} times as fast",
            report.timed,
            theirs / ours
        );
    }
    Ok(report.agrees())
}

fn record_hulls(options: &hulls::Options) -> Outcome {
    let text = hulls::expectations(&Oracle::find()?, &options.temp)?;
    std::fs::write(hulls::expectations_path(), text)?;
    Ok(true)
}

fn record(filter: &str) -> Outcome {
    golden::record_all(filter, &mut |line| println!("{line}"))?;
    Ok(true)
}

fn check_convex(filter: &str, poses: usize, seed: u64, time: bool) -> Outcome {
    let folder = home().join(format!("../../target/convex-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    Oracle::find()?.record_convex(&folder, poses, seed, filter, time, Duration::from_secs(3600))?;
    let reports = convex::compare_folder(&folder);
    // ignored: a remaining folder only takes disk space
    let _ = std::fs::remove_dir_all(&folder);
    let reports = reports?;
    println!(
        "{:28} {:>6} {:>7} {:>6} {:>5} {:>5} {:>8} {:>8} {:>8} {:>5} {:>8}",
        "pair",
        "poses",
        "contact",
        "count",
        ">1e-9",
        ">1e-5",
        "|dist|",
        "|pos|",
        "|normal|",
        "query",
        "|dist|"
    );
    for r in &reports {
        let [dist, pos, normal] = r.worst;
        println!(
            "{:28} {:6} {:7} {:6} {:5} {:5} {dist:8.1e} {pos:8.1e} {normal:8.1e} {:5} {:8.1e}",
            r.name,
            r.poses,
            r.in_contact,
            r.miscounted,
            r.above_1e9,
            r.above_1e5,
            r.distance_above_1e9,
            r.distance_worst
        );
        if time {
            let [ours, theirs] = r.seconds.map(|s| 1e6 * s);
            println!("    {ours:.2} µs, oracle {theirs:.2} µs: {:.2} times as fast", theirs / ours);
        }
        if let Some(example) = &r.example {
            println!("    {example}");
        }
    }
    Ok(!reports.is_empty() && reports.iter().all(convex::PairReport::agrees))
}

/// Contents of the recordings of a live run.
fn recording(check: &Check, parts: &[&str]) -> Recording {
    Recording {
        states: check.states,
        steps: check.steps,
        seed: check.seed,
        all_integrators: check.all_integrators,
        smooth: check.smooth,
        overrides: overrides(check.solver, check.cone),
        parts: parts.iter().map(ToString::to_string).collect(),
        compress: false,
        inputs: None,
    }
}

/// Folder of the temporary files of this process.
fn temporary() -> PathBuf {
    home().join(format!("../../target/conformance-{}", std::process::id()))
}

fn check_random(check: &Check, count: usize) -> Outcome {
    let parts = match check.only {
        None => vec!["model", "stages", "steps", "trajectory"],
        Some(part) => part.names(),
    };
    let (oracle, recording) = (Oracle::find()?, recording(check, &parts));
    let numbers = check.skip..check.skip.saturating_add(count as u64);
    let (temp, seed) = (temporary(), check.seed);
    let models = random::Models::generate(&oracle, recording, &temp, numbers, seed, check.flex)?;
    let report = models.compare();
    if let Some(path) = &check.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)?)?;
    }
    let agree = print_live(&report, &parts);
    if let Some(keep) = &check.keep {
        models.keep(&report, keep, |file| disagreement(file, &parts))?;
    }
    Ok(agree)
}

fn check_live(check: &Check) -> Outcome {
    let parts = match check.only {
        None => vec!["model", "stages", "trajectory"],
        Some(part) => part.names(),
    };
    let oracle = Oracle::of_version(&check.oracle)?;
    let report = live::run(&oracle, recording(check, &parts), &temporary(), &check.live)?;
    if let Some(path) = &check.json {
        std::fs::write(path, serde_json::to_string_pretty(&report)?)?;
    }
    let agrees = print_live(&report, &parts);
    if check.oracle == REFERENCE {
        return Ok(agrees);
    }
    let skipped = versions::skipped_fields(&report);
    println!(
        "not compared, because {} does not have them or has another default: {}",
        check.oracle,
        skipped.join(" ")
    );
    Ok(true)
}

fn compare_versions(options: &Versions) -> Outcome {
    let report = versions::run(&versions::Options {
        paths: options.paths.clone(),
        version: options.oracle.clone(),
        recording: versions::recording(options.states, options.steps, options.seed),
        temp: temporary(),
    })?;
    let page = versions::page(&report);
    match &options.output {
        Some(path) => std::fs::write(path, page)?,
        None => print!("{page}"),
    }
    Ok(true)
}

/// Prints a line for each file that differs, and the totals; returns whether all files agree.
fn print_live(report: &Value, parts: &[&str]) -> bool {
    let none = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    for file in report["files"].as_array().unwrap_or(&none) {
        match disagreement(file, parts) {
            None if file["oracle_error"].is_string() => {
                println!("not comparable: {}: {}", file["path"], file["oracle_error"]);
            }
            None => passed += 1,
            Some(why) => {
                failed += 1;
                println!("FAIL {}: {why}", file["path"].as_str().unwrap_or("?"));
            }
        }
    }
    println!("{}", report["totals"]);
    println!("{passed} passed, {failed} failed");
    failed == 0 && passed > 0
}

/// The first difference of a file from the oracle, in one line.
fn disagreement(file: &Value, parts: &[&str]) -> Option<String> {
    let yes = |key: &str| file[key].as_bool().unwrap_or(false);
    let text = |key: &str| file[key].as_str().map(|s| s.lines().next().unwrap_or("").to_owned());
    match (yes("oracle_loads"), yes("we_load")) {
        _ if yes("broken") => text("our_error").or_else(|| text("oracle_error")),
        // the oracle crashed or did not finish
        (false, _) if file["oracle_error"].is_string() => None,
        (false, false) => None,
        (false, true) => Some("the oracle rejects it, we load it".into()),
        (true, false) => Some(text("our_error").unwrap_or_else(|| "we reject it".into())),
        (true, true) => {
            let wants = |part: &str| parts.contains(&part);
            if wants("model") && !yes("model_ok") {
                text("model_first_diff")
            } else if file["oracle_error"].is_string() {
                None
            } else if wants("stages") && !yes("stages_ok") {
                text("stages_detail")
            } else if wants("steps") && !yes("steps_ok") {
                let [differing, compared] = ["steps_differing", "steps_compared"].map(|k| &file[k]);
                Some(format!(
                    "{differing} of {compared} steps differ, ratio {}",
                    file["steps_ratio"]
                ))
            } else if wants("scene") && !yes("scene_ok") {
                text("scene_detail")
            } else if wants("trajectory") && !yes("trajectory_ok") {
                Some(
                    text("trajectory_error").unwrap_or_else(|| {
                        format!("trajectory ratio {}", file["trajectory_ratio"])
                    }),
                )
            } else {
                None
            }
        }
    }
}
