//! `flexcomp`: a flex with the bodies of its vertices or nodes (mjCFlexcomp).
//!
//! The element is expanded when it is read: it adds a [`Flex`], bodies with slide joints and equality
//! constraints to the spec.

mod cells;
mod expand;
mod file;
mod pins;
mod shape;

use super::Reader;
use super::attributes::Keywords;
use crate::error::ErrorKind;
use crate::spec::{BodyId, Equality, Flex, Orientation, Origin, PluginRef};
use crate::xml::NodeId;
use sim_core::math::quat;
use sim_core::types::{EqType, MINVAL};

/// The attribute that an error concerns, and its message.
type Failure = (Option<&'static str>, String);

/// Maximum number of points and of elements of a `flexcomp`.
const MAX_POINTS: usize = 1 << 20;

/// The shape of a `flexcomp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Grid,
    Box,
    Cylinder,
    Ellipsoid,
    Square,
    Disc,
    Circle,
    Mesh,
    Gmsh,
    Direct,
}

impl Shape {
    /// Whether the points come from a file or from the model.
    const fn is_given(self) -> bool {
        matches!(self, Self::Mesh | Self::Gmsh | Self::Direct)
    }
}

/// Degrees of freedom of a `flexcomp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dof {
    /// Three slide joints per vertex.
    Full,
    /// One slide joint per vertex, along its position.
    Radial,
    /// Nodes of trilinear cells.
    Trilinear,
    /// Nodes of quadratic cells.
    Quadratic,
    /// Two slide joints per vertex.
    TwoD,
}

impl Dof {
    /// Polynomial order of the interpolation, 0 without nodes.
    const fn order(self) -> i32 {
        match self {
            Self::Trilinear => 1,
            Self::Quadratic => 2,
            _ => 0,
        }
    }
}

const SHAPES: Keywords<Shape> = &[
    ("grid", Shape::Grid),
    ("box", Shape::Box),
    ("cylinder", Shape::Cylinder),
    ("ellipsoid", Shape::Ellipsoid),
    ("square", Shape::Square),
    ("disc", Shape::Disc),
    ("circle", Shape::Circle),
    ("mesh", Shape::Mesh),
    ("gmsh", Shape::Gmsh),
    ("direct", Shape::Direct),
];

const DOFS: Keywords<Dof> = &[
    ("full", Dof::Full),
    ("radial", Dof::Radial),
    ("trilinear", Dof::Trilinear),
    ("quadratic", Dof::Quadratic),
    ("2d", Dof::TwoD),
];

const EQUALITIES: Keywords<Option<EqType>> = &[
    ("false", None),
    ("true", Some(EqType::Flex)),
    ("vert", Some(EqType::FlexVert)),
    ("strain", Some(EqType::FlexStrain)),
];

/// A `flexcomp` during expansion.
struct FlexComp {
    shape: Shape,
    dof: Dof,
    count: [usize; 3],
    cellcount: Option<[i32; 3]>,
    spacing: [f64; 3],
    scale: [f64; 3],
    mass: f64,
    inertiabox: f64,
    file: String,
    /// Apex of the tetrahedra made from a surface mesh.
    apex: [f64; 3],
    rigid: bool,
    /// Type of equality constraint, if any.
    equality: Option<EqType>,
    /// Solver parameters of the equality constraints.
    equality_template: Equality,
    pins: pins::Pins,
    points: Vec<f64>,
    elem: Vec<i32>,
    texcoord: Vec<f32>,
    elemtexcoord: Vec<i32>,
    flex: Flex,
    plugin: Option<Box<PluginRef>>,
}

impl FlexComp {
    fn new(origin: Origin) -> Self {
        Self {
            shape: Shape::Grid,
            dof: Dof::Full,
            count: [10; 3],
            cellcount: None,
            spacing: [0.02; 3],
            scale: [1.0; 3],
            mass: 1.0,
            inertiabox: 0.005,
            file: String::new(),
            apex: [0.0; 3],
            rigid: false,
            equality: None,
            equality_template: Equality { origin, ..Equality::default() },
            pins: pins::Pins::default(),
            points: Vec::new(),
            elem: Vec::new(),
            texcoord: Vec::new(),
            elemtexcoord: Vec::new(),
            flex: Flex { origin, ..Flex::default() },
            plugin: None,
        }
    }

    fn npoint(&self) -> usize {
        self.points.len() / 3
    }

    /// Number of vertices of an element.
    fn corners(&self) -> usize {
        usize::try_from(self.flex.dim).unwrap_or(0) + 1
    }

