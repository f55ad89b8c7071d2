//! Generated heaps of spheres or boxes: five layers on a plane, so that the number of contacts per body
//! does not depend on the number of bodies.

use std::fmt::Write;

const LAYERS: usize = 5;

/// MJCF of a heap of `count` geoms of this type, each about 0.2 m wide.
pub(crate) fn mjcf(kind: &str, count: usize) -> String {
    let columns = count.div_ceil(LAYERS);
    let side = (1..=columns).find(|side| side * side >= columns).unwrap_or(1);
    let mut text = String::from(
        "<mujoco>\n<size memory=\"1G\"/>\n<worldbody>\n<geom type=\"plane\" size=\"50 50 1\"/>\n",
    );
    let mut state = 1_u64;
    // deterministic jitter (linear congruential generator)
    let mut jitter = |size: f64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        size * ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5)
    };
    for k in 0..count {
        let (column, layer) = (k / LAYERS, k % LAYERS);
        let x = 0.203 * (column % side) as f64 + jitter(0.01);
        let y = 0.203 * (column / side) as f64 + jitter(0.01);
        let z = 0.098 + 0.197 * layer as f64;
        let turn = if kind == "box" { jitter(6.0) } else { 0.0 };
        let _ = writeln!(
            text,
            r#"<body pos="{x} {y} {z}" euler="0 0 {turn}"><freejoint/><geom type="{kind}" size=".1 .1 .1"/></body>"#
        );
    }
    text + "</worldbody>\n</mujoco>\n"
}

/// Number of boxes along each edge of a body of [`voxels`].
const EDGE: usize = 10;

/// MJCF of two cubes in contact, the surface of each made of small boxes.
pub(crate) fn voxels() -> String {
    let mut text = String::from("<mujoco>\n<size memory=\"1G\"/>\n<worldbody>\n");
    for x in [0.0, 0.1995] {
        let _ = writeln!(text, r#"<body pos="{x} 0 0"><freejoint/>"#);
        let inner = |k: usize| k > 0 && k < EDGE - 1;
        for k in 0..EDGE * EDGE * EDGE {
            let cell = [k % EDGE, k / EDGE % EDGE, k / (EDGE * EDGE)];
            if cell.into_iter().all(inner) {
                continue;
            }
            let [x, y, z] = cell.map(|k| 0.02 * k as f64);
            let _ =
                writeln!(text, r#"<geom type="box" size=".0099 .0099 .0099" pos="{x} {y} {z}"/>"#);
        }
        text += "</body>\n";
    }
    text + "</worldbody>\n</mujoco>\n"
}
