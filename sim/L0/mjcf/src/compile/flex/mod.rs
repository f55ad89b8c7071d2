//! Compilation of flexes (mjCFlex): reference positions, topology, elasticity and bounding volumes.

mod cells;
mod elasticity;
mod lower;
mod topology;

pub(super) use lower::{lower, sizes};

use super::Context;
use super::asset::Assets;
use super::body::Tree;
use super::math::{Pose, Vec3, add, cross, dot, rotate, sub};
use super::symbols::SymbolTable;
use crate::asset::mesh::{Bvh, Leaf};
use crate::spec::{Equality, Flex, SelfCollide};
use sim_core::types::{EqType, MINVAL};
use std::borrow::Cow;

/// A compiled flex. Vertices, nodes, edges and elements are numbered within the flex.
#[derive(Debug)]
pub(super) struct CompiledFlex<'a> {
    pub(super) spec: &'a Flex,
    material: Option<usize>,
    pub(super) rigid: bool,
    centered: bool,
    interpolated: bool,
    /// Body of each vertex, −1 if it is interpolated from nodes.
    vertbody: Vec<i32>,
    nodebody: Vec<i32>,
    elem: Vec<i32>,
    elemtexcoord: Vec<i32>,
    texcoord: &'a [f32],
    topology: topology::Topology,
    stiffness: Vec<f64>,
    /// 17 numbers per edge, or empty.
    bending: Vec<f64>,
    bvh: Bvh,
    /// Half size of the bounding box.
    size: Vec3,
    vert0: Vec<Vec3>,
    node0: Vec<Vec3>,
    /// Entries of the Jacobians of edge lengths and of vertex strains.
    entries: [usize; 2],
}

/// The attribute that an error concerns, and its message.
type Failure = (Option<&'static str>, Cow<'static, str>);

fn fail<T>(attribute: Option<&'static str>, message: &'static str) -> Result<T, Failure> {
    Err((attribute, Cow::Borrowed(message)))
}

impl CompiledFlex<'_> {
    fn dim(&self) -> usize {
        self.spec.dim as usize
    }

    fn nvert(&self) -> usize {
        self.vertbody.len()
    }

    fn nelem(&self) -> usize {
        self.elem.len() / (self.dim() + 1)
    }
}

/// Compiles a flex; reports errors.
pub(super) fn flex<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    assets: &Assets<'a>,
    (tree, poses): (&Tree<'a>, &[Pose]),
    spec: &'a Flex,
) -> Option<CompiledFlex<'a>> {
    let material = assets.material(context, symbols, &spec.material, (spec.origin, "flex"));
    let mut bodies = |names: &[String], attribute| -> Option<Vec<usize>> {
        let find = |name: &String| {
            symbols.find(context, &symbols.body, "body", name, (spec.origin, "flex", attribute))
        };
        names.iter().map(find).collect()
    };
    let vertbody = bodies(&spec.vertbody, "body")?;
    let nodebody = bodies(&spec.nodebody, "node")?;
    // the cells of a flex with strain constraints have the modes of their stiffness
    let constrains = |e: &Equality| e.etype == EqType::FlexStrain && e.name1 == spec.name;
    let strain = spec.young <= 0.0 && context.spec.equalities.iter().any(constrains);
    let made = check(spec, tree, &vertbody)
        .and_then(|()| compile((spec, material), strain, (tree, poses), &vertbody, &nodebody));
    match made {
        Ok(flex) => Some(flex),
        Err((attribute, message)) => {
            context.invalid(spec.origin, "flex", attribute, message);
            None
        }
    }
}

/// Poses of the bodies in the reference configuration.
pub(super) fn reference_poses(tree: &Tree<'_>) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(tree.bodies.len());
    for (i, b) in tree.bodies.iter().enumerate() {
        poses.push(if i == 0 { b.pose } else { poses[b.parent].then(b.pose) });
    }
    poses
}

