//! Semi-implicit Euler with implicit joint damping (`mj_Euler`).

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
            let [linear, a, b] = plan.damping[i];
            let mut c = V::splat(linear);
            if (a, b) != (0.0, 0.0) {
                let v = s.qvel[i];
                c = c + V::splat(2.0 * a) * v.abs() + V::splat(3.0 * b) * v * v;
            }
            w.ld[row.start + row.len - 1] += h * c;
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
    s.qacc_warmstart.copy_from_slice(&w.qacc);
    integrate_pos(plan, s, h);
    s.time += h;
}

/// `qpos ← qpos ⊕ h qvel` (`mj_integratePos`).
#[inline(always)]
fn integrate_pos<V: Lanes>(plan: &Plan, s: &mut State<V>, h: V) {
    for joint in &plan.joints {
        let (mut q, mut v) = (joint.qpos, joint.dof);
        match joint.kind {
            JointType::Hinge | JointType::Slide => s.qpos[q] += h * s.qvel[v],
            kind @ (JointType::Ball | JointType::Free) => {
                if kind == JointType::Free {
                    for k in 0..3 {
                        s.qpos[q + k] += h * s.qvel[v + k];
                    }
                    q += 3;
                    v += 3;
                }
                let (axis, speed) = normalize([s.qvel[v], s.qvel[v + 1], s.qvel[v + 2]]);
                let (sin, cos) = sin_cos(V::splat(0.5) * (h * speed));
                let rotation = [cos, axis[0] * sin, axis[1] * sin, axis[2] * sin];
                let old = [s.qpos[q], s.qpos[q + 1], s.qpos[q + 2], s.qpos[q + 3]];
                let new = quat_mul(quat_normalize(old), rotation);
                s.qpos[q..q + 4].copy_from_slice(&new);
            }
        }
    }
}
