//! Joint types, limits and `mimic`.

use super::{MASS, as_mujoco, jointed, lines, model, spec};
use sim_core::types::JointType::{self, Ball, Free, Hinge, Slide};
use sim_mjcf::spec::Tri;

/// A joint of URDF, and the joints that it becomes: name, type and axis.
type Row = (&'static str, &'static str, &'static [(&'static str, JointType, [f64; 3])]);

/// A type, what `<limit>` says, whether that limits positions, the range, and the effort.
type Limits = (&'static str, &'static str, bool, [f64; 2], Option<f64>);

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const AXIS: &str = r#"<axis xyz="0 1 0"/>"#;

#[test]
fn every_joint_type_is_converted() {
    let rows: [Row; 10] = [
        ("revolute", "", &[("j", Hinge, X)]),
        ("revolute", AXIS, &[("j", Hinge, Y)]),
        ("continuous", AXIS, &[("j", Hinge, Y)]),
        ("prismatic", AXIS, &[("j", Slide, Y)]),
        ("fixed", AXIS, &[]),
        ("floating", AXIS, &[("j", Free, Z)]),
        ("spherical", "", &[("j", Ball, Z)]),
        // about x, the plane is that of −z and y
        (
            "planar",
            "",
            &[("j_TX", Slide, [0.0, 0.0, -1.0]), ("j_TY", Slide, Y), ("j_RZ", Hinge, X)],
        ),
        (
            "planar",
            r#"<axis xyz="0 0 2"/>"#,
            &[("j_TX", Slide, X), ("j_TY", Slide, Y), ("j_RZ", Hinge, Z)],
        ),
        (
            "planar",
            AXIS,
            &[("j_TX", Slide, X), ("j_TY", Slide, [0.0, 0.0, -1.0]), ("j_RZ", Hinge, Y)],
        ),
    ];
    for (kind, inside, expected) in rows {
        let m = model(&jointed(kind, inside));
        let case = format!("{kind} {inside}");
        assert_eq!(m.njnt, expected.len(), "{case}");
        assert_eq!(m.nbody, if expected.is_empty() { 1 } else { 2 }, "{case}");
        for (i, (name, jtype, axis)) in expected.iter().enumerate() {
            let found = m.name2id(sim_core::types::ObjType::Joint, name);
            assert_eq!(found, Some(i), "{case}: {name}");
            assert_eq!(m.jnt_type[i], *jtype, "{case}: {name}");
            for k in 0..3 {
                assert!((m.jnt_axis[3 * i + k] - axis[k]).abs() < 1e-15, "{case}: {name}");
            }
        }
    }
}

