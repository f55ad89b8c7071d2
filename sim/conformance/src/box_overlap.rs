//! Overlap of two boxes by the separating axis theorem, independent of the collision detection of either
//! engine.

use sim_core::{Data, Model};

type Vec3 = [f64; 3];

/// A posed box.
#[derive(Debug, Clone, Copy)]
pub struct Cuboid {
    /// World position of the centre, m.
    pub pos: Vec3,
    /// World axes.
    pub axes: [Vec3; 3],
    /// Half-extents along the axes, m.
    pub size: Vec3,
}

impl Cuboid {
    /// A geom at its current pose, as a box.
    #[must_use]
    pub fn of(m: &Model, d: &Data, geom: usize) -> Self {
        let mat = &d.geom_xmat[9 * geom..9 * geom + 9];
        let vector = |a: &[f64]| [a[3 * geom], a[3 * geom + 1], a[3 * geom + 2]];
        Self {
            pos: vector(&d.geom_xpos),
            axes: [0, 1, 2].map(|k| [mat[k], mat[3 + k], mat[6 + k]]),
            size: vector(&m.geom_size),
        }
    }

    /// Half the length of the projection onto a direction.
    fn extent(&self, dir: Vec3) -> f64 {
        (0..3).map(|k| self.size[k] * dot(self.axes[k], dir).abs()).sum()
    }

    /// A vertex; bit `k` of `corner` is set on the positive side of axis `k`.
    fn vertex(&self, corner: usize) -> Vec3 {
        let sign = |k: usize| if corner & (1 << k) != 0 { self.size[k] } else { -self.size[k] };
        std::array::from_fn(|i| {
            self.pos[i] + (0..3).map(|k| sign(k) * self.axes[k][i]).sum::<f64>()
        })
    }

    /// The twelve edges, as pairs of vertices.
    fn edges(&self) -> Vec<[Vec3; 2]> {
        let ends = |axis: usize| (0..8).filter(move |corner| corner & (1 << axis) == 0);
        let edge = |axis: usize| {
            ends(axis).map(move |corner| [self.vertex(corner), self.vertex(corner | 1 << axis)])
        };
        (0..3).flat_map(edge).collect()
    }

    /// Distance of a point from the box, zero inside.
    fn distance_to(&self, point: Vec3) -> f64 {
        let local = sub(point, self.pos);
        let outside = |k: usize| (dot(self.axes[k], local).abs() - self.size[k]).max(0.0);
        (0..3).map(|k| outside(k).powi(2)).sum::<f64>().sqrt()
    }

    /// Whether a point is inside, or outside by at most `slack`.
    #[must_use]
    pub fn contains(&self, point: Vec3, slack: f64) -> bool {
        let local = sub(point, self.pos);
        (0..3).all(|k| dot(self.axes[k], local).abs() <= self.size[k] + slack)
    }
}

/// Length of the common part of the projections of two boxes onto a unit vector; negative if the vector
/// separates them.
#[must_use]
pub fn overlap_along([a, b]: &[Cuboid; 2], dir: Vec3) -> f64 {
    a.extent(dir) + b.extent(dir) - dot(dir, sub(b.pos, a.pos)).abs()
}

/// Length of the shortest translation that separates two boxes, m: the least overlap along the face
/// normals of both and the cross products of their edges. Negative for separated boxes, where its
/// magnitude is at most their distance.
#[must_use]
pub fn depth(boxes: &[Cuboid; 2]) -> f64 {
    let [a, b] = boxes;
    let faces = a.axes.into_iter().chain(b.axes);
    let edges = a.axes.into_iter().flat_map(|x| b.axes.map(|y| cross(x, y)));
    let unit = |v: Vec3| {
        let length = dot(v, v).sqrt();
        // nearly parallel edges: the face normals bound the overlap
        (length > 1e-6).then(|| v.map(|x| x / length))
    };
    faces
        .chain(edges)
        .filter_map(unit)
        .map(|dir| overlap_along(boxes, dir))
        .fold(f64::MAX, f64::min)
}

