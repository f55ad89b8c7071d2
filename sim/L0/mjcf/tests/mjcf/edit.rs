//! Construction and editing of specs in code.

use sim_core::types::{JointType, ObjType, SensorType};
use sim_mjcf::spec::{
    Actuator, AttachError, Body, BodyId, Camera, DefaultId, Equality, Exclude, Frame, Geom, HField,
    Joint, Key, Light, Material, Mesh, Orientation, Pair, Sensor, Site, Spec, Tendon, Texture,
};
use sim_mjcf::{Errors, parse_str};

/// Two arms, `left` and `right`, on a base, with one of everything that refers to them.
const ARMS: &str = r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><site name="w"/>
  <body name="base"><joint name="b"/><geom size=".1"/>
    <body name="left"><joint name="l"/><geom name="gl" size=".1"/><site name="sl" pos="1 0 0"/>
      <body name="hand"><joint name="h" type="slide"/><geom name="gh" size=".1"/></body></body>
    <body name="right"><joint name="r"/><geom name="gr" size=".1"/><site name="sr" pos="0 1 0"/></body></body>
  <body name="target" mocap="true"/></worldbody>
<contact><pair name="p" geom1="gl" geom2="floor"/><exclude name="x" body1="hand" body2="right"/></contact>
<equality><joint name="e" joint1="l" joint2="r"/><connect name="c" body1="right" body2="base" anchor="0 0 0"/></equality>
<tendon><spatial name="t"><site site="w"/><site site="sl"/></spatial><fixed name="f"><joint joint="r" coef="1"/></fixed></tendon>
<actuator><general name="ml" joint="l" dyntype="integrator"/><motor name="mt" tendon="t"/><motor name="mr" joint="r"/>
  <general name="mf" tendon="f" dyntype="filter"/></actuator>
<sensor><jointpos name="jl" joint="l"/><framepos name="fr" objtype="body" objname="right"/><actuatorfrc name="am" actuator="mt"/></sensor>
<custom><tuple name="both"><element objtype="body" objname="left"/><element objtype="body" objname="right"/></tuple></custom>
<keyframe><key name="k" qpos="1 2 3 4" qvel="5 6 7 8" act="9 10" ctrl="11 12 13 14" mpos="1 1 1"/></keyframe></mujoco>"#;

fn arms() -> Spec {
    parse_str(ARMS).expect("a model")
}

#[test]
fn every_element_type_can_be_added_found_modified_and_deleted() -> Result<(), Errors> {
    let mut spec = Spec::new("all");
    spec.add(Mesh::from_vertices(
        "m",
        vec![0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.],
        vec![],
    ))
    .add(HField::default().name("hf").nrow(2).ncol(2).size([1.0; 4]))
    .add(Material::new("red", [1.0, 0.0, 0.0, 1.0]));
    let a = spec.add_body(BodyId::WORLD, Body::new("a"));
    spec.bodies[a.0]
        .add(Joint::hinge([0.0, 0.0, 1.0]).name("j").range([-1.0, 1.0]))
        .add(Geom::sphere(0.1).name("g").material("red"))
        .add(Geom::of_mesh("m").name("gm"))
        .add(Site::new("s", [1.0, 0.0, 0.0]))
        .add(Camera::default().name("eye"))
        .add(Light::default().name("lamp"));
    let b = spec.add_body(a, Body::new("b"));
    spec.bodies[b.0]
        .add(Joint::slide([0.0, 0.0, 1.0]).name("k"))
        .add(Geom::cuboid([0.1; 3]).name("g2"))
        .add(Site::new("s2", [0.0, 1.0, 0.0]));
    spec.bodies[0].add(Geom::of_hfield("hf").name("ground"));
    spec.add(Tendon::spatial("t").site("s").site("s2"))
        .add(Tendon::fixed("sum").joint("j", 1.0).joint("k", -1.0))
        .add(Equality::joint("j", "k", [0.0, 1.0, 0.0, 0.0, 0.0]).name("coupling"))
        .add(Equality::connect("a", "b", [0.0; 3]).name("pin"))
        .add(Actuator::position("j", 10.0, 1.0).name("servo"))
        .add(Actuator::motor("").tendon("t").name("pull"))
        .add(Sensor::on(SensorType::JointPos, "j").name("angle"))
        .add(Key::new("home").qpos(vec![0.5, 0.25]));
    let model = spec.compile()?;
    let found = (model.nbody, model.njnt, model.ngeom, model.nsite, model.ncam, model.nlight);
    assert_eq!(found, (3, 2, 4, 2, 1, 1));
    let found = (model.ntendon, model.neq, model.nu, model.nsensor, model.nkey, model.nmat);
    assert_eq!(found, (2, 2, 2, 1, 1, 1));
    assert_eq!(model.key_qpos, [0.5, 0.25]);

    spec.joint_mut("j").expect("there is one").range = [-2.0, 2.0];
    spec.geom_mut("g").expect("there is one").size[0] = 0.2;
    spec.actuator_mut("servo").expect("there is one").ctrlrange = [-3.0, 3.0];
    let model = spec.compile()?;
    assert!((model.jnt_range[1] - 2.0_f64.to_radians()).abs() < 1e-15);
    assert_eq!((model.geom_size[3], model.actuator_ctrlrange[1]), (0.2, 3.0));

    assert!(spec.delete_site("s").is_some() && spec.site("s").is_none());
    let error = spec.compile().expect_err("the tendon misses its site").to_string();
    assert!(error.contains("no site is named `s`; did you mean `s2`?"), "{error}");
    assert!(spec.delete_tendon("t").is_some() && spec.delete_actuator("pull").is_some());
    assert!(spec.delete_light("lamp").is_some() && spec.delete_camera("eye").is_some());
    assert!(spec.delete_geom("gm").is_some() && spec.delete_mesh("m").is_some());
    assert!(spec.delete_equality("pin").is_some() && spec.delete_key("home").is_some());
    assert!(spec.delete_key("home").is_none());
    let model = spec.compile()?;
    let found = (model.nsite, model.ntendon, model.nu, model.nlight, model.nmesh, model.nkey);
    assert_eq!(found, (1, 1, 1, 0, 0, 0));
    Ok(())
}

