//! Actuators, coloured by their control or activation, and slider-cranks.

use super::tendon::{segment, segment_points};
use super::{View, decor};
use crate::geom::rgba_row;
use crate::option::visible;
use crate::{Category, LabelMode, Rgba, Scene, SceneGeom, SceneGeomType, VisFlag, label, single};
use sim_core::math::vec3;
use sim_core::math::{mat3, rows};
use sim_core::mj_actuator_disabled;
use sim_core::types::{DynType, GeomType, JointType, MINVAL, ObjType, TransmissionType};

/// Factor by which the shapes of driven sites and bodies are enlarged.
const INFLATION: f64 = 1.05;

pub(super) fn slider_cranks(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.catmask.intersects(Category::DYNAMIC) {
        return Some(());
    }
    let points = rows::<3>(&d.site_xpos);
    for i in 0..m.nu {
        if m.actuator_trntype[i] != TransmissionType::SliderCrank {
            continue;
        }
        let [crank, slider] = [m.actuator_trnid[2 * i], m.actuator_trnid[2 * i + 1]];
        let (Ok(crank), Ok(slider)) = (usize::try_from(crank), usize::try_from(slider)) else {
            continue;
        };
        let rod = m.actuator_cranklength[i];
        let axis = mat3::column(&rows::<9>(&d.site_xmat)[slider], 2);
        // length of the slider; a rod that is too short is stretched
        let to_crank = vec3::sub(points[crank], points[slider]);
        let along = vec3::dot(to_crank, axis);
        let square = along * along + rod * rod - vec3::dot(to_crank, to_crank);
        let length = along - square.max(0.0).sqrt();
        let end = vec3::add(vec3::scale(axis, length), points[slider]);

        let width = v.scaled(m.vis.scale.slidercrank);
        let mut geom = scene.acquire(i, Category::DYNAMIC, ObjType::Actuator)?;
        geom.set_connector(SceneGeomType::Cylinder, width, points[slider], end);
        geom.rgba = m.vis.rgba.slidercrank;
        if v.option.label == LabelMode::Actuator {
            geom.label = label::object(m, ObjType::Actuator, i);
        }
        scene.push(geom);

        let mut geom = scene.acquire(i, Category::DYNAMIC, ObjType::Actuator)?;
        geom.set_connector(SceneGeomType::Capsule, width / 2.0, end, points[crank]);
        let rgba = &m.vis.rgba;
        geom.rgba = if square < 0.0 { rgba.crankbroken } else { rgba.slidercrank };
        scene.push(geom);
    }
    Some(())
}

pub(super) fn actuators(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    if !v.flag(VisFlag::Actuator) {
        return Some(());
    }
    for i in 0..m.nu {
        if !visible(&v.option.actuatorgroup, m.actuator_group[i]) || mj_actuator_disabled(m, i) {
            continue;
        }
        let rgba = color(v, i);
        let Ok(target) = usize::try_from(m.actuator_trnid[2 * i]) else { continue };
        match m.actuator_trntype[i] {
            TransmissionType::Joint | TransmissionType::JointInParent => {
                let mut geom = decor(scene, ObjType::Actuator, i)?;
                joint(v, target, &mut geom);
                finish(v, i, rgba, geom, scene);
            }
            TransmissionType::Site => {
                let mut geom = decor(scene, ObjType::Actuator, i)?;
                let size = vec3::scale(rows::<3>(&m.site_size)[target], INFLATION);
                let (pos, mat) = v.site_pose(target);
                geom.init(m.site_type[target].into(), Some(size), Some(pos), Some(mat), None);
                finish(v, i, rgba, geom, scene);
            }
            TransmissionType::Body => body(v, i, target, rgba, scene)?,
            TransmissionType::Tendon => tendon(v, i, target, rgba, scene)?,
            TransmissionType::SliderCrank | TransmissionType::Undefined => {}
        }
    }
    Some(())
}

/// Adds a geom of an actuator with its colour and label.
fn finish(v: &View<'_>, i: usize, rgba: Rgba, mut geom: SceneGeom, scene: &mut Scene) {
    geom.rgba = rgba;
    if v.option.label == LabelMode::Actuator {
        geom.label = label::object(v.m, ObjType::Actuator, i);
    }
    scene.push(geom);
}

