//! Models and random states.

use sim_core::types::JointType;
use sim_core::{Data, Model};

/// A figure with free torso, two legs, two arms, limits, a limited tendon and self-collisions.
pub const FIGURE: &str = r#"
<mujoco>
  <option timestep="0.005"/>
  <default>
    <joint type="hinge" damping="0.5" armature="0.01" stiffness="2" limited="true" solimplimit="0 .99 .01"/>
    <geom type="capsule" condim="1" friction=".7" solimp=".9 .99 .003" solref=".015 1"/>
    <motor ctrlrange="-1 1" ctrllimited="true"/>
  </default>
  <worldbody>
    <geom type="plane" size="0 0 1" condim="3"/>
    <body name="torso" pos="0 0 1.3">
      <freejoint/>
      <geom fromto="0 -.07 0 0 .07 0" size=".08"/>
      <geom fromto="0 -.06 -.15 0 .06 -.15" size=".07"/>
      <body pos="0 0 .19"><geom type="sphere" size=".09"/></body>
      <body name="right_thigh" pos="0 -.1 -.3">
        <joint name="rx" axis="1 0 0" range="-30 20"/>
        <joint name="rz" axis="0 0 1" range="-60 35"/>
        <joint name="ry" axis="0 1 0" range="-120 20"/>
        <geom fromto="0 0 0 0 .01 -.34" size=".06"/>
        <body pos="0 .01 -.4">
          <joint name="rk" axis="0 -1 0" pos="0 0 .02" range="-150 2"/>
          <geom fromto="0 0 0 0 0 -.3" size=".05"/>
          <body pos="0 0 -.39">
            <joint name="ra" axis="0 1 0" pos="0 0 .08" range="-50 50"/>
            <geom fromto="-.07 -.02 0 .14 -.03 0" size=".03"/>
            <geom fromto="-.07 .02 0 .14 .03 0" size=".03"/>
          </body>
        </body>
      </body>
      <body name="left_thigh" pos="0 .1 -.3">
        <joint name="lx" axis="-1 0 0" range="-30 20"/>
        <joint name="lz" axis="0 0 -1" range="-60 35"/>
        <joint name="ly" axis="0 1 0" range="-120 20"/>
        <geom fromto="0 0 0 0 -.01 -.34" size=".06"/>
        <body pos="0 -.01 -.4">
          <joint name="lk" axis="0 -1 0" pos="0 0 .02" range="-150 2"/>
          <geom fromto="0 0 0 0 0 -.3" size=".05"/>
          <body pos="0 0 -.39">
            <joint name="la" axis="0 1 0" pos="0 0 .08" range="-50 50"/>
            <geom fromto="-.07 -.02 0 .14 -.03 0" size=".03"/>
            <geom fromto="-.07 .02 0 .14 .03 0" size=".03"/>
          </body>
        </body>
      </body>
      <body name="right_arm" pos="0 -.17 .06">
        <joint name="rs" axis="2 1 1" range="-85 60"/>
        <joint name="re" axis="0 -1 1" range="-85 60"/>
        <geom fromto="0 0 0 .16 -.16 -.16" size=".04"/>
        <body pos=".18 -.18 -.18"><geom type="sphere" size=".05"/></body>
      </body>
      <body name="left_arm" pos="0 .17 .06">
        <joint name="ls" axis="2 -1 1" range="-85 60"/>
        <joint name="le" axis="0 1 1" range="-85 60"/>
        <geom fromto="0 0 0 .16 .16 -.16" size=".04"/>
        <body pos=".18 .18 -.18"><geom type="sphere" size=".05"/></body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="hamstring" limited="true" range="-0.3 .6"><joint joint="ry" coef=".5"/><joint joint="rk" coef="-.5"/></fixed>
  </tendon>
  <actuator>
    <motor joint="rx" gear="40"/><motor joint="ry" gear="80"/><motor joint="rk" gear="60"/><motor joint="ra" gear="20"/>
    <motor joint="lx" gear="40"/><motor joint="ly" gear="80"/><motor joint="lk" gear="60"/><motor joint="la" gear="20"/>
    <position joint="rs" kp="20" kv="1"/><position joint="ls" kp="20" kv="1" forcerange="-5 5"/>
    <motor tendon="hamstring" gear="5"/>
  </actuator>
</mujoco>"#;

