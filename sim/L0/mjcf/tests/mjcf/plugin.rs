//! Plugins: invalid models, order of instances, attached copies, saved and binary models, plugins of a loader.

use crate::errors::check;
use sim_core::types::ObjType;
use sim_core::{Capabilities, Data, Model, Plugin, PluginError, PluginInstance};
use sim_mjcf::spec::BodyId;
use sim_mjcf::{Loader, Vfs, load_str, parse_str};
use std::sync::Arc;

const WORLD: &str = "<worldbody><geom name='g' size='1'/><site name='s'/>\
    <body name='b'><joint name='j'/><geom size='1'/></body></worldbody>";

/// Checks the message for a model with this extension and these sections.
fn model(extension: &str, sections: &str, fragment: &str) {
    let text = format!("<mujoco><extension>{extension}</extension>{WORLD}\n{sections}</mujoco>");
    check(&text, fragment);
}

const PID: &str = "<plugin plugin='mujoco.pid'/>";

#[test]
fn invalid_references_are_errors() {
    let actuator = |content: &str, fragment: &str| {
        model(PID, &format!("<actuator>{content}</actuator>"), fragment);
    };
    actuator(
        "§<plugin joint='j' plugin='mujoco.sdf.nut'/>",
        "add <plugin plugin=\"mujoco.sdf.nut\"/>",
    );
    actuator("§<plugin joint='j' instance='x'/>", "`x`");
    actuator(
        "<plugin joint='j' §instance='x'><config key='kp' value='1'/></plugin>",
        "remove the <config> elements",
    );
    actuator(
        "§<plugin joint='j' plugin='mujoco.pid'><config key='kpp' value='1'/></plugin>",
        "did you mean `kp`?",
    );
    actuator(
        "§<plugin joint='j' plugin='mujoco.pid'><config key='gain' value='1'/></plugin>",
        "its keys are kp, ki, kd, imax, slewmax",
    );
    actuator(
        "<plugin joint='j' plugin='mujoco.pid'><config key='kp' value='1'/>\
         <config §key='kp' value='2'/></plugin>",
        "`kp` is set twice",
    );
    actuator(
        "<plugin joint='j' plugin='mujoco.pid'>§<config key='kp'/></plugin>",
        "attribute \"value\": required",
    );
    let sensor = "<sensor>§<plugin plugin='mujoco.pid' objtype='site' objname='s'/></sensor>";
    model(PID, sensor, "mujoco.pid does not provide sensors");
    let instance = "<plugin plugin='mujoco.pid'><instance name='p'/><instance name='p'/></plugin>";
    let text = format!("<mujoco><extension>{instance}</extension></mujoco>");
    let message = load_str(&text).unwrap_err().to_string();
    assert!(message.contains("repeated name `p`"), "{message}");
}

#[test]
fn invalid_configurations_are_errors() {
    let pid = |config: &str, attributes: &str, fragment: &str| {
        let content = format!(
            "<actuator>§<plugin joint='j' plugin='mujoco.pid' {attributes}>{config}</plugin></actuator>"
        );
        model(PID, &content, fragment);
    };
    pid("<config key='kp' value='x'/>", "", "config \"kp\": `x` is not a number");
    pid("<config key='ki' value='1'/>", "", "0 activations, not 1: set actdim=\"1\"");
    pid(
        "<config key='slewmax' value='-1'/>",
        "actdim='1'",
        "config \"slewmax\": must not be negative",
    );
    pid(
        "<config key='ki' value='1'/><config key='imax' value='-1'/>",
        "actdim='1'",
        "config \"imax\": must have the sign",
    );
    model("<plugin plugin='mujoco.pid'>§<instance name='p'/></plugin>", "", "no actuator uses");
    let grid = |config: &str, attributes: &str, fragment: &str| {
        let content = format!(
            "<sensor>§<plugin plugin='mujoco.sensor.touch_grid' {attributes}>{config}</plugin></sensor>"
        );
        model("<plugin plugin='mujoco.sensor.touch_grid'/>", &content, fragment);
    };
    let site = "objtype='site' objname='s'";
    let both = "<config key='size' value='2 2'/><config key='fov' value='10 10'/>";
    grid("", site, "config \"size\": requires the two numbers");
    grid("<config key='size' value='2 0'/>", site, "must be between 1 and");
    grid("<config key='size' value='2 2'/>", site, "config \"fov\"");
    grid(&format!("{both}<config key='gamma' value='2'/>"), site, "between 0 and 1");
    grid(&format!("{both}<config key='nchannel' value='7'/>"), site, "between 1 and 6");
    grid(both, "objtype='geom' objname='g'", "requires a site");
    let mesh = |plugin: &str, attributes: &str, fragment: &str| {
        let content = format!("<asset>§<mesh name='m' {attributes}>{plugin}</mesh></asset>");
        model(
            "<plugin plugin='mujoco.sdf.torus'/><plugin plugin='mujoco.pid'/>",
            &content,
            fragment,
        );
    };
    mesh("<plugin plugin='mujoco.sdf.torus'/>", "scale='2 1 1'", "attribute \"scale\"");
    let text = "<mujoco><extension><plugin plugin='mujoco.sdf.torus'/></extension><asset><mesh name='m'>\
        <plugin plugin='mujoco.sdf.torus'><config key='radius1' value='0'/></plugin></mesh></asset></mujoco>";
    let message = load_str(text).unwrap_err().to_string();
    assert!(message.contains("config \"radius1\": must be positive"), "{message}");
}

