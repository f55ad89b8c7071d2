//! Which geoms touch, where and how deep (`mj_collision`).

#![allow(dead_code, reason = "pairs are added family by family")]

mod shape;
mod touch;
