//! Chains of arms: frames and Jacobian, and inverse kinematics for random poses that can be reached.

use crate::fastest::Rounds;
use crate::scene::Scene;
use crate::side_by_side::{Failure, Mujoco, median};
use serde_json::{Map, Value, json};
use sim_conformance::Oracle;
use sim_core::Model;
use sim_core::math::random::halton;
use sim_kinematics::{Chain, End, JacobianType, Outcome, Solver, Target, Workspace};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const ROUNDS: Rounds = Rounds { number: 50, seconds: 0.001, warm_up: 100 };
/// Poses that are solved for.
const TARGETS: usize = 2000;
/// Paths that are followed, and poses of each.
const PATHS: [usize; 2] = [50, 200];
/// How often each is solved; the fastest counts.
const REPEATS: usize = 5;
/// How far a warm start is from the solution: radians or metres, for each joint.
const NEAR: f64 = 0.1;

/// Times one arm; `oracle` adds the reference engine's Jacobian.
///
/// # Errors
/// When the model does not load or has no tip, or the oracle fails.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    _threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let file = scene.file(temp)?;
    let m = sim_mjcf::load_file(&file)?;
    let chain = Chain::new(&m, End::WORLD, tip(&m)?)?;
    let mut rival = match oracle {
        Some(oracle) => {
            std::fs::create_dir_all(temp.join("kinematics"))?;
            let archive = temp.join(scene.name).with_extension("npz");
            Some(Mujoco::start(oracle, "stages.py", &file, &archive, &[])?)
        }
        None => None,
    };

    let (mut cache, mut jac) = (chain.make_cache(), vec![[0.0; 6]; chain.nv()]);
    let qpos = state(&m, 1);
    let call = || {
        let _ = chain.jacobian_at(black_box(&qpos), &mut cache, JacobianType::Spatial, &mut jac);
        black_box(&jac);
    };
    let [mine, other] = ROUNDS.time(call, rival.as_mut(), "jacobian")?;
    let mut ours = Map::new();
    ours.insert("jacobian".into(), json!(mine));

    let mut arm = Arm::new(&m, &chain)?;
    let mut means = Map::new();
    let mut met = Map::new();
    for (name, start) in [("cold", None), ("reference", Some(0.0)), ("warm", Some(NEAR))] {
        let mut times = arm.solve_all(start);
        means.insert(name.into(), json!(times.iter().sum::<f64>() / times.len() as f64));
        ours.insert(name.into(), json!(median(&mut times)));
        met.insert(name.into(), json!(arm.met as f64 / TARGETS as f64));
    }
    ours.insert("trajectory".into(), json!(arm.follow_all()?));
    let (theirs, ratios) = match rival {
        Some(_) => (json!({ "jacobian": other }), json!({ "jacobian": other / mine })),
        None => (json!({}), json!({})),
    };
    Ok(json!({
        "scene": scene.name,
        "threads": 1,
        "ours_steps_per_s": null,
        "mujoco_steps_per_s": null,
        "ratio": null,
        "ours_us_per_step": null,
        "stages_us": ours,
        "mujoco_stages_us": theirs,
        "stage_ratios": ratios,
        "means_us": means,
        "met": met,
        "ncon": 0,
        "nefc": 0,
        "nv": chain.nv(),
    }))
}

/// The tip of the arms that are timed.
fn tip(m: &Model) -> Result<End, Failure> {
    let sites = ["tcp", "grasp", "attachment_site"];
    let site = sites.into_iter().find_map(|name| End::site(m, name).ok());
    Ok(site.map_or_else(|| End::body(m, "hand"), Ok)?)
}

/// State `k` of a sequence that fills the space between limits evenly.
fn state(m: &Model, k: u32) -> Vec<f64> {
    const PRIMES: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let mut qpos = m.qpos0.clone();
    for j in 0..m.njnt {
        let limit = |at: usize, other: f64| {
            if m.jnt_limited[j] { m.jnt_range[2 * j + at] } else { other }
        };
        let (low, high) = (limit(0, -3.0), limit(1, 3.0));
        qpos[m.jnt_qposadr[j] as usize] = low + (high - low) * halton(k, PRIMES[j % PRIMES.len()]);
    }
    qpos
}

