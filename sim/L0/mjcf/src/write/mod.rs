//! [`Spec`] to MJCF text, in canonical form: reading it back gives the same model.
//!
//! Sections come in one order, default classes keep what their members share, actuators are written
//! as `general`, includes are spliced, copies that `replicate` and `attach` made are written out.

mod actuator;
mod asset;
mod defaults;
mod element;
mod relations;
mod sensor;
mod settings;
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
    /// The model as MJCF text.
    ///
    /// Files of assets are named, not included: the text belongs in the folder of the model that was
    /// read, or the files next to it.
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
    /// Keyframes that follow their objects, ranges that are inherited and inertias under the
    /// settings of an attached model are written as the compiler resolves them, so a model with
    /// these must compile. What a model holds that MJCF has no words for is an error too.
    pub fn save_xml(&self) -> Result<String, Errors> {
        let mut report = Report::default();
        let compiled = if self.needs_compiler() { Some(self.compile()?) } else { None };
        let weighed = if self.needs_inertias() { Some(self.weighed()?) } else { None };
        let classes = Classes::new(self);
        let mut writer = Writer { spec: self, compiled, weighed, classes, report: &mut report };
        let text = writer.document();
        report.check()?;
        Ok(text)
    }

    /// Writes the model to a file; see [`Spec::save_xml`].
    ///
    /// # Errors
    ///
    /// As [`Spec::save_xml`], and when the file cannot be written.
    pub fn save_xml_file(&self, path: impl AsRef<Path>) -> Result<(), Errors> {
        let (text, path) = (self.save_xml()?, path.as_ref());
        let mut report = Report::default();
        if let Err(error) = std::fs::write(path, text) {
            let location = Location { file: path.display().to_string(), line: 1, column: 1 };
            report.error(location, "", None, ErrorKind::Write(error.to_string()));
        }
        report.check()
    }

    /// Whether the text needs values that only the compiler knows.
    fn needs_compiler(&self) -> bool {
        self.keys.iter().any(|key| self.follows(key))
            || self.actuators.iter().any(|a| a.inheritrange > 0.0)
    }

    /// Whether inertias are written as compiled: the model asks for it, or an attached model's
    /// compiler computes them in another way.
    fn needs_inertias(&self) -> bool {
        self.compiler.saveinertial
            || self.attached.iter().any(|scope| weighs_otherwise(&scope.compiler, &self.compiler))
    }

    /// The model compiled with every body where the description has it.
    fn weighed(&self) -> Result<Model, Errors> {
        let mut plain = self.clone();
        let scopes = plain.attached.iter_mut().map(|scope| &mut scope.compiler);
        for compiler in scopes.chain([&mut plain.compiler]) {
            (compiler.fusestatic, compiler.alignfree) = (false, false);
            compiler.settotalmass = -1.0;
        }
        plain.bodies.iter_mut().flat_map(|b| &mut b.joints).for_each(|j| j.align = Tri::False);
        plain.compile()
    }
}

impl Spec {
    /// Whether a keyframe is written as compiled: it follows its objects, or is completed by
    /// references that another model wrote in its own unit.
    fn follows(&self, key: &Key) -> bool {
        key.saved.is_some() || !self.attached.is_empty()
    }
}

/// Whether two compilers give the same body another inertia or another frame.
fn weighs_otherwise(a: &Compiler, b: &Compiler) -> bool {
    a.inertiafromgeom != b.inertiafromgeom
        || a.inertiagrouprange != b.inertiagrouprange
        || a.boundmass != b.boundmass
        || a.boundinertia != b.boundinertia
        || a.balanceinertia != b.balanceinertia
}

/// A document in progress.
struct Writer<'a> {
    spec: &'a Spec,
    /// The compiled model, when the text needs it.
    compiled: Option<Model>,
    /// The model with compiled inertias in the frames of the description, when they are written.
    weighed: Option<Model>,
    classes: Classes<'a>,
    report: &'a mut Report,
}

impl<'a> Writer<'a> {
    fn document(&mut self) -> String {
        let mut doc = Document::new(&self.spec.modelname);
        self.settings(&mut doc);
        self.defaults(&mut doc);
        self.custom(&mut doc);
        self.assets(&mut doc);
        self.worldbody(&mut doc);
        self.contacts(&mut doc);
        self.equalities(&mut doc);
        self.tendons(&mut doc);
        self.actuators(&mut doc);
        self.sensors(&mut doc);
        self.keys(&mut doc);
        self.deformables(&mut doc);
        doc.finish()
    }

    /// Reports what cannot be written.
    fn impossible(&mut self, origin: Origin, element: &str, message: impl Into<String>) {
        let kind = ErrorKind::Invalid(message.into());
        self.report.error(self.spec.location(origin), element, None, kind);
    }

    /// An orientation under the settings of the model itself.
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

    /// The path of an asset's file from the folder of the model.
    fn file(&self, origin: Origin, folder: impl Fn(&Compiler) -> &str, file: &str) -> String {
        if file.is_empty() || self.spec.attached.is_empty() {
            return file.to_owned();
        }
        let own = join(folder(self.spec.compiler_of(origin)), file);
        let path = join(self.spec.directory_of(origin), &own);
        path.strip_prefix(&self.spec.directory).map_or(path.clone(), ToOwned::to_owned)
    }
}
