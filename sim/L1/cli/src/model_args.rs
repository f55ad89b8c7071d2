//! Arguments that select a model and override its options.

use crate::Failure;
use clap::Args;
use sim_physics::types::DisableBit;
use sim_physics::urdf::load_file_with_warnings;
use sim_physics::{Model, load_model, load_str};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The model used if no file is given.
const HUMANOID: &str = include_str!("../../../conformance/models/robots/humanoid.xml");

/// A model file and overrides of its options.
#[derive(Args, Clone)]
pub(crate) struct ModelArgs {
    /// MJCF file, URDF file or compiled model; default a built-in humanoid.
    #[arg(value_name = "MODEL")]
    path: Option<PathBuf>,
    /// Pipeline stages to disable, as in MJCF's `flag` element: contact,limit,…
    #[arg(long, value_delimiter = ',', value_name = "FLAG")]
    disable: Vec<String>,
    /// Time step in seconds; default that of the model.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    timestep: Option<f64>,
}

impl ModelArgs {
    /// Loads the model and applies the overrides.
    pub(crate) fn load(&self) -> Result<Model, Failure> {
        let model = match &self.path {
            Some(path) => load(path)?,
            None => load_str(HUMANOID)?,
        };
        self.with_overrides(model)
    }

    /// Applies the overrides to a model.
    pub(crate) fn with_overrides(&self, mut model: Model) -> Result<Model, Failure> {
        for name in &self.disable {
            let bit = DisableBit::ALL.iter().find(|(flag, _)| flag == name);
            let (_, bit) = bit.ok_or_else(|| {
                let known: Vec<&str> = DisableBit::ALL.iter().map(|(flag, _)| *flag).collect();
                format!("no flag `{name}`; known flags are {}", known.join(", "))
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

    /// The model file; `None` for the built-in model.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether the model is the built-in one.
    pub(crate) fn is_built_in(&self) -> bool {
        self.path.is_none()
    }

    /// Description of the model: its path.
    pub(crate) fn name(&self) -> String {
        match &self.path {
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

/// Whether a file is a compiled model, by its magic number.
pub(crate) fn is_compiled(path: &Path) -> bool {
    let mut start = [0; Model::MAGIC.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    // read errors are reported by the loader
    read.is_ok() && start == *Model::MAGIC
}
