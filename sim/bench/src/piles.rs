//! Times steps of settled piles of balls and boxes of different sizes.

#[cfg(feature = "rapier")]
use crate::rapier::Pile;
use crate::side_by_side::{Failure, Mujoco, median};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use sim_core::types::StepError;
use sim_core::{Data, Model};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Bodies in one layer of the initial grid, and the distance of their centres, m.
const LAYER: usize = 100;
const SPACING: f64 = 0.25;
/// Steps in which a pile settles.
const SETTLE: usize = 1500;
/// Number of timed steps from the same state, and the number of repetitions.
const TIMED: usize = 20;
const REPETITIONS: usize = 5;
/// Number of steps whose accelerations are compared.
const COMPARED: usize = 6;
/// Product of contacts and steps of a batch of MuJoCo, which limits its duration.
const MUJOCO_WORK: usize = 8000;
/// Steps of MuJoCo between the settled state and the first timed one.
const MUJOCO_WARM_UP: usize = 2;
/// Largest number of contacts for which MuJoCo is timed: beyond it, a step takes more than a second.
const MAX_MUJOCO_CONTACTS: usize = 4500;

/// Radius of a sphere and half of the side of a box, m.
pub(crate) const HALF_SIZE: f64 = 0.1;
/// Distance of the walls of the container from its centre, m.
pub(crate) const WALL: f64 = 1.5;

/// Shape of the bodies of a pile.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    Sphere,
    Box,
}

impl Shape {
    /// Name in results and file names.
    fn label(self) -> &'static str {
        match self {
            Self::Sphere => "Ball",
            Self::Box => "Box",
        }
    }
}

/// What piles are timed, and how.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Numbers of balls.
    pub balls: &'a [usize],
    /// Numbers of boxes.
    pub boxes: &'a [usize],
    /// Number of threads of a step.
    pub threads: usize,
    /// Interleave with MuJoCo where a pile is small enough.
    pub oracle: Option<&'a Oracle>,
    /// Folder of settled states: read if they exist, else written.
    pub states: Option<&'a Path>,
    /// Compare the accelerations with those at a tolerance of 1e-13.
    pub accuracy: bool,
    /// Folder of temporary files.
    pub temp: &'a Path,
}

