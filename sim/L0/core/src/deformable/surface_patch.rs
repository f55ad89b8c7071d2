//! Surface patches: clusters of neighbouring vertices, edges and triangles of a deformable body
//! that share a bounding box in the broad phase.

use crate::data::heap_bytes;
use nalgebra::Vector3;
use sim_deformable::{Body, CollisionSurface};

/// Maximum number of vertices of a patch.
const MAX_PATCH_VERTICES: usize = 48;

/// Partition of the surface of a deformable body into patches (CSR layout).
#[derive(Debug, Clone, Default)]
pub(crate) struct SurfacePatches {
    /// Start of each patch in `vertices`, `elements` and `particles`; one entry more than there are
    /// patches.
    starts: Vec<[u32; 3]>,
    /// Surface vertices by patch.
    vertices: Vec<u32>,
    /// Edges and triangles by patch; triangles are numbered after all edges.
    elements: Vec<u32>,
    /// Vertices of each patch and of its edges and triangles, without duplicates.
    particles: Vec<u32>,
}

/// A selection of surface elements, sorted by index.
#[derive(Debug, Clone, Default)]
pub(crate) struct ElementSet {
    pub vertices: Vec<u32>,
    pub elements: Vec<u32>,
    pub particles: Vec<u32>,
}

impl SurfacePatches {
    pub(super) fn new(body: &Body, surface: &CollisionSurface) -> Self {
        let mut patches = Self { starts: vec![[0; 3]], ..Self::default() };
        patches.vertices.extend_from_slice(surface.particles());
        let mut sizes = Vec::new();
        bisect(&mut patches.vertices, body.positions(), &mut sizes);
        let mut patch_of = vec![0_usize; body.len()];
        let mut rest = &patches.vertices[..];
        for (patch, &size) in sizes.iter().enumerate() {
            let (first, remaining) = rest.split_at(size);
            first.iter().for_each(|&i| patch_of[i as usize] = patch);
            rest = remaining;
        }
        let count = element_count(body);
        let mut elements: Vec<(usize, u32)> = (0..count)
            .filter_map(|k| Some((patch_of[element(body, k)?.0[0] as usize], k as u32)))
            .collect();
        elements.sort_unstable();
        let (mut vertex, mut element_from) = (0, 0);
        for (patch, size) in sizes.into_iter().enumerate() {
            let to = elements.partition_point(|&(other, _)| other <= patch);
            let mut particles = patches.vertices[vertex..vertex + size].to_vec();
            for &(_, k) in &elements[element_from..to] {
                particles.extend(element(body, k as usize).into_iter().flat_map(|(at, _)| at));
            }
            particles.sort_unstable();
            particles.dedup();
            patches.particles.extend(particles);
            (vertex, element_from) = (vertex + size, to);
            let ends = [vertex, to, patches.particles.len()];
            patches.starts.push(ends.map(|end| end as u32));
        }
        patches.elements = elements.into_iter().map(|(_, k)| k).collect();
        patches
    }

    /// Number of patches.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Allocated bytes.
    pub(super) fn bytes(&self) -> usize {
        heap_bytes(&self.starts)
            + heap_bytes(&self.vertices)
            + heap_bytes(&self.elements)
            + heap_bytes(&self.particles)
    }

    /// The entries of one patch in one of the three lists.
    fn list<'a>(&self, list: &'a [u32], which: usize, patch: usize) -> &'a [u32] {
        let [from, to] = [self.starts[patch], self.starts[patch + 1]].map(|s| s[which] as usize);
        &list[from..to]
    }

    /// Bounding box of a patch: minimum and maximum coordinates, m.
    pub(super) fn aabb(&self, patch: usize, x: &[Vector3<f64>]) -> [Vector3<f64>; 2] {
        let mut aabb = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
        for &i in self.list(&self.particles, 2, patch) {
            let position = x[i as usize];
            aabb = [aabb[0].inf(&position), aabb[1].sup(&position)];
        }
        aabb
    }

    /// Selects the elements of some patches.
    pub(super) fn select_patches(
        &self,
        patches: impl Iterator<Item = usize>,
        out: &mut ElementSet,
    ) {
        let ElementSet { vertices, elements, particles } = out;
        vertices.clear();
        elements.clear();
        particles.clear();
        for patch in patches {
            vertices.extend_from_slice(self.list(&self.vertices, 0, patch));
            elements.extend_from_slice(self.list(&self.elements, 1, patch));
            particles.extend_from_slice(self.list(&self.particles, 2, patch));
        }
        vertices.sort_unstable();
        elements.sort_unstable();
        particles.sort_unstable();
        particles.dedup();
    }
}

