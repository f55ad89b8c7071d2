//! Compiled models: properties that need no reference engine. The conformance suite compares all
//! arrays with MuJoCo.

use sim_core::Model;
use sim_core::types::{ObjType, SameFrame, SleepPolicy};
use sim_mjcf::{load_str, load_str_with_warnings};

/// A model that uses most supported features.
pub(crate) const EXAMPLE: &str = r#"<mujoco model="example">
  <compiler angle="radian" eulerseq="zyx"/>
  <option timestep="0.001" integrator="RK4"><flag contact="disable" energy="enable"/></option>
  <default><geom density="500"/><default class="arm"><joint damping="2"/></default></default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="upper" pos="0 0 1" childclass="arm">
      <joint name="shoulder" axis="0 1 0" range="-1 1"/>
      <geom name="link" type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
      <frame pos="0 0 -.5" euler="0 .1 .2">
        <body name="lower"><joint name="elbow" type="ball"/><geom size=".1" pos="0 .1 0"/>
          <site name="tip" pos="0 0 -.1"/><camera name="eye" mode="targetbody" target="upper"/></body>
      </frame>
    </body>
    <body name="ball" pos="1 0 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <contact><exclude body1="lower" body2="upper"/><pair geom1="link" geom2="floor"/></contact>
  <actuator><motor name="m" joint="shoulder" ctrlrange="-1 1"/></actuator>
  <sensor><gyro site="tip"/><jointpos joint="shoulder"/></sensor>
  <keyframe><key name="home" qpos="0.5"/></keyframe>
</mujoco>"#;

/// Compiles a model and inspects it.
#[track_caller]
fn check(xml: &str, look: impl FnOnce(&Model)) {
    match load_str(xml) {
        Ok(model) => look(&model),
        Err(errors) => panic!("{errors}"),
    }
}

/// Like [`check`], for the content of `worldbody`.
#[track_caller]
fn world(xml: &str, look: impl FnOnce(&Model)) {
    check(&format!("<mujoco><worldbody>{xml}</worldbody></mujoco>"), look);
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + a.abs().max(b.abs()))
}

#[test]
fn empty_model_has_a_world_body() {
    check("<mujoco/>", |m| {
        assert_eq!((m.nbody, m.nv, m.nq), (1, 0, 0));
        assert_eq!(m.id2name(ObjType::Body, 0), Some("world"));
    });
}

#[test]
fn example_model_compiles() {
    check(EXAMPLE, |m| {
        assert_eq!((m.nbody, m.njnt, m.nq, m.nv), (4, 3, 12, 10));
        assert_eq!(m.name2id(ObjType::Joint, "elbow"), Some(1));
        assert_eq!(m.name2id(ObjType::Geom, "link"), Some(1));
        assert_eq!(m.name2id(ObjType::Geom, "nothing"), None);
        assert_eq!(m.dof_damping[..4], [2.0; 4]);
        assert_eq!(m.jnt_limited[..2], [true, false]);
        assert_eq!(m.body_treeid, [-1, 0, 0, 1]);
        assert_eq!(m.tree_sleep_policy, [SleepPolicy::AutoNever, SleepPolicy::AutoAllowed]);
        assert_eq!(m.exclude_signature, [(1 << 16) + 2]);
        assert_eq!(m.sensor_adr, [0, 3]);
        assert_eq!(m.key_qpos[0], 0.5);
        assert_eq!(m.key_qpos[5..9], [0.0, 0.0, 0.0, 1.0]);
    });
}

/// The same sphere, moved by frames or by its own position.
#[test]
fn frame_is_equivalent_to_transformed_elements() {
    let framed = r#"<frame pos="1 0 0" euler="0 0 90"><body pos="0 1 0"><joint axis="1 0 0"/>
        <frame pos="0 0 1"><geom size="1"/><site pos="1 0 0"/></frame></body></frame>"#;
    let plain = r#"<body pos="0 0 0" euler="0 0 90"><joint axis="1 0 0"/><geom size="1" pos="0 0 1"/>
        <site pos="1 0 1"/></body>"#;
    world(framed, |a| {
        world(plain, |b| {
            for (x, y) in [
                (&a.body_pos, &b.body_pos),
                (&a.body_quat, &b.body_quat),
                (&a.geom_pos, &b.geom_pos),
                (&a.site_pos, &b.site_pos),
            ] {
                assert!(x.iter().zip(y).all(|(x, y)| close(*x, *y)), "{x:?} {y:?}");
            }
        });
    });
}

