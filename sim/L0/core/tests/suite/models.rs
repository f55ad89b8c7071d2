//! Models and states shared by the tests.

use proptest::test_runner::{Config, RngSeed};
use sim_core::types::{DisableBit, Integrator};
use sim_core::{Data, Model, mj_integrate_pos};

/// One test `check(&model)` for each model of a list, in a module named after the check.
macro_rules! on_models {
    ($check:ident: $($folder:ident / $name:ident),* $(,)?) => {
        mod $check {
            $(#[test]
            fn $name() {
                super::$check(&crate::models::model(
                    concat!(stringify!($folder), "/", stringify!($name))
                ));
            })*
        }
    };
}

/// One test for each model of the standard set.
macro_rules! on_every_model {
    ($check:ident) => {
        on_models!($check:
            robots / arm6, robots / arm7, robots / cartpole, robots / double_pendulum,
            robots / hand, robots / hopper, robots / humanoid, robots / quadruped,
            chains / chain_10, chains / chain_100,
            features / armature, features / ball, features / branching_tree, features / forest,
            features / free, features / free_offset_inertia, features / full_inertia,
            features / gear_ball_free, features / gravity_off_rotor, features / hinge,
            features / energy_flag, features / multi_joint_body, features / rk4_ball_free,
            features / rk4_tree, features / slide, features / sliders_only,
            features / springdamper, features / static_bodies, features / stiffness_poly,
            features / tilted_gravity,
        );
    };
}

/// A model of the conformance suite.
#[track_caller]
pub(crate) fn constrained(path: &str) -> Model {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/");
    sim_mjcf::load_file(format!("{folder}{path}.xml")).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A model of the conformance suite with constraints disabled.
#[track_caller]
pub(crate) fn model(path: &str) -> Model {
    let mut m = constrained(path);
    m.opt.disableflags |= DisableBit::Constraint as i32;
    m
}

/// The same model with constraints enabled.
pub(crate) fn with_constraints(m: &Model) -> Model {
    let mut m = m.clone();
    m.opt.disableflags &= !(DisableBit::Constraint as i32);
    m
}

/// A model with the given content of `worldbody`, without contacts.
#[track_caller]
pub(crate) fn world(bodies: &str) -> Model {
    load(&format!(
        r#"<mujoco><option><flag contact="disable"/></option><worldbody>{bodies}</worldbody></mujoco>"#
    ))
}

/// A model from an MJCF string.
#[track_caller]
pub(crate) fn load(xml: &str) -> Model {
    sim_mjcf::load_str(xml).unwrap_or_else(|errors| panic!("{errors}\n{xml}"))
}

/// A chain of hinges, three per body, as content of `worldbody`.
pub(crate) fn chain(hinges: usize) -> String {
    let bodies = hinges.div_ceil(3);
    let body = |b: usize| {
        let axes = ["1 0 .2", "0 1 .1", ".3 0 1"];
        let joint = |k: usize| format!(r#"<joint axis="{}" armature=".01"/>"#, axes[k]);
        let joints: String = (0..3.min(hinges - 3 * b)).map(joint).collect();
        format!(r#"<body pos=".1 0 -.1">{joints}<geom size=".05" pos=".02 .03 -.05"/>"#)
    };
    (0..bodies).map(body).collect::<String>() + &"</body>".repeat(bodies)
}

/// Pseudo-random number generator (splitmix64).
pub(crate) struct Rng(pub u64);

impl Rng {
    /// A uniform value in [-1, 1).
    pub(crate) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform values in [-scale, scale).
    pub(crate) fn numbers(&mut self, count: usize, scale: f64) -> Vec<f64> {
        (0..count).map(|_| scale * self.number()).collect()
    }

    /// Three uniform values in [-1, 1).
    pub(crate) fn vector(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }

    /// A unit quaternion.
    pub(crate) fn rotation(&mut self) -> [f64; 4] {
        sim_core::math::quat::normalize([self.number(), self.number(), self.number(), 0.3])
    }
}

/// Configuration of property tests: a fixed seed.
pub(crate) fn cases() -> Config {
    Config { rng_seed: RngSeed::Fixed(2024), failure_persistence: None, ..Config::default() }
}

/// A random state: all joints displaced and moving, no controls or applied forces.
pub(crate) fn moving(m: &Model, seed: u64) -> Data {
    let mut rng = Rng(seed);
    let mut d = m.make_data();
    mj_integrate_pos(m, &mut d.qpos, &rng.numbers(m.nv, 0.7), 1.0);
    d.qvel = rng.numbers(m.nv, 1.0);
    d
}

/// As [`moving`], with random controls and applied forces.
pub(crate) fn driven(m: &Model, seed: u64) -> Data {
    let mut d = moving(m, seed);
    let mut rng = Rng(seed + 1);
    d.ctrl = rng.numbers(m.nu, 1.0);
    d.qfrc_applied = rng.numbers(m.nv, 0.5);
    d.xfrc_applied = rng.numbers(6 * m.nbody, 0.5);
    d
}

/// The model without dampers and actuation, integrated by RK4.
pub(crate) fn conservative(m: &Model) -> Model {
    let mut m = m.clone();
    m.opt.disableflags |= DisableBit::Damper as i32 | DisableBit::Actuation as i32;
    m.opt.integrator = Integrator::Rk4;
    m
}

/// Takes `count` steps.
#[track_caller]
pub(crate) fn steps(m: &Model, d: &mut Data, count: usize) {
    for _ in 0..count {
        d.step(m).unwrap();
    }
}
