//! Saving to XML: parsing the result gives the same model.

use sim_core::Model;
use sim_mjcf::{Loader, Spec, Vfs};

const TETRA: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// Files: `main.xml` and what it needs.
fn files(main: &str, others: &[(&str, &str)]) -> Loader {
    let mut vfs = Vfs::memory();
    vfs.add("main.xml", main);
    for (name, text) in others {
        vfs.add(name, *text);
    }
    Loader::new(vfs)
}

/// Compares all arrays of two models, except file paths.
#[track_caller]
fn same(a: &Model, b: &Model) {
    let mut differ = Vec::new();
    a.visit(&mut |field, view| {
        let other = b.field(field.name).expect("the same table");
        let path = field.name == "paths" || field.name.ends_with("pathadr");
        let close = match (&view, &other) {
            (sim_core::FieldView::F64(x), sim_core::FieldView::F64(y)) => {
                let pairs = x.iter().zip(y.iter());
                x.len() == y.len()
                    && pairs.into_iter().all(|(x, y)| (x - y).abs() <= 1e-12 * x.abs().max(1.0))
            }
            _ => view == other,
        };
        if !path && !close {
            differ.push(field.name);
        }
    });
    assert!(differ.is_empty(), "{differ:?}");
    assert_eq!(format!("{:?}", a.opt), format!("{:?}", b.opt));
}

/// Saves, reads back beside the same files, compares; and once more, now with equal texts.
#[track_caller]
fn round_trip(loader: &Loader, spec: &Spec) -> String {
    let model = spec.compile().expect("a model");
    let text = spec.save_xml().unwrap_or_else(|errors| panic!("{errors}"));
    let again = loader.parse_str(&text, "").unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    same(&model, &again.compile().unwrap_or_else(|errors| panic!("{errors}\n{text}")));
    assert_eq!(again.save_xml().expect("saves again"), text);
    text
}

/// Every section and every kind of element.
const ALL: &str = r#"<mujoco model="all &lt;of&gt; it">
<compiler angle="degree" eulerseq="zyx" meshdir="meshes" boundmass="1e-6" autolimits="true"/>
<option timestep="0.004" gravity="0 0 -1" integrator="RK4"><flag energy="enable" contact="disable"/></option>
<size nuser_body="2" nuserdata="3" nkey="3"/>
<visual><global offwidth="800"/><map znear="0.02"/><rgba haze="1 0 0 1"/></visual>
<statistic extent="3" center="0 0 1"/>
<default><geom rgba="0 1 0 1"/><joint damping="1"/>
  <default class="arm"><geom size=".2" type="capsule"/><joint armature=".1"/><motor gear="3"/>
    <default class="hand"><geom density="500"/><site size=".01"/></default></default></default>
<custom><numeric name="n" size="3" data="1 2"/><text name="t" data="a &quot;b&quot;"/>
  <tuple name="u"><element objtype="body" objname="a" prm=".5"/></tuple></custom>
<asset><mesh name="tetra" file="tetra.obj" scale="2 2 2"/><mesh name="own" vertex="0 0 0 1 0 0 0 1 0 0 0 1" inertia="shell"/>
  <mesh name="ball" builtin="sphere" params="1"/>
  <hfield name="hf" nrow="2" ncol="3" size="1 1 1 .1" elevation="0 1 2 3 4 5"/>
  <texture name="checks" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" mark="edge"/>
  <texture type="skybox" builtin="gradient" width="4" height="4"/>
  <material name="mat" texture="checks" texrepeat="2 2" specular=".3"/>
  <material name="layers"><layer role="rgb" texture="checks"/></material></asset>
