//! Displacement bounds, which let separated pairs be skipped, and the second pass, which tests close pairs.

use crate::models::gpu;
use sim_core::{Model, mj_forward};
use sim_gpu::{GpuBatch, Options, Precision};

/// A model, and options for double precision, two passes and the given capacities.
pub fn with_two_passes(xml: &str, contacts: usize, rows: usize) -> (Model, Options) {
    let mut m = sim_mjcf::load_str(xml).unwrap_or_else(|error| panic!("{error}"));
    m.opt.tolerance = 1e-13;
    let options = Options {
        precision: Precision::Double,
        contacts: Some(contacts),
        rows: Some(rows),
        two_passes: Some(true),
        ..Options::default()
    };
    (m, options)
}

/// A box that slides towards a static box.
const SLIDER: &str = r#"<mujoco>
  <worldbody>
    <geom type="box" size=".1 .1 .1"/>
    <body pos=".4 .02 .03" euler="10 20 30"><joint type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>"#;

#[test]
fn contacts_are_found_after_jumps_of_the_state() {
    let (m, mut options) = with_two_passes(SLIDER, 8, 32);
    // the exhaustive tests run two passes with several lanes
    options.one_lane = true;
    let mut batch = GpuBatch::new(gpu(), &m, 1, &options).expect("a batch");
    let mut d = m.make_data();
    let mut found = Vec::new();
    // separated, in contact, slightly separated, in contact again; and after a NaN state
    for x in [0.2, -0.19, -0.1, -0.19, 0.2, f64::NAN, -0.19, -0.1, -0.19] {
        batch.set_state(&[x, 0.0]).expect("set");
        batch.step(1).expect("stepped");
        let contacts = batch.info().expect("read")[0].contacts;
        if x.is_nan() {
            continue;
        }
        d.qpos[0] = x;
        mj_forward(&m, &mut d).expect("forward");
        assert_eq!(contacts, d.ncon, "at {x}");
        found.push(contacts > 0);
    }
    assert_eq!(found, [false, true, false, true, false, true, false, true]);
}

/// Boxes that start in contact, and a sensor.
const STACK: &str = r#"<mujoco>
  <worldbody>
    <geom type="box" size=".5 .5 .1"/>
    <body pos="0 0 .199"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/><site name="s"/></body>
  </worldbody>
  <sensor><velocimeter site="s"/></sensor>
</mujoco>"#;

#[test]
fn several_steps_at_once_equal_single_steps() {
    let (m, mut options) = with_two_passes(STACK, 8, 32);
    options.one_lane = true;
    options.task = Some(
        "fn reward() -> real { return time(); }\nfn terminated() -> bool { return false; }".into(),
    );
    options.max_episode_steps = Some(5);
    let [mut together, mut apart] =
        [(); 2].map(|()| GpuBatch::new(gpu(), &m, 2, &options).expect("a batch"));
    together.step(5).expect("stepped");
    // an episode of five steps ends with the dispatch in which it reaches them
    assert!(together.info().expect("read").iter().all(|info| info.truncated));
    assert_eq!(together.rewards().expect("read"), [5.0 * m.opt.timestep; 2]);
    for _ in 0..4 {
        apart.step(1).expect("stepped");
    }
    together.step(4).expect("stepped");
    assert!(together.info().expect("read").iter().all(|info| info.contacts == 4));
    assert_eq!(together.state().expect("read"), apart.state().expect("read"));
    assert_eq!(together.sensordata().expect("read"), apart.sensordata().expect("read"));
    // no steps, only the reset
    together.reset_where(&[true, false]).expect("set");
    together.step(0).expect("reset");
    let steps =
        together.info().expect("read").iter().map(|info| info.episode_steps).collect::<Vec<_>>();
    assert_eq!(steps, [0, 4]);
}
