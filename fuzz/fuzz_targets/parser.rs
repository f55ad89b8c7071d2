//! Arbitrary bytes as MJCF text: parsed, compiled, saved and parsed again.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use sim_mjcf::{Loader, Vfs};
use std::sync::{Arc, LazyLock};

/// Files that a model may name: a part, a model, and a mesh.
static FILES: LazyLock<Arc<Vfs>> = LazyLock::new(|| {
    let mut vfs = Vfs::memory();
    vfs.add("part.xml", "<mujoco><worldbody><site name='part'/></worldbody></mujoco>");
    vfs.add(
        "arm.xml",
        "<mujoco><compiler angle='radian'/><default><geom size='.1'/></default><worldbody>
         <body name='arm'><joint name='j' range='-1 1'/><geom/><site name='tip'/></body></worldbody>
         <actuator><motor name='m' joint='j'/></actuator>
         <keyframe><key name='k' qpos='.5'/></keyframe></mujoco>",
    );
    vfs.add("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    Arc::new(vfs)
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Corpus::Reject;
    };
    let loader = Loader::new(Arc::clone(&FILES));
    let Ok(spec) = loader.parse_str(text, "") else {
        return Corpus::Keep;
    };
    let Ok(model) = spec.compile() else {
        return Corpus::Keep;
    };
    let saved = spec.save_xml().expect("a model that compiles can be saved");
    let again = loader.parse_str(&saved, "").and_then(|spec| spec.compile());
    let again = again.unwrap_or_else(|errors| panic!("{errors}\n{saved}"));
    assert_eq!(again.sizes(), model.sizes(), "{saved}");
    Corpus::Keep
});
