//! Arbitrary bytes as a PNG texture, 2D and cube.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_mjcf::asset::ImageFormat;

fuzz_target!(|bytes: &[u8]| sim_fuzz::texture(ImageFormat::Png, bytes));
