//! The facade: loading, names, controls, keyframes, sensors and poses.

use sim_physics::prelude::*;
use std::sync::Arc;

const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/");

/// A cart-pole, a free body and a ball joint.
const CART: &str = r#"<mujoco>
  <option timestep="0.01" gravity="0 0 -10"><flag contact="disable"/></option>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="rail" type="slide" axis="1 0 0"/>
      <geom size=".1" mass="1"/>
      <body name="pole">
        <joint name="pivot" axis="0 1 0"/>
        <geom size=".05" pos="0 0 .5" mass=".1"/>
        <site name="tip" pos="0 0 1"/>
      </body>
    </body>
    <body name="drone" pos="2 0 3"><freejoint name="flight"/><geom size=".1"/></body>
    <body name="lamp" pos="4 0 2"><joint name="socket" type="ball"/><geom size=".1" pos="0 0 -.2"/></body>
  </worldbody>
  <actuator><motor name="push" joint="rail" gear="2"/></actuator>
  <sensor>
    <jointpos name="angle" joint="pivot"/>
    <framepos name="tip_pos" objtype="site" objname="tip"/>
  </sensor>
  <keyframe><key name="leaning" time="1.5" qpos=".3 .2 2 0 3 1 0 0 0 1 0 0 0" ctrl=".7"/></keyframe>
</mujoco>"#;

fn cart() -> Simulation {
    Simulation::from_xml(CART).unwrap()
}

/// The error message.
#[track_caller]
fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn file_and_string_give_the_same_simulation() {
    let path = format!("{MODELS}robots/cartpole.xml");
    let mut from_file = Simulation::load(&path).unwrap();
    let mut from_text = Simulation::from_xml(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for sim in [&mut from_file, &mut from_text] {
        sim.data_mut().qvel.fill(0.3);
        for _ in 0..20 {
            sim.step().unwrap();
        }
    }
    assert_eq!(from_file.data().qpos, from_text.data().qpos);
    assert!(from_file.time() > 0.0);
}

#[test]
fn missing_file_error_contains_the_path() {
    assert!(message(Simulation::load("no/such/model.xml")).contains("no/such/model.xml"));
}

/// `fn main() -> Result<(), Error>` prints the error with `Debug`.
#[test]
fn debug_format_of_errors_is_the_display_message() {
    let missing = Simulation::load("no/such/model.xml").unwrap_err();
    let unknown = cart().joint_pos("x").unwrap_err();
    let length = cart().set_joint_pos("socket", &[1.0]).unwrap_err();
    for error in [missing, unknown, length] {
        assert_eq!(format!("{error:?}"), error.to_string());
    }
    let errors =
        load_str("<mujoco><worldbody><geom size='a'/><geom size='b'/></worldbody></mujoco>");
    let text = format!("{:?}", errors.unwrap_err());
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.starts_with("<string>:1:26: error: <geom>"), "{text}");
}

#[test]
fn wrong_length_error_contains_the_joint_and_both_lengths() {
    let text = message(cart().set_joint_pos("socket", &[1.0]));
    assert_eq!(text, "joint `socket` takes 4 values, but 1 were given");
}

#[test]
fn model_errors_have_a_location_and_a_suggestion() {
    let text = message(Simulation::from_xml(
        "<mujoco>\n  <worldbody><geom sise='1'/></worldbody></mujoco>",
    ));
    assert!(text.starts_with("<string>:2:"), "{text}");
    assert!(text.contains("did you mean `size`?"), "{text}");
}

#[test]
fn unknown_name_errors_contain_the_element_type() {
    let mut sim = cart();
    assert_eq!(message(sim.joint_pos("pivto")), "the model has no joint named `pivto`");
    assert_eq!(message(sim.joint_vel("x")), "the model has no joint named `x`");
    assert_eq!(message(sim.set_joint_pos("x", &[1.0])), "the model has no joint named `x`");
    assert_eq!(message(sim.set_ctrl("x", 1.0)), "the model has no actuator named `x`");
    assert_eq!(message(sim.body_pos("x")), "the model has no body named `x`");
    assert_eq!(message(sim.body_rot("x")), "the model has no body named `x`");
    assert_eq!(message(sim.site_pos("x")), "the model has no site named `x`");
    assert_eq!(message(sim.sensor("x")), "the model has no sensor named `x`");
    assert_eq!(message(sim.reset_to("x")), "the model has no keyframe named `x`");
    assert_eq!(message(sim.joint_pos("")), "the model has no joint named ``");
    assert!(matches!(sim.joint_pos("cart"), Err(Error::UnknownName { kind: "joint", .. })));
}

