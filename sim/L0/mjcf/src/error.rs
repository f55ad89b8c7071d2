//! Errors and warnings with their source locations.

use std::fmt;

/// Maximum number of errors collected from one model.
pub(crate) const MAX_ERRORS: usize = 50;

/// Message of the last warning if the limit is exceeded.
const MORE_WARNINGS: &str = "and further elements have warnings, which are not listed";

/// A location in a source file; lines and columns are 1-based.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// File name, or `<string>` for text that did not come from a file.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column, in characters.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Kinds of errors.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be read.
    #[error("cannot read the file: {0}")]
    Io(String),
    /// A file could not be written.
    #[error("cannot write the file: {0}")]
    Write(String),
    /// The text is not well-formed XML.
    #[error("not well-formed XML: {0}")]
    Xml(String),
    /// An element that is not allowed here.
    #[error("unknown element in <{parent}>{}", did_you_mean(.suggestion))]
    UnknownElement {
        /// The parent element.
        parent: String,
        /// A known element with a similar name.
        suggestion: Option<String>,
    },
    /// An attribute that the element does not support.
    #[error("unknown attribute{}", did_you_mean(.suggestion))]
    UnknownAttribute {
        /// A known attribute with a similar name.
        suggestion: Option<String>,
    },
    /// A valid MJCF feature that is not supported.
    #[error("valid MJCF, but {0} is not supported yet")]
    Unsupported(String),
    /// An element that may occur only once.
    #[error("may occur only once in <{parent}>")]
    Repeated {
        /// The parent element.
        parent: String,
    },
    /// A required attribute is missing.
    #[error("required attribute is missing")]
    MissingAttribute,
    /// Text that is not a number of the expected type.
    #[error("`{word}` is not {expected}")]
    BadNumber {
        /// The text.
        word: String,
        /// Description of the expected type.
        expected: &'static str,
    },
    /// Too few or too many numbers.
    #[error("expected {expected}, found {found}")]
    WrongCount {
        /// Expected count.
        expected: String,
        /// Actual count.
        found: usize,
    },
    /// Text that is not one of the allowed keywords.
    #[error("`{word}` is not one of {}{}", .allowed.join(", "), did_you_mean(.suggestion))]
    BadKeyword {
        /// The text.
        word: String,
        /// The allowed keywords.
        allowed: Vec<String>,
        /// A similar keyword.
        suggestion: Option<String>,
    },
    /// Two elements of the same type with the same name.
    #[error("repeated name `{name}`: the other {kind} of that name is at {first}")]
    RepeatedName {
        /// The name.
        name: String,
        /// Element type.
        kind: &'static str,
        /// Location of the first element with this name.
        first: Location,
    },
    /// A reference to an element that does not exist.
    #[error("no {kind} is named `{name}`{}", did_you_mean(.suggestion))]
    UnknownName {
        /// Type of the referenced element.
        kind: &'static str,
        /// The unknown name.
        name: String,
        /// A similar name that exists.
        suggestion: Option<String>,
    },
    /// A well-formed but invalid value.
    #[error("{0}")]
    Invalid(String),
    /// The limit of listed errors was reached.
    #[error("too many errors; the rest are not listed")]
    TooMany,
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or_else(String::new, |s| format!("; did you mean `{s}`?"))
}

/// An error in a model, with its location.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{location}: error: {}{kind}", context(.element, .attribute))]
pub struct Error {
    /// Source location.
    pub location: Location,
    /// Element name; empty if the error is not within an element.
    pub element: String,
    /// Attribute name, if the error is about an attribute.
    pub attribute: Option<String>,
    /// The kind of error.
    #[source]
    pub kind: ErrorKind,
}

fn context(element: &str, attribute: &Option<String>) -> String {
    match (element, attribute) {
        ("", _) => String::new(),
        (e, None) => format!("<{e}> "),
        (e, Some(a)) => format!("<{e}> attribute \"{a}\": "),
    }
}

/// All errors of a model, in order of detection.
#[derive(Clone, Default, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Errors(Vec<Error>);

/// Formats as [`fmt::Display`] does: a `main` that returns the errors prints readable messages.
impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Errors {
    /// The errors.
    #[must_use]
    pub fn as_slice(&self) -> &[Error] {
        &self.0
    }

    /// Iterates over the errors.
    pub fn iter(&self) -> std::slice::Iter<'_, Error> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Errors {
    type Item = &'a Error;
    type IntoIter = std::slice::Iter<'a, Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A warning about a valid but suspicious part of a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{location}: warning: <{element}> {message}")]
pub struct Warning {
    /// Source location.
    pub location: Location,
    /// Element name.
    pub element: String,
    /// Description.
    pub message: String,
}

/// Collects errors and warnings.
#[derive(Debug, Default)]
pub struct Report {
    errors: Vec<Error>,
    pub(crate) warnings: Vec<Warning>,
}

impl Report {
    /// Adds an error, unless the limit is reached.
    pub fn error(
        &mut self,
        location: Location,
        element: &str,
        attribute: Option<&str>,
        kind: ErrorKind,
    ) {
        if self.errors.len() > MAX_ERRORS {
            return;
        }
        let kind = if self.errors.len() == MAX_ERRORS { ErrorKind::TooMany } else { kind };
        self.errors.push(Error {
            location,
            element: element.to_owned(),
            attribute: attribute.map(ToOwned::to_owned),
            kind,
        });
    }

    /// Adds an existing error.
    pub(crate) fn push(&mut self, error: Error) {
        let Error { location, element, attribute, kind } = error;
        self.error(location, &element, attribute.as_deref(), kind);
    }

    /// Adds a warning, unless it is a duplicate or the limit is reached.
    pub fn warning(&mut self, location: Location, element: &str, message: impl Into<String>) {
        if self.warnings.len() > MAX_ERRORS {
            return;
        }
        let last = self.warnings.len() == MAX_ERRORS;
        let message = if last { MORE_WARNINGS.to_owned() } else { message.into() };
        let warning = Warning { location, element: element.to_owned(), message };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Removes and returns the warnings.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Whether the limit of errors is reached.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.errors.len() > MAX_ERRORS
    }

    /// Whether there are no errors.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.errors.is_empty()
    }

    /// Removes the errors and returns them as an error, if there are any.
    ///
    /// # Errors
    ///
    /// All collected errors.
    pub fn check(&mut self) -> Result<(), Errors> {
        if self.errors.is_empty() { Ok(()) } else { Err(Errors(std::mem::take(&mut self.errors))) }
    }
}
