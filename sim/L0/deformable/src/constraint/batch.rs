//! Constraints of one kind, coloured: a greedy colouring in the order they were added.

use super::{Row, Substep};
use crate::cells::{Cells, Particle, Plain};
use nalgebra::Vector3;

/// Constraints of one kind, sorted by colour.
#[derive(Debug, Clone)]
pub(crate) struct Batches<R> {
    rows: Vec<R>,
    /// First row of each colour, and the number of rows.
    starts: Vec<usize>,
}

impl<R> Default for Batches<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), starts: vec![0] }
    }
}

/// Rows that one thread takes at a time.
#[cfg(feature = "parallel")]
const GRAIN: usize = 512;

impl<R: Row> Batches<R> {
    /// Colours `rows`, which touch particles below `count`. Each row takes the lowest colour that no
    /// earlier row has at its particles; of colours above 63 a second round is made, and so on.
    pub(crate) fn new(rows: Vec<R>, count: usize) -> Self {
        let mut colors = vec![u32::MAX; rows.len()];
        let mut taken = vec![0u64; count];
        let mut left: Vec<usize> = (0..rows.len()).collect();
        let mut base = 0;
        while !left.is_empty() {
            taken.fill(0);
            left.retain(|&r| {
                let at = rows[r].particles();
                let used = at.iter().fold(0, |used, &p| used | taken[p as usize]);
                let color = used.trailing_ones();
                if color == 64 {
                    return true;
                }
                at.iter().for_each(|&p| taken[p as usize] |= 1 << color);
                colors[r] = base + color;
                false
            });
            base += 64;
        }
        let mut order: Vec<usize> = (0..rows.len()).collect();
        // stable: rows of a colour keep their order, and with it their locality
        order.sort_by_key(|&r| colors[r]);
        let mut starts = vec![0];
        for k in 1..order.len() {
            if colors[order[k]] != colors[order[k - 1]] {
                starts.push(k);
            }
        }
        if !rows.is_empty() {
            starts.push(rows.len());
        }
        Self { rows: order.into_iter().map(|r| rows[r].clone()).collect(), starts }
    }

    pub(crate) fn rows(&self) -> &[R] {
        &self.rows
    }

    pub(crate) fn colors(&self) -> impl Iterator<Item = &[R]> {
        self.starts.windows(2).map(|pair| &self.rows[pair[0]..pair[1]])
    }

    pub(crate) fn prepare(&mut self, inv_mass: &[f64], sub: Substep) {
        self.rows.iter_mut().for_each(|row| row.prepare(inv_mass, sub));
    }

    /// Solves all rows once, colour after colour.
    pub(crate) fn solve(&self, x: &mut [Particle], previous: &[Particle], sub: Substep) {
        let cells = Plain::new(x);
        for rows in self.colors() {
            solve_some(rows, &cells, previous, sub);
        }
    }

    /// The same, with the rows of a colour shared among the threads of rayon's current pool.
    #[cfg(feature = "parallel")]
    pub(crate) fn solve_parallel(
        &self,
        x: &[crate::cells::Words],
        previous: &[Particle],
        sub: Substep,
    ) {
        use rayon::prelude::*;
        for rows in self.colors() {
            rows.par_chunks(GRAIN)
                .for_each(|rows| solve_some(rows, &crate::cells::Shared(x), previous, sub));
        }
    }

    pub(crate) fn energy(&self, x: &[Vector3<f64>]) -> f64 {
        self.rows.iter().map(|row| row.energy(x)).sum()
    }
}

fn solve_some<R: Row, C: Cells>(rows: &[R], x: &C, previous: &[Particle], sub: Substep) {
    if sub.gamma > 0.0 {
        damped(rows, x, previous, sub);
    } else {
        undamped(rows, x, previous, sub);
    }
}

fn undamped<R: Row, C: Cells>(rows: &[R], x: &C, previous: &[Particle], sub: Substep) {
    rows.iter().for_each(|row| row.solve::<false>(x, previous, sub));
}

fn damped<R: Row, C: Cells>(rows: &[R], x: &C, previous: &[Particle], sub: Substep) {
    rows.iter().for_each(|row| row.solve::<true>(x, previous, sub));
}

#[cfg(test)]
mod tests {
    use super::super::{Row, distance::Distance};
    use super::Batches;

    #[test]
    fn rows_of_a_color_share_no_particle() {
        // a fan of 100 edges around particle 0 needs 100 colours, and a ring around it few
        let fan = (1..=100).map(|k| Distance::new(0, k, 1.0, 0.0));
        let ring = (1..100).map(|k| Distance::new(k, k + 1, 1.0, 0.0));
        let batches = Batches::new(fan.chain(ring).collect(), 101);
        assert_eq!(batches.colors().map(<[_]>::len).sum::<usize>(), 199);
        for rows in batches.colors() {
            let mut seen: Vec<u32> = rows.iter().flat_map(|r| r.particles().to_vec()).collect();
            let before = seen.len();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), before);
        }
        assert_eq!(batches.colors().count(), 100);
    }

    #[test]
    fn no_rows_have_no_colors() {
        assert_eq!(Batches::<Distance>::new(Vec::new(), 3).colors().count(), 0);
    }
}
