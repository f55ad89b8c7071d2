//! `sim ik`: inverse kinematics of a chain.

use crate::Failure;
use crate::chain_args::ChainArgs;
use crate::format::{count, name_or_id, numbers};
use clap::Args;
use serde_json::{Map, Value, json};
use sim_physics::Model;
use sim_physics::kinematics::{Chain, Options, Outcome, Solver, Target};
use sim_physics::types::ObjType;

/// Arguments of `sim ik`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim ik arm.xml --body hand --pos 0.4 0 0.3
  sim ik arm.xml --site grasp --pos 0.4 0 0.3 --quat 0 1 0 0 --json
  sim ik arm.xml --body hand --pos 0.4 0 0.3 --qpos 0,-0.5,1,0,0.5,0 --near
Exit code 1 if the pose is not reached; the closest configuration found is printed.")]
pub(crate) struct Ik {
    #[command(flatten)]
    args: ChainArgs,
    /// Target position of the tip, in metres.
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true, required_unless_present = "quat")]
    pos: Option<Vec<f64>>,
    /// Target orientation of the tip, a quaternion; default unconstrained.
    #[arg(long, num_args = 4, value_names = ["W", "X", "Y", "Z"], allow_negative_numbers = true)]
    quat: Option<Vec<f64>>,
    /// Null-space objective: stay close to the initial configuration.
    #[arg(long, conflicts_with = "middle")]
    near: bool,
    /// Null-space objective: stay close to the middle of the joint ranges.
    #[arg(long)]
    middle: bool,
    /// Position tolerance.
    #[arg(long, default_value_t = Options::default().position_tolerance, value_name = "METRES")]
    position_tolerance: f64,
    /// Orientation tolerance.
    #[arg(long, default_value_t = Options::default().orientation_tolerance, value_name = "RADIANS")]
    orientation_tolerance: f64,
    /// Maximum number of iterations of one attempt.
    #[arg(long, default_value_t = Options::default().max_iterations, value_name = "N")]
    iterations: usize,
    /// Maximum number of random restarts.
    #[arg(long, default_value_t = Options::default().restarts, value_name = "N")]
    restarts: usize,
    /// Seed of the random restarts.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Show the path from the initial configuration to the solution in a window.
    #[cfg(feature = "viewer")]
    #[arg(long)]
    view: bool,
}

impl Ik {
    /// Whether the pose was reached.
    pub(crate) fn run(&self) -> Result<bool, Failure> {
        let m = self.args.model.load()?;
        let chain = self.args.chain(&m)?;
        let mut qpos = self.args.initial_qpos(&m)?;
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
        #[cfg(feature = "viewer")]
        let initial = qpos.clone();
        let mut work = solver.make_workspace();
        let outcome = if self.args.has_initial_qpos() {
            solver.solve(&[target], &mut qpos, &mut work)
        } else {
            solver.solve_cold(&[target], &mut qpos, &mut work)
        };
        if self.json {
            outln!("{}", self.json_report(&m, &chain, &outcome, &qpos));
        } else {
            self.print_report(&m, &chain, &outcome, &qpos);
        }
        #[cfg(feature = "viewer")]
        if self.view {
            let goal = crate::window::Goal {
                position: self.pos.is_some().then_some(target.pos),
                orientation: self.quat.is_some().then_some(target.quat),
                is_reached: outcome.status.converged(),
            };
            crate::window::show_path(m, &self.args, &initial, &qpos, &goal)?;
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
            return Err("--quat must be finite numbers, not all zero".into());
        }
        Ok(target)
    }

    fn print_report(&self, m: &Model, chain: &Chain, outcome: &Outcome, qpos: &[f64]) {
        let (name, tip, base) = (self.args.model.name(), self.args.tip(), self.args.base());
        outln!("{name}: {tip} from {base}, {}", count(chain.nv(), "dof"));
        outln!(
            "status  {} ({}, {})",
            outcome.status.describe(),
            count(outcome.iterations, "iteration"),
            count(outcome.restarts, "restart")
        );
        outln!("error   {:.3e} m, {:.3e} rad", outcome.position_error, outcome.orientation_error);
        for joint in chain.joints() {
            let own = &qpos[joint.qposadr..joint.qposadr + joint.kind.nq()];
            outln!("joint   {} {}", name_or_id(m, ObjType::Joint, joint.id), numbers(own));
        }
        let all: Vec<String> = qpos.iter().map(f64::to_string).collect();
        outln!("qpos    {}", all.join(","));
    }

    fn json_report(&self, m: &Model, chain: &Chain, outcome: &Outcome, qpos: &[f64]) -> Value {
        let mut joints = Map::new();
        for joint in chain.joints() {
            let own = &qpos[joint.qposadr..joint.qposadr + joint.kind.nq()];
            joints.insert(name_or_id(m, ObjType::Joint, joint.id), json!(own));
        }
        json!({
            "model": self.args.model.name(),
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
