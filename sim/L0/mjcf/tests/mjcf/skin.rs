//! Skins and cables: invalid models, SKN files, attached copies and saved models.

use crate::errors::check;
use sim_core::types::ObjType;
use sim_mjcf::spec::BodyId;
use sim_mjcf::{Loader, Vfs, parse_str};
use std::path::Path;

const VERTICES: &str = "vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'";

/// Checks the message for a skin with these attributes and this content; the error is at `<skin>`.
fn skin(attributes: &str, content: &str, fragment: &str) {
    let text = format!(
        "<mujoco><worldbody><body name='b'/></worldbody>\n<deformable>§<skin name='s' {attributes}>{content}</skin>\
         </deformable></mujoco>"
    );
    check(&text, fragment);
}

fn bone(body: &str, ids: &str, weights: &str) -> String {
    format!(
        "<bone body='{body}' bindpos='0 0 0' bindquat='1 0 0 0' vertid='{ids}' vertweight='{weights}'/>"
    )
}

#[test]
fn invalid_skins_are_errors() {
    let all = bone("b", "0 1 2", "1 1 1");
    skin("", "", "a skin requires vertices");
    skin("vertex='0 0 0'", &all, "a skin requires faces");
    skin(VERTICES, "", "a skin requires bones");
    skin("vertex='0 0 0 1' face='0 0 0'", &all, "multiple of 3 numbers, found 4");
    skin("vertex='0 0 0 1 0 0 0 1 0' face='0 1'", &all, "multiple of 3 numbers, found 2");
    skin("vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'", &all, "face 0 has vertex 3, but there are 3");
    skin(&format!("{VERTICES} texcoord='0 1'"), &all, "two numbers for each of the 3 vertices");
    skin(VERTICES, &bone("b", "0 1 3", "1 1 1"), "bone 0 has vertex 3");
    skin(VERTICES, &bone("b", "0 1", "1"), "one weight for each vertex");
    skin(VERTICES, &bone("b", "0 1", "1 1"), "vertex 2 must have a positive sum");
    skin(VERTICES, &bone("b", "0 1 2 2", "1 1 1 -1"), "vertex 2 must have a positive sum");
    skin(VERTICES, &bone("c", "0 1 2", "1 1 1"), "`c`");
    skin(&format!("{VERTICES} material='m'"), &all, "`m`");
    skin(&format!("{VERTICES} file='f.skn'"), &all, "remove `vertex`");
    skin("file='f.stl'", "", "must be `.skn`");
    skin("file='missing.skn'", "", "missing.skn");
    check(
        "<mujoco><deformable><skin §group='6'/></deformable></mujoco>",
        "must be between 0 and 5",
    );
    check(
        "<mujoco><deformable><skin>§<bone body='b'/></skin></deformable></mujoco>",
        "attribute \"bindpos\": required",
    );
}

