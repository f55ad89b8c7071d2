//! Test arms, and random configurations.

use sim_core::Model;
use sim_core::math::quat;
use sim_core::types::JointType;
use sim_kinematics::{Chain, End};

/// A test model with a site `tip`.
pub struct Arm {
    pub name: &'static str,
    pub model: Model,
}

/// Six hinges, the last three with offsets between their axes.
const SIX: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body pos="0 0 .16"><joint axis="0 0 1" range="-3.1 3.1"/><geom size=".04"/>
 <body pos="0 .13 0" quat=".707 0 .707 0"><joint axis="0 1 0" range="-2.2 2.2"/><geom size=".04"/>
  <body pos="0 -.1 .42"><joint axis="0 1 0" range="-2.6 2.6" ref=".2"/><geom size=".04"/>
   <body pos="0 0 .39" quat=".707 0 .707 0"><joint axis="0 1 0" range="-3 3"/><geom size=".03"/>
    <body pos="0 .12 0"><joint axis="0 0 1" range="-2.8 2.8" pos=".01 0 0"/><geom size=".03"/>
     <body pos="0 0 .1"><joint axis="0 1 0" range="-3.1 3.1"/><geom size=".03"/>
      <site name="tip" pos="0 .1 .02" quat=".8 .6 0 0"/>
</body></body></body></body></body></body></worldbody></mujoco>"#;

/// Seven hinges, one with a skewed axis, and a body without joints.
const SEVEN: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body pos=".1 0 .3"><joint axis="0 0 1" range="-2.9 2.9"/><geom size=".04"/>
 <body><joint axis="0 1 0" range="-1.8 1.8"/><geom size=".04"/>
  <body pos="0 0 .32"><joint axis="0 0 1" range="-2.9 2.9"/><geom size=".04"/>
   <body pos=".08 0 0"><joint axis="0 -1 0.02" range="-3 0.1"/><geom size=".04"/>
    <body pos="-.08 0 .38" quat=".98 .02 0 .2"><geom size=".03"/>
     <body><joint axis="0 0 1" range="-2.9 2.9"/><geom size=".03"/>
      <body><joint axis="0 -1 0" range="-.1 3.7"/><geom size=".03"/>
       <body pos=".09 0 0"><joint axis="0 0 -1" range="-2.9 2.9"/><geom size=".03"/>
        <site name="tip" pos="0 0 -.12" quat="0 1 0 0"/>
</body></body></body></body></body></body></body></body></worldbody></mujoco>"#;

/// Three slides and a wrist of three hinges in one body.
const GANTRY: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body pos="0 0 1"><joint type="slide" axis="1 0 0" range="-.8 .8"/><geom size=".04"/>
 <body><joint type="slide" axis="0 1 0" range="-.5 .5"/><geom size=".04"/>
  <body><joint type="slide" axis="0 0 -1" range="0 .6" ref=".1"/><geom size=".04"/>
   <body pos="0 0 -.1"><joint axis="0 0 1" range="-2.5 2.5"/><joint axis="0 1 0" range="-1.2 1.2" pos="0 0 -.05"/>
    <joint axis="1 0 0" range="-1.5 1.5" pos="0 0 -.08"/><geom size=".03"/>
    <site name="tip" pos="0 .02 -.2"/>
</body></body></body></body></worldbody></mujoco>"#;

/// Three hinges and a slide with vertical axes.
const SCARA: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body pos="0 0 .3"><joint axis="0 0 1" range="-2.4 2.4"/><geom size=".04"/>
 <body pos=".3 0 0"><joint axis="0 0 1" range="-2.5 2.5"/><geom size=".04"/>
  <body pos=".25 0 0"><joint type="slide" axis="0 0 -1" range="0 .2"/><geom size=".03"/>
   <body><joint axis="0 0 1" range="-3.1 3.1"/><geom size=".03"/>
    <site name="tip" pos="0 0 -.1"/>
</body></body></body></body></worldbody></mujoco>"#;

/// Three parallel hinges.
const PLANAR: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body><joint axis="0 1 0" range="-2.8 2.8"/><geom size=".04"/>
 <body pos=".4 0 0"><joint axis="0 1 0" range="-2.6 2.6"/><geom size=".04"/>
  <body pos=".3 0 0"><joint axis="0 1 0" range="-2.6 2.6"/><geom size=".03"/>
   <site name="tip" pos=".15 0 0"/>
</body></body></body></worldbody></mujoco>"#;

/// A slide, a hinge, a limited ball joint with an offset anchor, and another hinge.
const BALL: &str = r#"<mujoco><compiler angle="radian"/><worldbody>
<body pos="0 0 .2"><joint type="slide" axis="0 0 1" range="-.2 .3"/><geom size=".04"/>
 <body pos="0 .05 .1"><joint axis="0 0 1" range="-2.9 2.9"/><geom size=".04"/>
  <body pos=".25 0 .1" quat=".9 .1 .4 0"><joint type="ball" pos="0 .02 0" range="0 2.2"/><geom size=".04"/>
   <body pos=".3 0 0"><joint axis="0 1 0" range="-2.2 2.2"/><geom size=".03"/>
    <site name="tip" pos=".2 0 .02"/>
</body></body></body></body></worldbody></mujoco>"#;

/// All test arms.
pub fn arms() -> Vec<Arm> {
    let arm = |(name, text)| Arm { name, model: sim_mjcf::load_str(text).expect(name) };
    let all = [
        ("six", SIX),
        ("seven", SEVEN),
        ("gantry", GANTRY),
        ("scara", SCARA),
        ("planar", PLANAR),
        ("ball", BALL),
    ];
    all.into_iter().map(arm).collect()
}

/// The chain to the tip.
pub fn chain(m: &Model) -> Chain {
    Chain::new(m, End::WORLD, End::site(m, "tip").unwrap()).unwrap()
}

/// A deterministic random number generator.
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A random configuration within the joint limits.
    pub fn state(&mut self, m: &Model) -> Vec<f64> {
        let mut qpos = vec![0.0; m.nq];
        for j in 0..m.njnt {
            let q = &mut qpos[m.jnt_qposadr[j] as usize..];
            let range = [m.jnt_range[2 * j], m.jnt_range[2 * j + 1]];
            match m.jnt_type[j] {
                JointType::Hinge | JointType::Slide if m.jnt_limited[j] => {
                    q[0] = self.between(range[0], range[1]);
                }
                JointType::Hinge | JointType::Slide => q[0] = self.between(-3.0, 3.0),
                JointType::Ball => {
                    let largest = if m.jnt_limited[j] { range[1] } else { 3.0 };
                    q[..4].copy_from_slice(&self.rotation(largest));
                }
                JointType::Free => {
                    q[..3].fill_with(|| self.between(-1.0, 1.0));
                    q[3..7].copy_from_slice(&self.rotation(3.0));
                }
            }
        }
        qpos
    }

    fn rotation(&mut self, largest: f64) -> [f64; 4] {
        let axis = [0; 3].map(|_| self.between(-1.0, 1.0));
        let axis = sim_core::math::vec3::normalize(axis).0;
        quat::from_axis_angle(axis, self.between(0.0, largest))
    }
}
