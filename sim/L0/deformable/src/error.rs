//! Errors of meshes, materials and steps.

/// Error of building or stepping a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeformableError {
    /// A material parameter is out of range.
    #[error("material: {name} is {value}, but must be {expected}")]
    Material {
        /// Name of the parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The valid range.
        expected: &'static str,
    },
    /// A parameter of a body or a solver, or an argument, is out of range.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The valid range.
        expected: &'static str,
    },
    /// A mesh without vertices or without elements.
    #[error("the mesh has no {what}")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// Too many elements.
    #[error("{what}: {count} are too many, at most {max} are possible")]
    TooMany {
        /// Kind of the elements.
        what: &'static str,
        /// Number of elements.
        count: usize,
        /// Maximum number.
        max: usize,
    },
    /// A coordinate that is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// The vertex, counted from 0.
        vertex: usize,
    },
    /// A vertex or particle index is out of range.
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
    /// The particle does not exist.
    #[error("there is no particle {particle}: there are {count}, counted from 0")]
    NoParticle {
        /// Its index.
        particle: usize,
        /// Number of particles.
        count: usize,
    },
    /// The rigid body does not exist.
    #[error("there is no rigid body {body}: there are {count}, counted from 0, the world first")]
    NoBody {
        /// Its index.
        body: usize,
        /// Number of rigid bodies.
        count: usize,
    },
    /// Two vertices coincide: the elements at them would not be connected.
    #[error("vertices {first} and {second} are in the same place: merge them")]
    DuplicateVertices {
        /// Index of the first.
        first: usize,
        /// Index of the second.
        second: usize,
    },
    /// An element has the same vertex twice.
    #[error("{what} {element} names vertex {vertex} twice")]
    RepeatedVertex {
        /// Kind of the element.
        what: &'static str,
        /// The element, counted from 0.
        element: usize,
        /// The vertex.
        vertex: usize,
    },
    /// Two elements have the same vertices.
    #[error("{what}s {first} and {second} have the same vertices: remove one")]
    DuplicateElement {
        /// Kind of the element.
        what: &'static str,
        /// Index of the first.
        first: usize,
        /// Index of the second.
        second: usize,
    },
    /// A triangle has zero area.
    #[error("triangle {triangle} has no area: its vertices are on a line")]
    ZeroArea {
        /// The triangle, counted from 0.
        triangle: usize,
    },
    /// A tetrahedron has zero volume.
    #[error("tetrahedron {tetrahedron} has no volume: its vertices are in a plane")]
    ZeroVolume {
        /// The tetrahedron, counted from 0.
        tetrahedron: usize,
    },
    /// A tetrahedron has negative volume.
    #[error(
        "tetrahedron {tetrahedron} is inverted (volume {volume}): exchange two of its vertices, or call `TetMesh::orient`"
    )]
    Inverted {
        /// The tetrahedron, counted from 0.
        tetrahedron: usize,
        /// Its signed volume, m³.
        volume: f64,
    },
    /// A vertex is not part of an element.
    #[error("vertex {vertex} is in no {what}: remove it")]
    Unused {
        /// The vertex, counted from 0.
        vertex: usize,
        /// Kind of the elements.
        what: &'static str,
    },
    /// The mesh is not connected.
    #[error(
        "the mesh has {parts} parts that are not connected, vertex {vertex} begins the second: make a body of each"
    )]
    Disconnected {
        /// Number of connected components.
        parts: usize,
        /// The first vertex that is not in the component of vertex 0.
        vertex: usize,
    },
    /// An edge has more than two triangles.
    #[error(
        "the edge between vertices {first} and {second} has {triangles} triangles, at most 2 are possible"
    )]
    NonManifold {
        /// Index of the first vertex.
        first: usize,
        /// Index of the second vertex.
        second: usize,
        /// Number of triangles.
        triangles: usize,
    },
    /// A bone is invalid.
    #[error("bone {bone}: {message}")]
    Bone {
        /// The bone, counted from 0.
        bone: usize,
        /// What is wrong.
        message: &'static str,
    },
    /// The weights of a vertex are invalid.
    #[error("weights of vertex {vertex}: {message}")]
    Weights {
        /// The vertex, counted from 0.
        vertex: usize,
        /// What is wrong.
        message: &'static str,
    },
    /// A slice has the wrong length.
    #[error("{what}: {count} were given, but {expected} are needed")]
    Length {
        /// What the slice holds.
        what: &'static str,
        /// Its length.
        count: usize,
        /// The required length.
        expected: usize,
    },
    /// The bytes are not a serialized body.
    #[error("the bytes are not a deformable body: invalid {what}")]
    InvalidBytes {
        /// The first invalid part.
        what: &'static str,
    },
    /// The result of a step is not finite. The body is unchanged.
    #[error(
        "the step diverged at particle {particle}: use more substeps or a softer material; the body is unchanged"
    )]
    Diverged {
        /// The first particle whose position or velocity is not finite.
        particle: usize,
    },
}

/// `Ok` if `value` is finite and `valid`.
pub(crate) fn parameter(
    name: &'static str,
    value: f64,
    valid: bool,
    expected: &'static str,
) -> Result<(), DeformableError> {
    if value.is_finite() && valid {
        Ok(())
    } else {
        Err(DeformableError::Parameter { name, value, expected })
    }
}

/// `Ok` if `count` is the expected length.
pub(crate) fn length(
    what: &'static str,
    count: usize,
    expected: usize,
) -> Result<(), DeformableError> {
    if count == expected { Ok(()) } else { Err(DeformableError::Length { what, count, expected }) }
}
