//! Comparison of arrays that may differ beyond a fixed tolerance: bounding volume hierarchies, and
//! normals of mesh polygons.
//!
//! Two engines may split the same set of boxes in a different order, so trees are compared by meaning:
//! equal leaves, a valid tree. Normals of degenerate polygons are defined differently.

use super::Outcome;
use crate::{Archive, tolerance};
use sim_core::{FieldView, Model};
use std::collections::HashMap;

/// The arrays compared in this file; all others are compared element by element.
pub const FIELDS: &[&str] =
    &["bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb", "mesh_polynormal"];

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
const INPUTS: &[&str] =
    &["body_bvhadr", "body_bvhnum", "mesh_bvhadr", "mesh_bvhnum", "mesh_face", "mesh_faceadr"];

/// Compares all arrays of [`FIELDS`].
pub fn structure(out: &mut Outcome, archive: &Archive, m: &Model) {
    let array = |name| (name, field(m, name));
    let ours = Side { arrays: FIELDS.iter().chain(INPUTS).copied().map(array).collect() };
    let theirs = recorded(archive);
    sides(out, &ours, &theirs);
}

/// Compares all arrays of [`FIELDS`] of two recordings.
pub fn structure_of(out: &mut Outcome, ours: &Archive, theirs: &Archive) {
    sides(out, &recorded(ours), &recorded(theirs));
}

fn recorded(archive: &Archive) -> Side {
    let array = |name| (name, archive.get(&format!("model/{name}")).to_vec());
    Side { arrays: FIELDS.iter().chain(INPUTS).copied().map(array).collect() }
}

fn sides(out: &mut Outcome, ours: &Side, theirs: &Side) {
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
        ("bvh_nodeid", body_trees(ours, theirs)),
        ("bvh_nodeid", mesh_trees(ours, theirs)),
        ("mesh_polynormal", normals(ours, theirs)),
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
    let faceadr = theirs.ints("mesh_faceadr");
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

/// Compares the normals of the polygons of all meshes.
fn normals(ours: &Side, theirs: &Side) -> Result<(), Mismatch> {
    let [ours, theirs] =
        [ours, theirs].map(|side| side.reals("mesh_polynormal").as_chunks::<3>().0);
    for (p, (a, b)) in ours.iter().zip(theirs).enumerate() {
        let error = normal_error(a, b);
        if error > tolerance::MODEL {
            return Err((error, format!("normal {p} is {a:?}, the oracle has {b:?}")));
        }
    }
    Ok(())
}

/// Difference of two polygon normals. Where the first three vertices of a polygon are collinear, the oracle
/// divides the x axis by a length near zero; ours is the x axis.
pub(crate) fn normal_error(ours: &[f64; 3], theirs: &[f64; 3]) -> f64 {
    let square: f64 = theirs.iter().map(|x| x * x).sum();
    let unit = (square - 1.0).abs() < tolerance::MODEL_F32;
    distance(ours, if unit { theirs } else { &[1.0, 0.0, 0.0] })
}