/// Checks everything that does not depend on positions.
fn check(s: &Flex, tree: &Tree<'_>, vertbody: &[usize]) -> Result<(), Failure> {
    let interpolated = !s.nodebody.is_empty();
    if !(1..=3).contains(&s.dim) {
        return fail(Some("dim"), "must be 1, 2 or 3");
    }
    let corners = s.dim as usize + 1;
    if s.elem.is_empty() || !s.elem.len().is_multiple_of(corners) {
        let message = format!("requires a multiple of {corners} numbers (dim + 1)");
        return Err((Some("element"), message.into()));
    }
    if s.vertbody.is_empty() {
        return fail(Some("body"), "requires the name of at least one body");
    }
    if !s.vert.len().is_multiple_of(3) {
        return fail(Some("vertex"), "requires a multiple of 3 numbers");
    }
    if s.edgestiffness > 0.0 && s.dim > 1 {
        let message = "edge stiffness requires dim=\"1\"; use `elasticity` for dim 2 and 3";
        return fail(None, message);
    }
    if interpolated && s.selfcollide != SelfCollide::None {
        let message = "an interpolated flex cannot collide with itself: set selfcollide=\"none\"";
        return fail(None, message);
    }
    if interpolated && s.internal {
        return fail(None, "an interpolated flex has no internal contacts: set internal=\"false\"");
    }
    if s.elastic2d.bends() || s.elastic2d.stretches() {
        if s.thickness <= 0.0 {
            return fail(None, "`elastic2d` requires a positive `thickness`");
        }
        if interpolated || s.dim != 2 {
            return fail(None, "`elastic2d` requires dim=\"2\" without interpolation");
        }
    }
    if s.young > 0.0 && !(0.0..0.5).contains(&s.poisson) {
        return fail(None, "`poisson` must be at least 0 and below 0.5");
    }
    if s.elastic2d.bends() && vertbody.iter().any(|&b| tree.bodies[b].joints.len() != 3) {
        let message =
            "bending requires bodies with three joints: pins, radial and 2d dofs are not supported";
        return fail(None, message);
    }
    check_nodes(s, interpolated)?;
    let nvert = if s.vert.is_empty() { s.vertbody.len() } else { s.vert.len() / 3 };
    if s.vertbody.len() != 1 && s.vertbody.len() != nvert {
        return fail(Some("body"), "requires one body, or one for each vertex");
    }
    if nvert < corners {
        return fail(Some("vertex"), "has too few vertices for one element");
    }
    let outside = |&v: &i32| usize::try_from(v).map_or(true, |v| v >= nvert);
    if let Some(at) = s.elem.iter().position(outside) {
        let (element, vertex) = (at / corners, s.elem[at]);
        let message = format!("element {element} has vertex {vertex}, but there are {nvert}");
        return Err((Some("element"), message.into()));
    }
    for (e, element) in s.elem.chunks(corners).enumerate() {
        if (1..corners).any(|k| element[..k].contains(&element[k])) {
            let message = format!("element {e} has a repeated vertex");
            return Err((Some("element"), message.into()));
        }
    }
    if !s.texcoord.is_empty() && s.texcoord.len() != 2 * nvert && s.elemtexcoord.is_empty() {
        let message = "requires two numbers per vertex, unless `elemtexcoord` is given";
        return fail(Some("texcoord"), message);
    }
    let outside = |&t: &i32| t < -1 || t as usize >= s.texcoord.len() / 2 && t >= 0;
    if !s.texcoord.is_empty() && s.elemtexcoord.iter().any(outside) {
        return fail(Some("elemtexcoord"), "refers to a texture coordinate that does not exist");
    }
    Ok(())
}

fn check_nodes(s: &Flex, interpolated: bool) -> Result<(), Failure> {
    if !(0..=2).contains(&s.order) {
        return fail(Some("dof"), "the order of interpolation must be 0, 1 or 2");
    }
    if interpolated && s.order == 0 {
        return fail(Some("dof"), "is required with `node`: trilinear or quadratic");
    }
    if s.order == 0 {
        return Ok(());
    }
    if s.cellcount.iter().any(|&n| !(1..=10_000).contains(&n)) {
        return fail(Some("cellcount"), "must be positive along each axis");
    }
    let expected = s.cellcount.iter().fold(1_u64, |n, &c| {
        n.saturating_mul(u64::from(c.unsigned_abs()) * u64::from(s.order.unsigned_abs()) + 1)
    });
    if s.nodebody.len() as u64 != expected {
        let found = s.nodebody.len();
        let message = format!("has {found} bodies, but `cellcount` and `dof` require {expected}");
        return Err((Some("node"), message.into()));
    }
    if !s.node.is_empty() && s.node.len() != 3 * s.nodebody.len() {
        return fail(Some("node"), "requires three coordinates per node");
    }
    Ok(())
}

/// World positions of points given in the frames of their bodies; `offsets` may be empty.
fn positions(poses: &[Pose], bodies: impl Iterator<Item = usize>, offsets: &[f64]) -> Vec<Vec3> {
    let offsets = offsets.as_chunks::<3>().0;
    let place = |(i, b): (usize, usize)| match offsets.get(i) {
        Some(&offset) => add(poses[b].pos, rotate(poses[b].quat, offset)),
        None => poses[b].pos,
    };
    bodies.enumerate().map(place).collect()
}

