//! Putting a part of a model into a model: what `replicate`, `attach` and [`Spec::attach`] share.
//!
//! A [`Fragment`] is a subtree together with everything that refers to it by name. It is taken out
//! of a spec and put back once or many times, each time under new names.

mod attach;
mod delete;
mod fragment;
mod keys;
mod refers;
mod replicate;
mod weight;

pub use attach::AttachError;
pub(super) use fragment::Fragment;
pub(crate) use replicate::{Replicate, Trouble};
