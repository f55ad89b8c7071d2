//! `Data`: state, inputs and results of a simulation.

mod bytes;
mod memory;
mod scratch;
mod serialize;
mod table;

pub(crate) use bytes::heap_bytes;
pub use memory::Memory;
pub(crate) use scratch::Scratch;
pub use table::Data;

/// Statistics of one warning (`mjWarningStat`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WarningStat {
    /// Index of the array entry that last raised the warning.
    pub lastinfo: usize,
    /// Number of times the warning was raised.
    pub number: usize,
}