#[test]
fn joint_state_has_the_size_of_the_joint_type() {
    let sim = cart();
    let count = |name| (sim.joint_pos(name).unwrap().len(), sim.joint_vel(name).unwrap().len());
    assert_eq!(count("rail"), (1, 1));
    assert_eq!(count("pivot"), (1, 1));
    assert_eq!(count("flight"), (7, 6));
    assert_eq!(count("socket"), (4, 3));
    assert_eq!(sim.joint_pos("flight").unwrap()[..3], [2.0, 0.0, 3.0]);
}

#[test]
fn joint_position_moves_body_and_site_after_forward() {
    let mut sim = cart();
    sim.set_joint_pos("rail", &[0.5]).unwrap();
    sim.set_joint_pos("pivot", &[std::f64::consts::FRAC_PI_2]).unwrap();
    sim.forward().unwrap();
    assert_eq!(sim.time(), 0.0);
    assert_eq!(sim.body_pos("cart").unwrap(), Vector3::new(0.5, 0.0, 1.0));
    let tip = sim.site_pos("tip").unwrap();
    assert!((tip - Vector3::new(1.5, 0.0, 1.0)).norm() < 1e-15, "{tip}");
    let turned = sim.body_rot("pole").unwrap() * Vector3::z();
    assert!((turned - Vector3::x()).norm() < 1e-15, "{turned}");
    assert_eq!(sim.sensor("angle").unwrap(), [std::f64::consts::FRAC_PI_2]);
    assert_eq!(sim.sensor("tip_pos").unwrap(), tip.as_slice());
}

#[test]
fn control_acts_until_reset() {
    let mut sim = cart();
    sim.set_ctrl("push", 3.0).unwrap();
    sim.step().unwrap();
    assert!(sim.joint_vel("rail").unwrap()[0] > 0.0);
    assert!((sim.time() - 0.01).abs() < 1e-15);
    sim.reset();
    assert_eq!(
        (sim.time(), sim.data().ctrl[0], sim.joint_vel("rail").unwrap()[0]),
        (0.0, 0.0, 0.0)
    );
}

#[test]
fn keyframe_sets_state_control_and_time() {
    let mut sim = cart();
    sim.step().unwrap();
    sim.reset_to("leaning").unwrap();
    assert_eq!(sim.time(), 1.5);
    assert_eq!(sim.joint_pos("rail").unwrap(), [0.3]);
    assert_eq!(sim.joint_pos("pivot").unwrap(), [0.2]);
    assert_eq!(sim.data().ctrl, [0.7]);
    assert!(sim.data().qvel.iter().all(|&v| v == 0.0));
}

#[test]
fn energy_matches_the_analytic_energy_of_the_state() {
    let mut sim = cart();
    sim.data_mut().qvel[0] = 2.0;
    sim.forward().unwrap();
    let [potential, kinetic] = sim.energy();
    let model = sim.model();
    let height: f64 =
        (1..model.nbody).map(|b| 10.0 * model.body_mass[b] * sim.data().xipos[3 * b + 2]).sum();
    assert!((potential - height).abs() < 1e-12 * height);
    // cart and pole slide together
    assert!((kinetic - 0.5 * 1.1 * 4.0).abs() < 1e-12, "{kinetic}");
}

#[test]
fn clones_share_the_model_but_not_the_state() {
    let first = cart();
    let mut second = first.clone();
    let third = Simulation::new(first.model().clone());
    assert!(Arc::ptr_eq(first.model(), second.model()));
    assert!(Arc::ptr_eq(first.model(), third.model()));
    second.step().unwrap();
    assert_eq!(first.time(), 0.0);
}

#[test]
fn sphere_comes_to_rest_on_the_floor() {
    let mut sim = Simulation::from_xml(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .15"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    for _ in 0..1000 {
        sim.step().unwrap();
    }
    let height = sim.data().qpos[2];
    assert!((height - 0.1).abs() < 1e-3, "{height}");
}

#[test]
fn simulation_is_send() {
    let sims: Vec<Simulation> = (0..3).map(|_| cart()).collect();
    let ends: Vec<f64> = sims
        .into_iter()
        .map(|mut sim| {
            std::thread::spawn(move || {
                sim.set_joint_pos("pivot", &[0.1]).unwrap();
                (0..10).for_each(|_| sim.step().unwrap());
                sim.joint_pos("pivot").unwrap()[0]
            })
        })
        .map(|thread| thread.join().unwrap())
        .collect();
    assert!(ends[0] > 0.1 && ends.iter().all(|&end| end == ends[0]));
}

