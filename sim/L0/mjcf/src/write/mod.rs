//! Writer: [`Spec`] to MJCF in canonical form (mj_saveXML). Parsing it gives the same model.
//!
//! Sections have a fixed order, default classes are preserved, actuators are written as `general`,
//! and includes, `replicate` and `attach` are written expanded.

mod actuator;
mod asset;
mod contact;
mod custom;
mod defaults;
mod element;
mod equality;
mod flex;
mod keyframe;
mod plugin;
mod sensor;
mod settings;
mod tendon;
mod text;
mod tree;
mod xpbd;

use crate::error::{ErrorKind, Errors, Location, Report};
use crate::spec::{Compiler, Key, Orientation, Origin, Spec, Tri};
use crate::vfs::join;
use defaults::Classes;
use element::Document;
use sim_core::Model;
use std::path::Path;

impl Spec {
    /// The model as an MJCF string.
    ///
    /// Asset files are referenced, not embedded: paths are relative to the directory of the
    /// original model.
    ///
    /// ```
    /// let spec = sim_mjcf::parse_str("<mujoco><worldbody><geom size='1 0'/></worldbody></mujoco>")?;
    /// let text = spec.save_xml()?;
    /// assert!(text.contains("<geom size=\"1 0 0\"/>"));
    /// assert_eq!(sim_mjcf::load_str(&text)?.ngeom, 1);
    /// # Ok::<(), sim_mjcf::Errors>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Keyframes stored per object, inherited ranges, and inertias under the settings of an
    /// attached model are written as compiled values, so a model with these must compile. A model
    /// that cannot be expressed in MJCF is an error too.
    pub fn save_xml(&self) -> Result<String, Errors> {
        let mut report = Report::default();
        let compiled = if self.needs_compiler() { Some(self.compile()?) } else { None };
        let inertias = if self.needs_inertias() { Some(self.compile_inertias()?) } else { None };
        let classes = Classes::new(self);
        let alignfree = self.saved_alignfree();
        let mut writer =
            Writer { spec: self, compiled, inertias, classes, alignfree, report: &mut report };
        let text = writer.document();
        report.check()?;
        Ok(text)
    }

    /// Writes the model to a file; see [`Spec::save_xml`].
    ///
    /// # Errors
    ///
    /// Those of [`Spec::save_xml`], or the file cannot be written.
    pub fn save_xml_file(&self, path: impl AsRef<Path>) -> Result<(), Errors> {
        let (text, path) = (self.save_xml()?, path.as_ref());
        let mut report = Report::default();
        if let Err(error) = std::fs::write(path, text) {
            let location = Location { file: path.display().to_string(), line: 1, column: 1 };
            report.error(location, "", None, ErrorKind::Write(error.to_string()));
        }
        report.check()
    }

    /// Whether compiled values are required.
    fn needs_compiler(&self) -> bool {
        self.keys.iter().any(|key| self.is_written_compiled(key))
            || self.actuators.iter().any(|a| a.inheritrange > 0.0)
    }

    /// Whether compiled inertias are written: `saveinertial`, or an attached model with different
    /// inertia settings.
    fn needs_inertias(&self) -> bool {
        self.compiler.saveinertial
            || self
                .scopes
                .iter()
                .any(|scope| inertia_settings_differ(&scope.compiler, &self.compiler))
    }

    /// The model compiled without changes of body frames and masses.
    fn compile_inertias(&self) -> Result<Model, Errors> {
        let mut plain = self.clone();
        let scopes = plain.scopes.iter_mut().map(|scope| &mut scope.compiler);
        for compiler in scopes.chain([&mut plain.compiler]) {
            (compiler.fusestatic, compiler.alignfree) = (false, false);
            compiler.settotalmass = -1.0;
        }
        plain.bodies.iter_mut().flat_map(|b| &mut b.joints).for_each(|j| j.align = Tri::False);
        plain.compile()
    }
}

impl Spec {
    /// Whether a keyframe is written as compiled: it is stored per object, or may be completed from
    /// reference values of an attached model with another angle unit.
    fn is_written_compiled(&self, key: &Key) -> bool {
        key.saved.is_some() || !self.scopes.is_empty()
    }
}

/// Whether two compiler settings give different inertias for the same body.
fn inertia_settings_differ(a: &Compiler, b: &Compiler) -> bool {
    a.inertiafromgeom != b.inertiafromgeom
        || a.inertiagrouprange != b.inertiagrouprange
        || a.boundmass != b.boundmass
        || a.boundinertia != b.boundinertia
        || a.balanceinertia != b.balanceinertia
}

/// Writer state.
struct Writer<'a> {
    spec: &'a Spec,
    /// The compiled model, if required.
    compiled: Option<Model>,
    /// The model with compiled inertias in the original body frames, if they are written.
    inertias: Option<Model>,
    classes: Classes<'a>,
    /// `alignfree` of the saved model.
    alignfree: bool,
    report: &'a mut Report,
}

impl<'a> Writer<'a> {
    fn document(&mut self) -> String {
        let mut doc = Document::new(&self.spec.modelname);
        self.settings(&mut doc);
        self.defaults(&mut doc);
        self.extension(&mut doc);
        self.custom(&mut doc);
        self.assets(&mut doc);
        self.worldbody(&mut doc);
        self.flexes_and_skins(&mut doc);
        self.contacts(&mut doc);
        self.equalities(&mut doc);
        self.tendons(&mut doc);
        self.actuators(&mut doc);
        self.sensors(&mut doc);
        self.keys(&mut doc);
        self.deformables(&mut doc);
        doc.finish()
    }

    /// Reports an element that cannot be expressed in MJCF.
    fn inexpressible(&mut self, origin: Origin, element: &str, message: impl Into<String>) {
        let kind = ErrorKind::Invalid(message.into());
        self.report.error(self.spec.location(origin), element, None, kind);
    }

    /// An orientation in the settings of the main model.
    fn orientation(&self, origin: Origin, orientation: Orientation) -> Orientation {
        let compiler = self.spec.compiler_of(origin);
        let same = compiler.angle == self.spec.compiler.angle
            && compiler.eulerseq == self.spec.compiler.eulerseq;
        match orientation {
            Orientation::AxisAngle(_) | Orientation::Euler(_) if !same => {
                crate::compile::resolve(compiler, &orientation)
                    .map_or(orientation, Orientation::Quat)
            }
            _ => orientation,
        }
    }

    /// Path of an asset file relative to the directory of the main model.
    fn file(&self, origin: Origin, folder: impl Fn(&Compiler) -> &str, file: &str) -> String {
        if file.is_empty() || self.spec.scopes.is_empty() {
            return file.to_owned();
        }
        let own = join(folder(self.spec.compiler_of(origin)), file);
        let path = join(self.spec.directory_of(origin), &own);
        path.strip_prefix(&self.spec.directory).map_or(path.clone(), ToOwned::to_owned)
    }
}
