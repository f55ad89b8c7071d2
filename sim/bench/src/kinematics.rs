//! Kinematics of arms: forward kinematics with Jacobian, and inverse kinematics of reachable poses.

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
/// The UR10 of Universal Robots, from the Denavit–Hartenberg parameters that the manufacturer publishes:
/// `d = (0.1273, 0, 0, 0.163941, 0.1157, 0.0922)` m, `a = (0, -0.612, -0.5723, 0, 0, 0)` m,
/// `α = (π/2, 0, 0, π/2, -π/2, 0)`. The z axis of each body is the axis of its joint. Masses are those of
/// the data sheet; the geoms only carry them.
pub const UR10: &str = r#"<mujoco model="ur10">
<compiler angle="radian"/>
<option><flag contact="disable"/></option>
<default><joint axis="0 0 1" range="-6.2831853 6.2831853"/><geom size=".05"/></default>
<worldbody>
 <body name="shoulder"><joint name="shoulder_pan"/><geom mass="7.778"/>
  <body name="upper_arm" pos="0 0 .1273" quat="1 1 0 0"><joint name="shoulder_lift"/><geom mass="12.93"/>
   <body name="forearm" pos="-.612 0 0"><joint name="elbow"/><geom mass="3.87"/>
    <body name="wrist_1" pos="-.5723 0 0"><joint name="wrist_1"/><geom mass="1.96"/>
     <body name="wrist_2" pos="0 0 .163941" quat="1 1 0 0"><joint name="wrist_2"/><geom mass="1.96"/>
      <body name="wrist_3" pos="0 0 .1157" quat="1 -1 0 0"><joint name="wrist_3"/><geom mass=".202"/>
       <site name="tcp" pos="0 0 .0922"/>
      </body></body></body></body></body></body>
</worldbody>
</mujoco>"#;

/// Number of target poses.
const TARGETS: usize = 2000;
/// Number of paths, and of poses per path.
const PATHS: [usize; 2] = [50, 200];
/// Repetitions of each solve; the fastest is reported.
const REPEATS: usize = 5;
/// Largest distance of a warm start from the solution, rad or m per joint.
const WARM_START: f64 = 0.1;

/// Measures one arm; with an `oracle` also the Jacobian of the reference engine.
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
    let mut success = Map::new();
    // "cold" is a cold start from the solver's table
    for (name, start) in [("cold", None), ("reference", Some(0.0)), ("warm", Some(WARM_START))] {
        let mut times = arm.solve_all(start);
        means.insert(name.into(), json!(times.iter().sum::<f64>() / times.len() as f64));
        ours.insert(name.into(), json!(median(&mut times)));
        success.insert(name.into(), json!(arm.converged as f64 / TARGETS as f64));
    }
    ours.insert("trajectory".into(), json!(arm.solve_paths()?));
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
        "met": success,
        "ncon": 0,
        "nefc": 0,
        "nv": chain.nv(),
    }))
}

/// The tip of the benchmarked arms.
fn tip(m: &Model) -> Result<End, Failure> {
    let sites = ["tcp", "grasp", "attachment_site"];
    let site = sites.into_iter().find_map(|name| End::site(m, name).ok());
    Ok(site.map_or_else(|| End::body(m, "hand"), Ok)?)
}

/// Configuration `k` of a Halton sequence within the joint limits.
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

/// An arm with its solver and target poses.
struct Arm<'a> {
    m: &'a Model,
    solver: Solver,
    work: Workspace,
    /// Configurations and their tip poses.
    poses: Vec<(Vec<f64>, Target)>,
    /// Number of poses that were reached.
    converged: usize,
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
        Ok(Self { m, work: solver.make_workspace(), solver, poses, converged: 0 })
    }

    /// Microseconds for each pose: from the start table (`None`), from the reference configuration
    /// (zero), or from a configuration within the given distance of the solution.
    fn solve_all(&mut self, start: Option<f64>) -> Vec<f64> {
        let mut times = Vec::new();
        self.converged = 0;
        let mut qpos = self.m.qpos0.clone();
        for (k, (solution, target)) in self.poses.iter().enumerate() {
            let from: Vec<f64> = match start {
                Some(distance) if distance > 0.0 => {
                    let off = |i: usize| 2.0 * halton((k + 1) as u32, 41 + 2 * i as u32) - 1.0;
                    solution.iter().enumerate().map(|(i, q)| q + distance * off(i)).collect()
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
            self.converged += usize::from(converged);
            times.push(1e6 * best);
        }
        times
    }

    /// Microseconds per pose, as the median over paths that move all joints simultaneously.
    fn solve_paths(&mut self) -> Result<f64, Failure> {
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
                // close enough to mid-range that no limit is reached
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

#[cfg(test)]
mod tests {
    use super::{Chain, UR10};

    /// At the zero configuration the product of the Denavit–Hartenberg transforms has the position
    /// `(a₂ + a₃, -(d₄ + d₆), d₁ - d₅)`, and the z axis of the flange is `-y`.
    #[test]
    fn ur10_has_the_published_flange_pose_at_zero() {
        let model = sim_mjcf::load_str(UR10).unwrap();
        let chain = Chain::to_site(&model, "tcp").unwrap();
        let tip = chain.forward(&[0.0; 6], &mut chain.make_cache()).unwrap();
        let expected = [-1.1843, -0.256141, 0.0116];
        for (x, y) in tip.pos().into_iter().zip(expected) {
            assert!((x - y).abs() < 1e-12, "{:?}", tip.pos());
        }
        for (x, y) in tip.axis(2).into_iter().zip([0.0, -1.0, 0.0]) {
            assert!((x - y).abs() < 1e-12, "{:?}", tip.axis(2));
        }
    }
}
