//! Where a model comes from, and what of it is switched off.

use crate::Failure;
use clap::Args;
use sim_physics::types::DisableBit;
use sim_physics::urdf::load_file_with_warnings;
use sim_physics::{Model, load_model, load_str};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The humanoid that runs when no file is given.
const HUMANOID: &str = include_str!("../../../conformance/models/robots/humanoid.xml");

/// A model file and changes to its options.
#[derive(Args)]
pub(crate) struct Source {
    /// MJCF file, URDF file or compiled model; a built-in humanoid if none is given.
    model: Option<PathBuf>,
    /// Parts of the pipeline to switch off, as in MJCF's `flag`: contact,limit,…
    #[arg(long, value_delimiter = ',', value_name = "FLAG")]
    disable: Vec<String>,
    /// Time step in seconds, instead of the model's own.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    timestep: Option<f64>,
}

impl Source {
    /// Loads the model and applies the changes.
    pub(crate) fn load(&self) -> Result<Model, Failure> {
        let mut model = match &self.model {
            Some(path) => load(path)?,
            None => load_str(HUMANOID)?,
        };
        for name in &self.disable {
            let bit = DisableBit::ALL.iter().find(|(flag, _)| flag == name);
            let (_, bit) = bit.ok_or_else(|| {
                let known: Vec<&str> = DisableBit::ALL.iter().map(|(flag, _)| *flag).collect();
                format!("no flag `{name}`; there are {}", known.join(", "))
            })?;
            model.opt.disableflags |= *bit as i32;
        }
        if let Some(timestep) = self.timestep {
            if !(timestep > 0.0 && timestep.is_finite()) {
                return Err("--timestep must be a positive number of seconds".into());
            }
            model.opt.timestep = timestep;
        }
        Ok(model)
    }

    /// The file, unless the model is the one built in.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.model.as_deref()
    }

    /// Whether the model is the one built in.
    pub(crate) fn is_built_in(&self) -> bool {
        self.model.is_none()
    }

    /// What to call the model in a report.
    pub(crate) fn name(&self) -> String {
        match &self.model {
            Some(path) => path.display().to_string(),
            None => "the built-in humanoid".to_owned(),
        }
    }
}

/// Loads MJCF, URDF or a compiled model; warnings go to standard error.
pub(crate) fn load(path: &Path) -> Result<Model, Failure> {
    if is_compiled(path) {
        return Ok(load_model(path)?);
    }
    let loaded = load_file_with_warnings(path)?;
    for warning in &loaded.warnings {
        eprintln!("{warning}");
    }
    Ok(loaded.model)
}

/// Whether a file is a compiled model, by how it begins.
pub(crate) fn is_compiled(path: &Path) -> bool {
    let mut start = [0; Model::MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    // what cannot be read is reported by whoever reads all of it
    read.is_ok() && start == *Model::MAGIC
}
