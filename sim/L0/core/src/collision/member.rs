//! Who takes part in a sweep: single geoms, and bodies with many geoms as a whole.

use super::filter::{has_mask, takes_part};
use crate::Model;
use crate::math::{at, mat3, quat, rows, vec3};
use sim_types::GeomType;

/// What filters ask of a geom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub geom: u32,
    pub body: u32,
    /// The body that its own is welded to.
    pub weld: u32,
    /// The body that the parent of that one is welded to.
    parent: u32,
    contype: i32,
    conaffinity: i32,
    /// Which shape.
    pub kind: GeomType,
    /// Whether a box can be put around it.
    pub bounded: bool,
    /// Whether its body has no other.
    pub alone: bool,
    /// Whether its body has a tree of boxes.
    pub tree: bool,
    /// Radius of the sphere around it.
    pub radius: f64,
    /// Its share of the distance at which contacts begin.
    pub margin: f64,
}

impl Member {
    pub(super) fn new(m: &Model, g: usize) -> Self {
        let body = at(&m.geom_bodyid, g);
        let weld = at(&m.body_weldid, body);
        Self {
            geom: g as u32,
            body: body as u32,
            weld: weld as u32,
            parent: at(&m.body_weldid, at(&m.body_parentid, weld)) as u32,
            contype: m.geom_contype[g],
            conaffinity: m.geom_conaffinity[g],
            kind: m.geom_type[g],
            alone: m.body_geomnum[body] == 1,
            tree: m.body_bvhadr[body] >= 0,
            radius: m.geom_rbound[g],
            margin: m.geom_margin[g],
            bounded: m.geom_rbound[g] > 0.0 && m.geom_type[g] != GeomType::Plane,
        }
    }

    /// Whether it is swept: it has a box, and masks that let it touch something.
    #[inline(always)]
    pub(super) fn joins(&self) -> bool {
        self.bounded && (self.contype != 0 || self.conaffinity != 0)
    }

    /// Whether the masks let two geoms touch.
    #[inline(always)]
    pub(super) fn masks_meet(&self, other: &Self) -> bool {
        self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0
    }

    /// Whether the geoms belong to a body and its parent.
    #[inline(always)]
    pub(super) fn family(&self, other: &Self) -> bool {
        self.weld != 0
            && other.weld != 0
            && (self.parent == other.weld || other.parent == self.weld)
    }
}

/// What a sweep puts one box around.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item {
    /// A geom.
    Geom(u32),
    /// All geoms of a body, in the box of centre and half sizes in its inertial frame.
    Body { body: u32, aabb: [f64; 6], margin: f64 },
}

/// Everyone who takes part.
#[derive(Debug, Clone, Default)]
pub(crate) struct Members {
    /// Every geom of the model.
    pub geoms: Vec<Member>,
    /// Geoms that may touch something.
    pub masked: Vec<u32>,
    /// The same, bodies with many geoms as a whole.
    pub grouped: Crowd,
    /// The same, geom by geom.
    pub single: Crowd,
    /// The geoms of bodies that may touch something: user code may decide against the geoms' masks.
    pub all: Crowd,
}

/// What takes part in a sweep.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crowd {
    /// Geoms that no box can be put around.
    pub endless: Vec<u32>,
    pub items: Vec<Item>,
}

/// Fewest geoms of a body that are taken as a whole.
const MANY: usize = 8;
/// How many geoms of a fixed body stand against each that moves, before they are taken as a whole:
/// all others have to walk down their tree then.
const CROWDED: usize = 8;

impl Members {
    pub(super) fn new(m: &Model) -> Self {
        let geoms: Vec<Member> = (0..m.ngeom).map(|g| Member::new(m, g)).collect();
        let body = |g: u32| geoms[g as usize].body as usize;
        let all: Vec<u32> = (0..m.ngeom as u32).filter(|&g| takes_part(m, body(g))).collect();
        let masked: Vec<u32> = all.iter().copied().filter(|&g| has_mask(m, g as usize)).collect();
        Self {
            grouped: Crowd::new(m, &geoms, &masked, true),
            single: Crowd::new(m, &geoms, &masked, false),
            all: Crowd::new(m, &geoms, &all, false),
            geoms,
            masked,
        }
    }
}

impl Crowd {
    /// These geoms, the ones of bodies with many of them as a whole if asked.
    fn new(m: &Model, geoms: &[Member], list: &[u32], group: bool) -> Self {
        let of = |g: &u32| &geoms[*g as usize];
        let (bounded, endless): (Vec<u32>, Vec<u32>) = list.iter().partition(|g| of(g).bounded);
        let moving = bounded.iter().filter(|g| of(g).weld != 0).count();
        let mut items = Vec::new();
        // geoms are numbered body by body
        for list in bounded.chunk_by(|g, h| of(g).body == of(h).body) {
            let first = of(&list[0]);
            let many = if first.weld == 0 { MANY.max(CROWDED * moving) } else { MANY };
            if group && list.len() >= many && m.body_bvhadr[first.body as usize] >= 0 {
                items.push(whole(m, first.body as usize, list));
            } else {
                items.extend(list.iter().map(|&g| Item::Geom(g)));
            }
        }
        Self { endless, items }
    }
}

/// A body's geoms as a whole.
fn whole(m: &Model, body: usize, geoms: &[u32]) -> Item {
    let ipos = rows::<3>(&m.body_ipos)[body];
    let iquat = quat::conjugate(rows::<4>(&m.body_iquat)[body]);
    let (mut low, mut high, mut margin) = ([f64::MAX; 3], [f64::MIN; 3], 0.0_f64);
    for &g in geoms {
        let g = g as usize;
        let turn = quat::mul(iquat, rows::<4>(&m.geom_quat)[g]);
        let pos = quat::rotate(iquat, vec3::sub(rows::<3>(&m.geom_pos)[g], ipos));
        let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
        let mat = quat::to_mat(turn);
        let centre = vec3::add(pos, mat3::mul_vec(&mat, [x, y, z]));
        let reach = mat3::mul_vec(&mat.map(f64::abs), half);
        for k in 0..3 {
            low[k] = low[k].min(centre[k] - reach[k]);
            high[k] = high[k].max(centre[k] + reach[k]);
        }
        margin = margin.max(m.geom_margin[g]);
    }
    let mut aabb = [0.0; 6];
    for k in 0..3 {
        aabb[k] = 0.5 * (low[k] + high[k]);
        // a little more, for rounding
        aabb[3 + k] = 0.5 * (high[k] - low[k]) * (1.0 + 1e-9);
    }
    Item::Body { body: body as u32, aabb, margin }
}