#[test]
fn errors_of_elements_built_in_code_have_no_file_location() {
    let mut spec = Spec::new("broken");
    spec.add(Actuator::motor("nothing"));
    let errors = spec.compile().expect_err("there is no joint");
    assert!(errors.to_string().contains("no joint is named `nothing`"), "{errors}");
    let mut spec = Spec::new("broken");
    spec.bodies[0].add(Geom::sphere(-1.0));
    assert!(spec.compile().expect_err("a negative radius").to_string().contains("positive"));
    let mut spec = arms();
    spec.bodies[0].children.push(BodyId(2));
    let error = spec.compile().expect_err("a body with two parents").to_string();
    assert!(error.contains("two parents"), "{error}");
    let mut spec = arms();
    spec.bodies[1].children.push(BodyId(99));
    assert!(spec.compile().is_err(), "a child that does not exist");
}

#[test]
fn default_classes_and_frames_apply_to_built_elements() -> Result<(), Errors> {
    let mut spec = Spec::new("classes");
    let thick = spec.add_default("thick", DefaultId(0));
    spec.defaults[thick.0].geom.size = [0.3, 0.0, 0.0];
    let thin = spec.add_default("thin", thick);
    spec.defaults[thin.0].geom.rgba = [1.0, 0.0, 0.0, 1.0];
    assert_eq!(spec.default_class("thin"), Some(thin));
    let outer = spec.add_frame(Frame::default().pos([1.0, 0.0, 0.0]));
    let turned = Orientation::AxisAngle([0.0, 0.0, 1.0, 90.0]);
    let inner = spec.add_frame(Frame::default().parent(outer).orientation(turned));
    let prototype = spec.defaults[thin.0].geom.clone();
    let body = spec.add_body(BodyId::WORLD, Body::new("b").frame(inner).pos([1.0, 0.0, 0.0]));
    spec.bodies[body.0].add(prototype);
    let model = spec.compile()?;
    assert_eq!((model.geom_size[0], model.geom_rgba[0]), (0.3, 1.0));
    let pos = &model.body_pos[3..6];
    assert!((pos[0] - 1.0).abs() < 1e-15 && (pos[1] - 1.0).abs() < 1e-15, "{pos:?}");

    let again = parse_str(&spec.save_xml()?)?;
    assert!(again.default_class("thin").is_some() && again.frames.len() == 2);
    assert_eq!(again.compile()?.body_pos, model.body_pos);
    Ok(())
}