/// A body of two boxes has the inertia of the box they form.
#[test]
fn inertia_of_parts_adds_up_to_inertia_of_the_whole() {
    let halves = "<body><geom type='box' size='.1 .2 .3' pos='.1 0 0'/><geom type='box' size='.1 .2 .3' pos='-.1 0 0'/></body>";
    let whole = "<body><geom type='box' size='.2 .2 .3'/></body>";
    world(halves, |a| {
        world(whole, |b| {
            assert!(close(a.body_mass[1], b.body_mass[1]));
            let sorted = |m: &Model| {
                let mut moments = m.body_inertia[3..6].to_vec();
                moments.sort_by(f64::total_cmp);
                moments
            };
            assert!(sorted(a).iter().zip(sorted(b)).all(|(x, y)| close(*x, y)));
        });
    });
}

#[test]
fn settotalmass_scales_the_total_mass() {
    let xml = "<mujoco><compiler settotalmass='7'/><worldbody><body><geom size='1'/></body><body><geom size='2'/></body></worldbody></mujoco>";
    check(xml, |m| assert!(close(m.body_mass.iter().sum(), 7.0)));
}

#[test]
fn default_classes_inherit_on_creation_and_childclass_applies_to_descendants() {
    let xml = r#"<mujoco><default><geom group="1"/>
        <default class="a"><geom contype="2"/><default class="b"><geom group="3"/></default></default></default>
        <worldbody><geom size="1"/><body childclass="a"><geom size="1"/><frame childclass="b"><geom size="1"/></frame>
        <geom class="b" size="1"/><body><geom size="1"/></body></body></worldbody></mujoco>"#;
    check(xml, |m| {
        assert_eq!(m.geom_group, [1, 1, 3, 3, 1]);
        assert_eq!(m.geom_contype, [1, 2, 2, 2, 2]);
    });
}

#[test]
fn shortcut_starts_from_the_gain_of_its_class() {
    let xml = r#"<mujoco><default><position kp="7"/></default>
        <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
        <actuator><velocity joint="j"/><motor joint="j"/></actuator></mujoco>"#;
    check(xml, |m| {
        assert_eq!(m.actuator_gainprm[0], 7.0);
        assert_eq!(m.actuator_biasprm[..3], [0.0, 0.0, -7.0]);
        assert_eq!(m.actuator_gainprm[10], 1.0);
    });
}

#[test]
fn sameframe_is_detected() {
    world("<body><geom size='1'/><site pos='1 0 0'/><site euler='1 0 0'/></body>", |m| {
        assert_eq!(m.body_sameframe[1], SameFrame::Body);
        assert_eq!(m.geom_sameframe[0], SameFrame::Body);
        assert_eq!(m.site_sameframe, [SameFrame::BodyRot, SameFrame::None]);
    });
}

/// M is stored by rows of ancestors; D is its symmetric pattern; the maps convert between them.
#[test]
fn sparsity_maps_are_consistent() {
    check(EXAMPLE, |m| {
        let at = |x: i32| usize::try_from(x).unwrap();
        for i in 0..m.nv {
            for k in at(m.M_rowadr[i])..at(m.M_rowadr[i] + m.M_rownnz[i]) {
                let d = at(m.mapD2M[k]);
                assert_eq!(m.D_colind[d], m.M_colind[k]);
                assert!((at(m.D_rowadr[i])..at(m.D_rowadr[i] + m.D_rownnz[i])).contains(&d));
                assert_eq!(at(m.mapM2D[d]), k);
            }
            assert_eq!(m.D_colind[at(m.D_rowadr[i] + m.D_diag[i])], i32::try_from(i).unwrap());
        }
        assert_eq!(m.nD, 2 * m.nM - m.nv);
    });
}

