//! Spatial tendons: segments of the path, or a catenary if the tendon hangs freely.

use super::{View, blend};
use crate::geom::rgba_row;
use crate::option::visible;
use crate::{Category, LabelMode, Scene, SceneGeomType, VisFlag, catenary, color, label};
use sim_core::math::rows;
use sim_core::math::vec3::{self, Vec3};
use sim_core::types::{ConstraintType, DisableBit, MINVAL, NPOLY, ObjType, TransmissionType};

/// Largest number of points of a catenary.
const MAX_CATENARY: i32 = 100;

pub(super) fn tendons(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if !v.catmask.intersects(Category::DYNAMIC) || !v.flag(VisFlag::Tendon) {
        return Some(());
    }
    for i in (0..m.ntendon).filter(|&i| visible(&v.option.tendongroup, m.tendon_group[i])) {
        match hanging_length(v, i) {
            None => segments(v, i, scene)?,
            Some(length) => hanging(v, i, length, scene)?,
        }
    }
    Some(())
}

/// Index range of the segments of a tendon, by their first path point.
pub(super) fn segment_points(v: &View<'_>, tendon: usize) -> std::ops::Range<usize> {
    let start = usize::try_from(v.d.ten_wrapadr[tendon]).unwrap_or(0);
    let count = usize::try_from(v.d.ten_wrapnum[tendon]).unwrap_or(0);
    start..start + count.saturating_sub(1)
}

/// Ends and width of the segment that starts at a path point; `None` next to a pulley. Segments inside of
/// wrapping geoms are half as wide.
pub(super) fn segment(v: &View<'_>, tendon: usize, j: usize) -> Option<([Vec3; 2], f64)> {
    let d = v.d;
    let objects = [d.wrap_obj[j], d.wrap_obj[j + 1]];
    if objects.contains(&-2) {
        return None;
    }
    let width = v.m.tendon_width[tendon];
    let width = if objects.iter().all(|&object| object >= 0) { 0.5 * width } else { width };
    let points = rows::<3>(&d.wrap_xpos);
    Some(([points[j], points[j + 1]], width))
}

/// Length of a tendon that hangs freely under gravity; `None` for all others. Such a tendon connects two
/// sites, only limits its length, by a spring or a constraint, and is not actuated.
fn hanging_length(v: &View<'_>, i: usize) -> Option<f64> {
    let (m, d) = (v.m, v.d);
    let poly =
        |coefficients: &[f64]| coefficients[NPOLY * i..NPOLY * (i + 1)].iter().any(|&c| c != 0.0);
    let pair = |array: &[f64]| [array[2 * i], array[2 * i + 1]];
    let elastic = m.tendon_stiffness[i] != 0.0 || poly(&m.tendon_stiffnesspoly);
    let [slack, spring] = pair(&m.tendon_lengthspring);
    let by_spring = elastic && slack == 0.0 && spring > 0.0;
    let [lower, upper] = pair(&m.tendon_range);
    let by_limit = !elastic && m.tendon_limited[i] && lower == 0.0 && d.ten_length[i] < upper;
    let damped = m.tendon_damping[i] != 0.0 || poly(&m.tendon_dampingpoly);
    let hangs = !m.opt.disabled(DisableBit::Gravity)
        && vec3::norm(m.opt.gravity) > MINVAL
        && m.tendon_num[i] == 2
        && by_spring != by_limit
        && !damped
        && m.tendon_frictionloss[i] == 0.0;
    let actuated = |j: usize| {
        m.actuator_trntype[j] == TransmissionType::Tendon
            && usize::try_from(m.actuator_trnid[2 * j]).is_ok_and(|tendon| tendon == i)
    };
    let length = if by_limit { upper } else { spring };
    (hangs && !(0..m.nu).any(actuated)).then_some(length)
}

/// Straight segments.
fn segments(v: &View<'_>, i: usize, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    let points = segment_points(v, i);
    for j in points.clone() {
        let Some((ends, width)) = segment(v, i, j) else { continue };
        let mut geom = scene.acquire(i, Category::DYNAMIC, ObjType::Tendon)?;
        geom.set_connector(SceneGeomType::Capsule, width, ends[0], ends[1]);
        let mut rgba = rgba_row(&m.tendon_rgba, i);
        // the default colour is blended with that of constraints by the impedance of the limit
        if m.tendon_matid[i] == -1 && rgba == [0.5, 0.5, 0.5, 1.0] {
            let impedance = v.limit_impedance(ConstraintType::LimitTendon, i);
            rgba = blend(rgba, m.vis.rgba.constraint, impedance);
        }
        geom.set_material(m, m.tendon_matid[i], rgba, v.option);
        if v.flag(VisFlag::Island) {
            geom.matid = -1;
            let index = |ids: &[i32], i: usize| ids.get(i).and_then(|&id| usize::try_from(id).ok());
            let row = if d.nisland > 0 { index(&d.tendon_efcadr, i) } else { None };
            let island = row.and_then(|row| index(&d.efc_island, row));
            geom.rgba = color::island(island.and_then(|i| index(&d.island_dofadr, i)), true);
        }
        if v.option.label == LabelMode::Tendon && j == points.start {
            geom.label = label::object(m, ObjType::Tendon, i);
        }
        scene.push(geom);
    }
    Some(())
}

/// Segments of a catenary.
fn hanging(v: &View<'_>, i: usize, length: f64, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    let start = usize::try_from(d.ten_wrapadr[i]).unwrap_or(0);
    let points = rows::<3>(&d.wrap_xpos);
    let count = m.vis.quality.numslices.saturating_add(1).clamp(0, MAX_CATENARY);
    let path = catenary::points(
        [points[start], points[start + 1]],
        m.opt.gravity,
        length,
        usize::try_from(count).unwrap_or(0),
    );
    for ends in path.windows(2) {
        let mut geom = scene.acquire(i, Category::DYNAMIC, ObjType::Tendon)?;
        geom.set_connector(SceneGeomType::Capsule, m.tendon_width[i], ends[0], ends[1]);
        geom.set_material(m, m.tendon_matid[i], rgba_row(&m.tendon_rgba, i), v.option);
        if v.option.label == LabelMode::Tendon {
            geom.label = label::object(m, ObjType::Tendon, i);
        }
        scene.push(geom);
    }
    Some(())
}
