//! Deformable bodies of the extension `xpbd`: surfaces of cloth and soft bodies, capsules of ropes.

use super::View;
use crate::option::visible;
use crate::scene::Owner;
use crate::{Category, LabelMode, Scene, SceneGeomType, Surface, VisFlag, single};
use sim_core::types::ObjType;

/// Adds the surfaces of all deformable bodies and the segments of ropes. Their object is a flex whose index is
/// that of the deformable body.
pub(super) fn deformables(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let shown = v.flag(VisFlag::FlexSkin) && visible(&v.option.flexgroup, 0);
    if !shown || !v.catmask.intersects(Category::DYNAMIC) {
        return Some(());
    }
    for k in 0..v.d.deformable_count() {
        let (Some(body), Some(deformable)) = (v.d.deformable(k), v.m.deformables.get(k)) else {
            continue;
        };
        let mut rgba = deformable.rgba;
        if v.flag(VisFlag::Transparent) {
            rgba[3] *= v.m.vis.map.alpha;
        }
        if rgba[3] == 0.0 {
            continue;
        }
        let first = scene.geoms.len();
        let positions = body.positions();
        if !body.triangles().is_empty() {
            let vertices = positions.iter().map(|p| [single(p.x), single(p.y), single(p.z)]);
            let surface = Surface::smooth(vertices.collect(), body.triangles().to_vec());
            scene.add_surface(surface.two_sided(), (ObjType::Flex, k), rgba);
        }
        let owner = Owner { id: k, category: Category::DYNAMIC, kind: ObjType::Flex };
        for &[a, b] in body.segments() {
            let ends = [a, b].map(|i| positions[i as usize].into());
            scene.connector(owner, SceneGeomType::Capsule, body.radius(), ends, rgba);
        }
        if v.option.label == LabelMode::Flex
            && let Some(geom) = scene.geoms.get_mut(first)
        {
            geom.label = crate::label::truncated(deformable.name.clone(), crate::label::MAX);
        }
    }
    Some(())
}
