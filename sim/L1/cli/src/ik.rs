//! `sim ik`: joint coordinates that bring a body or site to a pose.

use crate::Failure;
use crate::limb::{Limb, joint_name, numbers};
use clap::Args;
use serde_json::{Map, Value, json};
use sim_physics::Model;
use sim_physics::kinematics::{Chain, Options, Outcome, Solver, Target};

/// Options of `sim ik`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim ik arm.xml --body hand --pos 0.4 0 0.3
  sim ik arm.xml --site grasp --pos 0.4 0 0.3 --quat 0 1 0 0 --json
  sim ik arm.xml --body hand --pos 0.4 0 0.3 --qpos 0,-0.5,1,0,0.5,0 --near
Ends with 1 when the pose is not met; the closest point found is printed all the same.")]
pub(crate) struct Ik {
    #[command(flatten)]
    limb: Limb,
    /// Where the tip is wanted, in metres.
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true, required_unless_present = "quat")]
    pos: Option<Vec<f64>>,
    /// How the tip is to be turned; any way if not given.
    #[arg(long, num_args = 4, value_names = ["W", "X", "Y", "Z"], allow_negative_numbers = true)]
    quat: Option<Vec<f64>>,
    /// Among solutions, prefer one near the state it starts from.
    #[arg(long, conflicts_with = "middle")]
    near: bool,
    /// Among solutions, prefer one far from limits.
    #[arg(long)]
    middle: bool,
    /// Metres that may be left.
    #[arg(long, default_value_t = Options::default().position_tolerance, value_name = "METRES")]
    position_tolerance: f64,
    /// Radians that may be left.
    #[arg(long, default_value_t = Options::default().orientation_tolerance, value_name = "RADIANS")]
    orientation_tolerance: f64,
    /// Steps of one attempt.
    #[arg(long, default_value_t = Options::default().max_iterations, value_name = "N")]
    iterations: usize,
    /// Attempts after the first, from other starts.
    #[arg(long, default_value_t = Options::default().restarts, value_name = "N")]
    restarts: usize,
    /// Where those starts come from.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Ik {
    /// Whether the pose is met.
    pub(crate) fn run(&self) -> Result<bool, Failure> {
        let m = self.limb.source.load()?;
        let chain = self.limb.chain(&m)?;
        let mut qpos = self.limb.start(&m)?;
        let target = self.target()?;
        let options = Options {
            position_tolerance: self.position_tolerance,
            orientation_tolerance: self.orientation_tolerance,
            max_iterations: self.iterations,
            restarts: self.restarts,
            seed: self.seed,
            ..Options::default()
        };
        let mut solver = Solver::new(vec![chain.clone()], options)?;
        if self.near {
            solver = solver.with_posture(&qpos, 1.0)?;
        }
        if self.middle {
            solver = solver.with_middle(1.0)?;
        }
        let mut work = solver.make_workspace();
        let outcome = if self.limb.has_start() {
            solver.solve(&[target], &mut qpos, &mut work)
        } else {
            solver.solve_cold(&[target], &mut qpos, &mut work)
        };
        if self.json {
            say!("{}", self.report(&m, &chain, &outcome, &qpos));
        } else {
            self.tell(&m, &chain, &outcome, &qpos);
        }
        Ok(outcome.status.converged())
    }

    fn target(&self) -> Result<Target, Failure> {
        let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
        let target = match (self.pos.as_deref(), self.quat.as_deref()) {
            (Some(&[x, y, z]), None) => Target::position([x, y, z]),
            (None, Some(&[w, x, y, z])) => Target::orientation([w, x, y, z]),
            (Some(&[x, y, z]), Some(&[a, b, c, d])) => Target::pose([x, y, z], [a, b, c, d]),
            _ => return Err("give --pos with three numbers, --quat with four, or both".into()),
        };
        if !finite(&target.pos) {
            return Err("--pos must be finite numbers".into());
        }
        if !finite(&target.quat) || target.quat == [0.0; 4] {
            return Err("--quat must be finite numbers, not all of them zero".into());
        }
        Ok(target)
    }

    fn tell(&self, m: &Model, chain: &Chain, outcome: &Outcome, qpos: &[f64]) {
        let (name, tip, base) = (self.limb.source.name(), self.limb.tip(), self.limb.base());
        say!("{name}: {tip} from {base}, {} dofs", chain.nv());
        say!(
            "status  {} ({} steps, {} restarts)",
            outcome.status.describe(),
            outcome.iterations,
            outcome.restarts
        );
        say!("error   {:.3e} m, {:.3e} rad", outcome.position_error, outcome.orientation_error);
        for joint in chain.joints() {
            let own = &qpos[joint.qposadr..joint.qposadr + joint.kind.nq()];
            say!("joint   {} {}", joint_name(m, joint.id), numbers(own));
        }
        let all: Vec<String> = qpos.iter().map(f64::to_string).collect();
        say!("qpos    {}", all.join(","));
    }

    fn report(&self, m: &Model, chain: &Chain, outcome: &Outcome, qpos: &[f64]) -> Value {
        let mut joints = Map::new();
        for joint in chain.joints() {
            let own = &qpos[joint.qposadr..joint.qposadr + joint.kind.nq()];
            joints.insert(joint_name(m, joint.id), json!(own));
        }
        json!({
            "model": self.limb.source.name(),
            "status": format!("{:?}", outcome.status),
            "converged": outcome.status.converged(),
            "position_error": outcome.position_error,
            "orientation_error": outcome.orientation_error,
            "iterations": outcome.iterations,
            "restarts": outcome.restarts,
            "joints": joints,
            "qpos": qpos,
        })
    }
}