/// Named instances come first, then those of elements in the order of the sections.
const MIXED: &str = "<mujoco><extension><plugin plugin='mujoco.pid'><instance name='p'>\
    <config key='kp' value='2'/></instance></plugin><plugin plugin='mujoco.sensor.touch_grid'/></extension>\
    <worldbody><body name='b'><joint name='j'/><geom size='1'/><site name='s'/></body></worldbody>\
    <sensor><plugin plugin='mujoco.sensor.touch_grid' objtype='site' objname='s'>\
    <config key='size' value='3 2'/><config key='fov' value='40 30'/></plugin></sensor>\
    <actuator><plugin joint='j' plugin='mujoco.pid' actdim='1'><config key='slewmax' value='3'/></plugin>\
    <plugin joint='j' instance='p'/></actuator></mujoco>";

#[test]
fn instances_are_numbered_in_the_order_of_reading() {
    let m = load_str(MIXED).unwrap();
    assert_eq!((m.nplugin, m.nsensordata, m.na), (3, 6, 1));
    assert_eq!((&m.actuator_plugin[..], &m.sensor_plugin[..]), (&[1, 0][..], &[2][..]));
    assert_eq!(m.plugin, [0, 0, 2]);
    assert_eq!(m.plugin_attr, b"2\0\0\0\0\0\0\0\0\x003\0\x003 2\x0040 30\0\0");
    assert_eq!(m.plugin_config(1).number("slewmax"), Ok(Some(3.0)));
    assert_eq!(m.name2id(ObjType::Plugin, "p"), Some(0));
    assert_eq!(m.plugin_name(2), Some("mujoco.sensor.touch_grid"));
}

#[test]
fn saved_and_binary_models_keep_plugins() {
    let spec = parse_str(MIXED).unwrap();
    let m = spec.compile().unwrap();
    let again = load_str(&spec.save_xml().unwrap()).unwrap();
    let binary = Model::from_bytes(&m.to_bytes()).unwrap();
    for other in [&again, &binary] {
        assert_eq!(other.plugin_attr, m.plugin_attr);
        assert_eq!(other.actuator_plugin, m.actuator_plugin);
        let (mut a, mut b) = (m.make_data(), other.make_data());
        for d in [&mut a, &mut b] {
            d.ctrl.fill(0.3);
        }
        for _ in 0..5 {
            a.step(&m).unwrap();
            b.step(other).unwrap();
        }
        assert_eq!(a.qpos, b.qpos);
        assert!(a.qpos[0] != 0.0);
    }
}

#[test]
fn attached_models_bring_their_plugins() {
    let arm = parse_str(MIXED).unwrap();
    let mut scene = sim_mjcf::Spec::default();
    for side in ["left_", "right_"] {
        scene.attach(BodyId(0), None, &arm, Some("b"), side, "").unwrap();
    }
    let m = scene.compile().unwrap();
    assert_eq!((m.nplugin, m.nu), (6, 4));
    let right = m.name2id(ObjType::Plugin, "right_p").map(|i| i as i32);
    assert_eq!(Some(m.actuator_plugin[3]), right);
    assert_eq!(scene.extensions.len(), 2);
}

/// A passive force on the first dof that grows in each step.
#[derive(Debug)]
struct Growing;

impl Plugin for Growing {
    fn name(&self) -> &'static str {
        "test.growing"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::PASSIVE
    }
    fn nstate(&self, _: &sim_core::PluginConfig) -> Result<usize, PluginError> {
        Ok(1)
    }
    fn init(&self, _: &Model, _: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
        Ok(Arc::new(Self))
    }
}

impl PluginInstance for Growing {
    fn reset(&self, _: &Model, state: &mut [f64]) {
        state.fill(1.0);
    }
    fn compute(&self, _: &Model, d: &mut Data, _: Capabilities) {
        d.qfrc_passive[0] += d.plugin_state[0];
    }
    fn advance(&self, _: &Model, d: &mut Data) {
        d.plugin_state[0] += 1.0;
    }
}

#[test]
fn a_loader_has_plugins_of_its_own() {
    let mut vfs = Vfs::memory();
    let text = "<mujoco><option gravity='0 0 0'/><extension><plugin plugin='test.growing'/></extension>\
        <worldbody><body><plugin plugin='test.growing'/><joint type='slide'/><geom size='.1' mass='1'/></body>\
        </worldbody></mujoco>";
    vfs.add("m.xml", text);
    let message = load_str(text).unwrap_err().to_string();
    assert!(message.contains("unknown plugin `test.growing`"), "{message}");
    let loader = Loader::new(vfs).with_plugin(Growing);
    let m = loader.load("m.xml").unwrap();
    let mut d = m.make_data();
    assert_eq!(d.plugin_state, [1.0]);
    d.step(&m).unwrap();
    d.step(&m).unwrap();
    assert_eq!((d.plugin_state[0], d.qfrc_passive[0]), (3.0, 2.0));
    d.reset(&m);
    assert_eq!(d.plugin_state, [1.0]);
    let bytes = m.to_bytes();
    let error = Model::from_bytes(&bytes).unwrap_err().to_string();
    assert!(error.contains("`test.growing` is not registered"), "{error}");
    let again = Model::from_bytes_with_plugins(&bytes, loader.plugins()).unwrap();
    assert_eq!(again.make_data().plugin_state, [1.0]);
}
