//! Convex hulls and mesh polygons (`mjCMesh::MakeGraph`, `MakePolygons`) against the oracle.
//!
//! The arrays must be identical, including their order. Each case is a model with one mesh: a
//! generated point set, or a mesh file without and with a limit of the hull's vertices.

#[path = "../../L0/mjcf/tests/asset/point_sets.rs"]
mod point_sets;

use crate::compare::normal_error;
use crate::{Archive, Oracle, home};
use point_sets::{FAMILY_COUNT, fingerprint, point_set};
use sim_core::{FieldView, Model};
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Integer arrays that must be equal.
const LISTS: &[&str] = &[
    "mesh_graph",
    "mesh_polyvertadr",
    "mesh_polyvertnum",
    "mesh_polyvert",
    "mesh_polymapadr",
    "mesh_polymapnum",
    "mesh_polymap",
];
/// Number of sets of each family in the expectations of the offline test.
const ROUNDS: usize = 12;
/// Limit of the hull's vertices for mesh files.
const FILE_LIMIT: usize = 32;
/// Tolerance of polygon normals.
pub const NORMAL: f64 = 1e-10;
/// Largest file that is compared, bytes.
const MAX_FILE: u64 = 32 << 20;

/// What to compare.
#[derive(Debug, Clone)]
pub struct Options {
    /// Number of generated point sets.
    pub sets: usize,
    /// Seed of the point sets.
    pub seed: u64,
    /// Files and folders with STL and OBJ files.
    pub paths: Vec<PathBuf>,
    /// Folder for the models, deleted at the end.
    pub temp: PathBuf,
}

/// Outcome of the comparison.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Cases with identical arrays.
    pub identical: usize,
    /// Cases for which neither engine finds a hull.
    pub failed_in_both: usize,
    /// Cases that both engines reject for another reason than the hull.
    pub rejected_by_both: usize,
    /// Names and descriptions of the cases that differ.
    pub different: Vec<(String, String)>,
    /// Polygons whose normals agree within [`NORMAL`], and polygons in all.
    pub equal_normals: [usize; 2],
    /// Time of hulls and polygons of mesh files, ours and the oracle's, s.
    pub seconds: [f64; 2],
    /// Number of mesh files timed.
    pub timed: usize,
}

impl Report {
    /// Whether both engines agree on all cases.
    #[must_use]
    pub fn agrees(&self) -> bool {
        let [equal, all] = self.equal_normals;
        self.different.is_empty() && self.identical > 0 && equal == all
    }
}

/// A model with one mesh.
struct Case {
    name: String,
    mesh: String,
    /// The mesh has faces, so that it can also be loaded without its hull to time the hull.
    timed: bool,
}

impl Case {
    fn model(&self, hull: bool) -> String {
        let collide = if hull { "" } else { " contype=\"0\" conaffinity=\"0\"" };
        format!(
            "<mujoco><asset><mesh name=\"m\" inertia=\"shell\" {}/></asset>\
             <worldbody><geom type=\"mesh\" mesh=\"m\"{collide}/></worldbody></mujoco>",
            self.mesh
        )
    }
}

/// Compares our hulls with the oracle's.
///
/// # Errors
/// When a file cannot be read or written, or the oracle fails.
pub fn run(oracle: &Oracle, options: &Options) -> io::Result<Report> {
    let mut cases: Vec<Case> = (0..options.sets).map(|i| generated(i, options.seed)).collect();
    for path in &options.paths {
        let mut files = Vec::new();
        mesh_files(path, &mut files)?;
        files.sort();
        cases.extend(files.iter().flat_map(|file| of_file(file)));
    }
    let archive = record(oracle, &options.temp, &cases)?;
    let mut report = Report::default();
    for (i, case) in cases.iter().enumerate() {
        compare(&mut report, &archive, case, i);
    }
    Ok(report)
}

/// The expectations of the offline test: a line for each point set, with hashes of its hull and
/// polygons, or the word that tells why there is none.
///
/// # Errors
/// When the oracle fails.
pub fn expectations(oracle: &Oracle, temp: &Path) -> io::Result<String> {
    let cases: Vec<Case> = (0..ROUNDS * FAMILY_COUNT).map(|i| generated(i, 0)).collect();
    let archive = record(oracle, temp, &cases)?;
    let mut text = String::new();
    for i in 0..cases.len() {
        let list = |name: &str| {
            archive.get(&format!("{i:06}h/{name}")).iter().map(|&x| x as i32).collect::<Vec<_>>()
        };
        let graph = list("mesh_graph");
        let line = if graph.is_empty() {
            let other = archive.number(&format!("{i:06}h/other_error")).is_some();
            if other { "rejected".to_owned() } else { "none".to_owned() }
        } else {
            let polygons = LISTS[1..].iter().flat_map(|name| list(name));
            let (hull, polygons) = (fingerprint(graph), fingerprint(polygons));
            format!("{hull:016x} {polygons:016x}")
        };
        writeln!(text, "{line}").map_err(io::Error::other)?;
    }
    Ok(text)
}

