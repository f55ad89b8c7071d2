//! `mujoco.elasticity.cable`: bending and twisting stiffness of a chain of bodies with ball joints.
//!
//! Between two consecutive bodies the curvature is the rotation vector of their relative orientation divided
//! by the distance of their origins. The moment is the cross-section stiffness times the difference of the
//! curvature from that of the reference configuration. With `vmax`, geoms are coloured by the moment.

use crate::math::vec3::{self, Vec3};
use crate::math::{at, quat, rows};
use crate::plugin::{
    Capabilities, Plugin, PluginCanvas, PluginConfig, PluginError, PluginInstance,
};
use crate::{Data, Model, mj_apply_ft, mj_kinematics};
use sim_types::{GeomType, JointType};
use std::f64::consts::PI;
use std::sync::Arc;

/// The kind `mujoco.elasticity.cable`.
#[derive(Debug)]
pub(super) struct CablePlugin;

impl Plugin for CablePlugin {
    fn name(&self) -> &'static str {
        "mujoco.elasticity.cable"
    }

    fn attributes(&self) -> &[&str] {
        &["twist", "bend", "flat", "vmax"]
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::PASSIVE
    }

    fn init(&self, m: &Model, instance: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
        Ok(Arc::new(Cable::new(m, instance)?))
    }
}

/// The bodies of a cable.
#[derive(Debug)]
struct Cable {
    first: usize,
    links: Vec<Link>,
    /// Moment of the colour red (N m); zero for the colours of the model.
    vmax: f64,
}

/// A body of a cable and its connection to the previous one.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// Torsional and bending stiffness of the cross-section (N m²).
    stiffness: Vec3,
    /// Relative rotation vector in the reference configuration, and distance to the previous body (m);
    /// `None` for the first body.
    joint: Option<LinkJoint>,
}

#[derive(Debug, Clone, Copy)]
struct LinkJoint {
    /// Index of the ball joint's quaternion in `qpos`.
    qpos: usize,
    reference: Vec3,
    length: f64,
}

impl Cable {
    fn new(m: &Model, instance: usize) -> Result<Self, PluginError> {
        let config = m.plugin_config(instance);
        let number = |key: &str| config.number(key).map(Option::unwrap_or_default);
        let (twist, bend) = (number("twist")?, number("bend")?);
        let vmax = number("vmax")?;
        let flat = is_flat(&config)?;
        let used = |&i: &usize| usize::try_from(m.body_plugin[i]) == Ok(instance);
        let bodies: Vec<usize> = (1..m.nbody).filter(used).collect();
        let first = bodies.first().copied().unwrap_or(0);
        let mut d = m.make_data();
        mj_kinematics(m, &mut d);
        let mut links = Vec::with_capacity(bodies.len());
        for (b, &i) in bodies.iter().enumerate() {
            if i != first + b {
                let message =
                    format!("body {} between bodies of the cable does not belong to it", first + b);
                return Err(PluginError::new(message));
            }
            let [j, iy, iz] = second_moments(m, i);
            let joint = if b == 0 { None } else { Some(LinkJoint::new(m, &d, i, flat)?) };
            links.push(Link { stiffness: [j * twist, iy * bend, iz * bend], joint });
        }
        Ok(Self { first, links, vmax })
    }

    /// Moment at the joint of a link in the frame of the previous body, and the link's relative orientation.
    fn moment(&self, m: &Model, d: &Data, b: usize) -> Option<(Vec3, quat::Quat)> {
        let Link { stiffness, joint } = self.links.get(b)?;
        let joint = (*joint)?;
        let joint_quat = d.qpos.get(joint.qpos..joint.qpos + 4)?.try_into().ok()?;
        let relative = quat::mul(rows::<4>(&m.body_quat)[self.first + b], joint_quat);
        let rotation = quat::to_velocity(relative, 1.0);
        let moment = std::array::from_fn(|k| {
            -stiffness[k] * (rotation[k] - joint.reference[k]) / joint.length
        });
        Some((moment, relative))
    }
}

impl Cable {
    /// Moment of a link in the frame of its own body, or in that of the previous body if its own cross-section
    /// has no stiffness, as in MuJoCo; zero for the first link.
    fn shown_moment(&self, m: &Model, d: &Data, b: usize) -> Vec3 {
        let stiff = |b: usize| self.links.get(b).is_some_and(|link| link.stiffness != [0.0; 3]);
        match self.moment(m, d, b) {
            Some((moment, relative)) if stiff(b) => quat::rotate(quat::conjugate(relative), moment),
            Some((moment, _)) if b > 0 && stiff(b - 1) => moment,
            _ => [0.0; 3],
        }
    }
}

