//! Compilation of actuators (mjCActuator): transmission target, ranges, activation dimension.

use super::Context;
use super::body::Tree;
use super::chain::Chains;
use super::lower::{id, optional, row, user};
use super::nontree::NonTreeElements;
use super::plugin::Plugins;
use super::symbols::SymbolTable;
use super::tendon::CompiledTendon;
use crate::spec::{Actuator, Tri};
use sim_core::types::{BiasType, DynType, GainType, JointType, TransmissionType};
use sim_core::{Capabilities, Model};

/// Maximum number of samples of a history buffer.
const MAX_SAMPLES: i32 = 1 << 24;

/// A compiled actuator.
#[derive(Debug)]
pub(super) struct CompiledActuator<'a> {
    pub(super) spec: &'a Actuator,
    target: Target,
    ctrllimited: bool,
    forcelimited: bool,
    actlimited: bool,
    ctrlrange: [f64; 2],
    actrange: [f64; 2],
    pub(super) actdim: usize,
    plugin: Option<usize>,
}

/// Transmission target of an actuator.
#[derive(Debug, Clone, Copy)]
struct Target {
    object: usize,
    /// Slider site or reference site.
    second: Option<usize>,
    /// Upper bound on the nonzeros of its moment arm.
    dofs: usize,
}

impl CompiledActuator<'_> {
    /// Upper bound on the nonzeros of its moment arm.
    pub(super) const fn dofs(&self) -> usize {
        self.target.dofs
    }

    /// Length of its history buffer: user value, cursor, times and controls.
    pub(super) fn history(&self) -> usize {
        match usize::try_from(self.spec.nsample) {
            Ok(samples) if samples > 0 => 2 + 2 * samples,
            _ => 0,
        }
    }
}

/// Objects that actuators refer to.
pub(super) struct Objects<'o, 't, 'a> {
    pub(super) symbols: &'o SymbolTable<'a>,
    pub(super) plugins: &'o Plugins<'a>,
    pub(super) tree: &'t Tree<'a>,
    pub(super) tendons: &'o [CompiledTendon<'a>],
    pub(super) nv: usize,
}

pub(super) fn actuator<'a>(
    context: &mut Context<'a, '_>,
    objects: &Objects<'_, '_, 'a>,
    chains: &mut Chains<'_, 'a>,
    a: &'a Actuator,
) -> Option<CompiledActuator<'a>> {
    let (origin, element) = (a.origin, a.element);
    if let Some(error) = a.error {
        context.invalid(origin, element, Some(error.attribute), error.message);
    }
    let declared = context.spec.size.nuser_actuator;
    context.check_user(origin, element, &a.user, declared, "nuser_actuator");
    let target = target(context, objects, chains, a);
    let has_dof_terms = matches!(
        a.trntype,
        TransmissionType::Joint | TransmissionType::JointInParent | TransmissionType::Tendon
    );
    for (name, used) in [("damping", a.damping != [0.0; 3]), ("armature", a.armature != 0.0)] {
        if used && !has_dof_terms {
            let message = "requires a joint or tendon transmission";
            context.invalid(origin, element, Some(name), message);
        }
    }

    let tendon = target.filter(|_| a.trntype == TransmissionType::Tendon);
    let wrapped =
        tendon.and_then(|t| objects.tendons.get(t.object)).is_some_and(CompiledTendon::wraps_geom);
    if wrapped && a.armature * a.gear[0] * a.gear[0] != 0.0 {
        let message = "is not supported for a tendon that wraps around geoms";
        context.invalid(origin, element, Some("armature"), message);
    }

    let (mut ctrlrange, mut actrange) = (a.ctrlrange, a.actrange);
    let servo = a.gaintype == GainType::Fixed
        && a.biastype == BiasType::Affine
        && a.gainprm[0] == -a.biasprm[1];
    if servo && a.inheritrange > 0.0 {
        let target = target?;
        match a.dyntype {
            DynType::None | DynType::FilterExact => {
                inherit_range(context, objects, a, target, &mut ctrlrange);
            }
            DynType::Integrator => inherit_range(context, objects, a, target, &mut actrange),
            _ => {
                let message = "only position and intvelocity actuators can inherit a range";
                context.invalid(origin, element, Some("inheritrange"), message);
            }
        }
    }

    let mut limit = |limited: Tri, range: [f64; 2], name: &str| {
        let active = context.limit((origin, element), name, limited, range);
        if active {
            context.check_range((origin, element), &format!("{name}range"), range);
        }
        active
    };
    let forcelimited = limit(a.forcelimited, a.forcerange, "force");
    let ctrllimited = limit(a.ctrllimited, ctrlrange, "ctrl");
    let actlimited = limit(a.actlimited, actrange, "act");
    if actlimited && a.dyntype == DynType::None {
        let message = "requires an actuator with activation, but dyntype is `none`";
        context.invalid(origin, element, Some("actrange"), message);
    }
    check_parameters(context, a);
    let actdim = activation_dimension(context, a);
    let acting = (Capabilities::ACTUATOR, "actuators");
    let plugin = objects.plugins.find(context, a.plugin.as_deref(), acting);
    Some(CompiledActuator {
        spec: a,
        target: target?,
        ctrllimited,
        forcelimited,
        actlimited,
        ctrlrange,
        actrange,
        actdim,
        plugin,
    })
}

