//! Convex collision detection (`mjc_Convex`) against the oracle: pairs of geoms at random poses.

use crate::Archive;
use sim_core::{ConvexProbe, Model};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Comparison of our contacts with the oracle's for one pair of shapes.
#[derive(Debug, Clone, Default)]
pub struct PairReport {
    /// Names of the two shapes.
    pub name: String,
    /// Poses compared.
    pub poses: usize,
    /// Poses with a contact on either side.
    pub in_contact: usize,
    /// Poses at which the number of contacts differs.
    pub miscounted: usize,
    /// Poses with equal contact counts at which some value differs by more than 1e-9.
    pub above_1e9: usize,
    /// Poses with equal contact counts at which some value differs by more than 1e-5.
    pub above_1e5: usize,
    /// Largest difference of distance, position and normal over poses with equal contact counts.
    pub worst: [f64; 3],
    /// Poses at which the distance query differs by more than 1e-9.
    pub distance_above_1e9: usize,
    /// Largest difference of the distance queries, m.
    pub distance_worst: f64,
    /// Mean time of one collision test, ours and the oracle's, s; zero if not timed.
    pub seconds: [f64; 2],
    /// The first pose that differs, and the contacts of both engines.
    pub example: Option<String>,
}

/// Compares every pair that the oracle recorded in a folder.
///
/// # Errors
/// When a file cannot be read, or a model not loaded.
pub fn compare_folder(folder: &Path) -> io::Result<Vec<PairReport>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "npz") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| compare_pair(path)).collect()
}

fn compare_pair(path: &Path) -> io::Result<PairReport> {
    let archive = Archive::open(path).map_err(io::Error::other)?;
    let text = fs::read_to_string(path.with_extension("xml"))?;
    let model = sim_mjcf::load_str(&text).map_err(io::Error::other)?;
    let mut data = model.make_data();
    let margin = archive.number("margin").unwrap_or(0.0);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // planes and height fields have their own distance functions
    let has_distance = !name.starts_with("plane") && !name.starts_with("hfield");
    let mut report = PairReport { name, ..PairReport::default() };
    let mut first_contact = 0;
    for k in 0..archive.count("xpos") {
        // bit-identical frames: an iteration that stops at a tolerance amplifies any difference
        data.geom_xpos.copy_from_slice(archive.row("xpos", k));
        data.geom_xmat.copy_from_slice(archive.row("xmat", k));
        let ours = sim_core::convex_contacts(&model, &data, 0, 1, margin);
        let count = archive.row("ncon", k)[0] as usize;
        let theirs: Vec<&[f64]> =
            (first_contact..first_contact + count).map(|row| archive.row("contact", row)).collect();
        first_contact += count;
        report.add(k, &ours, &theirs);
        if has_distance {
            let (dist, _) = sim_core::convex_distance(&model, &data, 0, 1, 0.3);
            let error = (dist - archive.row("distance", k)[0]).abs();
            report.distance_above_1e9 += usize::from(error > 1e-9);
            report.distance_worst = report.distance_worst.max(error);
        }
    }
    if let Some(theirs) = archive.number("seconds") {
        report.seconds = [time(&model, &archive, margin), theirs];
    }
    Ok(report)
}

/// Mean time of one collision test over the recorded poses, s; the minimum over several rounds.
fn time(model: &Model, archive: &Archive, margin: f64) -> f64 {
    let mut data = model.make_data();
    let mut probe = ConvexProbe::default();
    let count = archive.count("xpos");
    let row = |k| (archive.row("xpos", k), archive.row("xmat", k));
    let poses: Vec<_> = (0..count).map(row).collect();
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        for (pos, mat) in &poses {
            data.geom_xpos.copy_from_slice(pos);
            data.geom_xmat.copy_from_slice(mat);
            std::hint::black_box(probe.count(model, &data, 0, 1, margin));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best / count as f64
}

impl PairReport {
    /// Whether both engines agree at every pose.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.poses > 0 && self.miscounted == 0 && self.above_1e5 == 0
    }

    fn add(&mut self, pose: usize, ours: &[[f64; 7]], theirs: &[&[f64]]) {
        self.poses += 1;
        self.in_contact += usize::from(!ours.is_empty() || !theirs.is_empty());
        let mut error = f64::INFINITY;
        if ours.len() == theirs.len() {
            let mut worst = [0.0_f64; 3];
            for (a, b) in ours.iter().zip(theirs) {
                for k in 0..7 {
                    let part = [0, 1, 1, 1, 2, 2, 2][k];
                    worst[part] = worst[part].max((a[k] - b[k]).abs());
                }
            }
            error = worst.iter().fold(0.0, |x: f64, y| x.max(*y));
            for (all, here) in self.worst.iter_mut().zip(worst) {
                *all = all.max(here);
            }
            self.above_1e9 += usize::from(error > 1e-9);
            self.above_1e5 += usize::from(error > 1e-5);
        } else {
            self.miscounted += 1;
        }
        if error > 1e-5 && self.example.is_none() {
            self.example = Some(format!("pose {pose}: ours {ours:?}, oracle {theirs:?}"));
        }
    }
}
