//! Models with a few more dofs than a subgroup has lanes, which the linear solver eliminates separately.

use crate::models::gpu;
use sim_gpu::{Options, Precision, compare_step};
use sim_types::{Cone, DisableBit};

/// A chain of hinges with damping whose end is attached to the world, and `more` bodies. `joint` has attributes of all
/// joints.
fn chain(hinges: usize, joint: &str, more: &str) -> sim_core::Model {
    let link = "<body pos='.1 0 0'><joint/><geom size='.04'/>";
    let links = link.repeat(hinges - 2);
    let end = "</body>".repeat(hinges);
    let text = format!(
        "<mujoco><option timestep='.004' integrator='implicitfast'/>
        <default><joint axis='0 1 0' damping='.1' armature='.01' {joint}/></default>
        <worldbody><body pos='0 0 .1'><joint axis='0 0 1'/><geom size='.04'/>{links}
        <body name='end' pos='.1 0 0'><joint/><geom size='.04'/><site name='end' pos='.01 .02 0'/>{end}{more}</worldbody>
        <equality><connect body1='end' anchor='.03 .01 0'/></equality>{sensors}</mujoco>",
        sensors = if more.contains("world") { SENSORS } else { "" }
    );
    sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares a step in double precision and several lanes. Returns the largest number of rows.
fn check(m: &sim_core::Model) -> usize {
    let options = Options { precision: Precision::Double, ..Options::default() };
    let result = compare_step(gpu(), m, 2, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(result.worst_field().is_some_and(|(_, worst)| worst < 1e-10), "{result:?}");
    result.rows
}

/// A floor for the chain, and a sphere on it.
#[allow(dead_code, reason = "used by the exhaustive tests")]
pub fn check_contacts(hinges: usize, cone: Cone) {
    let floor = "<geom type='plane' size='9 9 .1'/>
        <body pos='0 1 .045'><freejoint/><geom size='.05' condim='6'/></body>";
    let joint = "frictionloss='.02' limited='true' range='-20 20'";
    let mut m = chain(hinges, joint, floor);
    m.opt.cone = cone;
    assert!(check(&m) > 2 * hinges, "limits, friction loss and contacts");
}

/// Sensors of velocities, accelerations and forces on the chain, and a tendon from its end to the world.
const SENSORS: &str =
    "<tendon><spatial stiffness='9'><site site='end'/><site site='world'/></spatial></tendon>
    <sensor><velocimeter site='end'/><accelerometer site='end'/><force site='end'/>
    <framelinacc objtype='body' objname='end'/></sensor>";

#[test]
fn two_dofs_more_than_lanes() {
    let mut m = chain(34, "", "<site name='world' pos='0 .3 1'/>");
    m.opt.disableflags |= DisableBit::Contact as i32;
    assert_eq!(check(&m), 3);
}
