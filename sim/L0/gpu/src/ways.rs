//! How far joints can move what they carry, so that pairs of geoms are left alone while they cannot have come
//! together.

use crate::fill::array;
use crate::table::{NONE, Tables};
use sim_core::Model;
use sim_core::math::vec3;
use sim_types::{GeomType, JointType};

/// Adds the tables of the ways that joints, and bodies held by a hand, make geoms go at most. Only
/// `geoms` matter.
pub(crate) fn fill(m: &Model, geoms: &[usize], t: &mut Tables) {
    let mut below = vec![0.0_f64; m.nbody];
    // planes have no end, and are left alone by no pair
    for &g in geoms.iter().filter(|&&g| m.geom_type[g] != GeomType::Plane) {
        let b = m.geom_bodyid[g] as usize;
        below[b] = below[b].max(reach(m, g));
    }
    // distances from what a joint turns about, and how far a slide is thought to go at most
    let (mut turned, mut slid) = (vec![0.0; m.njnt], vec![f64::MAX; m.njnt]);
    let mut held = vec![0.0; m.nmocap];
    for b in (1..m.nbody).rev() {
        let first = m.body_jntadr[b].max(0) as usize;
        for j in (first..first + m.body_jntnum[b] as usize).rev() {
            let anchor = vec3::norm(array::<3>(&m.jnt_pos, j));
            match m.jnt_type[j] {
                JointType::Slide => {
                    slid[j] = bound(m, j);
                    below[b] += slid[j];
                }
                JointType::Free => turned[j] = below[b],
                JointType::Ball | JointType::Hinge => {
                    turned[j] = below[b] + anchor;
                    below[b] += 2.0 * anchor;
                }
            }
        }
        if let Ok(k) = usize::try_from(m.body_mocapid[b]) {
            held[k] = below[b];
        }
        let parent = m.body_parentid[b] as usize;
        let far = vec3::norm(array::<3>(&m.body_pos, b)) + below[b];
        below[parent] = below[parent].max(far);
    }
    t.numbers("JNT_REACH", turned);
    t.numbers("JNT_BOUND", slid.into_iter().map(|x| x.min(crate::fill::FAR)));
    t.numbers("MOCAP_REACH", held);
    let hand = |b: usize| {
        let k = m.body_mocapid[m.body_rootid[b] as usize];
        usize::try_from(k).unwrap_or(NONE as usize)
    };
    t.indices("BODY_HAND", (0..m.nbody).map(hand));
}

/// The last body that carries both.
pub(crate) fn fork(m: &Model, [mut a, mut b]: [usize; 2]) -> usize {
    // parents come first
    while a != b {
        let further = if a > b { &mut a } else { &mut b };
        *further = m.body_parentid[*further] as usize;
    }
    a
}

/// How far points of a geom are from its body's position.
fn reach(m: &Model, g: usize) -> f64 {
    let side = |k: usize| std::array::from_fn::<f64, 3, _>(|c| m.geom_aabb[6 * g + 3 * k + c]);
    let [centre, half] = [side(0), side(1)];
    let frame = m.geom_frame(g);
    let corner = |bits: usize| {
        let sign = |k: usize| if bits >> k & 1 == 1 { 1.0 } else { -1.0 };
        let local = std::array::from_fn(|k| centre[k] + sign(k) * half[k]);
        vec3::norm(frame.apply(local))
    };
    (0..8).map(corner).fold(0.0, f64::max)
}

/// How far a slide goes, if that is limited, and a little more; a kernel notices if it goes further.
fn bound(m: &Model, j: usize) -> f64 {
    let start = m.qpos0[m.jnt_qposadr[j] as usize];
    let range = array::<2>(&m.jnt_range, j).map(|end| (end - start).abs());
    let most = if m.jnt_limited[j] { range[0].max(range[1]) } else { m.stat.extent };
    1.1 * most + 1e-3
}
