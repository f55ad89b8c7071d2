//! Joints, coloured by the impedance of their limit constraints.

use super::{View, blend, decor};
use crate::option::visible;
use crate::{LabelMode, Scene, SceneGeomType, VisFlag, label, single};
use sim_core::math::rows;
use sim_core::math::vec3;
use sim_core::types::{ConstraintType, JointType, ObjType};

pub(super) fn joints(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::Joint) {
        return Some(());
    }
    let length = v.scaled(m.vis.scale.jointlength);
    let width = v.scaled(m.vis.scale.jointwidth);
    for i in (0..m.njnt).filter(|&i| visible(&v.option.jointgroup, m.jnt_group[i])) {
        let mut geom = decor(scene, ObjType::Joint, i)?;
        let anchor = rows::<3>(&d.xanchor)[i];
        match m.jnt_type[i] {
            JointType::Free | JointType::Ball => {
                let free = m.jnt_type[i] == JointType::Free;
                geom.kind = if free { SceneGeomType::Box } else { SceneGeomType::Sphere };
                geom.size = [single(0.3 * length); 3];
                geom.pos = anchor.map(single);
                let body = usize::try_from(m.jnt_bodyid[i]).unwrap_or(0);
                geom.mat = v.body_pose(body).1.map(single);
            }
            JointType::Slide | JointType::Hinge => {
                let slide = m.jnt_type[i] == JointType::Slide;
                let kind = if slide { SceneGeomType::Arrow } else { SceneGeomType::Arrow1 };
                let to = vec3::add_scaled(anchor, rows::<3>(&d.xaxis)[i], length);
                geom.set_connector(kind, width, anchor, to);
            }
        }
        let impedance = v.limit_impedance(ConstraintType::LimitJoint, i);
        let rgba = &m.vis.rgba;
        geom.rgba = blend(rgba.joint, rgba.constraint, impedance);
        geom.rgba[3] = 1.0;
        if v.option.label == LabelMode::Joint {
            geom.label = label::object(m, ObjType::Joint, i);
        }
        scene.push(geom);
    }
    Some(())
}
