//! Arbitrary bytes as an SKN file: decoded, compiled in a model with the bodies that it names, and deformed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_mjcf::asset::Skin;
use sim_mjcf::{Loader, Vfs};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(skin) = Skin::decode(bytes) {
        assert!(skin.vert.len() % 3 == 0 && skin.face.len() % 3 == 0);
    }
    let mut vfs = Vfs::default();
    vfs.add("s.skn", bytes);
    let text = r#"<mujoco><asset><skin file="s.skn"/></asset><worldbody>
        <body name="free"><freejoint/><geom size=".1"/>
        <body name="lower" pos=".1 0 0"><joint/><geom size=".1"/><body name="tip"/></body></body>
        </worldbody></mujoco>"#;
    let spec = Loader::new(vfs).parse_str(text, "");
    let Some(model) = spec.ok().and_then(|spec| spec.compile().ok()) else { return };
    assert_eq!(model.nskin, 1);
    let copy = sim_core::Model::from_bytes(&model.to_bytes()).expect("a compiled model");
    assert_eq!(copy.skin_bonevertid, model.skin_bonevertid);
});
