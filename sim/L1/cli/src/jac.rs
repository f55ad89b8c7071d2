//! `sim jac`: the Jacobian of a chain, its singular values and manipulability.

use crate::Failure;
use crate::chain_args::ChainArgs;
use crate::format::{count, name_or_id, numbers};
use clap::{Args, ValueEnum};
use serde_json::json;
use sim_physics::Model;
use sim_physics::kinematics::{Chain, Frame, JacobianType, SingularValues};
use sim_physics::types::ObjType;

/// Arguments of `sim jac`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim jac arm.xml --body hand
  sim jac arm.xml --site grasp --qpos 0,-0.5,1,0,0.5,0 --frame body
  sim jac robot.xml --base torso --body left_hand --keyframe home --json")]
pub(crate) struct Jac {
    #[command(flatten)]
    args: ChainArgs,
    /// Reference point and axes of the Jacobian.
    #[arg(long, value_enum, default_value_t = Kind::Spatial)]
    frame: Kind,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// At the tip, in the axes of the base.
    Spatial,
    /// At the tip, in the axes of the tip.
    Body,
    /// At the origin of the base, in its axes.
    Origin,
}

impl From<Kind> for JacobianType {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Spatial => Self::Spatial,
            Kind::Body => Self::Body,
            Kind::Origin => Self::Origin,
        }
    }
}

/// Names of the rows.
const ROWS: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

impl Jac {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let m = self.args.model.load()?;
        let chain = self.args.chain(&m)?;
        let qpos = self.args.initial_qpos(&m)?;
        let mut jac = vec![[0.0; 6]; chain.nv()];
        let tip = chain.jacobian_at(&qpos, &mut chain.make_cache(), self.frame.into(), &mut jac)?;
        if self.json {
            self.print_json(&m, &chain, &tip, &jac);
        } else {
            self.print_report(&m, &chain, &tip, &jac);
        }
        Ok(())
    }

    fn print_report(&self, m: &Model, chain: &Chain, tip: &Frame, jac: &[[f64; 6]]) {
        let (name, end, base) = (self.args.model.name(), self.args.tip(), self.args.base());
        outln!("{name}: {end} from {base}, {}", count(chain.nv(), "dof"));
        outln!("pos   {}", numbers(&tip.pos()));
        outln!("quat  {}", numbers(&tip.quat()));
        let header = columns(m, chain);
        let width = header.iter().map(String::len).max().unwrap_or(0).max(10);
        let row = |first: &str, cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
            outln!("{first:5} {}", cells.join(" "));
        };
        row("", &header);
        for (k, name) in ROWS.iter().enumerate() {
            let cells: Vec<String> = jac.iter().map(|column| numbers(&column[k..=k])).collect();
            row(name, &cells);
        }
        let values = SingularValues::of(jac);
        outln!("singular values   {}", numbers(values.values()));
        outln!("manipulability    {:.6e}", values.manipulability());
        outln!("condition number  {:.6e}", values.condition_number());
    }

    fn print_json(&self, m: &Model, chain: &Chain, tip: &Frame, jac: &[[f64; 6]]) {
        let values = SingularValues::of(jac);
        let rows: Vec<Vec<f64>> =
            (0..6).map(|k| jac.iter().map(|column| column[k]).collect()).collect();
        let condition = values.condition_number();
        outln!(
            "{}",
            json!({
                "model": self.args.model.name(),
                "pos": tip.pos(),
                "quat": tip.quat(),
                "columns": columns(m, chain),
                "dofs": chain.dofs(),
                "rows": ROWS,
                "jacobian": rows,
                "singular_values": values.values(),
                "manipulability": values.manipulability(),
                "condition_number": condition.is_finite().then_some(condition),
            })
        );
    }
}

/// Names of the columns: the joint, and the index of the dof within it.
fn columns(m: &Model, chain: &Chain) -> Vec<String> {
    let mut names = Vec::new();
    for joint in chain.joints() {
        let name = name_or_id(m, ObjType::Joint, joint.id);
        match joint.kind.nv() {
            1 => names.push(name),
            count => names.extend((0..count).map(|k| format!("{name}[{k}]"))),
        }
    }
    names
}
