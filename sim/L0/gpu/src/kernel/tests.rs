//! Generated sources: validity, layout and barriers.

use super::{Kernel, Target};
use crate::{GpuBatchError, Options, Precision, StorageBarriers};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::valid::{ShaderStages, SubgroupOperationSet};
use sim_core::Model;
use sim_types::{Cone, SolverType};
use std::fmt::Write;

/// Validates the kernels with subgroup operations, which software drivers do not run.
#[track_caller]
fn sources_are_valid(xml: &str, change: impl Fn(&mut Model)) -> usize {
    sources_are_valid_within(usize::MAX, xml, change)
}

/// The same on a device with little workgroup memory.
#[track_caller]
fn sources_are_valid_within(bytes: usize, xml: &str, change: impl Fn(&mut Model)) -> usize {
    let mut m = sim_mjcf::load_str(xml).unwrap_or_else(|error| panic!("{error}"));
    change(&mut m);
    let target = Target { two_passes: true, workgroup_bytes: bytes, ..target(true) };
    let kernel = Kernel::new(&m, &Options::default(), &target).expect("a supported model");
    for source in &kernel.sources {
        let module = naga::front::wgsl::parse_str(source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
        Validator::new(ValidationFlags::all(), Capabilities::all())
            .subgroup_stages(ShaderStages::COMPUTE)
            .subgroup_operations(SubgroupOperationSet::all())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    }
    kernel.sources.len()
}

/// Free bodies, each of two geoms with long narrow-phase functions.
const HEAP: &str = r#"<mujoco><worldbody>
  <geom type="plane" size="5 5 .1"/>
  <replicate count="7" offset=".5 0 0"><body pos="0 0 .2"><freejoint/>
    <geom type="box" size=".1 .1 .1"/><geom type="cylinder" pos="0 0 .2" size=".1 .1"/>
  </body></replicate>
</worldbody></mujoco>"#;

/// Features that few models have: sleeping, noslip, adhesion, delays, sensors of contacts, distances and rays.
const RARE: &str = r#"<mujoco>
  <option noslip_iterations="3"><flag sleep="enable"/></option>
  <asset><mesh name="wedge" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/></asset>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="a" pos="0 0 .2" sleep="init"><freejoint/><geom name="a" type="mesh" mesh="wedge"/></body>
    <replicate count="6" offset=".5 0 0"><body pos="0 1 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate>
    <body name="b" pos="0 2 .2"><joint name="b" frictionloss=".1"/><geom name="b" size=".1" gap=".1" margin=".1"/><site name="s"/></body>
  </worldbody>
  <actuator><adhesion body="b" ctrlrange="0 1"/><motor joint="b" nsample="3" delay=".01"/></actuator>
  <sensor>
    <contact geom1="b" data="force"/><tactile geom="b" mesh="wedge"/><distance geom1="a" geom2="b" cutoff="1"/><rangefinder site="s"/>
    <jointpos joint="b" nsample="2" delay=".004"/>
  </sensor>
</mujoco>"#;

/// Features whose functions are in different templates: wrapped tendons, fluids, height fields, distance fields, boxes.
const MIXED: &str = r#"<mujoco>
  <option density="1" viscosity="1e-3" integrator="implicitfast"/>
  <asset><hfield name="hills" nrow="2" ncol="2" size="1 1 .3 .2" elevation="0 1 1 0"/>
    <mesh name="wedge" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/></asset>
  <worldbody>
    <geom type="hfield" hfield="hills"/><site name="from" pos="0 0 1"/>
    <body><freejoint/><geom name="ball" size=".1"/><site name="to"/></body>
    <replicate count="3" offset=".5 0 0"><body pos="0 1 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate>
    <body pos="0 2 0"><freejoint/><geom type="sdf" mesh="wedge"/></body>
    <body pos="0 3 0"><freejoint/><geom type="capsule" size=".1 .1" fluidshape="ellipsoid"/></body>
  </worldbody>
  <tendon><spatial stiffness="1"><site site="from"/><geom geom="ball"/><site site="to"/></spatial></tendon>
  <sensor><accelerometer site="to"/></sensor>
</mujoco>"#;

#[test]
fn templates_of_different_features_do_not_collide() {
    assert_eq!(sources_are_valid(MIXED, |_| ()), 3, "with a narrow-phase pass");
    assert_eq!(sources_are_valid_within(2000, MIXED, |_| ()), 1, "in storage");
}

#[test]
fn kernels_of_rare_features_are_valid() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        assert_eq!(sources_are_valid(RARE, |m| m.opt.cone = cone), 1, "distances need one pass");
        assert_eq!(sources_are_valid_within(2000, RARE, |m| m.opt.cone = cone), 1, "in storage");
    }
    let without = RARE.replace(r#"<distance geom1="a" geom2="b" cutoff="1"/>"#, "");
    assert_eq!(sources_are_valid(&without, |_| ()), 3, "with a narrow-phase pass");
}

