//! Lints and documentation as a part of the build.
//!
//! `cargo clippy` and `cargo doc` have no use for compiled crates: they check all third-party crates a second time. So
//! `cargo xtask ci` builds with a copy of this program in the place of the compiler (`build.rustc-workspace-wrapper`),
//! which Cargo calls for the crates of the workspace. It calls the compiler, then Clippy, then rustdoc, with warnings
//! denied. A crate that fails one of them is not built. Clippy is a compiler with additional lints, and without
//! optimisation of the MIR: crates that are not optimised are compiled by Clippy, and parsed and checked once. These
//! include most tests. Optimised libraries are linted as a part of their unit tests.

use crate::shell::{root, target_dir};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// File name of the copy.
const NAME: &str = "rustc-with-lints";
/// Environment variable with a [`Mode`] other than [`Mode::Build`].
const MODE: &str = "XTASK_LINTS";

/// What is done with a crate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It is compiled, linted and documented.
    Build,
    /// It is linted and documented, but no code is generated. Cargo finds no output, and calls this program again in the
    /// next run.
    Document,
    /// It is linted.
    Lint,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Document => "document",
            Self::Lint => "lint",
        }
    }

    fn from_env() -> Self {
        let value = env::var(MODE).unwrap_or_default();
        let modes = [Self::Document, Self::Lint];
        modes.into_iter().find(|mode| mode.name() == value).unwrap_or(Self::Build)
    }

    /// Makes a call of Cargo lint the crates of the workspace.
    pub(crate) fn apply(self, cargo: &mut Command) {
        let wrapper =
            format!("build.rustc-workspace-wrapper={:?}", self.copy().display().to_string());
        cargo.args(["--config", &wrapper]).env(MODE, self.name());
    }

    /// The copy. Cargo shares crates between calls with the same path: [`Mode::Document`] uses what [`Mode::Build`] has
    /// built, and [`Mode::Lint`], which leaves libraries without code, has crates of its own.
    fn copy(self) -> PathBuf {
        let folder = if self == Self::Lint { "alone" } else { "shared" };
        let name = format!("{NAME}{}", env::consts::EXE_SUFFIX);
        root().join(target_dir()).join("lints").join(folder).join(name)
    }
}

/// Copies this program, which the build of the workspace replaces while Cargo calls it.
pub(crate) fn install() -> Result<(), String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    for copy in [Mode::Build.copy(), Mode::Lint.copy()] {
        // ignored: there may be none
        let _ = fs::remove_file(&copy);
        let folder = copy.parent().unwrap_or(&copy);
        let copied = fs::create_dir_all(folder).and_then(|()| fs::copy(&program, &copy));
        copied.map_err(|error| format!("cannot copy xtask to {}: {error}", copy.display()))?;
    }
    Ok(())
}

/// The result of the compiler call of Cargo that this process answers, or `None` if it is not such a call.
pub(crate) fn answer() -> Option<ExitCode> {
    let mut words = env::args();
    let name = words.next()?;
    if Path::new(&name).file_stem()? != NAME {
        return None;
    }
    let call = Call::new(PathBuf::from(words.next()?), words.collect());
    let result = call.run(Mode::from_env());
    Some(result.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::FAILURE
    }))
}

/// What Clippy writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// What the compiler would write without optimisation.
    Code,
    /// Metadata in the place of the output.
    Metadata,
    /// Metadata beside this program, because the output has been compiled.
    Discarded,
}

/// A call of the compiler by Cargo.
struct Call {
    compiler: PathBuf,
    arguments: Vec<String>,
}

impl Call {
    /// A call with the arguments of Cargo, which cannot give tests and libraries of a package different levels of
    /// optimisation. Most tests are not optimised: the libraries that they call are, and unit tests take seconds.
    fn new(compiler: PathBuf, arguments: Vec<String>) -> Self {
        let mut call = Self { compiler, arguments };
        let is_slow = call.value("--crate-name").is_some_and(|name| SLOW_TESTS.contains(&name));
        if !is_slow && call.arguments.iter().any(|word| word == "--test") {
            for word in call.arguments.iter_mut().filter(|word| word.starts_with("opt-level=")) {
                *word = "opt-level=0".to_owned();
            }
        }
        call
    }

