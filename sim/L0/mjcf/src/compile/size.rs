//! Sizes of the model's arrays.

use super::Context;
use super::actuator::ActuatorOut;
use super::asset::{self, Assets};
use super::body::Tree;
use super::equality::EqualityOut;
use super::joint::JointOut;
use super::relations::Relations;
use super::sensor::SensorOut;
use super::sparse;
use sim_core::{Model, ModelSizes, NAMES_MAP_FACTOR};
use std::collections::HashMap;

/// A model whose arrays need more bytes than this is refused.
const MAX_BYTES: usize = 1 << 31;

/// Computes every size; reports a model that would not fit in memory.
pub(super) fn sizes(
    context: &mut Context<'_, '_>,
    assets: &Assets<'_>,
    tree: &Tree<'_>,
    relations: &Relations<'_>,
) -> ModelSizes {
    let spec = context.spec;
    let requested = |n: i32| usize::try_from(n).unwrap_or(0);
    // A user size that is not given is that of the longest user data.
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
        nq: tree.joints.iter().map(JointOut::nq).sum(),
        nv: tree.joints.iter().map(JointOut::nv).sum(),
        nu: relations.actuators.len(),
        na: relations.actuators.iter().map(|a| a.actdim).sum(),
        nbody: tree.bodies.len(),
        nbvhstatic: tree.bodies.iter().map(|b| b.bvh.len()).sum::<usize>() + tree.spare_nodes,
        njnt: tree.joints.len(),
        ngeom: tree.geoms.len(),
        nsite: tree.sites.len(),
        ncam: tree.cameras.len(),
        nlight: tree.lights.len(),
        npair: relations.pairs.len(),
        nexclude: relations.excludes.len(),
        neq: relations.equalities.len(),
        nemax: relations.equalities.iter().map(EqualityOut::rows).sum(),
        ntendon: relations.tendons.len(),
        nwrap: relations.tendons.iter().map(|t| t.path.len()).sum(),
        nJten: relations.tendons.iter().map(|t| t.dofs).sum(),
        nJmom: relations.actuators.iter().map(ActuatorOut::dofs).sum(),
        nhistory: relations.actuators.iter().map(ActuatorOut::history).sum::<usize>()
            + relations.sensors.iter().map(SensorOut::history).sum::<usize>(),
        nmocap: tree.bodies.iter().filter(|b| b.spec.mocap).count(),
        nsensor: relations.sensors.len(),
        nsensordata: relations.sensors.iter().map(|x| x.dim).sum(),
        nnumeric: spec.numerics.len(),
        nnumericdata: spec.numerics.iter().map(|n| n.data.len()).sum(),
        ntext: spec.texts.len(),
        ntextdata: spec.texts.iter().map(|t| t.data.len() + 1).sum(),
        nkey: relations.nkey,
        nuser_body: user(size.nuser_body, longest!(tree.bodies)),
        nuser_jnt: user(size.nuser_jnt, longest!(tree.joints)),
        nuser_geom: user(size.nuser_geom, longest!(tree.geoms)),
        nuser_site: user(size.nuser_site, longest!(tree.sites)),
        nuser_cam: user(size.nuser_cam, longest!(tree.cameras)),
        nuser_tendon: user(size.nuser_tendon, longest!(relations.tendons)),
        nuser_actuator: user(size.nuser_actuator, longest!(relations.actuators)),
        nuser_sensor: user(size.nuser_sensor, longest!(relations.sensors)),
        nuserdata: requested(size.nuserdata),
        njmax: requested(size.njmax),
        nconmax: requested(size.nconmax),
        ntuple: spec.tuples.len(),
        ntupledata: relations.tuples.len(),
        ..ModelSizes::default()
    };
    asset::sizes(assets, &mut s);
    s.nbvh = s.nbvhstatic;
    s.nnames = super::names::length(spec, assets, tree, relations);
    s.nnames_map = NAMES_MAP_FACTOR
        * (s.nbody
            + s.njnt
            + s.ngeom
            + s.nsite
            + s.ncam
            + s.nlight
            + s.nmesh
            + s.nhfield
            + s.ntex
            + s.nmat
            + s.npair
            + s.nexclude
            + s.neq
            + s.ntendon
            + s.nu
            + s.nsensor
            + s.nnumeric
            + s.ntext
            + s.ntuple
            + s.nkey);
    sparse::sizes(tree, relations, &mut s);
    check_memory(context, &s);
    s
}

/// Bytes of the arena that the reference constants need for each body, and once (MuJoCo 3.8.0).
const ARENA_BODY: u64 = 96;
const ARENA_MODEL: u64 = 24;
/// No machine has an arena of more bytes than this.
const ARENA_MAX: u64 = 1 << 40;

/// Adds up the bytes of all arrays, and compares the arena with what any model needs.
fn check_memory(context: &mut Context<'_, '_>, sizes: &ModelSizes) {
    // Requested sizes are to blame where there are any, and otherwise the model as a whole.
    let (origin, element) =
        context.spec.size.origin.map_or((context.spec.origin, "mujoco"), |origin| (origin, "size"));
    if let Some(memory) = context.spec.size.memory {
        let least = ARENA_MODEL + ARENA_BODY * sizes.nbody as u64;
        if !(least..=ARENA_MAX).contains(&memory) {
            let message = format!("{memory} bytes are not between {least} and {ARENA_MAX}");
            context.invalid(origin, element, Some("memory"), message);
        }
    }
    let mut known = HashMap::new();
    sizes.visit(&mut |name, n| {
        known.insert(name, n);
    });
    let mut total = sizes.nuserdata.saturating_add(sizes.nhistory).saturating_mul(8);
    for field in Model::FIELDS {
        let length = field.shape.iter().fold(8_usize, |bytes, factor| {
            let n = known.get(factor).copied().or_else(|| factor.parse().ok()).unwrap_or(1);
            bytes.saturating_mul(n)
        });
        if length > MAX_BYTES {
            let message = format!("the array {} would need {length} bytes", field.name);
            context.invalid(origin, element, None, message);
            return;
        }
        total = total.saturating_add(length);
    }
    if total > MAX_BYTES {
        let message = format!("the model would need {total} bytes; {MAX_BYTES} are the most");
        context.invalid(origin, element, None, message);
    }
}
