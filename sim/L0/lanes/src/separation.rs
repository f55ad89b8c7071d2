//! Exact distances of geoms that lanes have no collision routine for and whose bounding volumes overlap.
//!
//! The scalar engine measures the distance of such a pair in each lane that needs it. The distance and the relative
//! pose are kept: a pair is separated while no point of the second geom can have moved by this distance relative to
//! the first. The bound depends only on the geoms' shapes and relative pose, so it stays valid when
//! another environment is loaded into the lane.

use crate::math::{Mat3, Vec3, dot, mat_mul_transposed_vec, sub};
use crate::plan::{Pair, Plan};
use crate::work::{State, Work};
use sim_core::{Data, Model, mj_geom_distance};
use sim_simd::lanes::{Lanes, Mask};

/// A distance of a pair in each lane.
#[derive(Debug, Clone)]
pub(crate) struct Separation<V> {
    /// Index of the pair.
    pair: usize,
    /// Pose of the second geom in the frame of the first.
    pos: Vec3<V>,
    mat: Mat3<V>,
    /// Displacement up to which the geoms stay separated; negative if unknown.
    bound: V,
}

/// A pair in lanes in which its distance has to be measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<V> {
    pair: usize,
    /// Bit per lane.
    lanes: u32,
    /// Pose of the second geom in the frame of the first.
    pos: Vec3<V>,
    mat: Mat3<V>,
}

/// Pose of the second geom in the frame of the first.
#[inline(always)]
fn relative_pose<V: Lanes>(pair: &Pair, w: &Work<V>) -> (Vec3<V>, Mat3<V>) {
    let [g1, g2] = pair.geoms;
    let (mat1, mat2) = (&w.geom_mat[g1], &w.geom_mat[g2]);
    let pos = mat_mul_transposed_vec(mat1, sub(w.geom_pos[g2], w.geom_pos[g1]));
    let mut mat = [V::zero(); 9];
    for i in 0..3 {
        for j in 0..3 {
            let columns =
                [[mat1[i], mat1[i + 3], mat1[i + 6]], [mat2[j], mat2[j + 3], mat2[j + 6]]];
            mat[3 * i + j] = dot(columns[0], columns[1]);
        }
    }
    (pos, mat)
}

/// Adds the pair to the candidates, for those of the given lanes in which it is not known to be separated.
#[inline(always)]
pub(crate) fn check<V: Lanes>(
    pair: &Pair,
    index: usize,
    lanes: V::Mask,
    s: &State<V>,
    w: &mut Work<V>,
) {
    let mut unknown = lanes;
    let (pos, mat) = relative_pose(pair, w);
    if let Some(known) = s.separations.iter().find(|known| known.pair == index) {
        let offset = sub(pos, known.pos);
        let mut rotation = V::zero();
        for (a, b) in mat.iter().zip(&known.mat) {
            let difference = *a - *b;
            rotation += difference * difference;
        }
        let motion = dot(offset, offset).sqrt() + rotation.sqrt() * V::splat(pair.radius);
        unknown = unknown & !motion.lt(known.bound);
    }
    if unknown.any() {
        w.candidates.push(Candidate { pair: index, lanes: unknown.bits(), pos, mat });
    }
}

/// Measures the candidates; lanes in which a pair is not separated are left to the scalar engine.
pub(crate) fn resolve<V: Lanes>(
    plan: &Plan,
    model: Option<&Model>,
    s: &mut State<V>,
    w: &mut Work<V>,
) {
    let mut candidates = std::mem::take(&mut w.candidates);
    for candidate in &candidates {
        let Some(m) = model else {
            w.close |= candidate.lanes;
            continue;
        };
        let mut d = w.exact.take().unwrap_or_else(|| Box::new(m.make_data()));
        measure(plan, m, candidate, &mut d, s, w);
        w.exact = Some(d);
    }
    candidates.clear();
    w.candidates = candidates;
}

fn measure<V: Lanes>(
    plan: &Plan,
    m: &Model,
    candidate: &Candidate<V>,
    d: &mut Data,
    s: &mut State<V>,
    w: &mut Work<V>,
) {
    let pair = &plan.pairs[candidate.pair];
    let Candidate { pos, mat, .. } = *candidate;
    let known = s.separations.iter().position(|known| known.pair == candidate.pair);
    let known = known.unwrap_or_else(|| {
        let bound = V::splat(-1.0);
        s.separations.push(Separation { pair: candidate.pair, pos, mat, bound });
        s.separations.len() - 1
    });
    let known = &mut s.separations[known];
    let ids = pair.geoms.map(|g| plan.geoms[g].id);
    let mut active = candidate.lanes & !w.close;
    while active != 0 {
        let lane = active.trailing_zeros() as usize;
        active &= active - 1;
        for (g, id) in pair.geoms.into_iter().zip(ids) {
            for k in 0..3 {
                d.geom_xpos[3 * id + k] = w.geom_pos[g][k].get(lane);
            }
            for k in 0..9 {
                d.geom_xmat[9 * id + k] = w.geom_mat[g][k].get(lane);
            }
        }
        // the slack is larger than the error of the distance, so that the decision does not depend on what is known
        let slack = 1e-3 * pair.radius;
        let limit = pair.margin + 4.0 * slack + pair.radius;
        let dist = mj_geom_distance(m, d, ids[0], ids[1], limit, None);
        if dist <= pair.margin + slack || dist.is_nan() {
            w.close |= 1 << lane;
            known.bound.set(lane, -1.0);
            continue;
        }
        for (to, from) in known.pos.iter_mut().zip(&pos) {
            to.set(lane, from.get(lane));
        }
        for (to, from) in known.mat.iter_mut().zip(&mat) {
            to.set(lane, from.get(lane));
        }
        known.bound.set(lane, dist - pair.margin - 2.0 * slack);
    }
}
