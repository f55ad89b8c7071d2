//! `cargo xtask conformance` and `cargo xtask golden`: the runner does the work.

use crate::shell::run_program;

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    runner("check", arguments)
}

pub(crate) fn golden(arguments: &[String]) -> Result<(), String> {
    runner("golden", arguments)
}

fn runner(command: &str, arguments: &[String]) -> Result<(), String> {
    let mut all = vec![command.to_owned()];
    all.extend_from_slice(arguments);
    run_program("sim-conformance", &[], &all)
}
