//! What a reader of another format needs to fill a [`Spec`]: elements with their places, collected
//! errors and warnings, numbers, and MJCF's own settings.
//!
//! A [`Loader`] with a [`FrontEnd`] reads that format wherever it reads MJCF, also
//! as models inside models.
//!
//! ```
//! use sim_mjcf::frontend::{Element, FrontEnd, Report};
//! use sim_mjcf::{Loader, Spec};
//!
//! /// A format that knows nothing but balls.
//! #[derive(Debug)]
//! struct Balls;
//!
//! impl FrontEnd for Balls {
//!     fn reads(&self, root: &str) -> bool {
//!         root == "balls"
//!     }
//!     fn read(&self, root: Element<'_>, spec: &mut Spec, _: &mut Report) {
//!         for ball in root.children() {
//!             let geom = sim_mjcf::spec::Geom { size: [0.1; 3], ..Default::default() };
//!             let geom = sim_mjcf::spec::Geom { origin: ball.origin(spec), ..geom };
//!             spec.bodies[0].geoms.push(geom);
//!         }
//!     }
//! }
//!
//! let loader = Loader::default().with_front_end(Balls);
//! let model = loader.parse_str("<balls><ball/><ball/></balls>", "")?.compile()?;
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

/// Reads models of another format than MJCF.
pub trait FrontEnd: fmt::Debug + Send + Sync {
    /// Whether a document with this root element is of the format.
    fn reads(&self, root: &str) -> bool;

    /// Fills `spec`, which knows its files and its loader but is empty otherwise.
    ///
    /// Whatever is wrong goes to `report`; an error there means that nobody will see the spec.
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

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'a str {
        &self.dom.node(self.id).name
    }

    /// The text of an attribute.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<&'a str> {
        self.dom.attr(self.id, name)
    }

    /// Names of its attributes, in their order.
    pub fn attributes(self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.dom.node(self.id).attrs.iter().map(|attr| attr.name.as_str())
    }

    /// The elements in it, in their order.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Self> + use<'a> {
        let Self { dom, id } = self;
        dom.node(id).children.iter().map(move |&id| Self { dom, id })
    }

    /// Where it starts.
    #[must_use]
    pub fn location(self) -> Location {
        self.dom.location(self.id)
    }

    /// Where the first text in it starts, if it has any outside of the elements in it.
    #[must_use]
    pub fn text_location(self) -> Option<Location> {
        self.dom.text_location(self.id)
    }

    /// Where one of its attributes starts, or itself when it has no such attribute.
    #[must_use]
    pub fn attribute_location(self, name: &str) -> Location {
        self.dom.attr_location(self.id, name)
    }

    /// Its place, for what is made from it.
    pub fn origin(self, spec: &mut Spec) -> Origin {
        read::origin(self.dom, self.id, spec)
    }

    /// Reports an error at one of its attributes, or at the element itself.
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

/// An XML document with everything that it includes.
#[derive(Debug)]
pub struct Document {
    dom: Dom,
    root: NodeId,
    loader: Loader,
    directory: String,
    warnings: Vec<Warning>,
}

impl Document {
    /// Reads a document through a loader.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not XML.
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

    /// Reads a document from text; included files are looked for from `directory`.
    ///
    /// # Errors
    ///
    /// The text is not XML.
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

    /// A spec of which nothing is known but its files and its loader.
    #[must_use]
    pub fn empty_spec(&self) -> Spec {
        let mut spec = read::empty(&self.dom, self.root, &self.directory);
        spec.loader = self.loader.clone();
        spec.warnings.clone_from(&self.warnings);
        spec
    }
}

/// The unit quaternion of an orientation; `None` when it is none, such as an axis without length.
#[must_use]
pub fn quaternion(compiler: &Compiler, orientation: &Orientation) -> Option<[f64; 4]> {
    crate::compile::resolve(compiler, orientation).ok()
}

/// Reads MJCF's `compiler`, `option` or `size`, wherever the element stands.
///
/// Returns whether it is one of them. What MJCF does not know in it is a warning.
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
