//! Triangle-mesh collision: concave shapes, holes, interior edges, penetration depth.

use crate::models::{Rng, load};
use crate::tolerance::close;
use sim_core::math::{mat3, quat, vec3};
use sim_core::types::Contact;
use sim_core::{Data, Model, mj_collision, mj_fwd_position};

type Vec3 = vec3::Vec3;

/// Vertices and faces as attributes.
fn attributes(vertices: &[Vec3], faces: &[[usize; 3]]) -> String {
    let list = |numbers: Vec<String>| numbers.join(" ");
    format!(
        r#"vertex="{}" face="{}""#,
        list(vertices.iter().flatten().map(|x| format!("{x:.9}")).collect()),
        list(faces.iter().flatten().map(ToString::to_string).collect())
    )
}

/// A bowl: a closed solid with a hemispherical cavity open upward, given by outer and inner radius.
fn bowl(outer: f64, inner: f64, around: usize, down: usize) -> String {
    let mut vertices = Vec::new();
    for radius in [inner, outer] {
        for i in 0..down {
            for j in 0..around {
                let (polar, turn) = (
                    std::f64::consts::FRAC_PI_2 * i as f64 / down as f64,
                    std::f64::consts::TAU * j as f64 / around as f64,
                );
                let (s, c) = polar.sin_cos();
                vertices.push([radius * c * turn.cos(), radius * c * turn.sin(), -radius * s]);
            }
        }
        vertices.push([0.0, 0.0, -radius]);
    }
    let layer = down * around + 1;
    let mut faces = Vec::new();
    for (base, inside) in [(0, true), (layer, false)] {
        let mut face =
            |[a, b, c]: [usize; 3]| faces.push(if inside { [a, b, c] } else { [a, c, b] });
        for j in 0..around {
            let next = (j + 1) % around;
            for i in 0..down - 1 {
                let at = |i: usize, j: usize| base + i * around + j;
                face([at(i, j), at(i + 1, next), at(i + 1, j)]);
                face([at(i, j), at(i, next), at(i + 1, next)]);
            }
            let last = base + (down - 1) * around;
            face([last + j, last + next, base + layer - 1]);
        }
    }
    for j in 0..around {
        let next = (j + 1) % around;
        faces.push([j, layer + j, layer + next]);
        faces.push([j, layer + next, next]);
    }
    attributes(&vertices, &faces)
}

/// A static mesh with the given collider, and a free geom.
fn scene(mesh: &str, collider: &str, geom: &str) -> Model {
    load(&format!(
        r#"<mujoco><asset><mesh name="m" inertia="exact" collider="{collider}" {mesh}/></asset>
        <worldbody><geom type="mesh" mesh="m"/>
        <body><freejoint/><geom {geom}/></body></worldbody></mujoco>"#
    ))
}

/// The contacts with the free body at a pose.
fn contacts(m: &Model, d: &mut Data, pos: Vec3, turn: quat::Quat) -> Vec<Contact> {
    d.qpos[..3].copy_from_slice(&pos);
    d.qpos[3..7].copy_from_slice(&turn);
    mj_fwd_position(m, d);
    mj_collision(m, d);
    d.contact.clone()
}

fn normal(contact: &Contact) -> Vec3 {
    [contact.frame[0], contact.frame[1], contact.frame[2]]
}

/// Contact normal pointing out of the mesh, geom 0.
fn out_of_mesh(contact: &Contact) -> Vec3 {
    vec3::scale(normal(contact), if contact.geom[0] == 0 { 1.0 } else { -1.0 })
}

const STRAIGHT: quat::Quat = quat::IDENTITY;

