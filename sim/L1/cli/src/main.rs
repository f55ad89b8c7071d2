//! The `sim` program: `sim run`, `sim info`, `sim check`, `sim bench`.

/// Prints a line for a person. Whoever stops reading (`sim info | head`) is not an error.
macro_rules! say {
    ($($argument:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($argument)*);
    }};
}

mod bench;
mod check;
mod control;
mod info;
mod output;
mod run;
mod source;

use clap::{Parser, Subcommand};
use sim_physics::mjcf::Errors;
use std::process::ExitCode;

/// Simulates MJCF models from a terminal.
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
}

/// Anything that ends a command; printed for a person.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Action::Run(command) => command.run(),
        Action::Info(command) => command.run(),
        Action::Check(command) => command.run(),
        Action::Bench(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // errors of a model file say themselves where they are
            if error.is::<Errors>() {
                eprintln!("{error}");
            } else {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}