/// Path of the expectations.
#[must_use]
pub fn expectations_path() -> PathBuf {
    home().join("../L0/mjcf/tests/asset/hulls.txt")
}

fn generated(index: usize, seed: u64) -> Case {
    let set = point_set(index, seed);
    let mut mesh = String::from("vertex=\"");
    for x in &set.vert {
        // ignored: writing to a string cannot fail
        let _ = write!(mesh, "{x:?} ");
    }
    mesh.push('"');
    if let Some(limit) = set.maxhullvert {
        let _ = write!(mesh, " maxhullvert=\"{limit}\"");
    }
    Case { name: format!("set {index} ({})", set.family), mesh, timed: false }
}

fn of_file(path: &Path) -> [Case; 2] {
    let name = path.display();
    [
        Case { name: format!("{name}"), mesh: format!("file=\"{name}\""), timed: true },
        Case {
            name: format!("{name}, {FILE_LIMIT} vertices"),
            mesh: format!("file=\"{name}\" scale=\"0.5 -0.7 1.1\" maxhullvert=\"{FILE_LIMIT}\""),
            timed: false,
        },
    ]
}

/// Appends the STL and OBJ files below a path.
fn mesh_files(path: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            mesh_files(&entry?.path(), found)?;
        }
    } else {
        let extension = path.extension().map(|e| e.to_ascii_lowercase());
        let is_mesh = extension.is_some_and(|e| e == "stl" || e == "obj");
        if is_mesh && fs::metadata(path)?.len() <= MAX_FILE {
            found.push(fs::canonicalize(path)?);
        }
    }
    Ok(())
}

/// Writes the models and records them: case i with its hull as `{i:06}h`, without as `{i:06}`.
fn record(oracle: &Oracle, temp: &Path, cases: &[Case]) -> io::Result<Archive> {
    fs::create_dir_all(temp)?;
    for (i, case) in cases.iter().enumerate() {
        fs::write(temp.join(format!("{i:06}h.xml")), case.model(true))?;
        if case.timed {
            fs::write(temp.join(format!("{i:06}.xml")), case.model(false))?;
        }
    }
    let out = temp.join("hulls.npz");
    let recorded = oracle.record_hulls(temp, &out, Duration::from_secs(3600));
    let archive = recorded
        .map_err(io::Error::other)
        .and_then(|()| Archive::open(&out).map_err(io::Error::other));
    // ignored: a remaining folder only takes disk space
    let _ = fs::remove_dir_all(temp);
    archive
}

fn compare(report: &mut Report, archive: &Archive, case: &Case, index: usize) {
    let key = format!("{index:06}h/");
    let theirs = |name: &str| archive.get(&format!("{key}{name}"));
    let start = Instant::now();
    let ours = sim_mjcf::load_str(&case.model(true));
    let seconds = start.elapsed().as_secs_f64();
    let fails = |name: &str| !theirs(name).is_empty();
    let model = match (ours, fails("qhull_error"), fails("other_error")) {
        (Ok(model), false, false) => model,
        (Err(_), true, _) => return report.failed_in_both += 1,
        (Err(_), _, true) => return report.rejected_by_both += 1,
        (Err(error), ..) => return report.differs(case, format!("only we reject it: {error}")),
        (Ok(_), ..) => return report.differs(case, "only the oracle rejects it".into()),
    };
    for name in LISTS {
        let ours = ints(&model, name);
        let equal = ours.len() == theirs(name).len()
            && ours.iter().zip(theirs(name)).all(|(a, b)| f64::from(*a) == *b);
        if !equal {
            return report.differs(case, format!("{name} differs"));
        }
    }
    report.compare_normals(&model.mesh_polynormal, theirs("mesh_polynormal"));
    report.identical += 1;
    if case.timed {
        let start = Instant::now();
        let without = sim_mjcf::load_str(&case.model(false)).is_ok();
        let ours = seconds - start.elapsed().as_secs_f64();
        let their_time = |name: String| archive.number(&name);
        let with = their_time(format!("{key}seconds"));
        let base = their_time(format!("{index:06}/seconds"));
        if let (true, Some(with), Some(base)) = (without, with, base) {
            report.seconds[0] += ours;
            report.seconds[1] += with - base;
            report.timed += 1;
        }
    }
}

fn ints(model: &Model, name: &str) -> Vec<i32> {
    match model.field(name) {
        Some(FieldView::I32(list)) => list.to_vec(),
        _ => Vec::new(),
    }
}

impl Report {
    fn differs(&mut self, case: &Case, why: String) {
        self.different.push((case.name.clone(), why));
    }

    fn compare_normals(&mut self, ours: &[f64], theirs: &[f64]) {
        for (a, b) in ours.as_chunks::<3>().0.iter().zip(theirs.as_chunks::<3>().0) {
            self.equal_normals[0] += usize::from(normal_error(a, b) <= NORMAL);
            self.equal_normals[1] += 1;
        }
    }
}
