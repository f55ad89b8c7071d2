//! Lanes give the results of the scalar engine.

use crate::models::{FIGURE, Rng, all, load, randomise};
use sim_core::{Data, Model, mj_forward, mj_step};
use sim_lanes::{InstructionSet, LaneBatch};

/// Largest difference of accelerations of one forward pass, relative to the largest acceleration. Both solvers stop
/// at the same tolerance, so the difference is the rounding error of the last iteration.
const FORWARD_TOLERANCE: f64 = 1e-9;
/// Largest difference of positions after a few steps.
const STEP_TOLERANCE: f64 = 1e-9;

fn copy_state(batch: &mut LaneBatch, environment: usize, d: &Data) {
    let state = [&[d.time][..], &d.qpos, &d.qvel, &d.act].concat();
    batch.set_state(environment, &state);
    batch.set_ctrl(environment, &d.ctrl);
    batch.set_qacc_warmstart(environment, &d.qacc_warmstart);
}

fn relative_difference(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    a.iter().zip(b).fold(0.0, |e: f64, (a, b)| e.max((a - b).abs())) / scale
}

/// Random environments, the share of which is constrained, and their contacts.
fn random_environments(m: &Model, count: usize, rng: &mut Rng) -> Vec<Data> {
    let mut all: Vec<Data> = (0..count).map(|_| m.make_data()).collect();
    all.iter_mut().for_each(|d| randomise(m, d, rng));
    all
}

fn check_forward(name: &str, m: &Model, set: InstructionSet) {
    let mut rng = Rng(12_345_678_910_111);
    let (mut worst, mut constrained, mut contacts, mut incomplete) = (0.0f64, 0, 0, 0);
    for _ in 0..40 {
        let mut all = random_environments(m, 13, &mut rng);
        let mut batch = LaneBatch::with_instruction_set(m, 13, Some(set)).expect("supported");
        for (e, d) in all.iter().enumerate() {
            copy_state(&mut batch, e, d);
        }
        let mut qacc = vec![0.0; m.nv];
        for (e, d) in all.iter_mut().enumerate() {
            let is_complete = batch.forward(e, &mut qacc);
            mj_forward(m, d).expect("supported");
            incomplete += usize::from(!is_complete);
            if !is_complete {
                continue;
            }
            worst = worst.max(relative_difference(&qacc, &d.qacc));
            constrained += usize::from(d.nefc > 0);
            contacts += d.ncon;
        }
    }
    assert!(worst < FORWARD_TOLERANCE, "{name} {set:?}: qacc differs by {worst:e}");
    assert!(constrained > 100 && contacts > 200, "{name}: the states test little");
    assert!(incomplete < 260, "{name}: {incomplete} states are left to the scalar engine");
}

#[test]
fn accelerations_of_random_states_agree() {
    for (name, text) in &all() {
        let m = load(text);
        for set in [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Portable] {
            check_forward(name, &m, set);
        }
    }
}

#[test]
fn trajectories_agree() {
    for (name, text) in &all() {
        let m = load(text);
        let mut rng = Rng(998_877_665_544);
        let mut all = random_environments(&m, 20, &mut rng);
        let mut batch = LaneBatch::new(&m, 20).expect("supported");
        // far from the deep penetrations of random states
        for d in &mut all {
            for _ in 0..100 {
                mj_step(&m, d).expect("supported");
            }
        }
        for (e, d) in all.iter().enumerate() {
            copy_state(&mut batch, e, d);
        }
        for _ in 0..10 {
            all.iter_mut().for_each(|d| mj_step(&m, d).expect("supported"));
            assert!(batch.step().is_empty());
        }
        let (mut qpos, mut qvel) = (vec![0.0; m.nq], vec![0.0; m.nv]);
        for (e, d) in all.iter().enumerate() {
            batch.qpos(e, &mut qpos);
            batch.qvel(e, &mut qvel);
            let difference = relative_difference(&qpos, &d.qpos);
            assert!(difference < STEP_TOLERANCE, "{name} {e}: qpos differs by {difference:e}");
            let difference = relative_difference(&qvel, &d.qvel);
            assert!(difference < 100.0 * STEP_TOLERANCE, "{name} {e}: qvel by {difference:e}");
        }
    }
}

#[test]
fn divergence_is_reported_and_does_not_spread() {
    let m = load(FIGURE);
    let mut batch = LaneBatch::new(&m, 9).expect("supported");
    let mut alone = LaneBatch::new(&m, 9).expect("supported");
    batch.set_qvel(4, &vec![f64::NAN; m.nv]);
    assert_eq!(batch.step(), [4]);
    assert!(alone.step().is_empty());
    let (mut a, mut b) = (vec![0.0; m.nq], vec![0.0; m.nq]);
    for e in [0, 3, 5, 8] {
        batch.qpos(e, &mut a);
        alone.qpos(e, &mut b);
        assert_eq!(a, b);
    }
}
