//! Plugins: actuators, sensors, passive forces and signed distance fields that are defined outside the
//! engine (`mjpPlugin`).
//!
//! A [`Plugin`] is a kind of plugin, such as `mujoco.pid`. A model has instances of it, each with its own
//! configuration: [`Plugin::init`] creates the [`PluginInstance`] of one. Instances are immutable and shared by
//! all data of a model; what changes during simulation is in `Data::plugin_state`. Kinds are looked up by name
//! in a [`PluginRegistry`], which has those of MuJoCo. There is no global registry.

pub(crate) mod builtin;
mod config;
mod formula;
mod model;
mod registry;
pub(crate) mod shapes;
pub(crate) mod stages;

pub use config::{PluginConfig, PluginError};
pub use formula::{GearFormula, SignedDistanceFormula};
pub use model::PluginInitError;
pub use registry::PluginRegistry;

use crate::{Data, Model};
use sim_types::{GeomType, SensorStage};
use std::fmt;
use std::ops::BitOr;
use std::sync::Arc;

/// What a plugin can compute, as a set of bits (`mjtPluginCapabilityBit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Capabilities(u32);

impl Capabilities {
    /// Actuator forces.
    pub const ACTUATOR: Self = Self(1);
    /// Sensor readings.
    pub const SENSOR: Self = Self(1 << 1);
    /// Passive forces.
    pub const PASSIVE: Self = Self(1 << 2);
    /// A signed distance field.
    pub const SDF: Self = Self(1 << 3);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Capabilities {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A kind of plugin (`mjpPlugin`).
///
/// ```
/// use sim_core::{Capabilities, Data, Model, Plugin, PluginError, PluginInstance};
/// use std::sync::Arc;
///
/// /// A constant force on the first dof.
/// #[derive(Debug)]
/// struct Push;
///
/// impl Plugin for Push {
///     fn name(&self) -> &str {
///         "example.push"
///     }
///     fn capabilities(&self) -> Capabilities {
///         Capabilities::PASSIVE
///     }
///     fn init(&self, _: &Model, _: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
///         Ok(Arc::new(Self))
///     }
/// }
///
/// impl PluginInstance for Push {
///     fn compute(&self, _: &Model, d: &mut Data, _: Capabilities) {
///         d.qfrc_passive[0] += 1.0;
///     }
/// }
/// ```
#[doc(alias = "mjpPlugin")]
pub trait Plugin: fmt::Debug + Send + Sync {
    /// The name by which models refer to it. By convention it starts with that of its author.
    fn name(&self) -> &str;

    /// Keys of its configuration.
    fn attributes(&self) -> &[&str] {
        &[]
    }

    /// What it computes.
    fn capabilities(&self) -> Capabilities;

    /// The stage after which its sensors are computed; `None` is the position stage.
    fn needstage(&self) -> SensorStage {
        SensorStage::Acc
    }

    /// Number of values of an instance in `Data::plugin_state`.
    ///
    /// # Errors
    /// If the configuration is invalid.
    fn nstate(&self, _config: &PluginConfig) -> Result<usize, PluginError> {
        Ok(0)
    }

    /// Number of readings of a sensor.
    ///
    /// # Errors
    /// If the configuration is invalid.
    fn nsensordata(&self, _config: &PluginConfig) -> Result<usize, PluginError> {
        Ok(0)
    }

    /// The signed distance field of a configuration; `None` without the capability. The compiler makes a
    /// mesh of it.
    ///
    /// # Errors
    /// If the configuration is invalid.
    fn signed_distance(
        &self,
        _config: &PluginConfig,
    ) -> Result<Option<Arc<dyn SignedDistance>>, PluginError> {
        Ok(None)
    }

    /// Creates the instance with this index of a compiled model.
    ///
    /// # Errors
    /// If the configuration is invalid or does not match the elements that use the instance.
    fn init(&self, m: &Model, instance: usize) -> Result<Arc<dyn PluginInstance>, PluginError>;
}

/// An instance of a plugin.
///
/// A step may run on several data of one model at the same time. Values that change are in
/// `Data::plugin_state`, in the range [`Model::plugin_state_range`].
pub trait PluginInstance: fmt::Debug + Send + Sync {
    /// Sets the state when data are reset. It is zero before the first call and kept by a reset otherwise.
    fn reset(&self, _m: &Model, _state: &mut [f64]) {}

    /// Writes `act_dot` of the activations of its actuators, except those of their `dyntype`.
    fn actuator_act_dot(&self, _m: &Model, _d: &mut Data) {}

    /// Computes what one capability provides: writes `actuator_force` of its actuators, writes `sensordata`
    /// of its sensors, or adds to `qfrc_passive`.
    fn compute(&self, _m: &Model, _d: &mut Data, _capability: Capabilities) {}

    /// Advances its state at the end of a step.
    fn advance(&self, _m: &Model, _d: &mut Data) {}

    /// Its signed distance field.
    fn signed_distance(&self) -> Option<&dyn SignedDistance> {
        None
    }

    /// Draws what the instance shows, when a scene is updated.
    fn visualize(&self, _m: &Model, _d: &Data, _canvas: &mut dyn PluginCanvas) {}
}

/// Receives what plugins draw.
pub trait PluginCanvas {
    /// Adds a decorative geom.
    fn add(&mut self, geom: &PluginGeom);

    /// Replaces the colour of a geom of the model.
    fn set_color(&mut self, geom: usize, rgba: [f32; 4]);
}

/// A decorative geom of a plugin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PluginGeom {
    /// Shape.
    pub kind: GeomType,
    /// Sizes as of a geom of the model (m).
    pub size: [f64; 3],
    /// World position (m).
    pub pos: [f64; 3],
    /// World orientation as a rotation matrix, row-major.
    pub mat: [f64; 9],
    /// Colour.
    pub rgba: [f32; 4],
    /// Index of the element that it shows, such as a sensor.
    pub id: usize,
}

/// Step of the forward differences of distances, m.
const DIFFERENCE_STEP: f64 = 1e-8;

/// The distances of four points, which are given by coordinates.
#[inline(always)]
pub(crate) fn each_distance(
    [x, y, z]: &[[f64; 4]; 3],
    distance: impl Fn([f64; 3]) -> f64,
) -> [f64; 4] {
    std::array::from_fn(|k| distance([x[k], y[k], z[k]]))
}

/// The gradients at four points, by coordinates as the points.
#[inline(always)]
pub(crate) fn each_gradient(
    [x, y, z]: &[[f64; 4]; 3],
    gradient: impl Fn([f64; 3]) -> [f64; 3],
) -> [[f64; 4]; 3] {
    let mut gradients = [[0.0; 4]; 3];
    for k in 0..4 {
        let at = gradient([x[k], y[k], z[k]]);
        (gradients[0][k], gradients[1][k], gradients[2][k]) = (at[0], at[1], at[2]);
    }
    gradients
}

/// A signed distance field in its own frame.
pub trait SignedDistance: fmt::Debug + Send + Sync {
    /// Signed distance of a point to the surface, m; negative inside.
    #[doc(alias = "sdf_distance")]
    fn distance(&self, point: [f64; 3]) -> f64;

