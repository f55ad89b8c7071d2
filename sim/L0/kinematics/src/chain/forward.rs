//! Forward kinematics of a chain: one pass from base to tip.
//!
//! The motion of a joint is first multiplied with the constant transform after it, which does not
//! depend on the previous joints, so that the dependency chain has one matrix product per joint.

use super::build::orientation;
use super::{Chain, Link, Motion};
use crate::Frame;
use sim_core::math::{quat, trig};
use sim_simd::dispatch;

/// Number of joints whose sines and cosines are computed at once.
const BLOCK: usize = 8;

impl Chain {
    /// Computes the frames of all joints and of the tip. `qpos` has length `nq`, `frames` one more
    /// entry than there are links.
    #[inline]
    pub(crate) fn compute_frames(&self, qpos: &[f64], frames: &mut [Frame]) {
        let chain = self;
        dispatch!(forward_inline(chain: &Chain, qpos: &[f64], frames: &mut [Frame]));
    }
}

#[inline(always)]
pub(crate) fn forward_inline(chain: &Chain, qpos: &[f64], frames: &mut [Frame]) {
    let Some(first) = frames.first_mut() else { return };
    *first = chain.start;
    if chain.all_scalar {
        forward_scalar(&chain.links, qpos, frames);
    } else {
        forward_general(&chain.links, qpos, frames);
    }
}

#[inline(always)]
fn forward_scalar(links: &[Link], qpos: &[f64], frames: &mut [Frame]) {
    let mut frames = frames;
    for links in links.chunks(BLOCK) {
        let (mut sin, mut cos, mut moved) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
        for (k, link) in links.iter().enumerate() {
            let x = qpos[link.adr] - link.reference;
            sin[k] = x * link.rotation;
            moved[k] = x * link.translation;
        }
        trig::sin_cos_all(&mut sin, &mut cos);
        for (k, link) in links.iter().enumerate() {
            // reading the frame back from memory lets the compiler use vector loads
            let Some(([frame], rest)) = frames.split_first_chunk_mut::<1>() else { return };
            let Some(next) = rest.first_mut() else { return };
            *next = frame.then(&axis_motion(link, sin[k], cos[k], moved[k]));
            frames = rest;
        }
    }
}

/// Rotation about z and translation along it, times the constant transform of the link.
#[inline(always)]
fn axis_motion(link: &Link, sin: f64, cos: f64, moved: f64) -> Frame {
    let ([a, b, c], along) = (link.after.rows, [0.0, 0.0, 0.0, moved]);
    Frame {
        rows: [
            std::array::from_fn(|k| cos * a[k] - sin * b[k]),
            std::array::from_fn(|k| sin * a[k] + cos * b[k]),
            std::array::from_fn(|k| c[k] + along[k]),
        ],
    }
}

#[inline(always)]
fn forward_general(links: &[Link], qpos: &[f64], frames: &mut [Frame]) {
    let Some((first, rest)) = frames.split_first_mut() else { return };
    let mut frame = *first;
    for (link, next) in links.iter().zip(rest) {
        frame = frame.then(&general_motion(link, qpos));
        *next = frame;
    }
}

fn general_motion(link: &Link, qpos: &[f64]) -> Frame {
    let q = &qpos[link.adr..];
    match link.motion {
        Motion::Axis => {
            let x = q[0] - link.reference;
            let (sin, cos) = trig::sin_cos(x * link.rotation);
            axis_motion(link, sin, cos, x * link.translation)
        }
        Motion::Ball { inverse } => {
            let rotation = orientation(q);
            let rotation = if inverse { quat::conjugate(rotation) } else { rotation };
            Frame::from_mat([0.0; 3], &quat::to_mat(rotation))
        }
        Motion::Free { inverse } => {
            let pose = Frame::from_mat([q[0], q[1], q[2]], &quat::to_mat(orientation(&q[3..])));
            if inverse { pose.inverse() } else { pose }
        }
        Motion::Fixed => link.after,
    }
}
