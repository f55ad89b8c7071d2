//! Collision filters: contype and conaffinity masks, body relations, exclusions, explicit pairs, sleep,
//! and the bounding-volume test (`mj_filterSphere`).

use super::broadphase::{BoundTest, Candidate, PairKey, Proxy, SapItem, dynamic_key};
use super::dispatch::Routine;
use crate::math::{at, mat3, rows, vec3};
use crate::sleep::AWAKE;
use crate::{Data, Model};

/// Kinematic relation of two bodies, as far as collision filters use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyRelation {
    /// Welded together, or both static: no contacts.
    Welded,
    /// A body and its parent: contacts only with `filterparent` disabled.
    ParentChild,
    /// Neither.
    Unrelated,
}

/// The relation of two bodies.
#[doc(alias = "filterBodyPair")]
pub(super) fn body_relation(m: &Model, b1: usize, b2: usize) -> BodyRelation {
    let (weld1, weld2) = (at(&m.body_weldid, b1), at(&m.body_weldid, b2));
    let parent = |weld: usize| at(&m.body_weldid, at(&m.body_parentid, weld));
    if weld1 == weld2 {
        BodyRelation::Welded
    } else if weld1 != 0 && weld2 != 0 && (parent(weld1) == weld2 || parent(weld2) == weld1) {
        BodyRelation::ParentChild
    } else {
        BodyRelation::Unrelated
    }
}

/// Whether a body is asleep or static, mocap bodies included.
#[inline]
fn is_stationary(m: &Model, d: &Data, body: usize) -> bool {
    d.body_awake[body] != AWAKE || m.body_weldid[body] == 0
}

/// Whether both bodies of a candidate are stationary, so that its contacts cannot change. For explicit
/// pairs a mocap body counts as moving.
pub(super) fn is_inactive(m: &Model, d: &Data, candidate: &Candidate) -> bool {
    candidate.geoms.iter().all(|&g| {
        let body = at(&m.geom_bodyid, g as usize);
        if candidate.pair >= 0 { d.body_awake[body] != AWAKE } else { is_stationary(m, d, body) }
    })
}

/// Whether an `<exclude>` element excludes contacts between two bodies.
pub(super) fn is_excluded(m: &Model, b1: usize, b2: usize) -> bool {
    let signature = signature(b1, b2);
    m.exclude_signature.binary_search_by_key(&signature, |&s| s as u32).is_ok()
}

/// Body pair as one number, the lower body in the upper half.
fn signature(b1: usize, b2: usize) -> u32 {
    ((b1.min(b2) as u32) << 16).wrapping_add(b1.max(b2) as u32)
}

