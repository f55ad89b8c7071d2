//! `fusestatic`: bodies without joints are fused with their parents (mjCModel::FuseStatic).

use super::Context;
use super::body::{CompiledBody, Tree};
use super::bvh::body_bvh;
use super::math::{EPS, Pose, point_inertia, principal_axes, rotate, rotated_inertia, sub};
use crate::spec::{FuseInertia, Spec};
use sim_core::types::{EqType, MINVAL, ObjType, SensorType, TransmissionType};
use std::collections::HashSet;

/// A body with its children and elements during fusion.
struct Node<'a> {
    body: CompiledBody<'a>,
    children: Vec<usize>,
    geoms: Vec<usize>,
    sites: Vec<usize>,
    cameras: Vec<usize>,
    lights: Vec<usize>,
    /// Whether a geom can collide, so that the body has a BVH.
    collides: bool,
}

/// The nodes of all bodies.
fn nodes<'a>(tree: &mut Tree<'a>) -> Vec<Option<Node<'a>>> {
    let mut nodes: Vec<Node<'a>> = std::mem::take(&mut tree.bodies)
        .into_iter()
        .map(|body| Node {
            children: Vec::new(),
            geoms: body.geoms.clone().collect(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            collides: !body.bvh.is_empty(),
            body,
        })
        .collect();
    for id in 1..nodes.len() {
        let parent = nodes[id].body.parent;
        nodes[parent].children.push(id);
    }
    tree.sites.iter().enumerate().for_each(|(i, site)| nodes[site.body].sites.push(i));
    tree.cameras.iter().enumerate().for_each(|(i, camera)| nodes[camera.body].cameras.push(i));
    tree.lights.iter().enumerate().for_each(|(i, light)| nodes[light.body].lights.push(i));
    nodes.into_iter().map(Some).collect()
}

/// Fuses every body that has no joints, is not a mocap body and is not referenced by name.
///
/// Parents precede their children, so each body is processed once: linear in the size of the tree.
pub(super) fn fuse<'a>(context: &mut Context<'a, '_>, mut tree: Tree<'a>) -> Tree<'a> {
    let kept = referenced(context.spec);
    let mut nodes = nodes(&mut tree);
    let Tree { joints, mut geoms, mut sites, mut cameras, mut lights, .. } = tree;
    let mut unused_bvh_nodes = 0;
    for id in 1..nodes.len() {
        let has_sensor = |node: &Node<'_>| {
            node.sites.iter().any(|&s| kept.sites.contains(sites[s].spec.name.as_str()))
        };
        let fused = nodes[id].take_if(|node| {
            let spec = node.body.spec;
            spec.joints.is_empty()
                && !spec.mocap
                && !kept.bodies.contains(spec.name.as_str())
                && !has_sensor(node)
        });
        let Some(fused) = fused else { continue };
        let (pose, parent) = (fused.body.pose, fused.body.parent);
        for &child in &fused.children {
            if let Some(child) = &mut nodes[child] {
                child.body.parent = parent;
                child.body.pose = pose.then(child.body.pose);
            }
        }
        fused.geoms.iter().for_each(|&g| geoms[g].pose = pose.then(geoms[g].pose));
        fused.sites.iter().for_each(|&s| sites[s].pose = pose.then(sites[s].pose));
        fused.cameras.iter().for_each(|&c| cameras[c].pose = pose.then(cameras[c].pose));
        for &l in &fused.lights {
            lights[l].pos = pose.then(Pose { pos: lights[l].pos, ..Pose::IDENTITY }).pos;
            lights[l].dir = rotate(pose.quat, lights[l].dir);
        }
        // The parent exists: if it had been fused, this body would already have its parent instead.
        if let Some(into) = &mut nodes[parent] {
            if parent > 0 && fused.body.mass >= MINVAL {
                add_inertia(context, &mut into.body, &fused.body);
            }
            unused_bvh_nodes += usize::from(into.collides && fused.collides);
            into.collides |= fused.collides;
            into.children.extend(fused.children);
            into.geoms.extend(fused.geoms);
            into.sites.extend(fused.sites);
            into.cameras.extend(fused.cameras);
            into.lights.extend(fused.lights);
        }
    }
    rebuild(
        nodes,
        Tree { bodies: Vec::new(), joints, geoms, sites, cameras, lights, unused_bvh_nodes },
    )
}

/// Bodies that must not be fused: those referenced by name and those with force or torque sensors.
struct Kept<'a> {
    bodies: HashSet<&'a str>,
    sites: HashSet<&'a str>,
}