#[test]
fn handles_are_equivalent_to_names() {
    let mut sim = cart();
    let (rail, push) =
        (sim.find::<JointHandle>("rail").unwrap(), sim.find::<ActuatorHandle>("push").unwrap());
    sim.set_joint_vel(rail, &[0.5]).unwrap();
    sim.set_ctrl(push, 1.5).unwrap();
    assert_eq!((sim.joint_vel("rail").unwrap(), sim.ctrl("push").unwrap()), (&[0.5][..], 1.5));
    sim.forward().unwrap();
    assert_eq!(sim.actuator_force(push).unwrap(), 1.5);
    assert_eq!(rail.id(), 0);
    // a handle of another model
    let error = message(Simulation::from_xml("<mujoco/>").unwrap().joint_pos(rail));
    assert_eq!(error, "there is no joint 0: the model has 0");
}

#[test]
fn restored_state_steps_bit_identically() {
    let mut sim = cart();
    sim.set_ctrl("push", 0.7).unwrap();
    (0..20).for_each(|_| sim.step().unwrap());
    let state = sim.save();
    (0..20).for_each(|_| sim.step().unwrap());
    let (there, time) = (sim.data().qpos.clone(), sim.time());
    sim.reset();
    sim.restore(&state).unwrap();
    (0..20).for_each(|_| sim.step().unwrap());
    assert_eq!((&sim.data().qpos, sim.time()), (&there, time));
    let mut other = Simulation::from_xml("<mujoco/>").unwrap();
    assert!(other.restore(&state).is_err());
}

#[test]
fn builder_overrides_options_callbacks_and_keyframe() {
    let mut sim = Simulation::builder()
        .timestep(0.002)
        .gravity([0.0; 3])
        .keyframe("leaning")
        .on_control(|_, data| data.ctrl[0] = 3.0)
        .from_xml(CART)
        .unwrap();
    assert_eq!(sim.joint_pos("rail").unwrap(), [0.3]);
    sim.step().unwrap();
    assert!((sim.time() - 1.502).abs() < 1e-12);
    assert_eq!(sim.ctrl("push").unwrap(), 3.0);
    let missing = Simulation::builder().keyframe("nowhere").from_xml(CART);
    assert_eq!(message(missing), "the model has no keyframe named `nowhere`");
}

#[test]
fn edit_model_copies_a_shared_model() {
    let model = Arc::new(load_str(CART).unwrap());
    let mut sim = Simulation::new(model.clone());
    sim.edit_model(|m| m.opt.timestep = 1.0);
    sim.on_passive(|_, data| data.qfrc_passive[0] += 10.0);
    sim.forward().unwrap();
    assert_eq!((model.opt.timestep, sim.model().opt.timestep), (0.01, 1.0));
    assert_eq!(sim.data().qfrc_passive[0], 10.0);
}

#[test]
fn applied_force_accelerates_the_body() {
    let mut sim = cart();
    sim.set_xfrc_applied("drone", Vector3::new(1.0, 0.0, 0.0), Vector3::zeros()).unwrap();
    sim.step().unwrap();
    assert!(sim.joint_vel("flight").unwrap()[0] > 0.0);
}

#[test]
fn bytes_spec_and_vfs_give_the_same_model() {
    let sim = cart();
    let bytes = Simulation::from_bytes(&sim.model().to_bytes()).unwrap();
    let spec = sim_physics::mjcf::parse_str(CART).unwrap();
    let spec = Simulation::from_spec(&spec).unwrap();
    let mut vfs = Vfs::memory();
    vfs.add("cart.xml", CART);
    let loaded = Simulation::from_loader(&Loader::new(vfs), "cart.xml").unwrap();
    for mut other in [bytes, spec, loaded] {
        other.reset_to("leaning").unwrap();
        assert_eq!(other.model().to_bytes(), sim.model().to_bytes());
    }
    assert!(Simulation::from_bytes(b"nonsense").is_err());
}

