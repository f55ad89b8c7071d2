//! Contact points, frames and forces.

use super::{View, decor};
use crate::{FrameMode, LabelMode, Scene, SceneGeomType, VisFlag, color, label, single};
use sim_core::math::mat3::{self, Mat3};
use sim_core::math::vec3::{self, Vec3};
use sim_core::mj_contact_force;
use sim_core::types::{Contact, MINVAL, ObjType};

pub(super) fn contacts(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let m = v.m;
    let (show_point, show_force) = (v.flag(VisFlag::ContactPoint), v.flag(VisFlag::ContactForce));
    let show_frame = v.option.frame == FrameMode::Contact;
    if !show_point && !show_force && !show_frame {
        return Some(());
    }
    let size = m.stat.meansize;
    for (i, contact) in v.d.contact.iter().enumerate() {
        if show_point {
            point(v, i, contact, scene)?;
        }
        // columns: normal and two tangents
        let mat = mat3::transpose(&contact.frame);
        if show_frame {
            let length = f64::from(m.vis.scale.framelength) * size / 2.0;
            let width = f64::from(m.vis.scale.framewidth) * size / 2.0;
            scene.frame(i, contact.pos, &mat, length, width);
        }
        if show_force && contact.efc_address >= 0 {
            force(v, i, contact, &mat, scene)?;
        }
    }
    Some(())
}

/// Disc at a contact point.
fn point(v: &View<'_>, i: usize, contact: &Contact, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    let size = m.stat.meansize;
    let mut geom = decor(scene, ObjType::Unknown, i)?;
    geom.kind = SceneGeomType::Cylinder;
    let width = single(f64::from(m.vis.scale.contactwidth) * size);
    let height = single(f64::from(m.vis.scale.contactheight) * size);
    // as deep as the penetration
    geom.size = [width, width, height.max(single(-contact.dist / 2.0))];
    geom.pos = contact.pos.map(single);
    let f = contact.frame;
    // columns: two tangents and the normal
    geom.mat = [f[3], f[6], f[0], f[4], f[7], f[1], f[5], f[8], f[2]].map(single);
    geom.rgba = match usize::try_from(contact.efc_address) {
        Ok(row) if v.flag(VisFlag::Island) => {
            let index = |ids: &[i32], i: usize| ids.get(i).and_then(|&id| usize::try_from(id).ok());
            let island = if d.nisland > 0 { index(&d.efc_island, row) } else { None };
            color::island(island.and_then(|island| index(&d.island_dofadr, island)), true)
        }
        Ok(_) => m.vis.rgba.contactpoint,
        Err(_) => m.vis.rgba.contactgap,
    };
    if v.option.label == LabelMode::ContactPoint {
        let name = |kind: ObjType, id: i32, prefix: &str| {
            let named = usize::try_from(id).ok().and_then(|id| m.id2name(kind, id));
            named
                .filter(|name| !name.is_empty())
                .map_or_else(|| format!("{prefix}{id}"), str::to_owned)
        };
        let object = |side: usize| {
            let text = if contact.geom[side] >= 0 || contact.flex[side] < 0 {
                name(ObjType::Geom, contact.geom[side], "g")
            } else {
                let flex = name(ObjType::Flex, contact.flex[side], "f");
                match contact.elem[side] {
                    elem @ 0.. => format!("{flex}.e{elem}"),
                    _ => format!("{flex}.v{}", contact.vert[side]),
                }
            };
            label::truncated(text, 47)
        };
        let [a, b] = [object(0), object(1)];
        geom.label = label::truncated(format!("{a} | {b}"), 99);
    }
    scene.push(geom);
    Some(())
}

/// Arrow of a contact force, or two arrows for its normal and tangential parts.
fn force(v: &View<'_>, i: usize, contact: &Contact, mat: &Mat3, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    let mut wrench = [0.0; 6];
    mj_contact_force(m, d, i, &mut wrench);
    let mut force = [wrench[0], wrench[1], wrench[2]];
    if contact.dim < 3 {
        force[1..].fill(0.0);
    }
    if vec3::norm(force) < MINVAL {
        return Some(());
    }
    // flexes count as bodies after all others
    let bodies: [i32; 2] = std::array::from_fn(|side| {
        let body = usize::try_from(contact.geom[side]).ok().and_then(|g| m.geom_bodyid.get(g));
        let flex = contact.flex[side];
        let after = || if flex < 0 { 0 } else { i32::try_from(m.nbody).unwrap_or(0) + flex };
        body.copied().unwrap_or_else(after)
    });
    let split = v.flag(VisFlag::ContactSplit) && contact.dim > 1;
    // one direction for contacts with the world
    let kind = if bodies[0] > 0 && bodies[1] > 0 && !split {
        SceneGeomType::Arrow2
    } else {
        SceneGeomType::Arrow
    };
    let normal: Vec3 = std::array::from_fn(|k| mat[3 * k] * force[0]);
    let friction: Vec3 =
        std::array::from_fn(|k| mat[3 * k + 1] * force[1] + mat[3 * k + 2] * force[2]);
    let rgba = &m.vis.rgba;
    let combined = [(mat3::mul_vec(mat, force), rgba.contactforce)];
    let parts = [(normal, rgba.contactforce), (friction, rgba.contactfriction)];
    let arrows: &[(Vec3, crate::Rgba)] = if split { &parts } else { &combined };
    for (k, (arrow, rgba)) in arrows.iter().enumerate() {
        let mut geom = decor(scene, ObjType::Unknown, i)?;
        let mut arrow = vec3::scale(*arrow, f64::from(m.vis.map.force) / m.stat.meanmass);
        // towards the body with the higher index
        if bodies[0] > bodies[1] {
            arrow = vec3::scale(arrow, -1.0);
        }
        let width = f64::from(m.vis.scale.forcewidth) * m.stat.meansize;
        geom.set_connector(kind, width, contact.pos, vec3::add(contact.pos, arrow));
        geom.rgba = *rgba;
        if v.option.label == LabelMode::ContactForce && k == 0 {
            geom.label = label::general(vec3::norm(force));
        }
        scene.push(geom);
    }
    Some(())
}
