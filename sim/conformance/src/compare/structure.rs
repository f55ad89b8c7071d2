//! Comparison of arrays whose order is arbitrary: bounding volume hierarchies, convex hulls, mesh polygons.
//!
//! Two engines may list the same triangles, or split the same set of boxes, in a different order. These
//! arrays are compared by meaning: equal sets, equal volume, a valid tree.

use super::Outcome;
use crate::{Archive, tolerance};
use sim_core::{FieldView, Model};
use std::collections::HashMap;

/// The arrays compared in this file; all others are compared element by element.
pub const FIELDS: &[&str] = &[
    "bvh_depth",
    "bvh_child",
    "bvh_nodeid",
    "bvh_aabb",
    "mesh_graph",
    "mesh_face",
    "mesh_facenormal",
    "mesh_normal",
    "mesh_polynormal",
    "mesh_polyvertadr",
    "mesh_polyvertnum",
    "mesh_polyvert",
    "mesh_polymapadr",
    "mesh_polymapnum",
    "mesh_polymap",
];

/// Relative tolerance of the hull volume: with vertices in single precision, the triangulation of a flat
/// polygon is arbitrary.
const VOLUME: f64 = 1e-7;

/// One engine's arrays, by name.
struct Side {
    arrays: HashMap<&'static str, Vec<f64>>,
}

impl Side {
    fn ints(&self, name: &str) -> Vec<i64> {
        self.reals(name).iter().map(|&x| x as i64).collect()
    }

