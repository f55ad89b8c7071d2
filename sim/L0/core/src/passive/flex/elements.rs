//! Saint Venant–Kirchhoff elasticity of triangles and tetrahedra in terms of squared edge lengths, with Rayleigh
//! damping (Kharevych et al., "Geometric, variational integrators for computer animation").

use super::apply;
use crate::flex::{elements, vertices};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use crate::{Data, Model};

/// Coefficients stored per element.
const PER_ELEMENT: usize = 21;
/// Local edges of a triangle.
const TRIANGLE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Local edges of a tetrahedron.
const TETRAHEDRON: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

/// Adds the forces of all elements of a flex to `qfrc_spring`.
pub(super) fn forces(m: &Model, d: &mut Data, f: usize) {
    let range = vertices(m, f);
    let mut force = std::mem::take(&mut d.scratch.flex.spring);
    force.clear();
    force.resize(range.len(), [0.0; 3]);
    let mut elongation = std::mem::take(&mut d.scratch.flex.elongation);
    elongations(m, d, f, &mut elongation);
    let x = &rows::<3>(&d.flexvert_xpos)[range.clone()];
    let first = at(&m.flex_elemedgeadr, f);
    let stiffness = &m.flex_stiffness[at(&m.flex_stiffnessadr, f)..];
    let (elem, count) = (elements(m, f), at(&m.flex_elemnum, f));
    if m.flex_dim[f] == 2 {
        let edges = &m.flex_elemedge[first..first + 3 * count];
        add_elements::<3, 3>(x, elem, edges, &elongation, stiffness, &TRIANGLE, &mut force);
    } else {
        let edges = &m.flex_elemedge[first..first + 6 * count];
        add_elements::<4, 6>(x, elem, edges, &elongation, stiffness, &TETRAHEDRON, &mut force);
    }
    let mut qfrc = std::mem::take(&mut d.qfrc_spring);
    for (v, &force) in range.zip(&force) {
        let point = rows::<3>(&d.flexvert_xpos)[v];
        let target = (m.plan.flex.vertices[v], m.flex_vertbodyid[v]);
        apply(m, d, target, force, point, &mut qfrc);
    }
    d.qfrc_spring = qfrc;
    d.scratch.flex.spring = force;
    d.scratch.flex.elongation = elongation;
}

/// Change of the squared length of each edge since rest, plus its change in the last step times damping.
fn elongations(m: &Model, d: &Data, f: usize, out: &mut Vec<f64>) {
    let h = m.opt.timestep;
    let damping = if h > 0.0 { m.flex_damping[f] / h } else { 0.0 };
    let range = crate::flex::edges(m, f);
    let lengths = d.flexedge_length[range.clone()].iter().zip(&m.flexedge_length0[range.clone()]);
    out.clear();
    out.extend(lengths.zip(&d.flexedge_velocity[range]).map(|((&l, &rest), &velocity)| {
        let previous = l - velocity * h;
        l * l - rest * rest + (l * l - previous * previous) * damping
    }));
}

/// Adds the forces on the `V` vertices of each element with `E` edges.
#[inline(always)]
fn add_elements<const V: usize, const E: usize>(
    x: &[Vec3],
    elem: &[i32],
    edges: &[i32],
    elongation: &[f64],
    stiffness: &[f64],
    local: &[[usize; 2]; E],
    force: &mut [Vec3],
) {
    let elem = elem.as_chunks::<V>().0.iter();
    let coefficients = stiffness.as_chunks::<PER_ELEMENT>().0;
    for ((corners, edges), k) in elem.zip(edges.as_chunks::<E>().0).zip(coefficients) {
        let corners = corners.map(|v| v as usize);
        let p = corners.map(|v| x[v]);
        let l = edges.map(|e| elongation[e as usize]);
        // tension of each edge: the metric, stored as its upper triangle, times the elongations
        let mut tension = [0.0; E];
        let mut entry = 0;
        for a in 0..E {
            tension[a] += k[entry] * l[a];
            entry += 1;
            for b in a + 1..E {
                tension[a] += k[entry] * l[b];
                tension[b] += k[entry] * l[a];
                entry += 1;
            }
        }
        let mut sum = [[0.0; 3]; V];
        for (edge, t) in local.iter().zip(tension) {
            let [a, b] = *edge;
            let pull = vec3::scale(vec3::sub(p[a], p[b]), t);
            sum[a] = vec3::sub(sum[a], pull);
            sum[b] = vec3::add(sum[b], pull);
        }
        for (&v, part) in corners.iter().zip(sum) {
            force[v] = vec3::add(force[v], part);
        }
    }
}
