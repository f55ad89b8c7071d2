//! Models and the shared device. All tests of the process use one device, whose context caches compiled kernels by
//! their source.

use sim_core::{Data, Model};
use sim_gpu::{AdapterSelection, Context};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The device shared by all tests.
pub fn gpu() -> &'static Context {
    static GPU: OnceLock<Context> = OnceLock::new();
    GPU.get_or_init(|| {
        Context::new(&AdapterSelection::from_env())
            .expect("a driver; `mesa-vulkan-drivers` has one")
    })
}

/// Folder of the conformance models.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/models")
}

/// All conformance models, or those below the folder in `SIM_GPU_FOLDER`.
pub fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    match std::env::var_os("SIM_GPU_FOLDER") {
        Some(folder) => find(Path::new(&folder), true, &mut files),
        None => {
            for group in ["chains", "constraints", "features", "robots"] {
                find(&folder().join(group), false, &mut files);
            }
        }
    }
    files.retain(|path| path.extension().is_some_and(|ext| ext == "xml"));
    files.sort();
    files
}

fn find(folder: &Path, deep: bool, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of models") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true if deep => find(&path, deep, files),
            true => (),
            false => files.push(path),
        }
    }
}

/// A model from a file.
pub fn load(path: &Path) -> Model {
    sim_mjcf::load_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Deterministic random numbers between -1 and 1.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A random state near the reference, with random controls.
pub fn random_state(m: &Model, seed: u64) -> Data {
    let mut random = Random(seed);
    for _ in 0..8 {
        random.next();
    }
    let mut d = m.make_data();
    for q in &mut d.qpos {
        *q += 0.2 * random.next();
    }
    for v in &mut d.qvel {
        *v = 0.5 * random.next();
    }
    for u in &mut d.ctrl {
        *u = 0.5 * random.next();
    }
    for x in d.mocap_pos.iter_mut().chain(&mut d.mocap_quat) {
        *x += 0.1 * random.next();
    }
    // unit quaternions
    for j in 0..m.njnt {
        let a = m.jnt_qposadr[j] as usize;
        let at = match m.jnt_type[j] as usize {
            0 => a + 3,
            1 => a,
            _ => continue,
        };
        let norm = d.qpos[at..at + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
        d.qpos[at..at + 4].iter_mut().for_each(|x| *x /= norm);
    }
    d
}