impl ElementSet {
    /// Selects all elements of a body.
    pub(super) fn select_all(&mut self, body: &Body, surface: &CollisionSurface) {
        self.vertices.clear();
        self.vertices.extend_from_slice(surface.particles());
        self.particles.clone_from(&self.vertices);
        self.elements.clear();
        self.elements.extend(0..element_count(body) as u32);
    }
}

/// Number of edges and triangles of a body.
fn element_count(body: &Body) -> usize {
    body.segments().len() + body.triangles().len()
}

/// Particles of an edge or a triangle, and their number; edges come first.
pub(super) fn element(body: &Body, k: usize) -> Option<([u32; 3], usize)> {
    let segments = body.segments();
    match segments.get(k) {
        Some(&[a, b]) => Some(([a, b, b], 2)),
        None => body.triangles().get(k - segments.len()).map(|&particles| (particles, 3)),
    }
}

/// Recursive bisection at the median of the longest axis; appends the sizes of the resulting
/// patches.
fn bisect(vertices: &mut [u32], x: &[Vector3<f64>], sizes: &mut Vec<usize>) {
    if vertices.len() <= MAX_PATCH_VERTICES {
        if !vertices.is_empty() {
            sizes.push(vertices.len());
        }
        return;
    }
    let mut aabb = [Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY)];
    for &i in vertices.iter() {
        aabb = [aabb[0].inf(&x[i as usize]), aabb[1].sup(&x[i as usize])];
    }
    let axis = (aabb[1] - aabb[0]).imax();
    let middle = vertices.len() / 2;
    let along = |i: u32| x[i as usize][axis];
    vertices.select_nth_unstable_by(middle, |&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
    let (low, high) = vertices.split_at_mut(middle);
    bisect(low, x, sizes);
    bisect(high, x, sizes);
}

#[cfg(test)]
mod tests {
    use super::{ElementSet, MAX_PATCH_VERTICES, SurfacePatches, element};
    use sim_deformable::{Cloth, ClothConfig, CollisionSurface, DeformableBody, SurfaceMesh};

    #[test]
    fn patches_cover_every_element_once() {
        let mesh = SurfaceMesh::grid([3.0, 2.0], [30, 20]).unwrap();
        let cloth = Cloth::new(&mesh, &ClothConfig::silk()).unwrap();
        let body = cloth.body();
        let surface = CollisionSurface::new(body);
        let patches = SurfacePatches::new(body, &surface);
        assert!(patches.len() >= surface.particles().len() / MAX_PATCH_VERTICES);
        let (mut some, mut whole) = (ElementSet::default(), ElementSet::default());
        patches.select_patches(0..patches.len(), &mut some);
        whole.select_all(body, &surface);
        assert_eq!(some.vertices, whole.vertices);
        assert_eq!(some.elements, whole.elements);
        assert_eq!(some.particles, whole.particles);
        for patch in 0..patches.len() {
            let [min, max] = patches.aabb(patch, body.positions());
            patches.select_patches(std::iter::once(patch), &mut some);
            assert!(some.vertices.len() <= MAX_PATCH_VERTICES);
            let ends = some.elements.iter().filter_map(|&k| element(body, k as usize));
            for i in ends.flat_map(|(at, _)| at) {
                let x = body.positions()[i as usize];
                assert!(min.inf(&x) == min && max.sup(&x) == max);
                assert!(some.particles.binary_search(&i).is_ok());
            }
        }
    }
}