/// A small sphere at the bottom of a bowl, at increasing depth.
#[test]
fn sphere_in_a_bowl_is_pushed_up() {
    let (inner, radius) = (0.2, 0.05);
    let m = scene(&bowl(0.25, inner, 24, 8), "triangles", r#"size=".05""#);
    let hull = scene(&bowl(0.25, inner, 24, 8), "hull", r#"size=".05""#);
    let mut d = m.make_data();
    // the bottom is a fan of triangles around the lowest vertex
    for depth in [1e-4, 1e-3, 0.01, 0.03] {
        let pos = [0.0, 0.0, -inner + radius - depth];
        let found = contacts(&m, &mut d, pos, STRAIGHT);
        let deepest = found.iter().map(|c| c.dist).fold(0.0, f64::min);
        // largest height of the facets above the inscribed sphere
        assert!(deepest <= -depth * 0.9 && deepest >= -depth - 0.004, "{depth}: {deepest}");
        let mut sum = [0.0; 3];
        for contact in &found {
            let up = out_of_mesh(contact);
            assert!(up[2] > 0.9, "{depth}: {up:?}");
            sum = vec3::add(sum, vec3::scale(up, -contact.dist));
        }
        let (push, _) = vec3::normalize(sum);
        assert!(push[2] > 0.999, "{depth}: {push:?}");
    }
    let above = [0.0, 0.0, -inner + radius + 0.005];
    assert_eq!(contacts(&m, &mut d, above, STRAIGHT).len(), 0);
    assert!(!contacts(&hull, &mut hull.make_data(), above, STRAIGHT).is_empty());
}

/// A torus around a peg: no contact in the hole, unlike with the convex hull.
#[test]
fn peg_in_the_hole_of_a_ring_has_no_contacts() {
    let ring = r#"builtin="supertorus" params="24 .25 1 1" scale=".2 .2 .2""#;
    let pegs = [
        r#"type="cylinder" size=".1 .3""#,
        r#"type="capsule" size=".1 .3""#,
        r#"type="box" size=".08 .08 .3""#,
        r#"type="ellipsoid" size=".1 .1 .4""#,
        r#"type="sphere" size=".1""#,
    ];
    for peg in pegs {
        let m = scene(ring, "triangles", peg);
        let mut d = m.make_data();
        assert_eq!(contacts(&m, &mut d, [0.0; 3], STRAIGHT).len(), 0, "{peg}");
        let hull = scene(ring, "hull", peg);
        // at the exact centre GJK on the hull has no initial direction
        let off_centre = [0.004, 0.003, 0.0];
        assert_eq!(contacts(&m, &mut d, off_centre, STRAIGHT).len(), 0, "{peg}");
        assert!(!contacts(&hull, &mut hull.make_data(), off_centre, STRAIGHT).is_empty(), "{peg}");
        // displaced, it is in contact with the inner wall and is pushed back
        let found = contacts(&m, &mut d, [0.06, 0.0, 0.0], STRAIGHT);
        assert!(!found.is_empty() && found.len() <= 12, "{peg}: {}", found.len());
        let deepest = found.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)).unwrap();
        assert!(deepest.dist < 0.0 && out_of_mesh(deepest)[0] < -0.9, "{peg}: {deepest:?}");
    }
}

/// Depth of a sphere against a densely sampled surface.
#[test]
fn sphere_depth_agrees_with_sampling() {
    let m = scene(
        r#"builtin="supertorus" params="16 .3 1 1" scale=".2 .2 .2""#,
        "triangles",
        r#"size=".05""#,
    );
    let (mut d, mut rng, mut in_contact) = (m.make_data(), Rng(5), 0);
    mj_fwd_position(&m, &mut d);
    let mut samples = Vec::new();
    for face in m.mesh_face.chunks(3) {
        let corner = |k: usize| {
            let v = 3 * face[k] as usize;
            let local = [0, 1, 2].map(|c| f64::from(m.mesh_vert[v + c]));
            let turn: [f64; 9] = d.geom_xmat[..9].try_into().unwrap();
            vec3::add(mat3::mul_vec(&turn, local), d.geom_xpos[..3].try_into().unwrap())
        };
        let [a, b, c] = [0, 1, 2].map(corner);
        for i in 0..=12 {
            for j in 0..=12 - i {
                let (u, v) = (f64::from(i) / 12.0, f64::from(j) / 12.0);
                samples.push(vec3::add(
                    vec3::scale(a, 1.0 - u - v),
                    vec3::add(vec3::scale(b, u), vec3::scale(c, v)),
                ));
            }
        }
    }
    for _ in 0..300 {
        let pos = vec3::scale(rng.vector(), 0.3);
        let found = contacts(&m, &mut d, pos, STRAIGHT);
        let brute = samples.iter().map(|s| vec3::distance(*s, pos)).fold(f64::INFINITY, f64::min);
        // inside the tube the sign is negative
        let around = (pos[0] * pos[0] + pos[1] * pos[1]).sqrt();
        let inside = vec3::norm([around - 0.2, 0.0, pos[2]]) < 0.045;
        let deepest = found.iter().map(|c| c.dist).fold(f64::INFINITY, f64::min);
        if inside {
            assert!((deepest + brute + 0.05).abs() < 2e-3, "{pos:?}: {deepest} {brute}");
        } else if brute < 0.049 && vec3::norm([around - 0.2, 0.0, pos[2]]) > 0.065 {
            assert!((deepest - (brute - 0.05)).abs() < 2e-3, "{pos:?}: {deepest} {brute}");
            in_contact += 1;
        } else if brute > 0.053 {
            assert!(found.is_empty(), "{pos:?}");
        }
    }
    assert!(in_contact > 20, "{in_contact}");
}

