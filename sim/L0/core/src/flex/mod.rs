//! Flex kinematics (`mj_flex`): vertices, bounding boxes, edge lengths, vertex strains and their Jacobians.

mod bounds;
mod cell;
mod contact_column;
mod edges;
mod plan;
mod plan_build;
mod rest_edge;
mod scratch;
mod stage;
mod strain;
mod vertices;

pub(crate) use cell::{Cells, cell_basis, cell_nodes, cell_rotation};
pub(crate) use contact_column::ContactColumn;
pub(crate) use edges::edge_row;
pub(crate) use plan::{Dofs, FlexPlan};
pub(crate) use plan_build::{chain, node_dofs};
pub(crate) use scratch::FlexScratch;
pub use stage::mj_flex;
pub(crate) use stage::{edge_lengths, edges, elements, nodes, velocity, vertices};
pub use vertices::flex_point;
pub(crate) use vertices::{node_position, node_velocity};