#[test]
fn line_ends_in_attributes_are_normalized() {
    for (written, read) in [
        ("a\r\nb", "a\nb"),
        ("a\rb", "a\nb"),
        ("a\nb", "a\nb"),
        ("a\n\rb", "a\nb"),
        ("a\r\n\r\n\tb\r", "a\n\n\tb\n"),
        ("a&#13;&#10;b", "a\r\nb"),
    ] {
        world(&format!("<body name='{written}'/>"), |m| {
            assert_eq!(m.id2name(ObjType::Body, 1), Some(read));
            assert_eq!(m.nnames, m.names.len());
        });
    }
}

#[test]
fn empty_attributes_are_treated_as_absent_as_in_mujoco() {
    let tree = "<worldbody><body name='b'><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' §/></body></worldbody>";
    for attribute in ["axisangle", "xyaxes", "zaxis", "euler"] {
        let tree = tree.replace('§', &format!("{attribute}=''"));
        check(&format!("<mujoco>{tree}</mujoco>"), |m| assert!(close(m.body_mass[1], 1.0)));
    }
    let tree = tree.replace('§', "");
    for rest in [
        "<custom><numeric name='' data='1'/></custom>",
        "<custom><text name='' data='x'/></custom>",
        "<option timestep='0'/>",
        "<option timestep='0.0e-3000'/>",
        "<option timestep='2.3e-308'/>",
        "<size memory='216'/>",
        "<default><site type='plane'/></default>",
        "<size memory='-1'/>",
        "<size memory='18446744073709551615'/>",
    ] {
        check(&format!("<mujoco>{tree}{rest}</mujoco>"), |m| assert_eq!(m.nbody, 2));
    }
    for refname in ["", "b", "no such body"] {
        let sensor =
            format!("<framepos objtype='body' objname='b' reftype='' refname='{refname}'/>");
        check(&format!("<mujoco>{tree}<sensor>{sensor}</sensor></mujoco>"), |m| {
            assert_eq!((m.sensor_reftype[0], m.sensor_refid[0]), (ObjType::Unknown, -1));
        });
    }
}

#[test]
fn keyframe_quaternions_are_normalized() {
    let tree = "<worldbody><body><freejoint/><geom size='1'/></body></worldbody>";
    for (quat, unit) in [
        ("0 0 0 0", [1.0, 0.0, 0.0, 0.0]),
        ("1e-16 0 0 0", [1.0, 0.0, 0.0, 0.0]),
        ("1e-9 0 0 -1e-9", [0.5_f64.sqrt(), 0.0, 0.0, -0.5_f64.sqrt()]),
        ("-2 0 0 0", [-1.0, 0.0, 0.0, 0.0]),
    ] {
        check(
            &format!("<mujoco>{tree}<keyframe><key qpos='1 2 3 {quat}'/></keyframe></mujoco>"),
            |m| {
                assert_eq!(m.key_qpos[..3], [1.0, 2.0, 3.0]);
                assert!(m.key_qpos[3..].iter().zip(unit).all(|(a, b)| close(*a, b)), "{quat}");
            },
        );
    }
}

