//! The versions for AVX2 agree bit by bit with the portable ones.

use super::{Block, mul_column_slices, mul_differences, mul_row_slices, scalar};

/// Numbers of different magnitudes from a linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn index(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as u32 % end
    }

    fn real(&mut self) -> f64 {
        let size = 10_f64.powi(self.index(9) as i32 - 4);
        size * (f64::from(self.index(1 << 20)) / f64::from(1 << 19) - 1.0)
    }

    fn block(&mut self) -> Block {
        Block([0; 4].map(|_| self.real()))
    }

    fn list<T>(&mut self, len: usize, mut entry: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..len).map(|_| entry(self)).collect()
    }

    /// Ranges of up to `longest` entries.
    fn starts(&mut self, ranges: usize, longest: u32) -> Vec<u32> {
        let mut starts = vec![0];
        for k in 0..ranges {
            starts.push(starts[k] + self.index(longest + 1));
        }
        starts
    }
}

#[test]
fn differences_agree_with_the_portable_version() {
    let mut numbers = Numbers(1);
    for rows in 0..20 {
        let x = numbers.list(7, Numbers::block);
        let direction = numbers.list(rows, Numbers::block);
        let ends = numbers.list(rows, |n| [n.index(7), n.index(7)]);
        let (mut out, mut right) = (vec![1.0; rows], vec![2.0; rows]);
        mul_differences(&direction, &ends, &x, &mut out);
        scalar::mul_differences(&direction, &ends, &x, &mut right);
        assert_eq!(out, right);
    }
}

#[test]
fn slices_of_rows_agree_with_the_portable_version() {
    let mut numbers = Numbers(2);
    for rows in 0..20_usize {
        let slices = rows.div_ceil(4);
        let x = numbers.list(7, Numbers::block);
        let start = numbers.starts(slices, 5);
        let entries = start[slices] as usize;
        let group = numbers.list(entries, |n| [0; 4].map(|_| n.index(7)));
        let value = numbers.list(entries, |n| [0; 4].map(|_| n.block()));
        let (mut out, mut right) = (vec![1.0; rows], vec![2.0; rows]);
        mul_row_slices(&start, &group, &value, &x, &mut out);
        scalar::mul_row_slices(&start, &group, &value, &x, &mut right);
        assert_eq!(out, right);
    }
}

#[test]
fn slices_of_columns_agree_with_the_portable_version() {
    let mut numbers = Numbers(3);
    for slices in 0..20 {
        let f = numbers.list(11, Numbers::real);
        let start = numbers.starts(slices, 6);
        let entries = start[slices] as usize;
        let row = numbers.list(entries, |n| [0; 4].map(|_| n.index(11)));
        let value = numbers.list(entries, |n| [0; 4].map(|_| n.block()));
        let mut out = vec![[Block([1.0; 4]); 4]; slices];
        let mut right = vec![[Block([2.0; 4]); 4]; slices];
        mul_column_slices(&start, &row, &value, &f, &mut out);
        scalar::mul_column_slices(&start, &row, &value, &f, &mut right);
        assert_eq!(out, right);
    }
}

#[test]
#[should_panic = "out of"]
fn index_past_the_end_of_differences_panics() {
    mul_differences(&[Block::default()], &[[0, 1]], &[Block::default()], &mut [0.0]);
}

#[test]
#[should_panic = "out of"]
fn index_past_the_end_of_slices_of_rows_panics() {
    let value = [[Block::default(); 4]];
    mul_row_slices(&[0, 1], &[[0, 0, 1, 0]], &value, &[Block::default()], &mut [0.0; 4]);
}

#[test]
#[should_panic = "out of"]
fn index_past_the_end_of_slices_of_columns_panics() {
    let (value, mut out) = ([[Block::default(); 4]], [[Block::default(); 4]]);
    mul_column_slices(&[0, 1], &[[0, 0, 1, 0]], &value, &[1.0], &mut out);
}
