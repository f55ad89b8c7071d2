//! Steps a second of a model at several numbers of environments: `throughput MODEL [STEPS [COUNT…]]`.

use sim_core::{Data, Model, mj_step};
use sim_gpu::{Choice, Context, GpuBatch, Options};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which model?")?;
    let steps: usize = args.next().map_or(Ok(100), |n| n.parse())?;
    let mut counts: Vec<usize> = args.map(|n| n.parse()).collect::<Result<_, _>>()?;
    if counts.is_empty() {
        counts.push(8192);
    }
    let m = sim_mjcf::load_file(&path)?;
    let gpu = Context::new(&Choice::from_env())?;
    println!("{}, {}", gpu.name(), gpu.driver());
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let options = Options {
        checked: false,
        rows: number("ROWS"),
        contacts: number("CONTACTS"),
        ..Options::default()
    };
    if std::env::var("CHECK").is_ok() {
        return agree(&gpu, &m, &options);
    }
    for count in counts {
        let start = Instant::now();
        let mut batch = GpuBatch::new(&gpu, &m, count, &options)?;
        let mut state = if m.nkey > 0 { m.key_qpos[..m.nq].to_vec() } else { m.qpos0.clone() };
        state.extend(vec![0.0; m.nv]);
        batch.set_state(&state.repeat(count))?;
        batch.set_ctrl(&vec![0.0; count * m.nu])?;
        batch.step(1)?;
        batch.wait()?;
        let made = start.elapsed();
        batch.set_state(&state.repeat(count))?;
        let start = Instant::now();
        let device = batch.step_timed(steps)?;
        let wall = start.elapsed();
        let info = batch.info()?;
        let mean = |f: &dyn Fn(&sim_gpu::Info) -> usize| {
            info.iter().map(f).sum::<usize>() as f64 / count as f64
        };
        let bad =
            info.iter().filter(|i| i.flags.contacts || i.flags.rows || i.flags.diverged).count();
        println!(
            "{count} environments, {steps} steps: {:.3} M steps/s (device {:.3} M), compiled in {:.1} s, \
             {} bytes of workgroup memory, contacts {:.1}, rows {:.1}, iterations {:.2}, bad {bad}",
            (count * steps) as f64 / wall.as_secs_f64() / 1e6,
            device.map_or(0.0, |d| (count * steps) as f64 / d.as_secs_f64() / 1e6),
            made.as_secs_f64(),
            batch.workgroup_bytes(),
            mean(&|i| i.contacts),
            mean(&|i| i.rows),
            mean(&|i| i.iterations),
        );
    }
    Ok(())
}

/// Largest difference of positions and velocities from the engine on the processor, after some steps with
/// constant controls.
fn agree(gpu: &Context, m: &Model, options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let count = 64;
    let mut batch = GpuBatch::new(gpu, m, count, options)?;
    let mut datas: Vec<Data> = (0..count).map(|_| m.make_data()).collect();
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for d in &mut datas {
        if m.nkey > 0 {
            d.qpos.copy_from_slice(&m.key_qpos[..m.nq]);
        }
        d.qvel.iter_mut().for_each(|v| *v = 0.1 * random());
        d.ctrl.iter_mut().for_each(|u| *u = 0.3 * random());
    }
    let flat = |f: &dyn Fn(&Data) -> Vec<f64>| datas.iter().flat_map(f).collect::<Vec<f64>>();
    batch.set_state(&flat(&|d| [&d.qpos[..], &d.qvel[..]].concat()))?;
    batch.set_ctrl(&flat(&|d| d.ctrl.clone()))?;
    let mut done = 0;
    for steps in [1, 2, 5, 10, 20, 50, 100] {
        batch.step(steps - done)?;
        for d in &mut datas {
            for _ in done..steps {
                mj_step(m, d)?;
            }
        }
        done = steps;
        let (ours, info) = (batch.state()?, batch.info()?);
        let (mut position, mut velocity) = (0.0_f64, 0.0_f64);
        let mut rows = 0;
        for ((d, ours), info) in datas.iter().zip(ours.chunks_exact(m.nq + m.nv)).zip(&info) {
            for (a, b) in ours[..m.nq].iter().zip(&d.qpos) {
                position = position.max((a - b).abs());
            }
            for (a, b) in ours[m.nq..].iter().zip(&d.qvel) {
                velocity = velocity.max((a - b).abs());
            }
            rows += usize::from(info.rows != d.nefc);
        }
        let bad = info.iter().filter(|i| i.flags != Default::default()).count();
        println!(
            "after {steps} steps: positions {position:.1e}, velocities {velocity:.1e}, other rows {rows}, bad {bad}"
        );
    }
    Ok(())
}
