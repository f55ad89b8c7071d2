//! Terms that must not return: private expressions that were replaced by standard terminology.
//!
//! A term is a sequence of words. Source text is split into words at everything that is not alphanumeric
//! and at the humps of camel case, so that `soup` also matches `soup_faces` and `TriangleSoup`. The last
//! word also matches its plural with an `s`.

use super::Violation;

/// A forbidden term.
struct Term {
    /// Its words in lower case, separated by spaces.
    words: &'static str,
    /// What to write instead.
    instead: &'static str,
}

const fn term(words: &'static str, instead: &'static str) -> Term {
    Term { words, instead }
}

/// All forbidden terms.
const TERMS: &[Term] = &[
    term("begin anew", "`reset` or `cold-start`"),
    term("begins anew", "`resets` or `cold-starts`"),
    term("crew", "`active group`"),
    term("fours", "`vec4 columns`"),
    term("geoms touch", "\"geoms are in contact\""),
    term("halted", "`suspended`"),
    term("keeps others company", "\"inactive tree groups only take part in the barriers\""),
    term("kernel s text", "`WGSL source`"),
    term("left alone", "`skipped`"),
    term("lent", "`ActuatorDofTerms` (armature and damping)"),
    term("limb", "`chain`"),
    term("list near", "`list_deferred`"),
    term("max near", "`max_deferred`"),
    term("mend", "`fix`"),
    term("mended", "`fixed`"),
    term("near count", "`deferred_count`"),
    term("near geom", "`tile_geoms`"),
    term("near pair", "`deferred pairs`"),
    term("numbers per environment", "`reals per environment`"),
    term("on a card", "\"on a GPU\""),
    term("place array", "`set_array_offsets`"),
    term("plain drive", "`affine_actuators`"),
    term("scalar drive", "`scalar_transmission`"),
    term("sift", "`filter`"),
    term("sleeper", "`sleeping trees`"),
    term("soften", "`impedance`"),
    term("softness", "`SolParams` (solref, solimp)"),
    term("soup", "`triangle mesh` (`trimesh`)"),
    term("sphere reach", "`contact_distance`"),
    term("spread over cone", "`regularize_cone`"),
    term("text of a kernel", "`WGSL source`"),
    term("the card", "\"the GPU\""),
    term("the processor", "\"the CPU\""),
    term("touch each other", "\"are in contact\""),
    term("who sleeps", "`tree_asleep`"),
];

/// Files in which a term is data.
const EXCEPTIONS: &[&str] = &["xtask/src/tidy/terms.rs"];

pub(super) fn check(path: &str, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    if EXCEPTIONS.contains(&path) {
        return violations;
    }
    if path.ends_with("/laws.rs") {
        violations.push(Violation::new(path, 1, "name the file after its content or `tests.rs`"));
    }
    let terms: Vec<Vec<&str>> = TERMS.iter().map(|t| t.words.split(' ').collect()).collect();
    for (index, line) in text.lines().enumerate() {
        let words = words(line);
        for (term, sequence) in TERMS.iter().zip(&terms) {
            if words.windows(sequence.len()).any(|window| matches(window, sequence)) {
                let rule = format!("`{}` is private language: write {}", term.words, term.instead);
                violations.push(Violation::new(path, index + 1, rule));
            }
        }
    }
    violations
}

/// Whether words are those of a term, of which the last one may be in the plural.
fn matches(window: &[String], sequence: &[&str]) -> bool {
    let (Some((last, first)), Some((term_last, term_first))) =
        (window.split_last(), sequence.split_last())
    else {
        return false;
    };
    let is_last = last == term_last || last.strip_suffix('s') == Some(term_last);
    is_last && first == term_first
}

/// The words of a line in lower case.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous_lower = false;
    for c in line.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && previous_lower) {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        previous_lower = c.is_lowercase();
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

#[cfg(test)]
mod tests {
    use super::{check, words};

    #[test]
    fn lines_are_split_into_words() {
        assert_eq!(
            words("let aB = TriangleMesh::new(x_y);"),
            ["let", "a", "b", "triangle", "mesh", "new", "x", "y"]
        );
    }

    #[test]
    fn forbidden_terms_are_found() {
        let term = super::TERMS[0].words;
        assert_eq!(check("a.rs", &format!("// ok\nfn {term}_rows() {{}}\n"))[0].at, "a.rs:2");
        assert!(check("a.rs", &format!("un{term}\n")).is_empty());
        assert_eq!(check("a.rs", &format!("{term}s\n")).len(), 1);
    }
}
