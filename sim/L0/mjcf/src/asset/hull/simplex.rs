//! Initial simplex: extreme points that span a large volume (qh_maxsimplex).

use super::facets::Facets;
use super::tolerance::Tolerance;
use super::{Builder, HullError};
use sim_core::math::vec3::{Vec3, add, sub};
use std::collections::VecDeque;

/// Minimum ratio of a determinant to its estimated maximum; below it all points are searched.
const NARROW_RATIO: f64 = 1e-3;
/// Cosine between facet normals of the simplex below which the hull is narrow.
const NARROW_COSINE: f64 = -0.999_999_99;

impl<'a> Builder<'a> {
    /// Constructs the initial simplex.
    pub(super) fn new(points: &'a [Vec3], tolerance_factor: f64) -> Result<Self, HullError> {
        let (extremes, tolerance) = extremes(points, tolerance_factor);
        let corners = choose(points, &extremes, &tolerance)?;
        let mut interior = [0.0; 3];
        for &corner in corners.iter().rev() {
            interior = add(interior, points[corner as usize]);
        }
        interior = interior.map(|x| x / 4.0);

        let facets = Facets::simplex(points, corners);
        let mut builder = Self {
            points,
            tolerance,
            facets,
            interior,
            narrow: false,
            queue: VecDeque::new(),
            queue_id: 0,
            max_outside: 0.0,
            merges: 0,
            alive_vertices: 4,
            visible: Vec::new(),
            new_facets: Vec::new(),
            visit: 0,
            timestamp: 4,
            cone_from: Vec::new(),
            cone_to: Vec::new(),
            stack: Vec::new(),
            edges: Vec::new(),
        };
        builder.orient()?;
        Ok(builder)
    }

    /// Orients the simplex outward and computes its planes.
    fn orient(&mut self) -> Result<(), HullError> {
        self.facets.set_plane(self.points, 0);
        if self.facets.distance(self.interior, 0) > self.tolerance.round {
            self.facets.reverse_orientation();
        }
        for facet in 0..4 {
            self.facets.set_plane(self.points, facet);
        }
        let mut least = f64::MAX;
        for facet in 0..4 {
            if self.facets.distance(self.interior, facet) >= 0.0 {
                return Err(HullError::Flat);
            }
            for other in 0..facet {
                let [a, b] = [facet, other].map(|f| self.facets.facets[f as usize].normal);
                least = least.min(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
            }
        }
        self.narrow = least < NARROW_COSINE;
        Ok(())
    }
}

/// Points with the minimum and maximum coordinate along each axis.
fn extremes(points: &[Vec3], tolerance_factor: f64) -> (Vec<u32>, Tolerance) {
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    let mut found = Vec::with_capacity(6);
    for k in 0..3 {
        let (mut min, mut max) = (0, 0);
        for (i, p) in points.iter().enumerate() {
            if p[k] > points[max][k] {
                max = i;
            } else if p[k] < points[min][k] {
                min = i;
            }
        }
        low[k] = points[min][k];
        high[k] = points[max][k];
        found.extend([min as u32, max as u32]);
    }
    (found, Tolerance::new(low, high, tolerance_factor))
}

/// Vertices of the simplex: the two with extreme x, then the points of largest determinant.
fn choose(points: &[Vec3], extremes: &[u32], tolerance: &Tolerance) -> Result<[u32; 4], HullError> {
    let (mut min, mut max) = (extremes[0], extremes[0]);
    for &i in extremes {
        if points[i as usize][0] > points[max as usize][0] {
            max = i;
        }
        if points[i as usize][0] < points[min as usize][0] {
            min = i;
        }
    }
    if min == max {
        return Err(HullError::Flat);
    }
    let mut corners = vec![min, max];
    let mut best = points[max as usize][0] - points[min as usize][0];
    for rows in 2..4 {
        let target = best * tolerance.max_width;
        let mut found = Candidate::default();
        for &i in extremes {
            if !corners.contains(&i) {
                found.offer(points, &corners, i, tolerance);
            }
        }
        let narrow = found.size > 0.0 && found.size / target < NARROW_RATIO;
        if found.point.is_none() || found.near_zero || narrow {
            for i in 0..points.len() as u32 {
                if !corners.contains(&i)
                    && !extremes.contains(&i)
                    && found.offer(points, &corners, i, tolerance)
                    && !found.near_zero
                    && found.size > 10.0 * NARROW_RATIO * target
                {
                    break;
                }
            }
        }
        debug_assert_eq!(corners.len(), rows);
        corners.push(found.point.ok_or(HullError::Flat)?);
        best = found.size;
    }
    <[u32; 4]>::try_from(corners).map_err(|_| HullError::Flat)
}

/// Best candidate for the next vertex.
struct Candidate {
    point: Option<u32>,
    size: f64,
    near_zero: bool,
}

impl Default for Candidate {
    fn default() -> Self {
        Self { point: None, size: -1.0, near_zero: false }
    }
}

impl Candidate {
    /// Replaces the candidate by `point` if its determinant with the vertices is larger.
    fn offer(
        &mut self,
        points: &[Vec3],
        corners: &[u32],
        point: u32,
        tolerance: &Tolerance,
    ) -> bool {
        let apex = points[point as usize];
        let row = |i: usize| sub(points[corners[i] as usize], apex);
        let (size, near_zero) = if corners.len() == 2 {
            let (a, b) = (row(0), row(1));
            let size = (a[0] * b[1] - a[1] * b[0]).abs();
            (size, size < tolerance.near_zero[0])
        } else {
            let (a, b, c) = (row(0), row(1), row(2));
            let minor = |p: Vec3, q: Vec3| p[1] * q[2] - p[2] * q[1];
            let size = (a[0] * minor(b, c) - b[0] * minor(a, c) + c[0] * minor(a, b)).abs();
            (size, size < tolerance.near_zero[1])
        };
        let better = size > self.size;
        if better {
            *self = Self { point: Some(point), size, near_zero };
        }
        better
    }
}
