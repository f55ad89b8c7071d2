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
/// Product of contacts and steps of a batch of MuJoCo, which limits its duration.
const MUJOCO_WORK: usize = 8000;
/// Steps of MuJoCo between the settled state and the first timed one.
const MUJOCO_WARM_UP: usize = 2;
/// Largest number of contacts for which MuJoCo is timed: beyond it, a step takes more than a second.
const MAX_MUJOCO_CONTACTS: usize = 4500;

/// Radius of a ball and half of the side of a box, m.
pub(crate) const HALF_SIZE: f64 = 0.1;
/// Distance of the walls of the container from its centre, m.
pub(crate) const WALL: f64 = 1.5;

/// Shape of the bodies of a pile.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    Ball,
    Box,
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
        Shape::Ball => format!(r#"type="sphere" size="{HALF_SIZE}""#),
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

/// Measures one pile, interleaved with MuJoCo if `oracle` is given and the pile is small enough.
fn measure(
    shape: Shape,
    count: usize,
    pool: &rayon::ThreadPool,
    oracle: Option<&Oracle>,
    temp: &Path,
) -> Result<Value, Failure> {
    let m = sim_mjcf::load_str(&pile(shape, count, None))?;
    let mut settled = m.make_data();
    pool.install(|| (0..SETTLE).try_for_each(|_| settled.step(&m)))?;
    let oracle = oracle.filter(|_| settled.ncon <= MAX_MUJOCO_CONTACTS);
    let mujoco_steps = (MUJOCO_WORK / settled.ncon.max(1)).clamp(2, TIMED);
    let mut mujoco = oracle
        .map(|oracle| {
            std::fs::create_dir_all(temp)?;
            let name = format!("pile_{shape:?}_{count}");
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
            "{shape:?} {count}: Rapier {:.2} ms, highest body at {:.2} m (ours {highest:.2} m)",
            median(&mut rapier_times),
            rapier.height(),
        );
    }
    Ok(json!({
        "shape": format!("{shape:?}"),
        "bodies": count,
        "threads": pool.current_num_threads(),
        "contacts": d.ncon,
        "iterations": iterations,
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
    let Options { balls, boxes, threads, oracle, temp } = *options;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    println!(
        "shape  bodies contacts iterations   median ms fastest ms  steps/s us/contact  MuJoCo ms  ratio"
    );
    let balls = balls.iter().map(|&count| (Shape::Ball, count));
    let boxes = boxes.iter().map(|&count| (Shape::Box, count));
    let mut results = Vec::new();
    for (shape, count) in balls.chain(boxes) {
        let result = measure(shape, count, &pool, oracle, temp)?;
        let number = |key: &str| result[key].as_f64().unwrap_or(f64::NAN);
        println!(
            "{:6} {count:6} {:8} {:10.1} {:11.2} {:10.2} {:8.1} {:10.2} {:10.1} {:6.1}",
            format!("{shape:?}"),
            result["contacts"],
            number("iterations"),
            number("ours_ms"),
            number("ours_fastest_ms"),
            1e3 / number("ours_ms"),
            number("us_per_contact"),
            number("mujoco_ms"),
            number("ratio"),
        );
        results.push(result);
    }
    Ok(json!(results))
}
