//! Known differences from the oracle, as tables; each row has a bound and a reason.
//!
//! A difference up to its bound passes. A row whose difference no longer occurs fails the run, so that
//! it is removed.

use crate::box_overlap::{self, Cuboid};
use crate::tolerance;
use sim_core::Model;
use sim_core::types::{Contact, GeomType, WrapType};
use std::f64::consts::PI;

/// An accepted difference.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Name of the case, `model/check`.
    pub case: &'static str,
    /// The field that differs.
    pub field: &'static str,
    /// The largest accepted relative difference.
    pub bound: f64,
    /// Why the difference is accepted.
    pub reason: &'static str,
}

/// Every known difference.
pub const KNOWN: &[Known] = &[
    Known {
        case: "features/disabled_damper/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
    Known {
        case: "features/disabled_damper_spring/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
    Known {
        case: "features/fluid_without_dampers/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
    Known {
        case: "features/fluid_without_passive/functions",
        field: "inverse_discrete",
        bound: 1e-3,
        reason: DAMPED_INVERSE,
    },
];

const DAMPED_INVERSE: &str = "MuJoCo's discrete inverse dynamics of Euler removes implicit damping \
    even when dampers are disabled, so it is not the inverse of its forward step; ours is";

/// Contacts of one pair of geoms in both engines.
#[derive(Debug, Clone, Copy)]
pub struct PairContacts<'a> {
    /// The two geoms, as boxes.
    pub boxes: [Cuboid; 2],
    /// Our contacts.
    pub ours: &'a [Contact],
    /// The oracle's smallest distance, m; infinite if it has no contact.
    pub theirs: f64,
    /// Distance below which the pair has contacts, m.
    pub margin: f64,
}

/// A rule that accepts a difference wherever it occurs. [`USES`] lists how often that is.
#[derive(Debug, Clone, Copy)]
pub struct KnownContacts {
    /// Name of the rule, for [`USES`] and reports.
    pub name: &'static str,
    /// The two geom types.
    pub shapes: [GeomType; 2],
    /// Whether a difference is accepted.
    pub accepts: fn(&PairContacts<'_>) -> bool,
    /// Why the difference is accepted.
    pub reason: &'static str,
}

/// Every pair of geom types whose contacts are known to differ.
pub const CONTACTS: &[KnownContacts] = &[KnownContacts {
    name: "box_box",
    shapes: [GeomType::Box, GeomType::Box],
    accepts: wrong_box_depth,
    reason: "3.8.0 misses some overlapping boxes and reports contacts deeper than the overlap, also of boxes \
        that are separated by less than the margin; 3.12 fixed both",
}];

/// Relative and absolute (m) tolerance of a depth against the separating axis theorem.
const DEPTH: [f64; 2] = [1e-6, 1e-9];
/// Distance of a contact from the boxes relative to their size: MuJoCo's tolerance of the containment test.
const CONTAINMENT: f64 = 0.01;

/// Whether the oracle contradicts the separating axis theorem and we do not.
///
/// The oracle has no contact although the boxes overlap, or a contact deeper than their overlap. All our contacts
/// are close to both boxes, with normals along a direction of least overlap. The deepest is as deep as the overlap;
/// for separated boxes its distance is between the separation and the distance of the boxes, and without a contact
/// the boxes are farther apart than the margin.
fn wrong_box_depth(pair: &PairContacts<'_>) -> bool {
    let depth = box_overlap::depth(&pair.boxes);
    let at_most = |x: f64, bound: f64| x <= bound + DEPTH[0] * bound.abs() + DEPTH[1];
    let theirs_wrong =
        if pair.theirs == f64::INFINITY { depth > DEPTH[1] } else { !at_most(-pair.theirs, depth) };
    let ours = -pair.ours.iter().map(|c| c.dist).fold(f64::INFINITY, f64::min);
    let size = pair.boxes.iter().flat_map(|b| b.size).fold(0.0, f64::max);
    let right = |c: &Contact| {
        let normal = [c.frame[0], c.frame[1], c.frame[2]];
        let slack = CONTAINMENT * size + 0.5 * c.dist.abs();
        at_most(box_overlap::overlap_along(&pair.boxes, normal), depth)
            && pair.boxes.iter().all(|b| b.contains(c.pos, slack))
    };
    let within = if depth > 0.0 {
        at_most(ours, depth) && at_most(depth, ours)
    } else {
        let distance = box_overlap::distance(&pair.boxes);
        let none = pair.ours.is_empty() && at_most(pair.margin, distance);
        none || at_most(ours, depth) && at_most(-ours, distance)
    };
    theirs_wrong && within && pair.ours.iter().all(right)
}

/// The row for a pair of geom types, if there is one.
#[must_use]
pub fn contacts(shapes: [GeomType; 2]) -> Option<&'static KnownContacts> {
    CONTACTS.iter().find(|row| row.shapes == shapes)
}

/// Name of the rule of [`is_full_turn`], for [`USES`].
pub const FULL_TURN: &str = "tendon_full_turn";

/// Whether the length of a tendon differs by full turns around its wrapping geoms. Where a segment touches
/// the circle in one of its end points, both tangent points coincide and rounding decides in 3.8.0 whether
/// the arc is empty or a full turn; ours is empty.
///
/// Both bounds follow from the development of a cylinder: a turn of length `c` adds at least
/// `sqrt(L² + c²) - L` and at most `c` to a segment of length `L`.
#[must_use]
pub fn is_full_turn(m: &Model, tendon: usize, ours: f64, theirs: f64) -> bool {
    let (first, count) = (m.tendon_adr[tendon] as usize, m.tendon_num[tendon] as usize);
    let (mut divisor, mut most, mut least) = (1.0, 0.0, f64::INFINITY);
    for w in first..first + count {
        match m.wrap_type[w] {
            WrapType::Pulley => divisor = m.wrap_prm[w],
            WrapType::Sphere | WrapType::Cylinder => {
                let turn = 2.0 * PI * m.geom_size[3 * m.wrap_objid[w] as usize];
                let length = ours * divisor;
                most += turn / divisor;
                least = f64::min(least, (length.hypot(turn) - length) / divisor);
            }
            _ => {}
        }
    }
    let slack = tolerance::FUNCTION * theirs.abs();
    (least - slack..=most + slack).contains(&(theirs - ours))
}

/// How often the rules above are used: case, rule, count. Another count fails the run.
pub const USES: &[(&str, &str, usize)] = &[
    ("functions/pairs/box_box", "box_box", 4),
    ("features/tendon_wrap_tangent/stages", FULL_TURN, 2),
];

/// The recorded number of uses of a rule in a case.
#[must_use]
pub fn uses(case: &str, rule: &str) -> usize {
    USES.iter().find(|row| (row.0, row.1) == (case, rule)).map_or(0, |row| row.2)
}

/// Fields of a compiled model that are not compared, with the reason.
pub const NOT_COMPARED: &[(&str, &str)] = &[
    ("narena", "bytes of MuJoCo's arena; Data here has no arena"),
    ("mesh_triangles", "collision representation of a mesh, an extension of MJCF"),
    ("nbuffer", "bytes of MuJoCo's model buffer"),
    ("njmax", "upper bound on constraint rows, -1 for none; arrays here grow on demand"),
    ("nconmax", "upper bound on contacts, -1 for none; arrays here grow on demand"),
];

/// The row for a case and field, if there is one.
#[must_use]
pub fn find(case: &str, field: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|row| row.case == case && row.field == field)
}

#[cfg(test)]
mod tests {
    use super::{PairContacts, is_full_turn, wrong_box_depth};
    use crate::box_overlap::Cuboid;
    use sim_core::types::Contact;
    use std::f64::consts::PI;

    /// Whether the rule accepts contacts of two cubes of half-extent 1 whose centres are `x` apart along the x axis,
    /// with a margin of 0.1: our distances, the oracle's smallest distance and our normal.
    fn accepts(x: f64, ours: &[f64], theirs: f64, normal: [f64; 3]) -> bool {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let cuboid = |x: f64| Cuboid { pos: [x, 0.0, 0.0], axes, size: [1.0; 3] };
        let contact = |&dist: &f64| {
            let mut contact = Contact { dist, pos: [0.5 * x, 0.0, 0.0], ..Contact::default() };
            contact.frame[..3].copy_from_slice(&normal);
            contact
        };
        let ours: Vec<Contact> = ours.iter().map(contact).collect();
        let boxes = [cuboid(0.0), cuboid(x)];
        wrong_box_depth(&PairContacts { boxes, ours: &ours, theirs, margin: 0.1 })
    }

    #[test]
    fn contacts_of_boxes_are_bounded_from_both_sides() {
        let (x, y) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        // an overlap of 0.05: the oracle has no contact, or a deeper one
        assert!(accepts(1.95, &[-0.05], f64::INFINITY, x) && accepts(1.95, &[-0.05], -0.2, x));
        assert!(!accepts(1.95, &[-0.05], -0.05, x) && !accepts(1.95, &[-0.05], -0.2, y));
        assert!(!accepts(1.95, &[-0.04], -0.2, x) && !accepts(1.95, &[-0.06], -0.2, x));
        assert!(!accepts(1.95, &[], -0.2, x));
        // a separation of 0.05, within the margin
        assert!(accepts(2.05, &[0.05], -0.2, x) && accepts(2.05, &[0.05, 0.07], 0.03, x));
        assert!(!accepts(2.05, &[0.05], 0.05, x) && !accepts(2.05, &[0.05], f64::INFINITY, x));
        assert!(!accepts(2.05, &[0.04], -0.2, x) && !accepts(2.05, &[0.06], -0.2, x));
        assert!(!accepts(2.05, &[0.05], -0.2, y) && !accepts(2.05, &[], -0.2, x));
        // a separation of 0.15, outside the margin
        assert!(accepts(2.15, &[], -0.2, x) && !accepts(2.15, &[-0.2], -0.2, x));
    }

    #[test]
    fn a_full_turn_is_bounded_from_both_sides() {
        let m = sim_mjcf::load_str(
            r#"<mujoco><worldbody><geom name="g" type="cylinder" size=".1 1"/>
            <site name="a" pos="-1 .1 0"/><site name="b" pos="0 .1 0"/></worldbody>
            <tendon><spatial><site site="a"/><geom geom="g" sidesite="b"/><site site="b"/></spatial>
            </tendon></mujoco>"#,
        )
        .unwrap_or_else(|errors| panic!("{errors}"));
        let turn = 2.0 * PI * 0.1;
        // in the plane of the circle, and along the axis
        assert!(is_full_turn(&m, 0, 1.0, 1.0 + turn));
        assert!(is_full_turn(&m, 0, 1.0, 1.0_f64.hypot(turn)));
        for other in [1.0, 1.0 - turn, 1.0 + 1.01 * turn, 0.99 * 1.0_f64.hypot(turn)] {
            assert!(!is_full_turn(&m, 0, 1.0, other), "{other}");
        }
    }
}
