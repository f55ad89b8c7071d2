//! The benchmark program, called by `cargo xtask bench`.

use clap::{Parser, Subcommand, ValueEnum};
use serde_json::{Value, json};
use sim_bench::scene::{self, Kind, Scene};
use sim_bench::side_by_side::{self, Failure, Options};
use sim_bench::single_thread;
use sim_bench::{batch, collision, compile, count, functions, history, kinematics, lanes, piles};
use sim_conformance::{Oracle, Overrides, home};
use sim_core::types::{Cone, Integrator, SolverType};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures the throughput of scenes.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Time scenes, optionally interleaved with MuJoCo.
    Run {
        /// Scenes, or paths of MJCF and URDF files or of folders of them; all scenes if none is named.
        scenes: Vec<String>,
        /// Interleave with MuJoCo.
        #[arg(long)]
        vs_mujoco: bool,
        /// Number of environments stepped concurrently, one thread each.
        #[arg(long, default_value_t = 1)]
        threads: usize,
        /// Use this solver in both engines instead of the model's.
        #[arg(long)]
        solver: Option<Solver>,
        /// Use this friction cone in both engines instead of the model's.
        #[arg(long)]
        cone: Option<ConeName>,
        /// Use this integrator in both engines instead of the model's.
        #[arg(long)]
        integrator: Option<IntegratorName>,
        /// Write the results to this file.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Stage times of a build with feature `profile`.
        #[arg(long, value_name = "FILE")]
        stages: Option<PathBuf>,
    },
    /// Time the stages of scenes; needs the feature `profile`.
    Stages {
        /// Scenes, or paths of MJCF and URDF files; all scenes if none is named.
        scenes: Vec<String>,
        /// Write the results here.
        #[arg(long, value_name = "FILE")]
        json: PathBuf,
    },
    /// Step batches on a GPU; needs the feature `gpu`.
    #[cfg(feature = "gpu")]
    Gpu {
        /// Models; those of MuJoCo Warp's benchmarks if none is named.
        models: Vec<PathBuf>,
        /// Numbers of environments, separated by commas.
        #[arg(long, value_delimiter = ',', default_value = "8192")]
        worlds: Vec<usize>,
        /// Steps of each run.
        #[arg(long, default_value_t = 1000)]
        steps: usize,
        /// Capacity for contacts of each environment.
        #[arg(long)]
        contacts: Option<usize>,
        /// Capacity for constraint rows of each environment.
        #[arg(long)]
        rows: Option<usize>,
        /// Measure images of this width and height per second instead of steps.
        #[arg(long, value_name = "PIXELS")]
        images: Option<u32>,
        /// Step for this time with random resets and parameters, and check memory and the independence of environments,
        /// instead of measuring.
        #[arg(long, value_name = "SECONDS", conflicts_with = "images")]
        soak: Option<u64>,
        /// Write the results here.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Time steps of square cloths.
    Sheets {
        /// Numbers of vertices along a side, separated by commas.
        #[arg(long, value_delimiter = ',', default_value = "50,100,200")]
        sides: Vec<usize>,
        /// Write the results here.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Time steps of settled piles.
    Piles {
        /// Numbers of balls, separated by commas.
        #[arg(long, value_delimiter = ',', default_value = "100,300,1000,3000,5000")]
        balls: Vec<usize>,
        /// Numbers of boxes, separated by commas.
        #[arg(long, value_delimiter = ',', default_value = "100,300,1000")]
        boxes: Vec<usize>,
        /// Number of threads of a step.
        #[arg(long, default_value_t = 1)]
        threads: usize,
        /// Folder of settled states, which are read if they exist and else written.
        #[arg(long, value_name = "FOLDER")]
        states: Option<PathBuf>,
        /// Compare the accelerations with those at a tolerance of 1e-13.
        #[arg(long)]
        accuracy: bool,
        /// Interleave with MuJoCo where a step of it takes less than about a second.
        #[arg(long)]
        vs_mujoco: bool,
        /// Write the results here.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Print the ratios of all recorded races as a table.
    History {
        /// Folder of files named `*-race.json`.
        #[arg(default_value = "docs/performance")]
        folder: PathBuf,
    },
    /// Take steps of a scene, for `cargo xtask instructions`.
    #[command(hide = true)]
    Count {
        /// The scene.
        scene: String,
        /// Number of steps.
        #[arg(long)]
        steps: usize,
        /// Use this solver instead of the model's.
        #[arg(long)]
        solver: Option<Solver>,
        /// Use this friction cone instead of the model's.
        #[arg(long)]
        cone: Option<ConeName>,
        /// Use this integrator instead of the model's.
        #[arg(long)]
        integrator: Option<IntegratorName>,
    },
    /// Load one model and report the time; scenes of kind `compile` run this in a child process.
    #[command(hide = true)]
    Load {
        /// The model.
        file: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Solver {
    Pgs,
    Cg,
    Newton,
}

#[derive(Clone, Copy, ValueEnum)]
enum ConeName {
    Pyramidal,
    Elliptic,
}

#[derive(Clone, Copy, ValueEnum)]
enum IntegratorName {
    Euler,
    Rk4,
    Implicit,
    #[value(name = "implicitfast")]
    ImplicitFast,
}

fn overrides(
    solver: Option<Solver>,
    cone: Option<ConeName>,
    integrator: Option<IntegratorName>,
) -> Overrides {
    Overrides {
        solver: solver.map(|solver| match solver {
            Solver::Pgs => SolverType::Pgs,
            Solver::Cg => SolverType::Cg,
            Solver::Newton => SolverType::Newton,
        }),
        cone: cone.map(|cone| match cone {
            ConeName::Pyramidal => Cone::Pyramidal,
            ConeName::Elliptic => Cone::Elliptic,
        }),
        integrator: integrator.map(|integrator| match integrator {
            IntegratorName::Euler => Integrator::Euler,
            IntegratorName::Rk4 => Integrator::Rk4,
            IntegratorName::Implicit => Integrator::Implicit,
            IntegratorName::ImplicitFast => Integrator::ImplicitFast,
        }),
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Action::Run { scenes, vs_mujoco, threads, solver, cone, integrator, json, stages } => {
            let overrides = overrides(solver, cone, integrator);
            let options = Options { threads, overrides };
            run(&scenes, vs_mujoco, &options, json.as_deref(), stages.as_deref())
        }
        Action::Stages { scenes, json } => stages(&scenes, &json),
        #[cfg(feature = "gpu")]
        Action::Gpu { models, worlds, steps, contacts, rows, images, soak, json } => {
            let options = sim_gpu::Options { contacts, rows, checked: false, ..Default::default() };
            let soak = soak.map(std::time::Duration::from_secs);
            let run = sim_bench::gpu::Run { worlds, steps, images, soak, options };
            gpu(models, &run, json.as_deref())
        }
        Action::Sheets { sides, json } => sheets(&sides, json.as_deref()),
        Action::Piles { balls, boxes, threads, states, accuracy, vs_mujoco, json } => {
            let (balls, boxes, states) = (&balls[..], &boxes[..], states.as_deref());
            let (oracle, temp) = (None, &*temp());
            let options = piles::Options { balls, boxes, threads, oracle, states, accuracy, temp };
            time_piles(&options, vs_mujoco, json.as_deref())
        }
        Action::History { folder } => {
            history::table(&folder).map_err(Failure::from).map(|table| print!("{table}"))
        }
        Action::Count { scene, steps, solver, cone, integrator } => {
            scene::select(&[scene]).map_err(Failure::from).and_then(|scenes| {
                count::run(&scenes[0], &temp(), &overrides(solver, cone, integrator), steps)
            })
        }
        Action::Load { file } => compile::once(&file).map(|report| println!("{report}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The models of MuJoCo Warp's benchmarks.
#[cfg(feature = "gpu")]
const WARP_MODELS: [&str; 3] = [
    "warp_benchmarks/humanoid.xml",
    "warp_benchmarks/three_humanoids.xml",
    "menagerie/franka_emika_panda/scene.xml",
];

#[cfg(feature = "gpu")]
fn gpu(
    mut models: Vec<PathBuf>,
    run: &sim_bench::gpu::Run,
    json_file: Option<&std::path::Path>,
) -> Result<(), Failure> {
    if models.is_empty() {
        models = WARP_MODELS.iter().map(|name| scene::corpus().join(name)).collect();
    }
    let results = sim_bench::gpu::run(&models, run)?;
    if let Some(path) = json_file {
        std::fs::write(path, serde_json::to_string_pretty(&results)?)?;
    }
    Ok(())
}

fn sheets(sides: &[usize], json_file: Option<&std::path::Path>) -> Result<(), Failure> {
    let results = sim_bench::sheets::run(sides)?;
    if let Some(path) = json_file {
        std::fs::write(path, serde_json::to_string_pretty(&results)?)?;
    }
    Ok(())
}

fn time_piles(
    options: &piles::Options<'_>,
    vs_mujoco: bool,
    json_file: Option<&std::path::Path>,
) -> Result<(), Failure> {
    let oracle = vs_mujoco.then(Oracle::find).transpose()?;
    let results = piles::run(&piles::Options { oracle: oracle.as_ref(), ..*options })?;
    if let Some(path) = json_file {
        std::fs::write(path, serde_json::to_string_pretty(&results)?)?;
    }
    Ok(())
}

fn temp() -> PathBuf {
    home().join("../../target/bench")
}

fn run(
    names: &[String],
    vs_mujoco: bool,
    options: &Options,
    json_file: Option<&std::path::Path>,
    stages: Option<&std::path::Path>,
) -> Result<(), Failure> {
    let scenes = scene::select(names)?;
    let is_sorted = scenes.iter().any(Scene::is_optional);
    let oracle = vs_mujoco.then(Oracle::find).transpose()?;
    let stages: Value = match stages {
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
        None => Value::Null,
    };
    let width = scenes.iter().map(|scene| scene.name.len()).fold(22, usize::max);
    println!(
        "{:width$} {:>5} {:>12} {:>12} {:>7} {:>8} {:>10} {:>8} {:>9} {:>11}",
        "scene",
        "nv",
        "ours/s",
        "mujoco/s",
        "ratio",
        "fastest",
        "µs/step",
        "spread",
        "ours MiB",
        "mujoco MiB"
    );
    let mut results = Vec::new();
    for scene in scenes {
        if let Some(file) = scene.missing() {
            println!("{:width$} skipped: no {}; set SIM_CORPUS", scene.name, file.display());
            continue;
        }
        let mut result = match measure(&scene, oracle.as_ref(), options) {
            Ok(result) => result,
            Err(error) if scene.is_optional() => {
                let text = error.to_string();
                println!(
                    "{:width$} skipped: {}",
                    scene.name,
                    text.lines().next().unwrap_or_default()
                );
                continue;
            }
            Err(error) => return Err(format!("{}: {error}", scene.name).into()),
        };
        if stages[scene.name].is_object() {
            result["stages_us"] = stages[scene.name].clone();
        }
        match scene.kind {
            Kind::Stages | Kind::Constraint | Kind::Collision | Kind::Rays | Kind::Kinematics => {
                print_stages(&result)
            }
            Kind::Steps(_) | Kind::Compile => print(&result, width),
            Kind::Batch { .. } => {
                print(&result, width);
                print_batch(&result);
            }
            Kind::Lanes { .. } => {
                print(&result, width);
                print_lanes(&result);
            }
        }
        results.push(result);
    }
    if is_sorted {
        results.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        println!("\nworst first:");
        results.iter().for_each(|result| print(result, width));
    }
    print_means(&results, width);
    if let Some(path) = json_file {
        std::fs::write(path, serde_json::to_string_pretty(&results)?)?;
    }
    Ok(())
}

/// Measures a scene.
fn measure(scene: &Scene, oracle: Option<&Oracle>, options: &Options) -> Result<Value, Failure> {
    let temp = temp();
    let measure = match scene.kind {
        Kind::Steps(_) => return side_by_side::measure(scene, oracle, options, &temp),
        Kind::Compile => compile::measure,
        Kind::Stages | Kind::Constraint => {
            let measure = || functions::measure(scene, oracle, options.threads, &temp);
            // an error of this type cannot leave the thread
            let result = single_thread()?.install(|| measure().map_err(|error| error.to_string()));
            return Ok(result?);
        }
        Kind::Collision | Kind::Rays => collision::measure,
        Kind::Batch { .. } => batch::measure,
        Kind::Lanes { .. } => lanes::measure,
        Kind::Kinematics => kinematics::measure,
    };
    measure(scene, oracle, options.threads, &temp)
}

/// The ratio to MuJoCo's speed; infinite without MuJoCo.
fn ratio(result: &Value) -> f64 {
    result["ratio"].as_f64().unwrap_or(f64::INFINITY)
}

/// Prints the geometric means of the ratios if there is more than one.
fn print_means(results: &[Value], width: usize) {
    let mean = |key: &str| {
        let logs: Vec<f64> = results.iter().filter_map(|r| Some(r[key].as_f64()?.ln())).collect();
        (logs.len() > 1).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    };
    if let Some(ratio) = mean("ratio") {
        let fastest = mean("ratio_of_fastest").map_or("-".to_owned(), |x| format!("{x:.2}"));
        println!("{:width$} {:31} {ratio:>7.2} {fastest:>8}", "geometric mean", "");
    }
}

/// Prints our time, MuJoCo's time and their ratio for each stage.
fn print_stages(result: &Value) {
    let none = serde_json::Map::new();
    let number = |table: &str, stage: &str, digits: usize| match result[table][stage].as_f64() {
        Some(x) => format!("{x:.digits$}"),
        None => "-".to_owned(),
    };
    for stage in result["stages_us"].as_object().unwrap_or(&none).keys() {
        println!(
            "{:22} {:>14} {:>10} µs {:>10} µs {:>7}",
            result["scene"].as_str().unwrap_or(""),
            stage,
            number("stages_us", stage, 3),
            number("mujoco_stages_us", stage, 3),
            number("stage_ratios", stage, 2),
        );
    }
}

/// Prints the speed-up of a batch by threads, and its overhead over single steps.
fn print_batch(result: &Value) {
    let number = |key: &str| result[key].as_f64().unwrap_or(f64::NAN);
    println!(
        "{:22} rollout: {:.2} × one thread ({:.2} by the fastest rounds); BatchSim: {:.2} × one \
         thread, {:.1} % overhead over single steps",
        "",
        number("times_one_thread"),
        number("times_one_thread_of_fastest"),
        number("batch_times_one_thread"),
        100.0 * number("batch_overhead"),
    );
}

/// Prints the ratios of other programs to MuJoCo's speed.
fn print_lanes(result: &Value) {
    let number = |key: &str| result[key].as_f64().unwrap_or(f64::NAN);
    println!(
        "{:22} rollout in lanes: {:.2} × our scalar engine; ratio to MuJoCo of the scalar engine \
         {:.2}, of BatchSim in lanes {:.2}",
        "",
        number("lanes_times_scalar"),
        number("scalar_ratio"),
        number("batch_ratio"),
    );
}

fn print(result: &Value, width: usize) {
    let number = |key: &str| result[key].as_f64();
    let shown = |key: &str, digits: usize| match number(key) {
        Some(x) => format!("{x:.digits$}"),
        None => "-".to_owned(),
    };
    println!(
        "{:width$} {:>5} {:>12} {:>12} {:>7} {:>8} {:>10} {:>7}% {:>9} {:>11}",
        result["scene"].as_str().unwrap_or(""),
        shown("nv", 0),
        shown("ours_steps_per_s", 0),
        shown("mujoco_steps_per_s", 0),
        shown("ratio", 2),
        shown("ratio_of_fastest", 2),
        shown("ours_us_per_step", 2),
        number("ours_spread").map_or(String::new(), |s| format!("{:.0}", 100.0 * s)),
        shown("ours_peak_mib", 1),
        shown("mujoco_peak_mib", 1),
    );
}

#[cfg(feature = "profile")]
fn stage_times(scene: &Scene) -> Result<Value, Failure> {
    sim_bench::stages::measure(scene, &temp())
}

#[cfg(not(feature = "profile"))]
fn stage_times(_scene: &Scene) -> Result<Value, Failure> {
    Err("timing stages requires a build with feature `profile`".into())
}

fn stages(names: &[String], path: &std::path::Path) -> Result<(), Failure> {
    let mut all = json!({});
    let chosen = scene::select(names)?;
    let has_timers = |scene: &Scene| matches!(scene.kind, Kind::Steps(_)) && !scene.is_optional();
    for scene in chosen.into_iter().filter(has_timers) {
        all[scene.name] =
            stage_times(&scene).map_err(|error| format!("{}: {error}", scene.name))?;
    }
    std::fs::write(path, serde_json::to_string_pretty(&all)?)?;
    Ok(())
}
