//! Geom pairs grouped by narrow-phase function (mj_collision), and the generated dispatch over the groups.

mod convex;
pub(crate) mod distance;
mod geoms;
mod motion_bound;

use super::FAR;
use super::constraint::sol_params;
use super::tree_groups::TreeGroups;
use crate::GpuBatchError;
use crate::layout::{ModelTables, NONE};
use crate::shader::{Defines, Emitter, emit};
use sim_core::impedance::SolParams;
use sim_core::{ContactPair, Model, contact_pairs};
use sim_types::{DisableBit, GeomType};
use std::ops::Range;

/// Most pairs that the broad phase tests in every step.
const MAX_PAIRS: usize = 1 << 18;
/// Most pairs whose index fits 16 bits.
const MAX_PACKED_PAIRS: usize = 1 << 16;

/// Most contacts of a height field and a geom; the private memory of a lane grows with it.
const MAX_HFIELD_CONTACTS: usize = 24;

/// Least length of an array of contacts that the compiler of NVIDIA's driver keeps in memory.
const MIN_INDEXED_CONTACTS: usize = 12;

/// A narrow-phase function in WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    /// Sphere as a capsule of length zero.
    PlaneCapsule,
    PlaneEllipsoid,
    PlaneCylinder,
    PlaneBox,
    PlaneMesh,
    CapsuleCapsule,
    SphereCylinder,
    SphereBox,
    CapsuleBox,
    ConvexConvex,
    BoxBox,
}

impl Function {
    fn name(self) -> &'static str {
        match self {
            Self::PlaneCapsule => "plane_capsule",
            Self::PlaneEllipsoid => "plane_ellipsoid",
            Self::PlaneCylinder => "plane_cylinder",
            Self::PlaneBox => "plane_box",
            Self::PlaneMesh => "plane_mesh",
            Self::CapsuleCapsule => "capsule_capsule",
            Self::SphereCylinder => "sphere_cylinder",
            Self::SphereBox => "sphere_box",
            Self::CapsuleBox => "capsule_box",
            Self::ConvexConvex => "convex_convex",
            Self::BoxBox => "box_box",
        }
    }

    /// Whether the function is so long that a kernel is slower for containing it. Such pairs are skipped while their
    /// displacement bounds allow it, and are left to the second pass.
    fn is_long(self) -> bool {
        matches!(self, Self::ConvexConvex | Self::BoxBox)
    }

    /// Whether the function reads the tables of convex geoms.
    fn needs_convex_tables(self) -> bool {
        matches!(self, Self::PlaneMesh | Self::ConvexConvex)
    }
}

/// Extensions of [`Function::ConvexConvex`] that a pair of types needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extension {
    None,
    /// Several contacts from the faces of polyhedra.
    Multicontact,
    /// Prisms of height fields.
    HField,
}

/// The narrow-phase function of two geom types.
#[derive(Debug, PartialEq)]
struct Routine {
    types: [GeomType; 2],
    function: Function,
    /// Contacts it can find.
    max_contacts: usize,
    extension: Extension,
}

/// The dispatch table, ordered by geom types.
const ROUTINES: &[Routine] = {
    use Extension::{HField as Prisms, Multicontact};
    use Function::*;
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, HField, Mesh, Plane, Sphere};
    &[
        routine(Plane, Sphere, PlaneCapsule, 1),
        routine(Plane, Capsule, PlaneCapsule, 2),
        routine(Plane, Ellipsoid, PlaneEllipsoid, 1),
        routine(Plane, Cylinder, PlaneCylinder, 4),
        routine(Plane, Box, PlaneBox, 4),
        routine(Plane, Mesh, PlaneMesh, 3),
        extended(HField, Sphere, MAX_HFIELD_CONTACTS, Prisms),
        extended(HField, Capsule, MAX_HFIELD_CONTACTS, Prisms),
        extended(HField, Ellipsoid, MAX_HFIELD_CONTACTS, Prisms),
        extended(HField, Cylinder, MAX_HFIELD_CONTACTS, Prisms),
        extended(HField, Box, MAX_HFIELD_CONTACTS, Prisms),
        extended(HField, Mesh, MAX_HFIELD_CONTACTS, Prisms),
        routine(Sphere, Sphere, CapsuleCapsule, 1),
        routine(Sphere, Capsule, CapsuleCapsule, 1),
        routine(Sphere, Ellipsoid, ConvexConvex, 1),
        routine(Sphere, Cylinder, SphereCylinder, 1),
        routine(Sphere, Box, SphereBox, 1),
        routine(Sphere, Mesh, ConvexConvex, 1),
        routine(Capsule, Capsule, CapsuleCapsule, 2),
        routine(Capsule, Ellipsoid, ConvexConvex, 1),
        routine(Capsule, Cylinder, ConvexConvex, 5),
        routine(Capsule, Box, CapsuleBox, 2),
        routine(Capsule, Mesh, ConvexConvex, 5),
        routine(Ellipsoid, Ellipsoid, ConvexConvex, 1),
        routine(Ellipsoid, Cylinder, ConvexConvex, 1),
        routine(Ellipsoid, Box, ConvexConvex, 1),
        routine(Ellipsoid, Mesh, ConvexConvex, 1),
        routine(Cylinder, Cylinder, ConvexConvex, 5),
        routine(Cylinder, Box, ConvexConvex, 5),
        routine(Cylinder, Mesh, ConvexConvex, 5),
        // eight vertices of two faces, and duplicates that rounding produces
        routine(Box, Box, BoxBox, 12),
        extended(Box, Mesh, 5, Multicontact),
        extended(Mesh, Mesh, 5, Multicontact),
    ]
};

