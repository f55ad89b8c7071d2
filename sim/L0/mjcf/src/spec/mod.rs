//! The editable model specification (mjSpec): MJCF elements as plain structs.
//!
//! A [`Spec`] holds attributes with defaults applied, but no computed values: no ids, no inertias
//! from geoms, no resolved frames. [`Spec::compile`] compiles it to a [`Model`].

mod actuator;
mod actuator_shortcut;
mod asset;
mod attach;
mod builder;
mod contact;
mod custom;
mod dc_motor;
mod defaults;
mod deformable;
mod edit;
mod equality;
mod flex;
mod key;
mod origin;
mod plugin;
mod sensor;
mod settings;
mod skin;
mod tendon;
mod tree;

pub use actuator::{Actuator, ActuatorError};
pub use actuator_shortcut::{CylinderParams, MuscleParams, ServoParams};
pub use asset::{
    ColorSpace, HField, Mark, Material, Mesh, MeshCollider, MeshInertia, Pattern, TEXTURE_ROLES,
    Texture, TextureType,
};
pub use attach::AttachError;
pub(crate) use attach::{Replicate, ReplicateError};
pub use builder::{BodyElement, ModelElement};
pub use contact::{Exclude, Pair};
pub use custom::{Numeric, Text, Tuple, TupleElement};
pub use dc_motor::DcMotorParams;
pub use defaults::{DefaultClass, DefaultId};
pub use deformable::{Attach, Deformable, DeformableKind, DeformableSettings};
pub use equality::Equality;
pub use flex::{Elastic2d, Flex, SelfCollide};
pub use key::{Key, ObjectKey};
pub use plugin::{Extension, Plugin, PluginRef};
pub use sensor::Sensor;
pub use settings::{Angle, Compiler, FuseInertia, Sizes, StatisticOverride, Tri, VisualAttribute};
pub use sim_core::types::Interpolation;
pub use skin::{Skin, SkinBone};
pub use tendon::{Tendon, Wrap, WrapKind};
pub use tree::{
    Body, BodyId, Camera, Frame, FrameId, Geom, Inertial, Joint, Light, Orientation, Site,
};

use crate::error::{Errors, Location, Report, Warning};
use crate::{Loaded, Loader};
use sim_core::Model;
use sim_core::types::Options;
use std::sync::Arc;

/// Origin of an element: its source location and the scope of its compiler settings.
///
/// The default stands for elements that are not from a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Origin(pub(crate) u32);

/// Record that an [`Origin`] refers to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OriginRecord {
    /// Index of the file name.
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Index of the scope: 0 is the model itself, others are attached models.
    pub(crate) scope: u32,
}

/// Settings of one model file, which apply to its elements.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    pub(crate) compiler: Compiler,
    /// Directory of the model file.
    pub(crate) directory: String,
}

/// Specification of a model (mjSpec).
#[derive(Debug, Clone)]
pub struct Spec {
    /// Name of the model.
    pub modelname: String,
    /// Compiler settings.
    pub compiler: Compiler,
    /// Simulation options.
    pub option: Options,
    /// Requested sizes.
    pub size: Sizes,
    /// Overrides of computed statistics.
    pub statistic: StatisticOverride,
    /// Attributes of the `visual` section, which do not affect the physics.
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
    /// Flexes.
    pub flexes: Vec<Flex>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Excluded body pairs.
    pub excludes: Vec<Exclude>,
    /// Equality constraints.
    pub equalities: Vec<Equality>,
    /// Tendons.
    pub tendons: Vec<Tendon>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Custom numeric fields.
    pub numerics: Vec<Numeric>,
    /// Custom text fields.
    pub texts: Vec<Text>,
    /// Custom tuples.
    pub tuples: Vec<Tuple>,
    /// Keyframes.
    pub keys: Vec<Key>,
    /// Plugins that the model uses.
    pub extensions: Vec<Extension>,
    /// Named instances of plugins.
    pub plugins: Vec<Plugin>,
    /// Deformable bodies.
    pub deformables: Vec<Deformable>,
    /// Solver settings of deformable bodies.
    pub xpbd: DeformableSettings,
    /// Warnings of parsing.
    pub warnings: Vec<Warning>,
    /// Source location of the root element.
    pub origin: Origin,
    /// Directory to which asset files are relative.
    pub directory: String,
    /// Loader of asset files.
    pub loader: Loader,
    /// Source locations that elements refer to by [`Origin`].
    pub(crate) origins: Vec<OriginRecord>,
    /// Names of the source files.
    pub(crate) files: Vec<Arc<str>>,
    /// The scopes of attached models.
    pub(crate) scopes: Vec<Scope>,
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
            flexes: Vec::new(),
            skins: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            sensors: Vec::new(),
            numerics: Vec::new(),
            texts: Vec::new(),
            tuples: Vec::new(),
            keys: Vec::new(),
            extensions: Vec::new(),
            plugins: Vec::new(),
            deformables: Vec::new(),
            xpbd: DeformableSettings::default(),
            warnings: Vec::new(),
            origin: Origin::default(),
            directory: String::new(),
            loader: Loader::default(),
            origins: vec![OriginRecord::default()],
            files: vec!["<spec>".into()],
            scopes: Vec::new(),
        }
    }
}

impl Spec {
    /// Compiles the model.
    ///
    /// # Errors
    ///
    /// All errors of the model, with their locations.
    pub fn compile(&self) -> Result<Model, Errors> {
        Ok(self.compile_with_warnings()?.model)
    }

    /// Like [`Spec::compile`], and also returns the warnings of parsing and compiling.
    ///
    /// # Errors
    ///
    /// All errors of the model, with their locations.
    pub fn compile_with_warnings(&self) -> Result<Loaded, Errors> {
        let mut report = Report::default();
        let model = crate::compile::compile(self, &mut report)?;
        let mut warnings = self.warnings.clone();
        warnings.append(&mut report.warnings);
        Ok(Loaded { model, warnings })
    }

    /// Source location of an element.
    #[must_use]
    pub fn location(&self, origin: Origin) -> Location {
        let Some(&OriginRecord { file, line, column, .. }) = self.origins.get(origin.0 as usize)
        else {
            return Location::default();
        };
        let file = self.files.get(file as usize).map(ToString::to_string).unwrap_or_default();
        Location { file, line, column }
    }

    /// Compiler settings that apply to an element: those of its model file.
    #[must_use]
    pub fn compiler_of(&self, origin: Origin) -> &Compiler {
        self.scope(origin).map_or(&self.compiler, |scope| &scope.compiler)
    }

    /// Directory of the model file of an element.
    pub(crate) fn directory_of(&self, origin: Origin) -> &str {
        self.scope(origin).map_or(&self.directory, |scope| &scope.directory)
    }

    /// Scope of an attached model; `None` for the model itself.
    fn scope(&self, origin: Origin) -> Option<&Scope> {
        let place = self.origins.get(origin.0 as usize)?;
        self.scopes.get((place.scope as usize).checked_sub(1)?)
    }

    /// Id of the default class with this name.
    #[must_use]
    pub fn default_class(&self, name: &str) -> Option<DefaultId> {
        self.defaults.iter().position(|d| d.name == name).map(DefaultId)
    }
}

/// Name of an unnamed asset: its file name without directories and extension.
pub(crate) fn asset_name(file: &str) -> &str {
    let name = crate::vfs::file_name(file);
    name.rfind('.').map_or(name, |dot| &name[..dot])
}
