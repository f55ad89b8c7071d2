//! Transmissions of all kinds in one model.

use crate::models::gpu;
use sim_gpu::{Options, Precision, compare_step};

/// Actuators with all transmissions, polynomial springs and dampers, tendon friction loss and armature; no contacts.
const MACHINE: &str = r#"<mujoco>
  <option timestep="0.004" integrator="implicitfast"><flag contact="disable"/></option>
  <worldbody>
    <site name="palm" pos=".1 .2 .3" euler="30 0 20"/>
    <body name="base" pos="0 0 1" gravcomp=".4">
      <freejoint name="root"/>
      <geom type="box" size=".2 .1 .05"/>
      <site name="front" pos=".2 0 .05" euler="20 30 10"/>
      <body name="lever" pos=".3 0 0" gravcomp="1">
        <joint name="turn" axis="0 1 0" damping=".4 .2 .1" stiffness="3 1 2" actuatorgravcomp="true" actuatorfrcrange="-2 2"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <body pos=".3 0 0" gravcomp=".7">
          <joint name="bend" axis="0 1 0" damping=".1"/>
          <joint name="slide" type="slide" axis="1 0 0" armature=".02" stiffness="5 0 3"/>
          <geom type="capsule" fromto="0 0 0 .2 0 .1" size=".03"/>
          <site name="tip" pos=".2 0 .1" euler="0 40 10"/>
        </body>
      </body>
      <body pos="0 .3 0">
        <joint name="ball" type="ball" stiffness="4 1 1" damping=".3 .1 0"/>
        <geom type="capsule" fromto="0 0 0 0 .2 .1" size=".04"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="both" stiffness="5 2 1" damping=".2 .1 .1" springlength=".01 .05" frictionloss="30" armature=".05" actuatorfrclimited="true" actuatorfrcrange="-.5 .6">
      <joint joint="slide" coef=".5"/><joint joint="turn" coef=".3"/></fixed>
  </tendon>
  <actuator>
    <general joint="ball" gear="1 2 .5" gainprm="3" biastype="affine" biasprm=".1 -2 -.4"/>
    <general jointinparent="ball" gear=".3 -1 .5" gainprm="2" biastype="affine" biasprm="0 -1 -.2"/>
    <general joint="root" gear="1 2 3 .4 .5 .6" gainprm="2" biastype="affine" biasprm="0 0 -.3"/>
    <general jointinparent="root" gear="1 0 3 .4 .5 .6" gainprm="2"/>
    <general site="tip" gear="1 2 3 .1 .2 .3" gainprm="2" biastype="affine" biasprm="0 0 -.3"/>
    <general name="pull" site="tip" refsite="front" gear="1 2 3 .1 .2 .3" gainprm="2" biastype="affine" biasprm="0 -3 -.3"/>
    <general site="palm" refsite="tip" gear="0 0 0 1 1 0" gainprm="2"/>
    <general joint="turn" gear="3" armature=".01" damping=".2 .1 .1" gainprm="9"/>
    <general tendon="both" gear="2" armature=".02" damping=".1 0 .2" gainprm="4" biastype="affine" biasprm="0 -1 -.3"/>
    <general tendon="both" gainprm="-9" forcerange="-.4 .4" biastype="affine" biasprm="0 0 -.1"/>
  </actuator>
  <sensor>
    <actuatorpos actuator="pull"/><actuatorvel actuator="pull"/><jointactuatorfrc joint="turn"/><tendonactuatorfrc tendon="both"/>
    <framepos objtype="site" objname="palm"/><force site="tip"/><torque site="front"/><e_potential/><e_kinetic/>
  </sensor>
</mujoco>"#;

#[test]
fn all_transmissions() {
    let m = sim_mjcf::load_str(MACHINE).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { precision: Precision::Double, one_lane: true, ..Options::default() };
    let result = compare_step(gpu(), &m, 4, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");
}
