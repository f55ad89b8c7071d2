//! Arbitrary bytes as an OBJ file, decoded and compiled with a hull.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_mjcf::asset::{MeshFormat, MeshOptions, compile_mesh, decode_mesh};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(source) = decode_mesh(MeshFormat::Obj, bytes) {
        let options = MeshOptions { need_hull: true, ..MeshOptions::default() };
        let _ = compile_mesh(source, &options);
    }
});
