//! Errors of assets.

use super::hull::HullError;

/// Error of an asset; the caller adds the file and the element.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AssetError {
    /// Malformed file.
    #[error("not a valid {format} file: {problem}")]
    Format {
        /// The format.
        format: &'static str,
        /// Description of the problem.
        problem: String,
    },
    /// A size exceeds its limit.
    #[error("{what} exceeds the limit of {limit}")]
    TooLarge {
        /// The quantity.
        what: &'static str,
        /// Maximum value.
        limit: usize,
    },
    /// No decoder exists for the content type.
    #[error(
        "unsupported content type `{0}`; supported are STL, OBJ and MSH for meshes, PNG and binary for height fields, PNG, KTX and binary for textures"
    )]
    Unsupported(String),
    /// Well-formed but inconsistent or invalid data.
    #[error("{0}")]
    Invalid(String),
    /// The convex hull cannot be computed.
    #[error(transparent)]
    Hull(#[from] HullError),
}

impl AssetError {
    pub(super) fn format(format: &'static str, problem: impl Into<String>) -> Self {
        Self::Format { format, problem: problem.into() }
    }

    pub(super) fn invalid(problem: impl Into<String>) -> Self {
        Self::Invalid(problem.into())
    }
}
