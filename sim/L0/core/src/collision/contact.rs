//! Contacts from contact points: frame, friction, margins and solver parameters (`mj_setContact`).

use super::broadphase::{Candidate, enumerate_pairs};
use super::manifold::ContactPoint;
use crate::Model;
use crate::math::vec3::{self, Vec3};
use crate::math::{mat3::Mat3, rows};
use sim_types::{Contact, DisableBit, EnableBit, MINVAL};
use std::cmp::Ordering;

/// Smallest friction coefficient (`mjMINMU`).
const MINMU: f64 = 1e-5;

/// Margin of a candidate: the distance below which contacts are created, m.
#[doc(alias = "mj_assignMargin")]
#[inline(always)]
pub(super) fn margin_of(m: &Model, candidate: &Candidate) -> f64 {
    if m.opt.enabled(EnableBit::Override) { m.opt.o_margin } else { candidate.margin }
}

/// Parameters that all contacts of a pair share.
struct ContactParams {
    dim: i32,
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
    friction: [f64; 5],
    gap: f64,
}

/// Two geoms that can collide, and the parameters of their contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPair {
    /// The geoms, in the order of their types.
    pub geoms: [usize; 2],
    /// Distance below which contacts are created, m.
    pub margin: f64,
    /// Distance below which contacts exert force, m.
    pub includemargin: f64,
    /// Contact dimensionality: 1, 3, 4 or 6.
    pub dim: usize,
    /// Friction coefficients: sliding (2), torsional, rolling (2).
    pub friction: [f64; 5],
    /// Reference parameters of the normal direction.
    pub solref: [f64; 2],
    /// Reference parameters of the friction directions; zeros for those of the normal.
    pub solreffriction: [f64; 2],
    /// Impedance parameters.
    pub solimp: [f64; 5],
}

/// Returns all geom pairs that pass the model's collision filters, in contact order; `None` if there
/// are more than `max`.
#[must_use]
pub fn contact_pairs(m: &Model, max: usize) -> Option<Vec<ContactPair>> {
    let parent_child = m.opt.disabled(DisableBit::FilterParent);
    let all = enumerate_pairs(m, parent_child, max)?;
    let pair = |candidate: &Candidate| {
        let params = pair_params(m, candidate);
        let margin = margin_of(m, candidate);
        ContactPair {
            geoms: candidate.geoms.map(|g| g as usize),
            margin,
            includemargin: margin - params.gap,
            dim: params.dim as usize,
            friction: params.friction.map(|mu| mu.max(MINMU)),
            solref: params.solref,
            solreffriction: params.solreffriction,
            solimp: params.solimp,
        }
    };
    Some(all.iter().map(pair).collect())
}

/// The contact parameters of a candidate.
fn pair_params(m: &Model, candidate: &Candidate) -> ContactParams {
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    let mut params = match usize::try_from(candidate.pair) {
        Ok(pair) => explicit_params(m, pair),
        Err(_) => mixed_params(m, g1, g2),
    };
    if m.opt.enabled(EnableBit::Override) {
        params.solref = m.opt.o_solref;
        params.solreffriction = m.opt.o_solref;
        params.solimp = m.opt.o_solimp;
        params.friction = m.opt.o_friction;
    }
    params
}

/// Adds the contacts of a candidate.
#[doc(alias = "mj_setContact")]
pub(super) fn append(
    m: &Model,
    candidate: &Candidate,
    margin: f64,
    points: &[ContactPoint],
    contacts: &mut Vec<Contact>,
) {
    let [g1, g2] = candidate.geoms;
    let params = pair_params(m, candidate);
    let friction = params.friction.map(|mu| mu.max(MINMU));
    let includemargin = margin - params.gap;
    // the shared fields are written once and copied
    let mut contact = Contact {
        includemargin,
        friction,
        solref: params.solref,
        solreffriction: params.solreffriction,
        solimp: params.solimp,
        dim: params.dim,
        geom: [g1 as i32, g2 as i32],
        ..Contact::default()
    };
    // face contacts share normal and tangent, and so the frame
    let mut last: Option<&ContactPoint> = None;
    contacts.reserve(points.len());
    for point in points {
        if !last.is_some_and(|last| same_directions(last, point)) {
            contact.frame = frame(point.normal, point.tangent);
        }
        last = Some(point);
        contact.dist = point.dist;
        contact.pos = point.pos;
        contact.exclude = i32::from(point.dist >= includemargin);
        contacts.extend_from_slice(std::slice::from_ref(&contact));
    }
}

/// Whether two contact points have bitwise equal normals and tangents.
#[inline(always)]
fn same_directions(a: &ContactPoint, b: &ContactPoint) -> bool {
    let differ = |a: Vec3, b: Vec3| (0..3).fold(0, |d, k| d | (a[k].to_bits() ^ b[k].to_bits()));
    differ(a.normal, b.normal) | differ(a.tangent, b.tangent) == 0
}