/// A plate, subdivided into `cells` by `cells` squares on each side.
fn plate(cells: usize) -> String {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    let n = cells + 1;
    for top in [0.0, -0.1] {
        for i in 0..n * n {
            let at = |k: usize| k as f64 / cells as f64 - 0.5;
            vertices.push([at(i % n), at(i / n), top]);
        }
    }
    for (base, up) in [(0, true), (n * n, false)] {
        for i in 0..cells {
            for j in 0..cells {
                let at = |i: usize, j: usize| base + j * n + i;
                let (a, b, c, e) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                faces.extend(if up { [[a, b, c], [a, c, e]] } else { [[a, c, b], [a, e, c]] });
            }
        }
    }
    // the border, counter-clockwise seen from above
    let mut border = Vec::new();
    border.extend(0..cells);
    border.extend((0..cells).map(|k| k * n + cells));
    border.extend((0..cells).map(|k| cells * n + cells - k));
    border.extend((0..cells).map(|k| (cells - k) * n));
    for k in 0..border.len() {
        let (a, b) = (border[k], border[(k + 1) % border.len()]);
        faces.push([a, n * n + a, n * n + b]);
        faces.push([a, n * n + b, b]);
    }
    attributes(&vertices, &faces)
}

/// Interior edges of a flat region create no contacts: normals are those of the plate, depths are exact.
#[test]
fn interior_edges_of_a_flat_region_are_ignored() {
    let solids = [
        (r#"size=".06""#, 0.06),
        (r#"type="capsule" size=".05 .1" euler="90 0 0""#, 0.05),
        (r#"type="cylinder" size=".05 .07""#, 0.07),
        (r#"type="ellipsoid" size=".08 .1 .06""#, 0.06),
        (r#"type="box" size=".1 .08 .06""#, 0.06),
    ];
    for cells in [2, 7] {
        for (solid, half_height) in solids {
            let m = scene(&plate(cells), "triangles", solid);
            let (mut d, mut rng) = (m.make_data(), Rng(7));
            for depth in [1e-4, 0.002, 0.02] {
                let [x, y, _] = vec3::scale(rng.vector(), 0.2);
                let found = contacts(&m, &mut d, [x, y, half_height - depth], STRAIGHT);
                assert!(!found.is_empty() && found.len() <= 12, "{solid} {depth}");
                for contact in &found {
                    assert!(out_of_mesh(contact)[2] > 1.0 - 1e-4, "{solid} {depth} {contact:?}");
                }
                let deepest = found.iter().map(|c| c.dist).fold(0.0, f64::min);
                assert!((deepest + depth).abs() < 2e-4 * half_height, "{solid} {depth} {deepest}");
            }
        }
    }
}

/// A solid inside the plate with its centre in the upper half is pushed up.
#[test]
fn enclosed_solids_are_pushed_to_the_closest_face() {
    for solid in
        [r#"size=".01""#, r#"type="box" size=".01 .01 .01""#, r#"type="capsule" size=".01 .004""#]
    {
        let m = scene(&plate(5), "triangles", solid);
        let mut d = m.make_data();
        for below in [0.0, 0.005, 0.01, 0.02, 0.04] {
            let found = contacts(&m, &mut d, [0.03, 0.011, -below], STRAIGHT);
            assert!(!found.is_empty(), "{solid} {below}");
            for contact in &found {
                assert!(out_of_mesh(contact)[2] > 0.99, "{solid} {below} {contact:?}");
            }
            let deepest = found.iter().map(|c| c.dist).fold(0.0, f64::min);
            assert!(
                deepest < -below - 0.009 && deepest > -below - 0.015,
                "{solid} {below} {deepest}"
            );
        }
    }
}

/// A box standing on a vertex penetrates with that vertex.
#[test]
fn box_vertex_penetration_has_the_vertex_depth() {
    let m = scene(&plate(6), "triangles", r#"type="box" size=".1 .1 .1""#);
    let mut d = m.make_data();
    let turn = quat::from_z_axis(vec3::normalize([1.0, 1.0, 1.0]).0);
    let vertex_distance = 0.1 * 3.0_f64.sqrt();
    for depth in [1e-3, 0.01, 0.05] {
        let found =
            contacts(&m, &mut d, [0.02, 0.03, vertex_distance - depth], quat::conjugate(turn));
        let deepest = found.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)).unwrap();
        close("depth", &[deepest.dist], &[-depth], 1e-4);
        assert!(out_of_mesh(deepest)[2] > 0.999, "{deepest:?}");
    }
}

/// Swapping two triangle meshes only flips the normals.
#[test]
fn swapping_two_meshes_flips_the_normal() {
    let model = |first: &str, second: &str| {
        load(&format!(
            r#"<mujoco><asset><mesh name="p" inertia="exact" collider="triangles" {}/>
            <mesh name="r" builtin="supertorus" params="10 .3 1 1" scale=".2 .2 .2" collider="triangles"/>
            </asset><worldbody>{first}{second}</worldbody></mujoco>"#,
            plate(4)
        ))
    };
    let fixed = r#"<geom type="mesh" mesh="p"/>"#;
    let free =
        r#"<body pos=".02 .01 .05" euler="5 3 0"><freejoint/><geom type="mesh" mesh="r"/></body>"#;
    let held = r#"<body pos="0 0 0"><freejoint/><geom type="mesh" mesh="p"/></body>"#;
    let loose =
        r#"<body pos=".02 .01 .05" euler="5 3 0"><freejoint/><geom type="mesh" mesh="r"/></body>"#;
    let run = |m: &Model| {
        let mut d = m.make_data();
        mj_fwd_position(m, &mut d);
        d.contact.clone()
    };
    let (one, two) = (run(&model(fixed, free)), run(&model("", &format!("{loose}{held}"))));
    assert!(one.len() >= 3 && one.len() == two.len(), "{} {}", one.len(), two.len());
    for (a, b) in one.iter().zip(&two) {
        // vertices of the plate are pushed out of the tube along its own normals
        assert!(a.dist < 0.0 && normal(a)[2] > 0.5, "{a:?}");
        close("dist", &[a.dist], &[b.dist], 1e-9);
        close("normal", &normal(a), &vec3::scale(normal(b), -1.0), 1e-9);
    }
}

/// A triangle mesh on a plane, a convex mesh and a height field.
#[test]
fn ring_rests_on_plane_hull_and_height_field() {
    let ring = r#"builtin="supertorus" params="16 .25 1 1" scale=".2 .2 .2" collider="triangles""#;
    let run = |others: &str, height: f64| {
        let m = load(&format!(
            r#"<mujoco><asset><mesh name="r" {ring}/><mesh name="cube" vertex="-.3 -.3 -.1 .3 -.3 -.1
            -.3 .3 -.1 .3 .3 -.1 -.3 -.3 0 .3 -.3 0 -.3 .3 0 .3 .3 0"/>
            <hfield name="h" nrow="5" ncol="5" size=".5 .5 .1 .1"/></asset>
            <worldbody>{others}<body pos="0 0 {height}"><freejoint/><geom type="mesh" mesh="r"/></body>
            </worldbody></mujoco>"#
        ));
        let mut d = m.make_data();
        mj_fwd_position(&m, &mut d);
        d.contact.clone()
    };
    for ground in [
        r#"<geom type="plane" size="1 1 1"/>"#,
        r#"<geom type="mesh" mesh="cube"/>"#,
        r#"<geom type="hfield" hfield="h"/>"#,
    ] {
        // radius of the tube: 0.05
        let found = run(ground, 0.048);
        assert!(found.len() >= 4 && found.len() <= 12, "{ground} {}", found.len());
        for contact in &found {
            assert!(normal(contact)[2] > 0.99, "{ground} {contact:?}");
            assert!(contact.dist < 0.0 && contact.dist > -0.003, "{ground} {contact:?}");
        }
        let spread = |k: usize| found.iter().map(|c| c.pos[k].abs()).fold(0.0, f64::max);
        assert!(spread(0) > 0.1 && spread(1) > 0.1, "{ground}");
        assert!(run(ground, 0.06).is_empty(), "{ground}");
    }
}

/// For shallow contacts the triangles of a convex mesh give the same depths as its hull.
#[test]
fn triangles_of_a_convex_mesh_agree_with_its_hull() {
    let ellipsoid = r#"builtin="sphere" params="1" scale=".2 .15 .25""#;
    for solid in [
        r#"size=".08""#,
        r#"type="capsule" size=".05 .1""#,
        r#"type="ellipsoid" size=".08 .1 .06""#,
        r#"type="cylinder" size=".06 .09""#,
        r#"type="box" size=".1 .08 .06""#,
    ] {
        let (m, hull) = (scene(ellipsoid, "triangles", solid), scene(ellipsoid, "hull", solid));
        let (mut d, mut e, mut rng) = (m.make_data(), hull.make_data(), Rng(11));
        let (mut shallow, mut worst) = (0, 0.0_f64);
        for _ in 0..400 {
            let (pos, turn) = (vec3::scale(rng.vector(), 0.35), rng.rotation());
            let (ours, theirs) =
                (contacts(&m, &mut d, pos, turn), contacts(&hull, &mut e, pos, turn));
            let deepest = |c: &[Contact]| c.iter().map(|c| c.dist).fold(f64::INFINITY, f64::min);
            let (ours, theirs) = (deepest(&ours), deepest(&theirs));
            if theirs < -1e-4 {
                assert!(ours < 0.0, "{solid} {pos:?} {turn:?}: missed {theirs}");
            }
            if theirs < -1e-4 && theirs > -0.02 {
                shallow += 1;
                worst = worst.max((ours - theirs).abs());
            }
            if theirs == f64::INFINITY {
                assert!(ours > -1e-4, "{solid} {pos:?} {turn:?}: spurious contact {ours}");
            }
        }
        assert!(shallow > 10 && worst < 2e-3, "{solid}: {shallow} {worst}");
    }
}

/// A convex mesh and a triangle mesh in either order: the normal points from the first geom to the second.
#[test]
fn swapping_a_hull_and_triangles_flips_the_normal() {
    let model = |first: &str, second: &str| {
        load(&format!(
            r#"<mujoco><asset><mesh name="p" inertia="exact" collider="triangles" {}/>
            <mesh name="r" builtin="sphere" params="1" scale=".2 .2 .2"/></asset>
            <worldbody>{first}{second}</worldbody></mujoco>"#,
            plate(4)
        ))
    };
    let plate = r#"<body><freejoint/><geom type="mesh" mesh="p"/></body>"#;
    let sphere = r#"<body pos=".02 .01 .18"><freejoint/><geom type="mesh" mesh="r"/></body>"#;
    let run = |m: &Model| {
        let mut d = m.make_data();
        mj_fwd_position(m, &mut d);
        d.contact.clone()
    };
    let (one, two) = (run(&model(plate, sphere)), run(&model(sphere, plate)));
    assert!(!one.is_empty() && one.len() == two.len(), "{} {}", one.len(), two.len());
    for (a, b) in one.iter().zip(&two) {
        assert!(a.dist < 0.0 && normal(a)[2] > 0.99, "{a:?}");
        close("dist", &[a.dist], &[b.dist], 1e-9);
        close("normal", &normal(a), &vec3::scale(normal(b), -1.0), 1e-9);
    }
}

/// An open surface pushes to its front side, also shapes slightly behind it.
#[test]
fn open_surface_pushes_to_its_front() {
    let sheet = r#"builtin="plate" params="5 5" scale=".5 .5 .5""#;
    let m = scene(sheet, "triangles", r#"size=".1""#);
    let mut d = m.make_data();
    let front = {
        // the front side is that of the first triangle's normal
        let corner = |k: usize| {
            let v = 3 * m.mesh_face[k] as usize;
            [0, 1, 2].map(|c| f64::from(m.mesh_vert[v + c]))
        };
        let normal = vec3::cross(vec3::sub(corner(1), corner(0)), vec3::sub(corner(2), corner(0)));
        mj_fwd_position(&m, &mut d);
        let turn: [f64; 9] = d.geom_xmat[..9].try_into().unwrap();
        mat3::mul_vec(&turn, normal)[2].signum()
    };
    let level = d.geom_xpos[2];
    for height in [0.09, 0.05, -0.02] {
        let found = contacts(&m, &mut d, [0.03, 0.02, level + front * height], STRAIGHT);
        assert_eq!(found.len(), 1, "{height}");
        assert!(front * out_of_mesh(&found[0])[2] > 0.999, "{height}");
        close("dist", &[found[0].dist], &[height - 0.1], 1e-6);
    }
}
