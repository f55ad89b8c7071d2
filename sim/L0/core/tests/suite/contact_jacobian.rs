//! Contact Jacobian against finite differences of the relative motion of the contact points.

use crate::models::load;
use crate::tolerance::{CENTRAL, DIFFERENCE, close};
use sim_core::math::{mat3, quat, vec3};
use sim_core::types::Contact;
use sim_core::{Data, Model, mj_forward, mj_integrate_pos, mj_kinematics, mj_mul_jac_vec};

/// Pose of a point that is fixed to a geom's body.
fn attached_pose(
    m: &Model,
    home: &Data,
    d: &Data,
    geom: i32,
    point: [f64; 3],
) -> ([f64; 3], [f64; 4]) {
    let body = m.geom_bodyid[geom as usize] as usize;
    let pos = |d: &Data| -> [f64; 3] { std::array::from_fn(|k| d.xpos[3 * body + k]) };
    let rot = |d: &Data| -> [f64; 4] { std::array::from_fn(|k| d.xquat[4 * body + k]) };
    let local = quat::rotate(quat::conjugate(rot(home)), vec3::sub(point, pos(home)));
    (vec3::add(pos(d), quat::rotate(rot(d), local)), rot(d))
}

/// Relative linear and angular velocity of the two contact points for unit velocity of one dof, in the
/// contact frame.
fn relative_motion(m: &Model, home: &Data, contact: &Contact, dof: usize) -> [f64; 6] {
    let [ahead, behind] = [CENTRAL, -CENTRAL].map(|by| {
        let mut d = home.clone();
        let mut unit = vec![0.0; m.nv];
        unit[dof] = 1.0;
        mj_integrate_pos(m, &mut d.qpos, &unit, by);
        mj_kinematics(m, &mut d);
        d
    });
    let mut motion = [[0.0; 3]; 2];
    for (geom, sign) in contact.geom.into_iter().zip([-0.5, 0.5]) {
        let (p1, q1) = attached_pose(m, home, &behind, geom, contact.pos);
        let (p2, q2) = attached_pose(m, home, &ahead, geom, contact.pos);
        let scale = sign / CENTRAL;
        motion[0] = vec3::add(motion[0], vec3::scale(vec3::sub(p2, p1), scale));
        // the difference of two quaternions is a rotation vector in the first frame
        let spin = quat::rotate(q1, quat::subtract(q2, q1));
        motion[1] = vec3::add(motion[1], vec3::scale(spin, scale));
    }
    let [linear, angular] = motion.map(|v| mat3::mul_vec(&contact.frame, v));
    [linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]]
}

/// Checks every row of every contact, dof by dof.
#[track_caller]
fn check(bodies: &str, condim: usize) {
    for jacobian in ["dense", "sparse"] {
        let m = load(&format!(
            r#"<mujoco><option cone="elliptic" jacobian="{jacobian}"/>
            <default><geom condim="{condim}"/></default><worldbody>{bodies}</worldbody></mujoco>"#
        ));
        let mut d = m.make_data();
        mj_forward(&m, &mut d).unwrap();
        assert!(d.ncon > 0, "no contacts");
        for dof in 0..m.nv {
            let (mut unit, mut rows) = (vec![0.0; m.nv], vec![0.0; d.nefc]);
            unit[dof] = 1.0;
            mj_mul_jac_vec(&d, &unit, &mut rows);
            for contact in &d.contact {
                let start = contact.efc_address as usize;
                let motion = relative_motion(&m, &d, contact, dof);
                close("row", &rows[start..start + condim], &motion[..condim], DIFFERENCE);
            }
        }
    }
}

#[test]
fn rotated_body_on_the_ground() {
    for condim in [1, 3, 4, 6] {
        check(
            r#"<geom type="plane" size="5 5 .1" euler="10 20 0"/>
            <body pos=".1 0 .3" euler="30 40 50"><freejoint/>
            <geom type="box" size=".3 .2 .4" pos=".05 .02 0"/></body>"#,
            condim,
        );
    }
}

#[test]
fn two_rotated_bodies() {
    for condim in [1, 3, 4, 6] {
        check(
            r#"<body pos="0 0 1" euler="30 40 50"><freejoint/>
            <geom type="capsule" size=".2 .3" pos=".05 .02 0"/></body>
            <body pos=".3 .1 1.1" euler="-20 70 10"><freejoint/>
            <geom type="capsule" size=".2 .2" pos="0 .03 .02"/></body>"#,
            condim,
        );
    }
}

#[test]
fn link_of_a_tree_and_a_ball_joint_body() {
    for condim in [1, 3, 6] {
        check(
            r#"<body pos="0 0 1"><joint axis="0 1 .2"/><geom size=".05"/>
            <body pos=".2 0 0"><joint type="ball"/><geom type="capsule" size=".1" fromto="0 0 0 .4 0 0"/>
            <body pos=".4 0 0"><joint type="slide" axis="1 .1 0"/><geom size=".15" pos=".2 0 0"/></body>
            </body></body>
            <body pos=".8 -.1 1.2" euler="0 40 0"><joint type="ball"/><geom size=".2" pos=".05 0 .05"/></body>"#,
            condim,
        );
    }
}

/// MuJoCo 3.8.0 keeps the rows of an explicit pair of geoms that move together, except with a sparse
/// Jacobian and different bodies or bodies with coupled dofs.
#[test]
fn contact_within_a_rigid_body_has_rows_of_zeros_in_a_dense_jacobian() {
    for (jacobian, child, rows) in [
        ("dense", "", 3),
        ("dense", "<body><geom name='c' size='.1'/></body>", 3),
        ("sparse", "<body><geom name='c' size='.1'/></body>", 0),
    ] {
        let second = if child.is_empty() { "b" } else { "c" };
        let m = load(&format!(
            r#"<mujoco><option cone="elliptic" jacobian="{jacobian}"/>
            <worldbody><body><freejoint/><geom name="a" size=".1"/><geom name="b" pos=".1 0 0" size=".1"/>
            {child}</body></worldbody>
            <contact><pair geom1="a" geom2="{second}" condim="3"/></contact></mujoco>"#
        ));
        let mut d = m.make_data();
        mj_forward(&m, &mut d).unwrap();
        assert_eq!(d.ncon, 1, "{jacobian} {second}");
        assert_eq!(d.nefc, rows, "{jacobian} {second}");
        assert!(d.efc_J.iter().all(|&x| x == 0.0));
    }
}
