//! Ray casting: hits are on surfaces and first along the ray; multi-ray agrees with single rays.

use crate::models::{Rng, load, moving};
use crate::tolerance::{ALGORITHM, close};
use sim_core::math::vec3;
use sim_core::types::GeomType;
use sim_core::{
    Model, RayFilter, RayHit, mj_fwd_position, mj_multi_ray, mj_ray, mj_ray_hfield, mj_ray_mesh,
};

const SHAPES: &str = r#"<mujoco><asset>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1" scale=".4 .5 .6"/>
    <hfield name="hills" nrow="3" ncol="4" size=".5 .4 .3 .1"
      elevation="0 .2 .5 .1  .3 1 .4 .2  0 .1 .6 .3"/></asset>
  <worldbody>
    <geom type="plane" size="3 3 .1" pos="0 0 -1"/>
    <geom type="sphere" size=".3" pos="-1 0 0"/>
    <geom type="capsule" size=".2 .3" pos="1 0 0" euler="20 40 10"/>
    <geom type="ellipsoid" size=".2 .3 .4" pos="0 1 0" euler="10 20 70"/>
    <geom type="cylinder" size=".3 .2" pos="0 -1 0" euler="50 10 20"/>
    <geom type="box" size=".2 .3 .1" pos="1 1 0" euler="30 20 10"/>
    <geom type="mesh" mesh="wedge" pos="-1 1 0" euler="10 50 20"/>
    <geom type="hfield" hfield="hills" pos="-1 -1 0" euler="5 10 20"/>
  </worldbody></mujoco>"#;

/// Rays towards random points near the origin.
fn rays(count: usize) -> impl Iterator<Item = ([f64; 3], [f64; 3])> {
    let mut rng = Rng(9);
    (0..count).map(move |_| {
        let point = vec3::scale(rng.vector(), 4.0);
        let target = vec3::scale(rng.vector(), 1.5);
        (point, vec3::sub(target, point))
    })
}

#[test]
fn hits_are_first_along_the_ray_and_have_unit_normals() {
    let m = load(SHAPES);
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    let all = RayFilter::default();
    let mut seen = vec![0; m.ngeom];
    for (point, vec) in rays(2000) {
        let Some(hit) = mj_ray(&m, &d, point, vec, &all) else { continue };
        seen[hit.geom] += 1;
        assert!((vec3::norm(hit.normal) - 1.0).abs() < 1e-12);
        // from halfway the same point is hit
        let half = vec3::add_scaled(point, vec, 0.5 * hit.dist);
        let again = mj_ray(&m, &d, half, vec, &all).expect("the hit is still ahead");
        assert_eq!(again.geom, hit.geom);
        close("dist", &[2.0 * again.dist], &[hit.dist], ALGORITHM);
        // from just beyond the hit, the next hit is at a positive distance
        let behind = vec3::add_scaled(point, vec, hit.dist + 1e-6);
        let beyond = mj_ray(&m, &d, behind, vec, &all);
        assert!(beyond.is_none_or(|next| next.dist > 0.0));
    }
    assert!(seen.iter().all(|&count| count > 5), "every shape is hit: {seen:?}");
}

#[test]
fn distance_scales_inversely_with_the_vector() {
    let m = load(SHAPES);
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    for (point, vec) in rays(200) {
        let all = RayFilter::default();
        let hit = mj_ray(&m, &d, point, vec, &all);
        let longer = mj_ray(&m, &d, point, vec3::scale(vec, 3.0), &all);
        let same = |a: Option<RayHit>, b: Option<RayHit>| match (a, b) {
            (Some(a), Some(b)) => a.geom == b.geom && (a.dist - 3.0 * b.dist).abs() < 1e-9,
            (None, None) => true,
            _ => false,
        };
        assert!(same(hit, longer), "{hit:?} {longer:?}");
    }
}

fn multi_ray_agrees_with_single_rays(m: &Model) {
    let mut d = moving(m, 5);
    mj_fwd_position(m, &mut d);
    let point = [2.0, 1.0, 1.5];
    let vecs: Vec<[f64; 3]> = rays(300).map(|(_, vec)| vec).collect();
    let filter = RayFilter::default();
    let mut hits = vec![None; vecs.len()];
    mj_multi_ray(m, &d, point, &vecs, &filter, f64::INFINITY, &mut hits);
    for (vec, hit) in vecs.iter().zip(hits) {
        assert_eq!(hit, mj_ray(m, &d, point, *vec, &filter));
    }
}
on_models!(multi_ray_agrees_with_single_rays: robots / humanoid, robots / quadruped, features / forest);

#[test]
fn filter_excludes_groups_static_geoms_and_bodies() {
    let m = load(
        r#"<mujoco><worldbody><geom name="wall" type="box" size=".1 1 1" pos="3 0 0"/>
        <body name="a" pos="1 0 0"><freejoint/><geom size=".2" group="2"/></body>
        <body name="b" pos="2 0 0"><freejoint/><geom size=".2" group="3"/></body>
        <body name="ghost" pos=".5 0 0"><freejoint/><geom size=".1" rgba="1 1 1 0"/></body>
        </worldbody></mujoco>"#,
    );
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    let all = RayFilter::default();
    let first =
        |filter: RayFilter| mj_ray(&m, &d, [0.0; 3], [1.0, 0.0, 0.0], &filter).map(|hit| hit.geom);
    assert_eq!(first(all), Some(1), "invisible geoms are not hit");
    assert_eq!(first(RayFilter { exclude: Some(1), ..all }), Some(2));
    let only = |groups: [usize; 2]| Some(std::array::from_fn(|g| groups.contains(&g)));
    assert_eq!(first(RayFilter { groups: only([3, 3]), ..all }), Some(2));
    assert_eq!(first(RayFilter { groups: only([0, 0]), ..all }), Some(0));
    assert_eq!(first(RayFilter { groups: only([0, 0]), fixed: false, ..all }), None);
    assert_eq!(mj_ray(&m, &d, [0.0; 3], [0.0; 3], &all), None);
}

/// The functions for one geom agree with the ray that sees all geoms where that hits the same geom, and return
/// nothing for other types.
#[test]
fn rays_to_a_mesh_and_a_height_field_agree_with_all_geoms() {
    let m = load(SHAPES);
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    let mut compared = [0; 2];
    for (point, vec) in rays(2000) {
        let hit = mj_ray(&m, &d, point, vec, &RayFilter::default());
        for geom in 0..m.ngeom {
            let to_mesh = mj_ray_mesh(&m, &d, geom, point, vec);
            let to_hfield = mj_ray_hfield(&m, &d, geom, point, vec);
            assert!(to_mesh.is_none() || m.geom_type[geom] == GeomType::Mesh);
            assert!(to_hfield.is_none() || m.geom_type[geom] == GeomType::HField);
            let found = to_mesh.or(to_hfield);
            let is_first = hit.is_some_and(|hit| hit.geom == geom);
            if let (Some((dist, normal)), Some(hit)) = (found, hit) {
                assert!(dist >= hit.dist, "an earlier hit than the first");
                if is_first {
                    close("dist", &[dist], &[hit.dist], ALGORITHM);
                    close("normal", &normal, &hit.normal, ALGORITHM);
                    compared[usize::from(to_hfield.is_some())] += 1;
                }
            }
        }
    }
    assert!(compared.iter().all(|&count| count > 5), "{compared:?}");
}
