//! Frames from coordinates: one pass from base to tip.
//!
//! What a hinge or slide does and the rigid piece behind it are multiplied first, which waits for
//! nothing, so that only one product for each joint has to wait for the one before.

use super::build::orientation;
use super::{Chain, Link, Motion};
use crate::Frame;
use sim_core::math::{quat, trig};
use sim_simd::dispatch;

/// Sines and cosines are computed for so many joints at once.
const BLOCK: usize = 8;

impl Chain {
    /// Writes the frames of all joints and of the tip. `qpos` is as long as the model's and `frames`
    /// has one more than there are links.
    #[inline]
    pub(crate) fn place(&self, qpos: &[f64], frames: &mut [Frame]) {
        let chain = self;
        dispatch!(place_inline(chain: &Chain, qpos: &[f64], frames: &mut [Frame]));
    }
}

#[inline(always)]
pub(crate) fn place_inline(chain: &Chain, qpos: &[f64], frames: &mut [Frame]) {
    let Some(first) = frames.first_mut() else { return };
    *first = chain.start;
    if chain.simple {
        place_axes(&chain.links, qpos, frames);
    } else {
        place_any(&chain.links, qpos, frames);
    }
}

#[inline(always)]
fn place_axes(links: &[Link], qpos: &[f64], frames: &mut [Frame]) {
    let mut frames = frames;
    for links in links.chunks(BLOCK) {
        let (mut sin, mut cos, mut moved) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
        for (k, link) in links.iter().enumerate() {
            let x = qpos[link.adr] - link.reference;
            sin[k] = x * link.turn;
            moved[k] = x * link.slide;
        }
        trig::sin_cos_all(&mut sin, &mut cos);
        for (k, link) in links.iter().enumerate() {
            // each frame is read back from where it was put: four numbers at once
            let Some(([frame], rest)) = frames.split_first_chunk_mut::<1>() else { return };
            let Some(next) = rest.first_mut() else { return };
            *next = frame.then(&axis_motion(link, sin[k], cos[k], moved[k]));
            frames = rest;
        }
    }
}

/// A turn about z and a move along it, then the rigid piece.
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
fn place_any(links: &[Link], qpos: &[f64], frames: &mut [Frame]) {
    let Some((first, rest)) = frames.split_first_mut() else { return };
    let mut frame = *first;
    for (link, next) in links.iter().zip(rest) {
        frame = frame.then(&any_motion(link, qpos));
        *next = frame;
    }
}

fn any_motion(link: &Link, qpos: &[f64]) -> Frame {
    let q = &qpos[link.adr..];
    match link.motion {
        Motion::Axis => {
            let x = q[0] - link.reference;
            let (sin, cos) = trig::sin_cos(x * link.turn);
            axis_motion(link, sin, cos, x * link.slide)
        }
        Motion::Ball { inverse } => {
            let turn = orientation(q);
            let turn = if inverse { quat::conjugate(turn) } else { turn };
            Frame::from_mat([0.0; 3], &quat::to_mat(turn))
        }
        Motion::Free { inverse } => {
            let pose = Frame::from_mat([q[0], q[1], q[2]], &quat::to_mat(orientation(&q[3..])));
            if inverse { pose.inverse() } else { pose }
        }
        Motion::Fixed => link.after,
    }
}
