//! The result of an environment does not depend on its lane, nor on the environments that share its group, nor on the
//! number of lanes.

use crate::models::{Rng, all, load, randomise};
use sim_core::{Data, Model};
use sim_lanes::{InstructionSet, LaneBatch};

const STEPS: usize = 60;

/// Positions and velocities of all environments after some steps, in the order of `order`.
fn simulate(
    m: &Model,
    all: &[Data],
    order: &[usize],
    set: Option<InstructionSet>,
) -> Vec<Vec<u64>> {
    let mut batch = LaneBatch::with_instruction_set(m, order.len(), set).expect("supported");
    for (e, &k) in order.iter().enumerate() {
        let d = &all[k];
        batch.set_state(e, &[&[d.time][..], &d.qpos, &d.qvel, &d.act].concat());
        batch.set_ctrl(e, &all[k].ctrl);
        batch.set_qacc_warmstart(e, &all[k].qacc_warmstart);
    }
    for _ in 0..STEPS {
        batch.step();
    }
    let mut results = Vec::new();
    for e in 0..order.len() {
        let (mut qpos, mut qvel) = (vec![0.0; m.nq], vec![0.0; m.nv]);
        batch.qpos(e, &mut qpos);
        batch.qvel(e, &mut qvel);
        results.push(qpos.iter().chain(&qvel).map(|x| x.to_bits()).collect());
    }
    results
}

#[test]
fn results_do_not_depend_on_lane_group_and_instructions() {
    for (name, text) in &all() {
        let m = load(text);
        let mut rng = Rng(31_415_926_535);
        let mut all: Vec<Data> = (0..24).map(|_| m.make_data()).collect();
        all.iter_mut().for_each(|d| randomise(&m, d, &mut rng));
        let order: Vec<usize> = (0..24).collect();
        let expected = simulate(&m, &all, &order, None);
        // another order, and each environment alone
        let shuffled: Vec<usize> = (0..24).map(|k| (k * 7 + 5) % 24).collect();
        for (e, result) in simulate(&m, &all, &shuffled, None).iter().enumerate() {
            assert_eq!(result, &expected[shuffled[e]], "{name}: environment {}", shuffled[e]);
        }
        for k in 0..24 {
            assert_eq!(simulate(&m, &all, &[k], None)[0], expected[k], "{name}: {k} alone");
        }
        for set in [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Portable] {
            assert_eq!(simulate(&m, &all, &order, Some(set)), expected, "{name}: {set:?}");
        }
    }
}
