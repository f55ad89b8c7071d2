//! Tables of flexes that are computed once per model.

/// The dofs that move a vertex or node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dofs {
    /// None: the point is fixed to the world.
    Fixed,
    /// Three consecutive slide dofs along the world axes, the first given; nothing else moves the point.
    Aligned(u32),
    /// Any others.
    General,
}

/// Precomputed tables of flexes.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlexPlan {
    /// Dofs of each vertex.
    pub vertices: Vec<Dofs>,
    /// Dofs of each node.
    pub nodes: Vec<Dofs>,
    /// For each vertex of an interpolated flex its first node relative to those of the flex; zero for others.
    pub first_node: Vec<u32>,
    /// Address of the weights of each interpolated flex in `weights`.
    pub weight_adr: Vec<usize>,
    /// Weights of the nodes of the cell of each vertex of interpolated flexes.
    pub weights: Vec<f64>,
    /// Nodes of a cell relative to its first, for each interpolated flex; concatenated at `cell_adr`.
    pub cell_nodes: Vec<u32>,
    /// Address of each flex in `cell_nodes`.
    pub cell_adr: Vec<usize>,
    /// Dofs of the nodes of interpolated flexes, in the order of nodes: rows of the system of cells.
    pub cell_dofs: Vec<u32>,
    /// Row of each dof in that system, −1 for others; empty without interpolated flexes.
    pub cell_rows: Vec<i32>,
    /// Bodies of the vertices of each element, −1 for missing vertices.
    pub element_bodies: Vec<[i32; 4]>,
    /// Bodies with geoms that can collide, in increasing order.
    pub bodies: Vec<u32>,
    /// Whether contacts of any flex are passive forces.
    pub passive_contacts: bool,
}

impl FlexPlan {
    /// Whether any flex is interpolated.
    pub(crate) fn has_cells(&self) -> bool {
        !self.cell_dofs.is_empty()
    }

    /// Offsets of the nodes of a cell of flex `f` from its first.
    pub(crate) fn cell_offsets(&self, f: usize) -> &[u32] {
        let end = self.cell_adr.get(f + 1).copied().unwrap_or(self.cell_nodes.len());
        &self.cell_nodes[self.cell_adr[f]..end]
    }
}
