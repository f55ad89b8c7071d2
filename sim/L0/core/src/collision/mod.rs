//! Which geoms touch, where and how deep (`mj_collision`).

#![allow(dead_code, reason = "pairs are added family by family")]

mod convex;
mod shape;
mod touch;

pub use convex::{ConvexProbe, convex_contacts, convex_distance};
