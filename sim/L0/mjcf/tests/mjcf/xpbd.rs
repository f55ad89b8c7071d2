//! Deformable bodies in MJCF.

use sim_mjcf::spec::{AttachError, BodyId, Deformable, DeformableKind};
use sim_mjcf::{Loader, Spec, Vfs};

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <body name="hand" pos="0 0 1"><freejoint/><geom size=".1"/><site name="grip" pos="0 0 -.1"/></body>
  </worldbody>
  <xpbd substeps="20" damping="0.1">
    <cloth name="sheet" size="1 0.5" cells="4 2" pos="0 0 2" euler="0 0 90" preset="silk" young="1e6">
      <pin vertex="0 4"/>
      <attach vertex="14" body="hand"/>
    </cloth>
    <soft name="ball" shape="sphere" size="0.1" cells="1 1" pos="1 0 0" model="neohookean" selfcollide="0.01"/>
    <soft name="brick" size=".1 .1 .2" cells="1 1 2" preset="foam" contype="2" conaffinity="4" rgba="1 0 .5 .25"/>
    <rope name="line" fromto="0 0 .9 0 0 .4" segments="5" radius="0.004">
      <attach vertex="0" site="grip"/>
    </rope>
    <rope name="bow" points="0 0 0 .1 0 0 .1 .1 0" preset="steel_cable" friction="0.7"/>
  </xpbd>
</mujoco>"#;

fn check(m: &sim_core::Model) {
    let names: Vec<_> = m.deformables.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["sheet", "ball", "brick", "line", "bow"]);
    assert_eq!(m.deformables.config.substeps, 20);
    assert_eq!(m.deformables.config.damping, 0.1);
    let at = |k: usize| m.deformables.get(k).unwrap();
    let sheet = &at(0).body;
    assert_eq!((sheet.len(), sheet.triangles().len()), (15, 16));
    assert!(sheet.is_pinned(0) && sheet.is_pinned(4) && !sheet.is_pinned(1));
    // turned by a quarter about z
    let half_length = sheet.positions().iter().map(|x| x.y.abs()).fold(0.0, f64::max);
    assert!((half_length - 0.5).abs() < 1e-12 && sheet.positions()[0].z == 2.0);
    let hold = at(0).attachments[0];
    assert_eq!((hold.vertex, hold.body), (14, 1));
    assert!((hold.pos[2] - 1.0).abs() < 1e-12);
    assert_eq!(at(1).body.contact_distance(), 0.01);
    assert_eq!((at(2).contype, at(2).conaffinity), (2, 4));
    assert_eq!((at(1).rgba, at(2).rgba), ([0.5, 0.5, 0.5, 1.0], [1.0, 0.0, 0.5, 0.25]));
    assert_eq!(at(3).body.segments().len(), 5);
    assert_eq!(at(3).body.radius(), 0.004);
    assert_eq!(at(3).attachments[0].pos, [0.0, 0.0, -0.1]);
    assert_eq!((at(4).body.len(), at(4).body.friction()), (3, 0.7));
}

