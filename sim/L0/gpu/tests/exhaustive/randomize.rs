//! Model parameters that differ between environments.

use crate::models::gpu;
use sim_core::{Data, Model, mj_step};
use sim_gpu::{GpuBatch, Options, Precision};

/// Has a value in every field that [`CHANGES`] changes.
const ROBOT: &str = r#"<mujoco>
  <option timestep="0.004" gravity="0 0 -9"/>
  <worldbody>
    <geom type="plane" size="5 5 .1" margin=".01"/>
    <body name="base" pos="0 0 .3" gravcomp=".3">
      <freejoint/>
      <geom type="sphere" size=".2" friction=".7" condim="4"/>
      <site name="imu" pos=".1 0 .05" euler="20 30 10"/>
      <body name="arm" pos=".3 0 0" euler="0 10 0">
        <joint name="slide" type="slide" axis="1 0 1" stiffness="30" damping="2" range="-.1 .02" frictionloss=".1" actuatorfrcrange="-1 1"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".04"/>
        <body pos=".25 0 0">
          <joint name="turn" axis="0 1 0" pos=".01 0 0" damping=".4" armature=".02" frictionloss="900" range="-60 5" margin=".02"/>
          <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04" mass=".4"/>
          <site name="tip" pos="0 0 -.3"/>
        </body>
      </body>
      <body pos="0 .3 0">
        <joint name="ball" type="ball" stiffness="4" damping=".3"/>
        <geom type="capsule" fromto="0 0 0 0 .2 0" size=".04"/>
      </body>
    </body>
    <body name="loose" pos=".9 0 .09"><freejoint/><geom size=".1" pos=".01 0 0"/></body>
  </worldbody>
  <contact><pair geom1="geom0" geom2="geom4" friction=".5 .5 .01 .01 .01"/></contact>
  <equality><joint joint1="turn" joint2="slide" polycoef=".1 2 0 0 0"/></equality>
  <tendon>
    <fixed name="both" stiffness="5" damping=".2" frictionloss=".05" range="-.2 .01"><joint joint="slide" coef=".5"/><joint joint="turn" coef=".3"/></fixed>
    <fixed frictionloss="900"><joint joint="turn" coef="1"/></fixed>
  </tendon>
  <actuator>
    <position joint="turn" kp="5" kv="1" ctrlrange="-.3 .3"/>
    <general tendon="both" dyntype="filter" dynprm=".05" gainprm="3" biastype="affine" biasprm=".1 .2 -.3"/>
    <motor joint="slide" gear="3"/>
    <motor joint="turn" forcerange="-.1 .1"/>
    <general joint="turn" dyntype="integrator" gainprm="5" actlimited="true" actrange="0 .002"/>
  </actuator>
  <sensor>
    <gyro site="imu"/><accelerometer site="imu"/><magnetometer site="imu"/><framepos objtype="site" objname="tip"/>
  </sensor>
</mujoco>"#;

