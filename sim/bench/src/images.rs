//! Images per second of batches on a GPU: colour and depth of one camera of every environment.

use crate::gpu::Benchmark;
use crate::side_by_side::Failure;
use serde_json::{Value, json};
use sim_gpu::{Camera, Context, GpuBatch, RenderOptions};
use std::time::{Duration, Instant};

/// Renderings of a measurement, and before it.
const RENDERED: usize = 50;
const WARM_UP: Duration = Duration::from_secs(3);

/// Measures square images with `side` pixels along a side, of the first camera of the model, or of a free camera that
/// shows the whole model if it has none. One step is taken before each rendering, outside of the timed section.
///
/// # Errors
///
/// If the model is not supported or the device fails.
pub fn run(
    benchmark: &Benchmark,
    gpu: &Context,
    count: usize,
    side: u32,
) -> Result<Value, Failure> {
    let m = &benchmark.model;
    let start = benchmark.initial_state();
    let mut batch = GpuBatch::new(gpu, m, count, &benchmark.options)?;
    batch.set_state(&[&start.qpos[..], &start.qvel[..]].concat().repeat(count))?;
    let camera = if m.ncam > 0 { Camera::fixed(0) } else { Camera::free(m) };
    let mut rates = [0.0; 2];
    let mut compile = Duration::ZERO;
    for (rate, shadows) in rates.iter_mut().zip([true, false]) {
        let options = RenderOptions {
            cameras: vec![camera.clone()],
            size: [side; 2],
            depth: true,
            shadows,
            ..RenderOptions::default()
        };
        let clock = Instant::now();
        let renderer = batch.renderer(&options)?;
        batch.render(&renderer)?;
        batch.wait()?;
        compile = compile.max(clock.elapsed());
        // the driver optimises new kernels in the background
        let clock = Instant::now();
        while clock.elapsed() < WARM_UP {
            batch.render_timed(&renderer)?;
        }
        let mut time = Duration::ZERO;
        for _ in 0..RENDERED {
            batch.step(1)?;
            batch.wait()?;
            let clock = Instant::now();
            let device = batch.render_timed(&renderer)?;
            time += device.unwrap_or_else(|| clock.elapsed());
        }
        *rate = (RENDERED * count) as f64 / time.as_secs_f64();
    }
    Ok(json!({
        "scene": benchmark.name,
        "worlds": count,
        "pixels": side,
        "images_per_second": rates[0],
        "without_shadows": rates[1],
        "compile_seconds": compile.as_secs_f64(),
        "camera": if m.ncam > 0 { "model" } else { "free" },
        "geoms": m.ngeom,
        "device": gpu.name(),
        "driver": gpu.driver(),
    }))
}
