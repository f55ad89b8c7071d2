//! Formatting of attribute values: numbers that parse to the same value, and escaping.

use crate::spec::Tri;
use std::fmt::{Display, Write};

/// Numbers separated by spaces, each in the shortest form that parses to the same value.
pub(super) fn numbers<T: Display>(list: &[T]) -> String {
    let mut text = String::new();
    for (i, x) in list.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{x}");
    }
    text
}

pub(super) fn number(x: impl Display) -> String {
    x.to_string()
}

pub(super) const fn boolean(x: bool) -> &'static str {
    if x { "true" } else { "false" }
}

pub(super) const fn tri(x: Tri) -> &'static str {
    match x {
        Tri::False => "false",
        Tri::True => "true",
        Tri::Auto => "auto",
    }
}

/// Appends an escaped attribute value.
pub(super) fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Attribute normalization would turn line ends and tabs into spaces.
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
}
