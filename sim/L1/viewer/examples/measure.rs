//! Measures how much a window slows the simulation down: CPU time per step of the thread that simulates, without
//! and with a window, and the real-time factor. Linux only.
//!
//! ```text
//! cargo run --release -p sim-viewer --example measure -- model.xml [--seconds 10]
//! ```

use sim_physics::{Model, Simulation};
use sim_viewer::{App, Options, World};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// CPU time of the thread with this name.
fn cpu_time(thread: &str) -> Option<Duration> {
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let name = std::fs::read_to_string(task.path().join("comm")).ok()?;
        if name.trim() == thread {
            let stat = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            return Some(Duration::from_nanos(stat.split(' ').next()?.parse().ok()?));
        }
    }
    None
}

/// Result of a measurement.
struct Measured {
    /// CPU time per step (s).
    step: f64,
    /// Simulated seconds per second.
    factor: f64,
}

/// Prints the fastest times of the steps between two frames at 60 frames per second, with and without history,
/// perturbation and a copy for display. This does not depend on the load of the machine. The viewer makes fewer
/// copies than here if they would take more than 2 % of the time of steps.
fn print_overhead(model: &Arc<Model>) -> Result<(), Box<dyn std::error::Error>> {
    let steps = (1.0 / (60.0 * model.opt.timestep)).round().max(1.0) as u64;
    let mut app = App::without_thread(vec![World::of_model(model.clone())], Options::default());
    let mut data = model.make_data();
    app.advance(500);
    for _ in 0..500 {
        data.step(model)?;
    }
    let (mut alone, mut shown) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..400 {
        let start = Instant::now();
        for _ in 0..steps {
            data.step(model)?;
        }
        let middle = Instant::now();
        app.advance(steps);
        alone = alone.min((middle - start).as_secs_f64());
        shown = shown.min(middle.elapsed().as_secs_f64());
    }
    let [alone, shown] = [alone, shown].map(|time| 1e6 * time / steps as f64);
    println!(
        "{alone:.2} µs per step alone, {shown:.2} µs in the viewer: {:+.2} % (fastest of 400)",
        100.0 * (shown / alone - 1.0)
    );
    Ok(())
}

/// Observes a thread that counts its steps, after a start-up time.
fn observe(thread: &str, steps: &AtomicU64, seconds: f64, timestep: f64) -> Option<Measured> {
    std::thread::sleep(Duration::from_secs(3));
    let (start, first, cpu) = (Instant::now(), steps.load(Ordering::Relaxed), cpu_time(thread)?);
    std::thread::sleep(Duration::from_secs_f64(seconds));
    let count = (steps.load(Ordering::Relaxed) - first) as f64;
    let spent = cpu_time(thread)?.saturating_sub(cpu).as_secs_f64();
    let factor = count * timestep / start.elapsed().as_secs_f64();
    Some(Measured { step: spent / count.max(1.0), factor })
}

/// Steps in real time without a window.
fn without_window(model: &Arc<Model>, seconds: f64) -> Option<Measured> {
    let steps = Arc::new(AtomicU64::new(0));
    let (count, shared) = (steps.clone(), model.clone());
    let work = move || {
        let mut data = shared.make_data();
        let start = Instant::now();
        while count.load(Ordering::Relaxed) < u64::MAX / 2 {
            let ahead = data.time - start.elapsed().as_secs_f64();
            if ahead > 0.0 {
                std::thread::sleep(Duration::from_secs_f64(ahead.min(0.002)));
            } else if data.step(&shared).is_ok() {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    let thread = std::thread::Builder::new().name("baseline".to_owned()).spawn(work).ok()?;
    let result = observe("baseline", &steps, seconds, model.opt.timestep);
    steps.store(u64::MAX / 2, Ordering::Relaxed);
    thread.join().ok()?;
    result
}

/// Steps in real time with a window.
fn with_window(model: &Arc<Model>, seconds: f64) -> Option<Measured> {
    let steps = Arc::new(AtomicU64::new(0));
    let (count, timestep) = (steps.clone(), model.opt.timestep);
    let observer = std::thread::spawn(move || observe("physics", &steps, seconds, timestep));
    let options = Options::default().close_after(Some(seconds + 5.0)).on_control(move |_, _, _| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    sim_viewer::run_with(Simulation::new(model.clone()), options).ok()?;
    observer.join().ok()?
}

/// Prints the time of a step and of a copy of the state, which each displayed frame takes on the simulation's
/// thread.
fn print_copy(model: &Model) -> Result<(), Box<dyn std::error::Error>> {
    let mut data = model.make_data();
    for _ in 0..500 {
        data.step(model)?;
    }
    let mut copy = data.clone();
    let (mut step, mut copied) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..300 {
        let start = Instant::now();
        data.step(model)?;
        let middle = Instant::now();
        copy.copy_from(&data);
        step = step.min((middle - start).as_secs_f64());
        copied = copied.min(middle.elapsed().as_secs_f64());
    }
    println!(
        "step {:.1} µs, copy of {} KiB {:.1} µs (fastest of 300)",
        1e6 * step,
        data.memory().total() / 1024,
        1e6 * copied
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("give a model file")?;
    let seconds = match arguments.iter().position(|a| a == "--seconds") {
        Some(i) => arguments.get(i + 1).ok_or("--seconds takes a number")?.parse()?,
        None => 10.0,
    };
    let model = Arc::new(sim_physics::load_file(path)?);
    print_copy(&model)?;
    print_overhead(&model)?;
    // interleaved, because other programs load the machine
    let mut sums = [0.0; 2];
    for round in 0..3 {
        let before = without_window(&model, seconds).ok_or("no measurement")?;
        let with = with_window(&model, seconds).ok_or("no measurement with a window")?;
        println!(
            "round {round}: {:.1} µs per step without, {:.1} µs with a window ({:+.1} %), \
             real-time factor {:.3} and {:.3}",
            1e6 * before.step,
            1e6 * with.step,
            100.0 * (with.step / before.step - 1.0),
            before.factor,
            with.factor
        );
        sums[0] += before.step;
        sums[1] += with.step;
    }
    println!("mean: {:+.2} %", 100.0 * (sums[1] / sums[0] - 1.0));
    Ok(())
}
