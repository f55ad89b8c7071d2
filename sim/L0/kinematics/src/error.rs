//! What can be wrong with a request.

use sim_core::Model;
use sim_core::types::ObjType;

/// What can be wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model has no element of this name.
    #[error("the model has no {kind} named `{name}`{}", hint(.suggestion.as_deref(), .known))]
    UnknownName {
        /// What was looked for.
        kind: &'static str,
        /// The name.
        name: String,
        /// A name that is there and is spelled almost the same.
        suggestion: Option<String>,
        /// Names that are there; not more than a few.
        known: Vec<String>,
    },
    /// The model has fewer elements of this kind.
    #[error("there is no {kind} {id}: the model has {count}")]
    NoSuchElement {
        /// What was looked for.
        kind: &'static str,
        /// Its number.
        id: usize,
        /// How many there are.
        count: usize,
    },
    /// A slice has the wrong length.
    #[error("{what} must have length {expected}, not {given}")]
    Length {
        /// The slice.
        what: &'static str,
        /// How long it must be.
        expected: usize,
        /// How long it is.
        given: usize,
    },
    /// A solver without anything to move.
    #[error("a solver needs at least one chain")]
    NoChain,
    /// The chains of a solver come from models of different sizes.
    #[error("chain {index} belongs to another model than the first")]
    OtherModel {
        /// The chain.
        index: usize,
    },
    /// An option is out of its range.
    #[error("option `{name}` must be {range}")]
    Option {
        /// The option.
        name: &'static str,
        /// What it may be.
        range: &'static str,
    },
}

/// Names that a message lists at most.
const LISTED: usize = 8;

fn hint(suggestion: Option<&str>, known: &[String]) -> String {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?"),
        None if known.is_empty() => String::new(),
        None => format!("; there are {}", known.join(", ")),
    }
}

/// Checks the length of a slice.
#[inline(always)]
pub(crate) fn check_length(what: &'static str, given: usize, expected: usize) -> Result<(), Error> {
    if given == expected { Ok(()) } else { Err(Error::Length { what, expected, given }) }
}

/// The number of the element with this name.
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

/// The word that needs the fewest changes, if these are few for its length.
fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let best = known.map(|other| (distance(word, other), other)).min_by_key(|(d, _)| *d)?;
    (3 * best.0 <= word.chars().count().max(3)).then_some(best.1)
}

/// How many letters have to be inserted, removed or exchanged (Levenshtein).
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
    fn slips_are_found_and_strangers_are_not() {
        let names = ["hand", "forearm", "upper_arm"];
        let find = |name| nearest(name, names.into_iter());
        assert_eq!(find("hnad"), None);
        assert_eq!(find("han"), Some("hand"));
        assert_eq!(find("Forearm1"), Some("forearm"));
        assert_eq!(find("foot"), None);
    }
}
