//! Values as text: numbers that read back as the same numbers, and escaped characters.

use crate::spec::Tri;
use std::fmt::{Display, Write};

/// Numbers separated by spaces; each is the shortest text that reads back as the same number.
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

/// Adds text as the value of an attribute.
pub(super) fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Line ends and tabs would be read back as spaces.
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
}