    fn run(&self, mode: Mode) -> Result<ExitCode, String> {
        let Some(source) = self.source() else {
            return execute(&self.compiler, &self.arguments); // a query for the version
        };
        let is_build_script = self.value("--crate-name") == Some("build_script_build");
        let compiled = mode == Mode::Build || is_build_script;
        let mut tools = Vec::new();
        if compiled && self.is_optimised() {
            let warnings = ["-D".to_owned(), "warnings".to_owned()];
            let arguments = self.arguments.iter().cloned().chain(warnings).collect();
            tools.push((self.compiler.clone(), arguments));
            if !self.is_library() {
                tools.push((self.tool("clippy-driver"), self.clippy(Output::Discarded)));
            }
        } else {
            let output = if compiled { Output::Code } else { Output::Metadata };
            tools.push((self.tool("clippy-driver"), self.clippy(output)));
        }
        let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
        let has_documentation =
            self.has_documentation(source) && !UNDOCUMENTED.contains(&&package[..]);
        if mode != Mode::Lint && !is_build_script && has_documentation {
            tools.push((self.tool("rustdoc"), self.rustdoc(source)));
        }
        let mut code = ExitCode::SUCCESS;
        for (program, arguments) in tools {
            code = execute(&program, &arguments)?;
            if code != ExitCode::SUCCESS {
                break;
            }
        }
        if compiled {
            // ignored: nobody reads it
            let _ = fs::remove_dir_all(scratch());
        } else if mode == Mode::Lint && code == ExitCode::SUCCESS {
            self.write_placeholder()?;
        }
        Ok(code)
    }

    /// A program of the same toolchain.
    fn tool(&self, name: &str) -> PathBuf {
        self.compiler.with_file_name(name).with_extension(env::consts::EXE_EXTENSION)
    }

    /// The file that is compiled.
    fn source(&self) -> Option<&str> {
        self.arguments.iter().map(String::as_str).find(|word| word.ends_with(".rs"))
    }

    /// The word after a flag.
    fn value(&self, flag: &str) -> Option<&str> {
        let at = self.arguments.iter().position(|word| word == flag)?;
        self.arguments.get(at + 1).map(String::as_str)
    }

    /// Writes an empty file in the place of a library of which there is only metadata. Without it, Cargo would lint the
    /// library again in each call.
    fn write_placeholder(&self) -> Result<(), String> {
        let extra = self.arguments.iter().find_map(|word| word.strip_prefix("extra-filename="));
        let words = (self.value("--out-dir"), self.value("--crate-name"), extra);
        let (Some(folder), Some(name), Some(extra)) = words else { return Ok(()) };
        if !self.is_library() {
            return Ok(());
        }
        let file = Path::new(folder).join(format!("lib{name}{extra}.rlib"));
        fs::write(&file, []).map_err(|error| format!("cannot write {}: {error}", file.display()))
    }

    /// Whether the crate is a library, whose unit tests, which contain all of it, are another crate.
    fn is_library(&self) -> bool {
        self.value("--crate-type") == Some("lib")
    }

    /// Whether the crate is compiled with optimisation.
    fn is_optimised(&self) -> bool {
        let level = self.arguments.iter().find_map(|word| word.strip_prefix("opt-level="));
        level.is_some_and(|level| level != "0")
    }

    /// Arguments for Clippy.
    fn clippy(&self, output: Output) -> Vec<String> {
        let discarded = output == Output::Discarded;
        let mut arguments = vec![self.compiler.display().to_string()];
        let mut flag = "";
        for word in &self.arguments {
            let word = match word.split_once('=') {
                Some(("--emit", _)) if discarded => "--emit=metadata".to_owned(),
                Some(("--emit", _)) if output == Output::Metadata => {
                    "--emit=dep-info,metadata".to_owned()
                }
                Some(("--json", kinds)) if discarded => json(kinds),
                _ if flag == "--out-dir" && discarded => scratch().display().to_string(),
                Some((name, file)) if flag == "--extern" => format!("{name}={}", existing(file)),
                _ => word.clone(),
            };
            arguments.push(word);
            flag = self.arguments[arguments.len() - 2].as_str();
        }
        arguments.extend(["-D".to_owned(), "warnings".to_owned()]);
        arguments
    }

    /// Whether the crate is a library or a program, and not a test or an example.
    fn has_documentation(&self, source: &str) -> bool {
        let folders = Path::new(source).components();
        let in_src = folders.rev().skip(1).any(|folder| folder.as_os_str() == "src");
        in_src && !self.arguments.iter().any(|word| word == "--test")
    }

    /// Arguments for rustdoc: those of the compiler that say what the crate is and where its dependencies are.
    fn rustdoc(&self, source: &str) -> Vec<String> {
        const PAIRS: [&str; 6] =
            ["--crate-name", "--crate-type", "--cfg", "--check-cfg", "-L", "--extern"];
        let is_program = self.value("--crate-type") == Some("bin");
        // a program may have the name of its library
        let folder = if is_program { "doc-of-programs" } else { "doc" };
        let folder = root().join(target_dir()).join(folder).display().to_string();
        let mut arguments: Vec<String> =
            [source, "--out-dir", &folder, "-D", "warnings"].map(str::to_owned).into();
        if is_program {
            arguments.push("--document-private-items".to_owned());
        }
        for (flag, word) in self.arguments.iter().zip(&self.arguments[1..]) {
            if PAIRS.contains(&&flag[..]) {
                let word = match word.split_once('=') {
                    Some((name, file)) if flag == "--extern" => {
                        format!("{name}={}", existing(file))
                    }
                    _ => word.clone(),
                };
                arguments.extend([flag.clone(), word]);
                continue;
            }
            match flag.split_once('=') {
                Some(("--edition" | "--error-format", _)) => arguments.push(flag.clone()),
                Some(("--json", kinds)) => arguments.push(json(kinds)),
                _ => {}
            }
        }
        arguments
    }
}

