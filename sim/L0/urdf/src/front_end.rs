//! How URDF is read: as a part of a loader, with a choice of what is kept and where files are.

use crate::resolve::{FilePaths, Resolve};
use crate::robot::Robot;
use crate::{lower, read};
use sim_mjcf::frontend::{Document, Element, FrontEnd, Report};
use sim_mjcf::{Errors, Loader, Spec};
use std::path::Path;
use std::sync::Arc;

/// What is done where MuJoCo's importer drops what a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fidelity {
    /// The file counts: joints follow the joints they mimic, inertias are turned with their frame,
    /// textures are seen, meshes of one name in two folders are two meshes.
    #[default]
    Urdf,
    /// MuJoCo counts, number by number. What is dropped is a warning.
    Mujoco,
}

/// How URDF is read. A [`Loader`] with it reads URDF wherever it reads MJCF.
///
/// ```
/// use sim_urdf::{Fidelity, Urdf};
/// let loader = Urdf::default().fidelity(Fidelity::Mujoco).loader();
/// let spec = loader.parse_str("<robot name='r'><link name='base'/></robot>", "")?;
/// assert_eq!(spec.modelname, "r");
/// # Ok::<(), sim_urdf::Errors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Urdf {
    pub(crate) fidelity: Fidelity,
    pub(crate) floating_base: bool,
    pub(crate) resolver: Arc<dyn Resolve>,
}

impl Default for Urdf {
    fn default() -> Self {
        Self {
            fidelity: Fidelity::default(),
            floating_base: false,
            resolver: Arc::new(FilePaths::default()),
        }
    }
}

impl Urdf {
    /// What counts where the file and MuJoCo's importer differ.
    #[must_use]
    pub fn fidelity(self, fidelity: Fidelity) -> Self {
        Self { fidelity, ..self }
    }

    /// Whether the root link gets a free joint, named `<link>_free_joint`, instead of being fixed to
    /// the world. A root of the name `world`, or without mass, stays fixed.
    #[must_use]
    pub fn floating_base(self, floating_base: bool) -> Self {
        Self { floating_base, ..self }
    }

    /// Where the files are that meshes and textures name; a [`FilePaths`] unless told otherwise.
    #[must_use]
    pub fn resolver(self, resolver: impl Resolve + 'static) -> Self {
        Self { resolver: Arc::new(resolver), ..self }
    }

    /// A loader of files on disk that reads MJCF and URDF.
    #[must_use]
    pub fn loader(self) -> Loader {
        Loader::default().with_front_end(self)
    }
}

impl FrontEnd for Urdf {
    fn reads(&self, root: &str) -> bool {
        is_robot(root)
    }

    fn read(&self, root: Element<'_>, spec: &mut Spec, report: &mut Report) {
        let robot = read::read(root, std::mem::take(spec), report);
        if report.is_ok() {
            *spec = lower::lower(robot, self, report);
        }
    }
}

/// Whether a root element is URDF's, as MuJoCo sees it.
fn is_robot(root: &str) -> bool {
    root.eq_ignore_ascii_case("robot")
}

impl Robot {
    /// Reads a robot from text.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its place.
    pub fn parse_str(text: &str) -> Result<Self, Errors> {
        let loader = Loader::default();
        Self::from_document(&Document::parse_str(&loader, text, "")?)
    }

    /// Reads a robot from a file.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the file, each with its place.
    pub fn parse_file(path: impl AsRef<Path>) -> Result<Self, Errors> {
        let loader = Loader::default();
        Self::from_document(&Document::parse(&loader, &path.as_ref().display().to_string())?)
    }

    fn from_document(document: &Document) -> Result<Self, Errors> {
        let mut report = Report::default();
        let root = document.root();
        if !is_robot(root.name()) {
            let message = "is not a robot: the root element of URDF is <robot>".to_owned();
            root.error(&mut report, None, sim_mjcf::ErrorKind::Invalid(message));
        }
        report.check()?;
        let mut robot = read::read(root, document.empty_spec(), &mut report);
        report.check()?;
        robot.base.warnings.append(&mut report.take_warnings());
        Ok(robot)
    }

    /// The spec of this robot, for editing and compiling.
    ///
    /// # Errors
    ///
    /// What cannot be a model, with its place.
    pub fn to_spec(&self, how: &Urdf) -> Result<Spec, Errors> {
        let mut report = Report::default();
        let mut spec = lower::lower(self.clone(), how, &mut report);
        report.check()?;
        spec.warnings.append(&mut report.take_warnings());
        Ok(spec)
    }
}
