//! Kernels that software drivers take minutes to compile: run by `cargo test -p sim-gpu --test exhaustive`, on a GPU or
//! with patience, but not by CI. The tests of `on_device`, whose modules are shared, run as well.

#[path = "../on_device/border.rs"]
mod border;
#[allow(dead_code, reason = "`main` and the command line of the example are not used")]
#[path = "../../examples/cartpole.rs"]
mod cartpole;
#[path = "../on_device/collision.rs"]
mod collision;
mod compare;
mod contacts;
#[path = "../on_device/delays.rs"]
mod delays;
mod falling_geoms;
mod hfield_spheres;
mod layout;
#[path = "../on_device/models.rs"]
mod models;
mod moving_geoms;
mod randomize;
mod sdf;
mod sleep;
#[path = "../on_device/stages.rs"]
mod stages;
mod transmissions;
mod tree_groups;
#[path = "../on_device/two_passes.rs"]
mod two_passes;

use collision::case;
use models::gpu;
use sim_gpu::{GpuBatch, Options, Precision, compare_step};
use sim_types::{Cone, SolverType};

#[test]
fn pyramidal_cones_between_tree_groups() {
    let [apart, few, many] = tree_groups::step_crowd(Cone::Pyramidal, SolverType::Newton, 2, 60);
    let all = format!("{apart} steps uncoupled, {few} with few coupling rows, {many} with many");
    assert!(apart > 50 && few > 2 && many > 2, "{all}");
}

#[test]
fn borders_with_contacts() {
    border::check_contacts(27, Cone::Pyramidal);
    border::check_contacts(45, Cone::Elliptic);
}

#[test]
fn cg_between_tree_groups() {
    let [apart, few, many] = tree_groups::step_crowd(Cone::Elliptic, SolverType::Cg, 1, 60);
    assert!(
        apart > 50 && few > 2,
        "{apart} steps uncoupled, {few} with few coupling rows, {many} with many"
    );
}

/// Distances of convex geoms: most of them are apart, those of the nested ones overlap.
const CONVEX_DISTANCES: &str = r#"<mujoco><option><flag contact="disable"/></option>
  <asset><mesh name="wedge" scale=".2 .3 .1" vertex="0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1"/></asset>
  <worldbody><body name="one"><freejoint/>
    <geom name="box" type="box" size=".2 .1 .15"/><geom name="ellipsoid" type="ellipsoid" pos="0 0 1" size=".1 .2 .3"/>
    <geom name="capsule" type="capsule" pos="0 0 2" size=".1 .2"/></body>
  <body name="two" pos="1 0 0"><freejoint/>
    <geom name="cube" type="box" size=".1 .1 .1"/><geom name="cylinder" type="cylinder" pos="0 0 1" size=".2 .1"/>
    <geom name="mesh" type="mesh" mesh="wedge" pos="0 0 2"/>
    <geom name="inner" type="box" pos="-.9 .1 0" size=".1 .1 .1"/><geom name="disc" type="cylinder" pos="-.9 .1 1" size=".2 .1"/></body></worldbody>
  <sensor>
    <fromto geom1="box" geom2="cube" cutoff="3"/><fromto geom1="ellipsoid" geom2="cylinder" cutoff="3"/><fromto geom1="mesh" geom2="capsule" cutoff="3"/>
    <fromto geom1="box" geom2="inner" cutoff="3"/><fromto geom1="ellipsoid" geom2="disc" cutoff="3"/>
    <distance body1="one" body2="two" cutoff="3"/><normal geom1="mesh" geom2="box" cutoff=".5"/>
  </sensor></mujoco>"#;

#[test]
fn distance_sensors_of_convex_geoms() {
    let m = sim_mjcf::load_str(CONVEX_DISTANCES).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { precision: Precision::Double, one_lane: true, ..Options::default() };
    let result = compare_step(gpu(), &m, 6, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");
}

#[test]
fn noslip_with_pyramidal_cones() {
    contacts::check_sliding(Cone::Pyramidal, true);
}

#[test]
fn noslip_adhesion_and_contact_sensors_with_several_lanes() {
    contacts::check_sliding(Cone::Elliptic, false);
}

#[test]
fn asleep_trees_with_several_lanes() {
    sleep::check_trees(false);
}

#[test]
fn delays_with_several_lanes() {
    delays::check_delays(false);
}

#[test]
fn distances_with_several_lanes() {
    stages::check_distances(&Options { precision: Precision::Double, ..Options::default() });
}

#[test]
fn height_fields() {
    const FIELD: &str = r#"type="hfield" hfield="hills""#;
    let capsule = r#"type="capsule" size=".1 .3""#;
    let cube = r#"type="box" size=".2 .2 .2""#;
    let cases = [case(FIELD, 0.3, capsule, 0.4), case(FIELD, 0.3, cube, 0.2)];
    collision::check("height fields", &cases, 1e-5);
}

#[test]
fn cartpole_policy_is_optimised() {
    let up = cartpole::learn(gpu(), 24, 3).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(up, 24, "all poles stay upright");
    let up = cartpole::learn(gpu(), 4, 0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(up, 0, "without optimisation they fall");
}

/// Arrays of this model exceed workgroup memory, and it has more dofs than lanes.
const CHAINS: &str = r#"<mujoco><worldbody>
  <geom type="plane" size="9 9 .1"/>
  <replicate count="14" offset=".35 0 0">
    <body pos="0 0 .2"><freejoint/><geom size=".05 .15" type="capsule"/>
      <body pos=".1 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".03 .1" pos=".05 0 0"/></body></body>
  </replicate>
</worldbody></mujoco>"#;

/// A capacity of rows with which the index arrays alone exceed the workgroup memory of most devices.
#[test]
fn index_arrays_in_storage() {
    let mut m = sim_mjcf::load_str(CHAINS).unwrap_or_else(|error| panic!("{error}"));
    m.opt.cone = Cone::Elliptic;
    let (contacts, rows) = (Some(1000), Some(10_000));
    let options = Options { precision: Precision::Double, contacts, rows, ..Options::default() };
    let batch = GpuBatch::new(gpu(), &m, 1, &options).expect("a batch");
    let (bytes, rows) = (batch.workgroup_bytes(), batch.capacity().rows);
    let fits = 4 * rows < gpu().workgroup_bytes();
    assert!(fits || bytes < 4 * rows, "{bytes} bytes of workgroup memory for {rows} rows");
    let result = compare_step(gpu(), &m, 2, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");
}

#[test]
fn all_joint_types_with_several_lanes() {
    let options = Options { precision: Precision::Double, ..Options::default() };
    let m = stages::robot();
    let result = compare_step(gpu(), &m, 4, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");
}

#[test]
fn arrays_in_storage() {
    let m = sim_mjcf::load_str(CHAINS).unwrap_or_else(|error| panic!("{error}"));
    let options = Options { precision: Precision::Double, ..Options::default() };
    let result = compare_step(gpu(), &m, 2, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");
    assert!(result.rows > 20, "{} rows", result.rows);
}
