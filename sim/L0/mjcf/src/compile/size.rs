//! Sizes of the model's arrays.

use super::Context;
use super::actuator::CompiledActuator;
use super::asset::{self, Assets};
use super::body::Tree;
use super::equality::CompiledEquality;
use super::flex;
use super::joint::CompiledJoint;
use super::nontree::NonTreeElements;
use super::plugin::Plugins;
use super::sensor::CompiledSensor;
use super::skin;
use super::sparse;
use sim_core::{Model, ModelSizes, NAMES_MAP_FACTOR};
use std::collections::HashMap;

/// Maximum size of a model, in bytes.
const MAX_BYTES: usize = 1 << 31;

/// Computes every size; reports a model that exceeds the memory limit.
pub(super) fn sizes(
    context: &mut Context<'_, '_>,
    (assets, plugins): (&Assets<'_>, &Plugins<'_>),
    tree: &Tree<'_>,
    nontree: &NonTreeElements<'_>,
) -> ModelSizes {
    let spec = context.spec;
    let requested = |n: i32| usize::try_from(n).unwrap_or(0);
    // The default of a user size is the length of the longest user data.
    let user = |declared: i32, longest: Option<usize>| {
        usize::try_from(declared).unwrap_or_else(|_| longest.unwrap_or(0))
    };
    macro_rules! longest {
        ($list:expr) => {
            $list.iter().map(|o| o.spec.user.len()).max()
        };
    }
    let size = &spec.size;
    let mut s = ModelSizes {
        nq: tree.joints.iter().map(CompiledJoint::nq).sum(),
        nv: tree.joints.iter().map(CompiledJoint::nv).sum(),
        nu: nontree.actuators.len(),
        na: nontree.actuators.iter().map(|a| a.actdim).sum(),
        nbody: tree.bodies.len(),
        nbvhstatic: tree.bodies.iter().map(|b| b.bvh.len()).sum::<usize>() + tree.unused_bvh_nodes,
        njnt: tree.joints.len(),
        ngeom: tree.geoms.len(),
        nsite: tree.sites.len(),
        ncam: tree.cameras.len(),
        nlight: tree.lights.len(),
        npair: nontree.pairs.len(),
        nexclude: nontree.excludes.len(),
        neq: nontree.equalities.len(),
        nemax: nontree.equalities.iter().map(CompiledEquality::rows).sum(),
        ntendon: nontree.tendons.len(),
        nwrap: nontree.tendons.iter().map(|t| t.path.len()).sum(),
        nJten: nontree.tendons.iter().map(|t| t.dofs).sum(),
        nJmom: nontree.actuators.iter().map(CompiledActuator::dofs).sum(),
        nhistory: nontree.actuators.iter().map(CompiledActuator::history).sum::<usize>()
            + nontree.sensors.iter().map(CompiledSensor::history).sum::<usize>(),
        nmocap: tree.bodies.iter().filter(|b| b.spec.mocap).count(),
        nsensor: nontree.sensors.len(),
        nsensordata: nontree.sensors.iter().map(|x| x.dim).sum(),
        nnumeric: spec.numerics.len(),
        nnumericdata: spec.numerics.iter().map(|n| n.data.len()).sum(),
        ntext: spec.texts.len(),
        ntextdata: spec.texts.iter().map(|t| t.data.len() + 1).sum(),
        nkey: nontree.nkey,
        nuser_body: user(size.nuser_body, longest!(tree.bodies)),
        nuser_jnt: user(size.nuser_jnt, longest!(tree.joints)),
        nuser_geom: user(size.nuser_geom, longest!(tree.geoms)),
        nuser_site: user(size.nuser_site, longest!(tree.sites)),
        nuser_cam: user(size.nuser_cam, longest!(tree.cameras)),
        nuser_tendon: user(size.nuser_tendon, longest!(nontree.tendons)),
        nuser_actuator: user(size.nuser_actuator, longest!(nontree.actuators)),
        nuser_sensor: user(size.nuser_sensor, longest!(nontree.sensors)),
        nuserdata: requested(size.nuserdata),
        njmax: requested(size.njmax),
        nconmax: requested(size.nconmax),
        ntuple: spec.tuples.len(),
        ntupledata: nontree.tuples.len(),
        ..ModelSizes::default()
    };
    asset::sizes(assets, nontree, &mut s);
    flex::sizes(&nontree.flexes, &mut s);
    skin::sizes(&nontree.skins, &mut s);
    plugins.sizes(&mut s);
    s.nbvh = s.nbvhstatic + s.nbvhdynamic;
    s.nnames = super::names::length(spec, (assets, plugins), tree, nontree);
    s.nnames_map = NAMES_MAP_FACTOR * named_objects(&s);
    sparse::sizes(tree, nontree, &mut s);
    check_memory(context, &s);
    s
}

/// Number of objects of all types that can have a name.
fn named_objects(s: &ModelSizes) -> usize {
    let tree = [s.nbody, s.njnt, s.ngeom, s.nsite, s.ncam, s.nlight];
    let assets = [s.nflex, s.nmesh, s.nskin, s.nhfield, s.ntex, s.nmat];
    let other = [s.npair, s.nexclude, s.neq, s.ntendon, s.nu, s.nsensor];
    let custom = [s.nnumeric, s.ntext, s.ntuple, s.nkey, s.nplugin];
    tree.iter().chain(&assets).chain(&other).chain(&custom).sum()
}

/// Arena bytes that mj_setConst requires per body, and per model (MuJoCo 3.8.0).
const ARENA_BODY: u64 = 96;
const ARENA_MODEL: u64 = 24;
/// Maximum size of the arena, in bytes.
const ARENA_MAX: u64 = 1 << 40;

/// Checks the total size of all arrays and the size of the arena.
fn check_memory(context: &mut Context<'_, '_>, sizes: &ModelSizes) {
    // Report at <size> if there is one, else at the root element.
    let (origin, element) =
        context.spec.size.origin.map_or((context.spec.origin, "mujoco"), |origin| (origin, "size"));
    if let Some(memory) = context.spec.size.memory {
        let min = ARENA_MODEL + ARENA_BODY * sizes.nbody as u64;
        if !(min..=ARENA_MAX).contains(&memory) {
            let message = format!("{memory} bytes are out of the range [{min}, {ARENA_MAX}]");
            context.invalid(origin, element, Some("memory"), message);
        }
    }
    let mut known = HashMap::new();
    sizes.visit(&mut |name, n| {
        known.insert(name, n);
    });
    let data = sizes.nuserdata.saturating_add(sizes.nhistory).saturating_add(sizes.npluginstate);
    let mut total = data.saturating_mul(8);
    for field in Model::FIELDS {
        let length = field.shape.iter().fold(8_usize, |bytes, factor| {
            let n = known.get(factor).copied().or_else(|| factor.parse().ok()).unwrap_or(1);
            bytes.saturating_mul(n)
        });
        if length > MAX_BYTES {
            let message = format!("the array {} would require {length} bytes", field.name);
            context.invalid(origin, element, None, message);
            return;
        }
        total = total.saturating_add(length);
    }
    if total > MAX_BYTES {
        let message = format!(
            "the model would require {total} bytes, which exceeds the maximum of {MAX_BYTES}"
        );
        context.invalid(origin, element, None, message);
    }
}