    /// Gradient of the distance; forward differences unless a shape overrides it.
    #[doc(alias = "sdf_gradient")]
    fn gradient(&self, point: [f64; 3]) -> [f64; 3] {
        let here = self.distance(point);
        std::array::from_fn(|k| {
            let mut moved = point;
            moved[k] += DIFFERENCE_STEP;
            (self.distance(moved) - here) / DIFFERENCE_STEP
        })
    }

    /// Distances of four points, given by their coordinates: `points[0]` has those along x. Must equal
    /// [`distance`](Self::distance) of each point.
    fn distance4(&self, points: &[[f64; 4]; 3]) -> [f64; 4] {
        each_distance(points, |point| self.distance(point))
    }

    /// Gradients at four points, by coordinates. Must equal [`gradient`](Self::gradient) at each point.
    fn gradient4(&self, points: &[[f64; 4]; 3]) -> [[f64; 4]; 3] {
        each_gradient(points, |point| self.gradient(point))
    }

    /// Whether [`distance4`](Self::distance4) takes about as long as one distance. A line search then evaluates four
    /// step lengths at a time.
    fn is_vectorized(&self) -> bool {
        false
    }

    /// The formula of the field, from which back ends that cannot call this code compute it, such as GPU kernels. `None`
    /// if it has none; they do not support the field then.
    fn formula(&self) -> Option<SignedDistanceFormula> {
        None
    }

    /// Bounding box of the surface: centre and half-extents.
    #[doc(alias = "sdf_aabb")]
    fn aabb(&self) -> [f64; 6];
}

/// The plugins of a model: the registered kinds, and one object per instance.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plugins {
    kinds: Arc<[Arc<dyn Plugin>]>,
    instances: Arc<[Instance]>,
}

/// One instance with the properties of its kind.
#[derive(Debug, Clone)]
struct Instance {
    capabilities: Capabilities,
    needstage: SensorStage,
    object: Arc<dyn PluginInstance>,
}

impl Plugins {
    /// The object of an instance; `None` if there is none.
    pub(crate) fn object(&self, instance: i32) -> Option<&dyn PluginInstance> {
        let instance = self.instances.get(usize::try_from(instance).ok()?)?;
        Some(&*instance.object)
    }

    /// The signed distance field of an instance; `None` if it has none.
    pub(crate) fn signed_distance(&self, instance: i32) -> Option<&dyn SignedDistance> {
        self.object(instance)?.signed_distance()
    }
}