fn compile<'a>(
    (s, material): (&'a Flex, Option<usize>),
    strain: bool,
    (tree, poses): (&Tree<'_>, &[Pose]),
    vertbody: &[usize],
    nodebody: &[usize],
) -> Result<CompiledFlex<'a>, Failure> {
    let interpolated = !nodebody.is_empty();
    let dim = s.dim as usize;
    let nvert = if s.vert.is_empty() { vertbody.len() } else { s.vert.len() / 3 };
    let single = vertbody.len() == 1 && !s.vert.is_empty();
    let rigid = single || (!interpolated && vertbody.iter().all(|&b| b == vertbody[0]));
    let zero = |values: &[f64]| values.iter().all(|&x| x == 0.0);
    let centered = s.vert.is_empty() || zero(if interpolated { &s.node } else { &s.vert });
    let body_of = |i: usize| if single { vertbody[0] } else { vertbody[i] };
    let offsets = if centered && !interpolated { &[][..] } else { &s.vert[..] };
    let vertxpos = positions(poses, (0..nvert).map(body_of), offsets);
    let offsets = if centered { &[][..] } else { &s.node[..] };
    let nodexpos = positions(poses, nodebody.iter().copied(), offsets);
    let node0 = cells::unrotated(s, nodexpos);

    let given = texcoord_indices(s);
    let mut elem = s.elem.to_vec();
    if dim == 3 {
        orient_outward(&mut elem, &vertxpos);
    }
    let topology = topology::Topology::new(dim, nvert, &elem);
    let (mut stiffness, mut bending) = (Vec::new(), Vec::new());
    if interpolated {
        if s.young > 0.0 || strain {
            stiffness = cells::stiffness(s, strain, &node0);
        }
    } else if s.young > 0.0 {
        stiffness = elasticity::stiffness(s, &elem, &vertxpos);
        if s.elastic2d.bends() {
            bending = elasticity::bending(s, &topology.flaps, &vertxpos);
        }
    }
    let bvh = bounding_volumes(s, &elem, &topology.layer, &vertxpos);
    let Some(root) = bvh.aabb.first().copied() else {
        return fail(None, "has no active elements: increase `activelayers`");
    };
    let size: Vec3 = std::array::from_fn(|k| root[k + 3] - s.radius);
    let normalized = |p: &Vec3| -> Vec3 {
        std::array::from_fn(|k| {
            if size[k] > MINVAL { (p[k] - root[k]) / (2.0 * size[k]) + 0.5 } else { 0.5 }
        })
    };
    let vert0 = vertxpos.iter().map(normalized).collect();
    let id = |b: usize| i32::try_from(b).unwrap_or(i32::MAX);
    let bodies: Vec<usize> = (0..nvert).map(body_of).collect();
    let entries =
        if interpolated || rigid { [0; 2] } else { topology.jacobian_entries(tree, &bodies) };
    let vertbody = bodies.iter().map(|&b| if interpolated { -1 } else { id(b) }).collect();
    Ok(CompiledFlex {
        spec: s,
        material,
        rigid,
        centered,
        interpolated,
        vertbody,
        nodebody: nodebody.iter().map(|&b| id(b)).collect(),
        elemtexcoord: given.unwrap_or_else(|| elem.clone()),
        elem,
        texcoord: &s.texcoord,
        topology,
        stiffness,
        bending,
        bvh,
        size,
        vert0,
        node0,
        entries,
    })
}

/// Texture coordinate of each element vertex; `None` if they are the elements themselves.
///
/// As in MuJoCo, without explicit indices those of tetrahedra are the first three quarters of the list as given,
/// then zeros.
fn texcoord_indices(s: &Flex) -> Option<Vec<i32>> {
    if s.texcoord.is_empty() {
        return None;
    }
    let nelem = s.elem.len() / (s.dim as usize + 1);
    let given: &[i32] = if s.elemtexcoord.is_empty() {
        &s.elem[..(3 * nelem).min(s.elem.len())]
    } else {
        &s.elemtexcoord
    };
    let mut indices = given.to_vec();
    indices.resize(s.elem.len(), 0);
    Some(indices)
}

/// Reorders tetrahedra so that the faces (0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2) point outward.
fn orient_outward(elem: &mut [i32], x: &[Vec3]) {
    for e in elem.as_chunks_mut::<4>().0 {
        let [v0, v1, v2, v3] = e.map(|v| x[v as usize]);
        if dot(cross(sub(v1, v0), sub(v2, v0)), sub(v3, v0)) > 0.0 {
            e.swap(1, 2);
        }
    }
}

/// Bounding volume hierarchy of the elements that can collide.
fn bounding_volumes(s: &Flex, elem: &[i32], layer: &[i32], x: &[Vec3]) -> Bvh {
    let dim = s.dim as usize;
    let (mut leaves, mut centers) = (Vec::new(), Vec::new());
    for (e, element) in elem.chunks(dim + 1).enumerate() {
        if dim == 3 && layer[e] >= s.activelayers {
            continue;
        }
        let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
        let mut center = [0.0; 3];
        for k in 0..3 {
            for &v in element {
                low[k] = low[k].min(x[v as usize][k]);
                high[k] = high[k].max(x[v as usize][k]);
            }
            center[k] = 0.5 * (high[k] + low[k]);
            let half = 0.5 * (high[k] - low[k]) + s.radius;
            (low[k], high[k]) = (center[k] - half, center[k] + half);
        }
        leaves.push(Leaf { id: e as i32, rank: [0; 3], low, high });
        centers.push(center);
    }
    Bvh::ranked_by(leaves, &centers)
}
