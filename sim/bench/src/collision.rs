//! The search for contacts alone, and a thousand rays, interleaved with the reference engine's.

use crate::fastest::Rounds;
use crate::scene::{Kind, Scene, Source};
use crate::side_by_side::{Failure, Rival};
use serde_json::{Value, json};
use sim_conformance::Oracle;
use sim_core::{Data, Model, RayFilter, RayHit, mj_collision, mj_forward, mj_multi_ray};
use std::path::Path;

const ROUNDS: Rounds = Rounds { number: 20, seconds: 0.01, warm_up: 3 };
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

    let call = || {
        if scene.kind == Kind::Rays { work.cast(&m, &d) } else { mj_collision(&m, &mut d) }
    };
    let [mine, other] = ROUNDS.time(call, Some(&mut rival), name)?;
    let found = [d.ncon, work.hits.iter().flatten().count()];
    let theirs = [rival.array("ncon"), rival.array("hits")];
    let both = usize::from(scene.kind == Kind::Rays);
    let other_count = theirs[both].first().copied().unwrap_or(f64::NAN);
    // of two boxes 3.8.0 finds too many contacts or too few at one pose in a hundred
    let allowed = if scene.kind == Kind::Rays { 0.0 } else { 0.01 * other_count };
    let apart = (found[both] as f64 - other_count).abs();
    if apart.is_nan() || apart > allowed {
        return Err(format!("{} found, the oracle has {other_count}", found[both]).into());
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
        "found": found[both],
        "mujoco_found": theirs[both],
        "ncon": d.ncon,
        "nefc": 0,
        "nv": m.nv,
    }))
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
