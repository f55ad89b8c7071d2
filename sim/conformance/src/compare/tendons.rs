//! Comparison of tendon paths (`mj_tendon`), tendon by tendon.
//!
//! Where an end point of a segment lies on the surface of a wrapping geom, rounding decides whether the path has points on
//! the geom, so points that coincide with a site are ignored if the numbers of points differ. In the oracle rounding
//! also decides whether there is a full turn around the geom, which a rule of [`known`] accepts. The arrays that do
//! not depend on such a tendon are still compared.

use super::Outcome;
use crate::{Archive, known, tolerance};
use sim_core::types::{EqType, SensorType, TransmissionType};
use sim_core::{Data, Model, Stage};

/// Largest distance of coincident points relative to the radius of the geom. If an end point lies on the
/// circle, its tangent point has an error of order √ε.
const COINCIDENT: f64 = 1e-5;

/// Arrays of the paths, which are compared here.
pub(super) const PATHS: [&str; 4] = ["ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos"];

/// A point of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    /// The geom on which the point is; negative for sites and pulleys.
    object: i64,
    /// World position, m.
    pos: [f64; 3],
}

/// The path of a tendon: `num` points from `adr`.
fn path(adr: f64, num: f64, objects: &[f64], positions: &[f64]) -> Vec<Point> {
    let (adr, num) = (adr.max(0.0) as usize, num.max(0.0) as usize);
    let points = objects.iter().zip(positions.as_chunks::<3>().0).skip(adr).take(num);
    points.map(|(&object, &pos)| Point { object: object as i64, pos }).collect()
}

/// Compares the paths of all tendons at state `k`. Returns the tendons whose path or length differs for one of
/// these reasons.
pub(super) fn compare(
    out: &mut Outcome,
    archive: &Archive,
    m: &Model,
    d: &Data,
    k: usize,
) -> Vec<usize> {
    let theirs = |name: &str| archive.row(&format!("out/{name}"), k);
    let [adr, num, objects, positions] = PATHS.map(theirs);
    let lengths = theirs("ten_length");
    let mut accepted = Vec::new();
    let complete = [adr, num, lengths].iter().all(|array| array.len() == m.ntendon);
    if m.ntendon == 0 || !complete {
        return accepted;
    }
    let our_objects: Vec<f64> = d.wrap_obj.iter().map(|&x| f64::from(x)).collect();
    let scale = lengths.iter().fold(tolerance::MIN_SCALE, |s, x| s.max(x.abs()));
    let Some(tolerance) = tolerance::of(Stage::Tendon) else { return accepted };
    for i in 0..m.ntendon {
        let (start, count) = (f64::from(d.ten_wrapadr[i]), f64::from(d.ten_wrapnum[i]));
        let ours = path(start, count, &our_objects, &d.wrap_xpos);
        let other = path(adr[i], num[i], objects, positions);
        let same_length = (d.ten_length[i] - lengths[i]).abs() <= tolerance * scale;
        if !same_length && known::is_full_turn(m, i, d.ten_length[i], lengths[i]) {
            out.accept(known::FULL_TURN);
            accepted.push(i);
        } else if same_length
            && ours.len() != other.len()
            && same(&without_tangents(m, &ours), &without_tangents(m, &other))
        {
            out.compared += 1;
            accepted.push(i);
        } else {
            compare_path(out, i, &ours, &other);
        }
    }
    accepted
}

/// Compares the points of one path.
fn compare_path(out: &mut Outcome, tendon: usize, ours: &[Point], theirs: &[Point]) {
    let stage = Stage::Tendon.function();
    let objects = |path: &[Point]| path.iter().map(|p| p.object as f64).collect::<Vec<_>>();
    let flat = |path: &[Point]| path.iter().flat_map(|p| p.pos).collect::<Vec<_>>();
    let name = |field: &str| format!("{field} of tendon {tendon}");
    out.integers(stage, &name("wrap_obj"), objects(ours).into_iter(), &objects(theirs));
    let tolerance = tolerance::of(Stage::Tendon).unwrap_or_default();
    out.reals(stage, &name("wrap_xpos"), tolerance, &flat(ours), &flat(theirs));
}

/// A path without the points on geoms that coincide with a neighbouring site.
fn without_tangents(m: &Model, path: &[Point]) -> Vec<Point> {
    let coincides = |i: usize| {
        let Ok(geom) = usize::try_from(path[i].object) else { return false };
        let radius = m.geom_size.get(3 * geom).copied().unwrap_or(0.0);
        let sites = path.iter().enumerate().filter(|(j, p)| p.object < 0 && j.abs_diff(i) <= 2);
        let distance = |p: &Point| {
            let square = |k: usize| (p.pos[k] - path[i].pos[k]).powi(2);
            (0..3).map(square).sum::<f64>().sqrt()
        };
        sites.map(|(_, p)| distance(p)).any(|x| x <= COINCIDENT * radius)
    };
    (0..path.len()).filter(|&i| !coincides(i)).map(|i| path[i]).collect()
}

