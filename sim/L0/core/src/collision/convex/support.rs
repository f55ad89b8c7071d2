//! Support functions of convex solids: the farthest point in a direction (`mjCCDObj`,
//! `engine_collision_convex.c`).

use super::super::shape::{Mesh, Shape};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3, dot};
use sim_simd::{HullSupport, Vector3};
use sim_types::{GeomType, MINVAL};

/// Fewest vertices for hill climbing; smaller meshes are searched exhaustively.
const MIN_HILL_CLIMB: usize = 10;
/// Below every projection of a vertex.
const LOWEST: f64 = -(f32::MAX as f64);

/// Kind of support function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SupportKind {
    /// Core of a sphere.
    Point,
    /// Core of a capsule.
    Segment,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    /// A mesh, by exhaustive search.
    Vertices,
    /// A mesh, by hill climbing on its hull graph.
    Hull,
    /// The prism below a triangle of a height field.
    Prism,
    /// An element of a flex: the hull of up to four points, with a radius.
    Simplex,
}

/// A posed convex solid, with the warm-start state of its last support query.
#[derive(Debug, Clone)]
pub(super) struct Solid<'a> {
    pub geom_type: GeomType,
    pub kind: SupportKind,
    pub pos: Vec3,
    pub mat: Mat3,
    pub size: Vec3,
    /// Margin of the pair; the solid is inflated by half of it, m.
    pub margin: f64,
    pub mesh: Option<&'a Mesh<'a>>,
    /// Vertices of a prism: three at the bottom, three at the top; or of a simplex.
    pub prism: [Vector3; 6],
    /// Number of vertices of a simplex.
    pub corners: usize,
    /// Vertex index of the last support point; -1 before the first query and for smooth solids.
    pub vertex: i32,
    /// The same as an index in the hull graph: start of the next hill climb.
    pub hull_vertex: usize,
    graph: HullGraph<'a>,
}

impl<'a> Solid<'a> {
    /// The solid of a shape; `None` for shapes that are not convex solids.
    #[inline(always)]
    pub(super) fn new(shape: &'a Shape<'_>, margin: f64) -> Option<Self> {
        let kind = match shape.kind {
            GeomType::Sphere => SupportKind::Sphere,
            GeomType::Capsule => SupportKind::Capsule,
            GeomType::Ellipsoid => SupportKind::Ellipsoid,
            GeomType::Cylinder => SupportKind::Cylinder,
            GeomType::Box => SupportKind::Box,
            GeomType::HField => SupportKind::Prism,
            GeomType::Mesh | GeomType::Sdf => {
                let mesh = shape.mesh.as_ref()?;
                if mesh.vertices.is_empty() {
                    return None;
                }
                let large = mesh.vertices.len() >= MIN_HILL_CLIMB && !mesh.graph.is_empty();
                if large { SupportKind::Hull } else { SupportKind::Vertices }
            }
            _ => return None,
        };
        Some(Self {
            geom_type: shape.kind,
            kind,
            pos: shape.pos,
            mat: *shape.mat,
            size: shape.size,
            margin,
            mesh: shape.mesh.as_ref(),
            prism: [Vector3::ZERO; 6],
            corners: 0,
            vertex: -1,
            hull_vertex: 0,
            graph: HullGraph::new(shape.mesh.as_ref().map_or(&[], |mesh| mesh.graph)),
        })
    }

    /// The solid of an element of a flex.
    pub(super) fn simplex(simplex: &Simplex, margin: f64) -> Self {
        Self {
            // neither a polytope nor a shape with contacts of several points
            geom_type: GeomType::Sphere,
            kind: SupportKind::Simplex,
            pos: simplex.center,
            mat: mat3::IDENTITY,
            size: [simplex.radius, 0.0, 0.0],
            margin,
            mesh: None,
            prism: simplex.vertices.map(Vector3::from),
            corners: simplex.count,
            vertex: -1,
            hull_vertex: 0,
            graph: HullGraph::new(&[]),
        }
    }

    /// Discards the warm-start state.
    pub(super) fn reset(&mut self) {
        (self.vertex, self.hull_vertex) = (-1, 0);
    }

    /// Whether the solid is a polytope: finitely many support points.
    pub(super) fn is_discrete(&self) -> bool {
        self.margin == 0.0
            && matches!(self.geom_type, GeomType::Mesh | GeomType::Box | GeomType::HField)
    }

