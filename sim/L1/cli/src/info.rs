//! `sim info`: what is in a model.

use crate::Failure;
use crate::output::names;
use crate::source::Source;
use clap::Args;
use serde_json::{Value, json};
use sim_physics::Model;
use sim_physics::core::print_model;
use sim_physics::types::{BiasType, GainType, JointType, ObjType, TransmissionType};

/// Options of `sim info`.
#[derive(Args)]
pub(crate) struct Info {
    #[command(flatten)]
    source: Source,
    /// Print every size, option and array.
    #[arg(long)]
    arrays: bool,
    /// Print sizes and names as JSON.
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let m = self.source.load()?;
        if self.json {
            say!("{}", self.report(&m));
            return Ok(());
        }
        if self.arrays {
            say!("{}", print_model(&m));
            return Ok(());
        }
        say!("{}", self.source.name());
        say!(
            "  {} bodies, {} joints, {} geoms, {} sites, {} actuators, {} sensors, {} keyframes",
            m.nbody - 1,
            m.njnt,
            m.ngeom,
            m.nsite,
            m.nu,
            m.nsensor,
            m.nkey
        );
        say!("  nq {}, nv {}, {} kinematic trees", m.nq, m.nv, m.ntree);
        say!("  total mass {:.4} kg, extent {:.3} m", m.body_subtreemass[0], m.stat.extent);
        say!("  time step {} s, integrator {:?}", m.opt.timestep, m.opt.integrator);
        bodies(&m);
        actuators(&m);
        Ok(())
    }
}

impl Info {
    fn report(&self, m: &Model) -> Value {
        let mut sizes = serde_json::Map::new();
        m.sizes().visit(&mut |name, n| {
            sizes.insert(name.to_owned(), json!(n));
        });
        json!({
            "model": self.source.name(),
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
fn bodies(m: &Model) {
    say!("bodies");
    let mut depth = vec![0usize; m.nbody];
    for i in 1..m.nbody {
        depth[i] = depth[m.body_parentid[i] as usize] + 1;
        let first = m.body_jntadr[i].max(0) as usize;
        let joints: Vec<String> =
            (first..first + m.body_jntnum[i] as usize).map(|j| joint(m, j)).collect();
        let joints = if joints.is_empty() { "fixed".to_owned() } else { joints.join(", ") };
        say!(
            "  {}{} ({:.4} kg): {joints}",
            "  ".repeat(depth[i] - 1),
            name(m, ObjType::Body, i),
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
    let mut text = format!("{kind} {}", name(m, ObjType::Joint, j));
    if m.jnt_limited[j] {
        text += &format!(" [{:.3}, {:.3}]", m.jnt_range[2 * j], m.jnt_range[2 * j + 1]);
    }
    text
}

fn actuators(m: &Model) {
    if m.nu > 0 {
        say!("actuators");
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
        say!(
            "  {}: {kind} on {}, gear {}, control {range}",
            name(m, ObjType::Actuator, i),
            target(m, i),
            m.actuator_gear[6 * i]
        );
    }
}

/// What an actuator acts on.
fn target(m: &Model, i: usize) -> String {
    let (kind, word) = match m.actuator_trntype[i] {
        TransmissionType::Tendon => (ObjType::Tendon, "tendon"),
        TransmissionType::Site | TransmissionType::SliderCrank => (ObjType::Site, "site"),
        TransmissionType::Body => (ObjType::Body, "body"),
        _ => (ObjType::Joint, "joint"),
    };
    format!("{word} {}", name(m, kind, m.actuator_trnid[2 * i].max(0) as usize))
}

/// The element's name, or its number.
fn name(m: &Model, kind: ObjType, id: usize) -> String {
    match m.id2name(kind, id) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("#{id}"),
    }
}