#[test]
fn every_kind_is_read_and_written_back() {
    let spec = sim_mjcf::parse_str(MODEL).unwrap();
    let m = spec.compile().unwrap();
    check(&m);
    let text = spec.save_xml().unwrap();
    check(&sim_mjcf::load_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
}

#[test]
fn a_rope_is_added_to_a_spec() {
    let mut spec = Spec::default();
    let ends = Some([0.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
    let rope = Deformable { kind: DeformableKind::Rope, fromto: ends, ..Deformable::default() };
    spec.deformables.push(Deformable { name: "line".into(), pins: vec![0], ..rope });
    assert!(spec.deformable("line").is_some());
    let m = spec.compile().unwrap();
    assert_eq!(m.deformables.get(0).unwrap().body.len(), 21);
}

#[test]
fn errors_have_their_location() {
    for (text, expected) in [
        (r#"§<cloth size="1 1" cells="0 3"/>"#, "cells"),
        (r#"§<cloth size="1 1" preset="coton"/>"#, "cotton"),
        (r#"§<cloth/>"#, "size"),
        (r#"§<cloth file="none.obj"/>"#, "file"),
        (r#"§<soft size="1 1"/>"#, "must be 3 numbers"),
        (r#"§<soft shape="sphere" size="1" cells="99 1"/>"#, "cells"),
        (r#"§<soft size="1 1 1" young="-1"/>"#, "youngs_modulus"),
        (r#"§<soft size="1 1 1" poisson="nan"/>"#, ""),
        (r#"§<soft size="1000000 1 1" cells="100000 100000 100000"/>"#, "cells"),
        (r#"§<rope fromto="0 0 0 1 0 0" segments="0"/>"#, "segments"),
        (r#"§<rope points="0 0"/>"#, "points"),
        (r#"§<rope fromto="0 0 0 0 0 0"/>"#, "same place"),
        (r#"§<rope fromto="0 0 0 1 0 0"><pin vertex="99"/></rope>"#, "99"),
        (r#"§<rope fromto="0 0 0 1 0 0"><pin vertex="-1"/></rope>"#, "-1"),
        (r#"<rope fromto="0 0 0 1 0 0">§<attach vertex="0" body="arm"/></rope>"#, "arm"),
        (r#"<rope fromto="0 0 0 1 0 0">§<attach vertex="0"/></rope>"#, "`body` or a `site`"),
        (r#"§<rope fromto="0 0 0 1 0 0" margin="-1"/>"#, "margin"),
        (r#"<rope name="a" fromto="0 0 0 1 0 0"/>§<rope name="a" fromto="0 0 0 1 0 0"/>"#, "name"),
        (r#"§<string/>"#, "unknown element"),
    ] {
        let text = format!("<mujoco>\n  <xpbd>\n{text}\n  </xpbd></mujoco>");
        let column = text.lines().nth(2).unwrap().find('§').unwrap() + 1;
        let errors = sim_mjcf::load_str(&text.replace('§', "")).unwrap_err().to_string();
        let place = format!("<string>:3:{column}: error: ");
        let near = "<string>:3:";
        let good = errors.starts_with(&place) || expected.is_empty() && errors.starts_with(near);
        assert!(good && errors.contains(expected), "{text}\n{errors}");
    }
    let bad = sim_mjcf::load_str("<mujoco><xpbd substeps='0'/></mujoco>").unwrap_err();
    assert!(bad.to_string().contains("substeps"), "{bad}");
}

/// Error of loading a deformable body with these files.
fn load_error(element: &str, files: &[(&str, &str)]) -> String {
    let mut vfs = Vfs::memory();
    vfs.add("main.xml", format!("<mujoco>\n<xpbd>\n{element}\n</xpbd></mujoco>"));
    for (name, text) in files {
        vfs.add(name, *text);
    }
    Loader::new(vfs).load("main.xml").unwrap_err().to_string()
}

#[test]
fn invalid_meshes_are_errors_with_their_location() {
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (text, expected) in [
        ("v 2 0 0\nf 1 2 4\nf 1 2 3\n", "triangle 0 has no area"),
        ("v 0 0 0\nf 1 2 3\nf 2 3 4\n", "vertices 0 and 3 are in the same place"),
        ("v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\nf 4 5 6\n", "2 parts that are not connected"),
        ("v 5 5 5\nf 1 2 3\n", "vertex 3 is in no triangle"),
        ("f 1 2 2\n", "names vertex 1 twice"),
        ("f 1 2 9\n", "line 4: vertex 9"),
        ("v 0 0 nan\nf 1 2 4\n", "line 4: z is not finite"),
    ] {
        let mesh = format!("{corners}{text}");
        let errors = load_error(r#"<cloth file="a.obj"/>"#, &[("a.obj", &mesh)]);
        assert!(errors.starts_with("main.xml:3:1: error: "), "{errors}");
        assert!(errors.contains("file") && errors.contains(expected), "{errors}");
    }
    let corners = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
    for (more, count, elements, expected) in [
        ("", 4, "1 4 0\n1 1 3 2 4\n", "tetrahedron 0 is inverted"),
        ("5 1 1 0\n", 5, "2 4 0\n1 1 2 3 4\n2 1 2 3 5\n", "tetrahedron 1 has no volume"),
        ("5 0 0 1\n", 5, "2 4 0\n1 1 2 3 4\n2 1 2 3 5\n", "vertices 3 and 4 are in the same"),
        (
            "5 5 0 0\n6 6 0 0\n7 5 1 0\n8 5 0 1\n",
            8,
            "2 4 0\n1 1 2 3 4\n2 5 6 7 8\n",
            "2 parts that are not connected",
        ),
        ("5 5 5 5\n", 5, "1 4 0\n1 1 2 3 4\n", "vertex 4 is in no tetrahedron"),
    ] {
        let node = format!("{count} 3 0 0\n{corners}{more}");
        let files = [("a.node", node.as_str()), ("a.ele", elements)];
        let errors = load_error(r#"<soft file="a.node"/>"#, &files);
        assert!(errors.starts_with("main.xml:3:1: error: "), "{errors}");
        assert!(errors.contains("file") && errors.contains(expected), "{errors}");
    }
}

#[test]
fn invalid_material_parameters_are_errors_with_their_attribute() {
    for attribute in ["young", "poisson", "density", "friction", "damping", "bending"] {
        for value in ["nan", "-2", "inf"] {
            let element = format!(r#"<cloth size="1 1" {attribute}="{value}"/>"#);
            let errors = load_error(&element, &[]);
            assert!(errors.starts_with("main.xml:3:"), "{errors}");
            assert!(errors.contains(attribute), "{element}: {errors}");
        }
    }
}

#[test]
fn a_model_with_deformable_bodies_is_not_attached_without_them() {
    let child = r#"<mujoco><worldbody><body name="b"><geom size=".1"/></body></worldbody>
<xpbd><cloth size="1 1"/></xpbd></mujoco>"#;
    let child = sim_mjcf::parse_str(child).unwrap_or_else(|error| panic!("{error}"));
    let mut scene = Spec::default();
    let error = scene.attach(BodyId(0), None, &child, Some("b"), "", "").expect_err("refused");
    assert_eq!(error, AttachError::Deformables);
    assert!(error.to_string().contains("xpbd"), "{error}");
    assert_eq!(scene.bodies.len(), 1);
}
