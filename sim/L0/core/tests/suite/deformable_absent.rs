//! Models without deformable bodies have no deformable memory, no deformable stages and the results that
//! they had before.

use crate::deformable::{block, load};
use sim_core::{Data, Deformable, Model};

const RIGID: &str = r#"<mujoco><worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .2"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>
  </worldbody></mujoco>"#;

/// Steps until contacts and scratch memory have their final sizes.
fn stepped(m: &Model) -> Data {
    let mut d = m.make_data();
    for _ in 0..300 {
        d.step(m).unwrap();
    }
    d
}

#[test]
fn a_model_without_deformable_bodies_holds_no_deformable_memory() {
    let rigid = load(RIGID);
    assert!(rigid.deformables.is_empty());
    let d = stepped(&rigid);
    assert_eq!(d.deformable_count(), 0);
    assert!(d.deformable(0).is_none() && d.deformable_contact(0).is_none());
    assert_eq!(d.coupling_report(), sim_core::CouplingReport::default());
    let mut state = Vec::new();
    d.deformable_state(&mut state);
    assert_eq!(state.capacity(), 0, "no state, and no allocation for it");
    // the same model with a deformable body far away: the difference is its memory
    let mut m = load(RIGID);
    m.add_deformable(Deformable::new("block", &block([0.1; 3], [2; 3], 5.0, 1e5))).unwrap();
    let with = m.make_data().memory();
    let without = rigid.make_data().memory();
    assert!(without.other < with.other, "{without:?} {with:?}");
    // one pointer in `Data`: nothing of the deformable bodies is stored in place
    m.deformables = sim_core::Deformables::default();
    let mut emptied = m.make_data();
    assert_eq!(emptied.memory().other, without.other);
    emptied.reset_deformables(&m);
    assert_eq!(emptied.memory().other, without.other);
}

#[test]
fn a_distant_deformable_body_does_not_change_rigid_results() {
    let rigid = load(RIGID);
    let mut m = load(RIGID);
    let mut distant = Deformable::new("block", &block([0.1; 3], [2; 3], 5.0, 1e5));
    (distant.contype, distant.conaffinity) = (0, 0);
    m.add_deformable(distant).unwrap();
    let (with, without) = (stepped(&m), stepped(&rigid));
    assert_eq!(with.ncon, without.ncon);
    for (a, b) in with.qpos.iter().zip(&without.qpos) {
        assert_eq!(a.to_bits(), b.to_bits());
    }
}

/// The stage profile of a step of a rigid model does not contain deformable work: every deformable stage is
/// behind one test of `Data::deformables`, so that removing the bodies restores the bits of the rigid model.
#[test]
fn removing_the_deformable_bodies_restores_the_rigid_bits() {
    let rigid = load(RIGID);
    let mut m = load(RIGID);
    m.add_deformable(Deformable::new("block", &block([0.1; 3], [2; 3], 0.0, 1e5))).unwrap();
    let mut d = stepped(&m);
    assert!(d.ncon > 0);
    m.deformables = sim_core::Deformables::default();
    d.reset(&m);
    assert_eq!(d.deformable_count(), 0);
    for _ in 0..300 {
        d.step(&m).unwrap();
    }
    let expected = stepped(&rigid);
    for (a, b) in d.qpos.iter().chain(&d.qvel).zip(expected.qpos.iter().chain(&expected.qvel)) {
        assert_eq!(a.to_bits(), b.to_bits());
    }
}
