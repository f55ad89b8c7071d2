//! Formatting of counts, numbers and names for terminal output.

use sim_physics::Model;
use sim_physics::types::ObjType;

/// A count with its noun: "1 joint", "6 joints".
pub(crate) fn count(n: impl TryInto<u64>, singular: &str) -> String {
    // counts that do not fit are larger than one
    let n = n.try_into().unwrap_or(u64::MAX);
    match singular {
        noun if n == 1 => format!("1 {noun}"),
        "body" => format!("{n} bodies"),
        "deformable body" => format!("{n} deformable bodies"),
        "batch" => format!("{n} batches"),
        noun => format!("{n} {noun}s"),
    }
}

/// Values separated by spaces, with six decimals.
pub(crate) fn numbers(values: &[f64]) -> String {
    // values that round to zero are printed without a sign
    let shown = |x: &f64| format!("{:.6}", if x.abs() < 5e-7 { 0.0 } else { *x });
    values.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// The name of an element, or `#` and its index if it has none.
pub(crate) fn name_or_id(m: &Model, kind: ObjType, id: usize) -> String {
    match m.id2name(kind, id) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("#{id}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, numbers};

    #[test]
    fn nouns_agree_with_their_count() {
        assert_eq!(count(0, "keyframe"), "0 keyframes");
        assert_eq!(count(1, "keyframe"), "1 keyframe");
        assert_eq!(count(2_u64, "kinematic tree"), "2 kinematic trees");
        assert_eq!(count(1_u32, "body"), "1 body");
        assert_eq!(count(7_usize, "body"), "7 bodies");
        assert_eq!(count(3, "batch"), "3 batches");
    }

    #[test]
    fn negative_zero_is_printed_as_zero() {
        assert_eq!(numbers(&[-1e-9, 1.5]), "0.000000 1.500000");
    }
}
