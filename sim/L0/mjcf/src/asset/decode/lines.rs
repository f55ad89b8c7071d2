//! Line-by-line tokenizer of text mesh formats: whitespace-separated fields, comments after `#`.

use crate::asset::error::AssetError;
use std::str::FromStr;

/// The non-empty lines of a text.
pub(super) struct Lines<'a> {
    format: &'static str,
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// Number of the current line, from 1.
    line: usize,
}

/// The fields of a line.
pub(super) struct Fields<'a> {
    format: &'static str,
    pub(super) line: usize,
    fields: std::str::SplitWhitespace<'a>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(format: &'static str, text: &'a str) -> Self {
        Self { format, lines: text.lines().enumerate(), line: 1 }
    }

    /// The next line that is not empty without its comment.
    pub(super) fn next(&mut self) -> Option<Fields<'a>> {
        for (index, text) in self.lines.by_ref() {
            self.line = index + 1;
            let text = text.split('#').next().unwrap_or("");
            if !text.trim().is_empty() {
                let fields = text.split_whitespace();
                return Some(Fields { format: self.format, line: self.line, fields });
            }
        }
        None
    }

    /// The next line, or an error if the text ends.
    pub(super) fn expect(&mut self, what: &str) -> Result<Fields<'a>, AssetError> {
        let line = self.line;
        self.next().ok_or_else(|| {
            syntax(self.format, line, &format!("the text ends, but {what} should follow"))
        })
    }
}

impl<'a> Fields<'a> {
    /// The next field.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        self.fields.next()
    }

    /// The next field as a number.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, AssetError> {
        match self.fields.next() {
            None => Err(self.error(&format!("{what} is missing"))),
            Some(field) => {
                field.parse().map_err(|_| self.error(&format!("{what} is not a number: `{field}`")))
            }
        }
    }

    /// The next three fields as a finite point.
    pub(super) fn point(&mut self) -> Result<nalgebra::Vector3<f64>, AssetError> {
        let mut x = nalgebra::Vector3::zeros();
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            x[axis] = self.number::<f64>(name)?;
            if !x[axis].is_finite() {
                return Err(self.error(&format!("{name} is not finite")));
            }
        }
        Ok(x)
    }

    pub(super) fn error(&self, message: &str) -> AssetError {
        syntax(self.format, self.line, message)
    }
}

/// An error at a line.
pub(super) fn syntax(format: &'static str, line: usize, message: &str) -> AssetError {
    AssetError::format(format, format!("line {line}: {message}"))
}
