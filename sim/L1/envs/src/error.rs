//! The error type of the crate.

use std::fmt;

/// An error of a vector environment.
///
/// `Debug` prints the same message as `Display`.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no built-in task with this name.
    #[error("there is no task `{id}`; the tasks are {}", crate::IDS.join(", "))]
    UnknownTask {
        /// The name.
        id: String,
    },
    /// A task has no option with this name.
    #[error("task `{task}` has no option `{name}`; its options are {known}")]
    UnknownOption {
        /// The task.
        task: String,
        /// The name.
        name: String,
        /// The names of all options, separated by commas.
        known: String,
    },
    /// An option has a value of the wrong type.
    #[error("option `{name}` takes {expected}, not {given}")]
    WrongType {
        /// The option.
        name: String,
        /// What it takes.
        expected: &'static str,
        /// What was given.
        given: String,
    },
    /// A number is outside of its range.
    #[error("`{name}` is {given}, but must be {expected}")]
    OutOfRange {
        /// The number.
        name: &'static str,
        /// Its value.
        given: String,
        /// The values that it may have.
        expected: &'static str,
    },
    /// The model does not have what the task needs.
    #[error("the model does not fit the task: {0}")]
    Model(String),
    /// A buffer has the wrong length.
    #[error("`{what}` has {given} values, but {expected} are needed")]
    WrongLength {
        /// The buffer.
        what: &'static str,
        /// Number of values needed.
        expected: usize,
        /// Number of values given.
        given: usize,
    },
    /// There is no environment with this index.
    #[error("there is no environment {index}: the number of environments is {count}")]
    NoSuchEnvironment {
        /// The index.
        index: usize,
        /// Number of environments.
        count: usize,
    },
    /// An environment was stepped before its first reset.
    #[error("environment {0} was not reset yet: call `reset` before the first `step`")]
    NotReset(usize),
    /// An episode ended, and automatic resets are disabled.
    #[error(
        "the episode of environment {0} has ended and automatic resets are disabled: \
         call `reset` with a mask that selects it"
    )]
    EpisodeEnded(usize),
    /// A reset with a mask that selects no environment.
    #[error("the reset mask selects no environment: set at least one entry")]
    EmptyMask,
    /// An error of the simulator: loading a model, starting threads, varying a model, or a step.
    #[error(transparent)]
    Physics(#[from] sim_physics::Error),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Checks the length of a buffer.
pub(crate) fn check_length(what: &'static str, expected: usize, given: usize) -> Result<(), Error> {
    if given == expected { Ok(()) } else { Err(Error::WrongLength { what, expected, given }) }
}