fn target<'a>(
    context: &mut Context<'a, '_>,
    objects: &Objects<'_, '_, 'a>,
    chains: &mut Chains<'_, 'a>,
    a: &Actuator,
) -> Option<Target> {
    let (symbols, tree) = (objects.symbols, objects.tree);
    let (names, kind, attribute) = match a.trntype {
        TransmissionType::Joint | TransmissionType::Undefined => (&symbols.joint, "joint", "joint"),
        TransmissionType::JointInParent => (&symbols.joint, "joint", "jointinparent"),
        TransmissionType::SliderCrank => (&symbols.site, "site", "cranksite"),
        TransmissionType::Tendon => (&symbols.tendon, "tendon", "tendon"),
        TransmissionType::Site => (&symbols.site, "site", "site"),
        TransmissionType::Body => (&symbols.body, "body", "body"),
    };
    let mut find = |names, kind, name: &str, attribute| {
        symbols.find(context, names, kind, name, (a.origin, a.element, attribute))
    };
    let object = find(names, kind, &a.target, attribute);
    let second = match a.trntype {
        TransmissionType::SliderCrank => {
            Some(find(&symbols.site, "site", &a.slidersite, "slidersite")?)
        }
        TransmissionType::Site if !a.refsite.is_empty() => {
            Some(find(&symbols.site, "site", &a.refsite, "refsite")?)
        }
        _ => None,
    };
    if a.trntype == TransmissionType::SliderCrank && a.cranklength <= 0.0 {
        context.invalid(a.origin, a.element, Some("cranklength"), "must be positive");
    }
    let object = object?;
    let dofs = match a.trntype {
        TransmissionType::Tendon => objects.tendons.get(object).map_or(0, |t| t.dofs),
        TransmissionType::SliderCrank => {
            let bodies = [Some(object), second].into_iter().flatten();
            chains.union(bodies.map(|site| tree.sites[site].body))
        }
        TransmissionType::Site => {
            let reference = second.map_or(0, |site| tree.sites[site].body);
            chains.difference(tree.sites[object].body, reference)
        }
        TransmissionType::Body => objects.nv,
        _ => tree.joints[object].nv(),
    };
    Some(Target { object, second, dofs })
}

/// Range of the transmission target, scaled by `inheritrange` about its midpoint.
fn inherit_range(
    context: &mut Context<'_, '_>,
    objects: &Objects<'_, '_, '_>,
    a: &Actuator,
    target: Target,
    range: &mut [f64; 2],
) {
    let mut invalid = |message: &str| {
        context.invalid(a.origin, a.element, Some("inheritrange"), message);
    };
    let [low, high] = match a.trntype {
        TransmissionType::Joint => {
            let joint = &objects.tree.joints[target.object];
            if matches!(joint.spec.jtype, JointType::Free | JointType::Ball) {
                invalid("requires a hinge or slide joint");
                return;
            }
            joint.range
        }
        TransmissionType::Tendon => {
            // Missing only when the tendon itself has an error.
            objects.tendons.get(target.object).map_or([0.0; 2], |t| t.spec.range)
        }
        _ => {
            invalid("requires a joint or tendon transmission");
            return;
        }
    };
    if low == high {
        invalid("the target has no range to inherit; set its `range`");
        return;
    }
    let mean = 0.5 * (high + low);
    let radius = 0.5 * (high - low) * a.inheritrange;
    *range = [mean - radius, mean + radius];
}

