//! Anchors of connect and weld constraints.

use super::{View, decor};
use crate::{LabelMode, Scene, SceneGeomType, VisFlag, label};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, rows};
use sim_core::types::{EqType, NEQDATA, ObjType};

pub(super) fn equalities(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::Constraint) {
        return Some(());
    }
    for i in (0..m.neq).filter(|&i| d.eq_active[i]) {
        // position of the two anchors in eq_data
        let anchors = match m.eq_type[i] {
            EqType::Connect => [0, 3],
            EqType::Weld => [3, 0],
            _ => continue,
        };
        let data = &m.eq_data[NEQDATA * i..NEQDATA * (i + 1)];
        let colors = [m.vis.rgba.connect, m.vis.rgba.constraint];
        for (side, object) in [m.eq_obj1id[i], m.eq_obj2id[i]].into_iter().enumerate() {
            let Ok(object) = usize::try_from(object) else { continue };
            let (pos, mat) = if m.eq_objtype[i] == ObjType::Site {
                (rows::<3>(&d.site_xpos)[object], &rows::<9>(&d.site_xmat)[object])
            } else {
                let at = anchors[side];
                let anchor: Vec3 = [data[at], data[at + 1], data[at + 2]];
                let (pos, mat) = v.body_pose(object);
                (vec3::add(mat3::mul_vec(mat, anchor), pos), mat)
            };
            let mut geom = decor(scene, ObjType::Equality, i)?;
            let size = [v.scaled(m.vis.scale.constraint); 3];
            let (kind, rgba) = (SceneGeomType::Sphere, colors[side]);
            geom.init(kind, Some(size), Some(pos), Some(mat), Some(rgba));
            if v.option.label == LabelMode::Constraint {
                geom.label = label::object(m, ObjType::Equality, i);
            }
            scene.push(geom);
        }
    }
    Some(())
}
