//! Comparison of functions of the state on random arguments: Jacobians, products and solves with `M`, rays.

use super::derivatives::derivatives;
use super::stages::load_state;
use super::{Outcome, contacts};
use crate::{Archive, tolerance};
use nalgebra::{DMatrix, Vector3};
use sim_core::types::{Contact, EnableBit, GeomType, Integrator, ObjType};
use sim_core::*;

/// Compares every function at every recorded state.
#[must_use]
pub fn functions(archive: &Archive, m: &Model) -> Outcome {
    let mut out = Outcome::default();
    let mut d = m.make_data();
    let contacts = contacts::Contacts::of(archive, m);
    for k in 0..archive.count("fn/body") {
        load_state(archive, m, &mut d, k);
        // the next functions need only the smooth stages
        mj_fwd_position(m, &mut d);
        mj_fwd_velocity(m, &mut d);
        let theirs = |name: &str| archive.row(&format!("fn/{name}"), k);
        let body = theirs("body")[0] as usize;
        distances(&mut out, archive, m, &mut d, k);
        let inertia = d.M.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut check = |name: &str, ours: &[f64]| {
            if out.skips(archive, &format!("fn/{name}")) {
                return;
            }
            // the error of a difference scales with its operands, not with the result
            let unit = match name {
                "angmom_mat" => m.body_subtreemass[body],
                _ if name.starts_with("derivative") => inertia / m.opt.timestep,
                _ => tolerance::MIN_SCALE,
            };
            let factor =
                if unit > tolerance::MIN_SCALE { tolerance::MIN_SCALE / unit } else { 1.0 };
            let scaled = |x: &[f64]| x.iter().map(|x| x * factor).collect::<Vec<_>>();
            let (ours, theirs) = (scaled(ours), scaled(theirs(name)));
            // mesh vertices are stored in single precision
            let meshes = name == "ray_hits" && m.nmesh > 0;
            let tolerance = if meshes { tolerance::MODEL_F32 } else { tolerance::FUNCTION };
            let spread =
                archive.row(&format!("spread/fn/{name}"), k).first().copied().unwrap_or(0.0);
            let allowed = tolerance::DRIFT_FACTOR * spread * factor / scale_of(&theirs);
            out.reals("function", name, tolerance + allowed, &ours, &theirs);
        };
        let point = three(theirs("point"));
        let axis = three(theirs("axis"));

        jacobians(m, &d, body, &point, &axis, &mut check);

        let mut result = vec![0.0; m.nv];
        let (force, torque) = (three(theirs("force")), three(theirs("torque")));
        mj_apply_ft(m, &d, force.into(), torque.into(), point.into(), body, &mut result);
        check("apply_ft", &result);
        for (name, kind) in [("body", ObjType::Body), ("xbody", ObjType::XBody)] {
            let velocity = mj_object_velocity(m, &d, kind, body, true).unwrap_or_default();
            check(&format!("object_velocity.{name}"), &velocity);
        }
        // solver and contacts have their own comparisons: continue with the oracle's results
        let found = contacts.of_state(k);
        d.contact.clone_from(&found);
        d.ncon = found.len();
        if forward_with_contacts(m, &mut d).is_ok() {
            d.qacc.copy_from_slice(archive.row("out/qacc", k));
            mj_rne_post_constraint(m, &mut d);
            for (name, kind) in [("body", ObjType::Body), ("xbody", ObjType::XBody)] {
                let acc = mj_object_acceleration(m, &d, kind, body, true).unwrap_or_default();
                check(&format!("object_acceleration.{name}"), &acc);
            }
        }
        rays(m, &d, theirs("rays"), theirs("ray_hits"), &mut check);
        if m.nv > 0 {
            inverse(m, &mut d, &found, &theirs, &mut check);
            load_state(archive, m, &mut d, k);
            mj_fwd_position(m, &mut d);
            mj_fwd_velocity(m, &mut d);
            with_inertia(m, &mut d, theirs("x"), &mut check);
        }
    }
    derivatives(archive, m, &mut out);
    out
}