    /// An interior point.
    #[inline(always)]
    pub(super) fn center(&self) -> Vector3 {
        if self.kind != SupportKind::Prism {
            return self.pos.into();
        }
        let mut sum = Vector3::ZERO;
        for corner in &self.prism {
            sum = sum.add(*corner);
        }
        sum.scale(1.0 / 6.0)
    }

    /// Whether support points do not depend on those before, even if several are equally far.
    pub(super) fn is_stateless(&self) -> bool {
        !matches!(self.kind, SupportKind::Vertices | SupportKind::Hull)
    }

    /// Support point in a direction of unit length, inflated by half the margin.
    #[inline]
    pub(super) fn support(&mut self, dir: Vec3) -> Vec3 {
        self.inflated_support(dir.into()).into()
    }

    /// As [`support`](Self::support), in registers.
    #[inline(always)]
    pub(super) fn inflated_support(&mut self, dir: Vector3) -> Vector3 {
        let point = self.uninflated_support(dir);
        if self.margin > 0.0 { point.add_scaled(dir, 0.5 * self.margin) } else { point }
    }

    /// Support point in a direction of unit length, without the margin.
    #[inline(always)]
    fn uninflated_support(&mut self, dir: Vector3) -> Vector3 {
        let (size, pos) = (self.size, Vector3::from(self.pos));
        let local = match self.kind {
            SupportKind::Point => return pos,
            SupportKind::Sphere => return dir.scale(size[0]).add(pos),
            SupportKind::Segment => {
                let axis = Vector3::from(mat3::column(&self.mat, 2));
                return axis.scale(with_sign(axis.dot(dir), size[1])).add(pos);
            }
            SupportKind::Prism => return prism_support(&self.prism, dir),
            SupportKind::Simplex => {
                return farthest(&self.prism[..self.corners], dir).add_scaled(dir, size[0]);
            }
            SupportKind::Hull => return self.hull_support(dir.into()).into(),
            _ => dir.transformed_by_transpose(&self.mat),
        };
        let point = match self.kind {
            SupportKind::Capsule => {
                let r = size[0];
                let (x, y, z) = (local.x() * r, local.y() * r, local.z() * r);
                Vector3::from([x, y, z + with_sign(local.z(), size[1])])
            }
            SupportKind::Ellipsoid => ellipsoid_support(size.into(), local),
            SupportKind::Cylinder => cylinder_support(size, local),
            SupportKind::Box => {
                // bit `k` of the index is set if coordinate `k` is positive
                let corner = Vector3::from(size).with_signs_of(local);
                self.vertex = corner.positive_bits() as i32;
                corner
            }
            _ => self.exhaustive_support(local.into()).into(),
        };
        point.transformed(&self.mat).add(pos)
    }

    /// Support vertex of a mesh by exhaustive search; the last result wins ties.
    #[inline(always)]
    fn exhaustive_support(&mut self, local: Vec3) -> Vec3 {
        let vertices = self.mesh.map_or(&[][..], |mesh| mesh.vertices);
        let (mut best, mut farthest) = (0, LOWEST);
        if let Ok(last) = usize::try_from(self.vertex)
            && let Some(&vertex) = vertices.get(last)
        {
            (best, farthest) = (last, dot(local, to_f64(vertex)));
        }
        for (k, &vertex) in vertices.iter().enumerate() {
            let projection = dot(local, to_f64(vertex));
            if projection > farthest {
                (best, farthest) = (k, projection);
            }
        }
        self.vertex = best as i32;
        vertices.get(best).map_or([0.0; 3], |&vertex| to_f64(vertex))
    }

    /// Support vertex of a mesh by hill climbing on its hull graph from the last result.
    ///
    /// The start vertex itself is not considered in the first step, as in MuJoCo: of two vertices with equal
    /// projections the climb may end at either.
    #[inline(always)]
    fn hull_support(&mut self, dir: Vec3) -> Vec3 {
        let Some(mesh) = self.mesh else { return self.pos };
        let (graph, mat, pos) = (&self.graph, &self.mat, &self.pos);
        let position =
            |k: u32| mesh.vertices.get(graph.vertex(k as usize)).copied().unwrap_or_default();
        let (best, point) = match mesh.hull {
            Some(hull) => hull.support(mat, pos, &dir, self.hull_vertex as u32, position),
            None => {
                let local = mat3::mul_transpose_vec(mat, dir);
                let start = self.hull_vertex;
                let best = graph.hill_climb(mesh.vertices, start, LOWEST, local) as u32;
                (best, vec3::add(mat3::mul_vec(mat, to_f64(position(best))), *pos))
            }
        };
        self.hull_vertex = best as usize;
        self.vertex = graph.vertex(self.hull_vertex) as i32;
        point
    }
}

