//! The `sim` program: `sim run`, `sim info`, `sim check` and the rest.

/// Prints a line for a person. Whoever stops reading (`sim info | head`) is not an error.
macro_rules! say {
    ($($argument:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($argument)*);
    }};
}

mod bench;
mod chart;
mod check;
mod control;
mod convert;
mod course;
mod diff;
mod ik;
mod info;
mod interrupt;
mod jac;
mod limb;
mod output;
mod plot;
mod rollout;
mod run;
mod shape;
mod source;
mod table;

use clap::{CommandFactory, Parser, Subcommand};
use sim_physics::mjcf::Errors;
use std::process::ExitCode;

/// Simulates MJCF and URDF models from a terminal.
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
    /// Tell what is in a model.
    Info(info::Info),
    /// Report everything wrong or suspicious in model files.
    Check(check::Check),
    /// Time the steps of a model.
    Bench(bench::Bench),
    /// Simulate a model and draw what happens to an SVG or PNG file.
    Plot(plot::Plot),
    /// Step many environments at once.
    Rollout(rollout::Rollout),
    /// Write a model in another form: compiled, canonical MJCF, text.
    Convert(convert::Convert),
    /// Tell what differs between two models.
    Diff(diff::Diff),
    /// Find joint coordinates that bring a body or site to a pose.
    Ik(ik::Ik),
    /// Compute the Jacobian of a body or site.
    Jac(jac::Jac),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Anything that ends a command; printed for a person.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let done = |result: Result<(), Failure>| result.map(|()| ExitCode::SUCCESS);
    let result = match Arguments::parse().command {
        Action::Run(command) => done(command.run()),
        Action::Info(command) => done(command.run()),
        Action::Check(command) => done(command.run()),
        Action::Bench(command) => done(command.run()),
        Action::Plot(command) => done(command.run()),
        Action::Rollout(command) => done(command.run()),
        Action::Convert(command) => done(command.run()),
        Action::Jac(command) => done(command.run()),
        // 1 tells that the pose is not met
        Action::Ik(command) => {
            command.run().map(|met| if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        // as `diff`: 1 tells of differences, 2 of trouble
        Action::Diff(command) => match command.run() {
            Ok(same) => Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
            Err(error) => {
                report(&error);
                Ok(ExitCode::from(2))
            }
        },
        Action::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "sim", &mut text);
            say!("{}", String::from_utf8_lossy(&text));
            Ok(ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        report(&error);
        ExitCode::FAILURE
    })
}

fn report(error: &Failure) {
    // errors of a model file say themselves where they are
    if error.is::<Errors>() {
        eprintln!("{error}");
    } else {
        eprintln!("error: {error}");
    }
}