/// Compares Jacobians, their time derivatives and the angular momentum matrix.
fn jacobians(
    m: &Model,
    d: &Data,
    body: usize,
    point: &Vector3<f64>,
    axis: &Vector3<f64>,
    check: &mut impl FnMut(&str, &[f64]),
) {
    let (jacp, jacr) = mj_jac(m, d, body, point);
    check("jac.jacp", &row_major(&jacp));
    check("jac.jacr", &row_major(&jacr));
    check("jac_body.jacp", &row_major(&mj_jac_body(m, d, body).0));
    let spatial = mj_jac_body_com(m, d, body);
    check("jac_body_com.jacp", &row_major(&spatial.rows(3, 3).into_owned()));
    check("jac_subtree_com.jacp", &row_major(&mj_jac_subtree_com(m, d, body)));
    check("jac_point_axis.jaca", &row_major(&mj_jac_point_axis(m, d, body, point, axis).1));
    check("angmom_mat", &row_major(&mj_angmom_mat(m, d, body)));

    let (mut jacp, mut jacr) = (vec![f64::NAN; 3 * m.nv], vec![f64::NAN; 3 * m.nv]);
    mj_jac_into(m, d, Some(&mut jacp), None, (*point).into(), body);
    check("jac.jacp", &jacp);
    mj_jac_dot_into(m, d, Some(&mut jacp), Some(&mut jacr), (*point).into(), body);
    check("jac_dot.jacp", &jacp);
    check("jac_dot.jacr", &jacr);
    if m.ngeom > 0 {
        mj_jac_geom_into(m, d, Some(&mut jacp), Some(&mut jacr), body % m.ngeom);
        check("jac_geom.jacp", &jacp);
        check("jac_geom.jacr", &jacr);
    }
    if m.nsite > 0 {
        mj_jac_site_into(m, d, Some(&mut jacp), Some(&mut jacr), body % m.nsite);
        check("jac_site.jacp", &jacp);
        check("jac_site.jacr", &jacr);
    }
}

/// Compares ray hits: distance, geom and normal. Where two surfaces coincide, rounding decides which geom
/// is hit, and only the distance is compared.
fn rays(m: &Model, d: &Data, rays: &[f64], theirs: &[f64], check: &mut impl FnMut(&str, &[f64])) {
    let ((rays, _), (theirs, _)) = (rays.as_chunks::<8>(), theirs.as_chunks::<5>());
    let hit = |(ray, theirs): (&[f64; 8], &[f64; 5])| {
        let [p0, p1, p2, v0, v1, v2, fixed, exclude] = *ray;
        let exclude = (exclude >= 0.0).then_some(exclude as usize);
        let filter = RayFilter { fixed: fixed != 0.0, exclude, ..RayFilter::default() };
        match mj_ray(m, d, [p0, p1, p2], [v0, v1, v2], &filter) {
            Some(RayHit { dist, geom, .. })
                if geom as f64 != theirs[1] && (dist - theirs[0]).abs() < 1e-12 =>
            {
                [dist, theirs[1], theirs[2], theirs[3], theirs[4]]
            }
            Some(RayHit { dist, geom, normal }) => {
                [dist, geom as f64, normal[0], normal[1], normal[2]]
            }
            None => [-1.0, -1.0, 0.0, 0.0, 0.0],
        }
    };
    if !rays.is_empty() {
        check("ray_hits", &rays.iter().zip(theirs).flat_map(hit).collect::<Vec<_>>());
    }
}

/// Largest magnitude of the entries, at least [`tolerance::MIN_SCALE`].
fn scale_of(x: &[f64]) -> f64 {
    x.iter().fold(tolerance::MIN_SCALE, |scale, x| scale.max(x.abs()))
}

/// Compares geom distances and their segments at state `k`. Where several segments have the same length, or the
/// distance equals `distmax`, only the distance is compared.
fn distances(out: &mut Outcome, archive: &Archive, m: &Model, d: &mut Data, k: usize) {
    let pairs = archive.row("fn/pairs", k).as_chunks::<3>().0;
    let theirs = archive.row("fn/pair_distances", k).as_chunks::<7>().0;
    // with the oracle's geom poses: an iteration that stops at a tolerance or limit amplifies the last bit
    let ours = [d.geom_xpos.clone(), d.geom_xmat.clone()];
    for (name, poses) in [("geom_xpos", &mut d.geom_xpos), ("geom_xmat", &mut d.geom_xmat)] {
        let theirs = archive.row(&format!("out/{name}"), k);
        if theirs.len() == poses.len() {
            poses.copy_from_slice(theirs);
        }
    }
    for (&[one, two, max], theirs) in pairs.iter().zip(theirs) {
        // padding: the oracle's distance of this pair is sensitive to rounding
        if one < 0.0 {
            continue;
        }
        let (one, two, mut segment) = (one as usize, two as usize, [0.0; 6]);
        let dist = mj_geom_distance(m, d, one, two, max, Some(&mut segment));
        let kinds = [m.geom_type[one], m.geom_type[two]];
        // iterative methods terminate at an absolute tolerance, which limits their relative accuracy at small distances
        let iterative = precision(kinds) == tolerance::ITERATIVE;
        let slack = if iterative {
            m.opt.ccd_tolerance / dist.abs().max(tolerance::MIN_SCALE)
        } else {
            0.0
        };
        let tolerance = precision(kinds).max(slack);
        let name = format!("distance of {:?} {one} and {:?} {two}", kinds[0], kinds[1]);
        let (their_dist, theirs) = (&theirs[..1], &theirs[1..]);
        out.reals("function", &name, tolerance, &[dist], their_dist);
        // rounding decides whether a distance that equals the limit is below it
        let at_limit = (dist - max).abs() <= tolerance * max && their_dist[0] >= max;
        if dist < max && !at_limit && !equally_short(&segment, theirs) {
            out.reals("function", &format!("{name}, fromto"), tolerance, &segment, theirs);
        }
    }
    [d.geom_xpos, d.geom_xmat] = ours;
}