/// The model; its geoms have no names in the text.
fn robot() -> Model {
    let text = ROBOT
        .replacen("<geom type=\"plane\"", "<geom name=\"geom0\" type=\"plane\"", 1)
        .replace("<geom size=\".1\" pos", "<geom name=\"geom4\" size=\".1\" pos");
    sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// A field and how it changes.
type Change = (&'static str, fn(&mut Model));

/// Scales all values of an array.
macro_rules! scaled {
    ($($field:ident)*) => {
        vec![$((stringify!($field), (|m| m.$field.iter_mut().for_each(|x| *x *= 1.3)) as fn(&mut Model))),*]
    };
}

/// Fields that MuJoCo Warp keeps per environment.
fn changes() -> Vec<Change> {
    let mut all: Vec<Change> = scaled! {
        body_mass body_inertia body_gravcomp body_invweight0 dof_damping dof_armature dof_frictionloss
        dof_invweight0 dof_solref dof_solimp jnt_stiffness jnt_range jnt_margin jnt_solref jnt_actfrcrange
        geom_friction geom_margin geom_solref pair_friction pair_solref eq_solref eq_data
        tendon_stiffness tendon_damping tendon_frictionloss tendon_range tendon_solref_lim tendon_solref_fri
        tendon_invweight0
        actuator_gainprm actuator_biasprm actuator_dynprm actuator_gear actuator_ctrlrange
        actuator_forcerange actuator_actrange
    };
    let more: [Change; 16] = [
        ("opt.timestep", |m| m.opt.timestep *= 0.7),
        ("opt.gravity", |m| m.opt.gravity = [1.0, 2.0, -5.0]),
        ("opt.magnetic", |m| m.opt.magnetic = [0.3, 0.1, 0.2]),
        ("opt.impratio", |m| m.opt.impratio = 3.0),
        ("qpos0", |m| m.qpos0[7] += 0.1),
        ("qpos_spring", |m| m.qpos_spring[7] += 0.1),
        ("body_pos", |m| m.body_pos[6] += 0.05),
        ("body_ipos", |m| m.body_ipos[6] += 0.02),
        ("jnt_pos", |m| m.jnt_pos[6] += 0.03),
        ("geom_size", |m| m.geom_size[3] *= 1.1),
        ("geom_pos", |m| m.geom_pos[11] += 0.03),
        ("geom_solimp", |m| m.geom_solimp[1] *= 0.9),
        ("eq_solimp", |m| m.eq_solimp[0] *= 0.8),
        ("jnt_solimp", |m| m.jnt_solimp[6] *= 0.9),
        ("site_pos", |m| m.site_pos[1] += 0.04),
        ("tendon_lengthspring", |m| m.tendon_lengthspring[1] += 0.02),
    ];
    all.extend(more);
    all
}

const STEPS: usize = 3;

fn step_on_cpu(m: &Model, d: &mut Data) {
    for _ in 0..STEPS {
        mj_step(m, d).expect("stepped");
    }
}

#[test]
fn every_environment_has_its_own_parameters() {
    let mut m = robot();
    m.opt.tolerance = 1e-13;
    let changes = changes();
    let options = Options { precision: Precision::Double, one_lane: true, ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), &m, changes.len() + 1, &options).expect("a batch");
    // the last environment has the parameters of the model
    let change = |k: usize, m: &mut Model| {
        if let Some((_, change)) = changes.get(k) {
            change(m);
        }
    };
    batch.randomize(change).expect("only parameter values change");
    let mut start = m.make_data();
    start.qpos[2] = 0.18;
    start.qpos[7] = 0.05;
    start.qpos[8] = 0.2;
    start.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = 0.3 * (i as f64).sin());
    start.ctrl.copy_from_slice(&[0.4, 0.5, 0.6, 0.9, 0.9]);
    let state = [&start.qpos[..], &start.qvel[..]].concat();
    batch.set_state(&state.repeat(changes.len() + 1)).expect("set");
    batch.set_ctrl(&start.ctrl.repeat(changes.len() + 1)).expect("set");
    batch.step(STEPS).expect("stepped");
    let (after, width) = (batch.state().expect("read"), m.nq + m.nv);
    let (output, outputs) = (batch.output().expect("read"), m.nsensordata + 1);
    let run = |k: usize| {
        let (mut changed, mut d) = (m.clone(), start.clone());
        change(k, &mut changed);
        changed.refresh();
        step_on_cpu(&changed, &mut d);
        [&d.qpos[..], &d.qvel[..], &d.sensordata[..]].concat()
    };
    let unchanged = run(changes.len());
    let mut wrong = Vec::new();
    for (k, name) in changes.iter().map(|(name, _)| *name).chain(["nothing"]).enumerate() {
        let cpu = run(k);
        let gpu = [&after[k * width..][..width], &output[k * outputs..][..m.nsensordata]].concat();
        let differs = |(_, a, b): &(usize, &f64, &f64)| {
            let (a, b) = (**a, **b);
            (a - b).abs().is_nan() || (a - b).abs() >= 1e-9 * (1.0 + b.abs())
        };
        let mut numbers = gpu.iter().zip(&cpu).enumerate().map(|(i, (a, b))| (i, a, b));
        if let Some((i, a, b)) = numbers.find(differs) {
            wrong.push(format!("{name}, number {i}: {a} and {b}"));
        }
        // the comparison would not notice a field without effect
        let effect = cpu.iter().zip(&unchanged).any(|(a, b)| (a - b).abs() > 1e-7);
        if effect == (name == "nothing") {
            wrong.push(format!("{name} has no effect in this test"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
