//! `sim record`: a simulation as one HTML file that plays in any browser.

use crate::Failure;
use crate::format::count;
use crate::interrupt;
use crate::run_args::RunArgs;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sim_physics::Model;
use sim_record::Recording;
use std::fs::File;
use std::io::{BufWriter, Seek};
use std::path::{Path, PathBuf};

/// Arguments of `sim record`.
#[derive(Args)]
#[command(after_help = "Examples:
  sim record -o run.html                      the built-in humanoid for 10 s
  sim record robot.xml --time 5 --keyframe home --ctrl noise -o run.html

The page needs no network and no other file: open it in a browser, or send it to someone.")]
pub(crate) struct Record {
    #[command(flatten)]
    args: RunArgs,
    /// Output: an .html file.
    #[arg(long, short, default_value = "recording.html", value_name = "FILE")]
    out: PathBuf,
    /// Recorded frames per second.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    fps: u32,
}

impl Record {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let out = self.out.display();
        if self.out.extension().is_none_or(|extension| extension != "html") {
            return Err(format!("{out}: write an .html file").into());
        }
        let model = self.args.model.load()?;
        let mut data = self.args.initial_data(&model)?;
        let (control, steps) = (self.args.control(&model)?, self.args.steps(&model)?);
        let file = File::create(&self.out).map_err(|error| format!("{out}: {error}"))?;
        let mut recording = Recording::new(&model).title(&self.title(&model));
        let bar = ProgressBar::new(steps).with_style(ProgressStyle::with_template(
            "{bar:40} {pos}/{len} steps {elapsed_precise} eta {eta_precise}",
        )?);
        interrupt::listen();
        let per_frame = (1.0 / (f64::from(self.fps) * model.opt.timestep)).max(1.0);
        for step in 0..=steps {
            // the first state at or after each multiple of the frame time
            let due = recording.len() as f64 * per_frame;
            if step as f64 >= due - 1e-9 {
                recording.push(&data)?;
                bar.set_position(step);
            }
            if step == steps || interrupt::stopped() {
                break;
            }
            control.write(&model, step, &mut data.ctrl);
            data.step(&model)?;
        }
        bar.finish_and_clear();
        let mut writer = BufWriter::new(file);
        recording.write_html(&mut writer)?;
        let bytes = writer.stream_position()?;
        outln!(
            "wrote {}, {:.2} MB, to {out}",
            count(recording.len(), "frame"),
            bytes as f64 * 1e-6
        );
        Ok(())
    }

    /// Title of the page: the name of the model, or of its file.
    fn title(&self, model: &Model) -> String {
        let name = model.names.split(|&byte| byte == 0).next().unwrap_or_default();
        let stem = self.args.model.path().and_then(Path::file_stem);
        match (name, stem) {
            (b"" | b"MuJoCo Model", Some(stem)) => stem.to_string_lossy().into_owned(),
            _ => String::from_utf8_lossy(name).into_owned(),
        }
    }
}
