//! `cargo xtask conformance`, `cargo xtask golden`, `hulls` and `images`: build and run `sim-conformance`.

use crate::shell::{Profile, run_program};

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    run_conformance("check", arguments)
}

pub(crate) fn golden(arguments: &[String]) -> Result<(), String> {
    run_conformance("golden", arguments)
}

pub(crate) fn hulls(arguments: &[String]) -> Result<(), String> {
    run_conformance("hulls", arguments)
}

pub(crate) fn images(arguments: &[String]) -> Result<(), String> {
    let mut all = vec!["images".to_owned()];
    all.extend_from_slice(arguments);
    run_program(Profile::Release, "sim-conformance", &["render"], &all)
}

fn run_conformance(command: &str, arguments: &[String]) -> Result<(), String> {
    let mut all = vec![command.to_owned()];
    all.extend_from_slice(arguments);
    run_program(Profile::Release, "sim-conformance", &[], &all)
}
