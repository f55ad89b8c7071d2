//! Contact of two bodies: particles of each against triangles of the other, and edges against edges.
//!
//! Found and kept apart as with a body that touches itself: with room to move, in a fixed order, every
//! substep. Both sides move by their inverse masses, so momentum is kept.

use super::edge::{self, Crossing};
use super::grid::Grid;
use super::outline::Outline;
use super::push::{Manner, Past};
use super::triangle::{self, Near};
use super::{MOST, MOST_ROOM};
use crate::body::Body;
use crate::cells::{Cells, Particle, Plain, dot, sub};
use crate::solver::XpbdSolver;
use nalgebra::Vector3;

/// Skin of what has no radius, as a share of the mean length of its edges.
const SKIN: f64 = 0.01;
/// How deep a particle may be in a solid and still be taken to come from outside, by the same measure.
const DEEP: f64 = 0.25;

/// One of two bodies in the midst of a step.
#[derive(Debug)]
pub struct Side<'a> {
    /// The body.
    pub body: &'a Body,
    /// Its outline.
    pub outline: &'a Outline,
    /// The solver that steps it.
    pub solver: &'a mut XpbdSolver,
}

/// What of two bodies may touch.
#[derive(Debug, Default)]
pub struct MutualContacts {
    grid: Grid,
    near: Vec<Near>,
    crossings: Vec<Crossing>,
    /// Where the particles of both were when this was found.
    found_at: [Vec<Vector3<f64>>; 2],
    /// Particles, triangles and edges of one body that are near the other, and where they are.
    chosen: Vec<u32>,
    places: Vec<Vector3<f64>>,
    /// How far two particles may come towards each other before it must be found again.
    room: f64,
}

/// Particles of both bodies: those of the second are numbered after those of the first.
struct Joined<'a> {
    cells: [Plain<'a>; 2],
    previous: [&'a [Particle]; 2],
    split: u32,
}

impl Joined<'_> {
    #[inline(always)]
    fn place(&self, i: u32) -> (usize, u32) {
        if i < self.split { (0, i) } else { (1, i - self.split) }
    }
}

impl Cells for Joined<'_> {
    #[inline(always)]
    fn load(&self, i: u32) -> Particle {
        let (side, i) = self.place(i);
        self.cells[side].load(i)
    }

    #[inline(always)]
    fn store(&self, i: u32, x: Particle) {
        let (side, i) = self.place(i);
        self.cells[side].store(i, x);
    }
}

impl Past for Joined<'_> {
    #[inline(always)]
    fn before(&self, i: u32) -> Particle {
        let (side, i) = self.place(i);
        self.previous[side][i as usize]
    }
}

/// A box.
#[derive(Debug, Clone, Copy)]
struct Range {
    least: Vector3<f64>,
    most: Vector3<f64>,
}

impl Range {
    fn of(points: impl Iterator<Item = Vector3<f64>>) -> Self {
        let start = Vector3::repeat(f64::INFINITY);
        let (least, most) = points.fold((start, -start), |(a, b), x| (a.inf(&x), b.sup(&x)));
        Self { least, most }
    }

    fn wider(&self, by: f64) -> Self {
        let by = Vector3::repeat(by);
        Self { least: self.least - by, most: self.most + by }
    }

    fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.least[k] <= other.most[k] && self.most[k] >= other.least[k])
    }
}

impl Body {
    /// How far the surface is from the particles for other deformable bodies: the radius, or where there
    /// is none a hundredth of the mean length of edges.
    #[must_use]
    pub fn skin(&self) -> f64 {
        if self.radius > 0.0 { self.radius } else { SKIN * self.spacing }
    }
}

impl MutualContacts {
    /// Number of pairs that are near.
    #[must_use]
    pub fn len(&self) -> usize {
        self.near.len() + self.crossings.len()
    }

    /// Whether nothing is near.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets what was found: to be called when a step begins.
    pub fn forget(&mut self) {
        self.room = -1.0;
        self.near.clear();
        self.crossings.clear();
    }