fn referenced(spec: &Spec) -> Kept<'_> {
    let mut kept = Kept { bodies: HashSet::new(), sites: HashSet::new() };
    for body in &spec.bodies {
        kept.bodies.extend(body.cameras.iter().map(|c| c.target.as_str()));
        kept.bodies.extend(body.lights.iter().map(|l| l.target.as_str()));
    }
    for exclude in &spec.excludes {
        kept.bodies.extend([exclude.body1.as_str(), exclude.body2.as_str()]);
    }
    for flex in &spec.flexes {
        kept.bodies.extend(flex.vertbody.iter().chain(&flex.nodebody).map(String::as_str));
    }
    for bone in spec.skins.iter().flat_map(|s| &s.bones) {
        kept.bodies.insert(&bone.body);
    }
    for e in &spec.equalities {
        if matches!(e.etype, EqType::Connect | EqType::Weld) && e.objtype == ObjType::Body {
            kept.bodies.extend([e.name1.as_str(), e.name2.as_str()]);
        }
    }
    for a in spec.actuators.iter().filter(|a| a.trntype == TransmissionType::Body) {
        kept.bodies.insert(&a.target);
    }
    let is_body = |kind: ObjType| matches!(kind, ObjType::Body | ObjType::XBody);
    for s in &spec.sensors {
        if is_body(s.objtype) {
            kept.bodies.insert(&s.objname);
        }
        if is_body(s.reftype) {
            kept.bodies.insert(&s.refname);
        }
        if matches!(s.stype, SensorType::Force | SensorType::Torque) {
            kept.sites.insert(&s.objname);
        }
    }
    for element in spec.tuples.iter().flat_map(|t| &t.elements) {
        if is_body(element.objtype) {
            kept.bodies.insert(&element.objname);
        }
    }
    kept.bodies.remove("");
    kept
}

/// Adds the mass and inertia of a fused body to its parent.
fn add_inertia(
    context: &mut Context<'_, '_>,
    parent: &mut CompiledBody<'_>,
    fused: &CompiledBody<'_>,
) {
    let inertial = match context.spec.compiler.fuseinertia {
        FuseInertia::Exact => fused.pose.then(fused.inertial),
        FuseInertia::Mujoco => fused.inertial.then(fused.pose),
    };
    let parts =
        [(parent.mass, parent.inertial, parent.inertia), (fused.mass, inertial, fused.inertia)];
    let mass = parts[0].0 + parts[1].0;
    let com: [f64; 3] =
        std::array::from_fn(|k| parts.iter().map(|p| p.0 * p.1.pos[k]).sum::<f64>() / mass);
    let mut full = [0.0; 6];
    for (mass, frame, moments) in parts {
        let rotated = rotated_inertia(moments, frame.quat);
        let offset = point_inertia(mass, sub(frame.pos, com));
        for k in 0..6 {
            full[k] += rotated[k] + offset[k];
        }
    }
    let (moments, quat) = principal_axes(full);
    if moments[2] < EPS {
        let message = "the inertia after fusing child bodies is not positive";
        context.invalid(parent.spec.origin, "body", None, message);
    }
    (parent.mass, parent.inertial, parent.inertia) = (mass, Pose { pos: com, quat }, moments);
}

/// The tree of the remaining bodies, with new ids.
fn rebuild<'a>(nodes: Vec<Option<Node<'a>>>, lists: Tree<'a>) -> Tree<'a> {
    let mut ids = Vec::with_capacity(nodes.len());
    let mut count = 0;
    for node in &nodes {
        ids.push(count);
        count += usize::from(node.is_some());
    }
    let mut geoms: Vec<_> = lists.geoms.into_iter().map(Some).collect();
    let mut sites: Vec<_> = lists.sites.into_iter().map(Some).collect();
    let mut cameras: Vec<_> = lists.cameras.into_iter().map(Some).collect();
    let mut lights: Vec<_> = lists.lights.into_iter().map(Some).collect();
    let unused_bvh_nodes = lists.unused_bvh_nodes;
    let mut out = Tree { joints: lists.joints, unused_bvh_nodes, ..Tree::default() };
    for joint in &mut out.joints {
        joint.body = ids[joint.body];
    }
    for Node { mut body, geoms: g, sites: s, cameras: c, lights: l, .. } in
        nodes.into_iter().flatten()
    {
        let id = out.bodies.len();
        body.parent = ids[body.parent];
        body.weldid =
            if id == 0 || !body.joints.is_empty() { id } else { out.bodies[body.parent].weldid };
        let first = out.geoms.len();
        for mut geom in g.iter().filter_map(|&g| geoms[g].take()) {
            geom.body = id;
            out.geoms.push(geom);
        }
        for mut site in s.iter().filter_map(|&s| sites[s].take()) {
            site.body = id;
            out.sites.push(site);
        }
        for mut camera in c.iter().filter_map(|&c| cameras[c].take()) {
            camera.body = id;
            out.cameras.push(camera);
        }
        for mut light in l.iter().filter_map(|&l| lights[l].take()) {
            light.body = id;
            out.lights.push(light);
        }
        body.geoms = first..out.geoms.len();
        body.combine_geoms(&out.geoms[first..]);
        body.bvh = body_bvh(first, &out.geoms[first..], body.inertial);
        out.bodies.push(body);
    }
    out
}
