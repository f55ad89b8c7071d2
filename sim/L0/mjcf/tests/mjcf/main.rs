//! Tests of the loader through its public API.

mod actuator;
mod compile;
mod deformable_meshes;
mod edit;
mod errors;
mod flex;
mod hostile;
mod include;
mod nontree;
mod plugin;
mod recompile;
mod save;
mod skin;
mod vfs;
mod xpbd;
