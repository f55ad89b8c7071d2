//! Cells of interpolated flexes: linear elasticity, and its modes for strain constraints.

use super::super::math::{Vec3, normalize, sub};
use crate::spec::Flex;

/// Young's modulus and Poisson's ratio of strain constraints, which only scale the modes.
const STRAIN: [f64; 2] = [10.0, 0.3];
/// Modes with a smaller relative eigenvalue are rigid.
const RIGID_MODE: f64 = 1e-8;
/// Convergence of Jacobi's method: root of the sum of squares off the diagonal.
const JACOBI_TOLERANCE: f64 = 1e-12;
const JACOBI_SWEEPS: usize = 200;

/// The grid of nodes of a flex.
struct Grid {
    order: usize,
    cells: [usize; 3],
}

impl Grid {
    fn new(s: &Flex) -> Self {
        let size = |n: i32| usize::try_from(n).unwrap_or(1);
        Self { order: size(s.order), cells: s.cellcount.map(size) }
    }

    /// Node at a grid position.
    fn node(&self, [x, y, z]: [usize; 3]) -> usize {
        let [_, ny, nz] = self.cells.map(|n| n * self.order + 1);
        (x * ny + y) * nz + z
    }

    /// Cells, z fastest.
    fn cells(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let [nx, ny, nz] = self.cells;
        (0..nx * ny * nz).map(move |i| [i / (ny * nz), i / nz % ny, i % nz])
    }
}

/// Node positions in the axes of the grid: the edges of the first cell that is not empty.
pub(super) fn unrotated(s: &Flex, x: Vec<Vec3>) -> Vec<Vec3> {
    if x.is_empty() {
        return x;
    }
    let grid = Grid::new(s);
    let empty = |i: usize| s.cell_empty.get(i).copied().unwrap_or(false);
    let first = grid.cells().enumerate().find(|&(i, _)| !empty(i)).map_or([0; 3], |(_, c)| c);
    let corner = first.map(|c| c * grid.order);
    let axes: [Vec3; 3] = std::array::from_fn(|k| {
        let mut end = corner;
        end[k] += grid.order;
        let mut axis = sub(x[grid.node(end)], x[grid.node(corner)]);
        normalize(&mut axis);
        axis
    });
    let project = |p: &Vec3| axes.map(|a| a[0] * p[0] + a[1] * p[1] + a[2] * p[2]);
    x.iter().map(project).collect()
}

/// Coefficients of all cells: the negative stiffness matrix of linear elasticity, or for strain constraints the
/// number of modes and the modes.
pub(super) fn stiffness(s: &Flex, strain: bool, node0: &[Vec3]) -> Vec<f64> {
    let grid = Grid::new(s);
    let n = grid.order + 1;
    let size = 3 * n * n * n;
    let [young, poisson] = if strain { STRAIN } else { [s.young, s.poisson] };
    let mut out = vec![0.0; grid.cells.iter().product::<usize>() * size * size];
    for ((i, cell), k) in grid.cells().enumerate().zip(out.chunks_mut(size * size)) {
        if s.cell_empty.get(i).copied().unwrap_or(false) {
            continue;
        }
        let corner = cell.map(|c| c * grid.order);
        let low = node0[grid.node(corner)];
        let high = node0[grid.node(corner.map(|g| g + grid.order))];
        linear_elasticity(sub(high, low), young, poisson, grid.order, k);
        if strain {
            modes(k, size);
        }
    }
    out
}

/// Quadrature points and weights on the unit interval.
///
/// The three-point rule has MuJoCo's points, which are outside of the interval.
fn quadrature(order: usize) -> Vec<(f64, f64)> {
    let half = 0.5;
    if order == 1 {
        let offset = half / 3.0_f64.sqrt();
        vec![(-offset + half, half), (offset + half, half)]
    } else {
        let offset = half / (3.0_f64 / 5.0).sqrt();
        let weight = |w: f64| w * half;
        vec![
            (half, weight(8.0 / 9.0)),
            (-offset + half, weight(5.0 / 9.0)),
            (offset + half, weight(5.0 / 9.0)),
        ]
    }
}

/// Value and derivative of each one-dimensional basis function.
fn basis(order: usize, s: f64) -> Vec<(f64, f64)> {
    if order == 1 {
        vec![(1.0 - s, -1.0), (s, 1.0)]
    } else {
        vec![
            (2.0 * s * s - 3.0 * s + 1.0, 4.0 * s - 3.0),
            (4.0 * (s - s * s), 4.0 * (1.0 - 2.0 * s)),
            (2.0 * s * s - s, 4.0 * s - 1.0),
        ]
    }
}

