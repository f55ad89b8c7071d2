//! `discardvisual`: removal of geoms and meshes that are used only for visualization.
//!
//! With this option materials and textures are not compiled at all.

use super::asset::Assets;
use super::body::Tree;
use super::bvh::body_bvh;
use crate::spec::{Spec, WrapKind};
use sim_core::types::ObjType;
use std::collections::HashSet;

/// Removes geoms that cannot collide and are not referenced, and meshes that are not used.
pub(super) fn discard(spec: &Spec, tree: &mut Tree<'_>, assets: &mut Assets<'_>) {
    let referenced_geoms = referenced(spec, ObjType::Geom);
    let mut kept = Vec::with_capacity(tree.geoms.len());
    let mut counts = vec![0; tree.bodies.len()];
    for geom in tree.geoms.drain(..) {
        let collides = geom.spec.contype != 0 || geom.spec.conaffinity != 0;
        if collides || referenced_geoms.contains(geom.spec.name.as_str()) {
            counts[geom.body] += 1;
            kept.push(geom);
        }
    }
    let mut first = 0;
    for (body, count) in tree.bodies.iter_mut().zip(counts) {
        body.geoms = first..first + count;
        body.bvh = body_bvh(first, &kept[body.geoms.clone()], body.inertial);
        first += count;
    }

    let referenced_meshes = referenced(spec, ObjType::Mesh);
    let mut used: Vec<bool> =
        assets.meshes.iter().map(|m| referenced_meshes.contains(m.spec.name.as_str())).collect();
    for geom in kept.iter().filter(|g| !g.spec.mesh.is_empty()) {
        if let Some(mesh) = geom.data {
            used[mesh] = true;
        }
    }
    let mut ids = Vec::with_capacity(used.len());
    let mut count = 0;
    for &used in &used {
        ids.push(count);
        count += usize::from(used);
    }
    for geom in kept.iter_mut().filter(|g| !g.spec.mesh.is_empty()) {
        geom.data = geom.data.map(|mesh| ids[mesh]);
    }
    let mut used = used.into_iter();
    assets.meshes.retain(|_| used.next().unwrap_or(false));
    tree.geoms = kept;
}

/// NameMap of objects of a type that sensors, tuples, pairs and tendons refer to.
fn referenced(spec: &Spec, kind: ObjType) -> HashSet<&str> {
    let mut names = HashSet::new();
    for s in &spec.sensors {
        if s.objtype == kind {
            names.insert(s.objname.as_str());
        }
        if s.reftype == kind {
            names.insert(&s.refname);
        }
    }
    for element in spec.tuples.iter().flat_map(|t| &t.elements) {
        if element.objtype == kind {
            names.insert(&element.objname);
        }
    }
    if kind == ObjType::Geom {
        for pair in &spec.pairs {
            names.extend([pair.geom1.as_str(), pair.geom2.as_str()]);
        }
        for wrap in spec.tendons.iter().flat_map(|t| &t.path) {
            if let WrapKind::Geom { geom, .. } = &wrap.kind {
                names.insert(geom);
            }
        }
    }
    names.remove("");
    names
}