/// Crates whose unit tests take longer without optimisation than the compiler takes to optimise them.
const SLOW_TESTS: [&str; 1] = ["sim_constraint"];

/// Packages without an API in Rust, whose documentation is read in the source.
const UNDOCUMENTED: [&str; 2] = ["sim-examples", "xtask"];

/// The kinds of messages without those that tell Cargo that the output exists.
fn json(kinds: &str) -> String {
    let kinds = kinds.split(',').filter(|&kind| kind != "artifacts");
    format!("--json={}", kinds.collect::<Vec<_>>().join(","))
}

/// Folder for output that nobody reads.
fn scratch() -> PathBuf {
    Mode::Build.copy().with_file_name(format!("metadata-{}", std::process::id()))
}

/// The file of a dependency, or its metadata if no code was generated.
fn existing(file: &str) -> String {
    let is_compiled = || fs::metadata(file).is_ok_and(|attributes| attributes.len() > 0);
    match file.strip_suffix(".rlib") {
        Some(stem) if !is_compiled() => format!("{stem}.rmeta"),
        _ => file.to_owned(),
    }
}

fn execute(program: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let status = Command::new(program).args(arguments).status();
    let status = status.map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &str) -> Call {
        let arguments = words.split(' ').map(str::to_owned).collect();
        Call::new(PathBuf::from("bin/rustc"), arguments)
    }

    const LIBRARY: &str = "--crate-name a --edition=2024 sim/a/src/lib.rs --error-format=json \
        --json=diagnostic-rendered-ansi,artifacts --crate-type lib --emit=dep-info,metadata,link -C opt-level=1 \
        --out-dir target/deps --extern b=target/deps/libb.rlib";

    #[test]
    fn clippy_replaces_the_output_only_if_nothing_is_compiled() {
        let beside = call(LIBRARY).clippy(Output::Discarded);
        assert!(beside.iter().any(|word| word == "--emit=metadata"));
        assert!(beside.iter().any(|word| word == "--json=diagnostic-rendered-ansi"));
        assert!(!beside.iter().any(|word| word == "target/deps"));
        let output = call(LIBRARY).clippy(Output::Metadata);
        assert!(output.iter().any(|word| word == "--emit=dep-info,metadata"));
        assert!(output.iter().any(|word| word == "--json=diagnostic-rendered-ansi,artifacts"));
        assert!(output.iter().any(|word| word == "target/deps"));
    }

    #[test]
    fn clippy_compiles_what_is_not_optimised() {
        assert!(call(LIBRARY).is_optimised());
        assert!(!call(&LIBRARY.replace("opt-level=1", "opt-level=0")).is_optimised());
        let program = call(&LIBRARY.replace("-C opt-level=1", ""));
        assert!(!program.is_optimised());
        let arguments = program.clippy(Output::Code);
        for word in ["--emit=dep-info,metadata,link", "target/deps", "-D"] {
            assert!(arguments.iter().any(|other| other == word), "{word}");
        }
    }

    #[test]
    fn tests_are_not_optimised() {
        assert!(!call(&format!("{LIBRARY} --test")).is_optimised());
    }

    #[test]
    fn clippy_and_rustdoc_deny_warnings_and_read_metadata_of_what_was_not_compiled() {
        for arguments in
            [call(LIBRARY).clippy(Output::Discarded), call(LIBRARY).rustdoc("sim/a/src/lib.rs")]
        {
            assert!(arguments.windows(2).any(|pair| pair == ["-D", "warnings"]));
            assert!(
                arguments.windows(2).any(|pair| pair == ["--extern", "b=target/deps/libb.rmeta"])
            );
        }
    }

    #[test]
    fn libraries_and_programs_are_documented_and_tests_and_examples_are_not() {
        let is_documented = |words: &str| {
            let call = call(words);
            call.has_documentation(call.source().unwrap())
        };
        assert!(is_documented("--crate-name a sim/a/src/lib.rs --crate-type lib"));
        assert!(is_documented("--crate-name a sim/a/src/main.rs --crate-type bin"));
        assert!(!is_documented("--crate-name a sim/a/src/lib.rs --test"));
        assert!(!is_documented("--crate-name a sim/a/examples/b.rs --crate-type bin"));
    }

    #[test]
    fn a_query_for_the_version_has_no_source() {
        assert_eq!(call("-vV").source(), None);
        assert_eq!(call("- --crate-name ___ --print=file-names").source(), None);
    }
}
