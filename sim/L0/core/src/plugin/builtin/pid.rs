//! `mujoco.pid`: a PID controller with a limited integral term and a limited slew rate of the setpoint.
//!
//! `force = kp e + kd (u̇ − velocity) + ki ∫e`, with the error `e = u − length` of the transmission length from
//! the setpoint `u`. The setpoint is the control, or the activation of the actuator's `dyntype`. The
//! activations of an actuator are: the integral of the error if `ki` is not zero, the previous setpoint if
//! `slewmax` is set, the activation of the `dyntype`.

use crate::plugin::{Capabilities, Plugin, PluginConfig, PluginError, PluginInstance};
use crate::{Data, Model, mj_next_activation};
use sim_types::DynType;
use std::sync::Arc;

/// The kind `mujoco.pid`.
#[derive(Debug)]
pub(super) struct PidPlugin;

impl Plugin for PidPlugin {
    fn name(&self) -> &'static str {
        "mujoco.pid"
    }

    fn attributes(&self) -> &[&str] {
        &["kp", "ki", "kd", "imax", "slewmax"]
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ACTUATOR
    }

    fn init(&self, m: &Model, instance: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
        Ok(Arc::new(Pid::new(m, instance)?))
    }
}

/// A controller of one or several actuators.
#[derive(Debug)]
struct Pid {
    kp: f64,
    ki: f64,
    kd: f64,
    /// Largest integral of the error: the limit of the force divided by `ki`.
    integral_max: Option<f64>,
    /// Largest rate of the setpoint, per second.
    slew_max: Option<f64>,
    actuators: Vec<usize>,
}

/// What an actuator stores in its activations.
#[derive(Clone, Copy, Default)]
struct Memory {
    integral: f64,
    /// Setpoint of the previous step; `None` in the first step.
    previous: Option<f64>,
}

impl Pid {
    fn new(m: &Model, instance: usize) -> Result<Self, PluginError> {
        let config = m.plugin_config(instance);
        let pid = Self::from_config(&config, actuators_of(m, instance))?;
        if pid.actuators.is_empty() {
            let message = "no actuator uses this instance: remove it, or refer to it in <actuator>";
            return Err(PluginError::new(message));
        }
        for &i in &pid.actuators {
            pid.check_activations(m, i)?;
        }
        Ok(pid)
    }

    fn from_config(config: &PluginConfig, actuators: Vec<usize>) -> Result<Self, PluginError> {
        let gain = |key: &str| config.number(key).map(Option::unwrap_or_default);
        let ki = gain("ki")?;
        // the limit is a force
        let integral_max = config.number("imax")?.filter(|_| ki != 0.0).map(|force| force / ki);
        if integral_max.is_some_and(|limit| limit < 0.0) {
            return Err(PluginError::of_key("imax", "must have the sign of `ki`"));
        }
        let slew_max = config.number("slewmax")?;
        if slew_max.is_some_and(|rate| rate < 0.0) {
            return Err(PluginError::of_key("slewmax", "must not be negative"));
        }
        Ok(Self { kp: gain("kp")?, ki, kd: gain("kd")?, integral_max, slew_max, actuators })
    }

    /// Checks that an actuator has the activations that the controller uses.
    fn check_activations(&self, m: &Model, i: usize) -> Result<(), PluginError> {
        let own = i32::from(self.ki != 0.0) + i32::from(self.slew_max.is_some());
        let expected = own
            + match m.actuator_dyntype[i] {
                DynType::None => 0,
                DynType::Integrator | DynType::Filter | DynType::FilterExact => 1,
                _ => {
                    let message = "dyntype must be none, integrator, filter or filterexact";
                    return Err(PluginError::new(format!("actuator {i}: {message}")));
                }
            };
        let found = m.actuator_actnum[i];
        if found == expected {
            return Ok(());
        }
        let message = format!(
            "actuator {i} has {found} activations, not {expected}: set actdim=\"{expected}\""
        );
        Err(PluginError::new(message))
    }

    /// Index of the first activation of an actuator; 0 if it has none.
    fn first(m: &Model, i: usize) -> usize {
        usize::try_from(m.actuator_actadr[i]).unwrap_or(0)
    }

    /// Index of the activation of the `dyntype`; `None` for a stateless one.
    fn last(m: &Model, i: usize) -> Option<usize> {
        if m.actuator_dyntype[i] == DynType::None {
            return None;
        }
        let count = usize::try_from(m.actuator_actnum[i]).unwrap_or(0);
        (Self::first(m, i) + count).checked_sub(1)
    }

    fn memory(&self, m: &Model, d: &Data, i: usize) -> Memory {
        let mut next = Self::first(m, i);
        let mut memory = Memory::default();
        if self.ki != 0.0 {
            memory.integral = d.act[next];
            next += 1;
        }
        if self.slew_max.is_some() && d.time > 0.0 {
            memory.previous = Some(d.act[next]);
        }
        memory
    }

    /// Setpoint of an actuator; with `early` from the activation at the end of the step.
    fn setpoint(&self, m: &Model, d: &Data, i: usize, memory: Memory, early: bool) -> f64 {
        let setpoint = match Self::last(m, i) {
            Some(last) if early => mj_next_activation(m, d, i, last, d.act_dot[last]),
            Some(last) => d.act[last],
            None if m.actuator_ctrllimited[i] => {
                clip(d.ctrl[i], m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1])
            }
            None => d.ctrl[i],
        };
        match (self.slew_max, memory.previous) {
            (Some(rate), Some(previous)) => {
                let change = rate * m.opt.timestep;
                clip(setpoint, previous - change, previous + change)
            }
            _ => setpoint,
        }
    }

    /// Integral of the error at the end of the step.
    fn next_integral(&self, m: &Model, memory: Memory, error: f64) -> f64 {
        let integral = memory.integral + error * m.opt.timestep;
        self.integral_max.map_or(integral, |limit| clip(integral, -limit, limit))
    }
}

impl PluginInstance for Pid {
    fn actuator_act_dot(&self, m: &Model, d: &mut Data) {
        let h = m.opt.timestep;
        for &i in &self.actuators {
            let memory = self.memory(m, d, i);
            let setpoint = self.setpoint(m, d, i, memory, false);
            let error = setpoint - d.actuator_length[i];
            let mut next = Self::first(m, i);
            if self.ki != 0.0 {
                d.act_dot[next] = (self.next_integral(m, memory, error) - d.act[next]) / h;
                next += 1;
            }
            if self.slew_max.is_some() {
                d.act_dot[next] = (setpoint - d.act[next]) / h;
            }
        }
    }

    fn compute(&self, m: &Model, d: &mut Data, _: Capabilities) {
        for &i in &self.actuators {
            let memory = self.memory(m, d, i);
            let setpoint = self.setpoint(m, d, i, memory, m.actuator_actearly[i]);
            let error = setpoint - d.actuator_length[i];
            let rate = Self::last(m, i).map_or(0.0, |last| d.act_dot[last]);
            let error_rate = rate - d.actuator_velocity[i];
            let integral = if self.ki == 0.0 { 0.0 } else { self.next_integral(m, memory, error) };
            d.actuator_force[i] = self.kp * error + self.kd * error_rate + self.ki * integral;
        }
    }
}

fn clip(x: f64, low: f64, high: f64) -> f64 {
    x.min(high).max(low)
}

/// The actuators that use an instance.
fn actuators_of(m: &Model, instance: usize) -> Vec<usize> {
    let used = |&i: &usize| usize::try_from(m.actuator_plugin[i]) == Ok(instance);
    (0..m.nu).filter(used).collect()
}