/// Checks muscle parameters, delays and DC motors.
fn check_parameters(context: &mut Context<'_, '_>, a: &Actuator) {
    let mut invalid = |attribute: &str, message: String| {
        context.invalid(a.origin, a.element, Some(attribute), message);
    };
    let attribute_name = |p: &'static str, muscle: &'static str| {
        if a.element == "muscle" { muscle } else { p }
    };
    for (muscle, name, prm) in [
        (a.gaintype == GainType::Muscle, "gainprm", &a.gainprm),
        (a.biastype == BiasType::Muscle && a.element != "muscle", "biasprm", &a.biasprm),
    ] {
        if !muscle {
            continue;
        }
        if prm[0] >= prm[1] {
            let message = "the first value of a muscle's range must be smaller than the second";
            invalid(attribute_name(name, "range"), message.to_owned());
        }
        if prm[4] >= 1.0 || prm[5] <= 1.0 {
            let attribute = attribute_name(name, if prm[4] >= 1.0 { "lmin" } else { "lmax" });
            invalid(attribute, "a muscle requires lmin < 1 < lmax".to_owned());
        }
        for (index, attribute) in [(3, "scale"), (6, "vmax"), (7, "fpmax"), (8, "fvmax")] {
            if prm[index] <= 0.0 {
                let message = format!("the {attribute} of a muscle must be positive");
                invalid(attribute_name(name, attribute), message);
            }
        }
    }
    if a.dyntype == DynType::DcMotor && !a.actearly {
        invalid("actearly", "must be true for a DC motor".to_owned());
    }
    if a.delay > 0.0 && a.nsample <= 0 {
        invalid("delay", "requires a history buffer: set `nsample`".to_owned());
    }
    if a.nsample > MAX_SAMPLES {
        invalid("nsample", format!("{} samples exceed the maximum of {MAX_SAMPLES}", a.nsample));
    }
}

/// Number of activation variables of an actuator.
fn activation_dimension(context: &mut Context<'_, '_>, a: &Actuator) -> usize {
    let stateless = a.dyntype == DynType::None;
    let motor = a.dyntype == DynType::DcMotor;
    let multiple = motor || a.dyntype == DynType::User;
    let mismatch = (a.actdim > 1 && !multiple)
        || (a.actdim == 1 && stateless)
        || (a.actdim == 0 && !stateless && !motor);
    // a plugin may have activations of its own
    if mismatch && a.plugin.is_none() {
        let message = format!("{} does not match the dyntype; remove it", a.actdim);
        context.invalid(a.origin, a.element, Some("actdim"), message);
    }
    let count = usize::try_from(a.actdim).unwrap_or_else(|_| usize::from(!stateless && !motor));
    if a.gaintype == GainType::DcMotor || (motor && count > 0) {
        // slew, integral, temperature, bristle and current
        let states = [a.dynprm[7], a.gainprm[5], a.dynprm[2], a.dynprm[5], a.dynprm[0]];
        let needed = states.iter().filter(|&&state| state > 0.0).count();
        if needed != count {
            let message = format!(
                "the parameters of this DC motor require {needed} activations, not {count}; \
                 use <dcmotor>, or set `dyntype`, `actdim`, `dynprm` and `gainprm` consistently"
            );
            context.invalid(a.origin, a.element, Some("actdim"), message);
        }
    }
    count
}

/// Fills the actuator arrays of the model.
pub(super) fn lower(nontree: &NonTreeElements<'_>, m: &mut Model) {
    let (mut act, mut history) = (0, 0);
    for (i, a) in nontree.actuators.iter().enumerate() {
        let s = a.spec;
        m.actuator_trntype[i] = s.trntype;
        m.actuator_plugin[i] = optional(a.plugin);
        m.actuator_dyntype[i] = s.dyntype;
        m.actuator_gaintype[i] = s.gaintype;
        m.actuator_biastype[i] = s.biastype;
        row(&mut m.actuator_trnid, i, &[id(a.target.object), optional(a.target.second)]);
        m.actuator_damping[i] = s.damping[0];
        row(&mut m.actuator_dampingpoly, i, &s.damping[1..]);
        m.actuator_armature[i] = s.armature;
        m.actuator_actadr[i] = if a.actdim == 0 { -1 } else { id(act) };
        m.actuator_actnum[i] = id(a.actdim);
        act += a.actdim;
        m.actuator_group[i] = s.group;
        row(&mut m.actuator_history, i, &[s.nsample, s.interp as i32]);
        m.actuator_historyadr[i] = if a.history() == 0 { -1 } else { id(history) };
        history += a.history();
        m.actuator_delay[i] = s.delay;
        m.actuator_ctrllimited[i] = a.ctrllimited;
        m.actuator_forcelimited[i] = a.forcelimited;
        m.actuator_actlimited[i] = a.actlimited;
        row(&mut m.actuator_dynprm, i, &s.dynprm);
        row(&mut m.actuator_gainprm, i, &s.gainprm);
        row(&mut m.actuator_biasprm, i, &s.biasprm);
        m.actuator_actearly[i] = s.actearly;
        row(&mut m.actuator_ctrlrange, i, &a.ctrlrange);
        row(&mut m.actuator_forcerange, i, &s.forcerange);
        row(&mut m.actuator_actrange, i, &a.actrange);
        row(&mut m.actuator_lengthrange, i, &s.lengthrange);
        row(&mut m.actuator_gear, i, &s.gear);
        m.actuator_cranklength[i] = s.cranklength;
        user(&mut m.actuator_user, i, m.nuser_actuator, &s.user);
    }
}
