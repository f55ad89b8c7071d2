//! The search for contacts alone, and a thousand rays, interleaved with the reference engine's.

use crate::fastest::Rounds;
use crate::scene::{Kind, Scene, Source};
use crate::side_by_side::{Failure, Rival};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use sim_core::{Data, Model, RayFilter, RayHit, mj_collision, mj_forward, mj_multi_ray};
use std::path::Path;
use std::time::Instant;

const ROUNDS: Rounds = Rounds { number: 60, seconds: 0.01, warm_up: 3 };
/// Beyond any scene.
const FAR: f64 = 1e10;

/// Times one scene; the oracle has to be there, for it says where the rays go.
///
/// # Errors
/// When the model does not load, or the oracle fails or sees other contacts.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    _threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let oracle = oracle.ok_or("this scene is only timed next to the reference engine")?;
    let file = scene.file(temp)?;
    let m = sim_mjcf::load_file(&file)?;
    let archive = temp.join(scene.name).with_extension("npz");
    // what falls has to land first
    let lands = scene.kind == Kind::Collision && matches!(scene.source, Source::Corpus(_));
    let steps = if lands { "200" } else { "0" };
    let mut rival = Rival::start(oracle, "collision.py", &file, &archive, &[steps])?;
    let mut d = rival.state(&m).0;
    mj_forward(&m, &mut d)?;
    let name = if scene.kind == Kind::Rays { "rays" } else { "collision" };
    let mut work = Work::new(&rival);

    let mut way = Way::new(&rival, &m);
    let times = if scene.kind == Kind::Rays {
        ROUNDS.time(|| work.cast(&m, &d), Some(&mut rival), name)?
    } else {
        ROUNDS.time_runs(|count| way.walk(&m, &mut d, count), Some(&mut rival), name)?
    };
    let [mine, other] = times;
    let (found, theirs) = if scene.kind == Kind::Rays {
        (work.hits.iter().flatten().count(), rival.array("hits"))
    } else {
        (way.contacts(&m, &mut d), rival.array("touching"))
    };
    let theirs = theirs.first().copied().unwrap_or(f64::NAN);
    // of two boxes 3.8.0 finds too many contacts or too few at one pose in a hundred
    let allowed = if scene.kind == Kind::Rays { 0.0 } else { 0.01 * theirs };
    let apart = (found as f64 - theirs).abs();
    if apart.is_nan() || apart > allowed {
        return Err(format!("{found} found, the oracle has {theirs}").into());
    }
    Ok(json!({
        "scene": scene.name,
        "threads": 1,
        "ours_steps_per_s": null,
        "mujoco_steps_per_s": null,
        "ratio": other / mine,
        "ours_us_per_step": null,
        "stages_us": { name: mine },
        "mujoco_stages_us": { name: other },
        "stage_ratios": { name: other / mine },
        "found": found,
        "mujoco_found": theirs,
        "ncon": d.ncon,
        "nefc": 0,
        "nv": m.nv,
    }))
}

/// The poses of geoms and bodies on the way from the state; contacts are sought to and fro along it.
struct Way {
    poses: [Vec<f64>; 4],
    count: usize,
}

impl Way {
    fn new(rival: &Rival, m: &Model) -> Self {
        let arrays = ["geom_xpos", "geom_xmat", "xipos", "ximat"];
        let poses = arrays.map(|name| rival.array(name).to_vec());
        let count = poses[0].len().checked_div(3 * m.ngeom).unwrap_or(0);
        Self { poses, count }
    }

    fn place(&self, d: &mut Data, state: usize) {
        let targets = [&mut d.geom_xpos, &mut d.geom_xmat, &mut d.xipos, &mut d.ximat];
        for (to, from) in targets.into_iter().zip(&self.poses) {
            let size = to.len();
            to.copy_from_slice(&from[state * size..(state + 1) * size]);
        }
    }

    /// Seconds that so many searches take.
    fn walk(&mut self, m: &Model, d: &mut Data, count: usize) -> f64 {
        let turn = (2 * self.count).saturating_sub(2).max(1);
        let mut sum = 0.0;
        for i in 0..count {
            let k = i % turn;
            self.place(d, if k < self.count { k } else { turn - k });
            let clock = Instant::now();
            mj_collision(m, d);
            sum += clock.elapsed().as_secs_f64();
        }
        sum
    }

    /// How many contacts there are at all poses together.
    fn contacts(&self, m: &Model, d: &mut Data) -> usize {
        (0..self.count)
            .map(|state| {
                self.place(d, state);
                mj_collision(m, d);
                d.ncon
            })
            .sum()
    }
}

/// The rays.
struct Work {
    point: [f64; 3],
    directions: Vec<[f64; 3]>,
    hits: Vec<Option<RayHit>>,
}

impl Work {
    fn new(rival: &Rival) -> Self {
        let (directions, _) = rival.array("directions").as_chunks::<3>();
        let mut point = [0.0; 3];
        for (to, from) in point.iter_mut().zip(rival.array("point")) {
            *to = *from;
        }
        Self { point, directions: directions.to_vec(), hits: vec![None; directions.len()] }
    }

    fn cast(&mut self, m: &Model, d: &Data) {
        let filter = RayFilter::default();
        mj_multi_ray(m, d, self.point, &self.directions, &filter, FAR, &mut self.hits);
    }
}
