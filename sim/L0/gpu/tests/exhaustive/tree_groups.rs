//! Tree groups: trees that are solved separately while no contact couples them, and together otherwise.

use crate::compare::compare_trajectories;
use sim_core::{Data, Model};
use sim_gpu::{Options, Precision};
use sim_types::{Cone, SolverType};

/// More dofs than a tree group has lanes: an arm and four spheres, three spheres and another arm whose tip is connected
/// to the world. Spheres of both groups roll towards each other.
const CROWD: &str = r#"<mujoco>
  <option timestep="0.004" cone="elliptic"/>
  <default>
    <joint damping=".05"/>
    <default class="ball"><geom size=".1"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 2 .5">
      <joint name="a1" axis="0 1 0" limited="true" range="-10 10" frictionloss=".05"/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
      <body pos=".2 0 0">
        <joint name="a2" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
        <body pos=".2 0 0"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/></body>
      </body>
    </body>
    <body pos="0 0 .099" childclass="ball"><freejoint/><geom/></body>
    <body pos=".25 0 .099" childclass="ball"><freejoint/><geom condim="1"/></body>
    <body pos="0 .5 .099" childclass="ball"><freejoint/><geom condim="4"/></body>
    <body pos="0 1 .12" childclass="ball"><freejoint/><geom condim="6"/></body>
    <body pos=".35 1 .099" childclass="ball"><freejoint/><geom/></body>
    <body pos="1 0 .099" childclass="ball"><freejoint/><geom/></body>
    <body pos="1 .5 .14" childclass="ball"><freejoint/><geom condim="6"/></body>
    <body name="b" pos="0 -2 .5">
      <joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
      <body pos=".2 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
        <body name="tip" pos=".2 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/></body>
      </body>
    </body>
  </worldbody>
  <equality><connect body1="tip" anchor=".1 0 0"/></equality>
  <tendon><fixed limited="true" range="-.05 .3"><joint joint="a1" coef="1"/><joint joint="a2" coef=".5"/></fixed></tendon>
</mujoco>"#;

/// Rows with a force of contacts that couple the two groups; `None` without such contacts.
fn coupling_rows(m: &Model, d: &Data) -> Option<usize> {
    let coupling = d.contact.iter().filter(|c| {
        let trees = c.geom.map(|g| m.body_treeid[m.geom_bodyid[g as usize] as usize]);
        trees.iter().all(|&tree| tree >= 0) && (trees[0] < 5) != (trees[1] < 5)
    });
    let forces = coupling.map(|c| {
        let dim = c.dim as usize;
        let rows = if m.opt.cone == Cone::Elliptic { dim } else { (2 * (dim - 1)).max(1) };
        d.efc_force[c.efc_address as usize..][..rows].iter().filter(|&&force| force != 0.0).count()
    });
    let forces: Vec<usize> = forces.collect();
    (!forces.is_empty()).then(|| forces.iter().sum())
}

/// Compares trajectories and counts the steps without coupling, with few and with many coupling rows. In double
/// precision, unless `SIM_GPU_SINGLE` is set: GPUs use other kernels in single precision than software drivers.
pub fn step_crowd(cone: Cone, solver: SolverType, passes: usize, steps: usize) -> [usize; 3] {
    let mut m = sim_mjcf::load_str(CROWD).unwrap_or_else(|error| panic!("{error}"));
    m.opt.tolerance = 1e-13;
    m.opt.cone = cone;
    m.opt.solver = solver;
    m.opt.iterations = 400;
    let single = std::env::var_os("SIM_GPU_SINGLE").is_some();
    let options = Options {
        precision: if single { Precision::Single } else { Precision::Double },
        contacts: Some(16),
        rows: Some(100),
        two_passes: Some(passes == 2),
        ..Options::default()
    };
    let mut datas = [m.make_data(), m.make_data()];
    // spheres 1 and 2, 4 and 5, 3 and 7 collide; in the second environment there are no collisions at first
    let speeds = [(3, 1.0), (3 + 18, 1.0), (3 + 12, 2.0)];
    for (d, sign) in datas.iter_mut().zip([1.0, -0.2]) {
        speeds.iter().for_each(|&(dof, speed)| d.qvel[dof] = sign * speed);
    }
    let mut steps_by_kind = [0; 3];
    // CG stops slightly before the minimum
    let bound = match (single, solver) {
        (true, _) => 2e-3,
        (false, SolverType::Cg) => 1e-6,
        (false, _) => 1e-7,
    };
    compare_trajectories(&m, &mut datas, &options, steps, bound, |d| {
        let kind = match coupling_rows(&m, d) {
            None => 0,
            Some(rows) if rows <= 8 => 1,
            Some(_) => 2,
        };
        steps_by_kind[kind] += 1;
    });
    steps_by_kind
}

#[test]
fn elliptic_cones_between_tree_groups() {
    let [apart, few, many] = step_crowd(Cone::Elliptic, SolverType::Newton, 2, 100);
    assert!(
        apart > 50 && few > 5,
        "{apart} steps uncoupled, {few} with few coupling rows, {many} with many"
    );
}

/// Five tree groups, more dofs than a workgroup keeps in registers: spheres in a row, of which the first collides with
/// the second in another group.
#[test]
fn groups_of_many_dofs() {
    let bodies = r#"<body pos="0 0 .099"><freejoint/><geom size=".1"/></body>"#;
    let text = format!(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
        <replicate count="22" offset="0 .5 0">{bodies}</replicate>
        <replicate count="3" offset=".21 0 0"><body pos=".25 0 .099"><freejoint/><geom size=".1"/></body></replicate>
        </worldbody></mujoco>"#
    );
    let mut m = sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"));
    m.opt.tolerance = 1e-13;
    let options = Options {
        precision: Precision::Double,
        contacts: Some(32),
        rows: Some(128),
        ..Options::default()
    };
    let mut datas = [m.make_data(), m.make_data()];
    datas[0].qvel[0] = 1.0;
    let mut coupled = 0;
    compare_trajectories(&m, &mut datas, &options, 60, 1e-7, |d| {
        coupled += usize::from(d.ncon > 25);
    });
    assert!(coupled > 2, "{coupled} steps with contacts between spheres");
}
