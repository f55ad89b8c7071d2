//! Flexes: deformable bodies made of segments, triangles or tetrahedra (mjsFlex).

use super::Origin;
use super::tree::{SOLIMP, SOLREF};
use std::sync::Arc;

/// Detection of contacts of a flex with itself (mjtFlexSelf).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SelfCollide {
    /// No self-collision.
    None,
    /// All pairs of elements.
    Narrow,
    /// Pairs from the bounding volume hierarchy.
    Bvh,
    /// Pairs from sweep-and-prune.
    Sap,
    /// Bounding volume hierarchy for tetrahedra, sweep-and-prune otherwise.
    #[default]
    Auto,
}

/// Passive elasticity of triangles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Elastic2d {
    /// None.
    #[default]
    None,
    /// Bending.
    Bend,
    /// Stretching.
    Stretch,
    /// Bending and stretching.
    Both,
}

impl Elastic2d {
    /// Whether the flex resists bending.
    #[must_use]
    pub const fn bends(self) -> bool {
        matches!(self, Self::Bend | Self::Both)
    }

    /// Whether the flex resists stretching.
    #[must_use]
    pub const fn stretches(self) -> bool {
        matches!(self, Self::Stretch | Self::Both)
    }
}

/// A flex (mjsFlex).
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Flex {
    pub name: String,
    pub group: i32,
    pub dim: i32,
    pub radius: f64,
    pub material: String,
    pub rgba: [f32; 4],
    pub flatskin: bool,
    pub contype: i32,
    pub conaffinity: i32,
    pub condim: i32,
    pub priority: i32,
    pub friction: [f64; 3],
    pub solmix: f64,
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,
    pub internal: bool,
    pub selfcollide: SelfCollide,
    pub activelayers: i32,
    /// Whether contacts are passive forces instead of constraints.
    pub passive: bool,
    pub edgestiffness: f64,
    pub edgedamping: f64,
    pub young: f64,
    pub poisson: f64,
    pub damping: f64,
    pub thickness: f64,
    pub elastic2d: Elastic2d,
    /// Polynomial order of the interpolation from nodes to vertices; 0 without nodes.
    pub order: i32,
    /// Cells of the grid of nodes along each axis.
    pub cellcount: [i32; 3],
    /// Body of each vertex, or one body for all.
    pub vertbody: Vec<String>,
    /// Body of each node.
    pub nodebody: Vec<String>,
    /// Positions of the vertices in the frames of their bodies; empty if all are at the origin.
    pub vert: Arc<[f64]>,
    /// Positions of the nodes in the frames of their bodies; empty if all are at the origin.
    pub node: Arc<[f64]>,
    /// Vertices of the elements, `dim + 1` each.
    pub elem: Arc<[i32]>,
    pub texcoord: Arc<[f32]>,
    /// Texture coordinate of each element vertex; empty if they are those of the vertices.
    pub elemtexcoord: Arc<[i32]>,
    /// Cells without elements, z fastest; empty if there are none. Set by `flexcomp`.
    pub cell_empty: Arc<[bool]>,
    pub origin: Origin,
}

impl Default for Flex {
    fn default() -> Self {
        Self {
            name: String::new(),
            group: 0,
            dim: 2,
            radius: 0.005,
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            flatskin: false,
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            internal: false,
            selfcollide: SelfCollide::Auto,
            activelayers: 1,
            passive: false,
            edgestiffness: 0.0,
            edgedamping: 0.0,
            young: 0.0,
            poisson: 0.0,
            damping: 0.0,
            thickness: -1.0,
            elastic2d: Elastic2d::None,
            order: 0,
            cellcount: [1; 3],
            vertbody: Vec::new(),
            nodebody: Vec::new(),
            vert: Arc::default(),
            node: Arc::default(),
            elem: Arc::default(),
            texcoord: Arc::default(),
            elemtexcoord: Arc::default(),
            cell_empty: Arc::default(),
            origin: Origin::default(),
        }
    }
}