/// Whether two paths have the same points.
fn same(ours: &[Point], theirs: &[Point]) -> bool {
    let close = |a: &Point, b: &Point| {
        (0..3).all(|k| (a.pos[k] - b.pos[k]).abs() <= tolerance::DETECTION * tolerance::MIN_SCALE)
    };
    ours.len() == theirs.len()
        && ours.iter().zip(theirs).all(|(a, b)| a.object == b.object && close(a, b))
}

/// Copies the oracle's lengths, velocities, Jacobian and sensor readings of some tendons, so that the other
/// entries of these arrays can be compared.
pub(super) fn adopt(archive: &Archive, m: &Model, d: &mut Data, k: usize, tendons: &[usize]) {
    let theirs = |name: &str| archive.row(&format!("out/{name}"), k);
    for &i in tendons {
        let (adr, nnz) = (m.ten_J_rowadr[i] as usize, m.ten_J_rownnz[i] as usize);
        copy(&mut d.ten_length, theirs("ten_length"), i, 1);
        copy(&mut d.ten_velocity, theirs("ten_velocity"), i, 1);
        copy(&mut d.ten_J, theirs("ten_J"), adr, nnz);
        for s in 0..m.nsensor {
            let reads = matches!(m.sensor_type[s], SensorType::TendonPos | SensorType::TendonVel);
            if reads && usize::try_from(m.sensor_objid[s]) == Ok(i) {
                copy(&mut d.sensordata, theirs("sensordata"), m.sensor_adr[s] as usize, 1);
            }
        }
    }
}

fn copy(to: &mut [f64], from: &[f64], adr: usize, n: usize) {
    if let (Some(to), Some(from)) = (to.get_mut(adr..adr + n), from.get(adr..adr + n)) {
        to.copy_from_slice(from);
    }
}

/// Whether later stages depend on a tendon that wraps: it exerts forces or is constrained. It cannot have
/// armature.
pub(super) fn acts(m: &Model, tendon: usize) -> bool {
    let is = |id: i32| usize::try_from(id) == Ok(tendon);
    let spring = [m.tendon_stiffness[tendon], m.tendon_damping[tendon]];
    let poly = [&m.tendon_stiffnesspoly, &m.tendon_dampingpoly];
    let poly = poly.into_iter().flat_map(|array| &array[2 * tendon..2 * tendon + 2]);
    spring.iter().chain(poly).any(|&x| x != 0.0)
        || m.tendon_limited[tendon]
        || m.tendon_frictionloss[tendon] > 0.0
        || (0..m.nu).any(|a| {
            m.actuator_trntype[a] == TransmissionType::Tendon && is(m.actuator_trnid[2 * a])
        })
        || (0..m.neq)
            .any(|e| m.eq_type[e] == EqType::Tendon && (is(m.eq_obj1id[e]) || is(m.eq_obj2id[e])))
}

/// Whether the arrays of a stage do not depend on tendons that wrap.
pub(super) fn independent(stage: Stage) -> bool {
    use Stage as S;
    matches!(
        stage,
        S::Kinematics
            | S::ComPos
            | S::Camlight
            | S::Tendon
            | S::MakeM
            | S::FactorM
            | S::Collision
            | S::ComVel
            | S::SubtreeVel
            | S::Rne
    )
}

#[cfg(test)]
mod tests {
    use super::{Point, acts, same, without_tangents};
    use sim_core::Model;

    fn model(attributes: &str) -> Model {
        sim_mjcf::load_str(&format!(
            r#"<mujoco><worldbody><geom name="g" type="cylinder" size=".1 1"/>
            <body><joint/><geom size="1"/><site name="a" pos="-1 .1 0"/></body>
            <site name="b" pos="0 .1 0"/></worldbody><tendon><spatial {attributes}><site site="a"/>
            <geom geom="g" sidesite="b"/><site site="b"/></spatial></tendon></mujoco>"#
        ))
        .unwrap_or_else(|errors| panic!("{errors}"))
    }

    #[test]
    fn only_points_that_coincide_with_a_site_are_ignored() {
        let m = model("");
        let site = |x: f64| Point { object: -1, pos: [x, 0.1, 0.0] };
        let tangent = |x: f64| Point { object: 0, pos: [x, 0.1, 0.0] };
        let straight = [site(-1.0), site(0.0)];
        let wrapped = |x: f64| [site(-1.0), tangent(x), tangent(x), site(0.0)];
        assert!(same(&without_tangents(&m, &wrapped(-1e-8)), &straight));
        // farther than 1e-5 of the radius
        assert!(!same(&without_tangents(&m, &wrapped(-1e-5)), &straight));
        assert!(!same(&[site(-1.0), site(1e-6)], &straight));
    }

    #[test]
    fn a_tendon_with_a_spring_limit_or_friction_acts() {
        assert!(!acts(&model(""), 0));
        for attributes in ["stiffness='1'", "damping='0 1'", "range='0 1'", "frictionloss='1'"] {
            assert!(acts(&model(attributes), 0), "{attributes}");
        }
    }
}
