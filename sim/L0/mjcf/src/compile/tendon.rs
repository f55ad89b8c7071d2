//! Compilation of tendons (mjCTendon): path, limits, number of Jacobian nonzeros.

use super::Context;
use super::asset::Assets;
use super::body::Tree;
use super::chain::Chains;
use super::lower::{id, index, optional, row, user};
use super::nontree::NonTreeElements;
use super::symbols::SymbolTable;
use crate::spec::{Origin, Tendon, Wrap, WrapKind};
use sim_core::Model;
use sim_core::types::{GeomType, SleepPolicy, WrapType};

/// A compiled tendon.
#[derive(Debug)]
pub(super) struct CompiledTendon<'a> {
    pub(super) spec: &'a Tendon,
    pub(super) path: Vec<CompiledWrap>,
    material: Option<usize>,
    /// Upper bound on the nonzeros of its Jacobian.
    pub(super) dofs: usize,
    pub(super) limited: bool,
    actfrclimited: bool,
}

/// An element of the path.
#[derive(Debug)]
pub(super) struct CompiledWrap {
    wtype: WrapType,
    object: Option<usize>,
    parameter: f64,
    /// Body of a site or geom.
    body: Option<usize>,
}

impl CompiledTendon<'_> {
    /// Whether it wraps around a geom.
    pub(super) fn wraps_geom(&self) -> bool {
        self.path.iter().any(|w| matches!(w.wtype, WrapType::Sphere | WrapType::Cylinder))
    }

    /// Bodies whose inertia blocks are coupled by the armature of this tendon.
    pub(super) fn coupled(&self) -> impl Iterator<Item = usize> {
        let has_armature = self.spec.armature != 0.0;
        self.path.iter().filter_map(move |w| w.body.filter(|_| has_armature))
    }
}

pub(super) fn tendon<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    assets: &Assets<'a>,
    (tree, chains): (&Tree<'a>, &mut Chains<'_, 'a>),
    t: &'a Tendon,
) -> Option<CompiledTendon<'a>> {
    let (origin, element) = (t.origin, t.element);
    context.check_user(origin, element, &t.user, context.spec.size.nuser_tendon, "nuser_tendon");
    if t.path.is_empty() {
        context.invalid(origin, element, None, "the path is empty: add joints or sites");
        return None;
    }
    let spatial = !matches!(t.path[0].kind, WrapKind::Joint { .. });
    if spatial && t.path.len() < 2 {
        let message = "the path requires at least two elements";
        context.invalid(t.path[0].origin, element, None, message);
    }
    if spatial && t.width <= 0.0 {
        context.invalid(origin, element, Some("width"), "must be positive");
    }
    if spatial && t.armature < 0.0 {
        context.invalid(origin, element, Some("armature"), "must not be negative");
    }
    let path: Vec<_> = t.path.iter().map(|w| wrap(context, symbols, tree, w)).collect();
    let path: Vec<_> = path.into_iter().collect::<Option<_>>()?;
    for i in 0..path.len() {
        if let Some(message) = path_error(&path, i, t.armature) {
            let at: Origin = t.path[i].origin;
            context.invalid(at, tag(&t.path[i].kind), None, message);
        }
    }

    let material = assets.material(context, symbols, &t.material, (origin, element));
    let limited = context.limit((origin, element), "", t.limited, t.range);
    if limited {
        context.check_range((origin, element), "range", t.range);
    }
    let actfrclimited =
        context.limit((origin, element), "actuatorfrc", t.actfrclimited, t.actfrcrange);
    if actfrclimited {
        context.check_range((origin, element), "actuatorfrcrange", t.actfrcrange);
        if t.actfrcrange[0] > 0.0 || t.actfrcrange[1] < 0.0 {
            context.invalid(origin, element, Some("actuatorfrcrange"), "must contain zero");
        }
    }
    if t.springlength[0] > t.springlength[1] {
        let message = "the first length must not exceed the second";
        context.invalid(origin, element, Some("springlength"), message);
    }
    let dofs = if spatial { chains.union(path.iter().filter_map(|w| w.body)) } else { path.len() };
    Some(CompiledTendon { spec: t, path, material, dofs, limited, actfrclimited })
}

/// MJCF element name of a path element.
const fn tag(kind: &WrapKind) -> &'static str {
    match kind {
        WrapKind::Joint { .. } => "joint",
        WrapKind::Site { .. } => "site",
        WrapKind::Geom { .. } => "geom",
        WrapKind::Pulley { .. } => "pulley",
    }
}

fn wrap(
    context: &mut Context<'_, '_>,
    symbols: &SymbolTable<'_>,
    tree: &Tree<'_>,
    w: &Wrap,
) -> Option<CompiledWrap> {
    let mut out =
        CompiledWrap { wtype: WrapType::Pulley, object: None, parameter: 0.0, body: None };
    match &w.kind {
        WrapKind::Joint { joint, coef } => {
            let reference = (w.origin, "joint", "joint");
            out.wtype = WrapType::Joint;
            out.object = Some(symbols.find(context, &symbols.joint, "joint", joint, reference)?);
            out.parameter = *coef;
        }
        WrapKind::Site { site } => {
            let reference = (w.origin, "site", "site");
            let site = symbols.find(context, &symbols.site, "site", site, reference)?;
            out.wtype = WrapType::Site;
            out.object = Some(site);
            out.body = Some(tree.sites[site].body);
        }
        WrapKind::Geom { geom, sidesite } => {
            let reference = (w.origin, "geom", "geom");
            let geom = symbols.find(context, &symbols.geom, "geom", geom, reference)?;
            out.wtype = match tree.geoms[geom].spec.gtype {
                GeomType::Sphere => WrapType::Sphere,
                GeomType::Cylinder => WrapType::Cylinder,
                _ => {
                    let message = "a tendon can only wrap around a sphere or cylinder";
                    context.invalid(w.origin, "geom", Some("geom"), message);
                    return None;
                }
            };
            out.object = Some(geom);
            out.body = Some(tree.geoms[geom].body);
            out.parameter = if sidesite.is_empty() {
                -1.0
            } else {
                let reference = (w.origin, "geom", "sidesite");
                f64::from(id(symbols.find(context, &symbols.site, "site", sidesite, reference)?))
            };
        }
        WrapKind::Pulley { divisor } => {
            if *divisor < 0.0 {
                context.invalid(w.origin, "pulley", Some("divisor"), "must not be negative");
            }
            out.parameter = *divisor;
        }
    }
    Some(out)
}

