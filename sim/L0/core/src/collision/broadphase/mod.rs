//! Broad phase (`mj_broadphase`): the geom pairs that need a narrow-phase test.
//!
//! Small models test a precomputed list of all pairs that the filters allow, and skip separated pairs by
//! bounds on the motion of their geoms. Large models find pairs by sweep and prune in every step.

mod motion_bound;
mod pair_table;
mod pairs;
mod proxy;
mod sap;
mod two_level;

pub(super) use motion_bound::{BLOCK, BoundKey, MotionBound};
pub(crate) use pair_table::PairTable;
pub(super) use pair_table::{BoundTest, Candidate, PairKey, Proxy, SapItem};
pub(super) use pairs::{Candidates, dynamic_key, enumerate_pairs};
pub(crate) use sap::Sap;
pub(super) use sap::TwoLevelSap;
pub(super) use two_level::Swept;