/// Shape of a driven joint.
fn joint(v: &View<'_>, j: usize, geom: &mut SceneGeom) {
    let (m, d) = (v.m, v.d);
    let scale = &m.vis.scale;
    let anchor = rows::<3>(&d.xanchor)[j];
    let kind = match m.jnt_type[j] {
        JointType::Hinge => SceneGeomType::Arrow1,
        JointType::Slide => SceneGeomType::Arrow,
        JointType::Ball => SceneGeomType::Sphere,
        JointType::Free => SceneGeomType::Box,
    };
    if matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide) {
        let length = v.scaled(scale.actuatorlength);
        let to = vec3::add_scaled(anchor, rows::<3>(&d.xaxis)[j], length);
        geom.set_connector(kind, v.scaled(scale.actuatorwidth), anchor, to);
    } else {
        let size = [v.scaled(scale.jointlength) * 0.33; 3];
        let body = usize::try_from(m.jnt_bodyid[j]).unwrap_or(0);
        geom.init(kind, Some(size), Some(anchor), Some(v.body_pose(body).1), None);
    }
}

/// Enlarged primitive geoms of a driven body.
fn body(v: &View<'_>, i: usize, body: usize, rgba: Rgba, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    let first = usize::try_from(m.body_geomadr[body]).unwrap_or(0);
    let count = usize::try_from(m.body_geomnum[body]).unwrap_or(0);
    for k in first..first + count {
        use GeomType::{HField, Mesh, Plane, Sdf};
        if matches!(m.geom_type[k], Plane | HField | Mesh | Sdf) {
            continue;
        }
        let mut geom = decor(scene, ObjType::Actuator, i)?;
        let size = vec3::scale(rows::<3>(&m.geom_size)[k], INFLATION);
        let (pos, mat) = v.geom_pose(k);
        geom.init(m.geom_type[k].into(), Some(size), Some(pos), Some(mat), Some(rgba));
        scene.push(geom);
    }
    Some(())
}

/// Widened segments of a driven tendon.
fn tendon(v: &View<'_>, i: usize, tendon: usize, rgba: Rgba, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    let points = segment_points(v, tendon);
    for k in points.clone() {
        let Some((ends, width)) = segment(v, tendon, k) else { continue };
        let mut geom = decor(scene, ObjType::Actuator, i)?;
        let width = width * f64::from(m.vis.map.actuatortendon);
        geom.set_connector(SceneGeomType::Capsule, width, ends[0], ends[1]);
        geom.set_material(m, m.tendon_matid[tendon], rgba_row(&m.tendon_rgba, tendon), v.option);
        geom.rgba = rgba;
        if v.option.label == LabelMode::Actuator && k == points.start {
            geom.label = label::object(m, ObjType::Actuator, i);
        }
        scene.push(geom);
    }
    Some(())
}

/// Colour of an actuator: interpolated between the colours of its negative, neutral and positive states by
/// its control, or by its activation if activations are shown.
fn color(v: &View<'_>, i: usize) -> Rgba {
    let (m, d) = (v.m, v.d);
    let pair = |array: &[f64]| [array[2 * i], array[2 * i + 1]];
    let activation = v.flag(VisFlag::Activation);
    let [min, max] = if m.actuator_ctrllimited[i] {
        pair(&m.actuator_ctrlrange)
    } else if activation && m.actuator_actlimited[i] {
        pair(&m.actuator_actrange)
    } else {
        [-1.0, 1.0]
    };
    // lower bound, neutral value and upper bound
    let [mut low, neutral, mut high] = if min >= 0.0 {
        [-1.0, min, max]
    } else if max <= 0.0 {
        [min, max, 1.0]
    } else {
        [min, 0.0, max]
    };
    if neutral - low < MINVAL {
        low = neutral - MINVAL;
    }
    if high - neutral < MINVAL {
        high = neutral + MINVAL;
    }
    let last = usize::try_from(m.actuator_actadr[i] + m.actuator_actnum[i] - 1).ok();
    let state = match last.and_then(|last| d.act.get(last)) {
        Some(&act) if activation && m.actuator_dyntype[i] != DynType::None => act,
        _ => d.ctrl[i],
    };
    let state = if state < low {
        low
    } else if state > high {
        high
    } else {
        state
    };
    let [negative, positive] = if state <= neutral {
        [single((neutral - state) / (neutral - low).max(MINVAL)), 0.0]
    } else {
        [0.0, single((state - neutral) / (high - neutral).max(MINVAL))]
    };
    let rest = 1.0 - if state <= neutral { negative } else { positive };
    let rgba = &m.vis.rgba;
    std::array::from_fn(|k| {
        negative * rgba.actuatornegative[k]
            + rest * rgba.actuator[k]
            + positive * rgba.actuatorpositive[k]
    })
}