/// Distance of two separated boxes, m; zero if they overlap. The closest points of two separated polyhedra are a
/// vertex of one and a point of the other, or points of two edges.
#[must_use]
pub fn distance(boxes: &[Cuboid; 2]) -> f64 {
    let [a, b] = boxes;
    if depth(boxes) >= 0.0 {
        return 0.0;
    }
    let of_vertices = |a: &Cuboid, b: &Cuboid| {
        let vertices = (0..8).map(|corner| a.vertex(corner));
        vertices.map(|vertex| b.distance_to(vertex)).fold(f64::INFINITY, f64::min)
    };
    let mut least = f64::min(of_vertices(a, b), of_vertices(b, a));
    for one in a.edges() {
        for two in b.edges() {
            least = f64::min(least, segment_distance(one, two));
        }
    }
    least
}

/// Distance of the lines through two segments where the closest points are inside both; infinite otherwise.
fn segment_distance([p0, p1]: [Vec3; 2], [q0, q1]: [Vec3; 2]) -> f64 {
    let (u, v, w) = (sub(p1, p0), sub(q1, q0), sub(q0, p0));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let det = uu * vv - uv * uv;
    // the closest points of parallel edges include a vertex
    if det <= 1e-12 * uu * vv {
        return f64::INFINITY;
    }
    let (s, t) = ((uw * vv - uv * vw) / det, (uv * uw - uu * vw) / det);
    if !(0.0..=1.0).contains(&s) || !(0.0..=1.0).contains(&t) {
        return f64::INFINITY;
    }
    let between: Vec3 = std::array::from_fn(|k| w[k] + t * v[k] - s * u[k]);
    dot(between, between).sqrt()
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::{Cuboid, depth, distance, overlap_along};

    const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    #[test]
    fn aligned_boxes_overlap_along_the_shallowest_axis() {
        let cuboid = |pos| Cuboid { pos, axes: AXES, size: [1.0, 2.0, 3.0] };
        assert_eq!(depth(&[cuboid([0.0; 3]), cuboid([1.5, 0.25, 0.0])]), 0.5);
        assert_eq!(depth(&[cuboid([0.0; 3]), cuboid([0.0, 5.0, 0.0])]), -1.0);
    }

    #[test]
    fn crossed_edges_overlap_along_their_common_normal() {
        // two unit cubes, each rotated by 45° to present an edge to the other, along x and along y
        let (c, s) = (0.5_f64.sqrt(), 0.5_f64.sqrt());
        let one =
            Cuboid { pos: [0.0; 3], axes: [AXES[0], [0.0, c, s], [0.0, -s, c]], size: [1.0; 3] };
        let pos = [0.0, 0.0, 2.0 * 2.0_f64.sqrt() - 0.1];
        let two = Cuboid { pos, axes: [[c, 0.0, -s], AXES[1], [s, 0.0, c]], size: [1.0; 3] };
        assert!((depth(&[one, two]) - 0.1).abs() < 1e-12);
        assert!((overlap_along(&[one, two], AXES[2]) - 0.1).abs() < 1e-12);
        assert!(one.contains([0.0, 0.0, 1.41], 0.0) && !one.contains([0.0, 0.0, 1.42], 0.0));
    }

    #[test]
    fn the_distance_is_that_of_the_closest_features() {
        let cuboid = |pos| Cuboid { pos, axes: AXES, size: [1.0, 2.0, 3.0] };
        // two faces, two parallel edges, two vertices, overlap
        assert_eq!(distance(&[cuboid([0.0; 3]), cuboid([2.5, 0.25, 0.0])]), 0.5);
        assert_eq!(distance(&[cuboid([0.0; 3]), cuboid([5.0, 8.0, 0.0])]), 5.0);
        assert_eq!(distance(&[cuboid([0.0; 3]), cuboid([3.0, 6.0, 8.0])]), 3.0);
        assert_eq!(distance(&[cuboid([0.0; 3]), cuboid([1.0; 3])]), 0.0);
        // crossed edges, which alone determine the distance
        let (c, s) = (0.5_f64.sqrt(), 0.5_f64.sqrt());
        let one =
            Cuboid { pos: [0.0; 3], axes: [AXES[0], [0.0, c, s], [0.0, -s, c]], size: [1.0; 3] };
        let pos = [0.0, 0.0, 2.0 * 2.0_f64.sqrt() + 0.1];
        let two = Cuboid { pos, axes: [[c, 0.0, -s], AXES[1], [s, 0.0, c]], size: [1.0; 3] };
        assert!((distance(&[one, two]) - 0.1).abs() < 1e-12);
    }
}
