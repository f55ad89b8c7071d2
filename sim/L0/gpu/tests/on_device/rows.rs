//! Direct access to the buffers of a batch, and memory that other APIs can import.

use crate::models::gpu;
use sim_core::Model;
use sim_gpu::{GpuBatch, GpuBatchError, GpuError, Options, Precision, Rows};

fn pendulum() -> Model {
    sim_mjcf::load_str(
        r#"<mujoco><option timestep="0.01"/><worldbody><body><joint name="j" axis="0 1 0"/>
           <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03"/></body></worldbody>
           <actuator><motor joint="j"/></actuator><sensor><jointpos joint="j"/></sensor></mujoco>"#,
    )
    .unwrap_or_else(|error| panic!("{error}"))
}

fn one_lane() -> Options {
    Options { one_lane: true, ..Options::default() }
}

#[test]
fn rows_are_written_and_read_asynchronously() {
    let mut batch = GpuBatch::new(gpu(), &pendulum(), 3, &one_lane()).expect("a batch");
    let columns = batch.columns();
    let find = |name| columns.iter().find(|c| c.name == name).copied().expect("a column");
    let (qpos, steps) = (find("qpos"), find("episode_steps"));
    assert_eq!((qpos.rows, qpos.start, qpos.width), (Rows::State, 1, 1));
    let [states, outputs, infos] =
        [Rows::State, Rows::Output, Rows::Info].map(|rows| batch.row_len(rows));
    let (mut state, mut output) = (vec![0.0; 3 * states], vec![0.0; 3 * outputs]);
    let mut info = vec![0; 3 * infos];
    assert!(!batch.fetch_rows(&mut state, &mut output, &mut info).expect("nothing requested"));
    state[qpos.start] = 0.5;
    batch.write_rows(Rows::State, &state).expect("written");
    batch.write_rows(Rows::Input, &[0.0, 1.0, -1.0]).expect("written");
    assert_eq!(batch.inputs_f32(), [0.0, 1.0, -1.0]);
    for _ in 0..2 {
        batch.step(5).expect("stepped");
        assert!(batch.request_rows().expect("requested"));
    }
    assert!(!batch.request_rows().expect("full"));
    for expected in [5, 10] {
        assert!(batch.fetch_rows(&mut state, &mut output, &mut info).expect("fetched"));
        assert_eq!(info[steps.start], expected);
    }
    let read = batch.state().expect("read");
    for k in 0..3 {
        assert_eq!(f64::from(state[k * states + qpos.start]), read[2 * k]);
    }
    assert!(read[0] < 0.5 && read[2] > 0.0 && read[4] < 0.0);
    let (mut now, mut then) = (state.clone(), info.clone());
    batch.read_rows(&mut now, &mut output, &mut then).expect("read");
    assert_eq!((now, then), (state, info));
    batch.clear_info(&[true, false, true]).expect("cleared");
    let left: Vec<usize> = batch.info().expect("read").iter().map(|i| i.episode_steps).collect();
    assert_eq!(left, [0, 10, 0]);
}

#[test]
fn wrong_rows_are_errors() {
    let mut batch = GpuBatch::new(gpu(), &pendulum(), 2, &one_lane()).expect("a batch");
    let long = batch.write_rows(Rows::Input, &[0.0; 3]);
    assert!(matches!(long, Err(GpuBatchError::Length { have: 3, want: 2, .. })));
    let read_only = batch.write_rows(Rows::Info, &[0.0; 16]);
    assert!(matches!(read_only, Err(GpuBatchError::Length { want: 0, .. })));
    assert!(matches!(batch.clear_info(&[true]), Err(GpuBatchError::Length { .. })));
    if gpu().has_f64() {
        let options = Options { precision: Precision::Double, ..one_lane() };
        let mut double = GpuBatch::new(gpu(), &pendulum(), 2, &options).expect("a batch");
        assert!(matches!(double.request_rows(), Err(GpuBatchError::Unsupported { .. })));
        double.write_rows(Rows::Input, &[0.25, 0.5]).expect("written");
    }
}

#[test]
fn exported_memory_does_not_change_results() {
    let m = pendulum();
    let options = Options { shared: true, ..one_lane() };
    let mut shared = match GpuBatch::new(gpu(), &m, 2, &options) {
        Ok(batch) => batch,
        Err(error) => {
            let device = GpuBatchError::Device(GpuError::Unsupported {
                adapter: String::new(),
                what: String::new(),
            });
            assert_eq!(std::mem::discriminant(&error), std::mem::discriminant(&device), "{error}");
            return println!("skipped: {error}");
        }
    };
    let mut plain = GpuBatch::new(gpu(), &m, 2, &one_lane()).expect("a batch");
    for batch in [&mut shared, &mut plain] {
        batch.set_initial_states(&[0.3, 0.0]).expect("set");
        batch.reset_where(&[true, false]).expect("set");
        batch.set_ctrl(&[1.0, 2.0]).expect("set");
        batch.flush().expect("flushed");
        batch.step(7).expect("stepped");
    }
    assert_eq!(shared.full_state().expect("read"), plain.full_state().expect("read"));
    for rows in [Rows::State, Rows::Input, Rows::Output, Rows::Info] {
        let memory = shared.shared_memory(rows).expect("exported");
        assert!(memory.bytes() >= (4 * 2 * shared.row_len(rows)) as u64);
        assert!(plain.shared_memory(rows).is_none());
    }
}
