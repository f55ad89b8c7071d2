//! Errors of a recording.

use sim_core::types::StepError;

/// A recording that cannot be continued or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The poses and forces of a state cannot be computed.
    #[error("the state cannot be recorded: {0}")]
    State(#[from] StepError),
    /// The state is not one of the recorded model.
    #[error(
        "the state has {found} positions and the model of the recording {expected}; \
         record states of the model that was passed to `Recording::new`"
    )]
    OtherModel {
        /// Number of positions of the state.
        found: usize,
        /// Number of positions of the model.
        expected: usize,
    },
    /// No frame was recorded.
    #[error("the recording has no frames; call `push` before it is written")]
    Empty,
    /// The page cannot be written.
    #[error("the recording cannot be written: {0}")]
    Write(#[from] std::io::Error),
}
