//! Vector environments: seeds, threads, automatic resets, time limits, states, variations, errors.

use sim_envs::{
    Array, Autoreset, Builder, DescribedTask, Error, Function, Info, InfoRow, Outcome, Quantity,
    Randomization, RewardTerm, Rng, Seeds, Step, StepBuffers, Task, VecEnv, make,
};
use sim_physics::{Data, Model, load_str};
use std::sync::Arc;

/// The buffers of a step.
struct Out {
    observations: Vec<f64>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

impl Out {
    fn new(env: &VecEnv) -> Self {
        let n = env.num_envs();
        Self {
            observations: vec![0.0; n * env.observation_size()],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
        }
    }

    fn step(&mut self, env: &mut VecEnv, actions: &[f64]) -> Result<(), Error> {
        let Self { observations, rewards, terminated, truncated } = self;
        env.step(actions, StepBuffers { observations, rewards, terminated, truncated })
    }
}

/// Random actions within the bounds.
fn actions(env: &VecEnv, rng: &mut Rng) -> Vec<f64> {
    let bounds: Vec<(f64, f64)> = env.action_bounds().collect();
    let all = bounds.iter().cycle().take(bounds.len() * env.num_envs());
    all.map(|(low, high)| rng.uniform(*low, *high)).collect()
}

/// A counter: the state is the number of steps, set by a slide joint with constant velocity. Environments end
/// when they reach 3.
struct Counter;

impl Task for Counter {
    fn observation_size(&self, _: &Model) -> usize {
        1
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        observation[0] = data.qpos[0].round();
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        info.push(10.0 * step.data.qpos[0].round());
        Outcome { reward: 1.0 + step.before[0], terminated: step.data.qpos[0] > 2.5 }
    }

    fn before(&self, _: &Model, data: &Data) -> [f64; 4] {
        [data.qpos[0].round(), 0.0, 0.0, 0.0]
    }

    fn reset(&self, _: &Model, data: &mut Data, _: &mut Rng) {
        data.qvel[0] = 1.0;
    }

    fn info_fields(&self, _: &Model) -> sim_envs::InfoFields {
        sim_envs::InfoFields::numbers(&["position"], &["tens"])
    }

