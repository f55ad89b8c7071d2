//! Equality constraints, tendons and actuators: errors and compiled values (from MuJoCo 3.8.0).

use crate::errors::section;
use sim_core::Model;
use sim_core::types::{BiasType, DynType, GainType, ObjType, WrapType};

/// Bodies `b` and `c`, hinge `h`, slide `l`, ball joint `ball`, sites `s` and `t`, geoms `g` and
/// `box`, and sections after them.
#[track_caller]
fn load(sections: &str) -> Model {
    let text = format!(
        r#"<mujoco><compiler angle="radian"/><option><flag contact="disable"/></option>
        <worldbody><site name="w" pos="0 0 1"/>
          <body name="b" pos=".1 0 0"><joint name="h" axis="0 1 0" range="-1 2"/><geom name="g" size=".1" pos="0 0 -.2"/>
            <site name="s" pos="0 0 -.3"/>
            <body name="c" pos="0 0 -.4"><joint name="l" type="slide" axis="0 0 1"/><geom name="box" type="box" size=".1 .1 .1"/>
              <site name="t" pos=".1 0 0"/></body></body>
          <body name="f" pos="1 0 0"><joint name="ball" type="ball"/><geom size=".1"/></body></worldbody>
        {sections}</mujoco>"#
    );
    sim_mjcf::load_str(&text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn equality_errors() {
    for (marked, fragment) in [
        ("§<connect body1='b'/>", "requires `body1` and `anchor`, or `site1` and `site2`"),
        ("§<connect body1='b' site1='s' anchor='0 0 0'/>", "cannot be combined"),
        ("§<weld body2='b'/>", "requires `body1`, or `site1` and `site2`"),
        ("§<connect body1='x' anchor='0 0 0'/>", "no body is named `x`"),
        ("§<weld body1='b' body2='b'/>", "the same body as `body1`"),
        ("§<weld site1='s' site2='s'/>", "the same site as `site1`"),
        ("§<connect body1='world' anchor='0 0 0'/>", "the same body as `body1`"),
        ("§<joint joint1='ball'/>", "requires a hinge or slide joint"),
        ("§<joint joint1='h' joint2='ball'/>", "requires a hinge or slide joint"),
        ("§<joint joint2='h'/>", "required attribute is missing"),
        ("§<tendon tendon1='x'/>", "no tendon is named `x`"),
        ("<joint joint1='h' §polycoef='1 2 3 4 5 6'/>", "expected at most 5 numbers, found 6"),
    ] {
        section(&format!("<equality>{marked}</equality>"), fragment);
    }
}

#[test]
fn tendon_errors() {
    let site = "<site site='s'/>";
    let through = "<site site='s'/><geom geom='g'/><site site='s'/>";
    let spatial = |path: &str| format!("<spatial>{path}</spatial>");
    for (marked, fragment) in [
        ("§<spatial/>".to_owned(), "the path is empty"),
        ("§<fixed/>".to_owned(), "the path is empty"),
        (spatial("§<site site='s'/>"), "at least two elements"),
        (spatial("§<site site='s'/><site site='s'/>"), "consecutive identical sites"),
        (spatial("§<site site='x'/><site site='s'/>"), "no site is named `x`"),
        (spatial(&format!("{site}§<geom geom='floor'/>{site}")), "sphere or cylinder"),
        (spatial(&format!("{site}§<geom geom='g'/>")), "a site before and after it"),
        (spatial(&format!("{site}§<geom geom='g' sidesite='x'/>{site}")), "no site is named `x`"),
        (spatial("§<site site='s'/><pulley divisor='1'/>"), "a branch with a single site"),
        (
            spatial(&format!("{site}<geom geom='g'/>{site}§<pulley divisor='1'/>")),
            "ends with a pulley",
        ),
        (spatial(&format!("<pulley divisor='1'/>§<pulley divisor='1'/>{site}")), "two consecutive pulleys"),
        (spatial(&format!("§<pulley divisor='-1'/>{site}{site}")), "must not be negative"),
        (spatial("§<pulley/>"), "required attribute is missing"),
        (format!("§<spatial width='0'>{through}</spatial>"), "must be positive"),
        (format!("§<spatial armature='-1'>{through}</spatial>"), "must not be negative"),
        (format!("<spatial armature='1'>{site}§<geom geom='g'/>{site}</spatial>"), "with armature"),
        (format!("§<spatial limited='true'>{through}</spatial>"), "must be smaller"),
        (format!("§<spatial springlength='2 1'>{through}</spatial>"), "must not exceed"),
        (
            "§<fixed actuatorfrclimited='true' actuatorfrcrange='1 2'><joint joint='h' coef='1'/></fixed>".to_owned(),
            "must contain zero",
        ),
        ("<fixed>§<joint joint='x' coef='1'/></fixed>".to_owned(), "no joint is named `x`"),
        ("<fixed>§<joint joint='h'/></fixed>".to_owned(), "required attribute is missing"),
    ] {
        section(&format!("<tendon>{marked}</tendon>"), fragment);
    }
}

#[test]
fn tendons_between_trees_that_may_sleep_are_errors() {
    let model = |sleep: &str, tendon: &str| {
        sim_mjcf::load_str(&format!(
            r#"<mujoco><worldbody>
              <body sleep="{sleep}"><freejoint/><geom size=".1"/><site name="a"/></body>
              <body pos="1 0 0"><freejoint/><geom size=".1"/><site name="b"/></body></worldbody>
            <tendon><spatial {tendon}><site site="a"/><site site="b"/></spatial></tendon></mujoco>"#
        ))
    };
    let error = model("allowed", "stiffness='1'").unwrap_err().to_string();
    assert!(error.contains("couples bodies that may sleep"), "{error}");
    model("allowed", "").unwrap();
    model("never", "stiffness='1'").unwrap();
}

#[test]
fn actuator_errors() {
    for (marked, fragment) in [
        ("§<motor/>", "required attribute is missing"),
        ("<motor joint='h' §site='s'/>", "keep `joint` or `site`"),
        ("<motor joint='h' §slidersite='s'/>", "requires a slider-crank transmission"),
        ("<motor joint='h' §refsite='s'/>", "requires a site transmission"),
        ("§<motor tendon='x'/>", "no tendon is named `x`"),
        ("§<motor cranksite='s' slidersite='s'/>", "must be positive"),
        ("§<motor cranksite='s' cranklength='1'/>", "required attribute is missing"),
        ("§<motor site='s' damping='1'/>", "requires a joint or tendon"),
        ("§<motor site='s' armature='1'/>", "requires a joint or tendon"),
        ("§<motor joint='h' delay='1'/>", "set `nsample`"),
        ("§<motor joint='h' nsample='20000000'/>", "the maximum of 16777216"),
        ("<position joint='h' kv='1' §dampratio='1'/>", "is an alternative to `kv`"),
        ("<position joint='h' §timeconst='-1'/>", "must not be negative"),
        ("<position joint='h' ctrlrange='0 1' §inheritrange='1'/>", "combined with `ctrlrange`"),
        ("§<position joint='h' inheritrange='1'/>", "no range to inherit"),
        ("§<position joint='ball' inheritrange='1'/>", "requires a hinge or slide joint"),
        ("§<position site='s' inheritrange='1'/>", "requires a joint or tendon"),
        ("§<intvelocity joint='h'/>", "attribute \"actrange\""),
        ("<intvelocity joint='h' actrange='0 1' §inheritrange='1'/>", "combined with `actrange`"),
        ("<damper joint='h' §kv='-1' ctrlrange='0 1'/>", "must not be negative"),
        ("<damper joint='h' kv='1' §ctrlrange='-1 1'/>", "must not be negative"),
        ("<adhesion body='b' §gain='-1' ctrlrange='0 1'/>", "must not be negative"),
        ("§<adhesion ctrlrange='0 1'/>", "required attribute is missing"),
        ("<cylinder joint='h' §bias='1'/>", "expected 3 numbers, found 1"),
        ("§<muscle joint='h' range='1 .5' lengthrange='0 1'/>", "must be smaller"),
        ("§<muscle joint='h' lmin='2' lengthrange='0 1'/>", "lmin < 1 < lmax"),
        ("§<muscle joint='h' vmax='0' lengthrange='0 1'/>", "the vmax of a muscle"),
        ("<muscle joint='h' §tausmooth='-1'/>", "must not be negative"),
        ("§<muscle joint='h'/>", "did not converge"),
        ("§<dcmotor joint='h' resistance='1'/>", "the motor constant must be positive"),
        ("§<dcmotor joint='h' motorconst='1'/>", "the resistance must be positive"),
        ("<dcmotor joint='h' motorconst='1' resistance='1' §thermal='1'/>", "thermal capacity"),
        ("<dcmotor joint='h' motorconst='1' resistance='1' §inductance='-1'/>", "be negative"),
        ("§<general joint='h' dyntype='dcmotor'/>", "must be true for a DC motor"),
        ("§<general joint='h' dyntype='filter' actdim='2'/>", "does not match the dyntype"),
    ] {
        section(&format!("<actuator>{marked}</actuator>"), fragment);
    }
}

#[test]
fn armature_of_a_wrapping_tendon_is_an_error() {
    section(
        "<tendon><spatial name='t'><site site='s'/><geom geom='g'/><site site='s'/></spatial></tendon>
        <actuator>§<motor tendon='t' armature='1'/></actuator>",
        "a tendon that wraps around geoms",
    );
}

#[test]
fn equality_data_is_completed_from_the_reference_configuration() {
    let m = load(
        r#"<equality><connect body1="c" body2="f" anchor="0 0 .2"/><weld body1="b" body2="c"/>
        <connect site1="s" site2="w"/><joint joint1="h"/></equality>"#,
    );
    assert_eq!(m.eq_data[..6], [0.0, 0.0, 0.2, -0.9, 0.0, -0.2]);
    assert_eq!(m.eq_data[11..22], [0.0, 0.0, 0.0, 0.0, 0.0, -0.4, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(m.eq_data[22..33], [0.0; 11]);
    assert_eq!(m.eq_data[33..44], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let unknown = ObjType::Unknown;
    assert_eq!(m.eq_objtype, [ObjType::Body, ObjType::Body, ObjType::Site, unknown]);
    assert_eq!((m.eq_obj2id[3], m.nemax), (-1, 14));
}

#[test]
fn tendon_arrays_are_filled() {
    let m = load(
        r#"<tendon><spatial range="0 1" stiffness="1 2"><site site="w"/><geom geom="g" sidesite="t"/><site site="s"/>
          <pulley divisor="2"/><site site="s"/><site site="t"/></spatial>
        <fixed name="sum" springlength=".3"><joint joint="l" coef="2"/><joint joint="h" coef="-1"/></fixed></tendon>"#,
    );
    use WrapType::{Joint, Pulley, Site, Sphere};
    assert_eq!(m.wrap_type, [Site, Sphere, Site, Pulley, Site, Site, Joint, Joint]);
    assert_eq!(m.wrap_objid, [0, 0, 1, -1, 1, 2, 1, 0]);
    assert_eq!(m.wrap_prm, [0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 2.0, -1.0]);
    assert_eq!((&m.ten_J_colind[..], m.nJten), (&[0, 1, 0, 1][..], 4));
    assert_eq!(m.tendon_treeid, [0, -1, 0, -1]);
    assert_eq!(m.tendon_lengthspring[2..], [0.3, 0.3]);
    assert_eq!(m.tendon_lengthspring[0], m.tendon_length0[0], "slack where the springs rest");
    assert_eq!(m.tendon_limited, [true, false]);
    assert_eq!(m.tendon_stiffnesspoly[..2], [2.0, 0.0]);
}

#[test]
fn shortcuts_start_from_the_parameters_of_their_class() {
    let m = load(
        r#"<default><default class="p"><position kp="7" kv=".3"/></default></default>
        <actuator><velocity class="p" joint="h"/><damper joint="h" ctrlrange="0 1"/>
        <cylinder joint="h" diameter="2" bias="1 2 3"/><position joint="h" inheritrange="1"/>
        <muscle joint="h" lengthrange="0 1"/></actuator>"#,
    );
    assert_eq!((m.actuator_gainprm[0], &m.actuator_biasprm[..3]), (7.0, &[0.0, 0.0, -7.0][..]));
    assert_eq!(m.actuator_gainprm[12].abs(), 0.0, "a damper without kv does nothing");
    assert_eq!(m.actuator_gainprm[20], std::f64::consts::PI);
    assert_eq!(m.actuator_biasprm[20..23], [1.0, 0.0, 0.0]);
    assert_eq!(m.actuator_ctrlrange[6..8], [-1.0, 2.0]);
    assert_eq!(m.actuator_gainprm[40..49], [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2]);
    assert_eq!(m.actuator_dynprm[40..43], [0.01, 0.04, 0.0]);
    let last = (m.actuator_dyntype[4], m.actuator_gaintype[4], m.actuator_biastype[4]);
    assert_eq!(last, (DynType::Muscle, GainType::Muscle, BiasType::Muscle));
    assert_eq!(m.actuator_actadr, [-1, -1, 0, -1, 1]);
}

#[test]
fn dampratio_is_converted_to_damping() {
    let m = load(r#"<actuator><position joint="l" kp="9" dampratio="1" gear="2"/></actuator>"#);
    // the box weighs 8 kg; a gear of 2 makes it four times as light
    assert!((m.actuator_biasprm[2] + 2.0 * (9.0_f64 * 8.0 / 4.0).sqrt()).abs() < 1e-12);
}

#[test]
fn history_buffers_are_contiguous() {
    let m = load(
        r#"<actuator><motor joint="h" nsample="3" interp="linear" delay=".01"/><motor joint="h"/>
        <motor joint="l" nsample="2"/></actuator>"#,
    );
    assert_eq!((m.nhistory, &m.actuator_historyadr[..]), (14, &[0, -1, 8][..]));
    assert_eq!(m.actuator_history, [3, 1, 0, 0, 2, 0]);
}

/// A slider-crank between the template of a `replicate` and another site is omitted with its sensors; one within
/// the template is copied with them.
#[test]
fn slider_cranks_of_templates() {
    let load = |crank: &str, slider: &str| {
        let text = format!(
            r#"<mujoco><worldbody><site name="o"/><replicate count="2" offset="1 0 0" sep="-">
            <body name="b"><joint/><geom size=".1"/><site name="s"/></body></replicate></worldbody>
            <actuator><general name="a" cranksite="{crank}" slidersite="{slider}" cranklength=".3"/></actuator>
            <sensor><actuatorpos actuator="a"/><framepos objtype="site" objname="o"/></sensor></mujoco>"#
        );
        let m = sim_mjcf::load_str(&text).unwrap_or_else(|errors| panic!("{errors}"));
        (m.nu, m.nsensor)
    };
    assert_eq!(load("s", "s"), (2, 3));
    assert_eq!(load("s", "o"), (0, 1));
    assert_eq!(load("o", "s"), (0, 1));
}
