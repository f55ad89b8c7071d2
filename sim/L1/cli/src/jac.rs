//! `sim jac`: the Jacobian of a body or site, and how good it is.

use crate::Failure;
use crate::limb::{Limb, joint_name, numbers};
use clap::{Args, ValueEnum};
use serde_json::json;
use sim_physics::Model;
use sim_physics::kinematics::{Chain, Frame, JacobianType, SingularValues};

/// Options of `sim jac`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim jac arm.xml --body hand
  sim jac arm.xml --site grasp --qpos 0,-0.5,1,0,0.5,0 --frame body
  sim jac robot.xml --base torso --body left_hand --keyframe home --json")]
pub(crate) struct Jac {
    #[command(flatten)]
    limb: Limb,
    /// The frame that velocities are given in.
    #[arg(long, value_enum, default_value_t = Kind::Spatial)]
    frame: Kind,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Of the tip, in the axes of the base.
    Spatial,
    /// Of the tip, in its own axes.
    Body,
    /// Of the point of the tip's body that is at the base's origin.
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
        let m = self.limb.source.load()?;
        let chain = self.limb.chain(&m)?;
        let qpos = self.limb.start(&m)?;
        let mut jac = vec![[0.0; 6]; chain.nv()];
        let tip = chain.jacobian_at(&qpos, &mut chain.make_cache(), self.frame.into(), &mut jac)?;
        if self.json {
            self.report(&m, &chain, &tip, &jac);
        } else {
            self.tell(&m, &chain, &tip, &jac);
        }
        Ok(())
    }

    fn tell(&self, m: &Model, chain: &Chain, tip: &Frame, jac: &[[f64; 6]]) {
        let (name, end, base) = (self.limb.source.name(), self.limb.tip(), self.limb.base());
        say!("{name}: {end} from {base}, {} dofs", chain.nv());
        say!("pos   {}", numbers(&tip.pos()));
        say!("quat  {}", numbers(&tip.quat()));
        let heads = columns(m, chain);
        let width = heads.iter().map(String::len).max().unwrap_or(0).max(10);
        let row = |first: &str, cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
            say!("{first:5} {}", cells.join(" "));
        };
        row("", &heads);
        for (k, name) in ROWS.iter().enumerate() {
            let cells: Vec<String> = jac.iter().map(|column| numbers(&column[k..=k])).collect();
            row(name, &cells);
        }
        let values = SingularValues::of(jac);
        say!("singular values   {}", numbers(values.values()));
        say!("manipulability    {:.6e}", values.manipulability());
        say!("condition number  {:.6e}", values.condition_number());
    }

    fn report(&self, m: &Model, chain: &Chain, tip: &Frame, jac: &[[f64; 6]]) {
        let values = SingularValues::of(jac);
        let rows: Vec<Vec<f64>> =
            (0..6).map(|k| jac.iter().map(|column| column[k]).collect()).collect();
        let condition = values.condition_number();
        say!(
            "{}",
            json!({
                "model": self.limb.source.name(),
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

/// A name for each column.
fn columns(m: &Model, chain: &Chain) -> Vec<String> {
    let mut names = Vec::new();
    for joint in chain.joints() {
        let name = joint_name(m, joint.id);
        match joint.kind.nv() {
            1 => names.push(name),
            count => names.extend((0..count).map(|k| format!("{name}[{k}]"))),
        }
    }
    names
}