/// Contact parameters of a deformable body's surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceParams {
    /// Reference parameters.
    pub solref: [f64; 2],
    /// Impedance parameters.
    pub solimp: [f64; 5],
    /// Sliding friction coefficient.
    pub friction: f64,
}

/// The contact of a geom with a deformable body, which is mixed as a geom of priority 0 and `solmix` 1.
///
/// Particles carry no torque, so the contact has dimension 3. It is tracked before the surfaces are in contact:
/// it is excluded only within a positive gap.
pub(crate) fn deformable_contact(
    m: &Model,
    geom: usize,
    surface: &SurfaceParams,
    margin: f64,
    point: &ContactPoint,
) -> Contact {
    let sliding = rows::<3>(&m.geom_friction)[geom][0];
    let (solref1, solimp1) = (rows::<2>(&m.geom_solref)[geom], rows::<5>(&m.geom_solimp)[geom]);
    let (mut solref, mut solimp, mut friction) = match m.geom_priority[geom].cmp(&0) {
        Ordering::Greater => (solref1, solimp1, sliding),
        Ordering::Less => (surface.solref, surface.solimp, surface.friction),
        Ordering::Equal => {
            let mix = mix_weight(m.geom_solmix[geom], 1.0);
            let solref = mix_solref(mix, solref1, surface.solref);
            let solimp = mix_solimp(mix, solimp1, surface.solimp);
            (solref, solimp, sliding.max(surface.friction))
        }
    };
    if m.opt.enabled(EnableBit::Override) {
        (solref, solimp, friction) = (m.opt.o_solref, m.opt.o_solimp, m.opt.o_friction[0]);
    }
    let sliding = friction.max(MINMU);
    let includemargin = margin - m.geom_gap[geom];
    Contact {
        dist: point.dist,
        pos: point.pos,
        frame: frame(point.normal, point.tangent),
        includemargin,
        friction: [sliding, sliding, MINMU, MINMU, MINMU],
        solref,
        solimp,
        dim: 3,
        geom: [geom as i32, -1],
        exclude: i32::from(m.geom_gap[geom] > 0.0 && point.dist >= includemargin),
        ..Contact::default()
    }
}

/// One side of a contact with a flex.
#[derive(Debug, Clone, Copy)]
pub(super) enum FlexSide {
    Geom(usize),
    Flex(usize),
}

/// Contact parameters of one side.
struct SideParams {
    priority: i32,
    dim: i32,
    gap: f64,
    solmix: f64,
    solref: [f64; 2],
    solimp: [f64; 5],
    friction: [f64; 3],
}

impl FlexSide {
    fn params(self, m: &Model) -> SideParams {
        match self {
            Self::Geom(g) => SideParams {
                priority: m.geom_priority[g],
                dim: m.geom_condim[g],
                gap: m.geom_gap[g],
                solmix: m.geom_solmix[g],
                solref: rows(&m.geom_solref)[g],
                solimp: rows(&m.geom_solimp)[g],
                friction: rows(&m.geom_friction)[g],
            },
            Self::Flex(f) => SideParams {
                priority: m.flex_priority[f],
                dim: m.flex_condim[f],
                gap: m.flex_gap[f],
                solmix: m.flex_solmix[f],
                solref: rows(&m.flex_solref)[f],
                solimp: rows(&m.flex_solimp)[f],
                friction: rows(&m.flex_friction)[f],
            },
        }
    }
}

/// A contact whose parameters and ids are set, for all points of one pair.
pub(super) struct ContactTemplate(Contact);

impl std::ops::Deref for ContactTemplate {
    type Target = Contact;
    fn deref(&self) -> &Contact {
        &self.0
    }
}

impl std::ops::DerefMut for ContactTemplate {
    fn deref_mut(&mut self) -> &mut Contact {
        &mut self.0
    }
}

impl ContactTemplate {
    /// The contact at a point.
    pub(super) fn at(&self, point: &ContactPoint) -> Contact {
        let mut contact = self.at_distance(point.dist, point.pos);
        contact.frame = frame(point.normal, point.tangent);
        contact
    }

    /// Sets the frame of the contacts of [`at_distance`](Self::at_distance).
    pub(super) fn set_normal(&mut self, normal: Vec3) {
        self.0.frame = frame(normal, [0.0; 3]);
    }

    /// Sets the number of force dimensions.
    pub(super) fn set_dim(&mut self, dim: i32) {
        self.0.dim = dim;
    }

    /// The contact with the frame of the template.
    pub(super) fn at_distance(&self, dist: f64, pos: Vec3) -> Contact {
        let exclude = i32::from(dist >= self.0.includemargin);
        Contact { dist, pos, exclude, ..self.0 }
    }
}

