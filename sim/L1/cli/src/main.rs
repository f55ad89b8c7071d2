//! The `sim` program: `sim run`, `sim info`, `sim check` and the rest.

/// Prints a line to standard output. A closed pipe (`sim info | head`) is not an error.
macro_rules! outln {
    ($($argument:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($argument)*);
    }};
}

#[cfg(feature = "mp4")]
mod av1;
mod bench;
mod chain_args;
#[cfg(feature = "plot")]
mod chart;
mod check;
mod control;
mod convert;
#[cfg(feature = "plot")]
mod csv;
mod diff;
mod format;
mod ik;
mod info;
mod interrupt;
mod jac;
mod model_args;
#[cfg(any(feature = "mp4", test))]
mod mp4;
#[cfg(feature = "plot")]
mod plot;
#[cfg(feature = "plot")]
mod raster;
mod record;
#[cfg(feature = "render")]
mod render;
mod rollout;
mod run;
mod run_args;
mod trajectory;
#[cfg(feature = "render")]
mod video;
#[cfg(feature = "viewer")]
mod view;
#[cfg(feature = "plot")]
mod views;
#[cfg(feature = "viewer")]
mod window;

use clap::{CommandFactory, Parser, Subcommand};
use sim_physics::mjcf::Errors;
use std::process::ExitCode;

/// Simulate, inspect and benchmark MJCF and URDF models.
#[derive(Parser)]
#[command(name = "sim", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Simulate a model and report speed, energy and warnings.
    Run(run::Run),
    /// Print the contents of a model.
    Info(info::Info),
    /// Report all errors and warnings in model files.
    Check(check::Check),
    /// Measure the simulation speed of a model.
    Bench(bench::Bench),
    /// Simulate a model and plot the trajectory to an SVG or PNG file.
    #[cfg(feature = "plot")]
    Plot(plot::Plot),
    /// Simulate a model and write a recording that plays in a browser.
    Record(record::Record),
    /// Render an image of a model, or a video of its simulation.
    #[cfg(feature = "render")]
    Render(render::Render),
    /// Render images and videos: not part of this build.
    #[cfg(not(feature = "render"))]
    Render {
        /// Ignored.
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        arguments: Vec<String>,
    },
    /// Simulate a model in an interactive window.
    #[cfg(feature = "viewer")]
    View(view::View),
    /// Simulate in an interactive window: not part of this build.
    #[cfg(not(feature = "viewer"))]
    View {
        /// Ignored.
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        arguments: Vec<String>,
    },
    /// Step a batch of environments in parallel.
    Rollout(rollout::Rollout),
    /// Convert a model to a compiled binary, canonical MJCF or text.
    Convert(convert::Convert),
    /// Print the differences between two models.
    Diff(diff::Diff),
    /// Solve inverse kinematics: joint positions that bring a body or site to a pose.
    Ik(ik::Ik),
    /// Compute the Jacobian of a body or site.
    Jac(jac::Jac),
    /// Print shell completions.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// An error that ends a command. Its message is printed to standard error.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let done = |result: Result<(), Failure>| result.map(|()| ExitCode::SUCCESS);
    let result = match Arguments::parse().command {
        Action::Run(command) => done(command.run()),
        Action::Info(command) => done(command.run()),
        Action::Check(command) => done(command.run()),
        Action::Bench(command) => done(command.run()),
        #[cfg(feature = "plot")]
        Action::Plot(command) => done(command.run()),
        Action::Record(command) => done(command.run()),
        #[cfg(feature = "render")]
        Action::Render(command) => done(command.run()),
        #[cfg(not(feature = "render"))]
        Action::Render { .. } => Err("this program was built without its renderer; build it with \
            `cargo build --release -p sim-cli --features render`"
            .into()),
        #[cfg(feature = "viewer")]
        Action::View(command) => done(command.run()),
        #[cfg(not(feature = "viewer"))]
        Action::View { .. } => Err("this program was built without its viewer; build it with \
            `cargo build --release -p sim-cli --features viewer`"
            .into()),
        Action::Rollout(command) => done(command.run()),
        Action::Convert(command) => done(command.run()),
        Action::Jac(command) => done(command.run()),
        // exit code 1: the pose was not reached
        Action::Ik(command) => command.run().map(exit_code),
        // exit codes of `diff`: 1 for differences, 2 for errors
        Action::Diff(command) => match command.run() {
            Ok(same) => Ok(exit_code(same)),
            Err(error) => {
                report(&error);
                Ok(ExitCode::from(2))
            }
        },
        Action::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "sim", &mut text);
            outln!("{}", String::from_utf8_lossy(&text));
            Ok(ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        report(&error);
        ExitCode::FAILURE
    })
}

fn exit_code(success: bool) -> ExitCode {
    if success { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn report(error: &Failure) {
    // errors of a model file start with their location
    if error.is::<Errors>() {
        eprintln!("{error}");
    } else {
        eprintln!("error: {error}");
    }
}