impl LinkJoint {
    fn new(m: &Model, d: &Data, body: usize, flat: bool) -> Result<Self, PluginError> {
        let last = usize::try_from(m.body_jntadr[body] + m.body_jntnum[body] - 1).ok();
        let ball = last.filter(|&last| m.jnt_type[last] == JointType::Ball);
        let Some(joint) = ball else {
            let message =
                format!("the last joint of body {body} of the cable must be a ball joint");
            return Err(PluginError::new(message));
        };
        let qpos = at(&m.jnt_qposadr, joint);
        let reference = match d.qpos.get(qpos..qpos + 4).and_then(|q| q.try_into().ok()) {
            Some(joint_quat) if !flat => quat::subtract(rows::<4>(&m.body_quat)[body], joint_quat),
            _ => [0.0; 3],
        };
        let xpos = rows::<3>(&d.xpos);
        Ok(Self { qpos, reference, length: vec3::distance(xpos[body], xpos[body - 1]) })
    }
}

impl PluginInstance for Cable {
    fn compute(&self, m: &Model, d: &mut Data, _: Capabilities) {
        let mut qfrc = std::mem::take(&mut d.qfrc_passive);
        for (b, link) in self.links.iter().enumerate() {
            if link.stiffness == [0.0; 3] {
                continue;
            }
            let i = self.first + b;
            let mut torque = [0.0; 3];
            if let Some((moment, relative)) = self.moment(m, d, b) {
                torque = quat::rotate(quat::conjugate(relative), moment);
            }
            if let Some((moment, _)) = self.moment(m, d, b + 1) {
                torque = vec3::sub(torque, moment);
            }
            let torque = quat::rotate(rows::<4>(&d.xquat)[i], torque);
            mj_apply_ft(m, d, [0.0; 3], torque, rows::<3>(&d.xpos)[i], i, &mut qfrc);
        }
        d.qfrc_passive = qfrc;
    }

    fn visualize(&self, m: &Model, d: &Data, canvas: &mut dyn PluginCanvas) {
        if self.vmax == 0.0 {
            return;
        }
        let last = self.links.len().saturating_sub(1);
        for b in 0..self.links.len() {
            let Ok(geom) = usize::try_from(m.body_geomadr[self.first + b]) else { continue };
            // the ends have one neighbour
            let (left, right) = (if b == 0 { last.min(1) } else { b }, (b + 1).min(last));
            let [left, right] = [left, right].map(|b| self.shown_moment(m, d, b));
            let mean = vec3::norm(vec3::scale(vec3::add(left, right), 0.5));
            let alpha = m.geom_rgba[4 * geom + 3];
            canvas.set_color(geom, jet(mean, self.vmax, alpha));
        }
    }
}

/// Colour of a value between 0 and `max`: blue, cyan, green, yellow, red.
fn jet(value: f64, max: f64, alpha: f32) -> [f32; 4] {
    let value = if value > max { max } else { value.max(0.0) };
    let [r, g, b] = if value < 0.25 * max {
        [0.0, 4.0 * value / max, 1.0]
    } else if value < 0.5 * max {
        [0.0, 1.0, 1.0 + 4.0 * (0.25 * max - value) / max]
    } else if value < 0.75 * max {
        [4.0 * (value - 0.5 * max) / max, 1.0, 0.0]
    } else {
        [1.0, 1.0 + 4.0 * (0.75 * max - value) / max, 0.0]
    };
    [r as f32, g as f32, b as f32, alpha]
}

fn is_flat(config: &PluginConfig) -> Result<bool, PluginError> {
    match config.get("flat").trim() {
        "" | "false" => Ok(false),
        "true" => Ok(true),
        word => Err(PluginError::of_key("flat", format!("`{word}` must be true or false"))),
    }
}

/// Torsion constant and second moments of area (m⁴) of the cross-section of a body's first geom; zero for
/// shapes other than capsules, cylinders and boxes.
fn second_moments(m: &Model, body: usize) -> Vec3 {
    let Ok(geom) = usize::try_from(m.body_geomadr[body]) else { return [0.0; 3] };
    let [radius, h, w] = rows::<3>(&m.geom_size)[geom];
    match m.geom_type[geom] {
        GeomType::Capsule | GeomType::Cylinder => {
            let polar = PI * radius.powf(4.0) / 2.0;
            let area = PI * radius.powf(4.0) / 4.0;
            [polar, area, area]
        }
        GeomType::Box => {
            let (a, b) = (h.max(w), h.min(w));
            let torsion = a
                * b.powf(3.0)
                * (16.0 / 3.0 - 3.36 * b / a * (1.0 - b.powf(4.0) / a.powf(4.0) / 12.0));
            [torsion, (2.0 * w).powf(3.0) * 2.0 * h / 12.0, (2.0 * h).powf(3.0) * 2.0 * w / 12.0]
        }
        _ => [0.0; 3],
    }
}
