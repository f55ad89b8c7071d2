//! Greedy graph colouring of the constraints of one kind, in the order in which they were added.

use super::{Constraint, Substep};
use crate::particle::{LocalParticles, Particle, ParticleStore};
use nalgebra::Vector3;

/// Constraints of one kind, sorted by colour.
#[derive(Debug, Clone)]
pub(crate) struct ColoredConstraints<C> {
    constraints: Vec<C>,
    /// Start of each colour, and the number of constraints.
    starts: Vec<usize>,
}

impl<C> Default for ColoredConstraints<C> {
    fn default() -> Self {
        Self { constraints: Vec::new(), starts: vec![0] }
    }
}

/// Constraints per parallel task.
#[cfg(feature = "parallel")]
const CHUNK: usize = 512;

impl<C: Constraint> ColoredConstraints<C> {
    /// Colours `constraints` on `count` particles. Each constraint takes the lowest colour that no
    /// earlier constraint has at its particles; constraints that find the 64 colours of a round in
    /// use are coloured in the next round.
    pub(crate) fn new(constraints: Vec<C>, count: usize) -> Self {
        let mut colors = vec![u32::MAX; constraints.len()];
        let mut used_colors = vec![0u64; count];
        let mut remaining: Vec<usize> = (0..constraints.len()).collect();
        let mut base = 0;
        while !remaining.is_empty() {
            used_colors.fill(0);
            remaining.retain(|&r| {
                let at = constraints[r].particles();
                let occupied = at.iter().fold(0, |occupied, &p| occupied | used_colors[p as usize]);
                let color = occupied.trailing_ones();
                if color == 64 {
                    return true;
                }
                at.iter().for_each(|&p| used_colors[p as usize] |= 1 << color);
                colors[r] = base + color;
                false
            });
            base += 64;
        }
        let mut order: Vec<usize> = (0..constraints.len()).collect();
        // stable sort: constraints of a colour keep their order and memory locality
        order.sort_by_key(|&r| colors[r]);
        let mut starts = vec![0];
        for k in 1..order.len() {
            if colors[order[k]] != colors[order[k - 1]] {
                starts.push(k);
            }
        }
        if !constraints.is_empty() {
            starts.push(constraints.len());
        }
        Self { constraints: order.into_iter().map(|r| constraints[r].clone()).collect(), starts }
    }

    pub(crate) fn as_slice(&self) -> &[C] {
        &self.constraints
    }

    pub(crate) fn colors(&self) -> impl Iterator<Item = &[C]> {
        self.starts.windows(2).map(|pair| &self.constraints[pair[0]..pair[1]])
    }

    pub(crate) fn prepare(&mut self, inv_mass: &[f64], sub: Substep) {
        self.constraints.iter_mut().for_each(|constraint| constraint.prepare(inv_mass, sub));
    }

    /// Projects all constraints once, colour by colour.
    pub(crate) fn solve(&self, x: &mut [Particle], previous: &[Particle], sub: Substep) {
        let particles = LocalParticles::new(x);
        for constraints in self.colors() {
            solve_color(constraints, &particles, previous, sub);
        }
    }

    /// The same, with the constraints of a colour in parallel on rayon's current thread pool.
    #[cfg(feature = "parallel")]
    pub(crate) fn solve_parallel(
        &self,
        x: &[crate::particle::AtomicParticle],
        previous: &[Particle],
        sub: Substep,
    ) {
        use rayon::prelude::*;
        for constraints in self.colors() {
            constraints.par_chunks(CHUNK).for_each(|constraints| {
                solve_color(constraints, &crate::particle::AtomicParticles(x), previous, sub)
            });
        }
    }

    pub(crate) fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        self.constraints.iter().map(|constraint| constraint.energy(x)).sum()
    }
}

fn solve_color<C: Constraint, P: ParticleStore>(
    constraints: &[C],
    x: &P,
    previous: &[Particle],
    sub: Substep,
) {
    if sub.gamma > 0.0 {
        damped(constraints, x, previous, sub);
    } else {
        undamped(constraints, x, previous, sub);
    }
}

fn undamped<C: Constraint, P: ParticleStore>(
    constraints: &[C],
    x: &P,
    previous: &[Particle],
    sub: Substep,
) {
    constraints.iter().for_each(|constraint| constraint.solve::<false>(x, previous, sub));
}

fn damped<C: Constraint, P: ParticleStore>(
    constraints: &[C],
    x: &P,
    previous: &[Particle],
    sub: Substep,
) {
    constraints.iter().for_each(|constraint| constraint.solve::<true>(x, previous, sub));
}

#[cfg(test)]
mod tests {
    use super::super::{Constraint, distance::Distance};
    use super::ColoredConstraints;

    #[test]
    fn constraints_of_a_color_share_no_particle() {
        // a fan of 100 edges around particle 0 needs 100 colours, the ring around it only a few
        let fan = (1..=100).map(|k| Distance::new(0, k, 1.0, 0.0));
        let ring = (1..100).map(|k| Distance::new(k, k + 1, 1.0, 0.0));
        let constraints = ColoredConstraints::new(fan.chain(ring).collect(), 101);
        assert_eq!(constraints.colors().map(<[_]>::len).sum::<usize>(), 199);
        for constraints in constraints.colors() {
            let mut seen: Vec<u32> =
                constraints.iter().flat_map(|r| r.particles().to_vec()).collect();
            let before = seen.len();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), before);
        }
        assert_eq!(constraints.colors().count(), 100);
    }

    #[test]
    fn no_constraints_have_no_colors() {
        assert_eq!(ColoredConstraints::<Distance>::new(Vec::new(), 3).colors().count(), 0);
    }
}
