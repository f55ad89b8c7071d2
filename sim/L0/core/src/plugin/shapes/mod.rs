//! Signed distance fields of MuJoCo's shapes: `mujoco.sdf.{bolt, bowl, gear, nut, torus}`.
//!
//! The formulas combine distances of simple shapes by minimum and maximum, so that only some of them are exact
//! distances. Lengths are in metres.

mod bowl;
mod gear;
mod screw;
mod torus;

use super::{Capabilities, Plugin, PluginConfig, PluginError, PluginInstance, SignedDistance};
use crate::Model;
use std::fmt;
use std::sync::Arc;

/// A shape with `N` numeric attributes.
trait Shape<const N: usize>: SignedDistance + Sized + 'static {
    /// Name of the plugin.
    const NAME: &'static str;
    /// Keys and default values.
    const ATTRIBUTES: [(&'static str, f64); N];
    const KEYS: [&'static str; N];

    /// The shape with these values.
    fn new(values: [f64; N]) -> Result<Self, PluginError>;
}

/// The kind of a shape.
struct ShapePlugin<S, const N: usize>(std::marker::PhantomData<fn() -> S>);

impl<S: Shape<N>, const N: usize> ShapePlugin<S, N> {
    fn kind() -> Arc<dyn Plugin> {
        Arc::new(Self(std::marker::PhantomData))
    }

    fn shape(config: &PluginConfig) -> Result<S, PluginError> {
        let mut values = S::ATTRIBUTES.map(|(_, default)| default);
        for (value, key) in values.iter_mut().zip(S::KEYS) {
            *value = config.number(key)?.unwrap_or(*value);
        }
        S::new(values)
    }
}

impl<S: Shape<N>, const N: usize> fmt::Debug for ShapePlugin<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(S::NAME)
    }
}

impl<S: Shape<N>, const N: usize> Plugin for ShapePlugin<S, N> {
    fn name(&self) -> &str {
        S::NAME
    }

    fn attributes(&self) -> &[&str] {
        &S::KEYS
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::SDF
    }

    fn signed_distance(
        &self,
        config: &PluginConfig,
    ) -> Result<Option<Arc<dyn SignedDistance>>, PluginError> {
        Ok(Some(Arc::new(Self::shape(config)?)))
    }

    fn init(&self, m: &Model, instance: usize) -> Result<Arc<dyn PluginInstance>, PluginError> {
        Ok(Arc::new(ShapeInstance(Self::shape(&m.plugin_config(instance))?)))
    }
}

/// An instance of a shape.
#[derive(Debug)]
struct ShapeInstance<S>(S);

impl<S: SignedDistance> PluginInstance for ShapeInstance<S> {
    fn signed_distance(&self) -> Option<&dyn SignedDistance> {
        Some(&self.0)
    }
}

/// The kinds of this module, in MuJoCo's order.
pub(super) fn kinds() -> Vec<Arc<dyn Plugin>> {
    vec![
        ShapePlugin::<screw::Bolt, 1>::kind(),
        ShapePlugin::<bowl::Bowl, 3>::kind(),
        ShapePlugin::<gear::Gear, 5>::kind(),
        ShapePlugin::<screw::Nut, 1>::kind(),
        ShapePlugin::<torus::Torus, 2>::kind(),
    ]
}

/// Checks that a length is positive.
fn positive(key: &str, value: f64) -> Result<f64, PluginError> {
    if value > 0.0 { Ok(value) } else { Err(PluginError::of_key(key, "must be positive")) }
}

/// Distance from the z axis.
#[inline(always)]
fn radial(p: [f64; 3]) -> f64 {
    (p[0] * p[0] + p[1] * p[1]).sqrt()
}

/// Points of the first shape outside the second.
fn subtraction(a: f64, b: f64) -> f64 {
    a.max(-b)
}