const fn routine(a: GeomType, b: GeomType, function: Function, max_contacts: usize) -> Routine {
    Routine { types: [a, b], function, max_contacts, extension: Extension::None }
}

const fn extended(a: GeomType, b: GeomType, max_contacts: usize, extension: Extension) -> Routine {
    Routine { types: [a, b], function: Function::ConvexConvex, max_contacts, extension }
}

/// The pairs of one narrow-phase function.
#[derive(Debug)]
struct Group {
    routines: Vec<&'static Routine>,
    pairs: Vec<ContactPair>,
    /// Pairs of height fields and spheres, which are the first ones.
    hfield_spheres: usize,
}

impl Group {
    fn function(&self) -> Function {
        self.routines[0].function
    }
}

/// Collision detection of a model.
#[derive(Debug)]
pub(crate) struct Collision {
    groups: Vec<Group>,
    lanes: usize,
    /// Geoms that occur in pairs.
    pub ngeom: usize,
    /// Pairs.
    pub npair: usize,
    /// Contacts that a pair may have: of all functions, and of the short ones.
    max_contacts: [usize; 2],
    /// Largest condim of a pair.
    pub max_condim: usize,
    /// Words of the queue of pairs.
    pub queue: usize,
    /// Numbers per environment for displacement budgets and the reference configuration; zero without long functions.
    pub separation: usize,
    /// Whether a contact can couple two tree groups.
    pub couples_groups: bool,
    /// Geoms that occur in pairs or whose distance sensors measure.
    pub geoms: Vec<usize>,
    /// Functions that measure distances.
    distance_functions: Vec<Function>,
}