/// Error in the sequence of path elements at `i`, if any.
fn path_error(path: &[CompiledWrap], i: usize, armature: f64) -> Option<&'static str> {
    use WrapType::{Joint, Pulley, Site};
    let before = i.checked_sub(1).map(|k| path[k].wtype);
    let after = path.get(i + 1).map(|w| w.wtype);
    let fixed = path[0].wtype == Joint;
    match path[i].wtype {
        Joint if fixed => None,
        Joint => Some("a spatial tendon cannot contain joints"),
        _ if fixed => Some("a fixed tendon can only contain joints"),
        Pulley if before == Some(Pulley) => Some("two consecutive pulleys; remove one"),
        Pulley if after.is_none() => Some("the path ends with a pulley; add sites after it"),
        Pulley => None,
        Site if before.is_none_or(|w| w == Pulley) && after.is_none_or(|w| w == Pulley) => {
            Some("a branch with a single site; it requires at least two")
        }
        Site if after == Some(Site) && path[i].object == path[i + 1].object => {
            Some("two consecutive identical sites; remove one")
        }
        Site => None,
        _ if before != Some(Site) || after != Some(Site) => {
            Some("a wrapping geom requires a site before and after it")
        }
        _ if armature > 0.0 => Some("a tendon with armature cannot wrap around geoms"),
        _ => None,
    }
}

/// Fills the tendon and wrap arrays of the model.
pub(super) fn lower(nontree: &NonTreeElements<'_>, m: &mut Model) {
    m.tendon_actuatorid.fill(-1);
    let mut adr = 0;
    for (i, tendon) in nontree.tendons.iter().enumerate() {
        let t = tendon.spec;
        m.tendon_adr[i] = id(adr);
        m.tendon_num[i] = id(tendon.path.len());
        m.tendon_matid[i] = optional(tendon.material);
        m.tendon_group[i] = t.group;
        m.tendon_limited[i] = tendon.limited;
        m.tendon_actfrclimited[i] = tendon.actfrclimited;
        m.tendon_width[i] = t.width;
        row(&mut m.tendon_solref_lim, i, &t.solref_limit);
        row(&mut m.tendon_solimp_lim, i, &t.solimp_limit);
        row(&mut m.tendon_solref_fri, i, &t.solref_friction);
        row(&mut m.tendon_solimp_fri, i, &t.solimp_friction);
        row(&mut m.tendon_range, i, &t.range);
        row(&mut m.tendon_actfrcrange, i, &t.actfrcrange);
        m.tendon_margin[i] = t.margin;
        m.tendon_stiffness[i] = t.stiffness[0];
        row(&mut m.tendon_stiffnesspoly, i, &t.stiffness[1..]);
        m.tendon_damping[i] = t.damping[0];
        row(&mut m.tendon_dampingpoly, i, &t.damping[1..]);
        m.tendon_armature[i] = t.armature;
        m.tendon_frictionloss[i] = t.frictionloss;
        row(&mut m.tendon_lengthspring, i, &t.springlength);
        user(&mut m.tendon_user, i, m.nuser_tendon, &t.user);
        row(&mut m.tendon_rgba, i, &t.rgba);
        for w in &tendon.path {
            m.wrap_type[adr] = w.wtype;
            m.wrap_objid[adr] = optional(w.object);
            m.wrap_prm[adr] = w.parameter;
            adr += 1;
        }
    }
}

/// Reports trees that may sleep although a tendon couples them by a force or couples more than two.
///
/// Requires the tree fields of the model.
pub(super) fn check_sleep(context: &mut Context<'_, '_>, m: &Model) {
    for (i, t) in context.spec.tendons.iter().enumerate().take(m.ntendon) {
        let force =
            t.stiffness != [0.0; 3] || t.damping != [0.0; 3] || m.tendon_actuatorid[i] != -1;
        let trees = m.tendon_treenum[i];
        if trees < 2 || (trees == 2 && !force) {
            continue;
        }
        let adr = index(m.tendon_adr[i]);
        let may_sleep = (adr..adr + index(m.tendon_num[i])).any(|w| {
            let object = index(m.wrap_objid[w]);
            let body = match m.wrap_type[w] {
                WrapType::Joint => m.jnt_bodyid[object],
                WrapType::Site => m.site_bodyid[object],
                WrapType::Sphere | WrapType::Cylinder => m.geom_bodyid[object],
                WrapType::Pulley | WrapType::None => return false,
            };
            let tree = usize::try_from(m.body_treeid[index(body)]);
            let policy = tree.ok().and_then(|tree| m.tree_sleep_policy.get(tree));
            matches!(policy, Some(SleepPolicy::Allowed | SleepPolicy::Init))
        });
        if may_sleep {
            let message = "couples bodies that may sleep; a tendon with a force, or between \
                           more than two trees, requires sleep=\"never\" or \"auto\"";
            context.invalid(t.origin, t.element, None, message);
        }
    }
}