<worldbody><light name="lamp" pos="0 0 3" type="spot" castshadow="false"/><camera name="eye" mode="targetbody" target="a" resolution="4 3"/>
  <geom name="ground" type="hfield" hfield="hf"/><geom name="floor" type="plane" size="1 1 1" material="layers"/>
  <site name="w" pos="0 0 1" type="box" size=".1 .2 .3"/>
  <frame name="fr" pos="0 0 1" euler="10 20 30" childclass="arm">
    <body name="a" user="1 2" gravcomp=".5" pos="1 0 0" axisangle="0 0 1 45"><inertial pos="0 0 .1" mass="2" diaginertia="1 1 1"/>
      <joint name="j" axis="0 1 0" range="-90 90" ref="5" springref="3" stiffness="2"/>
      <geom name="g" fromto="0 0 0 0 0 1"/><site name="s" pos=".1 0 0" class="hand"/>
      <body name="b" childclass="hand" xyaxes="0 1 0 -1 0 0"><joint name="k" type="ball" range="0 60"/><geom type="mesh" mesh="tetra" material="mat"/>
        <frame pos="0 0 1"><site name="s2"/><geom size=".1" type="sphere" mass="1"/></frame></body></body></frame>
  <body name="c" pos="3 0 0"><freejoint name="free"/><geom name="gc" type="box" size=".1 .1 .1"/><geom type="mesh" mesh="own"/></body>
  <body name="m" mocap="true" pos="0 0 2"/><body name="d" pos="5 0 0"><joint name="l" type="slide" axis="1 0 0"/><geom name="wrap" size=".1"/></body></worldbody>
<contact><pair name="p" geom1="g" geom2="gc" condim="4" friction="1 1 .1 .1 .1"/><exclude name="x" body1="a" body2="c"/></contact>
<equality><connect name="e1" body1="a" body2="c" anchor="0 0 1"/><weld name="e2" site1="s" site2="s2"/><joint name="e3" joint1="j" joint2="l" polycoef="0 2"/>
  <tendon name="e4" tendon1="t1" active="false"/></equality>
<tendon><spatial name="t1" range="0 5" stiffness="1"><site site="w"/><geom geom="wrap" sidesite="s"/><site site="s2"/><pulley divisor="2"/><site site="w"/><site site="s"/></spatial>
  <fixed name="t2" springlength="1"><joint joint="j" coef="2"/><joint joint="l" coef="-1"/></fixed></tendon>
<actuator><motor name="a1" joint="j" class="arm"/><position name="a2" joint="l" kp="5" dampratio="1"/><velocity joint="l" kv="2"/>
  <intvelocity name="a3" joint="l" kp="2" actrange="-1 1"/><damper joint="l" kv="1" ctrlrange="0 1"/><cylinder joint="l" area="2" bias="1 2 3"/>
  <muscle name="a4" tendon="t2" lengthrange="0 2"/><adhesion body="a" ctrlrange="0 1" gain="2"/><motor cranksite="s" slidersite="w" cranklength="1"/>
  <motor site="s" refsite="w" gear="1 2 3 4 5 6"/><general jointinparent="k" dyntype="filter" dynprm=".1"/><dcmotor joint="l" motorconst="1" resistance="2"/>
  <position joint="j" inheritrange=".5"/><motor joint="l" nsample="4" delay=".01" interp="linear"/></actuator>
<sensor><touch site="s"/><gyro name="gy" site="s" noise=".1" cutoff="5"/><rangefinder site="w"/><rangefinder camera="eye" data="dist normal"/><jointpos joint="j"/><ballquat joint="k"/><tendonpos tendon="t1"/>
  <actuatorfrc actuator="a1"/><framepos objtype="site" objname="s" reftype="body" refname="c"/><subtreecom body="a"/><distance geom1="g" geom2="gc" cutoff="1"/>
  <contact geom1="g" num="2" data="found force" reduce="mindist"/><clock/><user dim="2" needstage="pos"/><e_potential/><jointlimitpos joint="j"/>
  <insidesite objtype="body" objname="a" site="w"/><camprojection site="s" camera="eye"/><framequat objtype="xbody" objname="b" nsample="3" delay=".004"/></sensor>
<keyframe><key name="home" time="1" mpos="1 2 3"/><key ctrl="1 2 3 4 5 6 7 8 9 10 11 12 13 14"/></keyframe></mujoco>"#;

