//! Solids as their support functions: the farthest point in a direction.
//!
//! Answers to `mjCCDObj` and the support functions of `engine_collision_convex.c`.

use super::super::shape::{Mesh, Shape};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3, dot};
use sim_simd::HullMap;
use sim_types::{GeomType, MINVAL};

/// Meshes with fewer vertices are searched whole.
const CLIMB_MIN: usize = 10;
/// Below every projection of a vertex.
const LOWEST: f64 = -(f32::MAX as f64);

/// Which support function a solid has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A sphere without its radius.
    Point,
    /// A capsule without its radius.
    Segment,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    /// A mesh searched vertex by vertex.
    Vertices,
    /// A mesh searched along the edges of its hull.
    Hull,
    /// A triangle of a height field with everything below it.
    Prism,
}

/// A convex solid, placed, with what its last support query remembers.
#[derive(Debug, Clone)]
pub(super) struct Solid<'a> {
    pub kind: GeomType,
    pub form: Form,
    pub pos: Vec3,
    pub mat: Mat3,
    pub size: Vec3,
    /// Half of it is added all around.
    pub margin: f64,
    pub mesh: Option<&'a Mesh<'a>>,
    /// Corners of a prism: three at the bottom, three at the top.
    pub prism: [Vec3; 6],
    /// The corner or mesh vertex that the last query found; -1 for none, and for smooth solids.
    pub vertex: i32,
    /// The same as a vertex of the hull's graph, where the next climb starts.
    pub climb: usize,
    hull: Hull<'a>,
}

impl<'a> Solid<'a> {
    /// The solid of a geom; nothing for a shape that is no convex solid.
    #[inline(always)]
    pub(super) fn new(shape: &'a Shape<'_>, margin: f64) -> Option<Self> {
        let form = match shape.kind {
            GeomType::Sphere => Form::Sphere,
            GeomType::Capsule => Form::Capsule,
            GeomType::Ellipsoid => Form::Ellipsoid,
            GeomType::Cylinder => Form::Cylinder,
            GeomType::Box => Form::Box,
            GeomType::HField => Form::Prism,
            GeomType::Mesh | GeomType::Sdf => {
                let mesh = shape.mesh.as_ref()?;
                if mesh.vertices.is_empty() {
                    return None;
                }
                let climbs = mesh.vertices.len() >= CLIMB_MIN && !mesh.graph.is_empty();
                if climbs { Form::Hull } else { Form::Vertices }
            }
            _ => return None,
        };
        Some(Self {
            kind: shape.kind,
            form,
            pos: shape.pos,
            mat: *shape.mat,
            size: shape.size,
            margin,
            mesh: shape.mesh.as_ref(),
            prism: [[0.0; 3]; 6],
            vertex: -1,
            climb: 0,
            hull: Hull::new(shape.mesh.as_ref().map_or(&[], |mesh| mesh.graph)),
        })
    }

    /// Forgets what the last query found.
    pub(super) fn forget(&mut self) {
        (self.vertex, self.climb) = (-1, 0);
    }

    /// Whether only finitely many points can be farthest in some direction.
    pub(super) fn is_discrete(&self) -> bool {
        self.margin == 0.0 && matches!(self.kind, GeomType::Mesh | GeomType::Box | GeomType::HField)
    }

    /// A point inside.
    pub(super) fn center(&self) -> Vec3 {
        if self.form != Form::Prism {
            return self.pos;
        }
        let sum = self.prism.iter().fold([0.0; 3], |sum, corner| vec3::add(sum, *corner));
        vec3::scale(sum, 1.0 / 6.0)
    }

    /// The farthest point in a direction of unit length, half the margin included.
    #[inline(always)]
    pub(super) fn support(&mut self, dir: Vec3) -> Vec3 {
        let point = self.bare_support(dir);
        if self.margin > 0.0 { vec3::add_scaled(point, dir, 0.5 * self.margin) } else { point }
    }