#[test]
fn attributes_without_effect_are_warnings() {
    let warnings = |xml: &str| {
        let loaded = load_str_with_warnings(xml).unwrap();
        loaded.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert!(
        warnings("<mujoco>hello</mujoco>")
            .contains("<string>:1:9: warning: <mujoco> contains text")
    );
    let empty = "<mujoco><worldbody><body><joint range='1 -1'/><geom size='1'/></body></worldbody></mujoco>";
    assert!(warnings(empty).contains("<joint> attribute \"range\" is empty"));
    let quat = "<mujoco><default><geom euler='1 2 3'/></default><worldbody><geom quat='1 0 0 0' size='1'/></worldbody></mujoco>";
    assert!(warnings(quat).contains("\"quat\" has no effect"));
    let negative =
        "<mujoco><worldbody><body><inertial pos='0 0 0' mass='-1'/></body></worldbody></mujoco>";
    assert!(warnings(negative).contains("negative mass or inertia is clamped"));
    let search = |word: &str| {
        warnings(&format!("<mujoco>\n<option><flag nativeccd='{word}'/></option></mujoco>"))
    };
    assert!(search("disable").contains("<string>:2:15: warning: <flag> attribute \"nativeccd\""));
    assert_eq!(search("enable"), "");
    assert_eq!(warnings(EXAMPLE), "");
}

#[test]
fn spec_can_be_edited_and_recompiled() {
    let mut spec = sim_mjcf::parse_str(EXAMPLE).unwrap();
    let before = spec.compile().unwrap();
    spec.bodies[1].geoms[0].density *= 2.0;
    let after = spec.compile().unwrap();
    assert!(close(after.body_mass[1], 2.0 * before.body_mass[1]));
}

/// The compiler rejects invalid specs that the reader would have rejected.
#[test]
fn invalid_edit_is_an_error() {
    use sim_mjcf::spec::{BodyId, Spec};
    let refused = |edit: fn(&mut Spec), fragment: &str| {
        let mut spec = sim_mjcf::parse_str(EXAMPLE).unwrap();
        edit(&mut spec);
        let errors = spec.compile().err().map(|e| e.to_string()).unwrap_or_default();
        assert!(errors.contains(fragment), "{errors}");
    };
    refused(|s| s.bodies[2].children.push(BodyId(1)), "two parents");
    refused(|s| s.bodies[2].children.push(BodyId(99)), "missing");
    refused(|s| s.bodies[2].geoms[0].gtype = sim_core::types::GeomType::Mesh, "is required");
    refused(
        |s| s.sensors[0].stype = sim_core::types::SensorType::JointLimitPos,
        "must be attached to a joint",
    );
    refused(|s| s.actuators[0].trntype = sim_core::types::TransmissionType::Body, "no body is");
}

/// Some models keep bodies in files that are meant to be included.
#[test]
fn bodies_outside_the_world_are_ignored_with_a_warning() {
    let text =
        "<mujoco><body><geom size='1'/></body><worldbody><geom size='1'/></worldbody></mujoco>";
    let loaded = load_str_with_warnings(text).unwrap();
    assert_eq!((loaded.model.nbody, loaded.model.ngeom), (1, 1));
    assert!(loaded.warnings[0].to_string().contains("<body> has no effect outside <worldbody>"));
    assert!(load_str("<mujoco><body foo='1'/></mujoco>").is_err());
}

#[test]
fn free_joint_is_allowed_below_a_body_fused_with_the_world() {
    let text = |fuse: bool| {
        format!(
            "<mujoco><compiler fusestatic='{fuse}'/><worldbody><body pos='1 0 0'><body pos='0 1 0'>
             <freejoint/><geom size='1'/></body></body></worldbody></mujoco>"
        )
    };
    let m = load_str(&text(true)).unwrap();
    assert_eq!((m.nbody, &m.body_pos[3..6]), (2, &[1.0, 1.0, 0.0][..]));
    let errors = load_str(&text(false)).unwrap_err().to_string();
    assert!(errors.contains("requires a child of the world"), "{errors}");
}

#[test]
fn fuseinertia_selects_the_transformation_of_inertias() {
    let ipos = |how: &str| {
        let m = load_str(&format!(
            "<mujoco><compiler fusestatic='true' {how}/><worldbody><body><joint/><geom size='.1' mass='1'/>
             <body pos='1 0 0' euler='90 0 0'><inertial pos='0 0 1' mass='1' diaginertia='1 1 1'/></body>
             </body></worldbody></mujoco>"
        ));
        let m = m.unwrap();
        [m.body_ipos[3], m.body_ipos[4], m.body_ipos[5]]
    };
    let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-12);
    assert!(close(ipos(""), [0.5, -0.5, 0.0]));
    assert!(close(ipos("fuseinertia='exact'"), [0.5, -0.5, 0.0]));
    assert!(close(ipos("fuseinertia='mujoco'"), [0.5, 0.0, 0.5]));
}
