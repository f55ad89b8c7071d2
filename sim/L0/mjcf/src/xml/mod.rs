//! XML parsing with source locations, and expansion of includes.

mod dom;
mod include;
mod number;
mod parse;

pub(crate) use dom::{Attr, Dom, NodeId};
pub(crate) use include::{IGNORED_TEXT, read};
pub(crate) use number::integers;
pub use number::reals;