/// The vertex graph of a mesh's convex hull, in the layout of `mesh_graph`.
#[derive(Debug, Clone, Copy)]
pub(super) struct HullGraph<'a> {
    /// `edge_adr` followed by `vertex_ids`.
    entries: &'a [i32],
    /// Start of each hull vertex's neighbours in `edges`.
    edge_adr: &'a [i32],
    /// Mesh vertex of each hull vertex.
    vertex_ids: &'a [i32],
    /// Neighbour lists of hull vertices, each terminated by a negative number.
    edges: &'a [i32],
}

impl<'a> HullGraph<'a> {
    /// Parses a stored graph; a truncated graph becomes empty.
    #[inline]
    pub(super) fn new(graph: &'a [i32]) -> Self {
        let count = graph.first().map_or(0, |&n| n.max(0) as usize);
        let lists =
            graph.get(2..).filter(|rest| count.checked_mul(2).is_some_and(|n| n <= rest.len()));
        let Some(lists) = lists else {
            return Self { entries: &[], edge_adr: &[], vertex_ids: &[], edges: &[] };
        };
        let (entries, edges) = lists.split_at(2 * count);
        let (edge_adr, vertex_ids) = entries.split_at(count);
        Self { entries, edge_adr, vertex_ids, edges }
    }

    /// Neighbours of a hull vertex.
    #[inline]
    pub(super) fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + use<'a> {
        self.neighbours_from(self.edge_adr.get(vertex))
    }

    /// As [`neighbours`](Self::neighbours), except that the edge addresses continue with the stored mesh
    /// vertices: what MuJoCo 3.8.0 reads for the index of a mesh vertex beyond the number of hull vertices.
    pub(super) fn neighbours_of_entry(
        &self,
        entry: usize,
    ) -> impl Iterator<Item = usize> + use<'a> {
        self.neighbours_from(self.entries.get(entry))
    }

    #[inline]
    fn neighbours_from(&self, adr: Option<&i32>) -> impl Iterator<Item = usize> + use<'a> {
        let start = adr.map_or(usize::MAX, |&adr| adr as usize);
        let list = self.edges.get(start..).unwrap_or(&[]);
        list.iter().map_while(|&k| usize::try_from(k).ok())
    }

    /// Hill climbing: moves to the neighbour of largest projection while it exceeds all previous ones; see
    /// [`HullSupport::hill_climb`].
    pub(super) fn hill_climb(
        &self,
        vertices: &[[f32; 3]],
        from: usize,
        mut farthest: f64,
        dir: Vec3,
    ) -> usize {
        let mut best = from;
        loop {
            let from = best;
            for neighbour in self.neighbours(from) {
                let Some(&vertex) = vertices.get(self.vertex(neighbour)) else { continue };
                let projection = dot(dir, to_f64(vertex));
                if projection > farthest {
                    (best, farthest) = (neighbour, projection);
                }
            }
            if best == from {
                return best;
            }
        }
    }

    /// Mesh vertex of a hull vertex; `usize::MAX` if out of range.
    #[inline]
    pub(super) fn vertex(&self, vertex: usize) -> usize {
        self.vertex_ids.get(vertex).map_or(usize::MAX, |&id| id as usize)
    }
}

/// The precomputed support mapping of a mesh's hull; empty without a hull.
pub(crate) fn hull_support(mesh: &Mesh<'_>) -> HullSupport {
    let graph = HullGraph::new(mesh.graph);
    HullSupport::new((0..graph.vertex_ids.len()).map(|from| {
        graph.neighbours(from).filter_map(move |neighbour| {
            let vertex = mesh.vertices.get(graph.vertex(neighbour))?;
            Some((u32::try_from(neighbour).ok()?, *vertex))
        })
    }))
}

/// A stored vertex in double precision.
#[inline(always)]
pub(super) fn to_f64(v: [f32; 3]) -> Vec3 {
    v.map(f64::from)
}

