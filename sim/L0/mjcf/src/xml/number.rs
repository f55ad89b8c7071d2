//! Parsing of lists of numbers, as strict as in MuJoCo.

use crate::error::ErrorKind;

/// Truncates long text for error messages.
fn truncated(word: &str) -> String {
    if word.chars().count() > 40 {
        format!("{}…", word.chars().take(40).collect::<String>())
    } else {
        word.to_owned()
    }
}

/// Parses whitespace-separated integers, at most `max + 1`.
pub(crate) fn integers(text: &str, max: usize) -> Result<Vec<i32>, ErrorKind> {
    let mut numbers = Vec::new();
    for word in text.split_ascii_whitespace().take(max.saturating_add(1)) {
        numbers.push(word.parse().map_err(|_| ErrorKind::BadNumber {
            word: truncated(word),
            expected: if word.parse::<f64>().is_ok() {
                "an integer between -2147483648 and 2147483647"
            } else {
                "an integer"
            },
        })?);
    }
    Ok(numbers)
}

/// Whether a number literal is zero: no nonzero digit before the exponent.
fn is_zero(word: &str) -> bool {
    word.bytes().take_while(|b| !matches!(b, b'e' | b'E')).all(|b| !matches!(b, b'1'..=b'9'))
}

/// Parses whitespace-separated real numbers, at most `max + 1`.
///
/// NaN is rejected, and infinity unless `infinite`.
pub fn reals(text: &str, max: usize, infinite: bool) -> Result<Vec<f64>, ErrorKind> {
    let mut numbers = Vec::new();
    for word in text.split_ascii_whitespace().take(max.saturating_add(1)) {
        let bad = |expected| ErrorKind::BadNumber { word: truncated(word), expected };
        let value: f64 = word.parse().map_err(|_| {
            bad(if word.contains(',') {
                "a number; separate numbers by spaces"
            } else {
                "a number"
            })
        })?;
        if value.is_nan() {
            return Err(bad("a number (NaN is not allowed)"));
        }
        // Subnormal: neither zero nor a normal number.
        if value.abs() < f64::MIN_POSITIVE && !is_zero(word) {
            return Err(bad("a number that fits in double precision"));
        }
        if value.is_infinite() {
            if word.bytes().any(|b| b.is_ascii_digit()) {
                return Err(bad("a number that fits in double precision"));
            }
            if !infinite {
                return Err(bad("a finite number"));
            }
        }
        numbers.push(value);
    }
    Ok(numbers)
}
