//! Which geoms may touch: masks, kinship, exclusions, explicit pairs. And the quick test by
//! bounding spheres.

use super::broad::Candidate;
use crate::math::{at, mat3, rows, vec3};
use crate::sleep::AWAKE;
use crate::{Data, Model};
use sim_types::GeomType;

/// How two bodies are related, as far as contacts care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinship {
    /// Welded together, or both fixed to the world: they never touch.
    Welded,
    /// A body and its parent: they touch only where `filterparent` is disabled.
    Parent,
    /// Neither.
    Strangers,
}

/// How two bodies are related.
#[doc(alias = "filterBodyPair")]
pub(super) fn kinship(m: &Model, b1: usize, b2: usize) -> Kinship {
    let (weld1, weld2) = (at(&m.body_weldid, b1), at(&m.body_weldid, b2));
    let parent = |weld: usize| at(&m.body_weldid, at(&m.body_parentid, weld));
    if weld1 == weld2 {
        Kinship::Welded
    } else if weld1 != 0 && weld2 != 0 && (parent(weld1) == weld2 || parent(weld2) == weld1) {
        Kinship::Parent
    } else {
        Kinship::Strangers
    }
}

/// Whether a body sleeps or is fixed to the world, mocap bodies among them.
#[inline]
pub(super) fn still(m: &Model, d: &Data, body: usize) -> bool {
    d.body_awake[body] != AWAKE || m.body_weldid[body] == 0
}

/// Whether two geoms cannot touch anew, because neither moves. An explicit pair takes a mocap body
/// for one that does.
pub(super) fn rests(m: &Model, d: &Data, candidate: &Candidate) -> bool {
    candidate.geoms.iter().all(|&g| {
        let body = at(&m.geom_bodyid, g as usize);
        if candidate.pair >= 0 { d.body_awake[body] != AWAKE } else { still(m, d, body) }
    })
}

/// Whether an `exclude` element keeps two bodies apart.
pub(super) fn excluded(m: &Model, b1: usize, b2: usize) -> bool {
    let signature = signature(b1, b2);
    m.exclude_signature.binary_search_by_key(&signature, |&s| s as u32).is_ok()
}

/// Two bodies as one number, the lower body in the upper half.
fn signature(b1: usize, b2: usize) -> u32 {
    ((b1.min(b2) as u32) << 16).wrapping_add(b1.max(b2) as u32)
}

/// Whether a `pair` element already takes care of two geoms.
pub(super) fn paired(m: &Model, g1: usize, g2: usize) -> bool {
    if m.npair == 0 {
        return false;
    }
    let signature = signature(at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
    let start = m.pair_signature.partition_point(|&s| (s as u32) < signature);
    (start..m.npair).take_while(|&k| m.pair_signature[k] as u32 == signature).any(|k| {
        let pair = (at(&m.pair_geom1, k), at(&m.pair_geom2, k));
        pair == (g1, g2) || pair == (g2, g1)
    })
}

/// Whether the masks of two geoms let them touch.
pub(super) fn masks_meet(m: &Model, g1: usize, g2: usize) -> bool {
    m.geom_contype[g1] & m.geom_conaffinity[g2] != 0
        || m.geom_contype[g2] & m.geom_conaffinity[g1] != 0
}

/// Whether a geom's masks let it touch anything.
pub(super) fn has_mask(m: &Model, g: usize) -> bool {
    m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0
}

/// Whether the masks let any geom of a body touch anything.
pub(super) fn takes_part(m: &Model, body: usize) -> bool {
    m.body_contype[body] != 0 || m.body_conaffinity[body] != 0
}

/// Whether the masks of any geoms of two bodies let them touch.
pub(super) fn body_masks_meet(m: &Model, b1: usize, b2: usize) -> bool {
    m.body_contype[b1] & m.body_conaffinity[b2] != 0
        || m.body_contype[b2] & m.body_conaffinity[b1] != 0
}

/// The quick test that goes before the narrow phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// Distance of the centres against the bounding spheres.
    Spheres,
    /// Height of a bounding sphere above a plane.
    Plane,
    /// There is nothing to test.
    Open,
}

impl Gate {
    /// The test for two geoms with these bounding radii; `low` is the lower of their types.
    #[inline(always)]
    pub(super) fn of(low: GeomType, [radius1, radius2]: [f64; 2]) -> Self {
        if radius1 > 0.0 && radius2 > 0.0 {
            Self::Spheres
        } else if low == GeomType::Plane && radius2 > 0.0 {
            Self::Plane
        } else {
            Self::Open
        }
    }

    /// By how much the geoms that it did not let through are farther apart than `reach`.
    pub(super) fn gap(self, d: &Data, g1: usize, g2: usize, reach: f64) -> f64 {
        let away = vec3::sub(rows::<3>(&d.geom_xpos)[g2], rows::<3>(&d.geom_xpos)[g1]);
        match self {
            Self::Spheres => vec3::norm(away) - reach,
            Self::Plane => vec3::dot(away, mat3::column(&rows::<9>(&d.geom_xmat)[g1], 2)) - reach,
            Self::Open => 0.0,
        }
    }

    /// Whether the geoms may be within `reach` of touching.
    #[doc(alias = "mj_filterSphere")]
    #[inline(always)]
    pub(super) fn lets_through(self, d: &Data, g1: usize, g2: usize, reach: f64) -> bool {
        let pos = rows::<3>(&d.geom_xpos);
        match self {
            Self::Spheres => {
                let away = vec3::sub(pos[g1], pos[g2]);
                vec3::dot(away, away) <= reach * reach
            }
            Self::Plane => {
                let normal = mat3::column(&rows::<9>(&d.geom_xmat)[g1], 2);
                vec3::dot(vec3::sub(pos[g2], pos[g1]), normal) <= reach
            }
            Self::Open => true,
        }
    }
}
