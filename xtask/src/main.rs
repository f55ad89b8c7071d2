//! Development commands, one file per command: `cargo xtask COMMAND`.

mod bench;
mod browser;
mod ci;
mod conformance;
mod corpus;
mod driver;
mod envs;
mod instructions;
mod lints;
mod oracle;
mod python;
mod report;
mod shell;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  oracle [--version V]         create or update the Python environment with MuJoCo 3.8.0, or another release
  golden [FILTER]              re-record the goldens of our own models
  conformance [FILTER]         check our own models against the committed goldens
  conformance --live PATH…     compare every MJCF and URDF file below PATH with the running oracle
          [--states K] [--steps N] [--seed S] [--json FILE] [--only model|stages|trajectory|scene]
          [--oracle V]         another release of MuJoCo, report only
  conformance --random N       compare N generated models with the running oracle; shrink those that differ
          [--seed S] [--keep DIR] [--states K] [--steps N] [--json FILE]
  versions PATH… [-o FILE] [--oracle V] [--states K] [--steps N] [--seed S]
                               compare 3.8.0, another release (default: the newest) and our engine
  hulls [--meshes N] [--seed S] [PATH…]
                               compare convex hulls of point sets and mesh files with the running oracle
  images PATH… [--models N] [--sheet FILE] [--json FILE]
                               compare rendered images with those of the running oracle (libosmesa6)
  images --golden              re-record the goldens of images
  envs [--samples N] [--seed S] [TASK…]
                               compare the tasks of sim-envs with gymnasium: models, and random steps
  envs --golden [TASK…]        re-record the goldens of the tasks
  envs --bench [--threads 1,2] [--envs N] [--rounds N] [--gymnasium] [--json FILE] [TASK…]
                               throughput of the tasks, interleaved with EnvPool
  corpus                       download public model packages into target/corpus
  bench [SCENE…|PATH…] [--vs-mujoco] [--threads N] [--json FILE]
          [--solver pgs|cg|newton] [--cone pyramidal|elliptic] [--integrator euler|rk4|implicit|implicitfast]
                               a folder selects every model below it, and the table is sorted, worst first
  bench --gpu [MODEL…] [--worlds N,N…] [--steps N] [--json FILE]
  instructions [--record]      count instructions per step with Valgrind, and compare with the recorded counts
  browser [MODEL…]             test recordings in headless Chromium (needs Node.js and npm)
  python [--release]           build the Python package, run its tests, check its stubs and the stable ABI
  report [--conformance FILE]… [--performance FOLDER] [-o FILE]
                               write the results page docs/report.html from JSON files
  tidy                         check the rules of the code base that the compiler does not check
  ci                           run every check but those of the Python package: format, tidy, lints, documentation, tests";

fn main() -> ExitCode {
    if let Some(code) = lints::answer() {
        return code;
    }
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let result = match command.as_str() {
        "oracle" => oracle::run(&rest),
        "golden" => conformance::golden(&rest),
        "conformance" => conformance::run(&rest),
        "hulls" => conformance::hulls(&rest),
        "versions" => conformance::versions(&rest),
        "images" => conformance::images(&rest),
        "corpus" => corpus::run(),
        "envs" => envs::run(&rest),
        "bench" => bench::run(&rest),
        "browser" => browser::run(&rest),
        "instructions" => instructions::run(&rest),
        "python" => python::run(&rest),
        "report" => report::run(&rest),
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
