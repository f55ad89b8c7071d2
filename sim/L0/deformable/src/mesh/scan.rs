//! Lines and numbers of text files.

use crate::error::DeformableError;
use std::str::FromStr;

/// The lines of a text that say something, with their numbers.
pub(super) struct Lines<'a> {
    format: &'static str,
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// Number of the last line given.
    pub(super) line: usize,
}

/// One line, word by word.
pub(super) struct AtomicParticle<'a> {
    format: &'static str,
    pub(super) line: usize,
    words: std::str::SplitWhitespace<'a>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(format: &'static str, text: &'a str) -> Self {
        Self { format, lines: text.lines().enumerate(), line: 1 }
    }

    /// The next line that is not empty, comments after `#` left out.
    pub(super) fn next(&mut self) -> Option<AtomicParticle<'a>> {
        for (index, text) in self.lines.by_ref() {
            self.line = index + 1;
            let text = text.split('#').next().unwrap_or("");
            if !text.trim().is_empty() {
                let words = text.split_whitespace();
                return Some(AtomicParticle { format: self.format, line: self.line, words });
            }
        }
        None
    }

    /// The next line, which must be there.
    pub(super) fn expect(&mut self, what: &str) -> Result<AtomicParticle<'a>, DeformableError> {
        let line = self.line;
        self.next().ok_or_else(|| {
            syntax(self.format, line, format!("the text ends, but {what} should follow"))
        })
    }
}

impl<'a> AtomicParticle<'a> {
    pub(super) fn word(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// The next word as a number.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, DeformableError> {
        match self.words.next() {
            None => Err(self.wrong(format!("{what} is missing"))),
            Some(word) => {
                word.parse().map_err(|_| self.wrong(format!("{what} is not a number: `{word}`")))
            }
        }
    }

    /// The next three words as a point.
    pub(super) fn point(&mut self) -> Result<nalgebra::Vector3<f64>, DeformableError> {
        let mut x = nalgebra::Vector3::zeros();
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            x[axis] = self.number::<f64>(name)?;
            if !x[axis].is_finite() {
                return Err(self.wrong(format!("{name} is not finite")));
            }
        }
        Ok(x)
    }

    pub(super) fn wrong(&self, message: String) -> DeformableError {
        syntax(self.format, self.line, message)
    }
}

pub(super) fn syntax(format: &'static str, line: usize, message: String) -> DeformableError {
    DeformableError::Syntax { format, line, message }
}