#[test]
fn mujoco_module_has_the_c_function_names() {
    use sim_physics::mujoco::*;
    let m: MjModel = load_str(CART).unwrap();
    let mut d: MjData = mj_make_data(&m);
    assert!(mj_reset_data_keyframe(&m, &mut d, 0) && !mj_reset_data_keyframe(&m, &mut d, 1));
    mj_step(&m, &mut d).unwrap();
    let mut copy = mj_make_data(&m);
    mj_copy_data(&mut copy, &d);
    assert_eq!(copy.qpos, d.qpos);
    let id = mj_name2id(&m, sim_physics::types::ObjType::Body, "pole").unwrap();
    assert_eq!(mj_id2name(&m, sim_physics::types::ObjType::Body, id), Some("pole"));
    mj_reset_data(&m, &mut d);
    assert_eq!(d.time, 0.0);
}

#[test]
fn urdf_is_detected_by_its_root_element() {
    let path = format!("{MODELS}urdf/gripper.urdf");
    let mut sim = Simulation::load(&path).unwrap();
    assert_eq!((sim.model().nv, sim.model().neq), (3, 2));
    assert_eq!(sim.warnings().len(), 5);
    sim.step().unwrap();
    assert_eq!(sim_physics::mujoco::mj_load_xml(&path).unwrap().njnt, 3);

    let text = "<robot name='r'><link name='base'/></robot>";
    assert_eq!(Simulation::from_xml(text).unwrap().model().nbody, 1);
    let mut files = Vfs::memory();
    files.add("robot.txt", text);
    assert_eq!(Simulation::from_loader(&Loader::new(files), "robot.txt").unwrap().model().nbody, 1);
}

/// A cloth on a free sphere, which is attached to a pinned rope.
#[cfg(feature = "deformable")]
const SOFT: &str = r#"<mujoco>
    <worldbody><geom type="plane" size="2 2 .1"/>
      <body name="ball" pos="0 0 .2"><freejoint/><geom type="sphere" size=".2" mass="1"/></body>
    </worldbody>
    <xpbd substeps="8">
      <cloth name="sheet" size=".8 .8" cells="8 8" pos="0 0 .41"/>
      <rope name="leash" fromto="-.5 0 .1 -.2 0 .2" segments="8">
        <pin vertex="0"/><attach vertex="8" body="ball"/>
      </rope>
    </xpbd></mujoco>"#;

#[cfg(feature = "deformable")]
#[test]
fn deformable_bodies_are_stepped_saved_and_reset() {
    let mut sim = Simulation::from_xml(SOFT).unwrap();
    let begin = sim.deformable("sheet").unwrap().positions().to_vec();
    sim.deformable_forces("leash").unwrap()[4].y = 0.01;
    for _ in 0..60 {
        sim.step().unwrap();
    }
    let saved = sim.save();
    let after = |sim: &mut Simulation| {
        for _ in 0..40 {
            sim.step().unwrap();
        }
        (sim.data().qpos.clone(), sim.deformable("sheet").unwrap().positions().to_vec())
    };
    let first = after(&mut sim);
    sim.restore(&saved).unwrap();
    assert_eq!(first, after(&mut sim));
    assert!(first.1[0].z < begin[0].z - 0.05);
    sim.reset();
    assert_eq!(sim.deformable("sheet").unwrap().positions(), begin);
    assert!(sim.deformable_mut("curtain").is_err());
    let other = Simulation::from_xml("<mujoco><worldbody/></mujoco>").unwrap().save();
    assert!(sim.restore(&other).is_err());
}

/// Two sliders with delayed control, a mocap body, user data and a sensor with history.
const RECOMPILED: &str = r#"<mujoco>
  <size nuserdata="2"/>
  <option timestep="0.01"><flag contact="disable"/></option>
  <worldbody>
    <body name="a"><joint name="a" type="slide"/><geom size=".1"/></body>
    <body name="b" pos="1 0 0"><joint name="b" type="slide"/><geom size=".1"/></body>
    <body name="target" mocap="true" pos="0 0 2"/>
  </worldbody>
  <equality><joint name="gear" joint1="a" joint2="b" active="false"/></equality>
  <actuator>
    <motor name="ma" joint="a" nsample="4" delay="0.02"/>
    <general name="mb" joint="b" dyntype="integrator"/>
  </actuator>
  <sensor><jointpos name="pa" joint="a" nsample="3" delay="0.01"/></sensor>
</mujoco>"#;

/// A state in which every preserved quantity is non-zero.
fn recompiled() -> (Spec, Simulation) {
    let spec = sim_physics::mjcf::parse_str(RECOMPILED).unwrap();
    let mut sim = Simulation::from_spec(&spec).unwrap();
    sim.set_ctrl("ma", 0.5).unwrap();
    sim.set_ctrl("mb", 2.0).unwrap();
    sim.set_xfrc_applied("b", Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.4, 0.5, 0.6)).unwrap();
    let data = sim.data_mut();
    data.qfrc_applied.copy_from_slice(&[0.7, 0.8]);
    data.userdata.copy_from_slice(&[1.0, 2.0]);
    data.mocap_pos.copy_from_slice(&[3.0, 4.0, 5.0]);
    data.eq_active[0] = true;
    (0..25).for_each(|_| sim.step().unwrap());
    (spec, sim)
}

