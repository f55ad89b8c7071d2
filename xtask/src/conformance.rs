//! `cargo xtask conformance`, `golden`, `hulls`, `images` and `versions`: build and run `sim-conformance`.

use crate::oracle;
use crate::shell::{Profile, run_program};

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(version) = option(arguments, "--oracle") {
        oracle::ensure(version)?;
    }
    if let Some(at) = arguments.iter().position(|word| word == "--gpu") {
        let mut all = vec!["gpu".to_owned()];
        all.extend(arguments[..at].iter().chain(&arguments[at + 1..]).cloned());
        return run_program(Profile::Release, "sim-conformance", &["gpu"], &all);
    }
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

/// Compares with the newest release unless the arguments name another.
pub(crate) fn versions(arguments: &[String]) -> Result<(), String> {
    let mut all = arguments.to_vec();
    if option(arguments, "--oracle").is_none() {
        all.extend(["--oracle", oracle::NEWEST].map(String::from));
    }
    oracle::ensure(option(&all, "--oracle").unwrap_or(oracle::NEWEST))?;
    run_conformance("versions", &all)
}

/// Value of an option, `--name VALUE` or `--name=VALUE`.
fn option<'a>(arguments: &'a [String], name: &str) -> Option<&'a str> {
    arguments.iter().enumerate().find_map(|(i, word)| match word.strip_prefix(name)? {
        "" => arguments.get(i + 1).map(String::as_str),
        rest => rest.strip_prefix('='),
    })
}

fn run_conformance(command: &str, arguments: &[String]) -> Result<(), String> {
    let mut all = vec![command.to_owned()];
    all.extend_from_slice(arguments);
    run_program(Profile::Release, "sim-conformance", &[], &all)
}

#[cfg(test)]
mod tests {
    use super::option;

    #[test]
    fn option_has_two_forms() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        assert_eq!(option(&words("--live a --oracle 4.0.1"), "--oracle"), Some("4.0.1"));
        assert_eq!(option(&words("--oracle=3.12.0 --live a"), "--oracle"), Some("3.12.0"));
        assert_eq!(option(&words("--live a --oracle"), "--oracle"), None);
        assert_eq!(option(&words("--live --oracles x"), "--oracle"), None);
    }
}
