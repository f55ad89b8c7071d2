//! Contact of a body with itself: particles as spheres, found by a grid of hashed cells.
//!
//! Near pairs are found once a step, with room for how far particles can come in it, and kept apart
//! in every substep. Pairs that are closer at rest keep only that distance, so neighbours in the
//! mesh are left alone. Particles faster than a contact distance in half a step can pass through.

use crate::body::Body;
use crate::cells::{Cells, Particle, dot, moved, sub};
use nalgebra::Vector3;

/// A pair of particles and how near they may come.
#[derive(Debug, Clone, Copy)]
struct Pair {
    a: u32,
    b: u32,
    distance: f64,
}

/// Pairs of a body that may touch in a step.
#[derive(Debug, Default)]
pub(crate) struct SelfContacts {
    /// Cell of each particle, as a slot of the table.
    slots: Vec<u32>,
    /// First entry of each slot, and the number of entries.
    starts: Vec<u32>,
    /// Particles by slot.
    entries: Vec<u32>,
    pairs: Vec<Pair>,
}

/// Cell of a coordinate. Far-away particles share the outermost cell, which is slow but right.
fn cell(x: f64, inv_size: f64) -> i64 {
    (x * inv_size).floor().clamp(-1e15, 1e15) as i64
}

/// Slot of a cell in a table of `mask + 1` slots.
fn slot(c: [i64; 3], mask: usize) -> usize {
    const PRIMES: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
    let hash = (0..3).fold(0u64, |h, k| (h ^ c[k] as u64).wrapping_mul(PRIMES[k]).rotate_left(29));
    hash as usize & mask
}

impl SelfContacts {
    /// Number of near pairs.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Finds the pairs that can touch within `dt`.
    pub(crate) fn find(&mut self, body: &Body, dt: f64) {
        let touch = body.contact_distance;
        let speed = body.velocity.iter().fold(0.0f64, |v, u| v.max(u.norm_squared())).sqrt();
        let reach = touch + (2.0 * speed * dt).min(touch);
        let inv_size = reach.recip();
        self.fill(&body.position, inv_size);
        self.pairs.clear();
        let mask = self.starts.len() - 2;
        for (i, x) in body.position.iter().enumerate() {
            let c = [cell(x.x, inv_size), cell(x.y, inv_size), cell(x.z, inv_size)];
            // slots already looked into: two of the 27 cells may share one
            let mut seen = [usize::MAX; 27];
            for k in 0..27usize {
                let offset = [k % 3, k / 3 % 3, k / 9].map(|o| o as i64 - 1);
                let s = slot([c[0] + offset[0], c[1] + offset[1], c[2] + offset[2]], mask);
                if seen[..k].contains(&s) {
                    continue;
                }
                seen[k] = s;
                let range = self.starts[s] as usize..self.starts[s + 1] as usize;
                for &j in &self.entries[range] {
                    let near = (body.position[j as usize] - x).norm_squared() < reach * reach;
                    if j as usize > i && near {
                        let apart = (body.rest[j as usize] - body.rest[i]).norm();
                        self.pairs.push(Pair { a: i as u32, b: j, distance: touch.min(apart) });
                    }
                }
            }
        }
    }

    /// Sorts particles into slots, by counting.
    fn fill(&mut self, x: &[Vector3<f64>], inv_size: f64) {
        let size = (2 * x.len()).next_power_of_two();
        self.starts.clear();
        self.starts.resize(size + 1, 0);
        self.slots.clear();
        for x in x {
            let c = [cell(x.x, inv_size), cell(x.y, inv_size), cell(x.z, inv_size)];
            let s = slot(c, size - 1);
            self.slots.push(s as u32);
            self.starts[s] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.resize(x.len(), 0);
        // from the last to the first, so that each slot has its particles in order
        for (i, &s) in self.slots.iter().enumerate().rev() {
            self.starts[s as usize] -= 1;
            self.entries[self.starts[s as usize] as usize] = i as u32;
        }
    }

    /// Keeps the pairs apart, with Coulomb friction between them.
    pub(crate) fn solve(&self, x: &impl Cells, previous: &[Particle], friction: f64) {
        for pair in &self.pairs {
            let (a, b) = (x.load(pair.a), x.load(pair.b));
            let d = sub(b, a);
            let length2 = dot(d, d);
            let weight = a[3] + b[3];
            if length2 >= pair.distance * pair.distance || length2 <= 0.0 || weight <= 0.0 {
                continue;
            }
            let length = length2.sqrt();
            let depth = pair.distance - length;
            let s = depth / (length * weight);
            let (mut a1, mut b1) = (moved(a, -a[3] * s, d), moved(b, b[3] * s, d));
            // what slid since the substep began, up to the friction of the push
            let (pa, pb) = (previous[pair.a as usize], previous[pair.b as usize]);
            let (ma, mb) = (sub(a1, pa), sub(b1, pb));
            let slide = [mb[0] - ma[0], mb[1] - ma[1], mb[2] - ma[2]];
            let along = dot(slide, d) / length2;
            let t = [slide[0] - along * d[0], slide[1] - along * d[1], slide[2] - along * d[2]];
            let far = dot(t, t).sqrt();
            if far > 0.0 {
                let s = (friction * depth / far).min(1.0) / weight;
                a1 = moved(a1, a[3] * s, t);
                b1 = moved(b1, -b[3] * s, t);
            }
            x.store(pair.a, a1);
            x.store(pair.b, b1);
        }
    }
}
