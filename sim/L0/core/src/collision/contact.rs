//! From touches to contacts: frame, friction, margins and solver parameters.

use super::broad::Candidate;
use super::touch::Touch;
use crate::Model;
use crate::math::vec3::{self, Vec3};
use crate::math::{mat3::Mat3, rows};
use crate::soft::Deformable;
use sim_types::{Contact, DisableBit, EnableBit, MINVAL};

/// Smallest coefficient of friction.
const MINMU: f64 = 1e-5;

/// Distance at which contacts of a candidate begin.
#[doc(alias = "mj_assignMargin")]
#[inline(always)]
pub(super) fn margin_of(m: &Model, candidate: &Candidate) -> f64 {
    if m.opt.enabled(EnableBit::Override) { m.opt.o_margin } else { candidate.margin }
}

/// What the contacts of a candidate have in common.
struct Parameters {
    dim: i32,
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
    friction: [f64; 5],
    gap: f64,
}

/// Two geoms that may touch, and what their contacts have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPair {
    /// The geoms, in the order of their types.
    pub geoms: [usize; 2],
    /// Distance at which contacts begin.
    pub margin: f64,
    /// Distance at which forces begin.
    pub includemargin: f64,
    /// Directions that forces can have: 1, 3, 4 or 6.
    pub dim: usize,
    /// Coefficients of friction: two tangents, spin, two ways to roll.
    pub friction: [f64; 5],
    /// Reference of the normal.
    pub solref: [f64; 2],
    /// Reference of friction; zeros for that of the normal.
    pub solreffriction: [f64; 2],
    /// Impedance.
    pub solimp: [f64; 5],
}

/// All pairs of geoms that the filters of a model let touch, in the order of their contacts; `None`
/// if there are more than `most`.
pub fn contact_pairs(m: &Model, most: usize) -> Option<Vec<ContactPair>> {
    let family = m.opt.disabled(DisableBit::FilterParent);
    let all = super::broad::all(m, family, most)?;
    let pair = |candidate: &Candidate| {
        let common = common(m, candidate);
        let margin = margin_of(m, candidate);
        ContactPair {
            geoms: candidate.geoms.map(|g| g as usize),
            margin,
            includemargin: margin - common.gap,
            dim: common.dim as usize,
            friction: common.friction.map(|mu| mu.max(MINMU)),
            solref: common.solref,
            solreffriction: common.solreffriction,
            solimp: common.solimp,
        }
    };
    Some(all.iter().map(pair).collect())
}

/// What the contacts of a candidate have in common.
fn common(m: &Model, candidate: &Candidate) -> Parameters {
    let [g1, g2] = candidate.geoms.map(|g| g as usize);
    let mut common = match usize::try_from(candidate.pair) {
        Ok(pair) => explicit(m, pair),
        Err(_) => mixed(m, g1, g2),
    };
    if m.opt.enabled(EnableBit::Override) {
        common.solref = m.opt.o_solref;
        common.solreffriction = m.opt.o_solref;
        common.solimp = m.opt.o_solimp;
        common.friction = m.opt.o_friction;
    }
    common
}

/// Adds the contacts of a candidate.
#[doc(alias = "mj_setContact")]
pub(super) fn append(
    m: &Model,
    candidate: &Candidate,
    margin: f64,
    touches: &[Touch],
    contacts: &mut Vec<Contact>,
) {
    let [g1, g2] = candidate.geoms;
    let common = common(m, candidate);
    let friction = common.friction.map(|mu| mu.max(MINMU));
    let includemargin = margin - common.gap;
    // all that the contacts share is written once and copied
    let mut contact = Contact {
        includemargin,
        friction,
        solref: common.solref,
        solreffriction: common.solreffriction,
        solimp: common.solimp,
        dim: common.dim,
        geom: [g1 as i32, g2 as i32],
        ..Contact::default()
    };
    // the touches of flat sides share their directions, and so their frame
    let mut last: Option<&Touch> = None;
    contacts.reserve(touches.len());
    for touch in touches {
        if !last.is_some_and(|last| same_directions(last, touch)) {
            contact.frame = frame(touch.normal, touch.tangent);
        }
        last = Some(touch);
        contact.dist = touch.dist;
        contact.pos = touch.pos;
        contact.exclude = i32::from(touch.dist >= includemargin);
        contacts.extend_from_slice(std::slice::from_ref(&contact));
    }
}

/// Whether two touches have the same normal and tangent, bit by bit.
#[inline(always)]
fn same_directions(a: &Touch, b: &Touch) -> bool {
    let differ = |a: Vec3, b: Vec3| (0..3).fold(0, |d, k| d | (a[k].to_bits() ^ b[k].to_bits()));
    differ(a.normal, b.normal) | differ(a.tangent, b.tangent) == 0
}

