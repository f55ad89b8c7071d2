//! Classical fourth-order Runge–Kutta (`mj_RungeKutta`).

use super::advance;
use crate::acceleration::Inertia;
use crate::forward::forward;
use crate::support::integrate_pos;
use crate::{Data, Model};
use sim_types::SensorStage;

/// Butcher tableau: nodes of stages 2 to 4, each evaluated from the previous stage.
const NODES: [f64; 3] = [0.5, 0.5, 1.0];
/// Butcher tableau: weights of the four stages.
const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// One step of the classical scheme from the current `qacc` and `act_dot`.
pub(crate) fn rk4(m: &Model, d: &mut Data) {
    // moved out of the data while it is borrowed by the evaluations
    let mut rk = std::mem::take(&mut d.scratch.rk4);
    let (h, start) = (m.opt.timestep, d.time);
    rk.qpos.copy_from_slice(&d.qpos);
    rk.qvel[0].copy_from_slice(&d.qvel);
    rk.qacc[0].copy_from_slice(&d.qacc);
    rk.act.copy_from_slice(&d.act);
    rk.act_dot[0].copy_from_slice(&d.act_dot);

    for (stage, node) in NODES.into_iter().enumerate() {
        d.qpos.copy_from_slice(&rk.qpos);
        scaled(&mut rk.dqpos, &rk.qvel[stage], node);
        integrate_pos(m, &mut d.qpos, &rk.dqpos, h);
        for i in 0..m.nv {
            d.qvel[i] = rk.qvel[0][i] + h * node * rk.qacc[stage][i];
        }
        for i in 0..m.na {
            d.act[i] = rk.act[i] + h * node * rk.act_dot[stage][i];
        }
        d.time = start + node * h;
        forward(m, d, SensorStage::None, Inertia::Fastest, false);
        rk.qvel[stage + 1].copy_from_slice(&d.qvel);
        rk.qacc[stage + 1].copy_from_slice(&d.qacc);
        rk.act_dot[stage + 1].copy_from_slice(&d.act_dot);
    }

    combine(&mut rk.dqpos, &rk.qvel);
    combine(&mut rk.dqvel, &rk.qacc);
    combine(&mut rk.dact, &rk.act_dot);
    d.time = start;
    d.qpos.copy_from_slice(&rk.qpos);
    d.qvel.copy_from_slice(&rk.qvel[0]);
    d.act.copy_from_slice(&rk.act);
    // activations advance with the combined rate; that of the last stage stays
    std::mem::swap(&mut d.act_dot, &mut rk.dact);
    advance(m, d, &rk.dqvel, Some(&rk.dqpos));
    std::mem::swap(&mut d.act_dot, &mut rk.dact);
    d.scratch.rk4 = rk;
}

fn scaled(out: &mut [f64], a: &[f64], s: f64) {
    for (out, a) in out.iter_mut().zip(a) {
        *out = s * a;
    }
}

/// Weighted sum of the four stages.
fn combine(out: &mut [f64], stages: &[Vec<f64>; 4]) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = stages.iter().zip(WEIGHTS).map(|(stage, w)| w * stage[i]).sum();
    }
}