#[test]
fn deleting_a_body_deletes_elements_that_refer_to_it() -> Result<(), Errors> {
    let mut spec = arms();
    assert!(!spec.delete_body("nobody") && !spec.delete_body("world"));
    assert!(spec.delete_body("left"));
    let model = spec.compile()?;
    assert_eq!((model.nbody, model.njnt), (4, 2), "world, base, right, target");
    assert_eq!((model.npair, model.nexclude, model.neq, model.ntendon), (0, 0, 1, 1));
    assert_eq!((model.nu, model.nsensor), (2, 1));
    assert_eq!(model.id2name(ObjType::Actuator, 0), Some("mr"));
    // the keyframe keeps the remaining objects: base and right, `mr` and `mf`
    assert_eq!(model.key_qpos, [1.0, 4.0]);
    assert_eq!(model.key_qvel, [5.0, 8.0]);
    assert_eq!(model.key_act, [10.0]);
    assert_eq!(model.key_ctrl, [13.0, 14.0]);
    assert_eq!(model.key_mpos, [1.0; 3]);
    // the saved model is the same
    let again = parse_str(&spec.save_xml()?)?.compile()?;
    assert_eq!((again.sizes(), again.key_qpos), (model.sizes(), model.key_qpos));

    assert!(!spec.delete_body("hand"), "gone with its parent");
    assert!(spec.delete_body("base"));
    let model = spec.compile()?;
    assert_eq!((model.nbody, model.nv, model.nu, model.neq, model.ntendon), (2, 0, 0, 0, 0));
    assert_eq!(model.key_mpos, [1.0; 3]);
    Ok(())
}

