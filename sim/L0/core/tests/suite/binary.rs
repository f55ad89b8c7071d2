//! Saved models: the same model comes back, and nothing else is taken for one.

use crate::models::{cases, model};
use proptest::prelude::*;
use sim_core::{BinaryError, Model};

/// A saved model is the model: the same arrays, and the same next step to the bit.
fn saves(m: &Model) {
    let bytes = m.to_bytes();
    let again = Model::from_bytes(&bytes).expect("what was saved loads");
    m.visit(&mut |field, view| assert_eq!(again.field(field.name), Some(view), "{}", field.name));
    assert_eq!((again.sizes(), &again.opt, &again.stat), (m.sizes(), &m.opt, &m.stat));
    assert_eq!(bytes, again.to_bytes());
    let (mut a, mut b) = (m.make_data(), again.make_data());
    for _ in 0..3 {
        assert_eq!(a.step(m).is_ok(), b.step(&again).is_ok());
    }
    assert_eq!(a.qpos, b.qpos);
}
on_every_model!(saves);

#[test]
fn other_files_are_refused() {
    let refused = |bytes: &[u8]| Model::from_bytes(bytes).expect_err("not a model");
    assert_eq!(refused(b""), BinaryError::Foreign);
    assert_eq!(refused(b"<mujoco/>"), BinaryError::Foreign);
    let good = model("robots/arm6").to_bytes();
    let mut other = good.clone();
    other[8] ^= 1;
    assert_eq!(refused(&other), BinaryError::Version);
    let mut other = good.clone();
    let last = other.len() - 1;
    other[last] ^= 1;
    assert_eq!(refused(&other), BinaryError::Checksum);
    assert_eq!(refused(&good[..10]), BinaryError::Truncated);
    assert_eq!(refused(&good[..good.len() - 1]), BinaryError::Checksum);
}

/// Replaces the checksum by the right one, as someone who forges a file would.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

proptest! {
    #![proptest_config(cases())]

    /// A damaged file with a matching checksum either loads to a model that steps, or is refused.
    #[test]
    fn a_forged_file_does_not_panic(at in 16_usize..20_000, value: u8, name in 0_usize..4) {
        let names = ["robots/arm6", "robots/hand", "features/forest", "features/tendon_spatial"];
        let mut bytes = model(names[name]).to_bytes();
        let at = at % (bytes.len() - 4);
        bytes[at] = value;
        if let Ok(m) = Model::from_bytes(&sealed(bytes)) {
            let mut d = m.make_data();
            let _ = d.step(&m);
        }
    }
}
