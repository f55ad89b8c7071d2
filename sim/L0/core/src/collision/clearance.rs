//! How far geoms have to move before two of them can touch.
//!
//! Most pairs of a robot are far apart and stay so for many steps. A pair that was found apart is
//! left alone until the geoms may have come together: they stay apart while the ways of both, summed
//! over steps, are shorter than the gap between them. The way of a geom is that of the point of it
//! that moves farthest. So that pairs can be passed over by eights, eight of them are left alone until
//! the sum of the longest ways allows one to touch. This changes how much is computed, and never what
//! comes out.

use super::broad::Pairs;
use crate::data::held;
use crate::math::mat3::Mat3;
use crate::math::rows;
use crate::math::vec3::{self, Vec3};
use crate::{Data, Model};
use sim_simd::pick;
use sim_types::{DisableBit, EnableBit, GeomType};

/// Gaps below it are not worth remembering, and larger ones lose as much to rounding.
const NEGLIGIBLE: f64 = 1e-9;
/// When the way gets longer, it starts anew: sums of it stay exact enough.
const LONG: f64 = 1e3;

/// Pairs that are looked at together.
pub(super) const BLOCK: usize = 8;

/// What is known of the pairs of a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Clearance {
    /// Which list it is about, the margin that replaces all others, and whether a body may touch its
    /// parent.
    about: (u64, Option<u64>, bool),
    /// How far the farthest point of any geom has moved at most.
    longest: f64,
    /// The same for each geom of the list.
    ways: Vec<f64>,
    /// For each block the longest way up to which none of its pairs can touch.
    until: Vec<f64>,
    /// For each pair the sum of the ways of its geoms up to which it cannot touch; places without a
    /// pair never end.
    together: Vec<[f64; BLOCK]>,
    /// For each pair the direction in which its geoms were last found apart, if it is remembered.
    axes: Vec<[Vec3; BLOCK]>,
    /// Where each geom of the list was: its centre and its axes.
    poses: Vec<(Vec3, Mat3)>,
    /// The blocks with pairs that may touch now, and which: bit `k` for pair `k`.
    due: Vec<(u32, u32)>,
}

impl Clearance {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held(&self.ways)
            + held(&self.until)
            + held(&self.together)
            + held(&self.axes)
            + held(&self.poses)
            + held(&self.due)
    }

    /// Measures how far geoms have moved since the last call, and finds the pairs that may touch.
    pub(super) fn update(&mut self, m: &Model, d: &Data, pairs: &Pairs) {
        let margin = m.opt.enabled(EnableBit::Override).then_some(m.opt.o_margin.to_bits());
        let parents = m.opt.disabled(DisableBit::FilterParent);
        let about = (pairs.id, margin, parents);
        if self.about != about {
            self.about = about;
            let blocks = pairs.list.len().div_ceil(BLOCK);
            self.until.clear();
            self.until.resize(blocks, f64::NEG_INFINITY);
            self.together.clear();
            self.together.resize(blocks, [f64::INFINITY; BLOCK]);
            self.axes.clear();
            self.axes.resize(blocks, [[0.0; 3]; BLOCK]);
            self.due.clear();
            self.due.reserve(blocks);
            self.ways.clear();
            self.ways.resize(pairs.watched.len(), 0.0);
            self.poses.clear();
            self.poses.resize(pairs.watched.len(), ([f64::NAN; 3], [f64::NAN; 9]));
        }
        let known = self.walk(d, pairs);
        if !known || self.longest > LONG {
            self.longest = 0.0;
            self.ways.fill(0.0);
            self.until.fill(f64::NEG_INFINITY);
            for (together, pair) in self.together.as_flattened_mut().iter_mut().zip(&pairs.list) {
                let never = pair.family && !parents;
                *together = if never { f64::INFINITY } else { f64::NEG_INFINITY };
            }
        }
        self.find_due(pairs);
    }

    /// Adds how far geoms have moved to their ways; tells whether that is known of all.
    fn walk(&mut self, d: &Data, pairs: &Pairs) -> bool {
        let (xpos, xmat) = (rows::<3>(&d.geom_xpos), rows::<9>(&d.geom_xmat));
        let (poses, ways, watched) = (&mut self.poses[..], &mut self.ways[..], &pairs.watched[..]);
        let farthest = sim_simd::dispatch!(
            walk(
                poses: &mut [(Vec3, Mat3)],
                ways: &mut [f64],
                watched: &[(u32, f64)],
                xpos: &[Vec3],
                xmat: &[Mat3],
            ) -> f64
        );
        self.longest += farthest * (1.0 + 1e-9);
        farthest.is_finite()
    }

    fn find_due(&mut self, pairs: &Pairs) {
        self.due.clear();
        let (clearance, ends) = (self, &pairs.ends[..]);
        sim_simd::dispatch!(find_due(clearance: &mut Clearance, ends: &[[[u32; BLOCK]; 2]]));
    }

    /// How many blocks have pairs that may touch.
    pub(super) fn len(&self) -> usize {
        self.due.len()
    }

    /// One of these blocks, and which of its pairs may touch: bit `k` for pair `k`.
    #[inline(always)]
    pub(super) fn due(&self, i: usize) -> (usize, u32) {
        let (block, pairs) = self.due[i];
        (block as usize, pairs)
    }

    /// The direction in which the geoms of a pair were last found apart; zero if it is not known.
    #[inline(always)]
    pub(super) fn axis(&mut self, block: usize, k: usize) -> &mut Vec3 {
        &mut self.axes[block][k]
    }

    /// Remembers the gap between the geoms of a pair that might have touched; without one, it may touch
    /// the next time.
    #[inline(always)]
    pub(super) fn set(&mut self, block: usize, k: usize, gap: f64, pairs: &Pairs) {
        let until = &mut self.until[block];
        if gap > NEGLIGIBLE {
            let [a, b] = pairs.ends[block].map(|ends| self.ways[ends[k] as usize]);
            self.together[block][k] = a + b + (gap - NEGLIGIBLE);
            *until = until.min(self.longest + 0.5 * (gap - NEGLIGIBLE));
        } else {
            *until = f64::NEG_INFINITY;
        }
    }
}

