//! Lists of numbers in attribute text, as strict as MuJoCo's reader.

use crate::error::ErrorKind;

/// Long words are shortened before they enter a message.
fn shown(word: &str) -> String {
    if word.chars().count() > 40 {
        format!("{}…", word.chars().take(40).collect::<String>())
    } else {
        word.to_owned()
    }
}

/// The white-space separated whole numbers of `text`, at most `max + 1` of them.
pub(crate) fn integers(text: &str, max: usize) -> Result<Vec<i32>, ErrorKind> {
    let mut numbers = Vec::new();
    for word in text.split_ascii_whitespace().take(max.saturating_add(1)) {
        numbers.push(word.parse().map_err(|_| ErrorKind::BadNumber {
            word: shown(word),
            expected: if word.parse::<f64>().is_ok() {
                "a whole number between -2147483648 and 2147483647"
            } else {
                "a whole number"
            },
        })?);
    }
    Ok(numbers)
}

/// Whether a number is written as zero: no digit before the exponent is another.
fn is_zero(word: &str) -> bool {
    word.bytes().take_while(|b| !matches!(b, b'e' | b'E')).all(|b| !matches!(b, b'1'..=b'9'))
}

/// The white-space separated real numbers of `text`, at most `max + 1` of them.
///
/// `nan` is never a number here, and infinity only where `infinite` allows it.
pub fn reals(text: &str, max: usize, infinite: bool) -> Result<Vec<f64>, ErrorKind> {
    let mut numbers = Vec::new();
    for word in text.split_ascii_whitespace().take(max.saturating_add(1)) {
        let bad = |expected| ErrorKind::BadNumber { word: shown(word), expected };
        let value: f64 = word.parse().map_err(|_| {
            bad(if word.contains(',') {
                "a number; separate numbers by spaces"
            } else {
                "a number"
            })
        })?;
        if value.is_nan() {
            return Err(bad("a number that can be computed with"));
        }
        // Too small for full precision: neither zero as written nor a normal number.
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
