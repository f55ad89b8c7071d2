//! Contacts of a plane and a mesh without a hull graph, compared with those of MuJoCo 3.8.0.
//!
//! The compiler omits the hull of a mesh that cannot collide. If contacts are enabled in the compiled model, the
//! contacts are found among all vertices.

use crate::models::load;
use crate::tolerance::{ALGORITHM, close};
use sim_core::{Model, mj_fwd_position};

/// Position and orientation of the mesh, and the oracle's contacts: distance and position of each.
type Case = ([f64; 3], [f64; 4], &'static [[f64; 4]]);

#[rustfmt::skip]
const CASES: [Case; 6] = [
    ([0.0, 0.0, 0.05], [1.0, 0.01, 0.02, 0.0], &[
        [-0.015137429753954434, 0.1274972466633719, 0.0012513742841285017, -0.007568714876977217],
        [-0.010979508777623513, 0.06258040746708407, 0.07920979668369091, -0.0054897543888117566],
        [-0.0057821076689127185, -0.06731563974237062, 0.0791578226726038, -0.0028910538344563592],
    ]),
    ([0.1, 0.0, 0.055], [0.7, 0.72, 0.01, 0.02], &[
        [-0.025585986272051824, 0.038661217531478026, -0.06043552235248907, -0.012792993136025912],
        [-0.022243732406822418, 0.033570524811484495, 0.059409851121003526, -0.011121866203411209],
        [-0.020336705021126993, 0.16344166684137723, 0.06487322687461744, -0.010168352510563496],
    ]),
    ([0.0, 0.2, 0.08], [0.9, 0.1, 0.3, 0.3], &[
        [-0.030399996638298468, 0.04719999775290509, 0.2779999971389774, -0.015199998319149234],
        [-0.02727999836206478, 0.04304000005126017, 0.1765999972820281, -0.01363999918103239],
    ]),
    ([0.0, 0.0, 0.1], [0.5, 0.5, 0.4, 0.6], &[
        [0.0005490187920772494, -0.042254900377170876, -0.04725489933408962, 0.0002745093960386247],
    ]),
    ([0.3, 0.1, 0.02], [0.2, 0.9, -0.1, 0.3], &[
        [-0.10294736453577134, 0.22894737147971175, 0.08168421081806478, -0.05147368226788567],
        [-0.01578947174705968, 0.16578947815455838, 0.13473684121119361, -0.00789473587352984],
        [-0.0007368421319284627, 0.24173684520156738, 0.20042105332801255, -0.0003684210659642313],
    ]),
    ([0.0, 0.0, 0.2], [1.0, 0.0, 0.0, 0.0], &[]),
];

/// A hexagonal prism above a plane; `masks` are the contact masks of the prism.
fn prism(masks: &str) -> Model {
    load(&format!(
        r#"<mujoco><asset><mesh name="prism" vertex="0.13 0 -0.06  0.065 0.078 -0.06  -0.065 0.078 -0.06
        -0.13 0 -0.06  -0.065 -0.078 -0.06  0.065 -0.078 -0.06  0.13 0 0.06  0.065 0.078 0.06
        -0.065 0.078 0.06  -0.13 0 0.06  -0.065 -0.078 0.06  0.065 -0.078 0.06" face="0 1 7  0 7 6  1 2 8
        1 8 7  2 3 9  2 9 8  3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11  0 2 1  6 7 8  0 3 2  6 8 9
        0 4 3  6 9 10  0 5 4  6 10 11"/></asset><worldbody><geom type="plane" size="1 1 1" margin="0.02"/>
        <body><freejoint/><geom type="mesh" mesh="prism" {masks}/></body></worldbody></mujoco>"#
    ))
}

#[test]
fn contacts_without_a_hull_graph_are_those_of_mujoco() {
    let mut m = prism(r#"contype="0" conaffinity="0""#);
    assert_eq!(m.mesh_graphadr, [-1]);
    (m.geom_contype[1], m.body_contype[1]) = (1, 1);
    m.refresh();
    let with_hull = prism("");
    assert_eq!(with_hull.mesh_graphadr, [0]);
    for (pos, quat, expected) in CASES {
        let [mut d, mut other] = [m.make_data(), with_hull.make_data()];
        for (m, d) in [(&m, &mut d), (&with_hull, &mut other)] {
            d.qpos[..3].copy_from_slice(&pos);
            d.qpos[3..].copy_from_slice(&quat);
            mj_fwd_position(m, d);
        }
        let found: Vec<[f64; 4]> =
            d.contact.iter().map(|c| [c.dist, c.pos[0], c.pos[1], c.pos[2]]).collect();
        close("contacts", found.as_flattened(), expected.as_flattened(), ALGORITHM);
        // the deepest point does not depend on the graph
        let deepest = |d: &sim_core::Data| d.contact.first().map(|c| c.dist);
        assert_eq!(deepest(&d), deepest(&other));
    }
}