/// MJCF of `count` bodies above a container of 3 m × 3 m. With a state, that becomes keyframe 0.
fn pile(shape: Shape, count: usize, state: Option<&Data>) -> String {
    let mut text = format!(
        r#"<mujoco>
<option timestep="0.005" cone="pyramidal"/>
<size memory="4G"/>
<default><geom friction="0.5 0.005 0.0001" condim="3" density="1000"/></default>
<worldbody>
<geom type="plane" size="5 5 .1"/>
<geom type="plane" size="5 5 .1" pos="{WALL} 0 0" euler="0 -90 0"/>
<geom type="plane" size="5 5 .1" pos="-{WALL} 0 0" euler="0 90 0"/>
<geom type="plane" size="5 5 .1" pos="0 {WALL} 0" euler="90 0 0"/>
<geom type="plane" size="5 5 .1" pos="0 -{WALL} 0" euler="-90 0 0"/>
"#,
    );
    let geom = match shape {
        Shape::Sphere => format!(r#"type="sphere" size="{HALF_SIZE}""#),
        Shape::Box => format!(r#"type="box" size="{HALF_SIZE} {HALF_SIZE} {HALF_SIZE}""#),
    };
    // offsets from the grid, so that columns topple
    let offset = |k: usize| 0.02 * (12.9898 * k as f64).sin();
    for k in 0..count {
        let (row, column, layer) = (k / 10 % 10, k % 10, k / LAYER);
        let x = SPACING * (column as f64 - 4.5) + offset(2 * k);
        let y = SPACING * (row as f64 - 4.5) + offset(2 * k + 1);
        let z = 0.15 + SPACING * layer as f64;
        // ignored: writing to a string cannot fail
        let _ =
            writeln!(text, r#"<body pos="{x:.6} {y:.6} {z:.6}"><freejoint/><geom {geom}/></body>"#);
    }
    text.push_str("</worldbody>\n");
    if let Some(d) = state {
        let numbers =
            |values: &[f64]| values.iter().map(|value| format!("{value:e} ")).collect::<String>();
        let (qpos, qvel) = (numbers(&d.qpos), numbers(&d.qvel));
        let _ = writeln!(text, r#"<keyframe><key qpos="{qpos}" qvel="{qvel}"/></keyframe>"#);
    }
    text.push_str("</mujoco>\n");
    text
}

/// Takes the timed steps from a state; returns the time of one step, s, and the mean number of solver iterations.
fn batch(m: &Model, start: &Data, d: &mut Data) -> Result<[f64; 2], StepError> {
    d.time = start.time;
    d.qpos.copy_from_slice(&start.qpos);
    d.qvel.copy_from_slice(&start.qvel);
    d.qacc_warmstart.copy_from_slice(&start.qacc_warmstart);
    let mut iterations = 0;
    let clock = Instant::now();
    for _ in 0..TIMED {
        d.step(m)?;
        iterations += d.solver_niter.iter().max().copied().unwrap_or(0);
    }
    let seconds = clock.elapsed().as_secs_f64();
    Ok([seconds / TIMED as f64, f64::from(iterations) / TIMED as f64])
}

/// FNV-1a hash of the bits of some numbers.
fn hash(numbers: &[f64]) -> u64 {
    let bytes = numbers.iter().flat_map(|x| x.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The state of a pile after it settled, from a file if there is one.
fn settle(m: &Model, pool: &rayon::ThreadPool, file: Option<&Path>) -> Result<Data, Failure> {
    let mut d = m.make_data();
    if let Some(file) = file.filter(|file| file.exists()) {
        let bytes = std::fs::read(file)?;
        let mut numbers = bytes.as_chunks::<8>().0.iter().map(|x| f64::from_le_bytes(*x));
        let Data { time, qpos, qvel, qacc_warmstart, .. } = &mut d;
        let mut read =
            |list: &mut [f64]| list.iter_mut().zip(&mut numbers).for_each(|(x, y)| *x = y);
        read(std::slice::from_mut(time));
        [qpos, qvel, qacc_warmstart].into_iter().for_each(|list| read(list));
        // the contacts
        d.forward(m)?;
        return Ok(d);
    }
    pool.install(|| (0..SETTLE).try_for_each(|_| d.step(m)))?;
    if let Some(file) = file {
        let numbers = [&[d.time], &d.qpos[..], &d.qvel, &d.qacc_warmstart].concat();
        std::fs::write(file, numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    Ok(d)
}

/// Prints the scaled gradient at the end of some consecutive solves and the largest error of an acceleration, relative
/// to the largest one, in comparison with a tolerance of 1e-13.
fn compare(m: &Model, start: &Data, pool: &rayon::ThreadPool) -> Result<(), StepError> {
    for tolerance in [1e-8, 1e-10] {
        let [mut coarse, mut fine] = [m.clone(), m.clone()];
        (coarse.opt.tolerance, fine.opt.tolerance) = (tolerance, 1e-13);
        let mut d = start.clone();
        let [mut gradients, mut errors] = [Vec::new(), Vec::new()];
        let mut iterations = 0;
        for _ in 0..COMPARED {
            let mut exact = d.clone();
            pool.install(|| exact.forward(&fine))?;
            pool.install(|| d.step(&coarse))?;
            let solved = d.solver_iterations(&coarse, 0);
            iterations += solved.len();
            gradients.push(solved.last().map_or(0.0, |last| last.gradient));
            let norm = exact.qacc.iter().fold(0.0, |norm: f64, x| norm.max(x.abs()));
            // the acceleration of the solver is the warm start of the next step
            let pairs = d.qacc_warmstart.iter().zip(&exact.qacc);
            errors.push(pairs.fold(0.0, |error: f64, (x, y)| error.max((x - y).abs())) / norm);
        }
        let range = |x: &mut Vec<f64>| {
            x.sort_unstable_by(f64::total_cmp);
            format!("{:.1e} to {:.1e}", x[0], x[x.len() - 1])
        };
        println!(
            "tolerance {tolerance:e}: gradient {}, error {}, {:.2} iterations",
            range(&mut gradients),
            range(&mut errors),
            iterations as f64 / COMPARED as f64
        );
    }
    Ok(())
}

/// Measures one pile, interleaved with MuJoCo if an oracle is given and the pile is small enough.
fn measure(
    shape: Shape,
    count: usize,
    pool: &rayon::ThreadPool,
    options: &Options<'_>,
) -> Result<Value, Failure> {
    let Options { oracle, temp, states, .. } = *options;
    let m = sim_mjcf::load_str(&pile(shape, count, None))?;
    let label = shape.label();
    let file = states.map(|folder| folder.join(format!("{label}_{count}.bin")));
    let settled = settle(&m, pool, file.as_deref())?;
    if options.accuracy {
        compare(&m, &settled, pool)?;
    }
    let oracle = oracle.filter(|_| settled.ncon <= MAX_MUJOCO_CONTACTS);
    let mujoco_steps = (MUJOCO_WORK / settled.ncon.max(1)).clamp(2, TIMED);
    let mut mujoco = oracle
        .map(|oracle| {
            std::fs::create_dir_all(temp)?;
            let name = format!("pile_{label}_{count}");
            let (file, out) = (temp.join(format!("{name}.xml")), temp.join(format!("{name}.npz")));
            std::fs::write(&file, pile(shape, count, Some(&settled)))?;
            let arguments =
                [format!("--batch={mujoco_steps}"), format!("--warm-up={MUJOCO_WARM_UP}")];
            Mujoco::start(
                oracle,
                "bench.py",
                &file,
                &out,
                &arguments.each_ref().map(String::as_str),
            )
        })
        .transpose()?;
    let start = mujoco.as_ref().map_or(settled, |mujoco| mujoco.state(&m).0);
    let mut d = start.clone();
    let (mut ours, mut theirs, mut iterations) = (Vec::new(), Vec::new(), 0.0);
    #[cfg(feature = "rapier")]
    let (mut rapier, mut rapier_times) =
        (pool.install(|| Pile::new(shape, &m, &start)), Vec::new());
    pool.install(|| batch(&m, &start, &mut d))?;
    for _ in 0..REPETITIONS {
        let [time, mean] = pool.install(|| batch(&m, &start, &mut d))?;
        ours.push(1e3 * time);
        iterations = mean;
        if let Some(process) = &mut mujoco {
            theirs.push(1e3 * process.request("go")? / mujoco_steps as f64);
            // one measurement suffices if a step takes more than a second
            if theirs[0] > 1e3 {
                mujoco = None;
            }
        }
        #[cfg(feature = "rapier")]
        rapier_times.push(1e3 * pool.install(|| rapier.time(TIMED)));
    }
    let time = median(&mut ours);
    let their_time = (!theirs.is_empty()).then(|| median(&mut theirs));
    #[cfg(feature = "rapier")]
    {
        let highest = start.qpos.chunks_exact(7).map(|q| q[2]).fold(0.0, f64::max);
        println!(
            "{label} {count}: Rapier {:.2} ms, highest body at {:.2} m (ours {highest:.2} m)",
            median(&mut rapier_times),
            rapier.height(),
        );
    }
    Ok(json!({
        "shape": label,
        "bodies": count,
        "threads": pool.current_num_threads(),
        "contacts": d.ncon,
        "iterations": iterations,
        "state_hash": format!("{:016x}", hash(&d.qpos)),
        "ours_ms": time,
        "ours_fastest_ms": ours[0],
        "us_per_contact": 1e3 * time / d.ncon.max(1) as f64,
        "mujoco_ms": their_time,
        "ratio": their_time.map(|their_time| their_time / time),
    }))
}

/// Times piles of these numbers of balls and boxes.
///
/// # Errors
/// When a step fails.
pub fn run(options: &Options<'_>) -> Result<Value, Failure> {
    let Options { balls, boxes, threads, .. } = *options;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    println!(
        "shape  bodies contacts iterations   median ms fastest ms  steps/s us/contact  MuJoCo ms  ratio       state hash"
    );
    let balls = balls.iter().map(|&count| (Shape::Sphere, count));
    let boxes = boxes.iter().map(|&count| (Shape::Box, count));
    let mut results = Vec::new();
    for (shape, count) in balls.chain(boxes) {
        let result = measure(shape, count, &pool, options)?;
        let number = |key: &str| result[key].as_f64().unwrap_or(f64::NAN);
        println!(
            "{:6} {count:6} {:8} {:10.1} {:11.2} {:10.2} {:8.1} {:10.2} {:10.1} {:6.1} {}",
            shape.label(),
            result["contacts"],
            number("iterations"),
            number("ours_ms"),
            number("ours_fastest_ms"),
            1e3 / number("ours_ms"),
            number("us_per_contact"),
            number("mujoco_ms"),
            number("ratio"),
            result["state_hash"].as_str().unwrap_or_default(),
        );
        results.push(result);
    }
    Ok(json!(results))
}
