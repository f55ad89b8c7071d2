//! Text labels: names of objects, and numbers in the formats of C's `printf`.

use sim_core::Model;
use sim_core::types::ObjType;

/// Longest label in bytes; MuJoCo stores 100 including the terminator.
pub(crate) const MAX: usize = 99;

/// Label of an object: its name, or its type and id.
pub(crate) fn object(m: &Model, kind: ObjType, id: usize) -> String {
    let text = match (m.id2name(kind, id), kind.name()) {
        (Some(name), _) => name.to_owned(),
        (None, Some(kind)) => format!("{kind} {id}"),
        (None, None) => id.to_string(),
    };
    truncated(text, MAX)
}

/// The text, shortened to at most `max` bytes at a character boundary.
pub(crate) fn truncated(mut text: String, max: usize) -> String {
    if text.len() > max {
        let end = (0..=max).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
    }
    text
}

/// A number with three significant digits, as C's `%.3g`: scientific notation if its exponent is below -4 or
/// above 2, without trailing zeros.
pub(crate) fn general(x: f64) -> String {
    if !x.is_finite() {
        return if x.is_nan() { "nan".into() } else { format!("{x}") };
    }
    // rounding to three digits determines the exponent
    let text = format!("{x:.2e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..3).contains(&exponent) {
        let decimals = usize::try_from(2 - exponent).unwrap_or(0);
        trim(&format!("{x:.decimals$}"))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(digits), exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::{general, truncated};

    #[test]
    fn general_format_is_that_of_c() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (9.81, "9.81"),
            (12.3456, "12.3"),
            (999.6, "1e+03"),
            (123456.0, "1.23e+05"),
            (0.000_123_45, "0.000123"),
            (0.000_012_345, "1.23e-05"),
            (100.0, "100"),
            (-0.5, "-0.5"),
        ];
        for (x, text) in cases {
            assert_eq!(general(x), text);
        }
    }

    #[test]
    fn truncation_keeps_characters_whole() {
        assert_eq!(truncated("abcé".into(), 4), "abc");
        assert_eq!(truncated("abcé".into(), 5), "abcé");
    }
}