/// Subtracts ∫ λ tr ε(u) tr ε(v) + μ ε(u) : ε(v) over a box from `k`, for all pairs of basis functions.
fn linear_elasticity(side: Vec3, young: f64, poisson: f64, order: usize, k: &mut [f64]) {
    let rule = quadrature(order);
    let volume = side[0] * side[1] * side[2];
    let inverse = side.map(|x| 1.0 / x);
    let lambda = young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson);
    let mu = young / (2.0 * (1.0 + poisson));
    let n = (order + 1).pow(3);
    let mut gradients: Vec<Vec3> = Vec::with_capacity(n);
    for &(s, ws) in &rule {
        for &(t, wt) in &rule {
            for &(u, wu) in &rule {
                let weight = ws * wt * wu * volume;
                gradients.clear();
                for &(x, dx) in &basis(order, s) {
                    for &(y, dy) in &basis(order, t) {
                        for &(z, dz) in &basis(order, u) {
                            let g = [dx * y * z, x * dy * z, x * y * dz];
                            gradients.push(std::array::from_fn(|c| inverse[c] * g[c]));
                        }
                    }
                }
                accumulate(&gradients, [lambda, mu], weight, k);
            }
        }
    }
}

/// Adds one quadrature point: for u = gᵢ e_a the gradient of u has gᵢ as its row a.
///
/// Operations are in the order of MuJoCo, so that entries agree to the last bit: modes of equal energy are otherwise
/// different.
fn accumulate(gradients: &[Vec3], [lambda, mu]: [f64; 2], weight: f64, k: &mut [f64]) {
    let size = 3 * gradients.len();
    for (i, gi) in gradients.iter().enumerate() {
        for (j, gj) in gradients.iter().enumerate() {
            for a in 0..3 {
                for b in 0..3 {
                    let entry = &mut k[size * (3 * i + a) + 3 * j + b];
                    *entry -= lambda * gi[a] * gj[b] * weight;
                    *entry -= mu * inner(&strain(gi, a), &strain(gj, b)) * weight;
                }
            }
        }
    }
}

/// Symmetric part of the matrix whose row `a` is `g`.
fn strain(g: &Vec3, a: usize) -> [Vec3; 3] {
    let entry = |r: usize, c: usize| if r == a { g[c] } else { 0.0 };
    std::array::from_fn(|r| std::array::from_fn(|c| (entry(r, c) + entry(c, r)) / 2.0))
}

/// Trace of the product of two matrices.
fn inner(u: &[Vec3; 3], v: &[Vec3; 3]) -> f64 {
    let row = |r: usize| u[r][0] * v[0][r] + u[r][1] * v[1][r] + u[r][2] * v[2][r];
    row(0) + row(1) + row(2)
}

/// Replaces a negative stiffness matrix by the number of modes with positive energy, then those modes times the
/// root of their eigenvalue.
fn modes(k: &mut [f64], n: usize) {
    let (values, vectors) = jacobi(k.to_vec(), n);
    let largest = values.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    k.fill(0.0);
    let mut count = 0;
    for (i, value) in values.iter().enumerate() {
        let energy = -value;
        if energy > RIGID_MODE * largest {
            let scale = energy.sqrt();
            for j in 0..n {
                k[1 + count * n + j] = scale * vectors[j * n + i];
            }
            count += 1;
        }
    }
    k[0] = count as f64;
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix by cyclic Jacobi rotations, unsorted.
fn jacobi(mut a: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; n * n];
    (0..n).for_each(|i| vectors[i * n + i] = 1.0);
    for _ in 0..JACOBI_SWEEPS {
        let off: f64 =
            (0..n).flat_map(|i| (i + 1..n).map(move |j| i * n + j)).map(|at| a[at] * a[at]).sum();
        if off < JACOBI_TOLERANCE * JACOBI_TOLERANCE {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate_pair(&mut a, &mut vectors, n, p, q);
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), vectors)
}

/// One Jacobi rotation, which makes entry (p, q) zero.
fn rotate_pair(a: &mut [f64], vectors: &mut [f64], n: usize, p: usize, q: usize) {
    let off = a[p * n + q];
    if off.abs() < JACOBI_TOLERANCE * 1e-3 {
        return;
    }
    let tau = (a[q * n + q] - a[p * n + p]) / (2.0 * off);
    let sign = if tau >= 0.0 { 1.0 } else { -1.0 };
    let t = sign / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    a[p * n + p] -= t * off;
    a[q * n + q] += t * off;
    (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
    for r in (0..n).filter(|&r| r != p && r != q) {
        let (rp, rq) = (a[r * n + p], a[r * n + q]);
        let (x, y) = (c * rp - s * rq, s * rp + c * rq);
        (a[r * n + p], a[p * n + r]) = (x, x);
        (a[r * n + q], a[q * n + r]) = (y, y);
    }
    for row in vectors.chunks_mut(n) {
        let (vp, vq) = (row[p], row[q]);
        row[p] = c * vp - s * vq;
        row[q] = s * vp + c * vq;
    }
}
