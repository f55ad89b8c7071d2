//! Compilation of sites.

use super::Context;
use super::asset::Assets;
use super::body::Frames;
use super::geom::{check_size, pose_and_size};
use super::math::{Pose, Vec3};
use super::symbols::SymbolTable;
use crate::spec::Site;
use sim_core::types::GeomType;

/// A compiled site.
#[derive(Debug)]
pub(super) struct CompiledSite<'a> {
    pub(super) spec: &'a Site,
    pub(super) body: usize,
    pub(super) material: Option<usize>,
    pub(super) pose: Pose,
    pub(super) size: Vec3,
}

pub(super) fn site<'a>(
    context: &mut Context<'a, '_>,
    (frames, symbols, assets): (&Frames, &SymbolTable<'a>, &Assets<'a>),
    body: usize,
    s: &'a Site,
) -> CompiledSite<'a> {
    context.check_user(s.origin, "site", &s.user, context.spec.size.nuser_site, "nuser_site");
    match s.stype {
        GeomType::Sphere
        | GeomType::Capsule
        | GeomType::Ellipsoid
        | GeomType::Cylinder
        | GeomType::Box => {}
        _ => {
            let message = "a site must be a sphere, capsule, ellipsoid, cylinder or box";
            context.invalid(s.origin, "site", Some("type"), message);
        }
    }
    let (pose, size) = pose_and_size(
        context,
        (s.origin, "site"),
        s.stype,
        (s.pos, &s.orientation, s.fromto),
        s.size,
    );
    check_size(context, (s.origin, "site"), s.stype, size);
    let material = assets.material(context, symbols, &s.material, (s.origin, "site"));
    CompiledSite { spec: s, body, material, pose: frames.place(s.frame, pose), size }
}
