//! Contact of a body with itself, and of two bodies with each other. With itself: particles against
//! triangles, or against particles where a body has no triangles.
//!
//! What is near is found with room to move, found again when a particle has used up its room, and
//! kept apart in every substep, in a fixed order and on one thread. What is closer at rest keeps only
//! that distance, so neighbours in the mesh are left alone. Edges that cross without a particle near
//! them are not found, and particles faster than a contact distance a substep can pass through.

mod edge;
mod grid;
mod mutual;
mod outline;
mod pairs;
mod push;
mod triangle;

pub use mutual::{MutualContacts, Side};
pub use outline::Outline;

use crate::body::Body;
use crate::cells::{Cells, Particle, dot, sub};
use grid::Grid;
use nalgebra::Vector3;
use pairs::Pair;
use push::Manner;
use triangle::Near;

/// Most contacts that are followed for one particle or triangle. A body crushed to a point has all
/// pairs near; this keeps it from filling the memory with them.
const MOST: usize = 64;
/// Most room to move, in contact distances. More would catch faster particles, at the cost of
/// looking at many that are far away.
const MOST_ROOM: f64 = 2.0;

/// What of a body may touch.
#[derive(Debug, Default)]
pub(crate) struct SelfContacts {
    grid: Grid,
    pairs: Vec<Pair>,
    near: Vec<Near>,
    /// Where the particles were when this was found.
    found_at: Vec<Vector3<f64>>,
    /// How far two particles may come towards each other before it must be found again.
    room: f64,
}

impl SelfContacts {
    /// Number of pairs that are near.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len() + self.near.len()
    }

    /// Forgets what was found: the particles are others, or were moved.
    pub(crate) fn forget(&mut self) {
        self.room = -1.0;
    }

    /// Keeps apart what is too near, with Coulomb friction. `previous` is where the particles were
    /// before the substep.
    pub(crate) fn solve(&mut self, body: &Body, x: &impl Cells, previous: &[Particle]) {
        if self.is_stale(x) {
            self.find(body, x, previous);
        }
        self.pairs.iter().for_each(|pair| pair.solve(x, previous, body.friction));
        let manner = Manner { friction: body.friction, recover: 1.0 };
        self.near.iter().for_each(|near| near.solve(x, previous, manner));
    }

    /// Whether some particle has come so far that others may be near by now.
    fn is_stale(&self, x: &impl Cells) -> bool {
        let limit = 0.25 * self.room * self.room;
        let moved = |(i, then): (usize, &Vector3<f64>)| {
            let now = x.load(i as u32);
            (Vector3::new(now[0], now[1], now[2]) - then).norm_squared() > limit
        };
        self.room < 0.0 || self.found_at.iter().enumerate().any(moved)
    }

    /// Finds what is near where the particles were before this substep, on the sides they were on,
    /// with room for this substep and some more.
    fn find(&mut self, body: &Body, x: &impl Cells, previous: &[Particle]) {
        self.found_at.clear();
        let mut farthest = 0.0f64;
        for (i, p) in previous.iter().enumerate() {
            let d = sub(x.load(i as u32), *p);
            farthest = farthest.max(dot(d, d));
            self.found_at.push(Vector3::new(p[0], p[1], p[2]));
        }
        let touch = body.contact_distance;
        self.room = (2.0 * farthest.sqrt()).clamp(touch, MOST_ROOM * touch);
        let reach = touch + self.room;
        self.pairs.clear();
        self.near.clear();
        let at = &self.found_at;
        if body.triangles.is_empty() {
            self.grid.fill(at, reach);
            pairs::find(body, at, reach, &self.grid, &mut self.pairs);
        } else {
            // a triangle and its surroundings are in eight cells, as a rule
            self.grid.fill(at, body.spacing + 2.0 * reach);
            triangle::find(body, at, reach, &self.grid, &mut self.near);
        }
    }
}
