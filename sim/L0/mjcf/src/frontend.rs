//! Interface for front ends that parse other XML formats into a [`Spec`]: elements with source
//! locations, error reporting, number parsing, and MJCF's settings.
//!
//! A [`Loader`] with a [`FrontEnd`] accepts its format wherever it accepts MJCF, including nested
//! models (`<model>` assets).
//!
//! ```
//! use sim_mjcf::frontend::{Element, FrontEnd, Report};
//! use sim_mjcf::{Loader, Spec};
//!
//! /// A format that describes spheres.
//! #[derive(Debug)]
//! struct Spheres;
//!
//! impl FrontEnd for Spheres {
//!     fn accepts(&self, root: &str) -> bool {
//!         root == "spheres"
//!     }
//!     fn read(&self, root: Element<'_>, spec: &mut Spec, _: &mut Report) {
//!         for sphere in root.children() {
//!             let geom = sim_mjcf::spec::Geom { size: [0.1; 3], ..Default::default() };
//!             let geom = sim_mjcf::spec::Geom { origin: sphere.origin(spec), ..geom };
//!             spec.bodies[0].geoms.push(geom);
//!         }
//!     }
//! }
//!
//! let loader = Loader::default().with_front_end(Spheres);
//! let model = loader.parse_str("<spheres><sphere/><sphere/></spheres>", "")?.compile()?;
//! assert_eq!(model.ngeom, 2);
//! # Ok::<(), sim_mjcf::Errors>(())
//! ```

pub use crate::error::Report;
pub use crate::schema::nearest;
pub use crate::vfs::{file_name, folder, join};
pub use crate::xml::reals;

use crate::Loader;
use crate::error::{ErrorKind, Errors, Location, Warning};
use crate::spec::{Compiler, Orientation, Origin, Spec};
use crate::xml::{Dom, NodeId};
use crate::{read, schema};
use std::fmt;

/// A parser of a format other than MJCF.
pub trait FrontEnd: fmt::Debug + Send + Sync {
    /// Whether a document with this root element has the format.
    fn accepts(&self, root: &str) -> bool;

    /// Parses a document into `spec`, which is empty except for its files and its loader.
    ///
    /// Errors and warnings are added to `report`; with an error the spec is discarded.
    fn read(&self, root: Element<'_>, spec: &mut Spec, report: &mut Report);
}

/// An element of an XML document.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    dom: &'a Dom,
    id: NodeId,
}

impl<'a> Element<'a> {
    pub(crate) fn new(dom: &'a Dom, id: NodeId) -> Self {
        Self { dom, id }
    }

    /// Element name.
    #[must_use]
    pub fn name(self) -> &'a str {
        &self.dom.node(self.id).name
    }

    /// Value of an attribute.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<&'a str> {
        self.dom.attr(self.id, name)
    }

    /// Attribute names in document order.
    pub fn attributes(self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.dom.node(self.id).attrs.iter().map(|attr| attr.name.as_str())
    }

    /// Child elements in document order.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Self> + use<'a> {
        let Self { dom, id } = self;
        dom.node(id).children.iter().map(move |&id| Self { dom, id })
    }

    /// Source location.
    #[must_use]
    pub fn location(self) -> Location {
        self.dom.location(self.id)
    }

    /// Location of the first text content outside child elements, if any.
    #[must_use]
    pub fn text_location(self) -> Option<Location> {
        self.dom.text_location(self.id)
    }

    /// Location of an attribute, or of the element if the attribute is absent.
    #[must_use]
    pub fn attribute_location(self, name: &str) -> Location {
        self.dom.attr_location(self.id, name)
    }

    /// Origin for spec elements created from this element.
    pub fn origin(self, spec: &mut Spec) -> Origin {
        read::origin(self.dom, self.id, spec)
    }

    /// Reports an error at an attribute, or at the element.
    pub fn error(self, report: &mut Report, attribute: Option<&str>, kind: ErrorKind) {
        let location =
            attribute.map_or_else(|| self.location(), |name| self.attribute_location(name));
        report.error(location, self.name(), attribute, kind);
    }

    /// Reports a warning at the element.
    pub fn warning(self, report: &mut Report, message: impl Into<String>) {
        report.warning(self.location(), self.name(), message);
    }
}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}> at {}", self.name(), self.location())
    }
}

/// An XML document with includes expanded.
#[derive(Debug)]
pub struct Document {
    dom: Dom,
    root: NodeId,
    loader: Loader,
    directory: String,
    warnings: Vec<Warning>,
}

impl Document {
    /// Parses a file through a loader.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not well-formed XML.
    pub fn parse(loader: &Loader, path: &str) -> Result<Self, Errors> {
        let mut report = Report::default();
        let text = loader.text(path).unwrap_or_else(|kind| {
            let location = Location { file: path.to_owned(), line: 1, column: 1 };
            report.error(location, "", None, kind);
            String::new()
        });
        report.check()?;
        Self::new(loader, path, folder(path), text)
    }

    /// Parses a document from text; included files are resolved relative to `directory`.
    ///
    /// # Errors
    ///
    /// The text is not well-formed XML.
    pub fn parse_str(loader: &Loader, text: &str, directory: &str) -> Result<Self, Errors> {
        Self::new(loader, "<string>", directory, text.to_owned())
    }

    pub(crate) fn new(
        loader: &Loader,
        name: &str,
        directory: &str,
        text: String,
    ) -> Result<Self, Errors> {
        let mut report = Report::default();
        let tree = crate::xml::read(loader, name, directory, text, &mut report);
        report.check()?;
        // A document without errors has a root.
        let (dom, root) = tree.ok_or_else(Errors::default)?;
        let (loader, directory) = (loader.clone(), directory.to_owned());
        Ok(Self { dom, root, loader, directory, warnings: report.take_warnings() })
    }

    /// The root element.
    #[must_use]
    pub fn root(&self) -> Element<'_> {
        Element::new(&self.dom, self.root)
    }

    /// An empty spec with the files and the loader of the document.
    #[must_use]
    pub fn empty_spec(&self) -> Spec {
        let mut spec = read::empty_spec(&self.dom, self.root, &self.directory);
        spec.loader = self.loader.clone();
        spec.warnings.clone_from(&self.warnings);
        spec
    }
}

/// Unit quaternion of an orientation; `None` if it is invalid, such as a zero axis.
#[must_use]
pub fn quaternion(compiler: &Compiler, orientation: &Orientation) -> Option<[f64; 4]> {
    crate::compile::resolve(compiler, orientation).ok()
}

/// Reads an MJCF `compiler`, `option` or `size` element.
///
/// Returns false for other elements. Unknown attributes are reported.
pub fn settings(element: Element<'_>, spec: &mut Spec, report: &mut Report) -> bool {
    if !matches!(element.name(), "compiler" | "option" | "size") {
        return false;
    }
    schema::check_section(element.dom, element.id, report);
    if report.is_ok() {
        read::settings(element.dom, element.id, spec, report);
    }
    true
}