    /// Checks the values that do not depend on points and elements.
    fn check_settings(&self) -> Result<(), Failure> {
        let fail = |attribute, message: &str| Err((Some(attribute), message.to_owned()));
        if !(1..=3).contains(&self.flex.dim) {
            return fail("dim", "must be 1, 2 or 3");
        }
        let least = if self.dof == Dof::Radial && self.flex.dim == 3 { 2 } else { 1 };
        if self.count.iter().any(|&n| n < least) {
            return fail("count", &format!("must be at least {least} along each axis"));
        }
        let total = self.count.iter().fold(1_usize, |total, &n| total.saturating_mul(n));
        if !self.shape.is_given() && total > MAX_POINTS {
            return fail("count", &format!("{total} points exceed the maximum of {MAX_POINTS}"));
        }
        let gap = 2.0 * self.flex.radius + self.flex.margin;
        if !self.shape.is_given() && self.spacing.iter().any(|&s| s < gap) {
            let message = format!("must be at least twice the radius plus the margin, {gap}");
            return fail("spacing", &message);
        }
        if self.scale.iter().any(|&s| s < MINVAL) {
            return fail("scale", "must be positive");
        }
        for (attribute, value) in [("mass", self.mass), ("inertiabox", self.inertiabox)] {
            if value < MINVAL {
                return fail(attribute, "must be positive");
            }
        }
        if let Some(cells) = self.cellcount
            && cells.iter().any(|&n| !(1..=1000).contains(&n))
        {
            return fail("cellcount", "must be between 1 and 1000 along each axis");
        }
        if self.flex.elastic2d.stretches() && self.equality.is_some() {
            let message = "`elastic2d` and an equality constraint of the edges cannot be combined";
            return Err((None, message.to_owned()));
        }
        if self.equality == Some(EqType::FlexStrain) {
            if self.flex.young > 0.0 {
                let message = "a strain constraint and `young` cannot be combined";
                return Err((None, message.to_owned()));
            }
            if self.dof.order() == 0 {
                let message = "`equality=\"strain\"` requires dof=\"trilinear\" or \"quadratic\"";
                return Err((None, message.to_owned()));
            }
        }
        Ok(())
    }

    /// Checks points and elements.
    fn check_mesh(&self) -> Result<(), Failure> {
        let given = |attribute| if self.shape.is_given() { Some(attribute) } else { None };
        if self.points.is_empty() || self.elem.is_empty() {
            return Err((None, "requires points and elements".to_owned()));
        }
        if !self.points.len().is_multiple_of(3) {
            return Err((given("point"), "requires a multiple of 3 numbers".to_owned()));
        }
        if let Some(at) = self.points.iter().position(|x| !x.is_finite()) {
            return Err((given("point"), format!("point {} is not finite", at / 3)));
        }
        let corners = self.corners();
        if !self.elem.len().is_multiple_of(corners) {
            let message = format!("requires a multiple of {corners} numbers (dim + 1)");
            return Err((given("element"), message));
        }
        let npoint = self.npoint();
        let out_of_range = |&v: &i32| usize::try_from(v).map_or(true, |v| v >= npoint);
        if let Some(at) = self.elem.iter().position(out_of_range) {
            let (element, point) = (at / corners, self.elem[at]);
            let message = format!("element {element} has point {point}, but there are {npoint}");
            return Err((given("element"), message));
        }
        Ok(())
    }

    /// Scales the points and moves them to the frame of the parent body.
    fn place(&mut self, (pos, orientation): ([f64; 3], [f64; 4])) {
        let scale = if self.shape.is_given() { self.scale } else { [1.0; 3] };
        for p in self.points.as_chunks_mut::<3>().0 {
            let scaled = std::array::from_fn(|k| p[k] * scale[k]);
            let turned = quat::rotate(orientation, scaled);
            *p = [0, 1, 2].map(|k| pos[k] + turned[k]);
        }
    }

    /// Removes the points that no element uses, with their texture coordinates and pins.
    fn remove_unused_points(&mut self) {
        let mut used = vec![false; self.npoint()];
        for &v in &self.elem {
            used[v as usize] = true;
        }
        if used.iter().all(|&used| used) {
            return;
        }
        let mut next = 0;
        let index: Vec<i32> = used
            .iter()
            .map(|&used| {
                next += i32::from(used);
                next - 1
            })
            .collect();
        self.elem.iter_mut().for_each(|v| *v = index[*v as usize]);
        self.points = keep(&used, &self.points, 3);
        self.texcoord = keep(&used, &self.texcoord, 2);
        self.pins.remove_unused(&used);
    }
}

/// The rows of `width` values whose point is used.
fn keep<T: Copy>(used: &[bool], values: &[T], width: usize) -> Vec<T> {
    let rows = values.chunks(width).zip(used).filter(|(_, used)| **used);
    rows.flat_map(|(row, _)| row).copied().collect()
}

