//! Velocities (`mj_comVel`), bias forces (`mj_rne`), passive and actuator forces, and the unconstrained acceleration
//! (`mj_fwdAcceleration`).

use crate::inertia;
use crate::math::{
    Vec6, add, cross, cross_force, cross_motion, join, mat_mul_const, mat_mul_transposed_vec,
    mat_mul_vec, mul_inertia, rotation, spatial_add_scaled, spatial_dot, splat, sub, translation,
};
use crate::plan::{Dynamics, LimitSource, Plan};
use crate::work::{State, Work};
use sim_core::fluid::BoxDrag;
use sim_simd::lanes::{Lanes, Mask};
use sim_types::{JointType, MAXVAL};

/// Reads the state and the results of the position stage. Writes `qfrc_smooth`, `qacc_smooth`.
#[inline(always)]
pub(crate) fn smooth<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    velocity(plan, s, w);
    bias(plan, s, w);
    passive(plan, s, w);
    actuation(plan, s, w);
    w.ld.copy_from_slice(&w.m);
    inertia::factor(plan, &mut w.ld, &mut w.diag_inv);
    w.qacc_smooth.copy_from_slice(&w.qfrc_smooth);
    inertia::solve(plan, &w.ld, &w.diag_inv, &mut w.qacc_smooth);
}

#[inline(always)]
fn velocity<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    w.cvel[0] = [V::zero(); 6];
    for (i, body) in plan.bodies.iter().enumerate().skip(1) {
        let mut vel = w.cvel[body.parent];
        for joint in &plan.joints[body.joints.clone()] {
            let mut dof = joint.dof;
            match joint.kind {
                JointType::Hinge | JointType::Slide => {
                    w.cdof_dot[dof] = cross_motion(&vel, &w.cdof[dof]);
                    spatial_add_scaled(&mut vel, &w.cdof[dof], s.qvel[dof]);
                }
                kind @ (JointType::Ball | JointType::Free) => {
                    if kind == JointType::Free {
                        for k in 0..3 {
                            w.cdof_dot[dof + k] = [V::zero(); 6];
                            vel[3 + k] += s.qvel[dof + k];
                        }
                        dof += 3;
                    }
                    for k in dof..dof + 3 {
                        w.cdof_dot[k] = cross_motion(&vel, &w.cdof[k]);
                    }
                    for k in dof..dof + 3 {
                        spatial_add_scaled(&mut vel, &w.cdof[k], s.qvel[k]);
                    }
                }
            }
        }
        w.cvel[i] = vel;
    }
    for (velocity, tendon) in w.ten_velocity.iter_mut().zip(&plan.tendons) {
        *velocity = V::zero();
        for &(dof, coefficient) in &tendon.moment {
            *velocity += V::splat(coefficient) * s.qvel[dof];
        }
    }
}

/// Writes the negated bias force, plus the force of a fluid, to `qfrc_smooth`.
#[inline(always)]
fn bias<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    let zero = V::zero();
    let [x, y, z] = plan.gravity;
    w.cacc[0] = [zero, zero, zero, V::splat(-x), V::splat(-y), V::splat(-z)];
    w.cfrc[0] = [zero; 6];
    for (i, body) in plan.bodies.iter().enumerate().skip(1) {
        let mut acc = w.cacc[body.parent];
        for k in body.dofs.clone() {
            spatial_add_scaled(&mut acc, &w.cdof_dot[k], s.qvel[k]);
        }
        w.cacc[i] = acc;
        let momentum = mul_inertia(&w.cinert[i], &w.cvel[i]);
        let mut force = mul_inertia(&w.cinert[i], &acc);
        let gyroscopic = cross_force(&w.cvel[i], &momentum);
        for k in 0..6 {
            force[k] += gyroscopic[k];
        }
        if let Some(drag) = &body.drag {
            let wrench = fluid_wrench(plan, i, drag, w);
            for k in 0..6 {
                force[k] -= wrench[k];
            }
        }
        w.cfrc[i] = force;
    }
    for (i, body) in plan.bodies.iter().enumerate().skip(1).rev() {
        if body.parent > 0 {
            let child = w.cfrc[i];
            let sum = &mut w.cfrc[body.parent];
            for k in 0..6 {
                sum[k] += child[k];
            }
        }
    }
    for (k, &body) in plan.dof_body.iter().enumerate() {
        w.qfrc_smooth[k] = -spatial_dot(&w.cdof[k], &w.cfrc[body]);
    }
}

/// Wrench of the fluid on a body about the centre of mass of its tree, in world axes (`mj_inertiaBoxFluidModel`).
#[inline(always)]
fn fluid_wrench<V: Lanes>(plan: &Plan, i: usize, drag: &BoxDrag, w: &Work<V>) -> Vec6<V> {
    let body = &plan.bodies[i];
    let arm = sub(w.xipos[i], w.com[body.root]);
    let mat = if body.has_imat { mat_mul_const(&w.xmat[i], &body.imat) } else { w.xmat[i] };
    let angular = rotation(&w.cvel[i]);
    let linear = sub(add(translation(&w.cvel[i]), cross(angular, arm)), splat(&plan.wind));
    // force in the inertial frame, and its world components
    let mut local =
        join(mat_mul_transposed_vec(&mat, angular), mat_mul_transposed_vec(&mat, linear));
    for k in 0..6 {
        let (viscous, pressure) = (V::splat(drag.linear[k]), V::splat(drag.quadratic[k]));
        local[k] = -((viscous + pressure * local[k].abs()) * local[k]);
    }
    let torque = mat_mul_vec(&mat, rotation(&local));
    let force = mat_mul_vec(&mat, translation(&local));
    join(add(torque, cross(arm, force)), force)
}