/// A planar walker in wind, on slide and hinge joints, with ball-jointed arms and joints that share a body.
pub const WALKER: &str = r#"
<mujoco>
  <option timestep="0.004" impratio="2" density="50" viscosity=".2" wind="1 0 2"/>
  <default><geom type="capsule" condim="3" friction=".9" density="800"/><joint damping=".1" armature=".02"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1" euler="0 3 0"/>
    <body pos="0 0 .8">
      <joint type="slide" axis="1 0 0" armature="0" damping="0"/>
      <joint type="slide" axis="0 0 1" armature="0" damping="0"/>
      <joint type="hinge" axis="0 1 0" armature="0" damping="0"/>
      <geom fromto="-.3 0 0 .3 0 0" size=".06"/>
      <body pos="-.3 0 0">
        <joint type="hinge" axis="0 1 0" range="-70 50" limited="true" stiffness="30" solreflimit=".01 .9"/>
        <geom fromto="0 0 0 .1 0 -.35" size=".05"/>
        <body pos=".1 0 -.35" euler="0 20 0">
          <joint type="hinge" axis="0 1 0" range="-60 60" limited="true" margin=".1"/>
          <geom fromto="0 0 0 -.1 0 -.35" size=".045"/>
          <geom type="sphere" pos="-.1 0 -.4" size=".06"/>
        </body>
      </body>
      <body pos=".3 0 0">
        <joint type="ball" damping=".3"/>
        <geom fromto="0 0 0 .05 .1 -.4" size=".05"/>
        <body pos=".05 .1 -.4"><joint type="hinge" axis="1 1 0"/><geom fromto="0 0 0 0 0 -.3" size=".04"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

/// A quadruped with elliptic cones, dry friction, torsional and rolling friction, boxes and cylinders, Runge–Kutta, and
/// a second tree.
pub const QUADRUPED: &str = r#"
<mujoco>
  <option timestep="0.003" integrator="RK4" cone="elliptic" impratio="5"/>
  <default>
    <joint type="hinge" axis="0 1 0" damping=".4" armature=".01" frictionloss=".3" range="-80 80" limited="true"/>
    <geom friction=".8 .02 .003" condim="3" density="500"/>
  </default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body pos="0 0 .6">
      <freejoint/>
      <geom type="box" size=".2 .1 .05"/>
      <body pos=".2 .1 0"><joint name="a"/><geom type="capsule" fromto="0 .05 0 0 .05 -.2" size=".02"/>
        <body pos="0 .05 -.2"><joint axis="1 0 0"/><geom type="cylinder" fromto="0 0 -.01 0 0 -.2" size=".03" condim="4"/></body></body>
      <body pos=".2 -.1 0"><joint name="b"/><geom type="capsule" fromto="0 -.05 0 0 -.05 -.2" size=".02"/>
        <body pos="0 -.05 -.2"><joint axis="1 0 0"/><geom pos="0 0 -.2" size=".03" condim="6"/></body></body>
      <body pos="-.2 0 0"><joint name="c"/><geom type="capsule" fromto="0 0 -.05 0 0 -.3" size=".04" condim="1"/></body>
    </body>
    <body pos="1 0 .3"><joint type="slide" axis="0 0 1" limited="false"/><geom type="sphere" size=".1"/></body>
  </worldbody>
  <actuator><motor joint="a" gear="4"/><motor joint="b" gear="4"/><motor joint="c" gear="4"/></actuator>
</mujoco>"#;

/// An arm with position servos and the integrator `implicitfast`.
pub const ARM: &str = r#"
<mujoco>
  <option timestep="0.004" integrator="implicitfast"/>
  <default><joint type="hinge" axis="0 1 0" damping="1" armature=".1" range="-120 120" limited="true"/>
    <geom type="capsule" size=".05"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body pos="0 0 .4"><joint name="a" axis="0 0 1"/><geom fromto="0 0 -.1 0 0 .2"/>
      <body pos="0 0 .2"><joint name="b"/><geom fromto="0 0 0 .4 0 0"/>
        <body pos=".4 0 0"><joint name="c"/><geom fromto="0 0 0 .3 0 0"/>
          <body pos=".3 0 0"><joint name="d" axis="1 0 0"/><geom type="box" size=".05 .1 .05" pos=".1 0 0"/></body></body></body>
    </body>
  </worldbody>
  <actuator><position joint="a" kp="200" kv="20"/><position joint="b" kp="200" kv="20" forcerange="-40 40"/>
    <velocity joint="c" kv="10"/><general joint="d" gainprm="1 0 -.5" gaintype="affine" biasprm="0 -5 -2" biastype="affine"/></actuator>
</mujoco>"#;

