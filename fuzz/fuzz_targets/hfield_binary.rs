//! Arbitrary bytes as MuJoCo's height field.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_mjcf::asset::{HField, ImageFormat};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(field) = HField::decode(ImageFormat::Custom, bytes) {
        assert_eq!(field.data.len(), field.nrow * field.ncol);
        assert!(field.data.iter().all(|x| (0.0..=1.0).contains(x)));
    }
});
