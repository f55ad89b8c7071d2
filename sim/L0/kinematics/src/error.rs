//! The error type of this crate.

use sim_core::Model;
use sim_core::types::ObjType;

/// Invalid arguments of a chain or solver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model has no element of this name.
    #[error("the model has no {kind} named `{name}`{}", hint(.suggestion.as_deref(), .known))]
    UnknownName {
        /// Element type.
        kind: &'static str,
        /// The name.
        name: String,
        /// A similar name in the model.
        suggestion: Option<String>,
        /// The first few names in the model.
        known: Vec<String>,
    },
    /// The model has no element with this index.
    #[error("there is no {kind} {id}: the model has {count}")]
    NoSuchElement {
        /// Element type.
        kind: &'static str,
        /// Index of the element.
        id: usize,
        /// Number of elements of this type.
        count: usize,
    },
    /// A slice has the wrong length.
    #[error("{what} must have length {expected}, not {given}")]
    Length {
        /// Name of the slice.
        what: &'static str,
        /// Required length.
        expected: usize,
        /// Actual length.
        given: usize,
    },
    /// A solver without chains.
    #[error("a solver needs at least one chain")]
    NoChain,
    /// The chains of a solver come from models of different sizes.
    #[error("chain {index} belongs to another model than the first")]
    OtherModel {
        /// Index of the chain.
        index: usize,
    },
    /// An option is out of range.
    #[error("option `{name}` must be {range}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Description of the allowed range.
        range: &'static str,
    },
}

/// Maximum number of names listed in a message.
const LISTED: usize = 8;

fn hint(suggestion: Option<&str>, known: &[String]) -> String {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?"),
        None if known.is_empty() => String::new(),
        None => format!("; known names are {}", known.join(", ")),
    }
}

/// Checks the length of a slice.
#[inline(always)]
pub(crate) fn check_length(what: &'static str, given: usize, expected: usize) -> Result<(), Error> {
    if given == expected { Ok(()) } else { Err(Error::Length { what, expected, given }) }
}

/// Index of the element with this name.
pub(crate) fn find(
    m: &Model,
    kind: ObjType,
    word: &'static str,
    count: usize,
    name: &str,
) -> Result<usize, Error> {
    m.name2id(kind, name).ok_or_else(|| {
        let known = || (0..count).filter_map(|id| m.id2name(kind, id));
        let suggestion = nearest(name, known()).map(ToOwned::to_owned);
        let mut list: Vec<String> = known().take(LISTED).map(ToOwned::to_owned).collect();
        if known().nth(LISTED).is_some() {
            list.push("…".to_owned());
        }
        Error::UnknownName { kind: word, name: name.to_owned(), suggestion, known: list }
    })
}

/// The word with the smallest edit distance, if it is small relative to the length.
fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let best = known.map(|other| (distance(word, other), other)).min_by_key(|(d, _)| *d)?;
    (3 * best.0 <= word.chars().count().max(3)).then_some(best.1)
}

/// Levenshtein distance, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().map(|c| c.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn similar_names_are_suggested() {
        let names = ["hand", "forearm", "upper_arm"];
        let find = |name| nearest(name, names.into_iter());
        assert_eq!(find("hnad"), None);
        assert_eq!(find("han"), Some("hand"));
        assert_eq!(find("Forearm1"), Some("forearm"));
        assert_eq!(find("foot"), None);
    }
}
