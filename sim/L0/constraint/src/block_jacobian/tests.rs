//! Products agree with those of sparse rows.

use super::BlockJacobian;
use crate::hessian::tests::random_problem::{Cone, RandomProblem, Rng, distance};
use crate::jacobian::{self, find_row_blocks};

#[test]
fn products_agree_with_those_of_sparse_rows() {
    let (mut blocks, mut row_blocks) = (BlockJacobian::default(), Vec::new());
    for seed in 0..40 {
        let data = RandomProblem::random(seed, 1 + 3 * seed as usize, 6, Cone::Elliptic);
        let problem = data.problem();
        let mut rng = Rng::new(seed);
        find_row_blocks(&problem, &mut row_blocks);
        blocks.build(&problem, &row_blocks);
        let x: Vec<f64> = (0..problem.nv()).map(|_| rng.signed()).collect();
        let (mut right, mut product) = (vec![0.0; problem.nefc()], vec![1.0; problem.nefc()]);
        jacobian::mul(&problem, &row_blocks, &x, &mut right);
        blocks.mul(&x, &mut product);
        assert!(distance(&right, &product) < 1e-13, "seed {seed}");
        let (mut right, mut product) = (vec![0.0; problem.nv()], vec![1.0; problem.nv()]);
        let f: Vec<f64> = (0..problem.nefc()).map(|_| rng.signed()).collect();
        jacobian::mul_transposed(&problem, &row_blocks, &f, &mut right);
        blocks.mul_transposed(&f, &mut product);
        assert!(distance(&right, &product) < 1e-13, "seed {seed}");
    }
}

/// Rows that share only a part of their columns split the column groups.
#[test]
fn groups_are_contained_in_every_row_or_disjoint_from_it() {
    for seed in 0..40 {
        let data = RandomProblem::random(seed, 1 + 3 * seed as usize, 6, Cone::Pyramidal);
        let problem = data.problem();
        let (mut blocks, mut row_blocks) = (BlockJacobian::default(), Vec::new());
        find_row_blocks(&problem, &mut row_blocks);
        blocks.build(&problem, &row_blocks);
        for block in &row_blocks {
            let cols = block.cols(&problem);
            for range in blocks.group_start.windows(2) {
                let inside = (range[0]..range[1]).filter(|&c| cols.contains(&(c as i32)));
                let count = inside.count();
                assert!(count == 0 || count == (range[1] - range[0]) as usize);
                assert!((1..=4).contains(&(range[1] - range[0])));
            }
        }
    }
}