    /// The farthest point in a direction of unit length, without the margin.
    #[inline(always)]
    pub(super) fn bare_support(&mut self, dir: Vec3) -> Vec3 {
        match self.form {
            Form::Point => return self.pos,
            Form::Sphere => {
                let (r, p) = (self.size[0], self.pos);
                return [r * dir[0] + p[0], r * dir[1] + p[1], r * dir[2] + p[2]];
            }
            Form::Segment => {
                let axis = mat3::column(&self.mat, 2);
                let reach = if dot(axis, dir) >= 0.0 { self.size[1] } else { -self.size[1] };
                let p = self.pos;
                return [axis[0] * reach + p[0], axis[1] * reach + p[1], axis[2] * reach + p[2]];
            }
            Form::Prism => return farthest_of_prism(&self.prism, dir),
            Form::Hull => return self.climb(dir),
            _ => {}
        }
        let local = mat3::mul_transpose_vec(&self.mat, dir);
        let point = match self.form {
            Form::Capsule => {
                let r = self.size[0];
                [local[0] * r, local[1] * r, local[2] * r + toward(local[2], self.size[1])]
            }
            Form::Ellipsoid => on_ellipsoid(self.size, local),
            Form::Cylinder => on_cylinder(self.size, local),
            Form::Box => self.corner(local),
            _ => self.scan(local),
        };
        vec3::add(mat3::mul_vec(&self.mat, point), self.pos)
    }

    /// The farthest corner of a box; bit `k` of its number says that coordinate `k` is positive.
    fn corner(&mut self, local: Vec3) -> Vec3 {
        let corner = [0, 1, 2].map(|k| toward(local[k], self.size[k]));
        self.vertex = i32::from(corner[0] > 0.0)
            | i32::from(corner[1] > 0.0) << 1
            | i32::from(corner[2] > 0.0) << 2;
        corner
    }

    /// The farthest vertex of a mesh among all; of equals, the one found last time.
    fn scan(&mut self, local: Vec3) -> Vec3 {
        let vertices = self.mesh.map_or(&[][..], |mesh| mesh.vertices);
        let (mut best, mut farthest) = (0, LOWEST);
        if let Ok(last) = usize::try_from(self.vertex)
            && let Some(&vertex) = vertices.get(last)
        {
            (best, farthest) = (last, dot(local, wide(vertex)));
        }
        for (k, &vertex) in vertices.iter().enumerate() {
            let reach = dot(local, wide(vertex));
            if reach > farthest {
                (best, farthest) = (k, reach);
            }
        }
        self.vertex = best as i32;
        vertices.get(best).map_or([0.0; 3], |&vertex| wide(vertex))
    }

    /// The farthest vertex of a mesh, uphill along the edges of its hull from the last one found.
    ///
    /// The first round looks at the neighbours only: of two equally far vertices the climb may end
    /// on either.
    #[inline(always)]
    fn climb(&mut self, dir: Vec3) -> Vec3 {
        let Some(mesh) = self.mesh else { return self.pos };
        let (hull, mat, pos) = (&self.hull, &self.mat, &self.pos);
        let position =
            |k: u32| mesh.vertices.get(hull.vertex(k as usize)).copied().unwrap_or_default();
        let (best, point) = match mesh.map {
            Some(map) => map.support(mat, pos, &dir, self.climb as u32, position),
            None => {
                let local = mat3::mul_transpose_vec(mat, dir);
                let best = hull.climb(mesh.vertices, self.climb, LOWEST, local) as u32;
                (best, vec3::add(mat3::mul_vec(mat, wide(position(best))), *pos))
            }
        };
        self.climb = best as usize;
        self.vertex = hull.vertex(self.climb) as i32;
        point
    }
}

/// The graph of a mesh's convex hull as `mesh_graph` stores it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hull<'a> {
    /// Where each hull vertex's neighbours start.
    edge_adr: &'a [i32],
    /// The mesh vertex of each hull vertex.
    vertex_ids: &'a [i32],
    /// Neighbours as hull vertices, each list ended by a negative number.
    edges: &'a [i32],
}

