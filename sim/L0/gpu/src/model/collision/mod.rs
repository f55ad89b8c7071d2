//! Geom pairs grouped by narrow-phase function (mj_collision), and the generated dispatch over the groups.

mod convex;
mod dispatch;
pub(crate) mod distance;
mod geoms;
mod motion_bound;
mod sdf;

use super::FAR;
use super::constraint::sol_params;
use super::signed_distance::SignedDistances;
use super::tree_groups::TreeGroups;
use super::unsupported;
use crate::GpuBatchError;
use crate::kernel::{CONTACT_SIZE, Pass};
use crate::layout::{ModelTables, NONE};
use crate::shader::Defines;
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

/// Most reals of an environment for its deferred pairs.
const MAX_DEFERRED_REALS: usize = 8192;

/// Separating axes that an environment keeps, and the reals of each.
const AXIS_SLOTS: usize = 64;
const AXIS_SIZE: usize = 6;

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
    /// Two distance fields.
    SdfSdf,
    /// The triangles of a mesh and a distance field.
    MeshSdf,
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
            Self::SdfSdf => "sdf_sdf",
            Self::MeshSdf => "mesh_sdf",
        }
    }

    /// Whether the function is so long that a kernel is slower for containing it. Such pairs are skipped while their
    /// displacement bounds allow it, and are left to the second pass.
    fn is_long(self) -> bool {
        matches!(self, Self::ConvexConvex | Self::BoxBox | Self::SdfSdf | Self::MeshSdf)
    }

    /// Type of the working memory of a long function.
    fn scratch(self) -> &'static str {
        match self {
            Self::ConvexConvex => "ConvexScratch",
            Self::SdfSdf | Self::MeshSdf => "SdfScratch",
            _ => "BoxScratch",
        }
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

impl Routine {
    /// Whether the kernel of a pass contains the function.
    fn is_contained(&self, pass: Pass) -> bool {
        if self.function.is_long() { pass.has_long() } else { pass.has_short() }
    }
}