/// Whether two geoms form an explicit pair (`<pair>`), which replaces the dynamic one.
pub(super) fn is_explicit_pair(m: &Model, g1: usize, g2: usize) -> bool {
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

/// Whether the contype and conaffinity masks of two geoms allow contact.
pub(super) fn masks_match(m: &Model, g1: usize, g2: usize) -> bool {
    m.geom_contype[g1] & m.geom_conaffinity[g2] != 0
        || m.geom_contype[g2] & m.geom_conaffinity[g1] != 0
}

/// Whether a geom has a nonzero mask.
pub(super) fn has_masks(m: &Model, g: usize) -> bool {
    m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0
}

/// Whether any geom of a body has a nonzero mask.
pub(super) fn body_has_masks(m: &Model, body: usize) -> bool {
    m.body_contype[body] != 0 || m.body_conaffinity[body] != 0
}

/// Whether the united masks of the geoms of two bodies allow contact.
fn body_masks_match(m: &Model, b1: usize, b2: usize) -> bool {
    m.body_contype[b1] & m.body_conaffinity[b2] != 0
        || m.body_contype[b2] & m.body_conaffinity[b1] != 0
}

impl BoundTest {
    /// Separation beyond `threshold` (margin and radii) of two geoms that fail the test.
    pub(super) fn separation(self, d: &Data, g1: usize, g2: usize, threshold: f64) -> f64 {
        let offset = vec3::sub(rows::<3>(&d.geom_xpos)[g2], rows::<3>(&d.geom_xpos)[g1]);
        match self {
            Self::Spheres => vec3::norm(offset) - threshold,
            Self::PlaneSphere => {
                vec3::dot(offset, mat3::column(&rows::<9>(&d.geom_xmat)[g1], 2)) - threshold
            }
            Self::None => 0.0,
        }
    }

    /// Whether the bounding volumes of two geoms are within `threshold` (margin and radii).
    #[doc(alias = "mj_filterSphere")]
    #[inline(always)]
    pub(super) fn passes(self, d: &Data, g1: usize, g2: usize, threshold: f64) -> bool {
        let pos = rows::<3>(&d.geom_xpos);
        match self {
            Self::Spheres => {
                let offset = vec3::sub(pos[g1], pos[g2]);
                vec3::dot(offset, offset) <= threshold * threshold
            }
            Self::PlaneSphere => {
                let normal = mat3::column(&rows::<9>(&d.geom_xmat)[g1], 2);
                vec3::dot(vec3::sub(pos[g2], pos[g1]), normal) <= threshold
            }
            Self::None => true,
        }
    }
}

/// The filters that are applied to the overlapping pairs of a sweep.
pub(super) struct PairFilter<'a> {
    pub m: &'a Model,
    pub d: &'a Data,
    /// Proxy of every geom.
    pub proxies: &'a [Proxy],
    /// Whether contacts between a body and its parent are allowed.
    pub parent_child: bool,
    /// Whether sleeping is enabled.
    pub sleep: bool,
    /// Margin that overrides all others.
    pub margin: Option<f64>,
}