    fn state_info(&self, _: &Model, data: &Data, info: &mut Info<'_>) {
        info.push(data.qpos[0].round());
    }
}

fn counter() -> Builder {
    let text = r#"<mujoco><option timestep="0.5" gravity="0 0 0"/><worldbody><body>
        <joint name="x" type="slide"/><geom size=".1"/></body></worldbody>
        <actuator><motor joint="x" gear="0"/></actuator></mujoco>"#;
    Builder::new(Counter, Arc::new(load_str(text).unwrap())).frame_skip(2).threads(1)
}

/// Observations, rewards, terminations and truncations of an environment that is stepped until a new episode
/// has begun.
fn episode(builder: Builder, steps: usize) -> (VecEnv, Vec<(f64, f64, bool, bool)>) {
    let mut env = builder.build().unwrap();
    let mut out = Out::new(&env);
    env.reset(Seeds::From(0), None, &mut out.observations).unwrap();
    assert_eq!(out.observations, [0.0]);
    let mut rows = Vec::new();
    for _ in 0..steps {
        out.step(&mut env, &[0.0]).unwrap();
        rows.push((out.observations[0], out.rewards[0], out.terminated[0], out.truncated[0]));
    }
    (env, rows)
}

#[test]
fn next_step_mode_resets_in_the_step_after_the_end() {
    let (env, rows) = episode(counter(), 5);
    let expected = [
        (1.0, 1.0, false, false),
        (2.0, 2.0, false, false),
        (3.0, 3.0, true, false),
        (0.0, 0.0, false, false),
        (1.0, 1.0, false, false),
    ];
    assert_eq!(rows, expected);
    assert_eq!(env.elapsed_steps(0).unwrap(), 1);
    assert!(env.final_observations().is_empty());
}

#[test]
fn infos_of_a_reset_have_the_fields_of_the_state_only() {
    let (env, _) = episode(counter(), 4);
    assert_eq!(env.info_row(0).unwrap(), InfoRow::Reset);
    assert_eq!(env.info("position").unwrap(), [0.0]);
    assert_eq!(env.state_fields().len(), 1);
    let (env, _) = episode(counter(), 3);
    assert_eq!(env.info_row(0).unwrap(), InfoRow::Step);
    assert_eq!(env.infos(), [3.0, 30.0]);
    assert!(env.info("height").is_none());
}

#[test]
fn same_step_mode_reports_the_last_observation_and_infos() {
    let (env, rows) = episode(counter().autoreset(Autoreset::SameStep), 3);
    assert_eq!(rows[2], (0.0, 3.0, true, false));
    assert!(env.has_final(0).unwrap() && env.final_mask().all(|ended| ended));
    assert_eq!(env.final_observations(), [3.0]);
    assert_eq!(env.final_infos(), [3.0, 30.0]);
    assert_eq!(env.info_row(0).unwrap(), InfoRow::Reset);
    let (env, rows) = episode(counter().autoreset(Autoreset::SameStep), 4);
    assert_eq!(rows[3], (1.0, 1.0, false, false));
    assert!(!env.has_final(0).unwrap());
}

#[test]
fn same_step_mode_works_without_infos() {
    let task =
        DescribedTask { observation: vec![Quantity::new(Array::Qpos)], ..DescribedTask::default() };
    let model = load_str(
        r#"<mujoco><worldbody><body><joint type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody></mujoco>"#,
    );
    let builder = Builder::new(task, Arc::new(model.unwrap()))
        .autoreset(Autoreset::SameStep)
        .max_episode_steps(1);
    let mut env = builder.build().unwrap();
    let (mut observations, mut rewards) = ([0.0], [0.0]);
    let (mut terminated, mut truncated) = ([false], [false]);
    env.reset(Seeds::From(0), None, &mut observations).unwrap();
    env.set_state(0, &[0.5], &[0.0], 0.0).unwrap();
    let out = StepBuffers {
        observations: &mut observations[..],
        rewards: &mut rewards,
        terminated: &mut terminated,
        truncated: &mut truncated,
    };
    env.step::<f64, f64>(&[], out).unwrap();
    assert!(env.has_final(0).unwrap() && truncated[0]);
    assert_eq!((env.final_observations(), observations), (&[0.5][..], [0.0]));
}

#[test]
fn disabled_mode_needs_a_reset_by_the_caller() {
    let (mut env, _) = episode(counter().autoreset(Autoreset::Disabled).num_envs(1), 3);
    let mut out = Out::new(&env);
    assert!(matches!(out.step(&mut env, &[0.0]), Err(Error::EpisodeEnded(0))));
    env.reset(Seeds::Continue, Some(&[true]), &mut out.observations).unwrap();
    out.step(&mut env, &[0.0]).unwrap();
    assert_eq!(out.observations, [1.0]);
}

#[test]
fn episodes_are_truncated_at_their_largest_number_of_steps() {
    let (_, rows) = episode(counter().max_episode_steps(2), 4);
    assert_eq!(rows[1], (2.0, 2.0, false, true));
    assert_eq!(rows[2], (0.0, 0.0, false, false));
    // both at once
    let (_, rows) = episode(counter().max_episode_steps(3), 3);
    assert_eq!(rows[2], (3.0, 3.0, true, true));
}

#[test]
fn masked_reset_leaves_other_environments_alone() {
    let mut env = counter().num_envs(3).build().unwrap();
    let mut out = Out::new(&env);
    env.reset(Seeds::From(0), None, &mut out.observations).unwrap();
    out.step(&mut env, &[0.0; 3]).unwrap();
    env.reset(Seeds::Continue, Some(&[false, true, false]), &mut out.observations).unwrap();
    assert_eq!(out.observations, [1.0, 0.0, 1.0]);
    let rows: Vec<InfoRow> = env.info_rows().collect();
    assert_eq!(rows, [InfoRow::Absent, InfoRow::Reset, InfoRow::Absent]);
    let empty = env.reset(Seeds::Continue, Some(&[false; 3]), &mut out.observations);
    assert!(matches!(empty, Err(Error::EmptyMask)));
}

/// Everything that a run of a task reports.
fn run(builder: Builder, threads: usize, seed: u64) -> (Vec<f64>, Vec<f64>, Vec<bool>) {
    let mut env = builder.num_envs(19).threads(threads).build().unwrap();
    let (mut out, mut rng) = (Out::new(&env), Rng::new(5));
    let (mut values, mut infos, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    env.reset(Seeds::From(seed), None, &mut out.observations).unwrap();
    for _ in 0..60 {
        let actions = actions(&env, &mut rng);
        out.step(&mut env, &actions).unwrap();
        values.extend_from_slice(&out.observations);
        values.extend_from_slice(&out.rewards);
        infos.extend_from_slice(env.infos());
        ends.extend_from_slice(&out.terminated);
    }
    (values, infos, ends)
}

#[test]
fn results_are_identical_for_any_number_of_threads() {
    for (task, lanes) in
        [("Hopper-v5", false), ("Ant-v5", false), ("Hopper-v5", true), ("Ant-v5", true)]
    {
        let builder = || make(task).unwrap().lanes(lanes);
        let one = run(builder(), 1, 3);
        assert!(task != "Hopper-v5" || one.2.contains(&true), "no episode ended");
        for threads in [2, 3, 5] {
            assert_eq!(one, run(builder(), threads, 3), "{task}, {threads} threads");
        }
        assert_ne!(one.0, run(builder(), 1, 4).0);
    }
}

#[test]
fn environments_in_lanes_agree_with_the_scalar_engine() {
    for task in sim_envs::IDS {
        let [mut lanes, mut scalar] = [true, false].map(|lanes| {
            let builder = make(task).unwrap().num_envs(11).threads(1);
            builder.lanes(lanes).max_episode_steps(35).build().unwrap()
        });
        assert!(!scalar.steps_in_lanes());
        let (mut a, mut b, mut rng) = (Out::new(&lanes), Out::new(&scalar), Rng::new(5));
        lanes.reset(Seeds::From(1), None, &mut a.observations).unwrap();
        scalar.reset(Seeds::From(1), None, &mut b.observations).unwrap();
        for step in 0..60 {
            // equal states before each step: some of these tasks are chaotic
            for i in (0..11).filter(|&i| !b.terminated[i] && !b.truncated[i]) {
                let d = scalar.data(i).unwrap();
                let (qpos, qvel, time) = (d.qpos.clone(), d.qvel.clone(), d.time);
                lanes.set_state(i, &qpos, &qvel, time).unwrap();
                scalar.set_state(i, &qpos, &qvel, time).unwrap();
            }
            let actions = actions(&scalar, &mut rng);
            a.step(&mut lanes, &actions).unwrap();
            b.step(&mut scalar, &actions).unwrap();
            let near = |name: &str, a: &[f64], b: &[f64]| {
                for (i, (a, b)) in a.iter().zip(b).enumerate() {
                    let scale = 1.0 + b.abs();
                    assert!((a - b).abs() < 1e-6 * scale, "{task} {step}: {name} {i}: {a} {b}");
                }
            };
            near("observation", &a.observations, &b.observations);
            near("reward", &a.rewards, &b.rewards);
            near("info", lanes.infos(), scalar.infos());
            assert_eq!((&a.terminated, &a.truncated), (&b.terminated, &b.truncated), "{task}");
        }
    }
}

#[test]
fn seeds_belong_to_environments() {
    let first_observations = |n: usize, seeds: Seeds<'_>| {
        let mut env = make("Reacher-v5").unwrap().num_envs(n).build().unwrap();
        let mut out = Out::new(&env);
        env.reset(seeds, None, &mut out.observations).unwrap();
        out.observations
    };
    let three = first_observations(3, Seeds::From(7));
    let each = first_observations(3, Seeds::Each(&[Some(7), Some(8), Some(9)]));
    assert_eq!(three, each);
    assert_eq!(three[10..20], first_observations(1, Seeds::From(8)));
    assert_ne!(three[..10], three[10..20]);
    assert_ne!(first_observations(1, Seeds::Continue), first_observations(1, Seeds::Continue));
}

#[test]
fn single_precision_observations_are_rounded() {
    let mut env = make("Humanoid-v5").unwrap().num_envs(2).build().unwrap();
    let mut out = Out::new(&env);
    let mut single = vec![0.0_f32; out.observations.len()];
    env.reset(Seeds::From(1), None, &mut single).unwrap();
    env.observe(&mut out.observations).unwrap();
    assert!(out.observations.iter().zip(&single).all(|(a, b)| *a as f32 == *b));
}

#[test]
fn state_can_be_read_and_set() {
    let mut env = make("Walker2d-v5").unwrap().num_envs(2).build().unwrap();
    let (mut out, mut rng) = (Out::new(&env), Rng::new(2));
    env.reset(Seeds::From(1), None, &mut out.observations).unwrap();
    let action = actions(&env, &mut rng);
    out.step(&mut env, &action).unwrap();
    let (qpos, qvel) = (env.data(0).unwrap().qpos.clone(), env.data(0).unwrap().qvel.clone());
    env.set_state(1, &qpos, &qvel, 1.5).unwrap();
    env.set_state(0, &qpos, &qvel, 1.5).unwrap();
    let same = [&action[..6], &action[..6]].concat();
    out.step(&mut env, &same).unwrap();
    let (left, right) = out.observations.split_at(env.observation_size());
    assert_eq!(left, right);
    assert!((env.data(1).unwrap().time - 1.5 - env.dt()).abs() < 1e-12);
    assert!(matches!(env.set_state(2, &qpos, &qvel, 0.0), Err(Error::NoSuchEnvironment { .. })));
    assert!(matches!(env.set_state(0, &qvel[1..], &qvel, 0.0), Err(Error::WrongLength { .. })));
}

#[test]
fn randomization_changes_single_environments_reproducibly() {
    let ranges = Randomization { mass: (0.8, 1.2), friction: (0.5, 1.5), ..Default::default() };
    let last = |randomize: bool, threads: usize| {
        let builder = make("HalfCheetah-v5").unwrap().num_envs(3).threads(threads);
        let mut env = builder.build().unwrap();
        let mut out = Out::new(&env);
        if randomize {
            env.randomize(4, &ranges).unwrap();
        }
        env.reset(Seeds::Each(&[Some(1); 3]), None, &mut out.observations).unwrap();
        for _ in 0..20 {
            out.step(&mut env, &[0.5; 18]).unwrap();
        }
        out.observations
    };
    let shared = last(false, 1);
    assert_eq!(shared[..17], shared[17..34]);
    let varied = last(true, 1);
    assert_ne!(varied[..17], varied[17..34]);
    assert_ne!(varied[..17], shared[..17]);
    assert_eq!(varied, last(true, 2));
}

#[test]
fn diverged_environment_is_terminated_and_reported() {
    let mut env = make("InvertedPendulum-v5").unwrap().num_envs(3).build().unwrap();
    let mut out = Out::new(&env);
    env.reset(Seeds::From(0), None, &mut out.observations).unwrap();
    let (qpos, qvel) = ([0.0, 0.0], [1e30, 0.0]);
    env.set_state(1, &qpos, &qvel, 0.0).unwrap();
    out.step(&mut env, &[0.0; 3]).unwrap();
    assert_eq!(out.terminated, [false, true, false]);
    let failed: Vec<usize> = env.errors().map(|(i, _)| i).collect();
    assert_eq!(failed, [1]);
    out.step(&mut env, &[0.0; 3]).unwrap();
    assert_eq!(env.errors().count(), 0);
    assert!(out.observations.iter().all(|x| x.abs() < 1.0));
}

#[test]
fn wrong_arguments_are_errors_that_say_what_to_write() {
    let message = |error: Error| error.to_string();
    let error = message(make("Ant-v4").unwrap_err());
    assert!(error.contains("there is no task `Ant-v4`") && error.contains("Ant-v5"), "{error}");
    let error = message(make("Reacher-v5").unwrap().option("healthy_reward", 1.0).unwrap_err());
    assert!(error.contains("reward_dist_weight, reward_control_weight"), "{error}");
    let error = message(make("Ant-v5").unwrap().option("healthy_z_range", 1.0).unwrap_err());
    assert!(error.contains("takes a pair of numbers"), "{error}");
    let error = message(make("Ant-v5").unwrap().option("frame_skip", 2.5).unwrap_err());
    assert!(error.contains("a positive integer"), "{error}");
    assert!(make("Ant-v5").unwrap().num_envs(0).build().is_err());
    assert!(make("Ant-v5").unwrap().xml_file("no/such/file.xml").build().is_err());
    let error = make("Ant-v5").unwrap().option("main_body", "head").unwrap().build().unwrap_err();
    assert!(message(error).contains("no body `head`"));
    let reacher = make("Reacher-v5").unwrap().build().unwrap();
    let error = make("Pusher-v5").unwrap().model(reacher.model().clone()).build().unwrap_err();
    assert!(message(error).contains("the model does not fit the task"));
}

#[test]
fn wrong_buffers_are_errors() {
    let mut env = make("Reacher-v5").unwrap().num_envs(2).build().unwrap();
    let mut out = Out::new(&env);
    assert!(matches!(out.step(&mut env, &[0.0; 4]), Err(Error::NotReset(0))));
    assert!(env.reset(Seeds::Each(&[None]), None, &mut out.observations).is_err());
    assert!(env.reset(Seeds::From(0), Some(&[true]), &mut out.observations).is_err());
    assert!(env.reset(Seeds::From(0), None, &mut out.observations[1..]).is_err());
    env.reset(Seeds::From(0), None, &mut out.observations).unwrap();
    assert!(matches!(out.step(&mut env, &[0.0; 3]), Err(Error::WrongLength { .. })));
    out.rewards.pop();
    assert!(matches!(out.step(&mut env, &[0.0; 4]), Err(Error::WrongLength { .. })));
}

#[test]
fn initial_states_have_the_distribution_of_the_task() {
    let mut env = make("Pusher-v5").unwrap().num_envs(200).build().unwrap();
    let mut out = Out::new(&env);
    env.reset(Seeds::From(0), None, &mut out.observations).unwrap();
    for i in 0..200 {
        let data = env.data(i).unwrap();
        let (y, x) = (data.qpos[7], data.qpos[8]);
        assert!(y.hypot(x) > 0.17 && (-0.3..0.0).contains(&y) && (-0.2..0.2).contains(&x));
        assert!(data.qvel[..7].iter().all(|v| v.abs() < 0.005) && data.qvel[7..] == [0.0; 4]);
    }
}

#[test]
fn described_task_equals_the_same_task_in_code() {
    let reference = make("HalfCheetah-v5").unwrap().num_envs(2).build().unwrap();
    let task = DescribedTask {
        observation: vec![Quantity::new(Array::Qpos).part(1..9), Quantity::new(Array::Qvel)],
        reward: vec![
            RewardTerm {
                name: "reward_forward".into(),
                quantity: Quantity::new(Array::Qpos).part(0..1),
                function: Function::Rate,
                weight: 1.0,
            },
            RewardTerm {
                name: "reward_ctrl".into(),
                quantity: Quantity::new(Array::Ctrl),
                function: Function::SquareSum,
                weight: -0.1,
            },
        ],
        ..DescribedTask::default()
    };
    let model = reference.model().clone();
    let described = Builder::new(task, model).frame_skip(5).num_envs(2).build().unwrap();
    let run = |mut env: VecEnv| {
        let (mut out, mut rng) = (Out::new(&env), Rng::new(3));
        env.reset(Seeds::From(0), None, &mut out.observations).unwrap();
        for i in 0..2 {
            env.set_state(i, &[0.1 * i as f64; 9], &[0.2; 9], 0.0).unwrap();
        }
        let mut rewards = Vec::new();
        for _ in 0..20 {
            let actions = actions(&env, &mut rng);
            out.step(&mut env, &actions).unwrap();
            rewards.extend_from_slice(&out.rewards);
        }
        (out.observations, rewards, env.info("reward_ctrl").unwrap())
    };
    let (a, b) = (run(reference), run(described));
    assert_eq!(a.0, b.0);
    let near = |x: &[f64], y: &[f64]| x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-12);
    assert!(near(&a.1, &b.1) && near(&a.2, &b.2), "{a:?} {b:?}");
}

#[test]
fn described_task_finds_elements_or_says_what_is_missing() {
    let model = make("Humanoid-v5").unwrap().build().unwrap().model().clone();
    let build = |quantity: Quantity| {
        let task = DescribedTask { observation: vec![quantity], ..DescribedTask::default() };
        Builder::new(task, model.clone()).build()
    };
    assert_eq!(build(Quantity::of(Array::Xquat, "pelvis")).unwrap().observation_size(), 4);
    assert_eq!(
        build(Quantity::of(Array::TenLength, "left_hipknee")).unwrap().observation_size(),
        1
    );
    let error = build(Quantity::of(Array::Xpos, "tail")).unwrap_err().to_string();
    assert!(error.contains("no Body named `tail`"), "{error}");
    assert!(build(Quantity::of(Array::Qpos, "root")).is_err());
    assert!(build(Quantity::new(Array::Qpos).part(20..30)).is_err());
    assert_eq!(Array::from_name("site_xpos"), Some(Array::SiteXpos));
    assert_eq!(Array::from_name("xfrc"), None);
}

#[test]
fn environments_can_be_moved_and_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<VecEnv>();
}
