//! What can be wrong with an asset.

use super::hull::HullError;

/// Why an asset cannot be used. The caller knows the file and the element.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The bytes are not what their format promises.
    #[error("not a valid {format} file: {problem}")]
    Format {
        /// The format.
        format: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A size beyond what can be handled.
    #[error("{what} is too large: at most {limit}")]
    TooLarge {
        /// What has the size.
        what: &'static str,
        /// The largest size.
        limit: usize,
    },
    /// No decoder for this kind of content.
    #[error(
        "cannot read content of type `{0}`: meshes are STL, OBJ or MSH, height fields PNG or binary, textures PNG, KTX or binary"
    )]
    Unsupported(String),
    /// Well-formed data that means nothing.
    #[error("{0}")]
    Invalid(String),
    /// No convex hull.
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
