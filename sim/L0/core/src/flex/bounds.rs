//! Bounding boxes of elements, and the bounding volume hierarchy over them.

use super::{elements, vertices};
use crate::math::{at, rows, rows_mut};
use crate::{Data, Model};
use sim_simd::dispatch;
use sim_types::DisableBit;

/// Sets `flexelem_aabb` and `bvh_aabb_dyn` of a flex.
pub(super) fn set(m: &Model, d: &mut Data, f: usize) {
    let Data { flexvert_xpos, flexelem_aabb, bvh_aabb_dyn, scratch, .. } = d;
    // padded to four values, so that the loops vectorize
    let x = &mut scratch.flex.padded;
    x.clear();
    x.extend(rows::<3>(flexvert_xpos)[vertices(m, f)].iter().map(|p| [p[0], p[1], p[2], 0.0]));
    let first = at(&m.flex_elemadr, f);
    let boxes = &mut rows_mut::<6>(flexelem_aabb)[first..first + at(&m.flex_elemnum, f)];
    match m.flex_dim[f] {
        1 => segment_boxes(x, elements(m, f), m.flex_radius[f], boxes),
        2 => triangle_boxes(x, elements(m, f), m.flex_radius[f], boxes),
        _ => tetrahedron_boxes(x, elements(m, f), m.flex_radius[f], boxes),
    }
    if !m.opt.disabled(DisableBit::Midphase) {
        refit(m, f, boxes, rows_mut::<6>(bvh_aabb_dyn));
    }
}

fn segment_boxes(x: &[[f64; 4]], elem: &[i32], radius: f64, boxes: &mut [[f64; 6]]) {
    element_boxes::<2>(x, elem, radius, boxes);
}

fn triangle_boxes(x: &[[f64; 4]], elem: &[i32], radius: f64, boxes: &mut [[f64; 6]]) {
    dispatch!(triangles(x: &[[f64; 4]], elem: &[i32], radius: f64, boxes: &mut [[f64; 6]]));
}

#[inline(always)]
fn triangles(x: &[[f64; 4]], elem: &[i32], radius: f64, boxes: &mut [[f64; 6]]) {
    element_boxes::<3>(x, elem, radius, boxes);
}

fn tetrahedron_boxes(x: &[[f64; 4]], elem: &[i32], radius: f64, boxes: &mut [[f64; 6]]) {
    dispatch!(tetrahedra(x: &[[f64; 4]], elem: &[i32], radius: f64, boxes: &mut [[f64; 6]]));
}

#[inline(always)]
fn tetrahedra(x: &[[f64; 4]], elem: &[i32], radius: f64, boxes: &mut [[f64; 6]]) {
    element_boxes::<4>(x, elem, radius, boxes);
}

/// Centre and half size of the box of each element of `N` vertices.
#[inline(always)]
fn element_boxes<const N: usize>(
    x: &[[f64; 4]],
    elem: &[i32],
    radius: f64,
    boxes: &mut [[f64; 6]],
) {
    for (element, out) in elem.as_chunks::<N>().0.iter().zip(boxes) {
        let first = x[element[0] as usize];
        let (mut low, mut high) = (first, first);
        for &v in &element[1..] {
            let p = x[v as usize];
            for k in 0..4 {
                low[k] = if p[k] < low[k] { p[k] } else { low[k] };
                high[k] = if p[k] > high[k] { p[k] } else { high[k] };
            }
        }
        let (mut centre, mut half) = ([0.0; 4], [0.0; 4]);
        for k in 0..4 {
            centre[k] = 0.5 * (high[k] + low[k]);
            half[k] = 0.5 * (high[k] - low[k]) + radius;
        }
        *out = [centre[0], centre[1], centre[2], half[0], half[1], half[2]];
    }
}

/// Copies the boxes of elements to the leaves and unites them upwards.
#[doc(alias = "mj_updateDynamicBVH")]
fn refit(m: &Model, f: usize, boxes: &[[f64; 6]], nodes: &mut [[f64; 6]]) {
    let Ok(first) = usize::try_from(m.flex_bvhadr[f]) else { return };
    let count = at(&m.flex_bvhnum, f);
    let ids = &m.bvh_nodeid[first..first + count];
    let children = &m.bvh_child.as_chunks::<2>().0[first..first + count];
    let nodes = &mut nodes[first - m.nbvhstatic..][..count];
    // children have larger indices than their parent
    for i in (0..count).rev() {
        if ids[i] >= 0 {
            nodes[i] = boxes[ids[i] as usize];
            continue;
        }
        let [a, b] = children[i].map(|c| nodes[c as usize]);
        for k in 0..3 {
            let low = f64::min(a[k] - a[k + 3], b[k] - b[k + 3]);
            let high = f64::max(a[k] + a[k + 3], b[k] + b[k + 3]);
            nodes[i][k] = 0.5 * (low + high);
            nodes[i][k + 3] = 0.5 * (high - low);
        }
    }
}