#[test]
fn attached_bodies_are_renamed() -> Result<(), Errors> {
    let mut scene = Spec::new("scene");
    let table = scene.add_body(BodyId::WORLD, Body::new("table"));
    let frame = scene.add_frame(Frame::default().pos([0.0, 0.0, 1.0]));
    let arms = arms();
    for (prefix, suffix) in [("a_", ""), ("", "_b")] {
        scene
            .attach(table, Some(frame), &arms, Some("base"), prefix, suffix)
            .expect("there is one");
    }
    let model = scene.compile()?;
    assert_eq!((model.nbody, model.njnt, model.nkey), (10, 8, 2));
    for (kind, name) in [
        (ObjType::Body, "a_hand"),
        (ObjType::Body, "hand_b"),
        (ObjType::Joint, "l_b"),
        (ObjType::Actuator, "a_mr"),
        (ObjType::Key, "k_b"),
    ] {
        assert!(model.name2id(kind, name).is_some(), "{name}");
    }
    // each keyframe moves its own copy
    assert_eq!(model.key_qpos[..8], [1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(model.key_qpos[8..], [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0]);
    // the tendon and the pair refer to a site and a geom that were not attached
    assert_eq!((model.ntendon, model.npair), (2, 0));

    let error = scene.attach(table, None, &arms, Some("nobody"), "x", "").expect_err("unknown");
    assert_eq!(error, AttachError::NoBody("nobody".to_owned()));
    let error = scene.attach(BodyId(99), None, &arms, None, "x", "").expect_err("unknown");
    assert_eq!(error, AttachError::NoParent(99));
    let mut broken = arms.clone();
    broken.key_mut("k").expect("there is one").qpos.pop();
    let error = scene.attach(table, None, &broken, None, "x", "").expect_err("a short key");
    assert!(error.to_string().contains("keyframe `k`"), "{error}");
    // the same prefix again: a clear error
    scene.attach(table, None, &arms, Some("base"), "a_", "").expect("names are not looked at yet");
    let error = scene.compile().expect_err("names occur twice").to_string();
    assert!(error.contains("repeated name `a_base`"), "{error}");
    Ok(())
}

#[test]
fn pairs_and_excludes_can_refer_to_existing_bodies() -> Result<(), Errors> {
    let mut spec = arms();
    let (mut pair, mut exclude) = (Pair::default().name("q").condim(4), Exclude::default());
    (pair.geom1, pair.geom2) = ("gr".to_owned(), "floor".to_owned());
    (exclude.body1, exclude.body2) = ("left".to_owned(), "right".to_owned());
    spec.add(pair).add(exclude);
    spec.add(Texture::default().name("sky").width(4).height(4));
    let error = spec.compile().expect_err("a texture of nothing").to_string();
    assert!(error.contains("set `file` or `builtin`"), "{error}");
    spec.delete_texture("sky");
    let model = spec.compile()?;
    assert_eq!((model.npair, model.nexclude), (2, 2));
    assert!(model.pair_dim.contains(&4));
    Ok(())
}

#[test]
fn recompile_preserves_the_state_of_corresponding_objects() -> Result<(), Errors> {
    let mut spec = arms();
    let mut model = spec.compile()?;
    let mut data = model.make_data();
    data.reset_to_keyframe(&model, 0);
    data.time = 0.5;
    data.eq_active[1] = false;

    // `left` goes with its hand; a body with a ball joint comes first
    assert!(spec.delete_body("left"));
    let new = spec.add_body(BodyId::WORLD, Body::new("new"));
    spec.bodies[new.0].add(Joint::ball().name("n")).add(Geom::sphere(0.1));
    let place = spec.bodies[0].children.len() - 1;
    spec.bodies[0].children.rotate_right(1);
    assert!(place > 0);
    spec.add(Actuator::motor("n").name("new"));
    spec.recompile(&mut model, &mut data)?;
    assert_eq!(model.jnt_type, [JointType::Ball, JointType::Hinge, JointType::Hinge]);
    assert_eq!(data.qpos, [1.0, 0.0, 0.0, 0.0, 1.0, 4.0]);
    assert_eq!(data.qvel, [0.0, 0.0, 0.0, 5.0, 8.0]);
    assert_eq!((data.time, &data.mocap_pos[..]), (0.5, &[1.0, 1.0, 1.0][..]));
    assert_eq!(data.act, [10.0], "the filter on the tendon `f`");
    assert_eq!(data.ctrl, [13.0, 14.0, 0.0]);
    assert_eq!(data.eq_active, [false]);

    // an invalid edit changes nothing
    spec.bodies[new.0].joints[0].name = String::from("b");
    let before = (model.sizes(), data.qpos.clone());
    assert!(spec.recompile(&mut model, &mut data).is_err());
    assert_eq!((model.sizes(), data.qpos.clone()), before);

    // a joint of another type starts again
    spec.bodies[new.0].joints[0].name = String::from("n");
    spec.joint_mut("r").expect("there is one").jtype = JointType::Slide;
    spec.recompile(&mut model, &mut data)?;
    assert_eq!(data.qpos[4..], [1.0, 0.0]);
    Ok(())
}

#[test]
fn recompile_matches_unnamed_objects_by_index() -> Result<(), Errors> {
    let text = "<mujoco><worldbody>
        <body><joint/><geom size='1'/><body><joint type='slide'/><geom size='1'/></body></body>
        <body mocap='true'/><body name='a'><body><joint/><geom size='1'/></body></body></worldbody>
        <actuator><general joint='x' dyntype='integrator'/></actuator></mujoco>";
    let mut spec =
        parse_str(&text.replace("<joint/>", "<joint name='x'/>").replacen("'x'", "''", 1))
            .expect("a model");
    let mut model = spec.compile()?;
    let mut data = model.make_data();
    data.qpos.copy_from_slice(&[1.0, 2.0, 3.0]);
    data.act[0] = 4.0;
    data.mocap_pos.copy_from_slice(&[7.0, 8.0, 9.0]);
    // a body whose name looks like the place of another, after all others
    let decoy = spec.add_body(BodyId::WORLD, Body::new("a/1"));
    spec.bodies[decoy.0].add(Joint::hinge([0.0, 0.0, 1.0])).add(Geom::sphere(1.0));
    spec.recompile(&mut model, &mut data)?;
    assert_eq!(data.qpos, [1.0, 2.0, 3.0, 0.0]);
    assert_eq!((data.act[0], &data.mocap_pos[..]), (4.0, &[7.0, 8.0, 9.0][..]));
    // a body before the others moves the places of those without a name
    let first = spec.add_body(BodyId::WORLD, Body::new("first"));
    spec.bodies[first.0].add(Joint::hinge([0.0, 0.0, 1.0]).name("f")).add(Geom::sphere(1.0));
    spec.bodies[0].children.rotate_right(1);
    spec.recompile(&mut model, &mut data)?;
    assert_eq!(data.qpos[0], 0.0, "the new body");
    assert_eq!(data.qpos[3], 3.0, "`x` has a name");
    Ok(())
}