#[test]
fn joint_frame_is_the_child_frame() {
    let text = jointed("revolute", r#"<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>"#);
    let m = model(&text);
    assert_eq!(m.body_pos[3..6], [1.0, 2.0, 3.0]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for (found, expected) in m.body_quat[4..8].iter().zip([half, 0.0, 0.0, half]) {
        assert!((found - expected).abs() < 1e-15);
    }
}

#[test]
fn roll_pitch_yaw_are_about_fixed_axes() {
    // roll about x first: y goes to z; then yaw about z leaves it there
    let quarter = std::f64::consts::FRAC_PI_2;
    let text = jointed("revolute", &format!(r#"<origin rpy="{quarter} 0 {quarter}"/>"#));
    let m = model(&text);
    let q = [m.body_quat[4], m.body_quat[5], m.body_quat[6], m.body_quat[7]];
    let turned = sim_core::math::quat::rotate(q, Y);
    assert!((turned[2] - 1.0).abs() < 1e-15, "{turned:?}");
}

#[test]
fn limits_are_converted_to_ranges() {
    let rows: [Limits; 9] = [
        ("revolute", r#"lower="-1" upper="2" effort="5""#, true, [-1.0, 2.0], Some(5.0)),
        ("prismatic", r#"lower="-1" upper="2""#, true, [-1.0, 2.0], None),
        ("revolute", r#"effort="-3""#, false, [0.0, 0.0], Some(3.0)),
        ("revolute", r#"lower="-1""#, false, [-1.0, 0.0], None),
        ("revolute", r#"upper="1" effort="0""#, false, [0.0, 1.0], None),
        ("revolute", r#"lower="1" upper="-1""#, false, [1.0, -1.0], None),
        ("revolute", r#"lower="1" upper="1""#, false, [1.0, 1.0], None),
        ("continuous", r#"lower="-1" upper="1""#, true, [-1.0, 1.0], None),
        (
            "revolute",
            r#"lower="-inf" upper="inf" effort="inf""#,
            true,
            [f64::NEG_INFINITY, f64::INFINITY],
            Some(f64::INFINITY),
        ),
    ];
    for (kind, limit, limited, range, effort) in rows {
        let m = model(&jointed(kind, &format!("<limit {limit}/>")));
        assert_eq!(m.jnt_limited[0], limited, "{limit}");
        assert_eq!(m.jnt_range[..], range, "{limit}");
        assert_eq!(m.jnt_actfrclimited[0], effort.is_some(), "{limit}");
        let effort = effort.unwrap_or_default();
        assert_eq!(m.jnt_actfrcrange[1], effort, "{limit}");
        assert_eq!(m.jnt_actfrcrange[0], -effort, "{limit}");
    }
}

#[test]
fn invalid_range_is_disabled() {
    let spec = spec(&jointed("revolute", r#"<limit lower="1" upper="-1"/>"#));
    assert_eq!(spec.joint("j").unwrap().limited, Tri::False);
}

#[test]
fn dynamics_apply_to_every_component_of_a_planar_joint() {
    let m = model(&jointed("planar", r#"<dynamics damping="2" friction="0.5"/>"#));
    assert_eq!(m.dof_damping[..], [2.0; 3]);
    assert_eq!(m.dof_frictionloss[..], [0.5; 3]);
}

#[test]
fn limits_apply_to_the_first_component_of_a_planar_joint() {
    let m = model(&jointed("planar", r#"<limit lower="-1" upper="1" effort="3"/>"#));
    assert_eq!(m.jnt_limited[..], [true, false, false]);
    assert_eq!(m.jnt_actfrclimited[..], [true, false, false]);
}

/// A joint, and a joint that mimics it.
fn following(leader: &str, follower: &str, inside: &str) -> String {
    format!(
        r#"<robot name="r"><link name="base"/><link name="a">{MASS}</link><link name="b">{MASS}</link>
        <joint name="lead" type="{leader}"><parent link="base"/><child link="a"/></joint>
        <joint name="follow" type="{follower}"><parent link="base"/><child link="b"/>{inside}</joint>
        </robot>"#
    )
}

#[test]
fn mimic_is_converted_to_an_equality() {
    let rows = [
        (r#"<mimic joint="lead"/>"#, [0.0, 1.0]),
        (r#"<mimic joint="lead" multiplier="-2"/>"#, [0.0, -2.0]),
        (r#"<mimic joint="lead" multiplier="0.5" offset="0.1"/>"#, [0.1, 0.5]),
    ];
    for leader in ["revolute", "continuous", "prismatic"] {
        for follower in ["revolute", "continuous", "prismatic"] {
            for (inside, [offset, multiplier]) in rows {
                let m = model(&following(leader, follower, inside));
                assert_eq!((m.neq, m.eq_obj1id[0], m.eq_obj2id[0]), (1, 1, 0), "{inside}");
                assert_eq!(m.eq_data[..5], [offset, multiplier, 0.0, 0.0, 0.0], "{inside}");
            }
        }
    }
}

#[test]
fn mimic_joint_tracks_its_reference() {
    let text = following("prismatic", "prismatic", r#"<mimic joint="lead" multiplier="-0.5"/>"#)
        .replace(
            "<robot name=\"r\">",
            "<robot name=\"r\"><mujoco><option gravity='2 0 0'/></mujoco>",
        );
    let m = model(&text);
    let mut d = m.make_data();
    for _ in 0..200 {
        d.step(&m).unwrap();
    }
    assert!(d.qpos[0] > 0.02, "{}", d.qpos[0]);
    assert!((d.qpos[1] + 0.5 * d.qpos[0]).abs() < 1e-2 * d.qpos[0], "{:?}", d.qpos);
}

#[test]
fn mimic_of_a_fixed_joint_stays_at_its_offset() {
    let text = following("fixed", "revolute", r#"<mimic joint="lead" offset="0.3"/>"#);
    let m = model(&text);
    assert_eq!((m.neq, m.eq_obj2id[0], m.eq_data[0]), (1, -1, 0.3));
    assert!(lines(&spec(&text).warnings).contains("`lead` is fixed"));
}

#[test]
fn floating_joint_in_a_moving_frame_has_six_dofs() {
    let text = format!(
        r#"<robot name="r"><link name="base"/><link name="a">{MASS}</link><link name="b">{MASS}</link>
        <joint name="turn" type="revolute"><parent link="base"/><child link="a"/></joint>
        <joint name="f" type="floating"><parent link="a"/><child link="b"/></joint></robot>"#
    );
    let m = model(&text);
    assert_eq!((m.nv, m.nq), (7, 8));
    assert_eq!(m.jnt_type[..], [Hinge, Slide, Slide, Slide, Ball]);
    assert!(lines(&spec(&text).warnings).contains("three slide joints and a ball joint"));
    // MuJoCo has no such joint
    assert!(as_mujoco(&text).compile().is_err());
}

#[test]
fn floating_base_adds_a_free_joint() {
    let loader = sim_urdf::Urdf::default().floating_base(true).loader();
    let text = format!(r#"<robot name="r"><link name="trunk">{MASS}</link></robot>"#);
    let m = loader.parse_str(&text, "").unwrap().compile().unwrap();
    assert_eq!(m.jnt_type[..], [Free]);
    assert_eq!(m.name2id(sim_core::types::ObjType::Joint, "trunk_free_joint"), Some(0));

    let spec = loader.parse_str(r#"<robot name="r"><link name="trunk"/></robot>"#, "").unwrap();
    assert!(lines(&spec.warnings).contains("`trunk` has no mass"));
    assert_eq!(spec.compile().unwrap().njnt, 0);
}

#[test]
fn velocity_limits_and_controller_parameters_are_parsed() {
    let robot = sim_urdf::Robot::parse_str(&jointed(
        "revolute",
        r#"<limit lower="0" upper="1" effort="2" velocity="3"/>
           <safety_controller soft_lower_limit="0.1" k_velocity="4"/><calibration rising="0.2"/>"#,
    ))
    .unwrap();
    let joint = robot.joint("j").unwrap();
    assert_eq!(joint.limit.unwrap().velocity, Some(3.0));
    assert_eq!(joint.safety_controller.unwrap().k_velocity, 4.0);
    assert_eq!(joint.calibration.unwrap().rising, Some(0.2));
    assert_eq!(robot.parent_joint(joint.child), Some(0));
    assert_eq!(robot.roots().collect::<Vec<_>>(), [0]);
    assert_eq!(robot.warnings().len(), 3);
    let spec = robot.to_spec(&sim_urdf::Urdf::default()).unwrap();
    assert_eq!(spec.warnings.len(), 3);
    assert_eq!(spec.compile().unwrap().njnt, 1);
}
