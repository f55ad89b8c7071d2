//! Semi-implicit Euler with implicit joint damping (`mj_Euler`), the same with implicit actuator damping
//! (`implicitfast` of `mj_implicit`), and classical Runge–Kutta (`mj_RungeKutta`).

use crate::dynamics::next_activation;
use crate::inertia;
use crate::math::{normalize, quat_mul, quat_normalize};
use crate::plan::Plan;
use crate::trig::sin_cos;
use crate::work::{State, Work};
use sim_simd::lanes::Lanes;
use sim_types::JointType;

/// Advances the state by one step.
#[inline(always)]
pub(crate) fn euler<V: Lanes>(plan: &Plan, s: &mut State<V>, w: &mut Work<V>) {
    let h = V::splat(plan.timestep);
    if plan.has_implicit_damping {
        w.ld.copy_from_slice(&w.m);
        for (i, row) in plan.inertia.iter().enumerate() {
            if !plan.has_dampers {
                break;
            }
            let [linear, a, b] = plan.damping[i];
            let mut c = V::splat(linear);
            if (a, b) != (0.0, 0.0) {
                let v = s.qvel[i];
                c = c + V::splat(2.0 * a) * v.abs() + V::splat(3.0 * b) * v * v;
            }
            w.ld[row.start + row.len - 1] += h * c;
        }
        if plan.is_implicitfast {
            for (actuator, slope) in plan.actuators.iter().zip(&w.force_vel) {
                for &(entry, product) in &actuator.squares {
                    w.ld[entry] -= h * *slope * V::splat(product);
                }
            }
            for (tendon, &v) in plan.tendons.iter().zip(&w.ten_velocity) {
                let Some([linear, a, b]) = tendon.damping.filter(|_| plan.has_dampers) else {
                    continue;
                };
                let c = V::splat(linear) + V::splat(2.0 * a) * v.abs() + V::splat(3.0 * b) * v * v;
                for &(entry, product) in &tendon.squares {
                    w.ld[entry] += h * c * V::splat(product);
                }
            }
        }
        inertia::factor(plan, &mut w.ld, &mut w.diag_inv);
        for i in 0..plan.nv {
            w.qacc_step[i] = w.qfrc_smooth[i] + w.qfrc_constraint[i];
        }
        inertia::solve(plan, &w.ld, &w.diag_inv, &mut w.qacc_step);
    } else {
        w.qacc_step.copy_from_slice(&w.qacc);
    }
    for (v, a) in s.qvel.iter_mut().zip(&w.qacc_step) {
        *v += h * *a;
    }
    advance_activations(plan, &mut s.act, &w.act_dot);
    s.qacc_warmstart.copy_from_slice(&w.qacc);
    integrate_pos(plan, &mut s.qpos, &s.qvel, h);
    s.time += h;
}

/// Activations at the end of the step.
#[inline(always)]
fn advance_activations<V: Lanes>(plan: &Plan, act: &mut [V], act_dot: &[V]) {
    for dynamics in plan.actuators.iter().filter_map(|actuator| actuator.dynamics.as_ref()) {
        let k = dynamics.act;
        act[k] = next_activation(dynamics, act[k], act_dot[k]);
    }
}

/// Buffers of the Runge–Kutta method.
#[derive(Debug, Clone)]
pub(crate) struct RungeKutta<V> {
    qpos: Vec<V>,
    qvel: Vec<V>,
    act: Vec<V>,
    /// Weighted sums of the velocities, accelerations and rates of activations of the stages.
    sum_qvel: Vec<V>,
    sum_qacc: Vec<V>,
    sum_act: Vec<V>,
}

impl<V> Default for RungeKutta<V> {
    fn default() -> Self {
        let empty = Vec::new;
        Self {
            qpos: empty(),
            qvel: empty(),
            act: empty(),
            sum_qvel: empty(),
            sum_qacc: empty(),
            sum_act: empty(),
        }
    }
}

/// Butcher tableau: nodes of stages 2 to 4, each evaluated from the previous stage.
const NODES: [f64; 3] = [0.5, 0.5, 1.0];
/// Butcher tableau: weights of the four stages.
const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Ends stage `stage` of Runge–Kutta after forward dynamics: the state becomes that of the next stage, or the result.
#[inline(always)]
pub(crate) fn runge_kutta<V: Lanes>(plan: &Plan, stage: usize, s: &mut State<V>, w: &mut Work<V>) {
    let h = V::splat(plan.timestep);
    let Work { rk, qacc, qacc_step, act_dot, .. } = w;
    let weight = V::splat(WEIGHTS[stage]);
    if stage == 0 {
        rk.qpos.clone_from(&s.qpos);
        rk.qvel.clone_from(&s.qvel);
        rk.act.clone_from(&s.act);
        rk.sum_act.clear();
        rk.sum_act.resize(plan.na, V::zero());
        rk.sum_qvel.clear();
        rk.sum_qvel.resize(plan.nv, V::zero());
        rk.sum_qacc.clear();
        rk.sum_qacc.resize(plan.nv, V::zero());
    }
    for i in 0..plan.nv {
        rk.sum_qvel[i] += weight * s.qvel[i];
        rk.sum_qacc[i] += weight * qacc[i];
    }
    for (sum, rate) in rk.sum_act.iter_mut().zip(&*act_dot) {
        *sum += weight * *rate;
    }
    s.qpos.copy_from_slice(&rk.qpos);
    if let Some(&node) = NODES.get(stage) {
        let node = V::splat(node);
        for i in 0..plan.nv {
            qacc_step[i] = node * s.qvel[i];
            s.qvel[i] = rk.qvel[i] + h * node * qacc[i];
        }
        for i in 0..plan.na {
            s.act[i] = rk.act[i] + h * node * act_dot[i];
        }
        integrate_pos(plan, &mut s.qpos, qacc_step, h);
    } else {
        for i in 0..plan.nv {
            s.qvel[i] = rk.qvel[i] + h * rk.sum_qacc[i];
        }
        s.act.copy_from_slice(&rk.act);
        advance_activations(plan, &mut s.act, &rk.sum_act);
        integrate_pos(plan, &mut s.qpos, &rk.sum_qvel, h);
        s.qacc_warmstart.copy_from_slice(qacc);
        s.time += h;
    }
}

/// `qpos ← qpos ⊕ h qvel` (`mj_integratePos`).
#[inline(always)]
fn integrate_pos<V: Lanes>(plan: &Plan, qpos: &mut [V], qvel: &[V], h: V) {
    for joint in &plan.joints {
        let (mut q, mut v) = (joint.qpos, joint.dof);
        match joint.kind {
            JointType::Hinge | JointType::Slide => qpos[q] += h * qvel[v],
            kind @ (JointType::Ball | JointType::Free) => {
                if kind == JointType::Free {
                    for k in 0..3 {
                        qpos[q + k] += h * qvel[v + k];
                    }
                    q += 3;
                    v += 3;
                }
                let (axis, speed) = normalize([qvel[v], qvel[v + 1], qvel[v + 2]]);
                let (sin, cos) = sin_cos(V::splat(0.5) * (h * speed));
                let rotation = [cos, axis[0] * sin, axis[1] * sin, axis[2] * sin];
                let old = [qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]];
                let new = quat_mul(quat_normalize(old), rotation);
                qpos[q..q + 4].copy_from_slice(&new);
            }
        }
    }
}