impl Collision {
    /// `distances` are the pairs of geoms whose distance sensors measure.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] if there are too many pairs, or pairs or meshes without a narrow-phase function.
    pub(crate) fn new(
        m: &Model,
        tree_groups: &TreeGroups,
        distances: &[[usize; 2]],
        t: &mut ModelTables,
    ) -> Result<Self, GpuBatchError> {
        let off = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
        let all = if off { Some(Vec::new()) } else { contact_pairs(m, MAX_PAIRS) };
        let Some(all) = all else {
            let what = format!("more than {MAX_PAIRS} pairs of geoms may collide");
            return Err(unsupported(what));
        };
        let groups = group_pairs(m, all)?;
        let pairs: Vec<&ContactPair> = groups.iter().flat_map(|group| &group.pairs).collect();
        let geoms = pairs.iter().flat_map(|pair| pair.geoms);
        let mut geoms: Vec<usize> = geoms.chain(distances.iter().flatten().copied()).collect();
        geoms.sort_unstable();
        geoms.dedup();
        let max_condim = pairs.iter().map(|p| p.dim).max().unwrap_or(0);
        t.size("NGEOM", geoms.len());
        t.size("NPAIR", pairs.len());
        t.size("MAX_DIM", max_condim);
        geoms::declare(m, &geoms, t);
        let couples_groups = pair_tables(m, &pairs, &geoms, tree_groups, t);
        let (distance_functions, distance_contacts) = distance::functions(m, distances);
        let convex = routines(&groups).any(|routine| routine.function.needs_convex_tables());
        if convex || distance_functions.iter().any(|function| function.needs_convex_tables()) {
            convex::declare(m, &geoms, t)?;
        }
        let planes = groups.iter().filter(|group| group.routines[0].types[0] == GeomType::Plane);
        t.size("NPLANE", planes.map(|group| group.pairs.len()).sum());
        let function = groups.iter().enumerate().flat_map(|(k, group)| vec![k; group.pairs.len()]);
        t.indices("PAIR_ROUTINE", function);
        let max_contacts = |first_pass| {
            let all =
                routines(&groups).filter(|routine| !(first_pass && routine.function.is_long()));
            all.map(|routine| routine.max_contacts).max().unwrap_or(1).max(distance_contacts)
        };
        let max_contacts = [false, true].map(max_contacts);
        t.indices("PAIR_CONTACT_LIMIT", max_contacts);
        let long = groups.iter().any(|group| group.function().is_long());
        if long {
            motion_bound::declare(m, &geoms, t);
            let ancestor = |p: &&ContactPair| motion_bound::common_ancestor(m, bodies(m, p));
            t.indices("PAIR_ANCESTOR", pairs.iter().map(ancestor));
        }
        let (ngeom, npair, lanes) = (geoms.len(), pairs.len(), tree_groups.lanes());
        Ok(Self {
            groups,
            lanes,
            ngeom,
            npair,
            max_contacts,
            max_condim,
            queue: if npair == 0 { 0 } else { lanes },
            separation: if long { npair + m.nq + 7 * m.nmocap } else { 0 },
            couples_groups,
            geoms,
            distance_functions,
        })
    }

    /// Contacts that a pair may have.
    pub(crate) fn max_pair_contacts(&self) -> usize {
        self.max_contacts[0]
    }

    /// Length of the array of a lane's contacts in the kernel of a pass. Short arrays are kept in registers, which limit
    /// the occupancy: with four or five contacts, the first kernel of a go1 needs 157 registers instead of 116. Long
    /// functions need more registers anyway, and their private memory is limited.
    pub(crate) fn contact_points(&self, first_pass: bool) -> usize {
        let most = self.max_contacts[usize::from(first_pass)];
        let long = self.has_long() && !first_pass;
        if long || most <= 2 { most } else { most.max(MIN_INDEXED_CONTACTS) }
    }

    /// Geoms of each pair, in the order of kernels.
    pub(crate) fn pair_geoms(&self) -> Vec<[usize; 2]> {
        self.groups.iter().flat_map(|group| group.pairs.iter().map(|pair| pair.geoms)).collect()
    }

    /// Whether a first pass without long functions, which suspends environments that need them, is useful.
    pub(crate) fn supports_two_passes(&self) -> bool {
        self.has_long() || self.couples_groups
    }

    fn has_long(&self) -> bool {
        self.groups.iter().any(|group| group.function().is_long())
    }

    /// Whether the index of a pair does not fit 16 bits.
    pub(crate) fn has_many_pairs(&self) -> bool {
        self.npair > MAX_PACKED_PAIRS
    }

    /// Selects the template files of the narrow phase; the first pass has no long functions.
    pub(crate) fn define(&self, first_pass: bool, defines: &mut Defines) {
        let used: Vec<&Routine> = routines(&self.groups)
            .filter(|routine| !(first_pass && routine.function.is_long()))
            .collect();
        let any = |functions: &[Function]| {
            used.iter().any(|r| functions.contains(&r.function))
                || self.distance_functions.iter().any(|f| functions.contains(f))
        };
        let extended = |extension: Extension| used.iter().any(|r| r.extension == extension);
        use Function::{
            BoxBox, CapsuleBox, CapsuleCapsule, ConvexConvex, PlaneBox, PlaneCapsule,
            PlaneCylinder, PlaneEllipsoid, PlaneMesh, SphereBox, SphereCylinder,
        };
        let plane = [PlaneCapsule, PlaneEllipsoid, PlaneCylinder, PlaneBox];
        for (name, defined) in [
            ("COLLIDE_MOTION_BOUND", self.has_long()),
            ("MANY_PAIRS", self.has_many_pairs()),
            ("COLLIDE_PLANE", any(&plane)),
            ("COLLIDE_PLANE_MESH", any(&[PlaneMesh])),
            ("COLLIDE_CAPSULE", any(&[CapsuleCapsule, SphereCylinder])),
            ("COLLIDE_SPHERE_BOX", any(&[SphereBox, CapsuleBox])),
            ("COLLIDE_BOX_BOX", any(&[BoxBox])),
            ("COLLIDE_SUPPORT", any(&[PlaneMesh, ConvexConvex])),
            ("COLLIDE_CONVEX", any(&[ConvexConvex])),
            ("COLLIDE_MULTICONTACT", extended(Extension::Multicontact)),
            ("COLLIDE_HFIELD", extended(Extension::HField)),
            ("COLLIDE_HFIELD_SPHERE", first_pass && self.hfield_spheres().is_some()),
        ] {
            defines.set(name, defined);
        }
    }