impl PairFilter<'_> {
    /// The key of two geoms with overlapping boxes, if they pass all filters.
    #[inline(always)]
    pub(super) fn accept(&self, g1: usize, g2: usize) -> Option<PairKey> {
        let (one, two) = (self.proxies.get(g1.min(g2))?, self.proxies.get(g1.max(g2))?);
        if self.m.hooks.cb_contactfilter.is_some() {
            return self.accept_by_callback(one, two);
        }
        if one.weld == two.weld
            || !one.masks_match(two)
            || !self.parent_child && one.is_parent_child(two)
            || self.both_stationary(one, two)
        {
            return None;
        }
        let (b1, b2) = (one.body as usize, two.body as usize);
        let (g1, g2) = (one.geom as usize, two.geom as usize);
        // tests with table lookups last
        if !self.passes_bound_test(one, two)
            || self.m.nexclude > 0 && is_excluded(self.m, b1, b2)
            || self.m.npair > 0 && is_explicit_pair(self.m, g1, g2)
        {
            return None;
        }
        Some(dynamic_key(self.m, one, two))
    }

    /// As [`accept`](Self::accept), with the user callback in place of the geom masks.
    #[inline(never)]
    fn accept_by_callback(&self, one: &Proxy, two: &Proxy) -> Option<PairKey> {
        let callback = self.m.hooks.cb_contactfilter.as_ref()?;
        let (b1, b2) = (one.body as usize, two.body as usize);
        let (g1, g2) = (one.geom as usize, two.geom as usize);
        if one.weld == two.weld
            || self.both_stationary(one, two)
            || !body_masks_match(self.m, b1, b2)
            || is_excluded(self.m, b1, b2)
            || is_explicit_pair(self.m, g1, g2)
        {
            return None;
        }
        let (low, high) = if one.kind > two.kind { (g2, g1) } else { (g1, g2) };
        if matches!(Routine::between(self.m, low, high), Routine::Never)
            || (**callback)(self.m, self.d, low, high)
            || !self.parent_child && one.is_parent_child(two)
            || !self.passes_bound_test(one, two)
        {
            return None;
        }
        Some(dynamic_key(self.m, one, two))
    }

    /// Margin of an item: its share of the pair's margin.
    #[inline(always)]
    pub(super) fn margin_of(&self, item: &SapItem) -> f64 {
        // an override margin is split between the two items
        self.margin.map_or_else(
            || match *item {
                SapItem::Geom(g) => self.m.geom_margin[g as usize],
                SapItem::Body { margin, .. } => margin,
            },
            |margin| 0.5 * margin,
        )
    }

    /// Whether any geoms of the bodies of two items can pass the filters.
    pub(super) fn accept_bodies(&self, one: &SapItem, two: &SapItem) -> bool {
        let (m, d) = (self.m, self.d);
        let [b1, b2] = [one, two].map(|item| match *item {
            SapItem::Geom(g) => at(&m.geom_bodyid, g as usize),
            SapItem::Body { body, .. } => body as usize,
        });
        m.body_weldid[b1] != m.body_weldid[b2]
            && body_masks_match(m, b1, b2)
            && !(self.sleep && is_stationary(m, d, b1) && is_stationary(m, d, b2))
    }

    /// Whether sleeping is enabled and neither body moves.
    #[inline(always)]
    fn both_stationary(&self, one: &Proxy, two: &Proxy) -> bool {
        self.sleep
            && is_stationary(self.m, self.d, one.body as usize)
            && is_stationary(self.m, self.d, two.body as usize)
    }

    /// The bounding-volume test.
    #[inline(always)]
    fn passes_bound_test(&self, one: &Proxy, two: &Proxy) -> bool {
        let (low, high) = if one.kind > two.kind { (two, one) } else { (one, two) };
        let threshold = low.rbound + high.rbound + self.margin.unwrap_or(low.margin + high.margin);
        let test = BoundTest::of(low.kind, [low.rbound, high.rbound]);
        test.passes(self.d, low.geom as usize, high.geom as usize, threshold)
    }

    /// World-axis-aligned bounding box of a geom with its margin: lower and upper bounds.
    #[inline(always)]
    pub(super) fn geom_aabb(&self, g: usize) -> ([f64; 3], [f64; 3]) {
        world_aabb(self.m, self.d, g, self.margin_of(&SapItem::Geom(g as u32)))
    }

    /// World-axis-aligned bounding box of a body item: lower and upper bounds.
    pub(super) fn body_aabb(
        &self,
        body: usize,
        aabb: &[f64; 6],
        margin: f64,
    ) -> ([f64; 3], [f64; 3]) {
        let d = self.d;
        let (pos, mat) = (rows::<3>(&d.xipos)[body], &rows::<9>(&d.ximat)[body]);
        let [x, y, z, half @ ..] = *aabb;
        let centre = vec3::add(pos, mat3::mul_vec(mat, [x, y, z]));
        let extent = mat3::mul_vec(&mat.map(f64::abs), half);
        let margin = self.margin.map_or(margin, |margin| 0.5 * margin);
        (
            std::array::from_fn(|k| centre[k] - extent[k] - margin),
            std::array::from_fn(|k| centre[k] + extent[k] + margin),
        )
    }
}

/// World-axis-aligned bounding box of a geom enlarged by a margin: lower and upper bounds.
#[inline(always)]
pub(crate) fn world_aabb(m: &Model, d: &Data, g: usize, margin: f64) -> ([f64; 3], [f64; 3]) {
    let (pos, mat) = (rows::<3>(&d.geom_xpos)[g], &rows::<9>(&d.geom_xmat)[g]);
    let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
    let centre = vec3::add(pos, mat3::mul_vec(mat, [x, y, z]));
    let extent = mat3::mul_vec(&mat.map(f64::abs), half);
    let radius = m.geom_rbound[g];
    // enlarged to stay conservative under rounding
    let margin = margin + 1e-9 * radius;
    (
        std::array::from_fn(|k| (pos[k] - radius).max(centre[k] - extent[k]) - margin),
        std::array::from_fn(|k| (pos[k] + radius).min(centre[k] + extent[k]) + margin),
    )
}
