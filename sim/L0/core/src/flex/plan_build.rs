//! Construction of the tables of flexes.

use super::cell::{Cells, cell_basis};
use super::plan::{Dofs, FlexPlan};
use super::{elements, nodes, vertices};
use crate::Model;
use crate::math::{at, rows};
use sim_types::JointType;

impl FlexPlan {
    pub(crate) fn new(m: &Model) -> Self {
        if m.nflex == 0 {
            return Self::default();
        }
        let body = |b: i32| usize::try_from(b).map_or(Dofs::General, |b| dofs(m, b));
        let mut plan = Self {
            vertices: m.flex_vertbodyid.iter().map(|&b| body(b)).collect(),
            nodes: m.flex_nodebodyid.iter().map(|&b| body(b)).collect(),
            first_node: vec![0; m.nflexvert],
            bodies: (0..m.nbody)
                .filter(|&b| m.body_contype[b] != 0 || m.body_conaffinity[b] != 0)
                .map(|b| b as u32)
                .collect(),
            passive_contacts: m.flex_passive.iter().any(|&p| p != 0),
            ..Self::default()
        };
        for f in 0..m.nflex {
            let bodies = &m.flex_vertbodyid[vertices(m, f)];
            plan.element_bodies.extend(elements(m, f).chunks_exact(at(&m.flex_dim, f) + 1).map(
                |corners| {
                    let mut all = [-1; 4];
                    for (body, &v) in all.iter_mut().zip(corners) {
                        *body = bodies[v as usize];
                    }
                    all
                },
            ));
            plan.weight_adr.push(plan.weights.len());
            plan.cell_adr.push(plan.cell_nodes.len());
            if m.flex_interp[f] != 0 {
                plan.add_interpolation(m, f);
            }
        }
        plan.number_cell_dofs(m);
        plan
    }

    /// Numbers the own dofs of the bodies of nodes, or those of the chain of a body without dofs.
    fn number_cell_dofs(&mut self, m: &Model) {
        if m.flex_interp.iter().all(|&order| order == 0) {
            return;
        }
        self.cell_rows = vec![-1; m.nv];
        for f in (0..m.nflex).filter(|&f| m.flex_interp[f] != 0) {
            for i in nodes(m, f) {
                for dof in node_dofs(m, at(&m.flex_nodebodyid, i)) {
                    if self.cell_rows[dof] < 0 {
                        self.cell_rows[dof] = self.cell_dofs.len() as i32;
                        self.cell_dofs.push(dof as u32);
                    }
                }
            }
        }
    }

    fn add_interpolation(&mut self, m: &Model, f: usize) {
        let cells = Cells::of(m, f);
        self.cell_nodes.extend(cells.offsets().map(|node| node as u32));
        for v in vertices(m, f) {
            let (cell, local) = cells.locate(rows::<3>(&m.flex_vert0)[v]);
            self.first_node[v] = cells.first_node(cell) as u32;
            let mut weights = [0.0; 27];
            let count = cell_basis(cells.order, local, &mut weights);
            self.weights.extend(&weights[..count]);
        }
    }
}

/// Own dofs of the body of a node, or those of its chain if it has none.
pub(crate) fn node_dofs(m: &Model, body: usize) -> Vec<usize> {
    if m.body_dofnum[body] == 0 {
        return chain(m, body);
    }
    let first = at(&m.body_dofadr, body);
    (first..first + at(&m.body_dofnum, body)).collect()
}

/// All dofs that move a body, in increasing order.
pub(crate) fn chain(m: &Model, body: usize) -> Vec<usize> {
    let mut dofs = Vec::new();
    let mut b = body;
    while b > 0 {
        let first = m.body_dofadr[b].max(0) as usize;
        dofs.extend((first..first + at(&m.body_dofnum, b)).rev());
        b = at(&m.body_parentid, b);
    }
    dofs.reverse();
    dofs
}

/// The dofs that move the origin of a body.
fn dofs(m: &Model, body: usize) -> Dofs {
    let parent = at(&m.body_parentid, body);
    let moving = m.body_dofnum[at(&m.body_weldid, body)] > 0;
    if !moving {
        return Dofs::Fixed;
    }
    let joints = m.body_jntadr[body].max(0) as usize;
    let slides = m.body_jntnum[body] == 3
        && (0..3).all(|k| {
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            m.jnt_type[joints + k] == JointType::Slide && rows::<3>(&m.jnt_axis)[joints + k] == axis
        });
    if slides && is_world_aligned(m, body) && m.body_treeid[parent] < 0 {
        Dofs::Aligned(m.body_dofadr[body] as u32)
    } else {
        Dofs::General
    }
}

/// Whether a body and all its ancestors are without rotation, and none of them is a mocap body.
fn is_world_aligned(m: &Model, body: usize) -> bool {
    let mut b = body;
    while b > 0 {
        if rows::<4>(&m.body_quat)[b] != [1.0, 0.0, 0.0, 0.0] || m.body_mocapid[b] >= 0 {
            return false;
        }
        b = at(&m.body_parentid, b);
    }
    true
}
