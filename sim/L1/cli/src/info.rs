//! `sim info`: contents of a model.

use crate::Failure;
use crate::format::{count, name_or_id};
use crate::model_args::ModelArgs;
use crate::trajectory::names;
use clap::Args;
use serde_json::{Value, json};
use sim_physics::Model;
use sim_physics::core::print_model;
use sim_physics::types::{BiasType, GainType, JointType, ObjType, TransmissionType};

/// Arguments of `sim info`.
#[derive(Args)]
pub(crate) struct Info {
    #[command(flatten)]
    model: ModelArgs,
    /// Print every size, option and array.
    #[arg(long)]
    arrays: bool,
    /// Print sizes and names as JSON.
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let m = self.model.load()?;
        if self.json {
            outln!("{}", self.json_report(&m));
            return Ok(());
        }
        if self.arrays {
            outln!("{}", print_model(&m));
            return Ok(());
        }
        outln!("{}", self.model.name());
        let contents = [
            count(m.nbody - 1, "body"),
            count(m.njnt, "joint"),
            count(m.ngeom, "geom"),
            count(m.nsite, "site"),
            count(m.nu, "actuator"),
            count(m.nsensor, "sensor"),
            count(m.nkey, "keyframe"),
        ];
        outln!("  {}", contents.join(", "));
        outln!("  nq {}, nv {}, {}", m.nq, m.nv, count(m.ntree, "kinematic tree"));
        outln!("  total mass {:.4} kg, extent {:.3} m", m.body_subtreemass[0], m.stat.extent);
        outln!("  time step {} s, integrator {:?}", m.opt.timestep, m.opt.integrator);
        print_bodies(&m);
        print_actuators(&m);
        Ok(())
    }

    fn json_report(&self, m: &Model) -> Value {
        let mut sizes = serde_json::Map::new();
        m.sizes().visit(&mut |name, n| {
            sizes.insert(name.to_owned(), json!(n));
        });
        json!({
            "model": self.model.name(),
            "timestep": m.opt.timestep,
            "integrator": format!("{:?}", m.opt.integrator),
            "mass": m.body_subtreemass[0],
            "extent": m.stat.extent,
            "sizes": sizes,
            "bodies": names(m, ObjType::Body, m.nbody),
            "joints": names(m, ObjType::Joint, m.njnt),
            "actuators": names(m, ObjType::Actuator, m.nu),
            "sensors": names(m, ObjType::Sensor, m.nsensor),
            "keyframes": names(m, ObjType::Key, m.nkey),
        })
    }
}

/// The kinematic tree, indented by depth.
fn print_bodies(m: &Model) {
    outln!("bodies");
    let mut depth = vec![0usize; m.nbody];
    for i in 1..m.nbody {
        depth[i] = depth[m.body_parentid[i] as usize] + 1;
        let first = m.body_jntadr[i].max(0) as usize;
        let joints: Vec<String> =
            (first..first + m.body_jntnum[i] as usize).map(|j| joint(m, j)).collect();
        let joints = if joints.is_empty() { "fixed".to_owned() } else { joints.join(", ") };
        outln!(
            "  {}{} ({:.4} kg): {joints}",
            "  ".repeat(depth[i] - 1),
            name_or_id(m, ObjType::Body, i),
            m.body_mass[i]
        );
    }
}

fn joint(m: &Model, j: usize) -> String {
    let kind = match m.jnt_type[j] {
        JointType::Free => "free",
        JointType::Ball => "ball",
        JointType::Slide => "slide",
        JointType::Hinge => "hinge",
    };
    let mut text = format!("{kind} {}", name_or_id(m, ObjType::Joint, j));
    if m.jnt_limited[j] {
        text += &format!(" [{:.3}, {:.3}]", m.jnt_range[2 * j], m.jnt_range[2 * j + 1]);
    }
    text
}

fn print_actuators(m: &Model) {
    if m.nu > 0 {
        outln!("actuators");
    }
    for i in 0..m.nu {
        let kind = match (m.actuator_gaintype[i], m.actuator_biastype[i]) {
            (GainType::Fixed, BiasType::None) => "motor",
            (GainType::Fixed, BiasType::Affine) => "servo",
            _ => "actuator",
        };
        let range = if m.actuator_ctrllimited[i] {
            format!("[{}, {}]", m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1])
        } else {
            "unlimited".to_owned()
        };
        outln!(
            "  {}: {kind} on {}, gear {}, control {range}",
            name_or_id(m, ObjType::Actuator, i),
            target(m, i),
            m.actuator_gear[6 * i]
        );
    }
}

/// The transmission target of an actuator.
fn target(m: &Model, i: usize) -> String {
    let (kind, word) = match m.actuator_trntype[i] {
        TransmissionType::Tendon => (ObjType::Tendon, "tendon"),
        TransmissionType::Site | TransmissionType::SliderCrank => (ObjType::Site, "site"),
        TransmissionType::Body => (ObjType::Body, "body"),
        _ => (ObjType::Joint, "joint"),
    };
    format!("{word} {}", name_or_id(m, kind, m.actuator_trnid[2 * i].max(0) as usize))
}
