//! Products agree with those of sparse rows.

use super::BlockJacobian;
use crate::hessian::tests::random_problem::{Cone, RandomProblem, Rng, distance};
use crate::jacobian;
use sim_types::ConstraintType;

#[test]
fn products_agree_with_those_of_sparse_rows() {
    let (mut blocks, mut row_blocks) = (BlockJacobian::default(), Vec::new());
    for seed in 0..40 {
        let data = RandomProblem::random(seed, 1 + 3 * seed as usize, 6, Cone::Elliptic);
        let problem = data.problem();
        let mut rng = Rng::new(seed);
        assert!(problem.find_row_blocks(&mut row_blocks));
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
        assert!(problem.find_row_blocks(&mut row_blocks));
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

/// Adds an equality row.
fn add_row(data: &mut RandomProblem, cols: &[i32], values: &[f64]) {
    data.kind.push(ConstraintType::Equality);
    data.rownnz.push(cols.len() as i32);
    data.rowadr.push(data.j.len() as i32);
    data.colind.extend_from_slice(cols);
    data.j.extend_from_slice(values);
    for values in [&mut data.d, &mut data.r, &mut data.aref, &mut data.frictionloss] {
        values.push(1.0);
    }
}

/// A problem without rows whose inertia matrix is the identity.
fn without_rows(nv: usize) -> RandomProblem {
    let index: Vec<i32> = (0..nv as i32).collect();
    RandomProblem {
        m_rownnz: vec![1; nv],
        m_rowadr: index.clone(),
        m_colind: index,
        m: vec![1.0; nv],
        ld: vec![1.0; nv],
        diag_inv: vec![1.0; nv],
        qfrc_smooth: vec![0.0; nv],
        qacc_smooth: vec![0.0; nv],
        ..Default::default()
    }
}

/// Edges of a flex, edges to fixed vertices, between fixed vertices and, after rows of another kind, once more.
#[test]
fn rows_of_opposite_blocks_agree_with_sparse_rows() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut data = without_rows(30);
        let add_edges = |data: &mut RandomProblem, rng: &mut Rng| {
            for _ in 0..5 + rng.below(20) {
                let n = [0; 3].map(|_| rng.signed());
                let (a, b) = (3 * rng.below(9) as i32, 27);
                match rng.below(5) {
                    0 => add_row(data, &[a, a + 1, a + 2], &n),
                    1 => add_row(data, &[], &[]),
                    _ => add_row(
                        data,
                        &[a, a + 1, a + 2, b, b + 1, b + 2],
                        &[-n[0], -n[1], -n[2], n[0], n[1], n[2]],
                    ),
                }
            }
        };
        add_edges(&mut data, &mut rng);
        let leading = data.kind.len();
        if seed > 0 {
            add_row(&mut data, &[3, 4, 5, 9, 10, 11], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
            add_row(&mut data, &[3, 4, 5, 9, 10, 11, 12, 13, 14], &[1.0; 9]);
            add_edges(&mut data, &mut rng);
        }
        let problem = data.problem();
        let (mut blocks, mut row_blocks) = (BlockJacobian::default(), Vec::new());
        assert!(problem.find_row_blocks(&mut row_blocks));
        blocks.build(&problem, &row_blocks);
        assert_eq!(blocks.direction.len(), leading);
        let x: Vec<f64> = (0..30).map(|_| rng.signed()).collect();
        let (mut right, mut product) = (vec![0.0; problem.nefc()], vec![1.0; problem.nefc()]);
        jacobian::mul(&problem, &row_blocks, &x, &mut right);
        blocks.mul(&x, &mut product);
        assert!(distance(&right, &product) < 1e-13, "seed {seed}");
        let f: Vec<f64> = (0..problem.nefc()).map(|_| rng.signed()).collect();
        let (mut right, mut product) = (vec![0.0; 30], vec![1.0; 30]);
        jacobian::mul_transposed(&problem, &row_blocks, &f, &mut right);
        blocks.mul_transposed(&f, &mut product);
        assert!(distance(&right, &product) < 1e-13, "seed {seed}");
    }
}
