//! Code shared by the examples: model paths, command-line arguments and a CSV recorder.

use std::fs::File;
use std::io::{self, BufWriter, Write};

/// Path of a robot model of the conformance suite.
#[must_use]
pub fn robot(name: &str) -> String {
    format!("{}/../sim/conformance/models/robots/{name}.xml", env!("CARGO_MANIFEST_DIR"))
}

/// Whether the argument `--short` was given: run a short version, as in the tests.
#[must_use]
pub fn short() -> bool {
    std::env::args().any(|argument| argument == "--short")
}

/// Writes a time series to the file given by `--csv FILE`, in the format of `sim plot`.
#[derive(Debug)]
pub struct Recorder(Option<BufWriter<File>>);

impl Recorder {
    /// Creates a table with the time and these columns; columns with the same first word are plotted in
    /// the same panel.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn new(columns: &[&str]) -> io::Result<Self> {
        let mut arguments = std::env::args().skip_while(|argument| argument != "--csv").skip(1);
        let file = arguments.next().map(File::create).transpose()?.map(BufWriter::new);
        let mut recorder = Self(file);
        if let Some(file) = &mut recorder.0 {
            writeln!(file, "time,{}", columns.join(","))?;
        }
        Ok(recorder)
    }

    /// Appends a row.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        write!(file, "{time}")?;
        for value in values {
            write!(file, ",{value}")?;
        }
        writeln!(file)
    }
}

/// A deterministic random number generator (xorshift64*).
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// A uniform number in [-1, 1).
    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        bits as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Creates a temporary directory with the `robot.xml` that the README's examples load, and makes it the
/// working directory.
///
/// # Panics
/// When the directory cannot be created.
pub fn enter_readme_directory() {
    let directory = std::env::temp_dir().join(format!("sim-readme-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    std::env::set_current_dir(&directory).expect("the temporary directory");
    std::fs::write("robot.xml", include_str!("../models/robot.xml")).expect("robot.xml");
}

/// The README, with the hidden lines that `build.rs` adds, so that its code is compiled and run.
#[cfg(doctest)]
#[doc = include_str!(concat!(env!("OUT_DIR"), "/readme.md"))]
struct Readme;

/// The guide's pages, so that their code is compiled and run.
#[cfg(doctest)]
mod guide {
    macro_rules! pages {
        ($($name:ident $file:literal;)*) => {
            $(#[doc = include_str!(concat!("../../docs/guide/", $file))]
            struct $name;)*
        };
    }

    pages! {
        GettingStarted "getting-started.md";
        FromMujoco "from-mujoco.md";
        Batches "batches.md";
        Controllers "controllers.md";
        EditingModels "editing-models.md";
        Plugins "plugins.md";
        Urdf "urdf.md";
        InverseKinematics "inverse-kinematics.md";
        SingleCrates "single-crates.md";
        Deformable "deformable.md";
        Performance "performance.md";
        Errors "errors.md";
    }
}