/// A contact of a geom with a deformable body, which stands for a geom of priority 0 and `solmix` 1.
/// Point masses bear no torque, so it has three dimensions. It is followed before it touches, so that
/// only a gap leaves it without force. `theirs` is the coefficient of friction of the deformable body.
pub(crate) fn soft(
    m: &Model,
    geom: usize,
    deformable: &Deformable,
    theirs: f64,
    margin: f64,
    touch: &Touch,
) -> Contact {
    let own = rows::<3>(&m.geom_friction)[geom];
    let (solref1, solimp1) = (rows::<2>(&m.geom_solref)[geom], rows::<5>(&m.geom_solimp)[geom]);
    let (mut solref, mut solimp, mut friction) = match m.geom_priority[geom].cmp(&0) {
        std::cmp::Ordering::Greater => (solref1, solimp1, own[0]),
        std::cmp::Ordering::Less => (deformable.solref, deformable.solimp, theirs),
        std::cmp::Ordering::Equal => {
            let mix = weight(m.geom_solmix[geom], 1.0);
            let blend = |a: f64, b: f64| mix * a + (1.0 - mix) * b;
            let (a, b) = (solref1, deformable.solref);
            let solref = if a[0] > 0.0 && b[0] > 0.0 {
                std::array::from_fn(|k| blend(a[k], b[k]))
            } else {
                std::array::from_fn(|k| a[k].min(b[k]))
            };
            let solimp = std::array::from_fn(|k| blend(solimp1[k], deformable.solimp[k]));
            (solref, solimp, own[0].max(theirs))
        }
    };
    if m.opt.enabled(EnableBit::Override) {
        (solref, solimp, friction) = (m.opt.o_solref, m.opt.o_solimp, m.opt.o_friction[0]);
    }
    let slide = friction.max(MINMU);
    let includemargin = margin - m.geom_gap[geom];
    Contact {
        dist: touch.dist,
        pos: touch.pos,
        frame: frame(touch.normal, touch.tangent),
        includemargin,
        friction: [slide, slide, MINMU, MINMU, MINMU],
        solref,
        solimp,
        dim: 3,
        geom: [geom as i32, -1],
        exclude: i32::from(m.geom_gap[geom] > 0.0 && touch.dist >= includemargin),
        ..Contact::default()
    }
}

/// Parameters of an explicit pair.
fn explicit(m: &Model, pair: usize) -> Parameters {
    Parameters {
        dim: m.pair_dim[pair],
        solref: rows(&m.pair_solref)[pair],
        solreffriction: rows(&m.pair_solreffriction)[pair],
        solimp: rows(&m.pair_solimp)[pair],
        friction: rows(&m.pair_friction)[pair],
        gap: m.pair_gap[pair],
    }
}

/// Parameters of two geoms: those of the one with priority, or a mixture.
#[doc(alias = "mj_contactParam")]
#[inline(always)]
fn mixed(m: &Model, g1: usize, g2: usize) -> Parameters {
    let of =
        |g: usize| (m.geom_condim[g], rows::<2>(&m.geom_solref)[g], rows::<5>(&m.geom_solimp)[g]);
    let (dim1, solref1, solimp1) = of(g1);
    let (dim2, solref2, solimp2) = of(g2);
    let (friction1, friction2) = (rows::<3>(&m.geom_friction)[g1], rows::<3>(&m.geom_friction)[g2]);
    let (dim, solref, solimp, [slide, spin, roll]) =
        match m.geom_priority[g1].cmp(&m.geom_priority[g2]) {
            std::cmp::Ordering::Greater => (dim1, solref1, solimp1, friction1),
            std::cmp::Ordering::Less => (dim2, solref2, solimp2, friction2),
            std::cmp::Ordering::Equal => {
                let mix = weight(m.geom_solmix[g1], m.geom_solmix[g2]);
                let blend = |a: f64, b: f64| mix * a + (1.0 - mix) * b;
                let solref: [f64; 2] = if solref1[0] > 0.0 && solref2[0] > 0.0 {
                    std::array::from_fn(|k| blend(solref1[k], solref2[k]))
                } else {
                    // stiffness and damping, negated: the stiffer of the two
                    std::array::from_fn(|k| solref1[k].min(solref2[k]))
                };
                let solimp = std::array::from_fn(|k| blend(solimp1[k], solimp2[k]));
                let friction = std::array::from_fn(|k| friction1[k].max(friction2[k]));
                (dim1.max(dim2), solref, solimp, friction)
            }
        };
    let friction = [slide, slide, spin, roll, roll];
    let gap = m.geom_gap[g1] + m.geom_gap[g2];
    Parameters { dim, solref, solreffriction: [0.0; 2], solimp, friction, gap }
}

/// The share of the first geom in a mixture.
fn weight(solmix1: f64, solmix2: f64) -> f64 {
    match (solmix1 >= MINVAL, solmix2 >= MINVAL) {
        (true, true) => solmix1 / (solmix1 + solmix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

/// Normal and tangents by rows. A missing tangent is the y axis, or z where the normal is near y.
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