/// The parameters of contacts between two sides, mixed like those of two geoms.
pub(super) fn flex_params(
    m: &Model,
    sides: [FlexSide; 2],
    margin: f64,
    with_gap: bool,
) -> ContactTemplate {
    let [one, two] = sides.map(|side| side.params(m));
    let (dim, mut solref, mut solimp, [sliding, torsional, rolling]) =
        match one.priority.cmp(&two.priority) {
            Ordering::Greater => (one.dim, one.solref, one.solimp, one.friction),
            Ordering::Less => (two.dim, two.solref, two.solimp, two.friction),
            Ordering::Equal => {
                let mix = mix_weight(one.solmix, two.solmix);
                let solref = mix_solref(mix, one.solref, two.solref);
                let solimp = mix_solimp(mix, one.solimp, two.solimp);
                let friction = std::array::from_fn(|k| one.friction[k].max(two.friction[k]));
                (one.dim.max(two.dim), solref, solimp, friction)
            }
        };
    let mut friction = [sliding, sliding, torsional, rolling, rolling];
    let mut solreffriction = [0.0; 2];
    if m.opt.enabled(EnableBit::Override) {
        (solref, solreffriction, solimp) = (m.opt.o_solref, m.opt.o_solref, m.opt.o_solimp);
        friction = m.opt.o_friction;
    }
    let gap = if with_gap { one.gap + two.gap } else { 0.0 };
    ContactTemplate(Contact {
        includemargin: margin - gap,
        friction: friction.map(|mu| mu.max(MINMU)),
        solref,
        solreffriction,
        solimp,
        dim,
        ..Contact::default()
    })
}

/// Parameters of an explicit pair.
fn explicit_params(m: &Model, pair: usize) -> ContactParams {
    ContactParams {
        dim: m.pair_dim[pair],
        solref: rows(&m.pair_solref)[pair],
        solreffriction: rows(&m.pair_solreffriction)[pair],
        solimp: rows(&m.pair_solimp)[pair],
        friction: rows(&m.pair_friction)[pair],
        gap: m.pair_gap[pair],
    }
}

/// Parameters of two geoms: those of the geom with the higher priority, or a mixture.
#[doc(alias = "mj_contactParam")]
#[inline(always)]
fn mixed_params(m: &Model, g1: usize, g2: usize) -> ContactParams {
    let of =
        |g: usize| (m.geom_condim[g], rows::<2>(&m.geom_solref)[g], rows::<5>(&m.geom_solimp)[g]);
    let (dim1, solref1, solimp1) = of(g1);
    let (dim2, solref2, solimp2) = of(g2);
    let (friction1, friction2) = (rows::<3>(&m.geom_friction)[g1], rows::<3>(&m.geom_friction)[g2]);
    let (dim, solref, solimp, [sliding, torsional, rolling]) =
        match m.geom_priority[g1].cmp(&m.geom_priority[g2]) {
            Ordering::Greater => (dim1, solref1, solimp1, friction1),
            Ordering::Less => (dim2, solref2, solimp2, friction2),
            Ordering::Equal => {
                let mix = mix_weight(m.geom_solmix[g1], m.geom_solmix[g2]);
                let solref = mix_solref(mix, solref1, solref2);
                let solimp = mix_solimp(mix, solimp1, solimp2);
                let friction = std::array::from_fn(|k| friction1[k].max(friction2[k]));
                (dim1.max(dim2), solref, solimp, friction)
            }
        };
    let friction = [sliding, sliding, torsional, rolling, rolling];
    let gap = m.geom_gap[g1] + m.geom_gap[g2];
    ContactParams { dim, solref, solreffriction: [0.0; 2], solimp, friction, gap }
}

/// Weight of the first geom's parameters in a mixture.
fn mix_weight(solmix1: f64, solmix2: f64) -> f64 {
    match (solmix1 >= MINVAL, solmix2 >= MINVAL) {
        (true, true) => solmix1 / (solmix1 + solmix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

/// Weighted mean of two `solref`; the minimum (higher stiffness and damping) if one is in the direct
/// format of negated stiffness and damping.
#[inline(always)]
fn mix_solref(mix: f64, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    if a[0] > 0.0 && b[0] > 0.0 {
        std::array::from_fn(|k| mix * a[k] + (1.0 - mix) * b[k])
    } else {
        std::array::from_fn(|k| a[k].min(b[k]))
    }
}

/// Weighted mean of two `solimp`.
#[inline(always)]
fn mix_solimp(mix: f64, a: [f64; 5], b: [f64; 5]) -> [f64; 5] {
    std::array::from_fn(|k| mix * a[k] + (1.0 - mix) * b[k])
}

/// Contact frame by rows: normal and two tangents. Without a given tangent, the first is closest to the y
/// axis, or to z if the normal is close to y.
#[doc(alias = "mju_makeFrame")]
fn frame(normal: Vec3, tangent: Vec3) -> Mat3 {
    let (x, _) = vec3::normalize(normal);
    let hint = if vec3::dot(tangent, tangent) >= 0.25 {
        tangent
    } else if x[1] < 0.5 && x[1] > -0.5 {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let (y, _) = vec3::normalize(vec3::add_scaled(hint, x, -vec3::dot(x, hint)));
    let z = vec3::cross(x, y);
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]]
}
