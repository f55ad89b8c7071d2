//! Compares every task with recordings of gymnasium: `gymnasium FOLDER`, called by `cargo xtask envs`.

#[path = "../tests/gymnasium/compare.rs"]
mod compare;

use compare::{TOLERANCE, compare};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: gymnasium FOLDER");
        return ExitCode::FAILURE;
    };
    let mut failed = false;
    for task in sim_envs::IDS {
        let path = Path::new(&folder).join(format!("{task}.npz"));
        if !path.is_file() {
            continue;
        }
        let worst = compare(task, &path);
        let differs = worst.error > TOLERANCE;
        failed |= differs;
        let verdict = if differs { "differs" } else { "agrees" };
        println!(
            "{task}: {verdict}; {} of {} values differ, {} are ill-conditioned; worst {:.1e} in sample {}, {}",
            worst.beyond, worst.count, worst.excused, worst.error, worst.sample, worst.field
        );
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