/// Whether two segments between the same geoms are different but of the same length.
pub(super) fn equally_short(ours: &[f64], theirs: &[f64]) -> bool {
    let length = |s: &[f64]| (0..3).map(|k| (s[k + 3] - s[k]).powi(2)).sum::<f64>().sqrt();
    ours != theirs && (length(ours) - length(theirs)).abs() < tolerance::DETECTION
}

/// Relative tolerance of the distance between two geom types.
fn precision(kinds: [GeomType; 2]) -> f64 {
    match kinds {
        // iterative, unlike their contacts
        [GeomType::Box, GeomType::Box] => tolerance::ITERATIVE,
        [a, b] if a as i32 > b as i32 => contacts::precision([b, a]),
        kinds => contacts::precision(kinds),
    }
}

/// Compares inverse dynamics with the oracle's contacts, and velocity derivatives.
fn inverse<'a>(
    m: &Model,
    d: &mut Data,
    contacts: &[Contact],
    theirs: &impl Fn(&str) -> &'a [f64],
    check: &mut impl FnMut(&str, &[f64]),
) {
    d.qacc.copy_from_slice(theirs("x"));
    d.contact = contacts.to_vec();
    if inverse_with_contacts(m, d).is_ok() {
        check("inverse", &d.qfrc_inverse);
    }
    let mut m = m.clone();
    if m.opt.integrator != Integrator::Rk4 {
        m.opt.enableflags |= EnableBit::InvDiscrete as i32;
        d.contact = contacts.to_vec();
        if inverse_with_contacts(&m, d).is_ok() {
            check("inverse_discrete", &d.qfrc_inverse);
        }
    }
    mj_fwd_actuation(&m, d);
    for (name, bias, integrator) in [
        ("derivative.implicit", true, Integrator::Implicit),
        ("derivative.implicitfast", false, Integrator::ImplicitFast),
    ] {
        // NaN marks a step at which the oracle diverged
        if theirs(name).first().is_some_and(|x| !x.is_nan()) {
            m.opt.integrator = integrator;
            mjd_smooth_vel(&m, d, bias);
            check(name, &d.qDeriv);
        }
    }
}

/// Compares the functions that take a vector of length `nv`.
fn with_inertia(m: &Model, d: &mut Data, x: &[f64], check: &mut impl FnMut(&str, &[f64])) {
    let mut result = vec![0.0; m.nv];
    mj_mul_m(m, d, x, &mut result);
    check("mul_m", &result);
    mj_mul_m2(m, d, x, &mut result);
    check("mul_m2", &result);
    result.copy_from_slice(x);
    mj_solve_m(m, d, &mut result);
    check("solve_m", &result);
    result.copy_from_slice(x);
    mj_solve_m2(m, d, &mut result);
    check("solve_m2", &result);
    check("full_m", &row_major(&inertia_matrix(m, d)));
    d.qacc.copy_from_slice(x);
    mj_rne(m, d, true, &mut result);
    check("rne", &result);
    let mut qpos = d.qpos.clone();
    mj_integrate_pos(m, &mut qpos, x, 0.7);
    check("integrate_pos", &qpos);
    mj_differentiate_pos(m, &mut result, 0.7, &d.qpos, &qpos);
    check("differentiate_pos", &result);
}

fn three(v: &[f64]) -> Vector3<f64> {
    Vector3::new(v[0], v[1], v[2])
}

fn row_major(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}
