//! Arrays that share workgroup memory: with a probe, they do not.

use crate::models::gpu;
use sim_core::Model;
use sim_gpu::{GpuBatch, GpuBatchError, Options};
use sim_types::GeomType;
use std::path::{Path, PathBuf};

const STEPS: usize = 10;

/// The MJCF files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{error}"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    let all = paths.into_iter().flat_map(below);
    all.filter(|path| path.extension().is_some_and(|extension| extension == "xml")).collect()
}

/// The states and the sensors of two environments after a few steps, and whether there were constraint rows.
fn states(m: &Model, probe: bool) -> Result<(Vec<u64>, bool), GpuBatchError> {
    let options = Options { probe, one_lane: true, ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), m, 2, &options)?;
    let qvel = (0..2 * m.nv).map(|k| 0.3 * (k as f64).sin());
    let states = qvel.collect::<Vec<_>>();
    let states = states.chunks_exact(m.nv.max(1)).flat_map(|qvel| [&m.qpos0[..], qvel].concat());
    batch.set_state(&states.collect::<Vec<_>>())?;
    batch.set_ctrl(&vec![0.4; 2 * m.nu])?;
    batch.step(STEPS)?;
    let rows = batch.info()?.iter().any(|info| info.rows > 0);
    let results = [batch.full_state()?, batch.sensordata()?].concat();
    Ok((results.into_iter().map(f64::to_bits).collect(), rows))
}

/// Whether there are geoms whose collision functions take a software driver a minute to compile.
fn has_convex_geoms(m: &Model) -> bool {
    use GeomType::{Capsule, Plane, Sphere};
    let collides = |g: &usize| m.geom_contype[*g] != 0 || m.geom_conaffinity[*g] != 0;
    let mut colliding = (0..m.ngeom).filter(collides);
    colliding.any(|g| !matches!(m.geom_type[g], Plane | Sphere | Capsule))
}

#[test]
fn shared_arrays_do_not_change_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/models");
    let (mut compared, mut with_rows) = (0, 0);
    for path in files(&folder) {
        let Ok(m) = sim_mjcf::load_file(&path) else { continue };
        let supported = || sim_gpu::supports(&m, &Options::default()).is_ok();
        if m.nv == 0 || m.nv > 40 || has_convex_geoms(&m) || !supported() {
            continue;
        }
        let [shared, disjoint] = [false, true].map(|probe| {
            states(&m, probe).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        });
        assert_eq!(shared, disjoint, "{}", path.display());
        println!("{}", path.display());
        compared += 1;
        with_rows += u32::from(shared.1);
    }
    assert!(compared > 50 && with_rows > 30, "{compared} models, {with_rows} with rows");
}