/// A chain of hinges.
fn chain(hinges: usize) -> String {
    let mut xml = String::from("<mujoco><worldbody>");
    for _ in 0..hinges {
        let geom = r#"<geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>"#;
        write!(xml, r#"<body pos=".1 0 0"><joint axis="0 1 0" damping="1"/>{geom}"#).expect("room");
    }
    xml + &"</body>".repeat(hinges) + "</worldbody></mujoco>"
}

#[test]
fn kernels_with_subgroups_are_valid() {
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        for solver in [SolverType::Newton, SolverType::Cg] {
            let options = |m: &mut Model| (m.opt.cone, m.opt.solver) = (cone, solver);
            assert_eq!(sources_are_valid(HEAP, options), 3, "coupled trees and convex geoms");
            assert_eq!(sources_are_valid(&chain(12), options), 1, "one subgroup");
        }
    }
    assert_eq!(sources_are_valid(&chain(60), |_| ()), 1, "two subgroups");
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let options = |m: &mut Model| m.opt.cone = cone;
        assert_eq!(sources_are_valid(&chain(45), options), 1, "one subgroup and a border");
        assert_eq!(sources_are_valid(&chain(66), options), 1, "two subgroups and a border");
    }
    let crowd = HEAP.replace("count=\"7\"", "count=\"30\"");
    assert_eq!(sources_are_valid(&crowd, |_| ()), 3, "six groups, more dofs than registers");
    assert_eq!(sources_are_valid_within(2000, &crowd, |_| ()), 1, "the same in storage");
    let separate = chain(100).replace("<geom", r#"<geom contype="0" conaffinity="0""#);
    assert_eq!(sources_are_valid(&separate, |_| ()), 1, "more dofs than lanes");
}

/// One environment on a device without limits.
fn target(subgroups: bool) -> Target {
    Target {
        count: 1,
        subgroups,
        two_passes: false,
        workgroup_bytes: usize::MAX,
        binding_bytes: u64::MAX,
        max_lanes: 1024,
    }
}

fn source(m: &Model, options: &Options, subgroups: bool) -> Result<String, GpuBatchError> {
    Ok(Kernel::new(m, options, &target(subgroups))?.sources.concat())
}

#[test]
fn explicit_storage_barriers_are_in_the_source() {
    let m = sim_mjcf::load_str(&chain(12)).unwrap_or_else(|error| panic!("{error}"));
    let count = |storage_barriers, subgroups, one_lane| {
        let options = Options { storage_barriers, one_lane, ..Options::default() };
        let source = source(&m, &options, subgroups).expect("a supported model");
        source.matches("storageBarrier();").count()
    };
    use StorageBarriers::{Assumed, Explicit};
    assert_eq!(count(Assumed, true, false), 0, "one subgroup on an NVIDIA GPU");
    assert_eq!(count(Explicit, true, false), 2, "matrices and separation budgets");
    assert_eq!(count(Assumed, false, false), 1, "matrices are in workgroup memory");
    assert_eq!(count(Explicit, false, false), 1, "portable kernels always have barriers");
    assert_eq!(count(Explicit, false, true), 0, "one lane needs none");
    let m = sim_mjcf::load_str(&chain(60)).unwrap_or_else(|error| panic!("{error}"));
    let sources = [Assumed, Explicit].map(|storage_barriers| {
        source(&m, &Options { storage_barriers, ..Options::default() }, true)
    });
    assert_eq!(sources[0], sources[1], "several subgroups always have barriers");
}

#[test]
fn a_kernel_of_one_lane_has_no_barriers() {
    let m = sim_mjcf::load_str(HEAP).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { one_lane: true, precision: Precision::Double, ..Options::default() };
    let source = source(&m, &options, false).expect("a supported model");
    assert!(!source.contains("workgroupBarrier();") && !source.contains("storageBarrier();"));
}
