//! From a file, or a text, to a spec or a model.

use crate::asset::AssetCache;
use crate::budget::{Budget, MAX_MODELS};
use crate::error::{ErrorKind, Errors, Location, Report};
use crate::frontend::{Element, FrontEnd};
use crate::spec::Spec;
use crate::vfs::{Vfs, folder};
use crate::{Loaded, read, schema, xml};
use sim_core::Model;
use std::sync::Arc;

/// Models that are assets of models nest at most this deep.
const MAX_DEPTH: usize = 16;

/// Reads models, with a choice of where their files come from.
///
/// ```
/// use sim_mjcf::{Loader, Vfs};
/// let mut vfs = Vfs::memory();
/// vfs.add("ball.xml", r#"<mujoco><worldbody><geom size="1"/></worldbody></mujoco>"#);
/// let loader = Loader::new(vfs);
/// assert_eq!(loader.load("ball.xml")?.ngeom, 1);
/// assert!(loader.load("/etc/hostname").is_err());
/// # Ok::<(), sim_mjcf::Errors>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Loader {
    vfs: Arc<Vfs>,
    cache: Option<Arc<AssetCache>>,
    /// Readers of formats other than MJCF.
    front_ends: Vec<Arc<dyn FrontEnd>>,
    /// Files whose models are being read, outermost first.
    chain: Vec<String>,
    /// What the outermost of them may still ask for.
    pub(crate) budget: Arc<Budget>,
}

impl Loader {
    /// A loader that reads from `vfs`.
    #[must_use]
    pub fn new(vfs: impl Into<Arc<Vfs>>) -> Self {
        Self { vfs: vfs.into(), ..Self::default() }
    }

    /// The same loader with a cache of compiled assets, which several loaders may share.
    #[must_use]
    pub fn with_cache(self, cache: impl Into<Arc<AssetCache>>) -> Self {
        Self { cache: Some(cache.into()), ..self }
    }

    /// The same loader that reads one more format besides MJCF.
    ///
    /// The last one added that knows the root element of a document reads it.
    #[must_use]
    pub fn with_front_end(mut self, front_end: impl FrontEnd + 'static) -> Self {
        self.front_ends.push(Arc::new(front_end));
        self
    }

    /// Whether a document with this root element would be read.
    #[must_use]
    pub fn reads(&self, root: &str) -> bool {
        root == schema::MUJOCO.name || self.front_end(root).is_some()
    }

    fn front_end(&self, root: &str) -> Option<&Arc<dyn FrontEnd>> {
        self.front_ends.iter().rev().find(|front_end| front_end.reads(root))
    }

    /// The cache of compiled assets, if there is one.
    #[must_use]
    pub fn cache(&self) -> Option<&AssetCache> {
        self.cache.as_deref()
    }

    /// The files.
    #[must_use]
    pub fn vfs(&self) -> &Vfs {
        &self.vfs
    }

    /// Reads and compiles a model.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the model, each with its place.
    pub fn load(&self, path: &str) -> Result<Model, Errors> {
        Ok(self.load_with_warnings(path)?.model)
    }

    /// As [`Loader::load`], and returns the warnings too.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the model, each with its place.
    pub fn load_with_warnings(&self, path: &str) -> Result<Loaded, Errors> {
        self.parse(path)?.compile_with_warnings()
    }

    /// Reads a model without compiling it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its place.
    pub fn parse(&self, path: &str) -> Result<Spec, Errors> {
        let mut report = Report::default();
        let text = self.text(path).unwrap_or_else(|kind| {
            let location = Location { file: path.to_owned(), line: 1, column: 1 };
            report.error(location, "", None, kind);
            String::new()
        });
        report.check()?;
        self.parse_named(path, folder(path), text)
    }

    /// Reads a model from text without compiling it; files are looked for from `folder`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its place.
    pub fn parse_str(&self, text: &str, folder: &str) -> Result<Spec, Errors> {
        self.parse_named("<string>", folder, text.to_owned())
    }

    fn parse_named(&self, name: &str, folder: &str, text: String) -> Result<Spec, Errors> {
        let mut report = Report::default();
        let tree = xml::read(self, name, folder, text, &mut report);
        report.check()?;
        let Some((dom, root)) = tree else {
            return Ok(Spec::default());
        };
        if let Some(front_end) = self.front_end(&dom.node(root).name) {
            let mut spec = read::empty(&dom, root, folder);
            spec.loader = self.clone();
            front_end.read(Element::new(&dom, root), &mut spec, &mut report);
            report.check()?;
            spec.warnings.append(&mut report.warnings);
            return Ok(spec);
        }
        schema::check(&dom, root, &mut report);
        report.check()?;
        let mut inner = self.clone();
        if self.chain.is_empty() {
            inner.budget = Arc::default();
        }
        inner.chain.push(self.vfs.identity(name));
        let mut spec = read::read(&dom, root, &inner, folder, &mut report);
        report.check()?;
        spec.loader = self.clone();
        spec.warnings.append(&mut report.warnings);
        Ok(spec)
    }

    /// Reads a model that is an asset of the one being read.
    pub(crate) fn parse_inner(&self, path: &str) -> Result<Result<Spec, Errors>, ErrorKind> {
        if self.chain.contains(&self.vfs.identity(path)) {
            return Err(ErrorKind::Invalid(format!("`{path}` contains itself")));
        }
        if self.chain.len() > MAX_DEPTH {
            return Err(ErrorKind::Invalid(format!("models nest more than {MAX_DEPTH} deep")));
        }
        if !self.budget.take_model() {
            let message = format!("too many models inside models; {MAX_MODELS} are the most");
            return Err(ErrorKind::Invalid(message));
        }
        self.vfs.read(path).map_err(|e| ErrorKind::Io(e.to_string()))?;
        Ok(self.parse(path))
    }

    /// A file as UTF-8.
    pub(crate) fn text(&self, path: &str) -> Result<String, ErrorKind> {
        let bytes = self.vfs.read(path).map_err(|e| ErrorKind::Io(e.to_string()))?;
        let bytes = Arc::try_unwrap(bytes).unwrap_or_else(|shared| shared.to_vec());
        String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            ErrorKind::Io(format!("{path}: byte {at} is not UTF-8"))
        })
    }
}
