//! The project's chores, one file a command: `cargo xtask COMMAND`.

mod bench;
mod ci;
mod conformance;
mod corpus;
mod driver;
mod oracle;
mod shell;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  oracle                       make or update the Python environment of the reference engine
  golden [FILTER]              record the goldens of our own models anew
  conformance [FILTER]         check our models against committed goldens
  conformance --live PATH…     compare every MJCF file below PATH with the running oracle
          [--states K] [--steps N] [--seed S] [--json FILE] [--only model|stages|trajectory]
  corpus                       download public model packages into target/corpus
  bench [SCENE…] [--vs-mujoco] [--threads N] [--json FILE]
  bench --gpu [MODEL…] [--worlds N,N…] [--steps N] [--json FILE]
  tidy                         the rules of the code base that no compiler checks
  ci                           everything that must pass: format, lints, tidy, tests, conformance";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let result = match command.as_str() {
        "oracle" => oracle::run(),
        "golden" => conformance::golden(&rest),
        "conformance" => conformance::run(&rest),
        "corpus" => corpus::run(),
        "bench" => bench::run(&rest),
        "tidy" => tidy::run(),
        "ci" => ci::run(),
        "" | "help" | "-h" | "--help" => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        unknown => Err(format!("unknown command `{unknown}`\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                eprintln!("{message}");
            }
            ExitCode::FAILURE
        }
    }
}
