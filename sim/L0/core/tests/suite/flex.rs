//! Laws of flexes: no force at rest, conservation of momentum, forces that are gradients, rotation invariance,
//! stiffness of homogeneous deformations, and saving and loading of models.

use sim_core::{Data, FlexParts, Model, mj_forward, mj_ray_flex, mj_step};

const GRID: &str = r#"type="grid" count="3 3 4" spacing=".1 .12 .14" dim="3""#;
const SHEET: &str = r#"type="grid" count="4 3 1" spacing=".1 .12 .1" dim="2""#;
const SOLID: &str = r#"<elasticity young="1000" poisson=".3"/>"#;
const BEND: &str = r#"<elasticity young="1000" poisson=".3" thickness=".05" elastic2d="bend"/>"#;
const BOTH: &str = r#"<elasticity young="1000" poisson=".3" thickness=".05" elastic2d="both"/>"#;

/// A flex in a body with the given pose, without gravity and contacts.
fn flex(body: &str, shape: &str, dof: &str, elasticity: &str) -> Model {
    let text = format!(
        r#"<mujoco><option gravity="0 0 0" timestep="1e-4"/><worldbody><body name="b" {body}>
        <flexcomp name="f" {shape} radius=".001" mass="2" dof="{dof}">{elasticity}
        <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></body></worldbody></mujoco>"#
    );
    sim_mjcf::load_str(&text).expect("valid model")
}

/// Every kind of elasticity in a body with the given pose.
fn all(body: &str) -> [Model; 5] {
    [
        flex(body, GRID, "full", SOLID),
        flex(body, SHEET, "full", BOTH),
        flex(body, SHEET, "full", BEND),
        flex(body, GRID, "trilinear", SOLID),
        flex(body, GRID, "quadratic", SOLID),
    ]
}

/// Reproducible numbers between −1 and 1.
fn noise(k: usize) -> f64 {
    let x = (k as f64 * 12.9898 + 4.1414).sin() * 43758.5453;
    2.0 * (x - x.floor()) - 1.0
}

/// Displaces all dofs by noise.
fn disturb(d: &mut Data, size: f64) {
    d.qpos.iter_mut().enumerate().for_each(|(k, q)| *q += size * noise(k));
}

/// World forces on the moving bodies and their positions, from the slide joints of each body.
fn forces(m: &Model, d: &Data) -> Vec<([f64; 3], [f64; 3])> {
    let mut list = Vec::new();
    for j in (0..m.njnt).step_by(3) {
        let mut force = [0.0; 3];
        for k in 0..3 {
            for c in 0..3 {
                force[c] += d.qfrc_spring[j + k] * d.xaxis[3 * (j + k) + c];
            }
        }
        let body = m.jnt_bodyid[j] as usize;
        list.push((force, std::array::from_fn(|c| d.xpos[3 * body + c])));
    }
    list
}

#[test]
fn undeformed_flexes_have_no_elastic_force() {
    for m in all(r#"pos="1 2 3" euler="20 40 70""#) {
        let mut d = m.make_data();
        mj_forward(&m, &mut d).expect("supported");
        let largest = d.qfrc_spring.iter().fold(0.0_f64, |max, f| max.max(f.abs()));
        assert!(largest < 1e-9, "{largest}");
    }
}

#[test]
fn elastic_forces_have_no_resultant() {
    for m in all(r#"euler="20 40 70""#) {
        let mut d = m.make_data();
        disturb(&mut d, 0.01);
        mj_forward(&m, &mut d).expect("supported");
        let (mut force, mut torque, mut scale) = ([0.0; 3], [0.0; 3], 0.0_f64);
        for (f, x) in forces(&m, &d) {
            for c in 0..3 {
                let (a, b) = ((c + 1) % 3, (c + 2) % 3);
                force[c] += f[c];
                torque[c] += x[a] * f[b] - x[b] * f[a];
                scale = scale.max(f[c].abs());
            }
        }
        assert!(scale > 0.1, "the flex is deformed");
        assert!(force.iter().all(|f| f.abs() < 1e-10 * scale), "{force:?} of {scale}");
        // cells rotate with the deformation gradient at their centre, which leaves a torque of second order
        if m.nflexnode == 0 {
            assert!(torque.iter().all(|t| t.abs() < 1e-10 * scale), "{torque:?} of {scale}");
        }
    }
}

#[test]
fn momentum_is_conserved() {
    for m in all("") {
        let mut d = m.make_data();
        d.qvel.iter_mut().enumerate().for_each(|(k, v)| *v = noise(k));
        let momentum = |d: &Data| -> [f64; 3] {
            let mut sum = [0.0; 3];
            for k in 0..m.nv {
                sum[k % 3] += m.body_mass[m.dof_bodyid[k] as usize] * d.qvel[k];
            }
            sum
        };
        let before = momentum(&d);
        for _ in 0..200 {
            mj_step(&m, &mut d).expect("supported");
        }
        let after = momentum(&d);
        assert!((0..3).all(|c| (after[c] - before[c]).abs() < 1e-12), "{before:?} {after:?}");
    }
}

