//! Everything that can be wrong with a mesh, a material or a step.

/// Why a body could not be made or stepped.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeformableError {
    /// A number of a material is out of its range.
    #[error("material: {name} is {value}, but must be {wanted}")]
    Material {
        /// The number.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        wanted: &'static str,
    },
    /// A number of a body or a solver, or an argument, is out of its range.
    #[error("{name} is {value}, but must be {wanted}")]
    Parameter {
        /// The number.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        wanted: &'static str,
    },
    /// A mesh without vertices or without elements.
    #[error("the mesh has no {what}")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// More of something than can be numbered or held.
    #[error("{what}: {count} are too many, at most {most} are possible")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there would be.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A coordinate that is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// The vertex, counted from 0.
        vertex: usize,
    },
    /// An index that points past the last vertex or particle.
    #[error("{what} {element} names vertex {vertex}, but there are only {count}")]
    Index {
        /// Kind of the element.
        what: &'static str,
        /// The element, counted from 0.
        element: usize,
        /// The index.
        vertex: usize,
        /// Number of vertices.
        count: usize,
    },
    /// A particle that is not there.
    #[error("there is no particle {particle}: there are {count}, counted from 0")]
    NoParticle {
        /// Its number.
        particle: usize,
        /// Number of particles.
        count: usize,
    },
    /// A rigid body that is not there.
    #[error("there is no rigid body {body}: there are {count}, counted from 0, the world first")]
    NoBody {
        /// Its number.
        body: usize,
        /// Number of rigid bodies.
        count: usize,
    },
    /// Two vertices in one place: elements that meet there would come apart.
    #[error("vertices {first} and {second} are in the same place: merge them")]
    DuplicateVertices {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
    },
    /// An element that names a vertex twice.
    #[error("{what} {element} names vertex {vertex} twice")]
    RepeatedVertex {
        /// Kind of the element.
        what: &'static str,
        /// The element, counted from 0.
        element: usize,
        /// The vertex.
        vertex: usize,
    },
    /// The same element twice.
    #[error("{what}s {first} and {second} have the same vertices: remove one")]
    DuplicateElement {
        /// Kind of the element.
        what: &'static str,
        /// The one.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A triangle without area.
    #[error("triangle {triangle} has no area: its vertices are on a line")]
    ZeroArea {
        /// The triangle, counted from 0.
        triangle: usize,
    },
    /// A tetrahedron without volume.
    #[error("tetrahedron {tetrahedron} has no volume: its vertices are in a plane")]
    ZeroVolume {
        /// The tetrahedron, counted from 0.
        tetrahedron: usize,
    },
    /// A tetrahedron whose volume is negative.
    #[error(
        "tetrahedron {tetrahedron} is inverted (volume {volume}): exchange two of its vertices, or call `TetMesh::orient`"
    )]
    Inverted {
        /// The tetrahedron, counted from 0.
        tetrahedron: usize,
        /// Its volume.
        volume: f64,
    },
    /// A vertex that no element uses.
    #[error("vertex {vertex} is in no {what}: remove it")]
    Unused {
        /// The vertex, counted from 0.
        vertex: usize,
        /// Kind of the elements.
        what: &'static str,
    },
    /// A mesh of several parts.
    #[error(
        "the mesh has {parts} parts that are not connected, vertex {vertex} begins the second: make a body of each"
    )]
    Disconnected {
        /// Number of parts.
        parts: usize,
        /// The first vertex that is not in the part of vertex 0.
        vertex: usize,
    },
    /// An edge with more than two triangles.
    #[error(
        "the edge between vertices {first} and {second} has {triangles} triangles, at most 2 are possible"
    )]
    NonManifold {
        /// The one end.
        first: usize,
        /// The other end.
        second: usize,
        /// Number of triangles.
        triangles: usize,
    },
    /// A bone that cannot be.
    #[error("bone {bone}: {message}")]
    Bone {
        /// The bone, counted from 0.
        bone: usize,
        /// What is wrong.
        message: &'static str,
    },
    /// Weights of a skin that cannot be.
    #[error("weights of vertex {vertex}: {message}")]
    Weights {
        /// The vertex, counted from 0.
        vertex: usize,
        /// What is wrong.
        message: &'static str,
    },
    /// A slice that is too short or too long.
    #[error("{what}: {count} were given, but {wanted} are needed")]
    Length {
        /// What the slice holds.
        what: &'static str,
        /// Its length.
        count: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// Text that is not what its format asks for.
    #[error("{format}, line {line}: {message}")]
    Syntax {
        /// Name of the format.
        format: &'static str,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong, and what to write instead.
        message: String,
    },
    /// Bytes that are not a stored body.
    #[error("these bytes are not a deformable body: impossible values in {what}")]
    Stored {
        /// The first part that cannot be.
        what: &'static str,
    },
    /// A step that came to numbers that are not finite. The body is as it was before the step.
    #[error(
        "the step diverged at particle {particle}: use more substeps or a softer material; the body is as it was before"
    )]
    Diverged {
        /// The first particle without a finite position or velocity.
        particle: usize,
    },
}

/// `Ok` if `value` is finite and `good`.
pub(crate) fn parameter(
    name: &'static str,
    value: f64,
    good: bool,
    wanted: &'static str,
) -> Result<(), DeformableError> {
    if value.is_finite() && good {
        Ok(())
    } else {
        Err(DeformableError::Parameter { name, value, wanted })
    }
}

/// `Ok` if there are as many as needed.
pub(crate) fn length(
    what: &'static str,
    count: usize,
    wanted: usize,
) -> Result<(), DeformableError> {
    if count == wanted { Ok(()) } else { Err(DeformableError::Length { what, count, wanted }) }
}
