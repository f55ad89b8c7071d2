//! Loader: from a file or string to a spec or model.

use crate::asset::AssetCache;
use crate::error::{ErrorKind, Errors, Location, Report};
use crate::frontend::{Element, FrontEnd};
use crate::limits::{ExpansionLimits, MAX_MODELS};
use crate::spec::Spec;
use crate::vfs::{Vfs, folder};
use crate::{Loaded, read, schema, xml};
use sim_core::{Model, Plugin, PluginRegistry};
use std::sync::Arc;

/// Maximum nesting depth of models (`<model>` assets).
const MAX_DEPTH: usize = 16;

/// Parses and compiles models whose files come from a [`Vfs`].
///
/// ```
/// use sim_mjcf::{Loader, Vfs};
/// let mut vfs = Vfs::memory();
/// vfs.add("sphere.xml", r#"<mujoco><worldbody><geom size="1"/></worldbody></mujoco>"#);
/// let loader = Loader::new(vfs);
/// assert_eq!(loader.load("sphere.xml")?.ngeom, 1);
/// assert!(loader.load("/etc/hostname").is_err());
/// # Ok::<(), sim_mjcf::Errors>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Loader {
    vfs: Arc<Vfs>,
    cache: Option<Arc<AssetCache>>,
    plugins: PluginRegistry,
    /// Front ends of formats other than MJCF.
    front_ends: Vec<Arc<dyn FrontEnd>>,
    /// Stack of files being parsed, outermost first.
    chain: Vec<String>,
    /// Expansion limits of the outermost model.
    pub(crate) limits: Arc<ExpansionLimits>,
}

impl Loader {
    /// A loader that reads from `vfs`.
    #[must_use]
    pub fn new(vfs: impl Into<Arc<Vfs>>) -> Self {
        Self { vfs: vfs.into(), ..Self::default() }
    }

    /// Sets the cache of compiled assets, which several loaders may share.
    #[must_use]
    pub fn with_cache(self, cache: impl Into<Arc<AssetCache>>) -> Self {
        Self { cache: Some(cache.into()), ..self }
    }

    /// Adds a front end of another format.
    ///
    /// The most recently added front end that accepts the root element parses a document.
    #[must_use]
    pub fn with_front_end(mut self, front_end: impl FrontEnd + 'static) -> Self {
        self.front_ends.push(Arc::new(front_end));
        self
    }

    /// Adds a plugin that models can use; it replaces one of the same name. MuJoCo's plugins are built in.
    #[must_use]
    pub fn with_plugin(mut self, plugin: impl Plugin + 'static) -> Self {
        self.plugins.register(plugin);
        self
    }

    /// The plugins that models can use.
    #[must_use]
    pub fn plugins(&self) -> &PluginRegistry {
        &self.plugins
    }

    /// Whether a document with this root element can be parsed.
    #[must_use]
    pub fn accepts(&self, root: &str) -> bool {
        root == schema::MUJOCO.name || self.front_end(root).is_some()
    }

    fn front_end(&self, root: &str) -> Option<&Arc<dyn FrontEnd>> {
        self.front_ends.iter().rev().find(|front_end| front_end.accepts(root))
    }

    /// The cache of compiled assets, if there is one.
    #[must_use]
    pub fn cache(&self) -> Option<&AssetCache> {
        self.cache.as_deref()
    }

    /// The file system.
    #[must_use]
    pub fn vfs(&self) -> &Vfs {
        &self.vfs
    }

    /// Parses and compiles a model.
    ///
    /// # Errors
    ///
    /// All errors of the model, with their locations.
    pub fn load(&self, path: &str) -> Result<Model, Errors> {
        Ok(self.load_with_warnings(path)?.model)
    }

    /// Like [`Loader::load`], and also returns the warnings.
    ///
    /// # Errors
    ///
    /// All errors of the model, with their locations.
    pub fn load_with_warnings(&self, path: &str) -> Result<Loaded, Errors> {
        self.parse(path)?.compile_with_warnings()
    }

    /// Parses a model without compiling it.
    ///
    /// # Errors
    ///
    /// All errors of the text, with their locations.
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

    /// Parses a model from a string; files are resolved relative to `folder`.
    ///
    /// # Errors
    ///
    /// All errors of the text, with their locations.
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
            let mut spec = read::empty_spec(&dom, root, folder);
            spec.loader = self.clone();
            front_end.read(Element::new(&dom, root), &mut spec, &mut report);
            report.check()?;
            spec.warnings.append(&mut report.warnings);
            return Ok(spec);
        }
        schema::check(&dom, root, &mut report);
        report.check()?;
        let mut nested = self.clone();
        if self.chain.is_empty() {
            nested.limits = Arc::default();
        }
        nested.chain.push(self.vfs.identity(name));
        let mut spec = read::read(&dom, root, &nested, folder, &mut report);
        report.check()?;
        spec.loader = self.clone();
        spec.warnings.append(&mut report.warnings);
        Ok(spec)
    }

    /// Parses a nested model (`<model>` asset).
    pub(crate) fn parse_nested(&self, path: &str) -> Result<Result<Spec, Errors>, ErrorKind> {
        if self.chain.contains(&self.vfs.identity(path)) {
            return Err(ErrorKind::Invalid(format!("`{path}` includes itself")));
        }
        if self.chain.len() > MAX_DEPTH {
            return Err(ErrorKind::Invalid(format!(
                "models are nested deeper than {MAX_DEPTH} levels"
            )));
        }
        if !self.limits.add_model() {
            let message = format!("too many nested models; the maximum is {MAX_MODELS}");
            return Err(ErrorKind::Invalid(message));
        }
        self.vfs.read(path).map_err(|e| ErrorKind::Io(e.to_string()))?;
        Ok(self.parse(path))
    }

    /// Content of a UTF-8 text file.
    pub(crate) fn text(&self, path: &str) -> Result<String, ErrorKind> {
        let bytes = self.vfs.read(path).map_err(|e| ErrorKind::Io(e.to_string()))?;
        let bytes = Arc::try_unwrap(bytes).unwrap_or_else(|shared| shared.to_vec());
        String::from_utf8(bytes).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            ErrorKind::Io(format!("{path}: invalid UTF-8 at byte {at}"))
        })
    }
}
