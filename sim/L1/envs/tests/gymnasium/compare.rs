//! Comparison of a task with a recording of gymnasium (`oracle/gymnasium_oracle.py`).

use sim_conformance::Archive;
use sim_envs::{InfoField, Real, Seeds, StepBuffers, Value, VecEnv};
use std::path::Path;

/// Largest difference that is accepted, relative to the value where it is larger than one.
pub const TOLERANCE: f64 = 1e-9;

/// The largest difference of a comparison.
#[derive(Debug, Clone, Default)]
pub struct Worst {
    /// The difference divided by `max(1, |value|)`.
    pub error: f64,
    /// What differs.
    pub field: String,
    /// The sample in which it differs.
    pub sample: usize,
    /// Number of values that differ by more than the tolerance.
    pub beyond: usize,
    /// Number of values that differ by more than the tolerance, but not by more than ten times the change that
    /// rounding errors of the state cause in gymnasium's result.
    pub excused: usize,
    /// The sample that is compared.
    current: usize,
    /// The change that rounding errors of the state cause in the step that is compared.
    sensitivity: f64,
    /// Number of values compared.
    pub count: usize,
}

impl Worst {
    fn compare(&mut self, field: &str, ours: &[f64], theirs: &[f64]) {
        assert_eq!(ours.len(), theirs.len(), "number of values of {field}");
        for (a, b) in ours.iter().zip(theirs) {
            let error = (a - b).abs() / b.abs().max(1.0);
            // NaN counts as a difference
            let error = if error.is_nan() { f64::INFINITY } else { error };
            if error > TOLERANCE && error <= 10.0 * self.sensitivity {
                self.excused += 1;
                continue;
            }
            self.beyond += usize::from(error > TOLERANCE);
            if error > self.error {
                self.error = error;
                self.sample = self.current;
                self.field = format!("{field} ({a} instead of {b})");
            }
        }
        self.count += ours.len();
    }
}

/// Replays both variants of a recording.
pub fn compare(task: &str, path: &Path) -> Worst {
    let archive = Archive::open(path).unwrap_or_else(|error| panic!("{error}"));
    let mut worst = Worst::default();
    for variant in ["default", "options"] {
        replay(task, &archive, variant, &mut worst);
    }
    worst
}

/// The environment of a variant.
fn environment(task: &str, archive: &Archive, variant: &str) -> VecEnv {
    let mut builder = sim_envs::make(task).unwrap().threads(1).without_time_limit();
    let numbers = format!("{variant}/number/");
    for name in archive.names(&numbers) {
        let value: Value = match *archive.get(&format!("{numbers}{name}")) {
            [low, high] => (low, high).into(),
            [number] => number.into(),
            _ => panic!("{name} has neither one value nor two"),
        };
        builder = builder.option(name, value).unwrap();
    }
    let flags = format!("{variant}/flag/");
    for name in archive.names(&flags) {
        let is_set = archive.number(&format!("{flags}{name}")) != Some(0.0);
        builder = builder.option(name, is_set).unwrap();
    }
    builder.build().unwrap()
}

fn replay(task: &str, archive: &Archive, variant: &str, worst: &mut Worst) {
    let mut env = environment(task, archive, variant);
    let name = |field: &str| format!("{variant}/{field}");
    let samples = archive.count(&name("qpos"));
    let steps = archive.count(&name("action")) / samples;
    let mut observation = vec![0.0; env.observation_size()];
    env.reset(Seeds::From(0), None, &mut observation).unwrap();
    for sample in 0..samples {
        let (qpos, qvel) = (archive.row(&name("qpos"), sample), archive.row(&name("qvel"), sample));
        worst.current = sample;
        env.set_state(0, qpos, qvel, 0.0).unwrap();
        let start = archive.row(&name("start"), sample);
        if sample < archive.count(&name("start")) {
            env.observe(&mut observation).unwrap();
            worst.sensitivity = 0.0;
            worst.compare(&name("start"), &observation, start);
        }
        for step in 0..steps {
            let row = sample * steps + step;
            let action = archive.row(&name("action"), row);
            worst.sensitivity = archive.row(&name("sensitivity"), row)[0];
            let (reward, terminated) = if archive.row(&name("single"), row) == [1.0] {
                let single: Vec<f32> = action.iter().map(|x| *x as f32).collect();
                take_step(&mut env, &single, &mut observation)
            } else {
                take_step(&mut env, action, &mut observation)
            };
            worst.compare(
                &name("observation"),
                &observation,
                archive.row(&name("observation"), row),
            );
            worst.compare(&name("reward"), &[reward], archive.row(&name("reward"), row));
            let terminated = f64::from(u8::from(terminated));
            worst.compare(
                &name("terminated"),
                &[terminated],
                archive.row(&name("terminated"), row),
            );
            compare_infos(&env, archive, &name("info/"), row, worst);
            // the recording steps on after a termination
            if step + 1 < steps && terminated > 0.0 {
                break;
            }
        }
    }
}

fn take_step<A: Real>(env: &mut VecEnv, action: &[A], observations: &mut [f64]) -> (f64, bool) {
    let (mut reward, mut terminated, mut truncated) = ([0.0], [false], [false]);
    let out = StepBuffers {
        observations,
        rewards: &mut reward,
        terminated: &mut terminated,
        truncated: &mut truncated,
    };
    env.step(action, out).unwrap();
    (reward[0], terminated[0])
}

fn compare_infos(env: &VecEnv, archive: &Archive, prefix: &str, row: usize, worst: &mut Worst) {
    let mut theirs: Vec<&str> = archive.names(prefix).collect();
    let mut ours: Vec<&str> = env.info_fields().iter().map(|field| &*field.name).collect();
    theirs.sort_unstable();
    ours.sort_unstable();
    assert_eq!(ours, theirs, "names of the infos");
    for InfoField { name, .. } in env.info_fields() {
        let values = env.info(name).unwrap();
        worst.compare(name, &values, archive.row(&format!("{prefix}{name}"), row));
    }
}