    /// Whether the kernel of a pass contains prisms of height fields.
    pub(crate) fn has_prisms(&self, first_pass: bool) -> bool {
        !first_pass && routines(&self.groups).any(|r| r.extension == Extension::HField)
    }

    /// Pairs of height fields and spheres, which the first pass tests in closed form.
    fn hfield_spheres(&self) -> Option<Range<usize>> {
        let convex = self.groups.iter().position(|g| g.function() == Function::ConvexConvex)?;
        let start = self.groups[..convex].iter().map(|group| group.pairs.len()).sum();
        // the first ones of their group
        let count = self.groups[convex].hfield_spheres;
        (count > 0).then_some(start..start + count)
    }

    /// The function `collision` and the functions that it calls for each group of pairs.
    pub(crate) fn emit(&self, first_pass: bool) -> String {
        let mut out = Emitter::default();
        let count = |group: &Group| group.pairs.len();
        let short = || self.groups.iter().filter(|group| !group.function().is_long());
        let (nshort, total) = (short().map(count).sum::<usize>(), self.npair);
        let mut ranges = Vec::new();
        if nshort > 0 {
            let name = "collide_short".to_string();
            ranges.push(PairRange { pairs: 0..nshort, test: "broadphase_bits", function: name });
            emit_short(&mut out, short());
        }
        let test = "expired_pair_bits";
        if first_pass && nshort < total {
            let name = "collide_long".to_string();
            emit_obb_test(&mut out, &name, "suspend_requested = true;");
            let mut long = |pairs: Range<usize>| {
                if !pairs.is_empty() {
                    ranges.push(PairRange { pairs, test, function: name.clone() });
                }
            };
            match self.hfield_spheres() {
                None => long(nshort..total),
                Some(spheres) => {
                    long(nshort..spheres.start);
                    long(spheres.end..total);
                    let function = "collide_hfield_sphere".to_string();
                    ranges.push(PairRange { pairs: spheres, test, function });
                }
            }
        } else {
            let mut start = nshort;
            for group in self.groups.iter().filter(|group| group.function().is_long()) {
                let (name, end) = (group.function().name(), start + count(group));
                let (function, narrow) = (format!("collide_{name}"), format!("contacts_{name}"));
                emit_obb_test(&mut out, &function, &format!("{narrow}(p, near);"));
                emit_long(&mut out, &narrow, group.function());
                ranges.push(PairRange { pairs: start..end, test, function });
                start = end;
            }
        }
        self.emit_distances(&mut out);
        emit!(out, open "fn collision()");
        emit!(out, "ncon = 0u;");
        emit!(out, "suspend_requested = false;");
        if self.has_long() {
            emit!(out, "update_displacements();");
        }
        for range in &ranges {
            range.emit(&mut out, self.lanes);
        }
        emit!(out, "find_coupling();");
        out.close();
        out.finish()
    }
}

fn unsupported(what: String) -> GpuBatchError {
    GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" }
}

/// Bodies of a pair.
fn bodies(m: &Model, pair: &ContactPair) -> [usize; 2] {
    pair.geoms.map(|g| m.geom_bodyid[g] as usize)
}

