//! Elements outside the kinematic tree, which refer to others by name: contacts, flexes, skins,
//! equalities, tendons, actuators, sensors, tuples.

use super::Context;
use super::actuator::{CompiledActuator, Objects, actuator};
use super::asset::Assets;
use super::body::Tree;
use super::chain::Chains;
use super::contact::{CompiledExclude, CompiledPair, exclude, pair};
use super::equality::{CompiledEquality, equality};
use super::flex::{self, CompiledFlex, flex};
use super::joint::CompiledJoint;
use super::plugin::Plugins;
use super::sensor::{self, CompiledSensor, sensor};
use super::skin::{CompiledSkin, skin};
use super::symbols::SymbolTable;
use super::tendon::{CompiledTendon, tendon};

/// Compiled elements outside the kinematic tree.
#[derive(Debug, Default)]
pub(super) struct NonTreeElements<'a> {
    pub(super) pairs: Vec<CompiledPair<'a>>,
    pub(super) excludes: Vec<CompiledExclude<'a>>,
    pub(super) flexes: Vec<CompiledFlex<'a>>,
    pub(super) skins: Vec<CompiledSkin<'a>>,
    pub(super) equalities: Vec<CompiledEquality<'a>>,
    pub(super) tendons: Vec<CompiledTendon<'a>>,
    pub(super) actuators: Vec<CompiledActuator<'a>>,
    pub(super) sensors: Vec<CompiledSensor<'a>>,
    /// The object of each element of each tuple.
    pub(super) tuples: Vec<usize>,
    /// Number of keyframes, including those added by `size nkey`.
    pub(super) nkey: usize,
}

/// Compiles the elements; pairs and excludes are sorted by signature.
pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    (symbols, plugins): (&SymbolTable<'a>, &Plugins<'a>),
    assets: &Assets<'a>,
    tree: &Tree<'a>,
) -> NonTreeElements<'a> {
    let spec = context.spec;
    let mut chains = Chains::new(tree);
    let tendons: Vec<_> = spec
        .tendons
        .iter()
        .filter_map(|t| tendon(context, symbols, assets, (tree, &mut chains), t))
        .collect();
    let nv = tree.joints.iter().map(CompiledJoint::nv).sum();
    let objects = Objects { symbols, plugins, tree, tendons: &tendons, nv };
    let actuators =
        spec.actuators.iter().filter_map(|a| actuator(context, &objects, &mut chains, a)).collect();
    let vertices: Vec<usize> = assets.meshes.iter().map(|m| m.mesh.nvert()).collect();
    let sensed = sensor::Objects { symbols, plugins, tree, tendons: &tendons, vertices: &vertices };
    let sensors = spec.sensors.iter().filter_map(|s| sensor(context, &sensed, s)).collect();
    let tuples = spec.tuples.iter().flat_map(|t| &t.elements).filter_map(|e| {
        symbols.find_object(context, e.objtype, &e.objname, (e.origin, "element", "objname"))
    });
    let tuples = tuples.collect();
    let poses = flex::reference_poses(tree);
    let flexes: Vec<_> = spec
        .flexes
        .iter()
        .filter_map(|f| flex(context, symbols, assets, (tree, &poses), f))
        .collect();
    let mut out = NonTreeElements {
        pairs: spec.pairs.iter().filter_map(|p| pair(context, symbols, tree, p)).collect(),
        excludes: spec.excludes.iter().filter_map(|e| exclude(context, symbols, e)).collect(),
        equalities: spec
            .equalities
            .iter()
            .filter_map(|e| equality(context, symbols, (tree, &flexes), e))
            .collect(),
        flexes,
        skins: spec.skins.iter().filter_map(|s| skin(context, symbols, assets, s)).collect(),
        tendons,
        actuators,
        sensors,
        tuples,
        nkey: spec.nkey(),
    };
    out.pairs.sort_by_key(|p| p.signature);
    out.excludes.sort_by_key(|e| e.signature);
    out
}
