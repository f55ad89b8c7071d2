//! Arbitrary bytes as a binary model, and mutations of a valid one; loaded models are simulated.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_core::Model;
use std::sync::LazyLock;

/// Base models of mutations, as bytes without the checksum.
static BASES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let texts = [
        include_str!("../../sim/conformance/models/features/forest.xml"),
        include_str!("../../sim/conformance/models/features/actuator_muscle.xml"),
        include_str!("../../sim/conformance/models/features/actuator_delay.xml"),
        include_str!("../../sim/conformance/models/features/equality_weld_sites.xml"),
    ];
    texts.iter().map(|text| body(&sim_mjcf::load_str(text).expect("a base model"))).collect()
});

/// A model as bytes, without the checksum.
fn body(model: &Model) -> Vec<u8> {
    let mut bytes = model.to_bytes();
    bytes.truncate(bytes.len() - 4);
    bytes
}

/// Loads bytes and simulates the model, if it is one that fits in the memory of a test.
fn load(bytes: &[u8]) {
    let Ok(model) = Model::from_bytes(bytes) else { return };
    if model.nuserdata.max(model.nhistory).max(model.nsensordata) > 1 << 20 {
        return;
    }
    let mut data = model.make_data();
    let _ = data.step(&model);
    for key in 0..model.nkey {
        data.reset_to_keyframe(&model, key);
    }
}

/// Adds the correct checksum, so that the content is parsed.
fn load_body(mut body: Vec<u8>) {
    body.extend(crc32fast::hash(&body).to_le_bytes());
    load(&body);
}

fuzz_target!(|bytes: &[u8]| {
    if bytes.starts_with(b"SIMMODEL") {
        load(bytes);
        load_body(bytes.to_vec());
        return;
    }
    // Otherwise: one byte for the base, then edits: offset (4 bytes), width and value.
    let Some((&base, edits)) = bytes.split_first() else { return };
    let mut edited = BASES[usize::from(base) % BASES.len()].clone();
    for edit in edits.chunks_exact(13) {
        let place = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize;
        let width = [1, 4, 8][usize::from(edit[4]) % 3];
        let place = place % (edited.len() - 8);
        edited[place..place + width].copy_from_slice(&edit[5..5 + width]);
    }
    load_body(edited);
});
