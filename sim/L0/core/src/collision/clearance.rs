//! How far geoms have to move before two of them can touch.
//!
//! Most pairs of a robot are far apart and stay so for many steps. A pair that was found apart is
//! left alone until the geoms may have come together: they stay apart while the ways of both, summed
//! over steps, are shorter than the gap between them. The way of a geom is that of the point of it
//! that moves farthest. So that pairs can be passed over by eights, they are compared with the sum of
//! the longest ways first. This changes how much is computed, and never what comes out.

use super::broad::Pairs;
use crate::data::held;
use crate::math::mat3::Mat3;
use crate::math::rows;
use crate::math::vec3::{self, Vec3};
use crate::{Data, Model};
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
    /// For each pair the longest way up to which it cannot touch; places without a pair never end.
    until: Vec<[f64; BLOCK]>,
    /// For each pair the sum of the ways of its geoms up to which it cannot touch.
    together: Vec<f64>,
    /// Where each geom of the list was.
    poses: Vec<(Vec3, Mat3)>,
}

impl Clearance {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        held(&self.ways) + held(&self.until) + held(&self.together) + held(&self.poses)
    }

    /// Measures how far geoms have moved since the last call.
    pub(super) fn update(&mut self, m: &Model, d: &Data, pairs: &Pairs) {
        let margin = m.opt.enabled(EnableBit::Override).then_some(m.opt.o_margin.to_bits());
        let parents = m.opt.disabled(DisableBit::FilterParent);
        let about = (pairs.id, margin, parents);
        if self.about != about {
            self.about = about;
            self.until.clear();
            self.until.resize(pairs.list.len().div_ceil(BLOCK), [f64::INFINITY; BLOCK]);
            self.together.clear();
            self.together.resize(pairs.list.len(), f64::NEG_INFINITY);
            self.ways.clear();
            self.ways.resize(pairs.watched.len(), 0.0);
            self.poses.clear();
            self.poses.resize(pairs.watched.len(), ([f64::NAN; 3], [f64::NAN; 9]));
        }
        let (xpos, xmat) = (rows::<3>(&d.geom_xpos), rows::<9>(&d.geom_xmat));
        let (mut farthest, mut known) = (0.0_f64, true);
        let places = self.poses.iter_mut().zip(&mut self.ways);
        for ((pose, way), &(geom, radius)) in places.zip(&pairs.watched) {
            let (pos, mat) = (xpos[geom as usize], &xmat[geom as usize]);
            let step = vec3::sub(pos, pose.0);
            let turn: f64 = mat.iter().zip(&pose.1).map(|(a, b)| (a - b) * (a - b)).sum();
            let square = vec3::dot(step, step);
            // a rotation moves a point by its distance from the axis times the norm over the root of 2
            let moved = if turn == 0.0 && square == 0.0 {
                0.0
            } else {
                square.sqrt() + radius * (0.5 * turn).sqrt()
            };
            known &= moved.is_finite();
            farthest = farthest.max(moved);
            *way += moved;
            *pose = (pos, *mat);
        }
        self.longest += farthest * (1.0 + 1e-9);
        if !known || self.longest > LONG {
            self.longest = 0.0;
            self.ways.fill(0.0);
            self.together.fill(f64::NEG_INFINITY);
            for (until, pair) in self.until.as_flattened_mut().iter_mut().zip(&pairs.list) {
                let never = pair.family && !parents;
                *until = if never { f64::INFINITY } else { f64::NEG_INFINITY };
            }
        }
    }

    /// The pairs of a block that may touch: bit `k` for pair `k`.
    #[inline(always)]
    pub(super) fn due(&mut self, block: usize, pairs: &Pairs) -> u32 {
        let until = &self.until[block];
        if until.iter().fold(f64::INFINITY, |a, b| if *b < a { *b } else { a }) > self.longest {
            return 0;
        }
        self.due_by_ways(block, pairs)
    }

    /// The same when one of them may, going by the longest way alone.
    #[inline(never)]
    fn due_by_ways(&mut self, block: usize, pairs: &Pairs) -> u32 {
        let mut due = 0;
        for (k, until) in self.until[block].iter_mut().enumerate() {
            if *until > self.longest {
                continue;
            }
            let pair = BLOCK * block + k;
            let [a, b] = pairs.ends[pair].map(|end| self.ways[end as usize]);
            let left = self.together[pair] - (a + b);
            if left > NEGLIGIBLE {
                *until = self.longest + 0.5 * (left - NEGLIGIBLE);
            } else {
                due |= 1 << k;
            }
        }
        due
    }

    /// Remembers the gap between the geoms of a pair.
    #[inline(always)]
    pub(super) fn set(&mut self, block: usize, k: usize, gap: f64, pairs: &Pairs) {
        if gap > NEGLIGIBLE {
            let pair = BLOCK * block + k;
            let [a, b] = pairs.ends[pair].map(|end| self.ways[end as usize]);
            self.together[pair] = a + b + (gap - NEGLIGIBLE);
            self.until[block][k] = self.longest + 0.5 * (gap - NEGLIGIBLE);
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