#[test]
fn recompile_of_an_unchanged_spec_preserves_the_trajectory() {
    let (spec, mut sim) = recompiled();
    let mut reference = sim.clone();
    sim.recompile(&spec).unwrap();
    assert!(!Arc::ptr_eq(sim.model(), reference.model()));
    assert!(sim.save() == reference.save(), "the whole integration state is preserved");
    for _ in 0..50 {
        sim.step().unwrap();
        reference.step().unwrap();
        assert_eq!(sim.data().qpos, reference.data().qpos);
        assert_eq!(sim.data().sensordata, reference.data().sensordata);
    }
}

#[test]
fn recompile_preserves_state_by_name_when_objects_move() {
    use sim_physics::mjcf::spec::{Actuator, Body, BodyId, Geom, Joint};
    let (mut spec, mut sim) = recompiled();
    let before = sim.clone();
    let new = spec.add_body(BodyId::WORLD, Body::new("new"));
    spec.bodies[new.0].add(Joint::hinge([0.0, 0.0, 1.0]).name("new")).add(Geom::sphere(0.1));
    spec.bodies[0].children.rotate_right(1);
    spec.add(Actuator::motor("new").name("mn"));
    sim.recompile(&spec).unwrap();

    let (d, old) = (sim.data(), before.data());
    assert_eq!(sim.time(), before.time());
    for joint in ["a", "b"] {
        assert_eq!(sim.joint_pos(joint).unwrap(), before.joint_pos(joint).unwrap());
        assert_eq!(sim.joint_vel(joint).unwrap(), before.joint_vel(joint).unwrap());
    }
    assert_eq!(sim.joint_pos("new").unwrap(), [0.0]);
    assert_eq!(sim.joint_vel("new").unwrap(), [0.0]);
    assert_eq!(d.qfrc_applied, [0.0, 0.7, 0.8]);
    assert_eq!((d.act[0], old.act[0] > 0.0), (old.act[0], true));
    assert_eq!(d.ctrl, [0.5, 2.0, 0.0]);
    assert_eq!(d.history, old.history);
    assert_eq!((&d.userdata, &d.mocap_pos), (&old.userdata, &old.mocap_pos));
    assert_eq!(d.eq_active, [true]);
    let b = sim.find::<BodyHandle>("b").unwrap().id();
    assert_eq!(b, 3);
    assert_eq!(d.xfrc_applied[6 * b..][..6], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
}

#[test]
fn recompile_keeps_callbacks_and_reports_warnings() {
    let (spec, mut sim) = recompiled();
    sim.on_control(|_, data| data.ctrl[1] = -1.0);
    sim.recompile(&spec).unwrap();
    sim.step().unwrap();
    assert_eq!(sim.ctrl("mb").unwrap(), -1.0);
    assert!(sim.warnings().is_empty());
}

#[test]
fn failed_recompile_leaves_the_simulation_unchanged() {
    let (mut spec, mut sim) = recompiled();
    let (model, state) = (sim.model().clone(), sim.save());
    spec.joint_mut("a").unwrap().name = "b".to_owned();
    assert!(message(sim.recompile(&spec)).contains("repeated name `b`"));
    assert!(Arc::ptr_eq(sim.model(), &model));
    assert!(sim.save() == state);
}

#[cfg(feature = "deformable")]
#[test]
fn recompile_preserves_deformable_bodies() {
    let spec = sim_physics::mjcf::parse_str(SOFT).unwrap();
    let mut sim = Simulation::from_spec(&spec).unwrap();
    sim.deformable_forces("leash").unwrap()[4].y = 0.01;
    (0..40).for_each(|_| sim.step().unwrap());
    let before = sim.clone();
    sim.recompile(&spec).unwrap();
    for name in ["sheet", "leash"] {
        let (now, then) = (sim.deformable(name).unwrap(), before.deformable(name).unwrap());
        assert_eq!(now.positions(), then.positions());
        assert_eq!(now.velocities(), then.velocities());
    }
    assert_eq!(sim.deformable_forces("leash").unwrap()[4].y, 0.01);
}