/// The dispatch table. Routines of one function follow each other in the order of geom types.
const ROUTINES: &[Routine] = {
    use Extension::{HField as Prisms, Multicontact};
    use Function::*;
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, HField, Mesh, Plane, Sdf, Sphere};
    use sdf::MAX_CONTACTS as MAX_SDF;
    &[
        routine(Plane, Sphere, PlaneCapsule, 1),
        routine(Plane, Capsule, PlaneCapsule, 2),
        routine(Plane, Ellipsoid, PlaneEllipsoid, 1),
        routine(Plane, Cylinder, PlaneCylinder, 4),
        routine(Plane, Box, PlaneBox, 4),
        routine(Plane, Mesh, PlaneMesh, 3),
        routine(Plane, Sdf, PlaneMesh, 3),
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
        routine(Sphere, Sdf, SdfSdf, MAX_SDF),
        routine(Capsule, Sdf, SdfSdf, MAX_SDF),
        routine(Ellipsoid, Sdf, SdfSdf, MAX_SDF),
        routine(Cylinder, Sdf, SdfSdf, MAX_SDF),
        routine(Box, Sdf, SdfSdf, MAX_SDF),
        routine(Mesh, Sdf, MeshSdf, MAX_SDF),
        routine(Sdf, Sdf, SdfSdf, MAX_SDF),
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
    /// Contacts that a pair may have: of all functions, of the short ones, and of the long ones.
    max_contacts: [usize; 3],
    /// Largest condim of a pair.
    pub max_condim: usize,
    /// Words of the queue of pairs.
    pub queue: usize,
    /// Reals per environment for displacement budgets, the reference configuration and separating axes; zero without
    /// long functions.
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
        fields_of_geoms: &mut SignedDistances,
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
        geoms::add_tables(m, &geoms, t);
        let couples_groups = pair_tables(m, &pairs, &geoms, tree_groups, t);
        let (distance_functions, distance_contacts) = distance::functions(m, distances);
        let convex = routines(&groups).any(|routine| routine.function.needs_convex_tables());
        if convex || distance_functions.iter().any(|function| function.needs_convex_tables()) {
            convex::add_tables(m, &geoms, t)?;
        }
        let geoms_of = |function: Function| -> Vec<[usize; 2]> {
            let group = groups.iter().find(|group| group.function() == function);
            group.map_or(Vec::new(), |group| group.pairs.iter().map(|pair| pair.geoms).collect())
        };
        let (fields, triangles) = (geoms_of(Function::SdfSdf), geoms_of(Function::MeshSdf));
        if !fields.is_empty() || !triangles.is_empty() {
            sdf::add_tables(m, &geoms, [&fields, &triangles], fields_of_geoms, t)?;
        }
        let planes = groups.iter().filter(|group| group.routines[0].types[0] == GeomType::Plane);
        t.size("NPLANE", planes.map(|group| group.pairs.len()).sum());
        let function = groups.iter().enumerate().flat_map(|(k, group)| vec![k; group.pairs.len()]);
        t.indices("PAIR_ROUTINE", function);
        let max_contacts = |pass: Pass| {
            let contained = routines(&groups).filter(|routine| routine.is_contained(pass));
            let most = contained.map(|routine| match routine.function {
                // at most one for each starting point
                Function::SdfSdf => routine.max_contacts.min(sdf::init_points(m)).max(1),
                _ => routine.max_contacts,
            });
            most.max().unwrap_or(1).max(distance_contacts)
        };
        let max_contacts = [Pass::Single, Pass::First, Pass::NarrowPhase].map(max_contacts);
        t.indices("PAIR_CONTACT_LIMIT", max_contacts);
        let long = groups.iter().any(|group| group.function().is_long());
        if long {
            motion_bound::add_tables(m, &geoms, t);
            let ancestor = |p: &&ContactPair| motion_bound::common_ancestor(m, bodies(m, p));
            t.indices("PAIR_ANCESTOR", pairs.iter().map(ancestor));
        }
        let (ngeom, npair, lanes) = (geoms.len(), pairs.len(), tree_groups.lanes());
        let reference = npair + m.nq + 7 * m.nmocap;
        t.size("AXIS_CACHE", reference);
        t.size("AXIS_SLOTS", AXIS_SLOTS);
        t.size("AXIS_SIZE", AXIS_SIZE);
        let convex = groups.iter().any(|group| group.function() == Function::ConvexConvex);
        let axes = if convex { AXIS_SLOTS * AXIS_SIZE } else { 0 };
        Ok(Self {
            groups,
            lanes,
            ngeom,
            npair,
            max_contacts,
            max_condim,
            queue: if npair == 0 { 0 } else { lanes },
            separation: if long { reference + axes } else { 0 },
            couples_groups,
            geoms,
            distance_functions,
        })
    }

    /// Contacts that a pair may have.
    pub(crate) fn max_pair_contacts(&self) -> usize {
        self.max_contacts[0]
    }

    /// Contacts that a pair with a long function may have.
    pub(crate) fn max_long_contacts(&self) -> usize {
        self.max_contacts[2]
    }

    /// Length of the array of a lane's contacts in the kernel of a pass. Short arrays are kept in registers, which limit
    /// the occupancy: with four or five contacts, the first kernel of a go1 needs 157 registers instead of 116. Long
    /// functions need more registers anyway, and their private memory is limited.
    pub(crate) fn contact_points(&self, pass: Pass) -> usize {
        let most = match pass {
            Pass::Single => self.max_contacts[0],
            Pass::First | Pass::Second => self.max_contacts[1],
            Pass::NarrowPhase => self.max_contacts[2],
        };
        let long = self.has_long() && pass.has_long();
        if long || most <= 2 { most } else { most.max(MIN_INDEXED_CONTACTS) }
    }

    /// Most deferred pairs of an environment in a step.
    pub(crate) fn max_deferred(&self) -> usize {
        let long = self.groups.iter().filter(|group| group.function().is_long());
        let pairs: usize = long.map(|group| group.pairs.len()).sum();
        pairs.min(MAX_DEFERRED_REALS / self.deferred_stride()).max(1)
    }

    /// Reals of a deferred pair: its index, the number of contacts, the separation, the contacts.
    fn deferred_stride(&self) -> usize {
        3 + CONTACT_SIZE * self.max_long_contacts()
    }

    /// Reals of an environment's deferred pairs: how many there are, the pairs, and environment and slot of entries of the
    /// list of all deferred pairs. Zero without long functions.
    pub(crate) fn deferred_size(&self) -> usize {
        if self.has_long() { 1 + self.max_deferred() * (self.deferred_stride() + 2) } else { 0 }
    }

    /// Geoms of each pair, in the order of kernels.
    pub(crate) fn pair_geoms(&self) -> Vec<[usize; 2]> {
        self.groups.iter().flat_map(|group| group.pairs.iter().map(|pair| pair.geoms)).collect()
    }

    /// Whether a first pass without long functions, which suspends environments that need them, is useful.
    pub(crate) fn supports_two_passes(&self) -> bool {
        self.has_long() || self.couples_groups
    }

    pub(crate) fn has_long(&self) -> bool {
        self.groups.iter().any(|group| group.function().is_long())
    }

    /// Whether geoms can collide.
    pub(crate) fn has_pairs(&self) -> bool {
        self.npair > 0
    }

    /// Whether the index of a pair does not fit 16 bits.
    pub(crate) fn has_many_pairs(&self) -> bool {
        self.npair > MAX_PACKED_PAIRS
    }

    /// Selects the template files of the narrow phase.
    pub(crate) fn define(&self, pass: Pass, defines: &mut Defines) {
        let used: Vec<&Routine> =
            routines(&self.groups).filter(|routine| routine.is_contained(pass)).collect();
        let any = |functions: &[Function]| {
            used.iter().any(|r| functions.contains(&r.function))
                || self.distance_functions.iter().any(|f| functions.contains(f))
        };
        let extended = |extension: Extension| used.iter().any(|r| r.extension == extension);
        use Function::{
            BoxBox, CapsuleBox, CapsuleCapsule, ConvexConvex, MeshSdf, PlaneBox, PlaneCapsule,
            PlaneCylinder, PlaneEllipsoid, PlaneMesh, SdfSdf, SphereBox, SphereCylinder,
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
            ("COLLIDE_HULL", any(&[PlaneMesh, ConvexConvex]) || self.has_axes(pass)),
            ("COLLIDE_SUPPORT", any(&[PlaneMesh, ConvexConvex])),
            ("SEPARATING_AXES", self.has_axes(pass)),
            ("COLLIDE_CONVEX", any(&[ConvexConvex])),
            ("COLLIDE_MULTICONTACT", extended(Extension::Multicontact)),
            ("COLLIDE_HFIELD", extended(Extension::HField)),
            ("COLLIDE_SDF", self.has_fields(pass)),
            ("COLLIDE_SDF_PAIR", any(&[SdfSdf])),
            ("COLLIDE_SDF_MESH", any(&[MeshSdf])),
            ("COLLIDE_HFIELD_SPHERE", !pass.has_long() && self.hfield_spheres().is_some()),
        ] {
            defines.set(name, defined);
        }
    }

    /// Whether a kernel tests separating axes that the narrow-phase pass has found, or stores them.
    fn has_axes(&self, pass: Pass) -> bool {
        let convex = |group: &Group| group.function() == Function::ConvexConvex;
        pass != Pass::Single && self.groups.iter().any(convex)
    }

    /// Whether the kernel of a pass contains prisms of height fields.
    pub(crate) fn has_prisms(&self, pass: Pass) -> bool {
        pass.has_long() && routines(&self.groups).any(|r| r.extension == Extension::HField)
    }

    /// Whether the kernel of a pass contains collisions of signed distance fields.
    pub(crate) fn has_fields(&self, pass: Pass) -> bool {
        let fields = [Function::SdfSdf, Function::MeshSdf];
        pass.has_long() && self.groups.iter().any(|group| fields.contains(&group.function()))
    }

    /// Index of the first pair of a signed distance field; these pairs are the last ones.
    fn fields_start(&self) -> usize {
        let field =
            |group: &&Group| matches!(group.function(), Function::SdfSdf | Function::MeshSdf);
        let fields = self.groups.iter().filter(field).map(|group| group.pairs.len());
        self.npair - fields.sum::<usize>()
    }

    /// Pairs of height fields and spheres, which the first and the second pass test in closed form.
    fn hfield_spheres(&self) -> Option<Range<usize>> {
        let convex = self.groups.iter().position(|g| g.function() == Function::ConvexConvex)?;
        let start = self.groups[..convex].iter().map(|group| group.pairs.len()).sum();
        // the first ones of their group
        let count = self.groups[convex].hfield_spheres;
        (count > 0).then_some(start..start + count)
    }
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
