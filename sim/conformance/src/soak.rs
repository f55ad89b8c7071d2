//! Soak test: long runs with random controls that check for non-finite states, warnings and memory growth.

use sim_core::Model;
use sim_core::types::Warning;
use std::fmt::Write;
use std::time::Instant;

/// Result of a long run.
#[derive(Debug, Clone)]
pub struct Report {
    /// The scene.
    pub name: &'static str,
    /// Number of steps taken.
    pub steps: usize,
    /// The error that ended the run early, if any.
    pub error: Option<String>,
    /// Number of steps after which `qpos`, `qvel` or `qacc` had a non-finite entry.
    pub not_finite: usize,
    /// Name and count of each warning.
    pub warnings: Vec<(String, usize)>,
    /// Largest number of contacts in one step.
    pub contacts: usize,
    /// Anonymous resident memory after a tenth of the run and at its end, kB; `None` without `/proc`.
    pub memory: Option<(usize, usize)>,
    /// Steps per second.
    pub rate: f64,
}

impl Report {
    /// Whether the run had no error, no warning and no non-finite state. Memory may grow by 1 MB, because
    /// the largest number of contacts can occur late.
    #[must_use]
    pub fn passed(&self) -> bool {
        let grown = self.memory.is_some_and(|(early, late)| late > early + 1000);
        self.error.is_none() && self.not_finite == 0 && self.warnings.is_empty() && !grown
    }
}

/// Runs each scene for `steps` steps.
///
/// # Errors
/// When a model does not load.
pub fn run(steps: usize, seed: u64) -> Result<Vec<Report>, sim_mjcf::Errors> {
    let file = |name: &str| sim_mjcf::load_file(crate::home().join("models").join(name));
    let scenes = [
        ("pile", sim_mjcf::load_str(&pile())?),
        ("humanoid", file("robots/humanoid.xml")?),
        ("hand", file("robots/hand.xml")?),
    ];
    Ok(scenes.iter().map(|(name, m)| soak(name, m, steps, seed)).collect())
}

/// MJCF of 32 geoms of four types that fall into a box.
fn pile() -> String {
    let mut bodies = String::new();
    let shapes = [
        r#"type="sphere" size=".1""#,
        r#"type="box" size=".1 .08 .06""#,
        r#"type="capsule" size=".06 .08""#,
        r#"type="cylinder" size=".08 .07""#,
    ];
    for k in 0..32 {
        let (x, y, z) = (k % 3, (k / 3) % 3, k / 9);
        let pos = [x, y].map(|c| 0.3 * f64::from(c - 1));
        let (height, angle) = (0.3 + 0.3 * f64::from(z), 17 * k);
        let shape = shapes[k as usize % shapes.len()];
        let _ = write!(
            bodies,
            r#"<body pos="{} {} {height}" euler="{angle} {angle} 0"><freejoint/><geom {shape}/></body>"#,
            pos[0], pos[1]
        );
    }
    format!(
        r#"<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="3 3 .1"/>
        <geom type="box" size=".1 1 .5" pos="1 0 .5"/><geom type="box" size=".1 1 .5" pos="-1 0 .5"/>
        <geom type="box" size="1 .1 .5" pos="0 1 .5"/><geom type="box" size="1 .1 .5" pos="0 -1 .5"/>
        {bodies}</worldbody></mujoco>"#
    )
}

fn soak(name: &'static str, m: &Model, steps: usize, seed: u64) -> Report {
    let mut d = m.make_data();
    let mut rng = seed;
    let (mut done, mut not_finite, mut contacts) = (0, 0, 0);
    let (mut error, mut early) = (None, None);
    let start = Instant::now();
    while done < steps && error.is_none() {
        if done % 50 == 0 {
            for (i, u) in d.ctrl.iter_mut().enumerate() {
                let [low, high] = [m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1]];
                let (low, high) = if m.actuator_ctrllimited[i] { (low, high) } else { (-1.0, 1.0) };
                *u = low + (high - low) * uniform(&mut rng);
            }
        }
        error = d.step(m).err().map(|error| error.to_string());
        let bad = d.qpos.iter().chain(&d.qvel).chain(&d.qacc).any(|x| !x.is_finite());
        not_finite += usize::from(bad);
        contacts = contacts.max(d.ncon);
        done += 1;
        if done == steps.div_ceil(10) {
            early = resident();
        }
    }
    let rate = done as f64 / start.elapsed().as_secs_f64();
    let warnings = Warning::ALL.iter().map(|&kind| (kind, d.warning[kind as usize].number));
    let warnings = warnings.filter(|(_, number)| *number > 0);
    let warnings = warnings.map(|(kind, number)| (format!("{kind:?}"), number)).collect();
    let memory = early.zip(resident());
    Report { name, steps: done, error, not_finite, warnings, contacts, memory, rate }
}

/// A uniform random number in [0, 1) (splitmix64).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Anonymous resident memory of this process, kB. Pages of the program itself do not count: they become
/// resident when their code first runs.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace().next()?.parse().ok()
}
