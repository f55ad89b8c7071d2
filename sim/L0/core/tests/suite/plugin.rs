//! Plugins in the pipeline: state, flags, integrators, threads, and the fields of the built-in shapes.

use sim_core::types::{DisableBit, StateBits};
use sim_core::{
    Capabilities, Data, Model, Plugin, PluginConfig, PluginError, PluginInstance, PluginRegistry,
    mj_forward, mj_get_state, mj_set_state, mj_state_size,
};
use sim_mjcf::{Loader, Vfs};
use std::sync::Arc;

/// Counts the steps of a body in its state, and pulls it with a force of that size.
#[derive(Debug)]
struct Counter(usize);

impl Plugin for Counter {
    fn name(&self) -> &'static str {
        "test.counter"
    }
    fn attributes(&self) -> &[&str] {
        &["start"]
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities::PASSIVE | Capabilities::SENSOR
    }
    fn nstate(&self, _: &PluginConfig) -> Result<usize, PluginError> {
        Ok(1)
    }
    fn nsensordata(&self, _: &PluginConfig) -> Result<usize, PluginError> {
        Ok(2)
    }
    fn init(&self, _: &Model, instance: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
        Ok(Arc::new(Self(instance)))
    }
}

impl PluginInstance for Counter {
    fn reset(&self, m: &Model, state: &mut [f64]) {
        let start = m.plugin_config(self.0).number("start");
        state.fill(start.ok().flatten().unwrap_or(0.0));
    }
    fn compute(&self, m: &Model, d: &mut Data, capability: Capabilities) {
        let count = d.plugin_state[m.plugin_state_range(self.0)][0];
        if capability == Capabilities::PASSIVE {
            d.qfrc_passive[0] += count;
        } else {
            d.sensordata[..2].copy_from_slice(&[count, 10.0 * d.qvel[0]]);
        }
    }
    fn advance(&self, m: &Model, d: &mut Data) {
        d.plugin_state[m.plugin_state_range(self.0)][0] += 1.0;
    }
}

fn counter(option: &str) -> Model {
    let text = format!(
        "<mujoco><option {option} gravity='0 0 0'/><extension><plugin plugin='test.counter'>\
         <instance name='c'><config key='start' value='3'/></instance></plugin></extension>\
         <worldbody><body><plugin instance='c'/><joint type='slide'/><geom size='.1' mass='1'/></body></worldbody>\
         <sensor><clock/><plugin instance='c' cutoff='4'/></sensor></mujoco>"
    )
    .replace("<clock/>", "");
    let mut vfs = Vfs::memory();
    vfs.add("m.xml", text);
    Loader::new(vfs).with_plugin(Counter(0)).load("m.xml").unwrap()
}

#[test]
fn the_state_is_reset_advanced_saved_and_restored() {
    for integrator in ["Euler", "RK4", "implicit", "implicitfast"] {
        let m = counter(&format!("integrator='{integrator}'"));
        let mut d = m.make_data();
        assert_eq!((m.npluginstate, d.plugin_state[0]), (1, 3.0));
        d.step(&m).unwrap();
        d.step(&m).unwrap();
        assert_eq!(d.plugin_state, [5.0], "{integrator}: once per step");
        let mut state = vec![0.0; mj_state_size(&m, StateBits::FULLPHYSICS)];
        mj_get_state(&m, &d, &mut state, StateBits::FULLPHYSICS).unwrap();
        let copy = d.clone();
        d.step(&m).unwrap();
        let after = d.qvel[0];
        let mut restored = m.make_data();
        mj_set_state(&m, &mut restored, &state, StateBits::FULLPHYSICS).unwrap();
        assert_eq!(restored.plugin_state, copy.plugin_state);
        restored.step(&m).unwrap();
        assert_eq!(restored.qvel[0], after, "{integrator}");
        d.reset(&m);
        assert_eq!(d.plugin_state, [3.0]);
    }
}

#[test]
fn flags_disable_plugins_and_cutoffs_apply() {
    let mut m = counter("");
    let mut d = m.make_data();
    d.qvel[0] = 1.0;
    mj_forward(&m, &mut d).unwrap();
    assert_eq!((d.qfrc_passive[0], &d.sensordata[..]), (3.0, &[3.0, 4.0][..]));
    m.opt.disableflags |= DisableBit::Spring as i32 | DisableBit::Damper as i32;
    mj_forward(&m, &mut d).unwrap();
    assert_eq!(d.qfrc_passive[0], 0.0);
    m.opt.disableflags |= DisableBit::Sensor as i32;
    d.sensordata.fill(7.0);
    mj_forward(&m, &mut d).unwrap();
    assert_eq!(d.sensordata, [7.0, 7.0]);
}

#[test]
fn threads_share_the_instances_of_a_model() {
    let m = counter("");
    let run = || {
        let mut d = m.make_data();
        (0..50).for_each(|_| d.step(&m).unwrap());
        d.qpos[0]
    };
    let alone = run();
    let together: Vec<f64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(together, [alone; 4]);
}

/// Actuators of plugins are computed even if their group is disabled, as in MuJoCo.
#[test]
fn disabled_groups_do_not_disable_plugins() {
    let text = "<mujoco><extension><plugin plugin='mujoco.pid'/></extension><worldbody><body><joint name='j'/>\
        <geom size='.1'/></body></worldbody><actuator><plugin joint='j' group='1' plugin='mujoco.pid'>\
        <config key='kp' value='2'/></plugin></actuator></mujoco>";
    let mut m = sim_mjcf::load_str(text).unwrap();
    m.opt.disableactuator = 1 << 1;
    let mut d = m.make_data();
    d.ctrl[0] = 0.5;
    mj_forward(&m, &mut d).unwrap();
    assert_eq!(d.actuator_force[0], 1.0);
}

#[test]
fn distances_of_shapes_are_consistent_with_their_gradients_and_boxes() {
    let registry = PluginRegistry::default();
    for name in ["torus", "bowl", "bolt", "nut", "gear"] {
        let (_, kind) = registry.get(&format!("mujoco.sdf.{name}")).unwrap();
        assert!(kind.capabilities().contains(Capabilities::SDF));
        let field = kind.signed_distance(&PluginConfig::default()).unwrap().unwrap();
        let [x, y, z, half @ ..] = field.aabb();
        let (mut inside, mut smooth, mut total) = (0, 0, 0);
        for i in 0..1000_u32 {
            let unit = [7919, 104_729, 1_299_709].map(|p| f64::from(i * p % 1009) / 504.5 - 1.0);
            let p: [f64; 3] = std::array::from_fn(|k| [x, y, z][k] + half[k] * unit[k]);
            let distance = field.distance(p);
            inside += usize::from(distance < 0.0);
            // the surface is inside the box
            if unit.iter().any(|u| u.abs() > 0.999) {
                assert!(distance > -1e-9, "{name} {p:?}");
            }
            let gradient = field.gradient(p);
            let central: [f64; 3] = std::array::from_fn(|k| {
                let (mut a, mut b) = (p, p);
                a[k] += 1e-5;
                b[k] -= 1e-5;
                (field.distance(a) - field.distance(b)) / 2e-5
            });
            total += 1;
            smooth += usize::from((0..3).all(|k| (gradient[k] - central[k]).abs() < 1e-3));
        }
        assert!(inside > 10, "{name}: {inside}");
        assert!(smooth * 100 > total * 95, "{name}: {smooth} of {total}");
    }
}
