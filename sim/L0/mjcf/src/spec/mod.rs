//! The editable description of a model: what MJCF says, as plain structs, before compilation.
//!
//! A [`Spec`] holds resolved attributes (defaults already applied) but nothing computed: no ids,
//! no inertias from geoms, no frames accumulated. [`Spec::compile`] does the rest.

mod actuator;
mod contact;
mod custom;
mod defaults;
mod equality;
mod key;
mod sensor;
mod settings;
mod tendon;
mod tree;

pub use actuator::{Actuator, Interpolation};
pub use contact::{Exclude, Pair};
pub use custom::{Numeric, Text};
pub use defaults::{DefaultClass, DefaultId};
pub use equality::Equality;
pub use key::Key;
pub use sensor::Sensor;
pub use settings::{Angle, Compiler, Sizes, StatisticOverride, Tri, VisualAttribute};
pub use tendon::{Tendon, Wrap, WrapKind};
pub use tree::{
    Body, BodyId, Camera, Frame, FrameId, Geom, Inertial, Joint, Light, Orientation, Site,
};

use crate::Loaded;
use crate::error::{Errors, Location, Report, Warning};
use sim_core::Model;
use sim_core::types::Options;

/// Where an object was defined, as an index into the origins of the `Spec`; 0 means "not from a file".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Origin(pub(crate) u32);

/// A model before compilation.
#[derive(Debug, Clone)]
pub struct Spec {
    /// Name of the model.
    pub modelname: String,
    /// How to compile.
    pub compiler: Compiler,
    /// Simulation options.
    pub option: Options,
    /// Requested sizes.
    pub size: Sizes,
    /// Statistics that replace the computed ones.
    pub statistic: StatisticOverride,
    /// The `visual` section, kept as text: physics does not use it.
    pub visual: Vec<VisualAttribute>,
    /// Default classes; the first is `main`.
    pub defaults: Vec<DefaultClass>,
    /// All bodies; the first is the world.
    pub bodies: Vec<Body>,
    /// All frames.
    pub frames: Vec<Frame>,
    /// Explicit contact pairs.
    pub pairs: Vec<Pair>,
    /// Body pairs that do not collide.
    pub excludes: Vec<Exclude>,
    /// Equality constraints.
    pub equalities: Vec<Equality>,
    /// Tendons.
    pub tendons: Vec<Tendon>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Custom numbers.
    pub numerics: Vec<Numeric>,
    /// Custom texts.
    pub texts: Vec<Text>,
    /// Keyframes.
    pub keys: Vec<Key>,
    /// What is worth a second look, found while reading.
    pub warnings: Vec<Warning>,
    /// Where the model starts.
    pub origin: Origin,
    /// Places in the source files that objects refer to by [`Origin`].
    pub(crate) origins: Vec<Location>,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            modelname: "MuJoCo Model".to_owned(),
            compiler: Compiler::default(),
            option: Options::default(),
            size: Sizes::default(),
            statistic: StatisticOverride::default(),
            visual: Vec::new(),
            defaults: vec![DefaultClass::main()],
            bodies: vec![Body { name: "world".to_owned(), ..Body::default() }],
            frames: Vec::new(),
            pairs: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            numerics: Vec::new(),
            texts: Vec::new(),
            keys: Vec::new(),
            warnings: Vec::new(),
            origin: Origin::default(),
            origins: vec![Location { file: "<spec>".to_owned(), line: 0, column: 0 }],
        }
    }
}

impl Spec {
    /// Compiles the model.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the description, each with its place.
    pub fn compile(&self) -> Result<Model, Errors> {
        Ok(self.compile_with_warnings()?.model)
    }

    /// As [`Spec::compile`], and returns the warnings of reading and compiling too.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the description, each with its place.
    pub fn compile_with_warnings(&self) -> Result<Loaded, Errors> {
        let mut report = Report::default();
        let model = crate::compile::compile(self, &mut report)?;
        let mut warnings = self.warnings.clone();
        warnings.append(&mut report.warnings);
        Ok(Loaded { model, warnings })
    }

    /// Where an object was defined.
    #[must_use]
    pub fn location(&self, origin: Origin) -> Location {
        self.origins.get(origin.0 as usize).cloned().unwrap_or_default()
    }

    /// The default class of this name.
    #[must_use]
    pub fn default_class(&self, name: &str) -> Option<DefaultId> {
        self.defaults.iter().position(|d| d.name == name).map(DefaultId)
    }
}
