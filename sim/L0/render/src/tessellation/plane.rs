//! Planes as grids, so that lighting varies over them.

use super::{Vertex, quad};

/// Most squares of a plane along one axis.
const MAX_GRID: usize = 200;

/// Squares of a block along one axis: blocks outside of the view are not drawn.
const BLOCK: usize = 25;

/// Square from -1 to 1 with `n` by `n` squares.
pub(crate) fn unit_plane(n: usize) -> Vec<Vertex> {
    let d = 2.0 / n as f64;
    let lines: Vec<f64> = (0..=n).map(|i| d * i as f64 - 1.0).collect();
    grid(&lines, &lines)
}

/// Grid of a plane geom: `size` holds the half lengths (0: infinite) and the grid spacing, `repeat` the
/// texture repetitions per unit of length (0 without a texture), `far` the distance of the far clipping
/// plane. Returns the blocks of the grid.
pub(crate) fn plane(size: [f64; 3], repeat: [f32; 2], far: f64) -> Vec<Vec<Vertex>> {
    let lines = |k: usize| {
        if size[k] > 0.0 { finite(size[k], size[2]) } else { infinite(f64::from(repeat[k]), far) }
    };
    let [x, y] = [lines(0), lines(1)];
    let (columns, rows) = (blocks(&x), blocks(&y));
    columns.iter().flat_map(|x| rows.iter().map(|y| grid(x, y))).collect()
}

/// Lines of each block; neighbours share a line.
fn blocks(lines: &[f64]) -> Vec<&[f64]> {
    let last = lines.len() - 1;
    (0..last).step_by(BLOCK).map(|start| &lines[start..=(start + BLOCK).min(last)]).collect()
}

/// Grid lines from `-half` to `half`: cells of two spacings, an even number of spacings, and a narrower
/// cell at both ends.
fn finite(half: f64, spacing: f64) -> Vec<f64> {
    let spacing = spacing.max(half / (MAX_GRID as f64 - 2.0));
    let count = (half / spacing.max(1e-15)).floor() as usize & !1;
    let padding = half - count as f64 * spacing;
    let cells = count + 2;
    let mut lines = vec![-half];
    for x in 0..cells {
        let left = if x == 0 { -half } else { -half + padding + (x - 1) as f64 * spacing * 2.0 };
        let width = if x == 0 || x == cells - 1 { padding } else { spacing * 2.0 };
        if let Some(last) = lines.last_mut() {
            *last = left;
        }
        lines.push(left.max(left + width));
    }
    lines
}

/// Grid lines that reach beyond the skybox. The cells are not aligned with the texture.
fn infinite(repeat: f64, far: f64) -> Vec<f64> {
    let cell = if repeat > 0.0 { 2.0 / repeat } else { 2.1 * far / (MAX_GRID as f64 - 2.0) };
    let d = (2.1 * far + 2.0 * cell) / MAX_GRID as f64;
    (0..=MAX_GRID).map(|x| d * x as f64 - d * (MAX_GRID / 2) as f64).collect()
}

fn grid(xs: &[f64], ys: &[f64]) -> Vec<Vertex> {
    let at = |x: f64, y: f64| Vertex::new([x as f32, y as f32, 0.0], [0.0, 0.0, 1.0]);
    let mut out = Vec::with_capacity(6 * xs.len() * ys.len());
    for x in xs.windows(2) {
        for y in ys.windows(2) {
            quad(&mut out, [at(x[0], y[0]), at(x[1], y[0]), at(x[1], y[1]), at(x[0], y[1])]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{blocks, finite, infinite};

    #[test]
    fn finite_grid_ends_at_the_edges() {
        for (half, spacing) in [(1.0, 0.3), (2.0, 0.05), (0.5, 0.5), (3.0, 10.0), (40.0, 1e-6)] {
            let lines = finite(half, spacing);
            assert_eq!(lines[0], -half);
            assert!((lines[lines.len() - 1] - half).abs() < 1e-9, "{half} {spacing} {lines:?}");
            assert!(lines.windows(2).all(|w| w[0] <= w[1]), "{half} {spacing}");
            assert!(lines.len() <= super::MAX_GRID + 1);
        }
    }

    #[test]
    fn blocks_cover_the_grid() {
        for count in [2, 25, 26, 27, 201] {
            let lines: Vec<f64> = (0..count).map(f64::from).collect();
            let squares: usize = blocks(&lines).iter().map(|block| block.len() - 1).sum();
            assert_eq!(squares, lines.len() - 1);
        }
    }

    #[test]
    fn infinite_grid_exceeds_the_far_plane() {
        for repeat in [0.0, 0.1, 5.0] {
            let lines = infinite(repeat, 50.0);
            assert!(lines[0] < -50.0 && lines[lines.len() - 1] > 50.0);
        }
    }
}
