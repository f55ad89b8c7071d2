//! A trotting quadruped: an oscillator per leg and a PD controller per joint.

use sim_examples::{Recorder, robot, short};
use sim_physics::prelude::*;
use std::f64::consts::{PI, TAU};

/// Proportional and derivative gains of the joints.
const STIFFNESS: f64 = 80.0;
const DAMPING: f64 = 2.0;
/// Stride frequency in Hz, amplitude of the hips, and knee flexion in the swing phase, rad.
const PACE: f64 = 2.5;
const SWING: f64 = 0.18;
const BEND: f64 = 0.45;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::builder().keyframe("home").load(robot("quadruped"))?;
    let stance: Vec<f64> = sim.data().qpos[7..].to_vec();
    sim.on_control(move |_, data| {
        for (i, rest) in stance.iter().enumerate() {
            let target = rest + gait(data.time, i / 3, i % 3);
            let (angle, rate) = (data.qpos[7 + i], data.qvel[6 + i]);
            data.ctrl[i] = STIFFNESS * (target - angle) - DAMPING * rate;
        }
    });
    sim.forward()?;
    let start = sim.body_pos("trunk")?;
    let end = if short() { 1.0 } else { 6.0 };
    let mut next = 0.5;
    let mut table = Recorder::new(&[
        "trunk forward (m)",
        "trunk sideways (m)",
        "trunk height (m)",
        "angle hip (rad)",
        "angle knee (rad)",
    ])?;
    while sim.time() < end {
        sim.step()?;
        let q = &sim.data().qpos;
        table.add(sim.time(), &[q[0], q[1], q[2], q[8], q[9]])?;
        if sim.time() >= next {
            let at = sim.body_pos("trunk")?;
            println!("{:.1} s  trunk at {:+.3} {:+.3} {:.3}", sim.time(), at.x, at.y, at.z);
            next += 0.5;
        }
    }
    let at = sim.body_pos("trunk")?;
    let walked = at.x - start.x;
    println!("walked {walked:.2} m, {:.2} m/s", walked / sim.time());
    assert!(at.z > 0.2, "it fell");
    assert!(walked > 0.1 * end, "it did not get far");
    Ok(())
}

/// Offset of a joint from its stance position; diagonal legs are in phase.
fn gait(time: f64, leg: usize, joint: usize) -> f64 {
    let phase = TAU * PACE * time + if leg == 0 || leg == 3 { 0.0 } else { PI };
    // ramp up the amplitude
    let size = (time / 0.5).min(1.0);
    size * match joint {
        1 => -SWING * phase.cos(),
        2 => BEND * phase.sin().min(0.0),
        _ => 0.0,
    }
}
