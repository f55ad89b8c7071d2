//! Elements that refer to others by name: contacts, equalities, tendons, actuators, sensors.

use super::Context;
use super::actuator::{ActuatorOut, Objects, actuator};
use super::asset::Assets;
use super::body::Tree;
use super::chain::Chains;
use super::contact::{ExcludeOut, PairOut, exclude, pair};
use super::equality::{EqualityOut, equality};
use super::joint::JointOut;
use super::order::Order;
use super::sensor::{self, SensorOut, sensor};
use super::tendon::{TendonOut, tendon};

/// Everything that refers by name, resolved.
#[derive(Debug, Default)]
pub(super) struct Relations<'a> {
    pub(super) pairs: Vec<PairOut<'a>>,
    pub(super) excludes: Vec<ExcludeOut<'a>>,
    pub(super) equalities: Vec<EqualityOut<'a>>,
    pub(super) tendons: Vec<TendonOut<'a>>,
    pub(super) actuators: Vec<ActuatorOut<'a>>,
    pub(super) sensors: Vec<SensorOut<'a>>,
    /// The object of each element of each tuple.
    pub(super) tuples: Vec<usize>,
    /// Number of keyframes, including the ones that `size nkey` adds.
    pub(super) nkey: usize,
}

/// Resolves names; pairs and excludes are sorted by signature.
pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    order: &Order<'a>,
    assets: &Assets<'a>,
    tree: &Tree<'a>,
) -> Relations<'a> {
    let spec = context.spec;
    let mut chains = Chains::new(tree);
    let tendons: Vec<_> = spec
        .tendons
        .iter()
        .filter_map(|t| tendon(context, order, assets, (tree, &mut chains), t))
        .collect();
    let nv = tree.joints.iter().map(JointOut::nv).sum();
    let objects = Objects { order, tree, tendons: &tendons, nv };
    let actuators =
        spec.actuators.iter().filter_map(|a| actuator(context, &objects, &mut chains, a)).collect();
    let vertices: Vec<usize> = assets.meshes.iter().map(|m| m.mesh.nvert()).collect();
    let sensed = sensor::Objects { order, tree, tendons: &tendons, vertices: &vertices };
    let sensors = spec.sensors.iter().filter_map(|s| sensor(context, &sensed, s)).collect();
    let tuples = spec.tuples.iter().flat_map(|t| &t.elements).filter_map(|e| {
        order.find_object(context, e.objtype, &e.objname, (e.origin, "element", "objname"))
    });
    let tuples = tuples.collect();
    let mut out = Relations {
        pairs: spec.pairs.iter().filter_map(|p| pair(context, order, tree, p)).collect(),
        excludes: spec.excludes.iter().filter_map(|e| exclude(context, order, e)).collect(),
        equalities: spec
            .equalities
            .iter()
            .filter_map(|e| equality(context, order, tree, e))
            .collect(),
        tendons,
        actuators,
        sensors,
        tuples,
        nkey: spec.keys.len().max(usize::try_from(spec.size.nkey).unwrap_or(0)),
    };
    out.pairs.sort_by_key(|p| p.signature);
    out.excludes.sort_by_key(|e| e.signature);
    out
}
