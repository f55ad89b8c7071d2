//! Links: tree, inertias, shapes and colors.

use super::{MASS, lines, model, spec};
use sim_core::types::{GeomType, ObjType};

/// A robot of one link that stays a body.
fn one(inside: &str) -> String {
    format!(
        r#"<robot name="r"><mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>
        <link name="a">{inside}</link></robot>"#
    )
}

#[test]
fn shapes_are_converted_to_geoms() {
    let rows: [(&str, GeomType, [f64; 3]); 4] = [
        (r#"<box size="2 4 6"/>"#, GeomType::Box, [1.0, 2.0, 3.0]),
        (r#"<cylinder radius="1" length="4"/>"#, GeomType::Cylinder, [1.0, 2.0, 0.0]),
        (r#"<capsule radius="1" length="4"/>"#, GeomType::Capsule, [1.0, 2.0, 0.0]),
        (r#"<sphere radius="3"/>"#, GeomType::Sphere, [3.0, 0.0, 0.0]),
    ];
    for (geometry, gtype, size) in rows {
        for kind in ["visual", "collision"] {
            let text = one(&format!(
                r#"<{kind} name="s"><origin xyz="1 2 3"/><geometry>{geometry}</geometry></{kind}>"#
            ));
            let m = model(&text);
            assert_eq!(m.geom_type[..], [gtype], "{kind} {geometry}");
            assert_eq!(m.geom_size[..], size, "{kind} {geometry}");
            assert_eq!(m.geom_pos[..], [1.0, 2.0, 3.0], "{kind} {geometry}");
            let collides = i32::from(kind == "collision");
            assert_eq!((m.geom_contype[0], m.geom_conaffinity[0]), (collides, collides));
            assert_eq!(m.geom_group[0], 1 - collides);
            assert_eq!(m.name2id(ObjType::Geom, "s"), Some(0));
            assert_eq!(m.body_mass[1] > 0.0, kind == "collision", "only what collides weighs");
        }
    }
}

#[test]
fn visuals_are_discarded_by_default() {
    let shape = "<geometry><sphere radius='1'/></geometry>";
    let links =
        format!("<link name='a'><visual>{shape}</visual><collision>{shape}</collision></link>");
    assert_eq!(model(&format!("<robot name='r'>{links}</robot>")).ngeom, 1);
    let setting = "<mujoco><compiler discardvisual='false'/></mujoco>";
    assert_eq!(model(&format!("<robot name='r'>{setting}{links}</robot>")).ngeom, 2);
}

#[test]
fn color_applies_to_subsequent_shapes() {
    let shape = "<geometry><sphere radius='1'/></geometry>";
    let red = "<material name='red'><color rgba='1 0 0 1'/></material>";
    let blue = "<material name='blue'/>";
    let text = format!(
        r#"<robot name="r"><mujoco><compiler discardvisual="false"/></mujoco>
        <material name="blue"><color rgba="0 0 1 1"/></material>
        <link name="a"><collision>{shape}</collision>
          <visual>{shape}{red}</visual><collision>{shape}</collision><visual>{shape}</visual>
          <visual>{shape}{blue}</visual><collision>{shape}</collision></link></robot>"#
    );
    let m = model(&text);
    let grey = [0.5, 0.5, 0.5, 1.0];
    let (red, blue) = ([1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(m.geom_rgba.as_slice(), [grey, red, red, red, blue, blue].as_flattened());
}

#[test]
fn first_material_with_a_name_takes_precedence() {
    let shape = "<geometry><sphere radius='1'/></geometry>";
    let paint = |rgba: &str| format!("<material name='m'><color rgba='{rgba}'/></material>");
    let text = format!(
        r#"<robot name="r"><mujoco><compiler discardvisual="false"/></mujoco>
        <link name="a"><visual>{shape}{}</visual></link>
        <link name="b"><visual>{shape}{}</visual></link>
        <link name="c"><visual>{shape}<material name="m"/></visual></link></robot>"#,
        paint("1 0 0 1"),
        paint("0 1 0 1")
    );
    let m = model(&text);
    assert_eq!(m.geom_rgba[8..], [1.0, 0.0, 0.0, 1.0]);
    assert!(lines(&spec(&text).warnings).contains("`m` is defined differently"));
}

#[test]
fn inertias_are_rotated_with_their_frame() {
    let inertial = |rpy: &str| {
        one(&format!(
            r#"<inertial><origin xyz="0 0 1" rpy="{rpy}"/><mass value="2"/>
            <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>"#
        ))
    };
    let entry = |text: &str| {
        let m = model(text);
        let q = [m.body_iquat[4], m.body_iquat[5], m.body_iquat[6], m.body_iquat[7]];
        let r = sim_core::math::quat::to_mat(q);
        // the diagonal of R I Rᵀ
        let moments = &m.body_inertia[3..6];
        [0, 1, 2].map(|i| (0..3).map(|k| r[3 * i + k].powi(2) * moments[k]).sum::<f64>())
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-12);
    assert!(close(entry(&inertial("0 0 0")), [1.0, 2.0, 2.5]));
    assert!(close(entry(&inertial(&format!("0 0 {quarter}"))), [2.0, 1.0, 2.5]));
    assert!(close(entry(&inertial(&format!("{quarter} 0 0"))), [1.0, 2.5, 2.0]));
    let c = 0.5_f64.cos().powi(2);
    let mixed = [c + 2.0 * (1.0 - c), 2.0 * c + (1.0 - c), 2.5];
    assert!(close(entry(&inertial("0 0 0.5")), mixed));
}

#[test]
fn zero_inertia_is_raised_by_bounds() {
    let link = r#"<link name="base"/><link name="a"><inertial><origin rpy="0 0 1"/><mass value="0"/>
        <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>"#;
    assert!(sim_urdf::load_str(&format!("<robot name='r'>{link}</robot>")).is_err());
    let bounds = "<mujoco><compiler boundmass='0.1' boundinertia='0.01'/></mujoco>";
    let m = model(&format!("<robot name='r'>{bounds}{link}</robot>"));
    assert_eq!((m.body_mass[1], m.body_inertia[3]), (0.1, 0.01));
}

#[test]
fn link_named_world_is_the_world() {
    let text = format!(
        r#"<robot name="r"><mujoco><compiler fusestatic="false"/></mujoco>
        <link name="a">{MASS}</link>
        <link name="world"><collision><geometry><box size="9 9 1"/></geometry></collision></link>
        <joint name="j" type="floating"><parent link="world"/><child link="a"/></joint></robot>"#
    );
    let m = model(&text);
    assert_eq!((m.nbody, m.geom_bodyid[0]), (2, 0));
}

#[test]
fn bodies_are_in_joint_order() {
    let link = |name: &str| format!("<link name='{name}'>{MASS}</link>");
    let joint = |parent: &str, child: &str| {
        format!(
            "<joint name='to_{child}' type='continuous'><parent link='{parent}'/><child link='{child}'/></joint>"
        )
    };
    let text = format!(
        "<robot name='r'>{}{}{}{}{}{}{}</robot>",
        joint("root", "second"),
        link("third"),
        joint("root", "first"),
        link("first"),
        link("second"),
        joint("second", "third"),
        link("root"),
    );
    let m = model(&text);
    let names = ["second", "third", "first"];
    for (i, name) in names.iter().enumerate() {
        assert_eq!(m.name2id(ObjType::Body, name), Some(i + 1), "{name}");
    }
}

#[test]
fn mujoco_block_sets_mjcf_settings() {
    let text = format!(
        r#"<robot name="named"><mujoco><compiler fusestatic="false" settotalmass="7"/>
        <option timestep="0.01" integrator="RK4"><flag gravity="disable"/></option>
        <size nuserdata="4"/></mujoco><link name="a">{MASS}</link></robot>"#
    );
    let m = model(&text);
    assert_eq!((m.opt.timestep, m.nuserdata, m.nbody), (0.01, 4, 2));
    assert_eq!(m.body_mass[1], 7.0);
    assert_eq!(m.opt.disableflags, sim_core::types::DisableBit::Gravity as i32);
    assert!(m.names.starts_with(b"named\0"));
}

#[test]
fn several_roots_are_allowed() {
    let text =
        format!("<robot name='r'><link name='a'>{MASS}</link><link name='b'>{MASS}</link></robot>");
    assert!(lines(&spec(&text).warnings).contains("`b` is a second root link besides `a`"));
    assert_eq!(model(&text).nbody, 1);
}

#[test]
fn root_element_is_case_insensitive() {
    assert_eq!(model("<Robot name='r'><link name='a'/></Robot>").nbody, 1);
}

#[test]
fn urdf_can_be_attached_in_mjcf() {
    let mut vfs = sim_mjcf::Vfs::memory();
    vfs.add("arm.urdf", super::jointed("revolute", ""));
    vfs.add(
        "scene.xml",
        "<mujoco><asset><model name='m' file='arm.urdf'/></asset>
         <worldbody><attach model='m' body='base' prefix='left_'/></worldbody></mujoco>",
    );
    let loader = sim_mjcf::Loader::new(vfs).with_front_end(sim_urdf::Urdf::default());
    let m = loader.load("scene.xml").unwrap();
    assert!(m.name2id(ObjType::Joint, "left_j").is_some());
}
