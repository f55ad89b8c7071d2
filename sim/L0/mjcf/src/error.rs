//! Everything that can be wrong with a model, with the place where it is wrong.

use std::fmt;

/// At most this many errors are collected from one model.
pub(crate) const MAX_ERRORS: usize = 50;

/// What the last warning says when there are more.
const MORE_WARNINGS: &str = "begins the warnings that are not listed: there are too many";

/// A place in a source file; lines and columns count from 1.
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

/// What is wrong.
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
    /// An element that MJCF does not know here.
    #[error("unknown element in <{parent}>{}", did_you_mean(.suggestion))]
    UnknownElement {
        /// The element around it.
        parent: String,
        /// A known element with a similar name.
        suggestion: Option<String>,
    },
    /// An attribute that the element does not have.
    #[error("unknown attribute{}", did_you_mean(.suggestion))]
    UnknownAttribute {
        /// A known attribute with a similar name.
        suggestion: Option<String>,
    },
    /// Valid MJCF that this version cannot compile.
    #[error("valid MJCF, but {0} is not supported yet")]
    Unsupported(String),
    /// An element that may occur only once.
    #[error("may occur only once in <{parent}>")]
    Repeated {
        /// The element around it.
        parent: String,
    },
    /// An attribute without which the element means nothing.
    #[error("required attribute is missing")]
    MissingAttribute,
    /// A word that should be a number.
    #[error("`{word}` is not {expected}")]
    BadNumber {
        /// The word.
        word: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// Too few or too many numbers.
    #[error("expected {expected}, found {found}")]
    WrongCount {
        /// How many there should be.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// A word that is not one of the allowed ones.
    #[error("`{word}` is not one of {}{}", .allowed.join(", "), did_you_mean(.suggestion))]
    BadKeyword {
        /// The word.
        word: String,
        /// The allowed words.
        allowed: Vec<String>,
        /// The nearest of them.
        suggestion: Option<String>,
    },
    /// Two elements of one kind with the same name.
    #[error("repeated name `{name}`: the other {kind} of that name is at {first}")]
    RepeatedName {
        /// The name.
        name: String,
        /// The kind of element.
        kind: &'static str,
        /// Where the name was used first.
        first: Location,
    },
    /// A reference to an element that does not exist.
    #[error("no {kind} is named `{name}`{}", did_you_mean(.suggestion))]
    UnknownName {
        /// The kind of element looked for.
        kind: &'static str,
        /// The name looked for.
        name: String,
        /// A similar name that exists.
        suggestion: Option<String>,
    },
    /// A value that is well formed but means nothing.
    #[error("{0}")]
    Invalid(String),
    /// More errors follow than are listed.
    #[error("too many errors; the rest are not listed")]
    TooMany,
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or_else(String::new, |s| format!("; did you mean `{s}`?"))
}

/// One thing that is wrong with a model, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{location}: error: {}{kind}", place(.element, .attribute))]
pub struct Error {
    /// Where.
    pub location: Location,
    /// The element, without brackets; empty when the trouble is not inside an element.
    pub element: String,
    /// The attribute, if one is to blame.
    pub attribute: Option<String>,
    /// What is wrong.
    #[source]
    pub kind: ErrorKind,
}

fn place(element: &str, attribute: &Option<String>) -> String {
    match (element, attribute) {
        ("", _) => String::new(),
        (e, None) => format!("<{e}> "),
        (e, Some(a)) => format!("<{e}> attribute \"{a}\": "),
    }
}

/// Everything found wrong with a model, in the order of discovery.
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

/// Something in a model that loads but probably does not mean what its author thinks.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{location}: warning: <{element}> {message}")]
pub struct Warning {
    /// Where.
    pub location: Location,
    /// The element.
    pub element: String,
    /// What to look at.
    pub message: String,
}

/// Collects errors and warnings while a pass goes on.
#[derive(Debug, Default)]
pub struct Report {
    errors: Vec<Error>,
    pub(crate) warnings: Vec<Warning>,
}

impl Report {
    /// Adds an error, unless there are already too many.
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

    /// Adds an error that another pass found.
    pub(crate) fn push(&mut self, error: Error) {
        let Error { location, element, attribute, kind } = error;
        self.error(location, &element, attribute.as_deref(), kind);
    }

    /// Adds a warning, unless it is there already or there are too many.
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

    /// The warnings; they are taken out.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Whether further errors would be dropped.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.errors.len() > MAX_ERRORS
    }

    /// Whether no error was added.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors, if there are any; they are taken out.
    ///
    /// # Errors
    ///
    /// Every error that was added.
    pub fn check(&mut self) -> Result<(), Errors> {
        if self.errors.is_empty() { Ok(()) } else { Err(Errors(std::mem::take(&mut self.errors))) }
    }
}
