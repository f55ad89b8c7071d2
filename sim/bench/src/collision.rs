//! Times collision detection (`mj_collision`) and ray casting (`mj_multiRay`), interleaved with MuJoCo.

use crate::fastest::Rounds;
use crate::scene::{Kind, Scene, Source};
use crate::side_by_side::{Failure, Mujoco};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use sim_core::{Data, Model, RayFilter, RayHit, mj_collision, mj_forward, mj_multi_ray};
use std::path::Path;
use std::time::Instant;

const ROUNDS: Rounds = Rounds { number: 60, seconds: 0.01, warm_up: 3 };
/// Maximum length of the rays, larger than any scene, m.
const FAR: f64 = 1e10;

/// Times one scene; requires the oracle, which generates the poses and the rays.
///
/// # Errors
/// When the model does not load, the oracle fails, or the two engines find different contacts.
pub fn measure(
    scene: &Scene,
    oracle: Option<&Oracle>,
    _threads: usize,
    temp: &Path,
) -> Result<Value, Failure> {
    let oracle = oracle.ok_or("this scene needs `--vs-mujoco`")?;
    let file = scene.file(temp)?;
    let m = sim_mjcf::load_file(&file)?;
    let archive = temp.join(scene.name).with_extension("npz");
    // robots start in the air, so they take steps until they are in contact
    let falls = scene.kind == Kind::Collision && matches!(scene.source, Source::Corpus(_));
    let steps = if falls { "200" } else { "0" };
    let mut mujoco = Mujoco::start(oracle, "collision.py", &file, &archive, &[steps])?;
    let mut d = mujoco.state(&m).0;
    mj_forward(&m, &mut d)?;
    let name = if scene.kind == Kind::Rays { "rays" } else { "collision" };
    let mut rays = Rays::new(&mujoco);

    let mut poses = Poses::new(&mujoco, &m);
    let times = if scene.kind == Kind::Rays {
        ROUNDS.time(|| rays.cast(&m, &d), Some(&mut mujoco), name)?
    } else {
        ROUNDS.time_runs(|count| poses.time(&m, &mut d, count), Some(&mut mujoco), name)?
    };
    let [mine, other] = times;
    let (found, theirs) = if scene.kind == Kind::Rays {
        (rays.hits.iter().flatten().count(), mujoco.array("hits"))
    } else {
        (poses.contacts(&m, &mut d), mujoco.array("contacts"))
    };
    let theirs = theirs.first().copied().unwrap_or(f64::NAN);
    // for two boxes, MuJoCo 3.8.0 finds too many or too few contacts at about 1 % of the poses
    let allowed = if scene.kind == Kind::Rays { 0.0 } else { 0.01 * theirs };
    let difference = (found as f64 - theirs).abs();
    if difference.is_nan() || difference > allowed {
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

/// A sequence of poses of all geoms and bodies, traversed forwards and backwards.
struct Poses {
    poses: [Vec<f64>; 4],
    count: usize,
}

impl Poses {
    fn new(mujoco: &Mujoco, m: &Model) -> Self {
        let arrays = ["geom_xpos", "geom_xmat", "xipos", "ximat"];
        let poses = arrays.map(|name| mujoco.array(name).to_vec());
        let count = poses[0].len().checked_div(3 * m.ngeom).unwrap_or(0);
        Self { poses, count }
    }

    /// Copies pose `state` to `d`.
    fn load(&self, d: &mut Data, state: usize) {
        let targets = [&mut d.geom_xpos, &mut d.geom_xmat, &mut d.xipos, &mut d.ximat];
        for (to, from) in targets.into_iter().zip(&self.poses) {
            let size = to.len();
            to.copy_from_slice(&from[state * size..(state + 1) * size]);
        }
    }

    /// Time of `count` calls of `mj_collision`, s.
    fn time(&mut self, m: &Model, d: &mut Data, count: usize) -> f64 {
        let period = (2 * self.count).saturating_sub(2).max(1);
        let mut sum = 0.0;
        for i in 0..count {
            let k = i % period;
            self.load(d, if k < self.count { k } else { period - k });
            let clock = Instant::now();
            mj_collision(m, d);
            sum += clock.elapsed().as_secs_f64();
        }
        sum
    }

    /// Total number of contacts at all poses.
    fn contacts(&self, m: &Model, d: &mut Data) -> usize {
        (0..self.count)
            .map(|state| {
                self.load(d, state);
                mj_collision(m, d);
                d.ncon
            })
            .sum()
    }
}

/// Rays from one point.
struct Rays {
    point: [f64; 3],
    directions: Vec<[f64; 3]>,
    hits: Vec<Option<RayHit>>,
}

impl Rays {
    fn new(mujoco: &Mujoco) -> Self {
        let (directions, _) = mujoco.array("directions").as_chunks::<3>();
        let mut point = [0.0; 3];
        for (to, from) in point.iter_mut().zip(mujoco.array("point")) {
            *to = *from;
        }
        Self { point, directions: directions.to_vec(), hits: vec![None; directions.len()] }
    }

    fn cast(&mut self, m: &Model, d: &Data) {
        let filter = RayFilter::default();
        mj_multi_ray(m, d, self.point, &self.directions, &filter, FAR, &mut self.hits);
    }
}