impl<'a> Hull<'a> {
    /// Takes the stored graph apart; a graph that is too short becomes empty.
    #[inline]
    pub(super) fn new(graph: &'a [i32]) -> Self {
        let count = graph.first().map_or(0, |&n| n.max(0) as usize);
        let lists =
            graph.get(2..).filter(|rest| count.checked_mul(2).is_some_and(|n| n <= rest.len()));
        let Some(lists) = lists else { return Self { edge_adr: &[], vertex_ids: &[], edges: &[] } };
        let (edge_adr, rest) = lists.split_at(count);
        let (vertex_ids, edges) = rest.split_at(count);
        Self { edge_adr, vertex_ids, edges }
    }

    /// The hull vertices next to one.
    #[inline]
    pub(super) fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + use<'a> {
        let start = self.edge_adr.get(vertex).map_or(usize::MAX, |&adr| adr as usize);
        let list = self.edges.get(start..).unwrap_or(&[]);
        list.iter().map_while(|&k| usize::try_from(k).ok())
    }

    /// Walks uphill along a direction, from a vertex to the farthest of its neighbours, as long as
    /// there is one beyond all seen before; see [`HullMap::climb`].
    pub(super) fn climb(
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
                let reach = dot(dir, wide(vertex));
                if reach > farthest {
                    (best, farthest) = (neighbour, reach);
                }
            }
            if best == from {
                return best;
            }
        }
    }

    /// The mesh vertex of a hull vertex; past every array if there is none.
    #[inline]
    pub(super) fn vertex(&self, vertex: usize) -> usize {
        self.vertex_ids.get(vertex).map_or(usize::MAX, |&id| id as usize)
    }
}

/// The hull of a mesh as a map for walks; empty without one.
pub(crate) fn hull_map(mesh: &Mesh<'_>) -> HullMap {
    let hull = Hull::new(mesh.graph);
    HullMap::new((0..hull.vertex_ids.len()).map(|from| {
        hull.neighbours(from).filter_map(move |neighbour| {
            let vertex = mesh.vertices.get(hull.vertex(neighbour))?;
            Some((u32::try_from(neighbour).ok()?, *vertex))
        })
    }))
}

/// A stored vertex at full width.
#[inline(always)]
pub(super) fn wide(v: [f32; 3]) -> Vec3 {
    v.map(f64::from)
}

/// `extent` with the sign of `direction`, positive at zero.
#[inline(always)]
fn toward(direction: f64, extent: f64) -> f64 {
    if direction >= 0.0 { extent } else { -extent }
}

fn on_ellipsoid(size: Vec3, local: Vec3) -> Vec3 {
    let scaled = [local[0] * size[0], local[1] * size[1], local[2] * size[2]];
    let square = dot(scaled, scaled);
    if square < MINVAL * MINVAL {
        return [size[0], 0.0, 0.0];
    }
    let inverse = 1.0 / square.sqrt();
    [0, 1, 2].map(|k| scaled[k] * (inverse * size[k]))
}

fn on_cylinder(size: Vec3, local: Vec3) -> Vec3 {
    let square = local[0] * local[0] + local[1] * local[1];
    let factor = if square >= MINVAL * MINVAL { size[0] / square.sqrt() } else { 0.0 };
    [factor * local[0], factor * local[1], toward(local[2], size[1])]
}

/// The farthest of the upper corners of a prism when looking up, else of the lower ones.
fn farthest_of_prism(prism: &[Vec3; 6], dir: Vec3) -> Vec3 {
    let start = if dir[2] < 0.0 { 0 } else { 3 };
    let (mut best, mut farthest) = (prism[start], dot(prism[start], dir));
    for corner in &prism[start + 1..start + 3] {
        let reach = dot(*corner, dir);
        if reach > farthest {
            (best, farthest) = (*corner, reach);
        }
    }
    best
}
