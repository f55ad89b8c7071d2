//! A table of invalid models: each is rejected with the right location and message, quickly and in
//! bounded memory.
//!
//! A row holds the files of a model. `§` marks in one of them where its first error must be
//! reported. With `SIM_INVALID_DUMP` set to a directory the files are written there, to compare with
//! other programs.

mod actuators;
mod assets;
mod attach;
mod deformable;
mod disk;
mod duplicates;
mod expansion;
mod files;
#[path = "../asset/make.rs"]
mod make;
mod nontree;
mod references;
mod syntax;
mod tree;

use sim_mjcf::{Loader, Vfs};
use std::time::{Duration, SystemTime};

/// The file that is loaded.
const MAIN: &str = "main.xml";
/// Maximum CPU time per row. The slowest rows reach a limit on the number of elements, in 0.2 s if the crate is optimised
/// and in 1.3 s if it is not, on a slow machine; loading without that limit would take minutes.
const SLOWEST: Duration = Duration::from_secs(4);
/// Maximum memory of the whole table.
const MOST_MEMORY: usize = 300 << 20;

/// Rows that MuJoCo 3.8.0 accepts, and the reason for rejecting them.
const ACCEPTED: &[(&str, &str)] = &[
    ("Latin-1 text", "names are UTF-8"),
    ("another root", "URDF is not read"),
    ("model of another kind", "URDF is not read"),
    ("two roots", "the second is silently lost"),
    ("unknown entity", "the text would be taken for something else"),
    ("strange Euler letter", "MuJoCo notices it when an angle is used"),
    ("pair with one geom", "an empty name finds any geom without a name"),
    ("negative replicate", "MuJoCo makes no copies, without a word"),
    ("two: model", "it is chance which of them is attached"),
    ("infinite height", "all heights become NaN or zero"),
    ("one channel", "MuJoCo writes beyond the end of the image"),
    ("skin face beyond the vertices", "MuJoCo reads beyond the end of the vertices"),
];

/// An invalid model.
pub struct Row {
    /// Description.
    what: String,
    /// Its files; the first is the one that is loaded.
    files: Vec<(String, Vec<u8>)>,
    /// Part of the message of the first error.
    fragment: String,
}

impl Row {
    /// A row from the text of a model.
    fn new(what: &str, marked: &str, fragment: &str) -> Self {
        let files = vec![(MAIN.to_owned(), marked.as_bytes().to_vec())];
        Self { what: what.to_owned(), files, fragment: fragment.to_owned() }
    }

    /// The same with one more file.
    fn with(mut self, name: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.to_owned(), content.into()));
        self
    }

    /// Removes the mark from the files and returns its location.
    fn take_mark(&mut self) -> (String, u32, u32) {
        let mark = "§".as_bytes();
        for (name, content) in &mut self.files {
            let Some(at) = content.windows(mark.len()).position(|w| w == mark) else { continue };
            let before = String::from_utf8_lossy(&content[..at]).into_owned();
            content.drain(at..at + mark.len());
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            return (name.clone(), line as u32, column as u32);
        }
        (MAIN.to_owned(), 1, 1)
    }

    /// Description of a wrong result; `None` if correct.
    fn problem(mut self) -> Option<String> {
        let place = self.take_mark();
        self.dump();
        let mut vfs = Vfs::memory();
        for (name, content) in self.files {
            vfs.add(name, content);
        }
        let loader = Loader::new(vfs);
        let start = time_spent();
        let loaded = loader.load(MAIN);
        let took = time_spent().saturating_sub(start);
        let Err(errors) = loaded else {
            return Some(format!("{}: it loads", self.what));
        };
        let first = &errors.as_slice()[0];
        let found = (first.location.file.clone(), first.location.line, first.location.column);
        let text = first.to_string();
        if found != place {
            return Some(format!("{}: not at {place:?}: {text}", self.what));
        }
        if !text.contains(&self.fragment) {
            return Some(format!("{}: without `{}`: {text}", self.what, self.fragment));
        }
        if text.len() > 1000 {
            return Some(format!("{}: {} bytes of message", self.what, text.len()));
        }
        (took > SLOWEST).then(|| format!("{}: took {took:?}", self.what))
    }

    /// Writes the files to the directory set in the environment.
    fn dump(&self) {
        let Some(folder) = std::env::var_os("SIM_INVALID_DUMP") else { return };
        let folder = std::path::Path::new(&folder).join(self.what.replace(['/', ' '], "_"));
        for (name, content) in &self.files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("a folder");
            std::fs::write(path, content).expect("a file");
        }
    }
}

/// Rows about the content of `worldbody`.
fn world(rows: &[(&str, &str, &str)]) -> Vec<Row> {
    template("<mujoco>\n <worldbody>\n", rows, "\n </worldbody>\n</mujoco>")
}

/// Rows about the content of `asset`.
fn asset(rows: &[(&str, &str, &str)]) -> Vec<Row> {
    template("<mujoco>\n <asset>\n", rows, "\n </asset>\n</mujoco>")
}

/// Rows about sections of a model with one of everything that can be referred to.
fn section(rows: &[(&str, &str, &str)]) -> Vec<Row> {
    template(RIG, rows, "\n</mujoco>")
}

/// Bodies `b`, `c` and `free`, joints `h`, `ball` and `free`, geoms `floor` and `g`, sites `s` and
/// `t`, camera `eye`, mesh `tetra`.
const RIG: &str = "<mujoco>
<asset><mesh name='tetra' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>
<worldbody><geom name='floor' type='plane' size='1 1 1'/><camera name='eye'/><site name='w'/>
  <body name='b'><joint name='h'/><geom name='g' size='1'/><site name='s'/>
    <body name='c'><joint name='ball' type='ball'/><geom size='1'/><site name='t' pos='0 0 1'/></body></body>
  <body name='free'><freejoint name='free'/><geom size='1'/></body></worldbody>
";

fn template(before: &str, rows: &[(&str, &str, &str)], after: &str) -> Vec<Row> {
    let make = |(what, marked, fragment): &(&str, &str, &str)| {
        Row::new(what, &format!("{before}{marked}{after}"), fragment)
    };
    rows.iter().map(make).collect()
}

/// Rows about whole models.
fn model(rows: &[(&str, &str, &str)]) -> Vec<Row> {
    template("", rows, "")
}

/// Peak memory of the process; `None` if not available.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kib| kib << 10)
}

/// CPU time of this thread, or wall-clock time if not available.
fn time_spent() -> Duration {
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = used.and_then(|text| text.split_whitespace().next()?.parse().ok());
    let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    used.map_or_else(clock, Duration::from_nanos)
}

#[test]
fn every_invalid_model_is_rejected_with_location_and_message() {
    let before = peak_memory();
    let rows: Vec<Row> = [
        syntax::rows(),
        references::rows(),
        duplicates::rows(),
        tree::rows(),
        nontree::rows(),
        actuators::rows(),
        assets::rows(),
        deformable::rows(),
        files::rows(),
        attach::rows(),
        expansion::rows(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let count = rows.len();
    for (what, _) in ACCEPTED {
        assert!(rows.iter().any(|row| row.what == *what), "no row is called {what}");
    }
    assert!(count >= 150, "{count} rows");
    let problems: Vec<_> = rows.into_iter().filter_map(Row::problem).collect();
    assert!(problems.is_empty(), "{} of {count}:\n{}", problems.len(), problems.join("\n"));
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        let growth = after - before;
        assert!(growth < MOST_MEMORY, "the table took {} MiB", growth >> 20);
    }
}
