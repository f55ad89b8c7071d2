//! State after recompilation of an edited spec, compared with that of MuJoCo (mj_recompile).
//!
//! `sim/conformance/oracle/recompile.py` records the expectations. MuJoCo's documentation promises that the
//! integration state is kept. 3.8.0 keeps time, positions, velocities, activations and mocap poses by element,
//! controls by index, and resets the rest; here the whole state is kept by element.

use sim_core::types::{DynType, JointType, ObjType};
use sim_core::{Data, Model};
use sim_mjcf::spec::{Actuator, Body, BodyId, Geom, Joint, Spec};
use sim_mjcf::{Errors, parse_str};

const MODEL: &str = include_str!("recompile.xml");
const RECORDED: &str = include_str!("recompile.txt");
/// The arrays that MuJoCo transfers, with the values of the state before the edit in this order.
const FIELDS: [&str; 6] = ["qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"];

fn add_body(spec: &mut Spec, parent: &str, name: &str, joint: Option<Joint>) -> BodyId {
    let parent = spec.find_body(parent).expect("a body of the model");
    let id = spec.add_body(parent, Body::new(name));
    spec.bodies[id.0].add(Geom::sphere(0.1));
    if let Some(joint) = joint {
        spec.bodies[id.0].add(joint.name(name));
    }
    id
}

/// Applies the edit of a case; the same edits as those of the script.
fn edit(spec: &mut Spec, case: &str) {
    let z = [0.0, 0.0, 1.0];
    let finger = |spec: &mut Spec| add_body(spec, "hand", "finger", Some(Joint::hinge(z)));
    let third = |spec: &mut Spec| {
        let id = add_body(spec, "world", "third_target", None);
        spec.bodies[id.0].mocap = true;
    };
    let set_dynamics = |spec: &mut Spec, name: &str| {
        spec.actuator_mut(name).expect("an actuator").dyntype = DynType::Integrator;
    };
    match case {
        "unchanged" => {}
        "new_child" => drop(finger(spec)),
        "new_body_with_actuator" => {
            add_body(spec, "world", "new", Some(Joint::ball()));
            spec.add(Actuator::motor("shoulder").name("new"));
            set_dynamics(spec, "new");
        }
        "new_joint" => {
            let arm = spec.find_body("arm").expect("a body of the model");
            spec.bodies[arm.0].add(Joint::slide(z).name("second"));
        }
        "new_mocap" => third(spec),
        "delete_arm" => assert!(spec.delete_body("arm")),
        "delete_box" => assert!(spec.delete_body("box")),
        "delete_target" => assert!(spec.delete_body("target")),
        "delete_actuator" => assert!(spec.delete_actuator("wide").is_some()),
        "another_reference" => {
            spec.joint_mut("shoulder").expect("a joint").reference = 20.0;
            let target = spec.find_body("target").expect("a body of the model");
            spec.bodies[target.0].pos = [3.0, 0.0, 0.0];
        }
        "activation" => set_dynamics(spec, "drive"),
        "no_mocap" => {
            let target = spec.find_body("target").expect("a body of the model");
            spec.bodies[target.0].mocap = false;
        }
        "several" => {
            assert!(spec.delete_body("box"));
            finger(spec);
            third(spec);
            assert!(spec.delete_actuator("wide").is_some());
            spec.add(Actuator::motor("rail").name("late"));
        }
        other => panic!("unknown case {other}"),
    }
}

/// The model, and a state with a distinct value in every entry.
fn initial() -> Result<(Spec, Model, Data), Errors> {
    let spec = parse_str(MODEL)?;
    let model = spec.compile()?;
    let mut data = model.make_data();
    data.time = 0.5;
    let rest = ["qacc_warmstart", "qfrc_applied", "xfrc_applied", "history", "userdata"];
    for (k, name) in FIELDS.into_iter().chain(rest).enumerate() {
        for (i, x) in data.field_mut(name).expect("a field").iter_mut().enumerate() {
            *x = k as f64 + 1.0 + 0.01 * (i + 1) as f64;
        }
    }
    data.eq_active[0] = false;
    Ok((spec, model, data))
}