/// Tables of pairs. Returns whether one of them can couple two tree groups.
fn pair_tables(
    m: &Model,
    pairs: &[&ContactPair],
    geoms: &[usize],
    tree_groups: &TreeGroups,
    t: &mut ModelTables,
) -> bool {
    let position = |g: usize| geoms.partition_point(|&other| other < g);
    let pack = |[a, b]: [usize; 2]| a | b << 16;
    t.indices("PAIR_GEOMS", pairs.iter().map(|p| pack(p.geoms.map(position))));
    t.indices("PAIR_BODIES", pairs.iter().map(|p| pack(bodies(m, p))));
    // the only tree group that the pair affects
    let group = |pair: &ContactPair| match bodies(m, pair).map(|b| tree_groups.of_body(m, b)) {
        [Some(a), Some(b)] if a != b => NONE as usize,
        [a, b] => a.or(b).unwrap_or(0),
    };
    let couples = tree_groups.len() > 1 && pairs.iter().any(|pair| group(pair) == NONE as usize);
    t.size("GROUPS_MAY_COUPLE", usize::from(couples));
    t.indices("PAIR_GROUP", pairs.iter().map(|pair| group(pair)));
    t.indices("PAIR_DIM", pairs.iter().map(|p| p.dim));
    let distances =
        |p: &&ContactPair| [bound_distance(m, p), p.margin, p.includemargin, obb_slack(m, p)];
    t.vec4s("PAIR_DISTANCES", pairs.iter().map(distances));
    t.scalars("PAIR_FRICTION", pairs.iter().flat_map(|p| p.friction));
    let params = |p: &&ContactPair| {
        let params = SolParams::with_friction(&m.opt, p.solref, p.solreffriction, p.solimp);
        let invweight =
            |k: usize| -> f64 { bodies(m, p).iter().map(|b| m.body_invweight0[2 * b + k]).sum() };
        let [k, b, dmin, dmax, width, midpoint, power] = sol_params(&params);
        let friction_b = match params.solreffriction != [0.0; 2] {
            true => params.reference(params.solreffriction).damping,
            false => b,
        };
        [k, b, dmin, dmax, width, midpoint, power, invweight(0), invweight(1), friction_b]
    };
    t.vec4s("PAIR_SOLPARAMS", pairs.iter().map(params));
    couples
}