    /// Keeps two bodies apart between [`XpbdSolver::substep`] and [`XpbdSolver::end_substep`], with
    /// Coulomb friction. Of what was too near before the substep, a share `recover` comes right in it.
    /// `skip` says which particles of the first and the second body have nothing to do with each other.
    pub fn solve(
        &mut self,
        sides: [Side<'_>; 2],
        friction: f64,
        recover: f64,
        skip: impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let [first, second] = sides;
        let counts = [first.body.len(), second.body.len()];
        let touch = first.body.skin() + second.body.skin();
        let numbered = u32::try_from(counts[0] + counts[1]).is_ok();
        let (x, p) = first.solver.state_mut();
        let (y, q) = second.solver.state_mut();
        let loaded = [x.len(), p.len(), y.len(), q.len()];
        if loaded != [counts[0], counts[0], counts[1], counts[1]] || !numbered || touch <= 0.0 {
            return;
        }
        let split = counts[0] as u32;
        let joined = Joined { cells: [Plain::new(x), Plain::new(y)], previous: [p, q], split };
        if self.is_stale(&joined) {
            let bodies = [first.body, second.body];
            let outlines = [first.outline, second.outline];
            self.find(bodies, outlines, &joined, touch, skip);
        }
        let manner = Manner { friction, recover };
        self.near.iter().for_each(|near| near.solve(&joined, &joined, manner));
        self.crossings.iter().for_each(|pair| pair.solve(&joined, &joined, manner));
    }

    /// Whether some particle has come so far that others may be near by now.
    fn is_stale(&self, joined: &Joined<'_>) -> bool {
        let limit = 0.25 * self.room * self.room;
        let far = |(cells, then): (&Plain<'_>, &Vec<Vector3<f64>>)| {
            then.iter().enumerate().any(|(i, then)| {
                let now = cells.load(i as u32);
                (Vector3::new(now[0], now[1], now[2]) - then).norm_squared() > limit
            })
        };
        self.room < 0.0 || joined.cells.iter().zip(&self.found_at).any(far)
    }

    /// Finds what is near where the particles were before this substep, on the sides they were on.
    fn find(
        &mut self,
        bodies: [&Body; 2],
        outlines: [&Outline; 2],
        joined: &Joined<'_>,
        touch: f64,
        skip: impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let mut farthest = 0.0f64;
        for side in 0..2 {
            self.found_at[side].clear();
            for (i, p) in joined.previous[side].iter().enumerate() {
                let d = sub(joined.cells[side].load(i as u32), *p);
                farthest = farthest.max(dot(d, d));
                self.found_at[side].push(Vector3::new(p[0], p[1], p[2]));
            }
        }
        // what is fast is followed farther, but not over more than the elements around it
        let spacing = bodies[0].spacing.max(bodies[1].spacing);
        self.room = (4.0 * farthest.sqrt()).clamp(touch, (0.5 * spacing).max(MOST_ROOM * touch));
        let reach = touch + self.room;
        self.near.clear();
        self.crossings.clear();
        let range = |side: usize| {
            let at = &self.found_at[side];
            Range::of(outlines[side].particles.iter().map(|&i| at[i as usize]))
        };
        let ranges = [range(0).wider(reach), range(1).wider(reach)];
        if !ranges[0].meets(&ranges[1]) {
            return;
        }
        for side in 0..2 {
            self.find_faces(side, bodies, outlines, ranges, [touch, reach], &skip);
        }
        self.find_edges(outlines, ranges, [touch, reach], &skip);
    }

    /// Finds particles of the other side near triangles of `side`.
    fn find_faces(
        &mut self,
        side: usize,
        bodies: [&Body; 2],
        outlines: [&Outline; 2],
        ranges: [Range; 2],
        [touch, reach]: [f64; 2],
        skip: &impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let other = 1 - side;
        let Self { grid, near, found_at, chosen, places, .. } = self;
        if bodies[side].triangles.is_empty() {
            return;
        }
        chosen.clear();
        places.clear();
        for &i in &outlines[other].particles {
            let x = found_at[other][i as usize];
            if ranges[side].meets(&Range { least: x, most: x }) {
                chosen.push(i);
                places.push(x);
            }
        }
        grid.fill(places, bodies[side].spacing + 2.0 * reach);
        let base = [0, bodies[0].len() as u32];
        for t in &bodies[side].triangles {
            let x = t.map(|i| found_at[side][i as usize]);
            let range = Range::of(x.into_iter()).wider(reach);
            if !range.meets(&ranges[other]) {
                continue;
            }
            let most = near.len() + MOST;
            grid.visit(places, range.least, range.most, |k| {
                let (p, y) = (chosen[k as usize], places[k as usize]);
                let apart = if side == 0 { skip(t, &[p]) } else { skip(&[p], t) };
                if near.len() >= most || apart {
                    return;
                }
                if triangle::offset(y, x).norm_squared() >= reach * reach {
                    return;
                }
                let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
                let height = normal.dot(&(y - x[0]));
                let solid = bodies[side].closed;
                // from deep inside a solid, another of its faces is the one to leave by
                if solid && height < -DEEP * bodies[side].spacing * normal.norm() {
                    return;
                }
                let above = if height < 0.0 && !solid { -1.0 } else { 1.0 };
                let corners = t.map(|i| base[side] + i);
                let at = [base[other] + p, corners[0], corners[1], corners[2]];
                near.push(Near { at, distance: touch, side: above });
            });
        }
    }

    /// Finds edges of the two sides that are near each other.
    fn find_edges(
        &mut self,
        outlines: [&Outline; 2],
        ranges: [Range; 2],
        [touch, reach]: [f64; 2],
        skip: &impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let Self { grid, crossings, found_at, chosen, places, .. } = self;
        let ends = |side: usize, edge: [u32; 2]| edge.map(|i| found_at[side][i as usize]);
        chosen.clear();
        places.clear();
        let (mut longest, mut total) = (0.0f64, 0.0);
        for (k, &edge) in outlines[1].edges.iter().enumerate() {
            let x = ends(1, edge);
            if Range::of(x.into_iter()).meets(&ranges[0]) {
                chosen.push(k as u32);
                places.push(0.5 * (x[0] + x[1]));
                let length = (x[1] - x[0]).norm();
                (longest, total) = (longest.max(length), total + length);
            }
        }
        grid.fill(places, total / places.len().max(1) as f64 + 2.0 * reach);
        let base = found_at[0].len() as u32;
        for &edge in &outlines[0].edges {
            let p = ends(0, edge);
            let range = Range::of(p.into_iter()).wider(reach + 0.5 * longest);
            if !range.meets(&ranges[1]) {
                continue;
            }
            let most = crossings.len() + MOST;
            grid.visit(places, range.least, range.most, |k| {
                let with = outlines[1].edges[chosen[k as usize] as usize];
                if crossings.len() >= most || skip(&edge, &with) {
                    return;
                }
                let q = ends(1, with);
                let way = edge::offset([p, q]);
                if way.norm_squared() >= reach * reach {
                    return;
                }
                let normal = (p[1] - p[0]).cross(&(q[1] - q[0]));
                let side = if normal.dot(&way) < 0.0 { -1.0 } else { 1.0 };
                let at = [edge[0], edge[1], base + with[0], base + with[1]];
                crossings.push(Crossing { at, distance: touch, side });
            });
        }
    }
}