impl Reader<'_> {
    /// Reads and expands a `flexcomp` of a body.
    ///
    /// As in MuJoCo, an enclosing `frame` has no effect, and default classes apply to the slide joints only.
    pub(super) fn flexcomp(&mut self, id: NodeId, body: BodyId, origin: Origin) {
        let mut comp = FlexComp::new(origin);
        let (pos, orientation) = self.flexcomp_attributes(id, &mut comp);
        // as in MuJoCo, a quaternion is not normalized
        let resolved = match orientation {
            Orientation::Quat(quat) => Ok(quat),
            other => crate::compile::resolve(&self.spec.compiler, &other),
        };
        let quat = match resolved {
            Ok(quat) => quat,
            Err((attribute, message)) => {
                self.invalid(id, Some(attribute), message);
                return;
            }
        };
        match self.expand_flexcomp(comp, body, (pos, quat)) {
            Ok(None) => {}
            Ok(Some(warning)) => {
                let location = self.dom.location(id);
                self.report.warning(location, self.name(id), warning);
            }
            Err((attribute, message)) => self.invalid(id, attribute, message),
        }
    }

    fn flexcomp_attributes(&mut self, id: NodeId, c: &mut FlexComp) -> ([f64; 3], Orientation) {
        self.flex_common(id, &mut c.flex);
        self.keyword(id, "type", SHAPES, &mut c.shape);
        self.keyword(id, "dof", DOFS, &mut c.dof);
        for (to, from) in c.count.iter_mut().zip(self.ints(id, "count")) {
            // a negative count is reported like 0
            *to = usize::try_from(from).unwrap_or(0);
        }
        c.cellcount = self.ints(id, "cellcount").try_into().ok();
        self.vector(id, "spacing", &mut c.spacing);
        self.vector(id, "scale", &mut c.scale);
        self.real(id, "mass", &mut c.mass);
        self.real(id, "inertiabox", &mut c.inertiabox);
        self.file(id, "file", &mut c.file);
        self.boolean(id, "rigid", &mut c.rigid);
        if self.vector(id, "origin", &mut c.apex) == 0 && c.shape == Shape::Mesh && c.flex.dim == 3
        {
            self.error(id, Some("origin"), ErrorKind::MissingAttribute);
        }
        c.points = self.numbers(id, "point").unwrap_or_default();
        c.elem = self.ints(id, "element");
        c.texcoord = self.singles(id, "texcoord").unwrap_or_default().to_vec();
        for child in self.children(id) {
            match self.name(child) {
                "edge" => {
                    self.keyword(child, "equality", EQUALITIES, &mut c.equality);
                    self.vector(child, "solref", &mut c.equality_template.solref);
                    self.vector(child, "solimp", &mut c.equality_template.solimp);
                }
                "pin" => c.pins.add(
                    self.ints(child, "id"),
                    self.ints(child, "range"),
                    self.ints(child, "grid"),
                    self.ints(child, "gridrange"),
                ),
                "plugin" => {
                    let mut plugin = self.plugin_ref(child);
                    self.share_plugin(&mut plugin, || format!("flexcomp_{}", c.flex.name));
                    c.plugin = Some(plugin);
                }
                _ => {}
            }
        }
        let (mut pos, mut orientation) = ([0.0; 3], Orientation::default());
        self.vector(id, "pos", &mut pos);
        self.orientation(id, &mut orientation);
        (pos, orientation)
    }

    fn expand_flexcomp(
        &mut self,
        mut c: FlexComp,
        body: BodyId,
        pose: ([f64; 3], [f64; 4]),
    ) -> Result<Option<&'static str>, Failure> {
        if self.spec.bodies[body.0].name.is_empty() {
            let message = "requires a name of its parent body: add `name` to the <body>";
            return Err((None, message.to_owned()));
        }
        c.check_settings()?;
        match c.shape {
            Shape::Mesh => self.flexcomp_mesh(&mut c)?,
            Shape::Gmsh => self.flexcomp_gmsh(&mut c)?,
            _ => c.generate()?,
        }
        let boxlike = matches!(c.shape, Shape::Box | Shape::Cylinder);
        c.flex.flatskin |= boxlike || (c.shape == Shape::Grid && c.flex.dim == 3);
        c.check_mesh()?;
        let cost = c.npoint() + c.elem.len() / 4;
        if let Err(total) = self.loader.limits.add_elements(cost) {
            return Err((
                None,
                format!("the model expands to {total} elements, which is too many"),
            ));
        }
        c.place(pose);
        let bounds = cells::bounds(&c.points);
        c.resolve_pins()?;
        if c.shape.is_given() {
            c.remove_unused_points();
        }
        c.expand(&mut self.spec, body, bounds)
    }
}