/// Groups pairs by function, short functions first. A function has one group, because drivers inline it at every call
/// site.
fn group_pairs(m: &Model, all: Vec<ContactPair>) -> Result<Vec<Group>, GpuBatchError> {
    let mut by_types: Vec<(&Routine, Vec<ContactPair>)> =
        ROUTINES.iter().map(|routine| (routine, Vec::new())).collect();
    for pair in all {
        let types = pair.geoms.map(|g| m.geom_type[g]);
        // two static geoms
        if bodies(m, &pair).iter().all(|&b| m.body_treeid[b] < 0) {
            continue;
        }
        match by_types.iter_mut().find(|(routine, _)| routine.types == types) {
            Some((_, pairs)) => pairs.push(pair),
            None => {
                return Err(unsupported(format!(
                    "a {:?} and a {:?} may collide",
                    types[0], types[1]
                )));
            }
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for (routine, pairs) in by_types.into_iter().filter(|(_, pairs)| !pairs.is_empty()) {
        match groups.iter_mut().find(|group| group.function() == routine.function) {
            Some(group) => {
                group.routines.push(routine);
                group.pairs.extend(pairs);
            }
            None => {
                let spheres = routine.types == [GeomType::HField, GeomType::Sphere];
                let hfield_spheres = if spheres { pairs.len() } else { 0 };
                groups.push(Group { routines: vec![routine], pairs, hfield_spheres });
            }
        }
    }
    groups.sort_by_key(|group| group.function().is_long());
    Ok(groups)
}

/// Largest distance between the centers of the bounding spheres, or of the sphere and the plane, at which a pair is
/// tested, m.
fn bound_distance(m: &Model, pair: &ContactPair) -> f64 {
    let [a, b] = pair.geoms.map(|g| m.geom_rbound[g]);
    // unbounded geoms are always tested
    let unbounded = b <= 0.0 || a <= 0.0 && m.geom_type[pair.geoms[0]] != GeomType::Plane;
    if unbounded { FAR } else { a + b + pair.margin }
}

/// Distance of the oriented bounding boxes up to which the narrow phase runs, m. Bounding boxes that are almost in
/// contact would be tested again and again while the geoms inside are farther apart. Box pairs are their own bounding
/// boxes, and for height fields the narrow phase finds no distance.
fn obb_slack(m: &Model, pair: &ContactPair) -> f64 {
    let [a, b] = pair.geoms.map(|g| m.geom_type[g]);
    let exact = a == GeomType::HField || [a, b] == [GeomType::Box; 2];
    if exact { 0.0 } else { 0.03 * bound_distance(m, pair) }
}

fn routines(groups: &[Group]) -> impl Iterator<Item = &'static Routine> {
    groups.iter().flat_map(|group| group.routines.iter().copied())
}

/// A range of pairs that is tested by one function.
struct PairRange {
    pairs: Range<usize>,
    /// Function that selects the pairs to test.
    test: &'static str,
    /// Function that tests a pair in each lane.
    function: String,
}

impl PairRange {
    /// Selects up to 32 pairs in each lane and distributes them over the lanes, one at a time.
    fn emit(&self, out: &mut Emitter, lanes: usize) {
        let Range { start, end } = self.pairs;
        // a loop adds instructions even if it has a single iteration
        if self.pairs.len() <= 32 * lanes {
            emit!(out, "{{");
            emit!(out, "let start = {start}u;");
        } else {
            emit!(out, "for (var start = {start}u; start < {end}u; start += 32u * LANES) {{");
        }
        emit!(out, "var bits = {}(start, {end}u);", self.test);
        emit!(out, open "loop");
        emit!(out, "let count = queue_pairs(&bits, start);");
        emit!(out, "if count == 0u {{ break; }}");
        emit!(out, "let p = u32(w[PAIR_QUEUE + lane]);");
        emit!(out, "// the queue is refilled after this barrier");
        emit!(out, "sync();");
        emit!(out, "{}(p, lane < count);", self.function);
        emit!(out, "if count <= LANES {{ break; }}");
        out.close();
        emit!(out, "}}");
    }
}

/// Poses of a pair's geoms. Each function loads its own: sharing them would occupy registers for the others.
const POSES: &str = "geom_pose(geom1(p)), geom_pose(geom2(p))";

/// The function of all short narrow-phase functions.
fn emit_short<'a>(out: &mut Emitter, groups: impl Iterator<Item = &'a Group>) {
    emit!(out, open "fn collide_short(p: u32, near: bool)");
    emit!(out, "var contacts: ContactPoints;");
    emit!(out, "pair_ncon = 0u;");
    emit!(out, open "if near");
    emit!(out, "let margin = f4(PAIR_DISTANCES, p).y;");
    emit!(out, "let routine = ti[PAIR_ROUTINE + p];");
    for (k, group) in groups.enumerate() {
        let name = group.function().name();
        // capsule-box is long enough to be worth another test
        let test = match group.function() {
            Function::CapsuleBox => format!(" && obb_separation({POSES}, p) <= 0.0"),
            _ => String::new(),
        };
        emit!(out, "if routine == {k}u{test} {{ {name}(&contacts, {POSES}, margin); }}");
    }
    out.close();
    emit!(out, "store_contacts(&contacts, p);");
    out.close();
}

/// A function that tests oriented bounding boxes first, and continues with `then` if any lane's boxes overlap.
fn emit_obb_test(out: &mut Emitter, name: &str, then: &str) {
    emit!(out, open "fn {name}(p: u32, queued: bool)");
    emit!(out, "var near = queued;");
    emit!(out, "if queued {{ near = obb_overlap(p); }}");
    emit!(out, "if workgroup_any(near) {{ {then} }}");
    out.close();
}

/// The function of a long narrow-phase function.
fn emit_long(out: &mut Emitter, name: &str, function: Function) {
    let scratch = match function {
        Function::ConvexConvex => "ConvexScratch",
        _ => "BoxScratch",
    };
    emit!(out, open "fn {name}(p: u32, near: bool)");
    emit!(out, "var contacts: ContactPoints;");
    emit!(out, "var ws: {scratch};");
    emit!(out, "pair_ncon = 0u;");
    emit!(out, "pair_separation = 0.0;");
    emit!(out, open "if near");
    emit!(out, "{}(&contacts, &ws, {POSES}, f4(PAIR_DISTANCES, p).y);", function.name());
    emit!(out, "if pair_ncon == 0u {{ store_separation(p, pair_separation); }}");
    out.close();
    emit!(out, "store_contacts(&contacts, p);");
    out.close();
}

#[cfg(test)]
mod tests {
    use super::ROUTINES;

    #[test]
    fn types_of_a_pair_are_ordered() {
        for routine in ROUTINES {
            assert!(routine.types[0] <= routine.types[1], "{}", routine.function.name());
        }
    }
}