#[inline(always)]
fn passive<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    if plan.has_springs {
        for joint in &plan.joints {
            if joint.stiffness == 0.0 && joint.stiffnesspoly == [0.0; 2] {
                continue;
            }
            let x = s.qpos[joint.qpos] - V::splat(joint.spring_ref[0]);
            let [a, b] = joint.stiffnesspoly;
            let mut k = V::splat(joint.stiffness);
            if joint.stiffnesspoly != [0.0; 2] {
                k = k + V::splat(a) * x + V::splat(b) * x * x;
            }
            w.qfrc_smooth[joint.dof] -= x * k;
        }
        for (tendon, length) in plan.tendons.iter().zip(&w.ten_length) {
            let Some(coefficients) = tendon.stiffness else { continue };
            let [low, high] = tendon.lengthspring;
            let (above, below) = (*length - V::splat(high), *length - V::splat(low));
            let zero = V::zero();
            let x = above.select(above.gt(zero), below.select(below.lt(zero), zero));
            let [k, a, b] = splat::<V, 3>(&coefficients);
            let force = x * (k + a * x + b * x * x);
            for &(dof, moment) in &tendon.moment {
                w.qfrc_smooth[dof] -= V::splat(moment) * force;
            }
        }
    }
    if plan.has_dampers {
        for (i, &[linear, a, b]) in plan.damping.iter().enumerate() {
            let v = s.qvel[i];
            let mut c = V::splat(linear);
            if (a, b) != (0.0, 0.0) {
                c = c + V::splat(a) * v.abs() + V::splat(b) * v * v;
            }
            w.qfrc_smooth[i] -= v * c;
        }
        for (tendon, &v) in plan.tendons.iter().zip(&w.ten_velocity) {
            let Some(coefficients) = tendon.damping else { continue };
            let [c, a, b] = splat::<V, 3>(&coefficients);
            let force = v * (c + a * v.abs() + b * v * v);
            for &(dof, moment) in &tendon.moment {
                w.qfrc_smooth[dof] -= V::splat(moment) * force;
            }
        }
    }
}

/// Activation after a step with a rate at its start (`mj_nextActivation`).
#[inline(always)]
pub(crate) fn next_activation<V: Lanes>(dynamics: &Dynamics, act: V, rate: V) -> V {
    let next = act + V::splat(dynamics.factor) * rate;
    match dynamics.actrange {
        Some([low, high]) => next.max(V::splat(low)).min(V::splat(high)),
        None => next,
    }
}

#[inline(always)]
fn actuation<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    for (smooth, applied) in w.qfrc_smooth.iter_mut().zip(&s.qfrc_applied) {
        *smooth += *applied;
    }
    if plan.actuators.is_empty() {
        return;
    }
    // controls that are not finite switch off all actuators of the environment
    let mut good = V::Mask::all_lanes();
    for ctrl in &s.ctrl {
        good = good & ctrl.abs().le(V::splat(MAXVAL));
    }
    let force_of = &mut w.qfrc_actuator;
    force_of.fill(V::zero());
    for (i, actuator) in plan.actuators.iter().enumerate() {
        let raw = s.ctrl[i];
        let mut ctrl = raw;
        if let (Some([low, high]), true) = (actuator.ctrlrange, plan.clamp_ctrl) {
            ctrl = ctrl.max(V::splat(low)).min(V::splat(high));
        }
        let mut ctrl = ctrl.masked(good);
        let mut raw = raw;
        if let Some(dynamics) = &actuator.dynamics {
            let act = s.act[dynamics.act];
            let mut rate = ctrl;
            if let Some(tau) = dynamics.filter {
                rate = (ctrl - act) / V::splat(tau);
            }
            w.act_dot[dynamics.act] = rate;
            ctrl = if dynamics.is_early { next_activation(dynamics, act, rate) } else { act };
            raw = ctrl;
        }
        let mut force = V::splat(actuator.gain[0]) * ctrl;
        if actuator.is_affine {
            let value = match actuator.target {
                LimitSource::Joint(qpos) => s.qpos[qpos],
                LimitSource::Tendon(i) => w.ten_length[i],
            };
            let length = V::splat(actuator.gear) * value;
            let mut velocity = V::zero();
            for &(dof, moment) in &actuator.moment {
                velocity += V::splat(moment) * s.qvel[dof];
            }
            let [g0, g1, g2] = splat::<V, 3>(&actuator.gain);
            let [b0, b1, b2] = splat::<V, 3>(&actuator.bias);
            force = (g0 + g1 * length + g2 * velocity) * ctrl + (b0 + b1 * length + b2 * velocity);
        }
        let mut slope = V::zero();
        if plan.is_implicitfast && actuator.is_affine {
            // the control before clamping, as the scalar engine
            slope = V::splat(actuator.bias[2]);
            if actuator.gain[2] != 0.0 {
                slope += V::splat(actuator.gain[2]) * raw;
            }
        }
        if let Some([low, high]) = actuator.forcerange {
            force = force.max(V::splat(low)).min(V::splat(high));
            slope = slope.masked(force.gt(V::splat(low)) & force.lt(V::splat(high)));
        }
        w.actuator_force[i] = force;
        w.force_vel[i] = slope;
        for &(dof, moment) in &actuator.moment {
            force_of[dof] += V::splat(moment) * force;
        }
    }
    for &(dof, [low, high]) in &plan.actfrc {
        force_of[dof] = force_of[dof].max(V::splat(low)).min(V::splat(high));
    }
    for (smooth, force) in w.qfrc_smooth.iter_mut().zip(&*force_of) {
        *smooth += *force;
    }
}
