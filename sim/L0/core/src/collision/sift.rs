//! Which of the geoms that a sweep found near each other may touch.

use super::broad::{Key, dynamic_key};
use super::dispatch::Routine;
use super::filter::{Gate, body_masks_meet, excluded, paired, still};
use super::member::{Item, Member};
use crate::math::{at, mat3, rows, vec3};
use crate::{Data, Model};

/// What does not change between two pairs of a sweep.
pub(super) struct Filter<'a> {
    pub m: &'a Model,
    pub d: &'a Data,
    /// Every geom.
    pub members: &'a [Member],
    /// Whether a body may touch its parent.
    pub parents: bool,
    pub sleep: bool,
    /// The margin that replaces all others.
    pub margin: Option<f64>,
}

impl Filter<'_> {
    /// The key of two geoms whose boxes meet, if all filters and the quick test let them touch.
    #[inline(always)]
    pub(super) fn meet(&self, g1: usize, g2: usize) -> Option<Key> {
        let (one, two) = (self.members.get(g1.min(g2))?, self.members.get(g1.max(g2))?);
        if self.m.hooks.cb_contactfilter.is_some() {
            return self.meet_by_hook(one, two);
        }
        if one.weld == two.weld
            || !one.masks_meet(two)
            || !self.parents && one.family(two)
            || self.at_rest(one, two)
        {
            return None;
        }
        let (b1, b2) = (one.body as usize, two.body as usize);
        let (g1, g2) = (one.geom as usize, two.geom as usize);
        // what has to be looked up comes last
        if !self.near(one, two)
            || self.m.nexclude > 0 && excluded(self.m, b1, b2)
            || self.m.npair > 0 && paired(self.m, g1, g2)
        {
            return None;
        }
        Some(dynamic_key(self.m, one, two))
    }

    /// The same when user code takes the place of the masks.
    #[inline(never)]
    fn meet_by_hook(&self, one: &Member, two: &Member) -> Option<Key> {
        let hook = self.m.hooks.cb_contactfilter.as_ref()?;
        let (b1, b2) = (one.body as usize, two.body as usize);
        let (g1, g2) = (one.geom as usize, two.geom as usize);
        if one.weld == two.weld
            || self.at_rest(one, two)
            || !body_masks_meet(self.m, b1, b2)
            || excluded(self.m, b1, b2)
            || paired(self.m, g1, g2)
        {
            return None;
        }
        let (low, high) = if one.kind > two.kind { (g2, g1) } else { (g1, g2) };
        if matches!(Routine::between(self.m, low, high), Routine::Never)
            || (**hook)(self.m, self.d, low, high)
            || !self.parents && one.family(two)
            || !self.near(one, two)
        {
            return None;
        }
        Some(dynamic_key(self.m, one, two))
    }

    /// The margin that an item brings.
    #[inline(always)]
    pub(super) fn margin_of(&self, item: &Item) -> f64 {
        // half of what two geoms may be apart
        self.margin.map_or_else(
            || match *item {
                Item::Geom(g) => self.m.geom_margin[g as usize],
                Item::Body { margin, .. } => margin,
            },
            |margin| 0.5 * margin,
        )
    }

    /// Whether any geoms of the bodies of two items may touch.
    pub(super) fn bodies_meet(&self, one: &Item, two: &Item) -> bool {
        let (m, d) = (self.m, self.d);
        let [b1, b2] = [one, two].map(|item| match *item {
            Item::Geom(g) => at(&m.geom_bodyid, g as usize),
            Item::Body { body, .. } => body as usize,
        });
        m.body_weldid[b1] != m.body_weldid[b2]
            && body_masks_meet(m, b1, b2)
            && !(self.sleep && still(m, d, b1) && still(m, d, b2))
    }

    /// Whether neither geom can move.
    #[inline(always)]
    fn at_rest(&self, one: &Member, two: &Member) -> bool {
        self.sleep
            && still(self.m, self.d, one.body as usize)
            && still(self.m, self.d, two.body as usize)
    }

    /// The quick test.
    #[inline(always)]
    fn near(&self, one: &Member, two: &Member) -> bool {
        let (low, high) = if one.kind > two.kind { (two, one) } else { (one, two) };
        let reach = low.radius + high.radius + self.margin.unwrap_or(low.margin + high.margin);
        let gate = Gate::of(low.kind, [low.radius, high.radius]);
        gate.lets_through(self.d, low.geom as usize, high.geom as usize, reach)
    }

    /// A box around a geom, along the axes of the world.
    #[inline(always)]
    pub(super) fn around(&self, g: usize) -> ([f64; 3], [f64; 3]) {
        around(self.m, self.d, g, self.margin_of(&Item::Geom(g as u32)))
    }

    /// A box around the geoms of a body, along the axes of the world.
    pub(super) fn around_body(
        &self,
        body: usize,
        aabb: &[f64; 6],
        margin: f64,
    ) -> ([f64; 3], [f64; 3]) {
        let d = self.d;
        let (pos, mat) = (rows::<3>(&d.xipos)[body], &rows::<9>(&d.ximat)[body]);
        let [x, y, z, half @ ..] = *aabb;
        let centre = vec3::add(pos, mat3::mul_vec(mat, [x, y, z]));
        let reach = mat3::mul_vec(&mat.map(f64::abs), half);
        let margin = self.margin.map_or(margin, |margin| 0.5 * margin);
        (
            std::array::from_fn(|k| centre[k] - reach[k] - margin),
            std::array::from_fn(|k| centre[k] + reach[k] + margin),
        )
    }
}

/// A box around a geom and a margin, along the axes of the world.
#[inline(always)]
pub(crate) fn around(m: &Model, d: &Data, g: usize, margin: f64) -> ([f64; 3], [f64; 3]) {
    let (pos, mat) = (rows::<3>(&d.geom_xpos)[g], &rows::<9>(&d.geom_xmat)[g]);
    let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
    let centre = vec3::add(pos, mat3::mul_vec(mat, [x, y, z]));
    let reach = mat3::mul_vec(&mat.map(f64::abs), half);
    let radius = m.geom_rbound[g];
    // a little for rounding
    let margin = margin + 1e-9 * radius;
    (
        std::array::from_fn(|k| (pos[k] - radius).max(centre[k] - reach[k]) - margin),
        std::array::from_fn(|k| (pos[k] + radius).min(centre[k] + reach[k]) + margin),
    )
}
