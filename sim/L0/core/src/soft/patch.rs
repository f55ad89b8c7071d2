//! Patches of a deformable body: vertices, edges and faces near each other, with one box around them.

use crate::data::held;
use nalgebra::Vector3;
use sim_deformable::{Body, Outline};

/// Most vertices of a patch.
const MOST: usize = 48;

/// How the surface of a deformable body is divided.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patches {
    /// Where the vertices, the edges and faces, and the corners of each patch begin; one more than there
    /// are patches.
    starts: Vec<[u32; 3]>,
    /// Every vertex of the surface.
    vertices: Vec<u32>,
    /// Every edge, then every face, by its number.
    elements: Vec<u32>,
    /// The vertices of each patch and all ends of its edges and faces, each once.
    corners: Vec<u32>,
}

/// What of a body is near something: numbers in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gathered {
    pub vertices: Vec<u32>,
    pub elements: Vec<u32>,
    pub corners: Vec<u32>,
}

impl Patches {
    pub(super) fn of(body: &Body, outline: &Outline) -> Self {
        let mut patches = Self { starts: vec![[0; 3]], ..Self::default() };
        patches.vertices.extend_from_slice(outline.particles());
        let mut sizes = Vec::new();
        divide(&mut patches.vertices, body.positions(), &mut sizes);
        let mut patch_of = vec![0_usize; body.len()];
        let mut rest = &patches.vertices[..];
        for (patch, &size) in sizes.iter().enumerate() {
            let (own, others) = rest.split_at(size);
            own.iter().for_each(|&i| patch_of[i as usize] = patch);
            rest = others;
        }
        let count = element_count(body);
        let mut elements: Vec<(usize, u32)> = (0..count)
            .filter_map(|k| Some((patch_of[element(body, k)?.0[0] as usize], k as u32)))
            .collect();
        elements.sort_unstable();
        let (mut vertex, mut element_from) = (0, 0);
        for (patch, size) in sizes.into_iter().enumerate() {
            let to = elements.partition_point(|&(other, _)| other <= patch);
            let mut corners = patches.vertices[vertex..vertex + size].to_vec();
            for &(_, k) in &elements[element_from..to] {
                corners.extend(element(body, k as usize).into_iter().flat_map(|(at, _)| at));
            }
            corners.sort_unstable();
            corners.dedup();
            patches.corners.extend(corners);
            (vertex, element_from) = (vertex + size, to);
            let ends = [vertex, to, patches.corners.len()];
            patches.starts.push(ends.map(|end| end as u32));
        }
        patches.elements = elements.into_iter().map(|(_, k)| k).collect();
        patches
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Bytes that they hold.
    pub(super) fn bytes(&self) -> usize {
        held(&self.starts) + held(&self.vertices) + held(&self.elements) + held(&self.corners)
    }

    /// One of the three lists of a patch.
    fn list<'a>(&self, list: &'a [u32], which: usize, patch: usize) -> &'a [u32] {
        let [from, to] = [self.starts[patch], self.starts[patch + 1]].map(|s| s[which] as usize);
        &list[from..to]
    }

    /// The least and the largest coordinates of a patch.
    pub(super) fn range(&self, patch: usize, x: &[Vector3<f64>]) -> [Vector3<f64>; 2] {
        let mut range = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
        for &i in self.list(&self.corners, 2, patch) {
            let at = x[i as usize];
            range = [range[0].inf(&at), range[1].sup(&at)];
        }
        range
    }

    /// Collects what belongs to some patches.
    pub(super) fn gather(&self, patches: impl Iterator<Item = usize>, out: &mut Gathered) {
        let Gathered { vertices, elements, corners } = out;
        vertices.clear();
        elements.clear();
        corners.clear();
        for patch in patches {
            vertices.extend_from_slice(self.list(&self.vertices, 0, patch));
            elements.extend_from_slice(self.list(&self.elements, 1, patch));
            corners.extend_from_slice(self.list(&self.corners, 2, patch));
        }
        vertices.sort_unstable();
        elements.sort_unstable();
        corners.sort_unstable();
        corners.dedup();
    }
}

impl Gathered {
    /// Collects all of a body.
    pub(super) fn whole(&mut self, body: &Body, outline: &Outline) {
        self.vertices.clear();
        self.vertices.extend_from_slice(outline.particles());
        self.corners.clone_from(&self.vertices);
        self.elements.clear();
        self.elements.extend(0..element_count(body) as u32);
    }
}

/// How many edges and faces a body has.
fn element_count(body: &Body) -> usize {
    body.segments().len() + body.triangles().len()
}

/// The ends of an edge or the corners of a face, and how many; first come the edges.
pub(super) fn element(body: &Body, k: usize) -> Option<([u32; 3], usize)> {
    let segments = body.segments();
    match segments.get(k) {
        Some(&[a, b]) => Some(([a, b, b], 2)),
        None => body.triangles().get(k - segments.len()).map(|&corners| (corners, 3)),
    }
}

/// Brings vertices into an order in which runs of the sizes that are added are near each other.
fn divide(vertices: &mut [u32], x: &[Vector3<f64>], sizes: &mut Vec<usize>) {
    if vertices.len() <= MOST {
        if !vertices.is_empty() {
            sizes.push(vertices.len());
        }
        return;
    }
    let mut range = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
    for &i in vertices.iter() {
        range = [range[0].inf(&x[i as usize]), range[1].sup(&x[i as usize])];
    }
    let axis = (range[1] - range[0]).imax();
    let middle = vertices.len() / 2;
    let along = |i: u32| x[i as usize][axis];
    vertices.select_nth_unstable_by(middle, |&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
    let (low, high) = vertices.split_at_mut(middle);
    divide(low, x, sizes);
    divide(high, x, sizes);
}

#[cfg(test)]
mod tests {
    use super::{Gathered, MOST, Patches, element};
    use sim_deformable::{Cloth, ClothConfig, DeformableBody, Outline, SurfaceMesh};

    #[test]
    fn patches_hold_everything_once() {
        let mesh = SurfaceMesh::grid([3.0, 2.0], [30, 20]).unwrap();
        let cloth = Cloth::new(&mesh, &ClothConfig::silk()).unwrap();
        let body = cloth.body();
        let outline = Outline::of(body);
        let patches = Patches::of(body, &outline);
        assert!(patches.len() >= outline.particles().len() / MOST);
        let (mut some, mut whole) = (Gathered::default(), Gathered::default());
        patches.gather(0..patches.len(), &mut some);
        whole.whole(body, &outline);
        assert_eq!(some.vertices, whole.vertices);
        assert_eq!(some.elements, whole.elements);
        assert_eq!(some.corners, whole.corners);
        for patch in 0..patches.len() {
            let [least, most] = patches.range(patch, body.positions());
            patches.gather(std::iter::once(patch), &mut some);
            assert!(some.vertices.len() <= MOST);
            let ends = some.elements.iter().filter_map(|&k| element(body, k as usize));
            for i in ends.flat_map(|(at, _)| at) {
                let x = body.positions()[i as usize];
                assert!(least.inf(&x) == least && most.sup(&x) == most);
                assert!(some.corners.binary_search(&i).is_ok());
            }
        }
    }
}