/// `extent` with the sign of `direction`, positive at zero.
#[inline(always)]
fn with_sign(direction: f64, extent: f64) -> f64 {
    if direction >= 0.0 { extent } else { -extent }
}

#[inline(always)]
fn ellipsoid_support(size: Vector3, local: Vector3) -> Vector3 {
    let scaled = local.component_mul(size);
    let square = scaled.dot(scaled);
    if square < MINVAL * MINVAL {
        return Vector3::from([size.x(), 0.0, 0.0]);
    }
    scaled.component_mul(size.scale(1.0 / square.sqrt()))
}

#[inline(always)]
fn cylinder_support(size: Vec3, local: Vector3) -> Vector3 {
    let (x, y) = (local.x(), local.y());
    let square = x * x + y * y;
    let factor = if square >= MINVAL * MINVAL { size[0] / square.sqrt() } else { 0.0 };
    Vector3::from([factor * x, factor * y, with_sign(local.z(), size[1])])
}

/// An element of a flex: the hull of up to four points, inflated by a radius.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simplex {
    vertices: [Vec3; 6],
    count: usize,
    center: Vec3,
    radius: f64,
}

impl Simplex {
    /// A simplex without vertices, with an interior point of those that are added.
    pub(crate) fn new(center: Vec3, radius: f64) -> Self {
        Self { vertices: [[0.0; 3]; 6], count: 0, center, radius }
    }

    /// Adds a vertex; a fifth one is ignored.
    pub(crate) fn push(&mut self, vertex: Vec3) {
        if self.count < 4 {
            self.vertices[self.count] = vertex;
            self.count += 1;
        }
    }

    /// Whether the axis between the vertex means separates two simplices by more than `margin`. Returns
    /// false if the separation along it exceeds the margin by less than twice `tolerance`; the caller
    /// then runs the full query.
    pub(crate) fn is_separated(&self, other: &Self, margin: f64, tolerance: f64) -> bool {
        let mean = |s: &Self| {
            let sum = s.vertices[..s.count].iter().fold([0.0; 3], |sum, v| vec3::add(sum, *v));
            vec3::scale(sum, 1.0 / s.count.max(1) as f64)
        };
        let axis = vec3::sub(mean(other), mean(self));
        let along = |v: &Vec3| dot(*v, axis);
        let farthest = self.vertices[..self.count].iter().map(along).fold(f64::MIN, f64::max);
        let nearest = other.vertices[..other.count].iter().map(along).fold(f64::MAX, f64::min);
        let contact_distance = self.radius + other.radius + margin + 2.0 * tolerance;
        nearest - farthest > contact_distance * vec3::norm(axis)
    }

    /// The simplex in the frame of a pose, and the radius of a sphere about its centre that contains it.
    pub(super) fn localized(&self, pos: Vec3, mat: &Mat3) -> (Self, f64) {
        let local = |p: Vec3| mat3::mul_transpose_vec(mat, vec3::sub(p, pos));
        let distance = |p: &Vec3| vec3::distance(*p, self.center);
        let radius = self.vertices[..self.count].iter().map(distance).fold(0.0, f64::max);
        let moved =
            Self { vertices: self.vertices.map(local), center: local(self.center), ..*self };
        (moved, radius + self.radius)
    }
}

/// The point with the largest projection, the first of equal ones.
#[inline(always)]
fn farthest(points: &[Vector3], dir: Vector3) -> Vector3 {
    let Some((&first, others)) = points.split_first() else { return Vector3::ZERO };
    let (mut best, mut largest) = (first, first.dot(dir));
    for p in others {
        let projection = p.dot(dir);
        if projection > largest {
            (best, largest) = (*p, projection);
        }
    }
    best
}

/// Support vertex of a prism: one of the upper vertices if the direction points up, else of the lower ones.
#[inline(always)]
fn prism_support([a, b, c, d, e, f]: &[Vector3; 6], dir: Vector3) -> Vector3 {
    let [a, b, c] = if dir.z() < 0.0 { [a, b, c] } else { [d, e, f] };
    let (first, second, third) = (a.dot(dir), b.dot(dir), c.dot(dir));
    let (best, largest) = if second > first { (b, second) } else { (a, first) };
    if third > largest { *c } else { *best }
}
