//! What the examples share: where our models are, whether to be quick, and a table of what happens.

use std::fs::File;
use std::io::{self, BufWriter, Write};

/// A model of ours.
#[must_use]
pub fn robot(name: &str) -> String {
    format!("{}/../sim/conformance/models/robots/{name}.xml", env!("CARGO_MANIFEST_DIR"))
}

/// Whether the example was asked to be quick (`--short`), as it is in tests.
#[must_use]
pub fn short() -> bool {
    std::env::args().any(|argument| argument == "--short")
}

/// Writes what happens to the file that was asked for (`--csv FILE`), for `sim plot` to draw.
#[derive(Debug)]
pub struct Recorder(Option<BufWriter<File>>);

impl Recorder {
    /// A table with the time and these columns; the first word of a name is the panel it is drawn in.
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

    /// Adds a row.
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

/// Random numbers between -1 and 1 that are the same in every run.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> f64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        bits as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

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
        Urdf "urdf.md";
        InverseKinematics "inverse-kinematics.md";
        SingleCrates "single-crates.md";
        Deformable "deformable.md";
        Performance "performance.md";
        Errors "errors.md";
    }
}
