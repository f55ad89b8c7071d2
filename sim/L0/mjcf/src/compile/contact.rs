//! Contact pairs and excludes.

use super::Context;
use super::body::Tree;
use super::lower::{id, row};
use super::nontree::NonTreeElements;
use super::symbols::SymbolTable;
use crate::spec::{Exclude, Pair};
use sim_core::Model;

/// A compiled contact pair; geoms are ordered by body id.
#[derive(Debug)]
pub(super) struct CompiledPair<'a> {
    pub(super) spec: &'a Pair,
    pub(super) geom1: usize,
    pub(super) geom2: usize,
    pub(super) signature: i32,
}

/// An excluded body pair.
#[derive(Debug)]
pub(super) struct CompiledExclude<'a> {
    pub(super) spec: &'a Exclude,
    pub(super) signature: i32,
}

/// Signature of a body pair: (smaller id << 16) + larger id.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "body ids fit in 16 bits"
)]
fn signature(body1: usize, body2: usize) -> i32 {
    ((body1.min(body2) << 16) + body1.max(body2)) as u32 as i32
}

pub(super) fn pair<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    tree: &Tree<'a>,
    p: &'a Pair,
) -> Option<CompiledPair<'a>> {
    if !matches!(p.condim, 1 | 3 | 4 | 6) {
        context.invalid(
            p.origin,
            "pair",
            Some("condim"),
            format!("must be 1, 3, 4 or 6, found {}", p.condim),
        );
    }
    let geom1 = symbols.find(context, &symbols.geom, "geom", &p.geom1, (p.origin, "pair", "geom1"));
    let geom2 = symbols.find(context, &symbols.geom, "geom", &p.geom2, (p.origin, "pair", "geom2"));
    let (geom1, geom2) = (geom1?, geom2?);
    let (body1, body2) = (tree.geoms[geom1].body, tree.geoms[geom2].body);
    let (geom1, geom2) = if body1 > body2 { (geom2, geom1) } else { (geom1, geom2) };
    Some(CompiledPair { spec: p, geom1, geom2, signature: signature(body1, body2) })
}

pub(super) fn exclude<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    e: &'a Exclude,
) -> Option<CompiledExclude<'a>> {
    let body1 =
        symbols.find(context, &symbols.body, "body", &e.body1, (e.origin, "exclude", "body1"));
    let body2 =
        symbols.find(context, &symbols.body, "body", &e.body2, (e.origin, "exclude", "body2"));
    Some(CompiledExclude { spec: e, signature: signature(body1?, body2?) })
}

/// Fills the pair and exclude arrays of the model.
pub(super) fn lower(nontree: &NonTreeElements<'_>, m: &mut Model) {
    for (i, p) in nontree.pairs.iter().enumerate() {
        m.pair_dim[i] = p.spec.condim;
        m.pair_geom1[i] = id(p.geom1);
        m.pair_geom2[i] = id(p.geom2);
        m.pair_signature[i] = p.signature;
        row(&mut m.pair_solref, i, &p.spec.solref);
        row(&mut m.pair_solreffriction, i, &p.spec.solreffriction);
        row(&mut m.pair_solimp, i, &p.spec.solimp);
        m.pair_margin[i] = p.spec.margin;
        m.pair_gap[i] = p.spec.gap;
        row(&mut m.pair_friction, i, &p.spec.friction);
    }
    for (i, e) in nontree.excludes.iter().enumerate() {
        m.exclude_signature[i] = e.signature;
    }
}
