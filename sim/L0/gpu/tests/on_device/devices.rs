//! Batches of several models on one device, and several devices.

use crate::models::gpu;
use sim_core::Model;
use sim_gpu::{AdapterSelection, Context, GpuBatch, Options};

/// States of a few environments after some steps.
fn states_of(gpu: &Context, m: &Model) -> Vec<f64> {
    let options = Options { one_lane: true, ..Options::default() };
    let mut batch = GpuBatch::new(gpu, m, 3, &options).expect("a batch");
    batch.step(20).expect("stepped");
    batch.state().expect("read")
}

/// A pendulum of this length.
fn pendulum(length: f64) -> Model {
    let text = format!(
        r#"<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 {length} 0 0"/></body></worldbody></mujoco>"#
    );
    sim_mjcf::load_str(&text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn batches_of_several_models_share_a_device() {
    let models = [0.3, 0.6].map(pendulum);
    let alone = models.each_ref().map(|m| states_of(gpu(), m));
    let options = Options { one_lane: true, ..Options::default() };
    let mut batches =
        models.each_ref().map(|m| GpuBatch::new(gpu(), m, 3, &options).expect("a batch"));
    for _ in 0..20 {
        batches.iter_mut().for_each(|batch| batch.step(1).expect("stepped"));
    }
    for (batch, alone) in batches.iter().zip(&alone) {
        assert_eq!(&batch.state().expect("read"), alone);
    }
    assert_ne!(alone[0], alone[1]);
}

#[test]
fn two_devices_in_one_process() {
    let m = pendulum(0.4);
    let expected = states_of(gpu(), &m);
    let devices: Vec<Context> =
        (0..2).map(|_| Context::new(&AdapterSelection::from_env()).expect("a device")).collect();
    let found: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let m = &m;
        let run = |device| scope.spawn(move || states_of(device, m));
        let threads: Vec<_> = devices.iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert_eq!(found, [expected.clone(), expected]);
}
