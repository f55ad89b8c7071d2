//! Every model of ours is either refused by name or steps as on the processor.

use crate::compare::compare;
use crate::models::{files, load};
use sim_gpu::{GpuBatchError, Options, Precision};

#[test]
fn every_model_agrees_or_is_refused() {
    let options = Options { precision: Precision::Double, ..Options::default() };
    let mut failures = Vec::new();
    let (mut stepped, mut refused) = (0, 0);
    for path in files() {
        let name = path.file_name().map(|n| n.to_string_lossy().to_string()).unwrap_or_default();
        if std::env::var("ONLY").is_ok_and(|only| !name.contains(&only)) {
            continue;
        }
        match compare(&load(&path), 2, &options) {
            Ok(outcome) => {
                stepped += 1;
                let bad = |&(_, worst): &(&str, f64)| !(worst < 1e-8);
                let worst: Vec<_> = outcome.worst.iter().copied().filter(bad).collect();
                if !worst.is_empty() {
                    failures.push(format!("{name}: {worst:?} ({} rows)", outcome.rows));
                }
            }
            Err(GpuBatchError::Unsupported { what, .. }) => {
                refused += 1;
                println!("{name}: refused, {what}");
            }
            Err(error) => failures.push(format!("{name}: {error}")),
        }
    }
    println!("{stepped} stepped, {refused} refused");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
