//! `sim convert`: a model in another format.

use crate::Failure;
use crate::model_args::{is_compiled, load};
use clap::Args;
use sim_physics::core::print_model;
use sim_physics::urdf::parse_file;
use sim_physics::{load_model, save_model};
use std::path::PathBuf;

/// Arguments of `sim convert`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim convert robot.xml robot.sim        compiled model, fast to load
  sim convert robot.xml canonical.xml    canonical MJCF: includes, defaults and frames expanded
  sim convert robot.urdf robot.xml       URDF as MJCF
  sim convert robot.sim robot.txt        every size, option and array")]
pub(crate) struct Convert {
    /// MJCF, URDF, or a compiled model.
    from: PathBuf,
    /// Output file: .xml for canonical MJCF, .txt for all sizes, options and arrays, any other
    /// extension for a compiled model.
    to: PathBuf,
}

impl Convert {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let extension = self.to.extension().and_then(|e| e.to_str()).unwrap_or("");
        match extension {
            "xml" if is_compiled(&self.from) => {
                return Err(format!(
                    "{}: a compiled model cannot be converted to MJCF; convert from its source",
                    self.from.display()
                )
                .into());
            }
            "mjb" => {
                let path = self.to.display();
                return Err(
                    format!("{path}: MuJoCo's binary format is not supported; use .sim").into()
                );
            }
            "xml" => {
                let spec = parse_file(&self.from)?;
                spec.warnings.iter().for_each(|warning| eprintln!("{warning}"));
                spec.save_xml_file(&self.to)?;
            }
            "txt" => {
                let text = print_model(&load(&self.from)?);
                std::fs::write(&self.to, text)
                    .map_err(|e| format!("{}: {e}", self.to.display()))?;
            }
            _ => save_model(&load(&self.from)?, &self.to)?,
        }
        if extension != "xml" && extension != "txt" {
            // verify that the file can be loaded
            load_model(&self.to)?;
        }
        let bytes = std::fs::metadata(&self.to)?.len();
        outln!("wrote {} ({bytes} bytes)", self.to.display());
        Ok(())
    }
}
