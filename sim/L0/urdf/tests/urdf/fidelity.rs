//! Fidelity: parts of a file that MuJoCo's importer ignores.

use super::{MASS, as_mujoco, jointed, lines, model, spec};

#[test]
fn mimic_is_ignored_with_a_warning() {
    let text = format!(
        r#"<robot name="r"><link name="base"/><link name="a">{MASS}</link><link name="b">{MASS}</link>
        <joint name="lead" type="revolute"><parent link="base"/><child link="a"/></joint>
        <joint name="follow" type="revolute"><parent link="base"/><child link="b"/>
          <mimic joint="lead"/></joint></robot>"#
    );
    let dropped = as_mujoco(&text);
    assert_eq!(dropped.compile().unwrap().neq, 0);
    assert!(lines(&dropped.warnings).contains("warning: <mimic> is ignored as in MuJoCo"));
    assert_eq!(model(&text).neq, 1);
}

#[test]
fn rotation_of_an_inertia_is_ignored_with_a_warning() {
    let text = r#"<robot name="r"><link name="base"/><link name="arm"><inertial><origin rpy="0 0 0.7"/>
        <mass value="1"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"#;
    let dropped = as_mujoco(text);
    assert!(lines(&dropped.warnings).contains("not rotated by the `rpy`"));
    // axes of the matrix as it is written: x and z change places
    let m = dropped.compile().unwrap();
    assert_eq!(m.body_inertia[3..6], [2.5, 2.0, 1.0]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(
        (m.body_iquat[5].abs() - half).abs() < 1e-12
            || (m.body_iquat[6].abs() - half).abs() < 1e-12
    );
    assert!(spec(text).warnings.iter().all(|warning| warning.element != "inertial"));
}

#[test]
fn both_fidelities_agree_otherwise() {
    for kind in ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"]
    {
        let text = jointed(
            kind,
            r#"<origin xyz="1 0 0" rpy="0.1 0.2 0.3"/><axis xyz="1 2 3"/>
               <limit lower="0" upper="1" effort="3"/><dynamics damping="1" friction="2"/>"#,
        );
        let (ours, theirs) = (model(&text), as_mujoco(&text).compile().unwrap());
        assert_eq!(ours.to_bytes(), theirs.to_bytes(), "{kind}");
    }
}

#[test]
fn fused_inertia_is_transformed_with_its_body() {
    // a point mass at z = 1 of a link that is turned by a quarter about x is at −y
    let quarter = std::f64::consts::FRAC_PI_2;
    let text = format!(
        r#"<robot name="r"><link name="base"/><link name="a">{MASS}</link>
        <link name="b"><inertial><origin xyz="0 0 1"/><mass value="1"/>
          <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>
        <joint name="f" type="fixed"><parent link="a"/><child link="b"/>
          <origin xyz="1 0 0" rpy="{quarter} 0 0"/></joint></robot>"#
    );
    let close = |a: &[f64], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-12);
    let m = model(&text);
    assert_eq!(m.nbody, 2);
    assert!(close(&m.body_ipos[3..6], [0.5, -0.5, 0.0]), "{:?}", &m.body_ipos[3..6]);
    let m = as_mujoco(&text).compile().unwrap();
    assert!(close(&m.body_ipos[3..6], [0.5, 0.0, 0.5]), "{:?}", &m.body_ipos[3..6]);
}
