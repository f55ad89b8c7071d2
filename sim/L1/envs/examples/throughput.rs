//! Steps per second of every task: `throughput [--envs N] [--threads T] [--seconds S] [--lanes] [TASK…]`.
//!
//! Counts simulation steps (`frame_skip` per step of an environment) with random actions in single
//! precision and observations in double precision, as EnvPool does. With `--serve` it reads a task per
//! line from the standard input and answers with a figure, so that another program can interleave runs.

use sim_envs::{Error, Rng, Seeds, StepBuffers};
use std::io::{BufRead, Write};
use std::time::Instant;

struct Arguments {
    envs: usize,
    threads: usize,
    seconds: f64,
    /// Whether environments are stepped in SIMD lanes.
    lanes: bool,
    serve: bool,
    tasks: Vec<String>,
}

fn arguments() -> Arguments {
    let mut found = Arguments {
        envs: 64,
        threads: 1,
        seconds: 1.0,
        lanes: false,
        serve: false,
        tasks: Vec::new(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|text| text.parse::<f64>().ok()).unwrap_or(1.0);
        match word.as_str() {
            "--envs" => found.envs = number() as usize,
            "--threads" => found.threads = number() as usize,
            "--seconds" => found.seconds = number(),
            "--lanes" => found.lanes = true,
            "--serve" => found.serve = true,
            _ => found.tasks.push(word),
        }
    }
    found
}

/// Simulation steps per second of a task.
fn measure(task: &str, arguments: &Arguments) -> Result<f64, Error> {
    let count = arguments.envs;
    let mut builder = sim_envs::make(task)?.num_envs(count).threads(arguments.threads);
    builder = builder.lanes(arguments.lanes);
    if task == "Humanoid-v5" {
        builder = builder.option("terminate_when_unhealthy", false)?;
    }
    let mut env = builder.build()?;
    let mut observations = vec![0.0_f64; count * env.observation_size()];
    let (mut rewards, mut terminated, mut truncated) =
        (vec![0.0; count], vec![false; count], vec![false; count]);
    // a table of random actions, so that drawing them takes no time
    let bounds: Vec<(f64, f64)> = env.action_bounds().collect();
    let mut rng = Rng::new(1);
    let table: Vec<Vec<f32>> = (0..64)
        .map(|_| {
            let row = bounds.iter().cycle().take(count * bounds.len());
            row.map(|(low, high)| rng.uniform(*low, *high) as f32).collect()
        })
        .collect();
    env.reset(Seeds::From(0), None, &mut observations)?;
    let mut run = |steps: usize| -> Result<f64, Error> {
        let start = Instant::now();
        for step in 0..steps {
            env.step(
                &table[step % table.len()],
                StepBuffers {
                    observations: &mut observations,
                    rewards: &mut rewards,
                    terminated: &mut terminated,
                    truncated: &mut truncated,
                },
            )?;
        }
        Ok(start.elapsed().as_secs_f64())
    };
    let warm = run(100)?;
    let steps = (arguments.seconds / (warm / 100.0)).ceil() as usize;
    let time = run(steps)?;
    Ok((steps * count * env.frame_skip()) as f64 / time)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = arguments();
    if arguments.serve {
        for line in std::io::stdin().lock().lines() {
            // TASK THREADS [lanes]
            let line = line?;
            let mut words = line.split_whitespace();
            let task = words.next().unwrap_or_default().to_owned();
            arguments.threads = words.next().unwrap_or("1").parse()?;
            arguments.lanes = words.next() == Some("lanes");
            println!("{}", measure(&task, &arguments)?);
            std::io::stdout().flush()?;
        }
        return Ok(());
    }
    let tasks = if arguments.tasks.is_empty() {
        sim_envs::IDS.map(String::from).to_vec()
    } else {
        arguments.tasks.clone()
    };
    println!("{} environments, {} threads: steps/s", arguments.envs, arguments.threads);
    for task in tasks {
        println!("{task:28} {:10.0}", measure(&task, &arguments)?);
    }
    Ok(())
}
