//! Construction of the proxies that sweep and prune works on: single geoms, and bodies with many geoms
//! as one item.

use super::pair_table::{Proxy, ProxySet, SapItem, SapItems};
use crate::Model;
use crate::collision::filter::{body_has_masks, has_masks};
use crate::math::{at, mat3, quat, rows, vec3};
use sim_types::GeomType;

/// Fewest geoms of a body that become one item.
const MIN_GROUP: usize = 8;
/// Fewest geoms of a static body per moving geom of the model for which the body becomes one item: every
/// other geom then traverses the body's BVH.
const MIN_STATIC_GROUP: usize = 8;

impl Proxy {
    pub(super) fn new(m: &Model, g: usize) -> Self {
        let body = at(&m.geom_bodyid, g);
        let weld = at(&m.body_weldid, body);
        Self {
            geom: g as u32,
            body: body as u32,
            weld: weld as u32,
            parent_weld: at(&m.body_weldid, at(&m.body_parentid, weld)) as u32,
            contype: m.geom_contype[g],
            conaffinity: m.geom_conaffinity[g],
            kind: m.geom_type[g],
            only_geom: m.body_geomnum[body] == 1,
            has_bvh: m.body_bvhadr[body] >= 0,
            rbound: m.geom_rbound[g],
            margin: m.geom_margin[g],
            bounded: m.geom_rbound[g] > 0.0 && m.geom_type[g] != GeomType::Plane,
        }
    }
}

impl ProxySet {
    pub(super) fn new(m: &Model) -> Self {
        let geoms: Vec<Proxy> = (0..m.ngeom).map(|g| Proxy::new(m, g)).collect();
        let body = |g: u32| geoms[g as usize].body as usize;
        let unmasked: Vec<u32> =
            (0..m.ngeom as u32).filter(|&g| body_has_masks(m, body(g))).collect();
        let collidable: Vec<u32> =
            unmasked.iter().copied().filter(|&g| has_masks(m, g as usize)).collect();
        Self {
            grouped: SapItems::new(m, &geoms, &collidable, true),
            single: SapItems::new(m, &geoms, &collidable, false),
            unmasked: SapItems::new(m, &geoms, &unmasked, false),
            geoms,
            collidable,
        }
    }
}

impl SapItems {
    /// Items for a list of geoms; with `group`, bodies with many of them become one item.
    fn new(m: &Model, geoms: &[Proxy], list: &[u32], group: bool) -> Self {
        let of = |g: &u32| &geoms[*g as usize];
        let (bounded, unbounded): (Vec<u32>, Vec<u32>) = list.iter().partition(|g| of(g).bounded);
        let moving = bounded.iter().filter(|g| of(g).weld != 0).count();
        let mut items = Vec::new();
        // the geoms of a body have consecutive indices
        for list in bounded.chunk_by(|g, h| of(g).body == of(h).body) {
            let first = of(&list[0]);
            let min =
                if first.weld == 0 { MIN_GROUP.max(MIN_STATIC_GROUP * moving) } else { MIN_GROUP };
            if group && list.len() >= min && m.body_bvhadr[first.body as usize] >= 0 {
                items.push(body_item(m, first.body as usize, list));
            } else {
                items.extend(list.iter().map(|&g| SapItem::Geom(g)));
            }
        }
        Self { unbounded, items }
    }
}

/// All geoms of a body as one item.
fn body_item(m: &Model, body: usize, geoms: &[u32]) -> SapItem {
    let ipos = rows::<3>(&m.body_ipos)[body];
    let iquat = quat::conjugate(rows::<4>(&m.body_iquat)[body]);
    let (mut low, mut high, mut margin) = ([f64::MAX; 3], [f64::MIN; 3], 0.0_f64);
    for &g in geoms {
        let g = g as usize;
        let rotation = quat::mul(iquat, rows::<4>(&m.geom_quat)[g]);
        let pos = quat::rotate(iquat, vec3::sub(rows::<3>(&m.geom_pos)[g], ipos));
        let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
        let mat = quat::to_mat(rotation);
        let centre = vec3::add(pos, mat3::mul_vec(&mat, [x, y, z]));
        let extent = mat3::mul_vec(&mat.map(f64::abs), half);
        for k in 0..3 {
            low[k] = low[k].min(centre[k] - extent[k]);
            high[k] = high[k].max(centre[k] + extent[k]);
        }
        margin = margin.max(m.geom_margin[g]);
    }
    let mut aabb = [0.0; 6];
    for k in 0..3 {
        aabb[k] = 0.5 * (low[k] + high[k]);
        // enlarged to stay conservative under rounding
        aabb[3 + k] = 0.5 * (high[k] - low[k]) * (1.0 + 1e-9);
    }
    SapItem::Body { body: body as u32, aabb, margin }
}