/// Name and values of an array.
type Array = (&'static str, Vec<f64>);

/// The recorded cases: name, and the arrays after the edit.
fn recorded() -> Vec<(&'static str, Vec<Array>)> {
    let mut cases: Vec<(&str, Vec<Array>)> = Vec::new();
    for line in RECORDED.lines() {
        let mut words = line.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        let values = words.map(|word| word.parse().expect("a number")).collect();
        match cases.last_mut() {
            Some(case) if line.starts_with(' ') => case.1.push((name, values)),
            _ => cases.push((name, Vec::new())),
        }
    }
    cases
}

/// Ids of the objects of one type in the new model, each with its id in the old model if there is one.
fn matched(old: &Model, new: &Model, kind: ObjType, count: usize) -> Vec<(usize, Option<usize>)> {
    let name = |i| new.id2name(kind, i).unwrap_or_default();
    (0..count).map(|i| (i, old.name2id(kind, name(i)))).collect()
}

#[test]
fn state_after_edits_is_that_of_mujoco() -> Result<(), Errors> {
    let cases = recorded();
    assert_eq!(cases.len(), 13);
    for (case, arrays) in cases {
        let (mut spec, mut model, mut data) = initial()?;
        let (old, before) = (model.clone(), data.clone());
        edit(&mut spec, case);
        spec.recompile(&mut model, &mut data)?;
        let same_actuators = matched(&old, &model, ObjType::Actuator, model.nu)
            .into_iter()
            .all(|(i, was)| was == Some(i));
        for (name, theirs) in arrays {
            // 3.8.0 keeps controls by index, and reads those of new actuators out of bounds
            if name == "ctrl" && !same_actuators {
                continue;
            }
            let ours = if name == "time" { vec![data.time] } else { values(&mut data, name) };
            assert_eq!(ours, theirs, "{case}: {name}");
        }
        check_rest(case, (&old, &before), (&model, &data));
    }
    Ok(())
}

fn values(data: &mut Data, name: &str) -> Vec<f64> {
    data.field_mut(name).expect("a field").to_vec()
}

/// Checks the arrays that 3.8.0 does not keep by element: controls, applied forces, warm start, history,
/// `eq_active` and `userdata`.
fn check_rest(case: &str, (old, before): (&Model, &Data), (new, after): (&Model, &Data)) {
    for (i, was) in matched(old, new, ObjType::Actuator, new.nu) {
        assert_eq!(after.ctrl[i], was.map_or(0.0, |k| before.ctrl[k]), "{case}: ctrl {i}");
        if let (Some(was), true) = (was, new.actuator_historyadr[i] >= 0) {
            let [to, from] = [new.actuator_historyadr[i], old.actuator_historyadr[was]];
            let (to, from) = (to as usize, from as usize);
            assert_eq!(after.history[to..to + 8], before.history[from..from + 8], "{case}");
        }
    }
    for (i, was) in matched(old, new, ObjType::Sensor, new.nsensor) {
        let [to, from] = [new.sensor_historyadr[i], old.sensor_historyadr[was.unwrap_or(0)]];
        let (to, from) = (to as usize, from as usize);
        assert_eq!(after.history[to..to + 6], before.history[from..from + 6], "{case}");
    }
    for (j, was) in matched(old, new, ObjType::Joint, new.njnt) {
        let Some(was) = was else { continue };
        let nv = new.jnt_type[j].nv();
        let [to, from] = [new.jnt_dofadr[j], old.jnt_dofadr[was]].map(|adr| adr as usize);
        for (ours, theirs) in [
            (&after.qacc_warmstart, &before.qacc_warmstart),
            (&after.qfrc_applied, &before.qfrc_applied),
        ] {
            assert_eq!(ours[to..to + nv], theirs[from..from + nv], "{case}: joint {j}");
        }
    }
    for (b, was) in matched(old, new, ObjType::Body, new.nbody) {
        let expected = was.map_or(&[0.0; 6][..], |was| &before.xfrc_applied[6 * was..6 * was + 6]);
        assert_eq!(after.xfrc_applied[6 * b..6 * b + 6], *expected, "{case}: body {b}");
    }
    assert_eq!(after.eq_active, before.eq_active, "{case}");
    assert_eq!(after.userdata, before.userdata, "{case}");
}

#[test]
fn a_joint_of_another_type_starts_in_its_reference() -> Result<(), Errors> {
    let (mut spec, mut model, mut data) = initial()?;
    spec.joint_mut("turn").expect("a joint").jtype = JointType::Slide;
    spec.recompile(&mut model, &mut data)?;
    assert_eq!(data.qpos[12..], [1.13, 0.0]);
    assert_eq!(data.qvel[10..], [2.11, 0.0]);
    Ok(())
}