#[test]
fn every_element_type_round_trips_through_xml() {
    let loader = files(ALL, &[("meshes/tetra.obj", TETRA)]);
    let spec = loader.parse("main.xml").unwrap_or_else(|errors| panic!("{errors}"));
    let text = round_trip(&loader, &spec);
    for part in [
        "model=\"all &lt;of&gt; it\"",
        "<default class=\"arm\">",
        "<default class=\"hand\">",
        "<frame pos=\"0 0 1\" euler=\"10 20 30\">",
        "builtin=\"checker\"",
        "file=\"tetra.obj\"",
        "class=\"hand\"",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn attached_and_replicated_models_round_trip_through_xml() {
    let arm = r#"<mujoco><compiler angle="radian" meshdir="stl" eulerseq="zyx" autolimits="true"/>
      <default><default class="big"><geom size=".3"/></default></default>
      <asset><mesh name="tetra" file="tetra.obj"/></asset>
      <worldbody><frame euler=".1 .2 .3"><body name="arm" euler=".3 .2 .1"><joint name="j" range="-1.5 1.5" ref=".2"/><geom class="big"/>
        <geom type="mesh" mesh="tetra"/></body></frame></worldbody>
      <actuator><general name="m" joint="j" dyntype="integrator"/></actuator>
      <keyframe><key name="k" qpos=".7" act=".3" ctrl=".1"/></keyframe></mujoco>"#;
    let main = r#"<mujoco><compiler angle="degree" meshdir="parts"/>
      <asset><mesh file="tetra.obj"/><model name="arm" file="robots/arm.xml"/></asset>
      <worldbody><body name="base" euler="0 0 90"><joint name="base" range="-10 10"/><geom size="1"/>
        <attach model="arm" prefix="one_"/><frame pos="1 0 0"><attach model="arm" body="arm" prefix="two_"/></frame></body>
        <replicate count="3" offset="0 1 0" euler="0 0 30" sep="-"><body name="r" pos="0 0 1"><joint/><geom size=".1"/></body></replicate></worldbody>
      <keyframe><key name="all" qpos="9 8 7 6" qvel="1 2 3 4"/></keyframe></mujoco>"#;
    let loader = files(
        main,
        &[("robots/arm.xml", arm), ("robots/stl/tetra.obj", TETRA), ("parts/tetra.obj", TETRA)],
    );
    let spec = loader.parse("main.xml").unwrap_or_else(|errors| panic!("{errors}"));
    let model = spec.compile().unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!((model.nbody, model.njnt, model.nu, model.nmesh), (7, 6, 2, 3));
    round_trip(&loader, &spec);
}

#[test]
fn model_is_saved_to_a_file() {
    let spec = sim_mjcf::parse_str("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
        .expect("a model");
    let path = std::env::temp_dir().join(format!("sim-save-{}.xml", std::process::id()));
    spec.save_xml_file(&path).expect("the folder is there");
    assert_eq!(sim_mjcf::load_file(&path).expect("it loads").ngeom, 1);
    std::fs::remove_file(&path).expect("it is there");
    let error = spec.save_xml_file(path.join("x.xml")).expect_err("no such folder").to_string();
    assert!(error.contains("cannot write the file"), "{error}");
}

/// What a mesh collides with comes from its class or its attribute, and is saved.
#[test]
fn mesh_collider_round_trips_through_xml() {
    let vertices = "vertex='0 0 0 1 0 0 0 1 0 0 0 1'";
    let loader = files("", &[]);
    let text = format!(
        "<mujoco><default><default class='hollow'><mesh collider='triangles'/></default></default>
        <asset><mesh name='a' {vertices}/><mesh name='b' collider='triangles' {vertices}/>
        <mesh name='c' class='hollow' {vertices}/>
        <mesh name='d' class='hollow' collider='hull' {vertices}/></asset></mujoco>"
    );
    let spec = loader.parse_str(&text, "").unwrap_or_else(|errors| panic!("{errors}"));
    let model = spec.compile().unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(model.mesh_triangles, [false, true, true, false]);
    let bytes = model.to_bytes();
    assert_eq!(Model::from_bytes(&bytes).unwrap().mesh_triangles, model.mesh_triangles);
    let saved = round_trip(&loader, &spec);
    assert_eq!(saved.matches("collider=").count(), 3, "{saved}");
}

/// `alignfree` of an attached model is written as `align` of its free joints.
#[test]
fn alignfree_of_an_attached_model_round_trips_through_xml() {
    let part = |align: bool| {
        format!(
            r#"<mujoco><compiler alignfree="{align}"/><worldbody><body name="b"><freejoint/>
            <geom type="capsule" fromto="0 0 0 .2 .3 .1" size=".05"/></body></worldbody></mujoco>"#
        )
    };
    for align in [true, false] {
        let main = format!(
            r#"<mujoco><compiler alignfree="{}"/><asset><model name="part" file="part.xml"/></asset>
            <worldbody><attach model="part" body="b" prefix="p_"/></worldbody></mujoco>"#,
            !align
        );
        let loader = files(&main, &[("part.xml", &part(align))]);
        let spec = loader.parse("main.xml").unwrap_or_else(|errors| panic!("{errors}"));
        let text = round_trip(&loader, &spec);
        assert!(text.contains(&format!("align=\"{align}\"")), "{text}");
    }
}

/// A free joint with settings of its own has no `align`: `alignfree` of the saved model has the value that it requires,
/// and the `freejoint` of the main model keeps its own as `align`.
#[test]
fn alignfree_of_a_free_joint_with_settings_round_trips_through_xml() {
    let geom = r#"<geom type="capsule" fromto="0 0 0 .2 .3 .1" size=".05"/>"#;
    let body = |name: &str, joint: &str| format!(r#"<body name="{name}">{joint}{geom}</body>"#);
    let free = r#"<joint type="free" solimplimit=".8 .9 .01"/>"#;
    let load = |align: bool, joint: &str| {
        let part = format!(
            r#"<mujoco><compiler alignfree="{align}"/><worldbody>{}</worldbody></mujoco>"#,
            body("b", free)
        );
        let main = format!(
            r#"<mujoco><compiler alignfree="{}"/><asset><model name="part" file="part.xml"/></asset>
            <worldbody>{}<attach model="part" body="b" prefix="p_"/></worldbody></mujoco>"#,
            !align,
            body("a", joint)
        );
        let loader = files(&main, &[("part.xml", &part)]);
        let spec = loader.parse("main.xml").unwrap_or_else(|errors| panic!("{errors}"));
        (loader, spec)
    };
    for align in [true, false] {
        let (loader, spec) = load(align, "<freejoint/>");
        let text = round_trip(&loader, &spec);
        assert!(text.contains(&format!("align=\"{}\"", !align)), "{text}");
        assert_eq!(text.contains("alignfree"), align, "{text}");
        let errors = load(align, free).1.save_xml().expect_err("both values").to_string();
        assert!(errors.contains("alignfree"), "{errors}");
    }
}

/// Bounds of the main model would change the inertia of attached bodies when the saved model is read.
#[test]
fn inertia_below_the_bounds_of_the_main_model_cannot_be_saved() {
    let part =
        r#"<mujoco><worldbody><body name="b"><geom size=".05"/></body></worldbody></mujoco>"#;
    let main = r#"<mujoco><compiler boundinertia=".1"/><asset><model name="part" file="part.xml"/></asset>
        <worldbody><attach model="part" body="b" prefix="p_"/></worldbody></mujoco>"#;
    let loader = files(main, &[("part.xml", part)]);
    let spec = loader.parse("main.xml").unwrap_or_else(|errors| panic!("{errors}"));
    let errors = spec.save_xml().expect_err("different bounds").to_string();
    assert!(errors.contains("larger bounds"), "{errors}");
}

/// `fitaabb` of the main model applies to attached models, as in MuJoCo.
#[test]
fn fitaabb_of_an_attached_model_has_no_effect() {
    let size = |main: bool, part: bool| {
        let main = format!(
            r#"<mujoco><compiler fitaabb="{main}"/><asset><model name="part" file="part.xml"/></asset>
            <worldbody><attach model="part" body="b" prefix="p_"/></worldbody></mujoco>"#
        );
        let part = format!(
            r#"<mujoco><compiler fitaabb="{part}"/>
            <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
            <worldbody><body name="b"><geom type="box" mesh="m"/></body></worldbody></mujoco>"#
        );
        let loader = files(&main, &[("part.xml", &part)]);
        let spec = loader.parse("main.xml").unwrap_or_else(|errors| panic!("{errors}"));
        spec.compile().unwrap_or_else(|errors| panic!("{errors}")).geom_size
    };
    assert_eq!(size(true, false), size(true, true));
    assert_eq!(size(false, false), size(false, true));
    assert_ne!(size(true, false), size(false, false));
}