/// An arm and what its inverse kinematics needs.
struct Arm<'a> {
    m: &'a Model,
    solver: Solver,
    work: Workspace,
    /// Solutions, and poses there.
    poses: Vec<(Vec<f64>, Target)>,
    /// How many of the poses were met.
    met: usize,
}

impl<'a> Arm<'a> {
    fn new(m: &'a Model, chain: &Chain) -> Result<Self, Failure> {
        let solver = Solver::for_chain(chain.clone())?;
        let mut cache = chain.make_cache();
        let mut poses = Vec::new();
        for k in 1..=TARGETS {
            let qpos = state(m, k as u32);
            let target = Target::frame(&chain.forward(&qpos, &mut cache)?);
            poses.push((qpos, target));
        }
        Ok(Self { m, work: solver.make_workspace(), solver, poses, met: 0 })
    }

    /// Microseconds for each pose: from the table, from the reference state, or from as near to the
    /// solution as `start` says.
    fn solve_all(&mut self, start: Option<f64>) -> Vec<f64> {
        let mut times = Vec::new();
        self.met = 0;
        let mut qpos = self.m.qpos0.clone();
        for (k, (solution, target)) in self.poses.iter().enumerate() {
            let from: Vec<f64> = match start {
                Some(near) if near > 0.0 => {
                    let off = |i: usize| 2.0 * halton((k + 1) as u32, 41 + 2 * i as u32) - 1.0;
                    solution.iter().enumerate().map(|(i, q)| q + near * off(i)).collect()
                }
                _ => self.m.qpos0.clone(),
            };
            let mut best = f64::INFINITY;
            let mut converged = false;
            for _ in 0..REPEATS {
                qpos.copy_from_slice(&from);
                let clock = Instant::now();
                let outcome = match start {
                    None => self.solver.solve_cold(&[*target], &mut qpos, &mut self.work),
                    Some(_) => self.solver.solve(&[*target], &mut qpos, &mut self.work),
                };
                best = best.min(clock.elapsed().as_secs_f64());
                converged = outcome.status.converged();
            }
            self.met += usize::from(converged);
            times.push(1e6 * best);
        }
        times
    }

    /// Microseconds for a pose of a path, in the median of paths that swing all joints at once.
    fn follow_all(&mut self) -> Result<f64, Failure> {
        let [paths, length] = PATHS;
        let chain = self.solver.chains().next().ok_or("no chain")?.clone();
        let mut cache = chain.make_cache();
        let mut times = Vec::new();
        let mut states = vec![0.0; length * self.m.nq];
        let mut outcomes = vec![Outcome::default(); length];
        let mut qpos = self.m.qpos0.clone();
        for (middle, _) in self.poses.iter().take(paths) {
            let mut targets = Vec::new();
            let mut first = Vec::new();
            for k in 0..length {
                // a quarter of the way from the middle of the ranges, so that limits are not met
                let phase = std::f64::consts::TAU * k as f64 / length as f64;
                let q: Vec<f64> = middle
                    .iter()
                    .enumerate()
                    .map(|(i, q)| 0.5 * q + 0.3 * (phase + i as f64).sin())
                    .collect();
                targets.push(Target::frame(&chain.forward(&q, &mut cache)?));
                if k == 0 {
                    first = q;
                }
            }
            let mut best = f64::INFINITY;
            for _ in 0..REPEATS {
                qpos.copy_from_slice(&first);
                let clock = Instant::now();
                self.solver.solve_path(
                    &targets,
                    &mut qpos,
                    &mut states,
                    &mut outcomes,
                    &mut self.work,
                )?;
                best = best.min(clock.elapsed().as_secs_f64());
            }
            times.push(1e6 * best / length as f64);
        }
        Ok(median(&mut times))
    }
}