    fn reals(&self, name: &str) -> &[f64] {
        self.arrays.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Arrays that the comparison reads besides [`FIELDS`].
const INPUTS: &[&str] = &[
    "body_bvhadr",
    "body_bvhnum",
    "mesh_bvhadr",
    "mesh_bvhnum",
    "mesh_graphadr",
    "mesh_vertadr",
    "mesh_vertnum",
    "mesh_faceadr",
    "mesh_facenum",
    "mesh_normaladr",
    "mesh_normalnum",
    "mesh_polyadr",
    "mesh_polynum",
    "mesh_vert",
];

/// Compares all arrays of [`FIELDS`].
pub fn structure(out: &mut Outcome, archive: &Archive, m: &Model) {
    let names = || FIELDS.iter().chain(INPUTS).copied();
    let ours = Side { arrays: names().map(|n| (n, field(m, n))).collect() };
    let theirs = |n| archive.get(&format!("model/{n}")).to_vec();
    let theirs = Side { arrays: names().map(|n| (n, theirs(n))).collect() };
    for name in FIELDS {
        out.compared += 1;
        if ours.reals(name).len() != theirs.reals(name).len() {
            let detail = format!(
                "{} elements, the oracle has {}",
                ours.reals(name).len(),
                theirs.reals(name).len()
            );
            out.push("compile", name, f64::INFINITY, 0.0, detail);
            return;
        }
    }
    for (field, result) in [
        ("bvh_nodeid", body_trees(&ours, &theirs)),
        ("mesh_face", faces(&ours, &theirs)),
        ("bvh_nodeid", mesh_trees(&ours, &theirs)),
        ("mesh_graph", hulls(&ours, &theirs)),
        ("mesh_polyvert", polygons(&ours, &theirs)),
    ] {
        if let Err((error, detail)) = result {
            out.push("compile", field, error, tolerance::MODEL, detail);
        }
    }
}

/// Relative error and description of a difference.
type Mismatch = (f64, String);

fn mismatch<T>(detail: impl Into<String>) -> Result<T, Mismatch> {
    Err((f64::INFINITY, detail.into()))
}

fn field(m: &Model, name: &str) -> Vec<f64> {
    match m.field(name) {
        Some(FieldView::F64(x)) => x.to_vec(),
        Some(FieldView::F32(x)) => x.iter().map(|&x| f64::from(x)).collect(),
        Some(FieldView::I32(x)) => x.iter().map(|&x| f64::from(x)).collect(),
        Some(FieldView::U8(x)) => x.iter().map(|&x| f64::from(x)).collect(),
        Some(FieldView::I64(x)) => x.iter().map(|&x| x as f64).collect(),
        _ => Vec::new(),
    }
}

fn at(list: &[i64], i: usize) -> usize {
    usize::try_from(list[i]).unwrap_or(0)
}

fn body_trees(ours: &Side, theirs: &Side) -> Result<(), Mismatch> {
    let (adr, num) = (theirs.ints("body_bvhadr"), theirs.ints("body_bvhnum"));
    let (a, b) = (Bvh::new(ours), Bvh::new(theirs));
    for i in 0..num.len() {
        let key = |leaf: i64| vec![leaf];
        compare_tree(&a, &b, (at(&adr, i), at(&num, i)), &key, &key)
            .map_err(|(e, why)| (e, format!("tree of body {i}: {why}")))?;
    }
    Ok(())
}

fn mesh_trees(ours: &Side, theirs: &Side) -> Result<(), Mismatch> {
    let (adr, num) = (theirs.ints("mesh_bvhadr"), theirs.ints("mesh_bvhnum"));
    let (faceadr, facenum) = (theirs.ints("mesh_faceadr"), theirs.ints("mesh_facenum"));
    let (our_faces, their_faces) = (ours.ints("mesh_face"), theirs.ints("mesh_face"));
    let (a, b) = (Bvh::new(ours), Bvh::new(theirs));
    for i in 0..num.len() {
        let first = at(&faceadr, i);
        // A face is identified by its vertices.
        let key = |faces: &[i64], leaf: i64| {
            let face = first + usize::try_from(leaf).unwrap_or(0);
            let mut key = faces.get(3 * face..3 * face + 3).unwrap_or(&[]).to_vec();
            key.sort_unstable();
            key
        };
        // A mesh without faces takes those of its hull, whose polygons can be triangulated differently.
        let range = 3 * first..3 * (first + at(&facenum, i));
        if our_faces[range.clone()] != their_faces[range] {
            a.check(at(&adr, i), at(&num, i))?;
            continue;
        }
        let (ka, kb) = (|leaf| key(&our_faces, leaf), |leaf| key(&their_faces, leaf));
        compare_tree(&a, &b, (at(&adr, i), at(&num, i)), &ka, &kb)
            .map_err(|(e, why)| (e, format!("tree of mesh {i}: {why}")))?;
    }
    Ok(())
}

/// The arrays of all bounding volume hierarchies.
struct Bvh<'a> {
    aabb: &'a [f64],
    child: Vec<i64>,
    leaf: Vec<i64>,
    depth: Vec<i64>,
}

impl<'a> Bvh<'a> {
    fn new(side: &'a Side) -> Self {
        Self {
            aabb: side.reals("bvh_aabb"),
            child: side.ints("bvh_child"),
            leaf: side.ints("bvh_nodeid"),
            depth: side.ints("bvh_depth"),
        }
    }

    fn aabb(&self, node: usize) -> &[f64] {
        &self.aabb[6 * node..6 * node + 6]
    }