/// Derivative of the elastic force with respect to the dofs, by central differences.
fn stiffness(m: &Model, d: &Data) -> Vec<Vec<f64>> {
    const STEP: f64 = 1e-6;
    let force = |k: usize, step: f64| {
        let mut near = d.clone();
        near.qpos[k] += step;
        mj_forward(m, &mut near).expect("supported");
        near.qfrc_spring.clone()
    };
    (0..m.nv)
        .map(|k| {
            let (plus, minus) = (force(k, STEP), force(k, -STEP));
            plus.iter().zip(&minus).map(|(p, q)| (p - q) / (2.0 * STEP)).collect()
        })
        .collect()
}

#[test]
fn forces_of_elements_are_gradients_of_an_energy() {
    for m in [flex("", GRID, "full", SOLID), flex("", SHEET, "full", BOTH)] {
        let mut d = m.make_data();
        disturb(&mut d, 0.01);
        let k = stiffness(&m, &d);
        let scale = k.iter().flatten().fold(0.0_f64, |max, x| max.max(x.abs()));
        for i in 0..m.nv {
            for j in 0..i {
                assert!((k[i][j] - k[j][i]).abs() < 1e-6 * scale, "{i} {j}");
            }
        }
    }
}

#[test]
fn energy_of_an_undamped_solid_is_conserved() {
    let m = flex("", GRID, "full", SOLID);
    let mut d = m.make_data();
    disturb(&mut d, 0.005);
    // kinetic energy and work of the elastic force by the trapezoidal rule
    let kinetic = |d: &Data| -> f64 {
        let mass = |k: usize| m.body_mass[m.dof_bodyid[k] as usize];
        (0..m.nv).map(|k| 0.5 * mass(k) * d.qvel[k] * d.qvel[k]).sum()
    };
    mj_forward(&m, &mut d).expect("supported");
    let (mut work, mut largest) = (0.0, 0.0_f64);
    for _ in 0..2000 {
        let before = d.clone();
        mj_step(&m, &mut d).expect("supported");
        mj_forward(&m, &mut d).expect("supported");
        for k in 0..m.nv {
            let force = 0.5 * (before.qfrc_spring[k] + d.qfrc_spring[k]);
            work += force * (d.qpos[k] - before.qpos[k]);
        }
        largest = largest.max(kinetic(&d));
    }
    assert!((kinetic(&d) - work).abs() < 2e-3 * largest, "{} {work}", kinetic(&d));
}

