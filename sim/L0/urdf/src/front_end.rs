//! URDF front end of a loader, and its options.

use crate::resolve::{FilePaths, Resolve};
use crate::robot::Robot;
use crate::{lower, read};
use sim_mjcf::frontend::{Document, Element, FrontEnd, Report};
use sim_mjcf::{Errors, Loader, Spec};
use std::path::Path;
use std::sync::Arc;

/// Behavior where MuJoCo's importer ignores parts of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fidelity {
    /// Follow the file: `mimic` joints are constrained, inertias are rotated with their frame,
    /// textures are used, meshes with the same name in two directories are distinct.
    #[default]
    Urdf,
    /// Follow MuJoCo exactly. Ignored parts are reported as warnings.
    Mujoco,
}

/// URDF front end. A [`Loader`] with it accepts URDF wherever it accepts MJCF.
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
    /// Sets the behavior where the file and MuJoCo's importer differ.
    #[must_use]
    pub fn fidelity(self, fidelity: Fidelity) -> Self {
        Self { fidelity, ..self }
    }

    /// Sets whether the root link gets a free joint, named `<link>_free_joint`, instead of being
    /// fixed to the world. A root named `world`, or without mass, stays fixed.
    #[must_use]
    pub fn floating_base(self, floating_base: bool) -> Self {
        Self { floating_base, ..self }
    }

    /// Sets the resolver of mesh and texture files; the default is [`FilePaths`].
    #[must_use]
    pub fn resolver(self, resolver: impl Resolve + 'static) -> Self {
        Self { resolver: Arc::new(resolver), ..self }
    }

    /// A loader of MJCF and URDF files on disk.
    #[must_use]
    pub fn loader(self) -> Loader {
        Loader::default().with_front_end(self)
    }
}

impl FrontEnd for Urdf {
    fn accepts(&self, root: &str) -> bool {
        is_robot(root)
    }

    fn read(&self, root: Element<'_>, spec: &mut Spec, report: &mut Report) {
        let robot = read::read(root, std::mem::take(spec), report);
        if report.is_ok() {
            *spec = lower::lower(robot, self, report);
        }
    }
}

/// Whether a root element is that of URDF; as in MuJoCo, ignoring case.
fn is_robot(root: &str) -> bool {
    root.eq_ignore_ascii_case("robot")
}

impl Robot {
    /// Parses a robot from a string.
    ///
    /// # Errors
    ///
    /// All errors of the text, with their locations.
    pub fn parse_str(text: &str) -> Result<Self, Errors> {
        let loader = Loader::default();
        Self::from_document(&Document::parse_str(&loader, text, "")?)
    }

    /// Parses a robot from a file.
    ///
    /// # Errors
    ///
    /// All errors of the file, with their locations.
    pub fn parse_file(path: impl AsRef<Path>) -> Result<Self, Errors> {
        let loader = Loader::default();
        Self::from_document(&Document::parse(&loader, &path.as_ref().display().to_string())?)
    }

    fn from_document(document: &Document) -> Result<Self, Errors> {
        let mut report = Report::default();
        let root = document.root();
        if !is_robot(root.name()) {
            let message = "unknown model format: the root element of URDF is <robot>".to_owned();
            root.error(&mut report, None, sim_mjcf::ErrorKind::Invalid(message));
        }
        report.check()?;
        let mut robot = read::read(root, document.empty_spec(), &mut report);
        report.check()?;
        robot.base.warnings.append(&mut report.take_warnings());
        Ok(robot)
    }

    /// Converts the robot to a spec.
    ///
    /// # Errors
    ///
    /// All errors of the conversion, with their locations.
    pub fn to_spec(&self, options: &Urdf) -> Result<Spec, Errors> {
        let mut report = Report::default();
        let mut spec = lower::lower(self.clone(), options, &mut report);
        report.check()?;
        spec.warnings.append(&mut report.take_warnings());
        Ok(spec)
    }
}