/// A gripper with coupled fingers, tendons with springs, dampers, limits and servos, activations, `implicitfast`.
pub const GRIPPER: &str = r#"
<mujoco>
  <option timestep="0.003" integrator="implicitfast"/>
  <default><joint damping=".3" armature=".02" limited="true" range="-100 100"/>
    <geom type="capsule" size=".03" density="600" friction=".8"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body pos="0 0 .35"><joint name="lift" axis="0 1 0"/><geom fromto="0 0 0 .3 0 0" size=".04"/>
      <body pos=".3 0 0"><joint name="wrist" axis="0 1 0"/><geom fromto="0 0 0 .15 0 0"/>
        <body pos=".15 .1 0"><joint name="left" type="slide" axis="0 1 0" range="-.08 .05"/>
          <geom fromto="0 0 0 .12 0 -.05"/>
          <body pos=".12 0 -.05"><joint name="tip1" axis="0 0 1" range="-50 50"/><geom fromto=".02 0 0 .08 0 0" size=".02"/></body></body>
        <body pos=".15 -.1 0"><joint name="right" type="slide" axis="0 -1 0" range="-.08 .05"/>
          <geom fromto="0 0 0 .12 0 -.05"/>
          <body pos=".12 0 -.05"><joint name="tip2" axis="0 0 -1" range="-50 50"/><geom fromto=".02 0 0 .08 0 0" size=".02"/></body></body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="split"><joint joint="left" coef=".5"/><joint joint="right" coef=".5"/></fixed>
    <fixed name="belt" stiffness="40" damping="3" springlength="-.2 .1" limited="true" range="-.8 .9">
      <joint joint="lift" coef=".5"/><joint joint="wrist" coef="-.7"/></fixed>
    <fixed name="first"><joint joint="tip1" coef="1"/></fixed>
    <fixed name="second" frictionloss=".05"><joint joint="tip2" coef="1"/><joint joint="wrist" coef=".2"/></fixed>
  </tendon>
  <equality>
    <joint joint1="left" joint2="right" polycoef="0 1 .5 0 0" solref=".005 1" solimp=".95 .99 .001"/>
    <tendon tendon1="first" tendon2="second" polycoef=".02 .8 0 .1 0"/>
    <joint joint1="tip1" polycoef=".1" active="false"/>
  </equality>
  <actuator>
    <general joint="lift" gainprm="60" biastype="affine" biasprm="0 -60 -8" dyntype="filter" dynprm=".05"/>
    <general joint="wrist" gainprm="30" biastype="affine" biasprm="0 -30 -3" dyntype="filterexact" dynprm=".03" actearly="true"/>
    <general tendon="split" gainprm="5" biastype="affine" biasprm="0 -100 -10" forcerange="-20 20"/>
    <intvelocity joint="tip1" kp="3" actrange="-.5 .5"/>
    <general tendon="belt" gaintype="affine" gainprm="1 0 -.4" biastype="affine" biasprm="0 0 -2"/>
  </actuator>
</mujoco>"#;

/// A figure like gymnasium's humanoid: projected Gauss–Seidel, Runge–Kutta, activations, dry friction, an equality.
pub fn dual() -> String {
    let options = r#"<option timestep="0.004" solver="PGS" iterations="60" integrator="RK4"/>"#;
    FIGURE
        .replace(r#"<option timestep="0.005"/>"#, options)
        .replace(r#"<joint name="rs" "#, r#"<joint name="rs" frictionloss=".4" "#)
        .replace(
            r#"<motor joint="la" gear="20"/>"#,
            r#"<general joint="la" gainprm="20" dyntype="filter" dynprm=".02"/>"#,
        )
        .replace(
            "<actuator>",
            r#"<equality><joint joint1="re" joint2="le" polycoef="0 -1 .3 0 0"/></equality><actuator>"#,
        )
}

/// Every model with its name.
pub fn all() -> Vec<(&'static str, String)> {
    let texts = [
        ("figure", FIGURE),
        ("walker", WALKER),
        ("quadruped", QUADRUPED),
        ("arm", ARM),
        ("gripper", GRIPPER),
    ];
    let mut all: Vec<_> = texts.map(|(name, text)| (name, text.to_owned())).into();
    all.push(("dual", dual()));
    all
}

pub fn load(text: &str) -> Model {
    sim_mjcf::load_str(text).expect("the model loads")
}

/// Uniform random numbers in [-1, 1] (xorshift).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Random positions near the floor, velocities, controls and warm starts.
pub fn randomise(m: &Model, d: &mut Data, rng: &mut Rng) {
    for j in 0..m.njnt {
        let adr = m.jnt_qposadr[j] as usize;
        let q = &mut d.qpos[adr..];
        match m.jnt_type[j] {
            JointType::Free => {
                (q[0], q[1], q[2]) = (rng.next(), rng.next(), 0.55 + 0.5 * rng.next());
                q[3..7].fill_with(|| rng.next());
            }
            JointType::Ball => q[..4].fill_with(|| rng.next()),
            _ if m.jnt_limited[j] => {
                let [low, high] = [m.jnt_range[2 * j], m.jnt_range[2 * j + 1]];
                q[0] = 0.5 * (low + high) + 0.55 * (high - low) * rng.next();
            }
            _ => q[0] = rng.next(),
        }
    }
    d.qvel.fill_with(|| rng.next());
    d.act.fill_with(|| 0.5 * rng.next());
    d.ctrl.fill_with(|| 1.2 * rng.next());
    d.qacc_warmstart.fill_with(|| 10.0 * rng.next());
}
