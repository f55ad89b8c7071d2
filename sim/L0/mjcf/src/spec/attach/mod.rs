//! Copying of subtrees within and between specs: `replicate`, `attach` and [`Spec::attach`]
//! (mjs_attach), and deletion of bodies (mjs_delete).
//!
//! A [`Subtree`] is a subtree with all elements that refer to it by name. It is extracted from a
//! spec and inserted once or several times, each time with new names.

mod attach_spec;
mod delete;
mod expansion_cost;
mod keyframe;
mod reference;
mod replicate;
mod subtree;

pub use attach_spec::AttachError;
pub(crate) use replicate::{Replicate, ReplicateError};
pub(super) use subtree::Subtree;