    /// Checks that nodes `first..first + num` are one tree whose boxes contain their children.
    fn check(&self, first: usize, num: usize) -> Result<(), Mismatch> {
        let mut parents = vec![0; num];
        for n in 0..num {
            let node = first + n;
            let children = &self.child[2 * node..2 * node + 2];
            let inner: Vec<usize> =
                children.iter().filter_map(|&c| usize::try_from(c).ok()).collect();
            if (self.leaf[node] >= 0) != inner.is_empty() {
                return mismatch(format!("node {n} is neither a leaf nor an inner node"));
            }
            for c in inner {
                if c >= num || c <= n {
                    return mismatch(format!("node {n} has a child {c}"));
                }
                parents[c] += 1;
                if self.depth[first + c] != self.depth[node] + 1 {
                    return mismatch(format!("node {c} has depth {}", self.depth[first + c]));
                }
                let (outer, small) = (self.aabb(node), self.aabb(first + c));
                for k in 0..3 {
                    let slack = 1e-9 * (1.0 + outer[k].abs() + outer[k + 3]);
                    if (small[k] - outer[k]).abs() + small[k + 3] > outer[k + 3] + slack {
                        return mismatch(format!("the box of node {n} does not contain node {c}"));
                    }
                }
            }
        }
        match parents.iter().skip(1).position(|&p| p != 1) {
            Some(n) => mismatch(format!("node {} has {} parents", n + 1, parents[n + 1])),
            None => Ok(()),
        }
    }
}

/// Compares two trees: same leaves, and same boxes of the leaves and of the root.
fn compare_tree(
    ours: &Bvh<'_>,
    theirs: &Bvh<'_>,
    (first, num): (usize, usize),
    our_key: &dyn Fn(i64) -> Vec<i64>,
    their_key: &dyn Fn(i64) -> Vec<i64>,
) -> Result<(), Mismatch> {
    if num == 0 {
        return Ok(());
    }
    ours.check(first, num)?;
    let leaves = |side: &Bvh<'_>, key: &dyn Fn(i64) -> Vec<i64>| {
        let mut list: Vec<(Vec<i64>, usize)> = (first..first + num)
            // in the oracle, a node that was a leaf before bodies were fused keeps its id
            .filter(|&n| side.leaf[n] >= 0 && side.child[2 * n] < 0)
            .map(|n| (key(side.leaf[n]), n))
            .collect();
        list.sort();
        list
    };
    let (a, b) = (leaves(ours, our_key), leaves(theirs, their_key));
    if a.len() != b.len() {
        return mismatch(format!("{} leaves, the oracle has {}", a.len(), b.len()));
    }
    close(ours.aabb(first), theirs.aabb(first)).map_err(|e| (e, "the root box differs".into()))?;
    let scale = theirs.aabb(first).iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    for ((ka, na), (kb, nb)) in a.iter().zip(&b) {
        if ka != kb {
            return mismatch(format!("the leaves differ: {ka:?}, the oracle has {kb:?}"));
        }
        let error = distance(ours.aabb(*na), theirs.aabb(*nb)) / scale.max(tolerance::MIN_SCALE);
        // Leaves with equal keys may be in any order.
        if error > tolerance::MODEL_F32 && a.iter().filter(|(k, _)| k == ka).count() == 1 {
            return Err((error, format!("the box of leaf {ka:?} differs")));
        }
    }
    Ok(())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |e, (a, b)| e.max((a - b).abs()))
}

fn close(a: &[f64], b: &[f64]) -> Result<(), f64> {
    let scale = b.iter().fold(tolerance::MIN_SCALE, |s, x| s.max(x.abs()));
    let error = distance(a, b) / scale;
    if error > tolerance::MODEL_F32 { Err(error) } else { Ok(()) }
}

