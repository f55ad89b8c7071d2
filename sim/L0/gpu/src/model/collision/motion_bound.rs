//! Displacement bounds: how far joints and mocap bodies can move the geoms that they carry. Separated pairs are skipped
//! while the accumulated bounds are smaller than their last known distance.

use crate::layout::{ModelTables, NONE};
use crate::model::{FAR, array};
use sim_core::Model;
use sim_core::math::vec3;
use sim_types::{GeomType, JointType};

/// Adds the lever arms of joints and mocap bodies with respect to `geoms`.
pub(crate) fn add_tables(m: &Model, geoms: &[usize], t: &mut ModelTables) {
    let mut radius = vec![0.0_f64; m.nbody];
    // planes are unbounded; their pairs are never skipped
    for &g in geoms.iter().filter(|&&g| m.geom_type[g] != GeomType::Plane) {
        let b = m.geom_bodyid[g] as usize;
        radius[b] = radius[b].max(geom_radius(m, g));
    }
    // largest distance of a carried point from each joint, m, and assumed range of slides, m
    let (mut jnt_radius, mut slide_bound) = (vec![0.0; m.njnt], vec![f64::MAX; m.njnt]);
    let mut mocap_radius = vec![0.0; m.nmocap];
    for b in (1..m.nbody).rev() {
        let first = m.body_jntadr[b].max(0) as usize;
        for j in (first..first + m.body_jntnum[b] as usize).rev() {
            let anchor = vec3::norm(array::<3>(&m.jnt_pos, j));
            match m.jnt_type[j] {
                JointType::Slide => {
                    slide_bound[j] = slide_range(m, j);
                    radius[b] += slide_bound[j];
                }
                JointType::Free => jnt_radius[j] = radius[b],
                JointType::Ball | JointType::Hinge => {
                    jnt_radius[j] = radius[b] + anchor;
                    radius[b] += 2.0 * anchor;
                }
            }
        }
        if let Ok(k) = usize::try_from(m.body_mocapid[b]) {
            mocap_radius[k] = radius[b];
        }
        let parent = m.body_parentid[b] as usize;
        let far = vec3::norm(array::<3>(&m.body_pos, b)) + radius[b];
        radius[parent] = radius[parent].max(far);
    }
    t.scalars("JNT_RADIUS", jnt_radius);
    t.scalars("JNT_SLIDE_BOUND", slide_bound.into_iter().map(|x| x.min(FAR)));
    t.scalars("MOCAP_RADIUS", mocap_radius);
    let root_mocap = |b: usize| {
        let k = m.body_mocapid[m.body_rootid[b] as usize];
        usize::try_from(k).unwrap_or(NONE as usize)
    };
    t.indices("BODY_ROOT_MOCAP", (0..m.nbody).map(root_mocap));
}

/// Last common ancestor of two bodies.
pub(crate) fn common_ancestor(m: &Model, [mut a, mut b]: [usize; 2]) -> usize {
    // parents precede their children
    while a != b {
        let further = if a > b { &mut a } else { &mut b };
        *further = m.body_parentid[*further] as usize;
    }
    a
}

/// Largest distance of a point of a geom from the origin of its body, m.
fn geom_radius(m: &Model, g: usize) -> f64 {
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

/// Assumed largest displacement of a slide joint, m; kernels detect when it is exceeded.
fn slide_range(m: &Model, j: usize) -> f64 {
    let start = m.qpos0[m.jnt_qposadr[j] as usize];
    let range = array::<2>(&m.jnt_range, j).map(|end| (end - start).abs());
    let most = if m.jnt_limited[j] { range[0].max(range[1]) } else { m.stat.extent };
    1.1 * most + 1e-3
}
