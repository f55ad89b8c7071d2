//! Tables of collision detection: geoms, pairs and the dofs that move them.

use super::{Bound, ChainDof, Geom, MAX_PAIRS, Pair, Reference, Routine, column_set, index};
use sim_core::impedance::SolParams;
use sim_core::math::{quat, rows, vec3};
use sim_core::{ContactPair, Model, contact_pairs};
use sim_types::{Cone, DisableBit, GeomType, JointType, MINVAL};

pub(super) fn collision_tables(m: &Model, columns: &mut Vec<u32>) -> (Vec<Geom>, Vec<Pair>) {
    let (mut geoms, mut pairs) = (Vec::new(), Vec::new());
    if m.opt.disabled(DisableBit::Contact) || m.opt.disabled(DisableBit::Constraint) {
        return (geoms, pairs);
    }
    let mut slots = vec![usize::MAX; m.ngeom];
    for pair in contact_pairs(m, MAX_PAIRS).unwrap_or_default() {
        let Some(routine) = Routine::of(m.geom_type[pair.geoms[0]], m.geom_type[pair.geoms[1]])
        else {
            continue;
        };
        let geom_slots = pair.geoms.map(|g| {
            if slots[g] == usize::MAX {
                slots[g] = geoms.len();
                let frame = m.geom_frame(g);
                geoms.push(Geom {
                    id: g,
                    body: index(&m.geom_bodyid, g),
                    pos: frame.pos,
                    mat: quat::to_mat(frame.quat),
                    size: rows(&m.geom_size)[g],
                    needs_mat: matches!(m.geom_type[g], GeomType::Box | GeomType::Cylinder),
                    bound: None,
                });
            }
            if routine.needs_bound() {
                geoms[slots[g]].needs_mat = true;
                if m.geom_type[g] != GeomType::Plane {
                    geoms[slots[g]].bound = Some(bound(m, g));
                }
            }
            slots[g]
        });
        pairs.push(contact_pair(m, &pair, geom_slots, routine, columns));
    }
    (geoms, pairs)
}

/// The bounding box of a geom, and a capsule around it along its longest axis.
fn bound(m: &Model, g: usize) -> Bound {
    let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
    let size = rows::<3>(&m.geom_size)[g];
    let (centre, axis, length, radius) = match m.geom_type[g] {
        GeomType::Sphere => ([0.0; 3], 2, 0.0, size[0]),
        GeomType::Capsule | GeomType::Cylinder => ([0.0; 3], 2, size[1], size[0]),
        _ => {
            let longest = (0..3).max_by(|&a, &b| half[a].total_cmp(&half[b])).unwrap_or(2);
            let across = [half[(longest + 1) % 3], half[(longest + 2) % 3]];
            ([x, y, z], longest, half[longest], across[0].hypot(across[1]))
        }
    };
    let frame = m.geom_frame(g);
    let mut along = [0.0; 3];
    along[axis] = length;
    Bound {
        centre: vec3::add(frame.pos, quat::rotate(frame.quat, centre)),
        axis: quat::rotate(frame.quat, along),
        // enlarged to stay conservative under rounding
        radius: radius * (1.0 + 1e-9),
        box_centre: vec3::add(frame.pos, quat::rotate(frame.quat, [x, y, z])),
        half: half.map(|h| h * (1.0 + 1e-9)),
    }
}

fn contact_pair(
    m: &Model,
    pair: &ContactPair,
    geoms: [usize; 2],
    routine: Routine,
    columns: &mut Vec<u32>,
) -> Pair {
    let bodies = pair.geoms.map(|g| index(&m.geom_bodyid, g));
    let chain = merged_chain(m, bodies);
    let weights = rows::<2>(&m.body_invweight0);
    let linear = weights[bodies[0]][0] + weights[bodies[1]][0];
    let friction = pair.friction;
    let is_pyramid = pair.dim > 1 && m.opt.cone == Cone::Pyramidal;
    let sol = SolParams::with_friction(&m.opt, pair.solref, pair.solreffriction, pair.solimp);
    Pair {
        geoms,
        routine,
        // a geom without a bounding sphere is not tested
        bound: if routine.needs_bound() && m.geom_rbound[pair.geoms[1]] == 0.0 {
            f64::INFINITY
        } else {
            m.geom_rbound[pair.geoms[0]] + m.geom_rbound[pair.geoms[1]] + pair.margin
        },
        radius: m.geom_rbound[pair.geoms[1]],
        margin: pair.margin,
        includemargin: pair.includemargin,
        dim: pair.dim,
        friction,
        mu: friction[0] * (1.0 / m.opt.impratio.max(MINVAL)).sqrt(),
        reference: Reference::new(sol),
        friction_damping: if sol.solreffriction == [0.0; 2] {
            sol.reference(sol.solref).damping
        } else {
            sol.reference(sol.solreffriction).damping
        },
        diag: if is_pyramid { linear + friction[0] * friction[0] * linear } else { linear },
        roots: bodies.map(|b| index(&m.body_rootid, b)),
        cols: column_set(chain.iter().map(|link| link.dof), columns),
        chain,
    }
}

/// Dofs that move one of two bodies but not both, in increasing order.
pub(crate) fn merged_chain(m: &Model, bodies: [usize; 2]) -> Vec<ChainDof> {
    let last = |body: usize| {
        let body = index(&m.body_weldid, body);
        match m.body_dofnum[body] {
            0 => -1,
            count => m.body_dofadr[body] + count - 1,
        }
    };
    let (mut a, mut b) = (last(bodies[0]), last(bodies[1]));
    let mut chain = Vec::new();
    while a != b {
        let dof = a.max(b) as usize;
        let joint = index(&m.dof_jntid, dof);
        let within = dof - index(&m.jnt_dofadr, joint);
        let is_translation = m.jnt_type[joint] == JointType::Free && within < 3;
        let is_first = a == dof as i32;
        chain.push(ChainDof { dof, is_first, unit: is_translation.then_some(within as u8) });
        if is_first {
            a = m.dof_parentid[dof];
        } else {
            b = m.dof_parentid[dof];
        }
    }
    chain.reverse();
    chain
}