/// A triangle rotated to start at its smallest vertex index, so that equal triangles compare equal.
fn triangle(face: &[i64]) -> [i64; 3] {
    let [a, b, c] = [face[0], face[1], face[2]];
    let least = a.min(b).min(c);
    if a == least {
        [a, b, c]
    } else if b == least {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Compares mesh faces: identical, or, for meshes with the faces of their hull, the same surface.
fn faces(ours: &Side, theirs: &Side) -> Result<(), Mismatch> {
    let (a, b) = (ours.ints("mesh_face"), theirs.ints("mesh_face"));
    let (na, nb) = (ours.ints("mesh_facenormal"), theirs.ints("mesh_facenormal"));
    let (adr, num) = (theirs.ints("mesh_faceadr"), theirs.ints("mesh_facenum"));
    let (normaladr, normalnum) = (theirs.ints("mesh_normaladr"), theirs.ints("mesh_normalnum"));
    let vertadr = theirs.ints("mesh_vertadr");
    for i in 0..num.len() {
        let range = 3 * at(&adr, i)..3 * (at(&adr, i) + at(&num, i));
        let normals = 3 * at(&normaladr, i)..3 * (at(&normaladr, i) + at(&normalnum, i));
        let our_normals = &ours.reals("mesh_normal")[normals.clone()];
        if a[range.clone()] == b[range.clone()] {
            if na[range.clone()] != nb[range] {
                return mismatch(format!("normals of the faces of mesh {i} differ"));
            }
            let error = distance(our_normals, &theirs.reals("mesh_normal")[normals]);
            if error > tolerance::MODEL_F32 {
                return Err((error, format!("normals of mesh {i} differ")));
            }
            continue;
        }
        // Vertex normals depend on the triangulation of flat polygons, so only their length is checked.
        for n in our_normals.chunks_exact(3) {
            if (n.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() > tolerance::MODEL_F32 {
                return mismatch(format!("mesh {i} has a normal {n:?}"));
            }
        }
        let vert = |side: &Side| side.reals("mesh_vert")[3 * at(&vertadr, i)..].to_vec();
        same_surface(&a[range.clone()], &b[range], &vert(ours), &vert(theirs))
            .map_err(|(e, why)| (e, format!("mesh {i}: {why}")))?;
    }
    Ok(())
}

/// Compares two surfaces: closed triangulations of the same vertices with the same volume.
fn same_surface(a: &[i64], b: &[i64], va: &[f64], vb: &[f64]) -> Result<(), Mismatch> {
    let sorted = |list: &[i64]| {
        let mut triangles: Vec<_> = list.chunks_exact(3).map(triangle).collect();
        triangles.sort_unstable();
        triangles
    };
    let (ta, tb) = (sorted(a), sorted(b));
    if ta == tb {
        return Ok(());
    }
    // Vertices with the same coordinates are the same vertex.
    let vertices = |list: &[i64], vert: &[f64]| {
        let mut all: Vec<[u64; 3]> = list.iter().map(|&v| vertex_bits(vert, v)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    // Both engines have the same coordinates, or `mesh_vert` already differs.
    if vertices(a, vb) != vertices(b, vb) {
        return mismatch("the vertices of the faces differ");
    }
    closed(&ta)?;
    let (ours, theirs) = (volume(&ta, va), volume(&tb, vb));
    let error = ((ours - theirs) / theirs.abs().max(tolerance::MIN_SCALE)).abs();
    if error > VOLUME {
        return Err((error, format!("the volume is {ours}, the oracle has {theirs}")));
    }
    Ok(())
}

/// Bit patterns of a vertex's coordinates.
fn vertex_bits(vert: &[f64], v: i64) -> [u64; 3] {
    let v = usize::try_from(v).unwrap_or(0);
    std::array::from_fn(|k| (vert[3 * v + k] + 0.0).to_bits())
}

/// Checks that a surface is closed: every edge occurs once in each direction.
fn closed(triangles: &[[i64; 3]]) -> Result<(), Mismatch> {
    let mut edges: HashMap<(i64, i64), i32> = HashMap::new();
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((from, to)).or_default() += 1;
        }
    }
    for (&(from, to), &n) in &edges {
        if n != 1 || edges.get(&(to, from)) != Some(&1) {
            return mismatch(format!("the surface is not closed at the edge {from}-{to}"));
        }
    }
    Ok(())
}

fn volume(triangles: &[[i64; 3]], vert: &[f64]) -> f64 {
    let point = |v: i64| {
        let v = usize::try_from(v).unwrap_or(0);
        [vert[3 * v], vert[3 * v + 1], vert[3 * v + 2]]
    };
    let mut sum = 0.0;
    for &[a, b, c] in triangles {
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (point(a), point(b), point(c));
        sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    }
    sum / 6.0
}

/// Compares the convex hull of each mesh: same vertices, a closed surface of the same volume, and
/// adjacency lists that are consistent with the faces.
fn hulls(ours: &Side, theirs: &Side) -> Result<(), Mismatch> {
    let (a, b) = (ours.ints("mesh_graph"), theirs.ints("mesh_graph"));
    let adr = theirs.ints("mesh_graphadr");
    let vertadr = theirs.ints("mesh_vertadr");
    for (i, &start) in adr.iter().enumerate() {
        let Ok(start) = usize::try_from(start) else { continue };
        let (ha, hb) = (Hull::new(&a[start..])?, Hull::new(&b[start..])?);
        let vert = |side: &Side| side.reals("mesh_vert")[3 * at(&vertadr, i)..].to_vec();
        let check = || {
            same_surface(&ha.faces, &hb.faces, &vert(ours), &vert(theirs))?;
            ha.check()
        };
        check().map_err(|(e, why)| (e, format!("hull of mesh {i}: {why}")))?;
    }
    Ok(())
}

/// One hull of `mesh_graph`.
struct Hull {
    /// Vertex of the mesh for each vertex of the hull.
    vert: Vec<i64>,
    /// Neighbours of each vertex of the hull.
    neighbours: Vec<Vec<i64>>,
    /// Faces, by vertices of the mesh.
    faces: Vec<i64>,
}

impl Hull {
    fn new(graph: &[i64]) -> Result<Self, Mismatch> {
        let (nvert, nface) = (at(graph, 0), at(graph, 1));
        let body = &graph[2..];
        let nedge = nvert + 3 * nface;
        if body.len() < 2 * nvert + nedge + 3 * nface {
            return mismatch("the graph is too short");
        }
        let (edgeadr, rest) = body.split_at(nvert);
        let (vert, rest) = rest.split_at(nvert);
        let (edges, rest) = rest.split_at(nedge);
        let neighbours = edgeadr.iter().map(|&start| {
            let start = usize::try_from(start).unwrap_or(0);
            edges[start..].iter().copied().take_while(|&e| e >= 0).collect()
        });
        Ok(Self {
            neighbours: neighbours.collect(),
            vert: vert.to_vec(),
            faces: rest[..3 * nface].to_vec(),
        })
    }

    /// Checks that the adjacency lists and the faces have the same edges.
    fn check(&self) -> Result<(), Mismatch> {
        let mut from_faces = Vec::new();
        for f in self.faces.chunks_exact(3) {
            from_faces.extend([(f[0], f[1]), (f[1], f[2]), (f[2], f[0])]);
        }
        let mut from_lists = Vec::new();
        for (v, list) in self.vert.iter().zip(&self.neighbours) {
            for &n in list {
                let n = usize::try_from(n).ok().and_then(|n| self.vert.get(n));
                from_lists.push((*v, n.copied().unwrap_or(-1)));
            }
        }
        from_faces.sort_unstable();
        from_lists.sort_unstable();
        if from_faces == from_lists { Ok(()) } else { mismatch("neighbours and faces disagree") }
    }
}

/// Compares the polygons of each mesh: same sets of vertices, and normals at least as accurate as the
/// oracle's.
fn polygons(ours: &Side, theirs: &Side) -> Result<(), Mismatch> {
    let (adr, num) = (theirs.ints("mesh_polyadr"), theirs.ints("mesh_polynum"));
    let vertadr = theirs.ints("mesh_vertadr");
    let (our_polygons, their_polygons) = (Polygons::new(ours), Polygons::new(theirs));
    for i in 0..num.len() {
        let vert = &theirs.reals("mesh_vert")[3 * at(&vertadr, i)..];
        let range = at(&adr, i)..at(&adr, i) + at(&num, i);
        let (a, b) = (our_polygons.sorted(range.clone(), vert), their_polygons.sorted(range, vert));
        for ((ca, pa), (cb, pb)) in a.iter().zip(&b) {
            if ca != cb {
                return mismatch(format!(
                    "mesh {i}: a polygon has other vertices than the oracle's"
                ));
            }
            let (na, nb) = (our_polygons.normal(*pa), their_polygons.normal(*pb));
            let (exact, noise) = normal(our_polygons.corners(*pa), vert);
            let (error, allowed) = (distance(na, &exact), distance(nb, &exact));
            if error > allowed.max(tolerance::MODEL_F32).max(noise) {
                return Err((error, format!("mesh {i}: the normal of a polygon differs")));
            }
        }
        check_map(ours, i, (at(&adr, i), at(&num, i)))?;
    }
    Ok(())
}

/// The polygons of all meshes.
struct Polygons<'a> {
    start: Vec<i64>,
    count: Vec<i64>,
    vert: Vec<i64>,
    normal: &'a [f64],
}

impl<'a> Polygons<'a> {
    fn new(side: &'a Side) -> Self {
        Self {
            start: side.ints("mesh_polyvertadr"),
            count: side.ints("mesh_polyvertnum"),
            vert: side.ints("mesh_polyvert"),
            normal: side.reals("mesh_polynormal"),
        }
    }

    fn corners(&self, p: usize) -> &[i64] {
        &self.vert[at(&self.start, p)..][..at(&self.count, p)]
    }

    fn normal(&self, p: usize) -> &[f64] {
        &self.normal[3 * p..3 * p + 3]
    }

    /// Polygons, sorted by the coordinates of their vertices.
    fn sorted(&self, range: std::ops::Range<usize>, vert: &[f64]) -> Vec<(Vec<[u64; 3]>, usize)> {
        let mut list: Vec<_> = range
            .map(|p| {
                let mut corners: Vec<_> =
                    self.corners(p).iter().map(|&v| vertex_bits(vert, v)).collect();
                corners.sort_unstable();
                (corners, p)
            })
            .collect();
        list.sort_unstable();
        list
    }
}

/// Normal of a polygon from its vector area, and a bound on its error due to vertices in single
/// precision.
fn normal(corners: &[i64], vert: &[f64]) -> ([f64; 3], f64) {
    let point = |v: i64| {
        let v = usize::try_from(v).unwrap_or(0);
        [vert[3 * v], vert[3 * v + 1], vert[3 * v + 2]]
    };
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let origin = point(corners[0]);
    let (mut area, mut perimeter, mut extent) = ([0.0; 3], 0.0, 0.0_f64);
    for k in 0..corners.len() {
        let (p, q) = (point(corners[k]), point(corners[(k + 1) % corners.len()]));
        let ([ax, ay, az], [bx, by, bz]) = (minus(p, origin), minus(q, origin));
        area[0] += ay * bz - az * by;
        area[1] += az * bx - ax * bz;
        area[2] += ax * by - ay * bx;
        perimeter += length(minus(q, p));
        extent = p.iter().fold(extent, |r, x| r.max(x.abs()));
    }
    let size = length(area).max(f64::MIN_POSITIVE);
    (area.map(|x| x / size), f64::from(f32::EPSILON) * extent * perimeter / size)
}

/// Checks that `mesh_polymap` is the inverse of `mesh_polyvert`.
fn check_map(side: &Side, mesh: usize, (first, num): (usize, usize)) -> Result<(), Mismatch> {
    let (start, corners) = (side.ints("mesh_polyvertadr"), side.ints("mesh_polyvertnum"));
    let vert = side.ints("mesh_polyvert");
    let mut pairs = Vec::new();
    for p in 0..num {
        for &v in &vert[at(&start, first + p)..][..at(&corners, first + p)] {
            pairs.push((v, p as i64));
        }
    }
    let (vertadr, vertnum) = (side.ints("mesh_vertadr"), side.ints("mesh_vertnum"));
    let (mapadr, mapnum) = (side.ints("mesh_polymapadr"), side.ints("mesh_polymapnum"));
    let map = side.ints("mesh_polymap");
    let mut listed = Vec::new();
    for v in 0..at(&vertnum, mesh) {
        let row = at(&vertadr, mesh) + v;
        for &p in &map[at(&mapadr, row)..][..at(&mapnum, row)] {
            listed.push((v as i64, p));
        }
    }
    pairs.sort_unstable();
    listed.sort_unstable();
    if pairs == listed {
        Ok(())
    } else {
        mismatch(format!("mesh {mesh}: mesh_polymap is not the inverse"))
    }
}
