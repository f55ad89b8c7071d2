//! Corotational linear elasticity of the cells of interpolated flexes.

use super::apply;
use crate::flex::{Cells, cell_nodes, cell_rotation, node_position, node_velocity, nodes};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, quat, rows};
use crate::{Data, Model};

/// Adds the forces of all cells to `qfrc_spring` and their damping to `qfrc_damper`.
pub(super) fn forces(m: &Model, d: &mut Data, f: usize, spring: bool, damper: bool) {
    let range = nodes(m, f);
    let mut scratch = std::mem::take(&mut d.scratch.flex);
    scratch.nodes.clear();
    scratch.nodes.extend(range.clone().map(|i| node_position(m, d, i)));
    scratch.velocities.clear();
    let positions = &scratch.nodes;
    let velocity = |(i, x): (usize, &Vec3)| node_velocity(m, d, range.start + i, *x);
    scratch.velocities.extend(positions.iter().enumerate().map(velocity));
    for list in [&mut scratch.spring, &mut scratch.damper] {
        list.clear();
        list.resize(range.len(), [0.0; 3]);
    }
    let cells = Cells::of(m, f);
    let offsets = m.plan.flex.cell_offsets(f);
    let rest = &rows::<3>(&m.flex_node0)[range.clone()];
    let size = 3 * offsets.len();
    let stiffness = &m.flex_stiffness[at(&m.flex_stiffnessadr, f)..];
    for (i, k) in stiffness.chunks_exact(size * size).take(cells.len()).enumerate() {
        // empty cell
        if k[0] == 0.0 {
            continue;
        }
        let first = cells.first_node(cells.cell(i));
        let mut buffer = [[0.0; 3]; 27];
        let x = cell_nodes(&scratch.nodes, first, offsets, &mut buffer);
        let rotation = cell_rotation(cells.order, x);
        let back = quat::conjugate(rotation);
        let mut local = [[0.0; 3]; 27];
        let add = |out: &mut [Vec3], local: &[Vec3]| {
            let flat = local.as_flattened();
            for (rows, &offset) in k.chunks_exact(3 * size).zip(offsets) {
                let force = std::array::from_fn(|r| dot(&rows[r * size..(r + 1) * size], flat));
                let node = &mut out[first + offset as usize];
                *node = vec3::add(*node, quat::rotate(back, force));
            }
        };
        if spring {
            for ((u, &x), &offset) in local.iter_mut().zip(x).zip(offsets) {
                *u = vec3::sub(quat::rotate(rotation, x), rest[first + offset as usize]);
            }
            add(&mut scratch.spring, &local[..offsets.len()]);
        }
        if damper {
            for (v, &offset) in local.iter_mut().zip(offsets) {
                *v = quat::rotate(rotation, scratch.velocities[first + offset as usize]);
            }
            add(&mut scratch.damper, &local[..offsets.len()]);
        }
    }
    let mut spring_force = std::mem::take(&mut d.qfrc_spring);
    let mut damper_force = std::mem::take(&mut d.qfrc_damper);
    for (i, node) in range.enumerate() {
        let target = (m.plan.flex.nodes[node], m.flex_nodebodyid[node]);
        let point = scratch.nodes[i];
        if spring {
            apply(m, d, target, scratch.spring[i], point, &mut spring_force);
        }
        if damper {
            let force = vec3::scale(scratch.damper[i], m.flex_damping[f]);
            apply(m, d, target, force, point, &mut damper_force);
        }
    }
    d.qfrc_spring = spring_force;
    d.qfrc_damper = damper_force;
    d.scratch.flex = scratch;
}

/// Dot product with four partial sums, so that it vectorizes.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (head, tail) = a.as_chunks::<4>();
    let (other, other_tail) = b.as_chunks::<4>();
    for (x, y) in head.iter().zip(other) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = tail.iter().zip(other_tail).map(|(x, y)| x * y).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