#[test]
fn elastic_forces_rotate_with_the_parent_body() {
    for (plain, turned) in all("").into_iter().zip(all(r#"euler="30 50 110""#)) {
        let (mut a, mut b) = (plain.make_data(), turned.make_data());
        disturb(&mut a, 0.01);
        b.qpos.copy_from_slice(&a.qpos);
        a.qvel.iter_mut().enumerate().for_each(|(k, v)| *v = noise(k + 100));
        b.qvel.copy_from_slice(&a.qvel);
        mj_forward(&plain, &mut a).expect("supported");
        mj_forward(&turned, &mut b).expect("supported");
        // the dofs are in the frame of the parent, so that their forces do not change
        let scale = a.qfrc_passive.iter().fold(0.0_f64, |max, f| max.max(f.abs()));
        for k in 0..plain.nv {
            let difference = (a.qfrc_passive[k] - b.qfrc_passive[k]).abs();
            assert!(difference < 1e-7 * scale, "dof {k}: {difference} of {scale}");
        }
    }
}

/// Force on the end of a flex that is stretched along x by a factor.
fn stretched(m: &Model, factor: f64) -> f64 {
    let mut d = m.make_data();
    let mut end = f64::MIN;
    for j in (0..m.njnt).step_by(3) {
        let x = m.body_pos[3 * m.jnt_bodyid[j] as usize];
        d.qpos[j] = x * (factor - 1.0);
        end = end.max(x);
    }
    mj_forward(m, &mut d).expect("supported");
    let at_end = |j: &usize| m.body_pos[3 * m.jnt_bodyid[*j] as usize] > end - 1e-9;
    (0..m.njnt).step_by(3).filter(at_end).map(|j| d.qfrc_spring[j]).sum()
}

#[test]
fn stretching_has_the_stiffness_of_the_constitutive_law() {
    let (young, poisson, factor) = (1000.0, 0.3, 1.01);
    let mu = young / (2.0 * (1.0 + poisson));
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    // nominal stress of uniaxial Green strain, for the energies of MuJoCo: λ (tr E)² + μ E:E per volume of a solid,
    // a quarter of it for cloth, and half of it with linear strain for cells
    let green = 0.5 * (factor * factor - 1.0) * factor;
    let cases = [
        (flex("", GRID, "full", SOLID), 2.0 * (lambda + mu) * green * 0.24 * 0.42),
        (
            flex("", SHEET, "full", &BOTH.replace("both", "stretch")),
            0.5 * (lambda + mu) * green * 0.24 * 0.05,
        ),
        (flex("", GRID, "trilinear", SOLID), (lambda + mu) * (factor - 1.0) * 0.24 * 0.42),
    ];
    for (m, expected) in cases {
        let found = -stretched(&m, factor);
        assert!((found - expected).abs() < 1e-9 * expected, "{found} {expected}");
    }
}

/// A quadratic cell without lateral contraction represents pure bending exactly: the moment at its end is that of a beam,
/// times 25/9. MuJoCo integrates its stiffness at the points ±1/√0.6 of each axis instead of ±√0.6, where the square of
/// the distance from the neutral axis is 25/9 times as large.
#[test]
fn bending_has_the_stiffness_of_a_beam() {
    let (young, curvature) = (1000.0, 0.01);
    let m = flex("", GRID, "quadratic", r#"<elasticity young="1000" poisson="0"/>"#);
    let mut d = m.make_data();
    let rest = |j: usize| -> [f64; 3] {
        let body = m.jnt_bodyid[j] as usize;
        std::array::from_fn(|c| m.body_pos[3 * body + c])
    };
    for j in (0..m.njnt).step_by(3) {
        let [x, _, z] = rest(j);
        d.qpos[j] = 0.5 * curvature * z * z;
        d.qpos[j + 2] = -curvature * x * z;
    }
    mj_forward(&m, &mut d).expect("supported");
    let at_end = |&j: &usize| rest(j)[2] > 0.21 - 1e-9;
    let ends = (0..m.njnt).step_by(3).filter(at_end);
    let moment: f64 = ends.map(|j| d.qfrc_spring[j + 2] * rest(j)[0]).sum();
    // MuJoCo's stress of uniaxial strain is (λ + μ) times the strain, half of Young's modulus without contraction
    let second_moment_of_area = 0.24 * f64::powi(0.2, 3) / 12.0;
    let expected = 25.0 / 9.0 * 0.5 * young * second_moment_of_area * curvature;
    assert!((moment - expected).abs() < 1e-9 * expected, "{moment} {expected}");
}

#[test]
fn binary_models_keep_flexes() {
    for m in all("") {
        let copy = Model::from_bytes(&m.to_bytes()).expect("valid bytes");
        let (mut a, mut b) = (m.make_data(), copy.make_data());
        for d in [&mut a, &mut b] {
            disturb(d, 0.01);
        }
        for _ in 0..5 {
            mj_step(&m, &mut a).expect("supported");
            mj_step(&copy, &mut b).expect("supported");
        }
        assert_eq!(a.qpos, b.qpos);
    }
}

#[test]
fn rays_hit_faces_edges_and_vertices() {
    let m = flex("", SHEET, "full", BOTH);
    let mut d = m.make_data();
    mj_forward(&m, &mut d).expect("supported");
    let down = |x: f64, y: f64, parts| {
        mj_ray_flex(&m, &d, 0, parts, [x, y, 1.0], [0.0, 0.0, -1.0])
            .map(|hit| (hit.dist, hit.vertex))
    };
    let faces = FlexParts { faces: true, ..FlexParts::default() };
    let (dist, vertex) = down(0.06, 0.02, faces).expect("hits a face");
    assert!((dist - 1.0).abs() < 1e-12);
    let at = 3 * vertex;
    let nearest = [d.flexvert_xpos[at], d.flexvert_xpos[at + 1]];
    assert!((nearest[0] - 0.05).abs() < 1e-12 && nearest[1].abs() < 1e-12, "{nearest:?}");
    assert!(down(0.5, 0.0, faces).is_none());
    let vertices = FlexParts { vertices: true, ..FlexParts::default() };
    assert!(down(0.06, 0.02, vertices).is_none());
    assert!(down(0.05, 0.0, vertices).is_some_and(|(dist, _)| (dist - 0.999).abs() < 1e-9));
    let edges = FlexParts { edges: true, ..FlexParts::default() };
    assert!(down(0.02, 0.0, edges).is_some());
}

#[test]
fn contacts_of_a_pair_are_limited_and_spread() {
    let text = r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
        <flexcomp name="f" type="grid" dim="2" count="10 10 1" spacing=".1 .1 .1" radius=".01">
        <edge damping=".1"/><contact selfcollide="none"/></flexcomp></worldbody></mujoco>"#;
    let m = sim_mjcf::load_str(text).expect("valid model");
    let mut d = m.make_data();
    mj_forward(&m, &mut d).expect("supported");
    assert_eq!(d.ncon, 50);
    let mut vertices: Vec<i32> = d.contact.iter().map(|c| c.vert[1]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    assert!(vertices.len() > 40);
}
