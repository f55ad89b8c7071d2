//! Advancing the state in time: Euler (`mj_Euler`) and Runge–Kutta (`mj_RungeKutta`).

mod euler;
mod rk4;

pub(crate) use euler::mj_euler;
pub(crate) use rk4::mj_runge_kutta;

use crate::support::integrate_pos;
use crate::{Data, Model};

/// Advances velocity with `qacc`, position with `qvel` (the new velocity if `None`), and time.
#[doc(alias = "mj_advance")]
fn advance(m: &Model, d: &mut Data, qacc: &[f64], qvel: Option<&[f64]>) {
    let h = m.opt.timestep;
    for (v, a) in d.qvel.iter_mut().zip(qacc) {
        *v += h * a;
    }
    let Data { qpos, qvel: new, .. } = d;
    integrate_pos(m, qpos, qvel.unwrap_or(new), h);
    d.time += h;
    d.qacc_warmstart.copy_from_slice(&d.qacc);
}
