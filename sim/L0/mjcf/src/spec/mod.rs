//! The editable description of a model: what MJCF says, as plain structs, before compilation.
//!
//! A [`Spec`] holds resolved attributes (defaults already applied) but nothing computed: no ids,
//! no inertias from geoms, no frames accumulated. [`Spec::compile`] does the rest.

mod actuator;
mod asset;
mod compose;
mod contact;
mod custom;
mod defaults;
mod deformable;
mod edit;
mod equality;
mod fluent;
mod key;
mod sensor;
mod settings;
mod tendon;
mod tree;

pub use actuator::Actuator;
pub use asset::{
    ColorSpace, HField, Mark, Material, Mesh, MeshCollider, MeshInertia, Pattern, TEXTURE_ROLES,
    Texture, TextureType,
};
pub use compose::AttachError;
pub(crate) use compose::{Replicate, Trouble};
pub use contact::{Exclude, Pair};
pub use custom::{Numeric, Text, Tuple, TupleElement};
pub use defaults::{DefaultClass, DefaultId};
pub use deformable::{Attach, Deformable, DeformableKind, DeformableSettings};
pub use equality::Equality;
pub use fluent::{Attached, Listed};
pub use key::Key;
pub(crate) use key::SavedKey;
pub use sensor::Sensor;
pub use settings::{Angle, Compiler, FuseInertia, Sizes, StatisticOverride, Tri, VisualAttribute};
pub use sim_core::types::Interpolation;
pub use tendon::{Tendon, Wrap, WrapKind};
pub use tree::{
    Body, BodyId, Camera, Frame, FrameId, Geom, Inertial, Joint, Light, Orientation, Site,
};

use crate::error::{Errors, Location, Report, Warning};
use crate::{Loaded, Loader};
use sim_core::Model;
use sim_core::types::Options;
use std::sync::Arc;

/// Where an object was defined: its place in a file, and the compiler settings that hold there.
///
/// The default means "not from a file".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Origin(pub(crate) u32);

/// One place, as [`Origin`]s point to it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    /// Index of the file name.
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Index of the scope: 0 is the model itself, others are attached models.
    pub(crate) scope: u32,
}

/// What holds for everything that one model file describes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    pub(crate) compiler: Compiler,
    /// Folder of the model file.
    pub(crate) directory: String,
}

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
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Height fields.
    pub hfields: Vec<HField>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Materials.
    pub materials: Vec<Material>,
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
    /// Custom lists of references.
    pub tuples: Vec<Tuple>,
    /// Keyframes.
    pub keys: Vec<Key>,
    /// Deformable bodies.
    pub deformables: Vec<Deformable>,
    /// How they are stepped.
    pub xpbd: DeformableSettings,
    /// What is worth a second look, found while reading.
    pub warnings: Vec<Warning>,
    /// Where the model starts.
    pub origin: Origin,
    /// Folder that asset files are relative to.
    pub directory: String,
    /// Where asset files are read from.
    pub loader: Loader,
    /// Places in the source files that objects refer to by [`Origin`].
    pub(crate) places: Vec<Place>,
    /// Names of the source files.
    pub(crate) files: Vec<Arc<str>>,
    /// The scopes of attached models.
    pub(crate) attached: Vec<Scope>,
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
            meshes: Vec::new(),
            hfields: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
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
            tuples: Vec::new(),
            keys: Vec::new(),
            deformables: Vec::new(),
            xpbd: DeformableSettings::default(),
            warnings: Vec::new(),
            origin: Origin::default(),
            directory: String::new(),
            loader: Loader::default(),
            places: vec![Place::default()],
            files: vec!["<spec>".into()],
            attached: Vec::new(),
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
        let Some(&Place { file, line, column, .. }) = self.places.get(origin.0 as usize) else {
            return Location::default();
        };
        let file = self.files.get(file as usize).map(ToString::to_string).unwrap_or_default();
        Location { file, line, column }
    }

    /// The compiler settings that hold for an object: those of the file that describes it.
    #[must_use]
    pub fn compiler_of(&self, origin: Origin) -> &Compiler {
        self.scope(origin).map_or(&self.compiler, |scope| &scope.compiler)
    }

    /// The folder of the file that describes an object.
    pub(crate) fn directory_of(&self, origin: Origin) -> &str {
        self.scope(origin).map_or(&self.directory, |scope| &scope.directory)
    }

    /// The scope of an attached model; `None` is the model itself.
    fn scope(&self, origin: Origin) -> Option<&Scope> {
        let place = self.places.get(origin.0 as usize)?;
        self.attached.get((place.scope as usize).checked_sub(1)?)
    }

    /// The default class of this name.
    #[must_use]
    pub fn default_class(&self, name: &str) -> Option<DefaultId> {
        self.defaults.iter().position(|d| d.name == name).map(DefaultId)
    }
}

/// What an asset without a name is called: its file, without folders and extension.
pub(crate) fn asset_name(file: &str) -> &str {
    let name = crate::vfs::file_name(file);
    name.rfind('.').map_or(name, |dot| &name[..dot])
}