/// Bytes of a skin of one triangle that moves with body `b`.
fn file(counts: [i32; 4], bone_vertices: i32) -> Vec<u8> {
    let mut bytes: Vec<u8> = counts.iter().flat_map(|n| n.to_le_bytes()).collect();
    let vertices = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    bytes.extend(vertices.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0, 1, 2].iter().flat_map(|v: &i32| v.to_le_bytes()));
    let mut name = [0; 40];
    name[0] = b'b';
    bytes.extend(name);
    bytes.extend([0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(bone_vertices.to_le_bytes());
    bytes.extend([0, 1, 2].iter().flat_map(|v: &i32| v.to_le_bytes()));
    bytes.extend([1.0_f32, 2.0, 3.0].iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

#[test]
fn broken_files_are_errors() {
    let text = "<mujoco><asset><skin file='f.skn'/></asset><worldbody><body name='b'/></worldbody></mujoco>";
    let load = |bytes: Vec<u8>| {
        let mut files = Vfs::memory();
        files.add("m.xml", text);
        files.add("f.skn", bytes);
        Loader::new(files).load("m.xml").map_err(|e| e.to_string())
    };
    let model = load(file([3, 0, 1, 1], 3)).expect("a valid file");
    assert_eq!(model.skin_bonevertweight, [1.0; 3]);
    assert_eq!(model.id2name(ObjType::Skin, 0), Some("f"));
    let whole = file([3, 0, 1, 1], 3);
    for length in 0..whole.len() {
        let error = load(whole[..length].to_vec()).expect_err("a truncated file");
        assert!(error.contains("1:16: error: <skin> attribute \"file\""), "{error}");
    }
    for (bytes, fragment) in [
        ([whole.clone(), vec![0]].concat(), "1 bytes follow the last bone"),
        (file([-1, 0, 1, 1], 3), "a count in the header is negative"),
        (file([i32::MAX; 4], 3), "the vertices require"),
        (file([3, 0, 1, 1], 0), "the vertex count of bone 0 is not positive"),
        (file([3, 0, 1, 1], i32::MAX), "the vertices of bone 0 require"),
    ] {
        let error = load(bytes).expect_err(fragment);
        assert!(error.contains(fragment), "{error}");
    }
}

#[test]
fn invalid_cables_are_errors() {
    let cable = |attributes: &str, content: &str, fragment: &str| {
        let text = format!(
            "<mujoco><worldbody>\n§<composite type='cable' {attributes}>{content}</composite></worldbody></mujoco>"
        );
        check(&text, fragment);
    };
    let geom = "<geom type='capsule' size='.1'/>";
    cable("curve='s'", geom, "a cable has one dimension");
    cable("curve='s' count='4 2'", geom, "a cable has one dimension");
    cable("curve='s' count='3'", geom, "2 points or at least 4");
    cable("curve='s' count='4'", "", "capsule");
    cable("curve='s' count='4'", "<geom type='sphere' size='.1'/>", "capsule");
    cable("curve='s' count='1000000000'", geom, "too many");
    let attribute = |attributes: &str, fragment: &str| {
        let text = format!(
            "<mujoco><worldbody>\n<composite type='cable' {attributes}>{geom}</composite></worldbody></mujoco>"
        );
        check(&text, fragment);
    };
    attribute("curve='s' §count='0'", "must be positive");
    attribute("§curve='t' count='4'", "`t` is not a curve");
    attribute("§curve='s s s s' count='4'", "at most 3");
    attribute("curve='s' count='4' §size='0 0 0'", "not zero");
    attribute("count='4' §vertex='0 0 0 1 0 0'", "cannot be combined with `count`");
    for removed in ["particle", "grid", "rope", "loop", "cloth"] {
        let text = format!(
            "<mujoco><worldbody><composite §type='{removed}' count='4'/></worldbody></mujoco>"
        );
        check(&text, "was removed from MuJoCo");
    }
}

/// The models of the conformance suite with skins and cables.
fn models() -> [std::path::PathBuf; 3] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/models/features");
    ["skin", "cable", "cable_skin"].map(|name| folder.join(name).with_extension("xml"))
}

#[test]
fn saved_and_binary_models_are_equal() {
    for path in models() {
        let spec = sim_mjcf::parse_file(&path).expect("a valid model");
        let model = spec.compile().expect("a valid model");
        assert!(model.nskin > 0 || path.ends_with("cable.xml"));
        let mut again =
            parse_str(&spec.save_xml().expect("a model that can be saved")).expect("saved");
        again.directory.clone_from(&spec.directory);
        let again = again.compile().expect("a saved model");
        let bytes = model.to_bytes();
        assert_eq!(again.names, model.names);
        assert_eq!(again.skin_bonevertweight, model.skin_bonevertweight);
        assert_eq!(again.body_quat, model.body_quat);
        let read = sim_core::Model::from_bytes(&bytes).expect("a binary model");
        assert_eq!(read.to_bytes(), bytes);
        let mut broken = model.clone();
        if let Some(id) = broken.skin_bonevertid.first_mut() {
            *id = i32::MAX;
            assert!(broken.validate().is_err());
        }
    }
}

#[test]
fn skins_are_attached_with_their_bodies() {
    let child = format!(
        "<mujoco><deformable><skin name='s' {VERTICES}>{}</skin></deformable><worldbody><body name='b'/><body \
         name='c'/></worldbody></mujoco>",
        bone("b", "0 1 2", "1 2 3")
    );
    let child = parse_str(&child).expect("a valid model");
    let mut parent = parse_str("<mujoco/>").expect("a valid model");
    for prefix in ["p", "q"] {
        parent.attach(BodyId(0), None, &child, None, prefix, "").expect("attached");
    }
    parent.attach(BodyId(0), None, &child, Some("c"), "r", "").expect("attached");
    let model = parent.compile().expect("a valid model");
    assert_eq!(model.nskin, 2);
    assert_eq!(model.id2name(ObjType::Skin, 1), Some("qs"));
    let body = model.skin_bonebodyid[1] as usize;
    assert_eq!(model.id2name(ObjType::Body, body), Some("qb"));
}