/// Adds how far each geom has moved to its way, and keeps its pose. Returns the farthest; no number, or
/// without end, if one is unknown.
#[inline(always)]
fn walk(
    poses: &mut [(Vec3, Mat3)],
    ways: &mut [f64],
    watched: &[(u32, f64)],
    xpos: &[Vec3],
    xmat: &[Mat3],
) -> f64 {
    let (mut farthest, mut sum) = (0.0_f64, 0.0);
    for ((pose, way), &(geom, radius)) in poses.iter_mut().zip(ways).zip(watched) {
        let (pos, mat) = (xpos[geom as usize], &xmat[geom as usize]);
        let step = vec3::sub(pos, pose.0);
        let square = vec3::dot(step, step);
        let mut turns = [0.0; 4];
        for k in 0..4 {
            let (one, two) = (mat[k] - pose.1[k], mat[k + 4] - pose.1[k + 4]);
            turns[k] = one * one + two * two;
        }
        let last = mat[8] - pose.1[8];
        let turn = (turns[0] + turns[2]) + (turns[1] + turns[3]) + last * last;
        // a rotation moves a point by its distance from the axis times the norm over the root of 2;
        // what does not turn moves as its centre does, however far it reaches
        let swing = if turn == 0.0 { 0.0 } else { radius * (0.5 * turn).sqrt() };
        let moved = square.sqrt() + swing;
        sum += moved;
        farthest = farthest.max(moved);
        *way += moved;
        *pose = (pos, *mat);
    }
    if sum.is_finite() { farthest } else { sum }
}

/// Finds the pairs that may touch: of the blocks in which one may, going by the longest way alone, those
/// that may by the ways of their own geoms. The others say how long the block is left alone.
#[inline(always)]
fn find_due(clearance: &mut Clearance, ends: &[[[u32; BLOCK]; 2]]) {
    let Clearance { longest, ways, until, together, due, .. } = clearance;
    let longest = *longest;
    for (block, ((until, together), ends)) in until.iter_mut().zip(together).zip(ends).enumerate() {
        if *until > longest {
            continue;
        }
        let [a, b] = [pick(ways, &ends[0]), pick(ways, &ends[1])];
        let (mut may, mut least) = (0, [f64::INFINITY; BLOCK]);
        for k in 0..BLOCK {
            let left = together[k] - (a[k] + b[k]);
            let near = left <= NEGLIGIBLE;
            may |= u32::from(near) << k;
            least[k] = if near { f64::INFINITY } else { left };
        }
        for half in [4, 2, 1] {
            for k in 0..half {
                let (one, two) = (least[k], least[k + half]);
                least[k] = if one < two { one } else { two };
            }
        }
        *until = longest + 0.5 * (least[0] - NEGLIGIBLE);
        if may != 0 {
            due.push((block as u32, may));
        }
    }
}

/// The geoms of pairs, and how far their points are from their centres: without end for planes,
/// which reach everywhere.
pub(super) fn watched(m: &Model, geoms: impl Iterator<Item = u32>) -> Vec<(u32, f64)> {
    let mut list: Vec<u32> = geoms.collect();
    list.sort_unstable();
    list.dedup();
    let radius = |g: usize| {
        let endless = m.geom_type[g] == GeomType::Plane || m.geom_rbound[g] <= 0.0;
        if endless { f64::INFINITY } else { m.geom_rbound[g] }
    };
    list.into_iter().map(|g| (g, radius(g as usize))).collect()
}
