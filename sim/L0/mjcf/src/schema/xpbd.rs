//! Schema rows of `xpbd`: deformable bodies, an addition of this engine to MJCF.

use super::{element, group};

element! {
    PIN = "pin", Many, Supported;
    attributes { vertex: INTS required }
}

element! {
    ATTACH = "attach", Many, Supported;
    attributes { vertex: INTS required, body: TEXT, site: TEXT }
}

group! {
    COMMON;
    attributes {
        name: TEXT, pos: R3, quat: R4, axisangle: R4, xyaxes: R6, zaxis: R3, euler: R3,
        preset: TEXT, young: R1, poisson: R1, density: R1, friction: R1, damping: R1,
        selfcollide: R1, contype: I1, conaffinity: I1, margin: R1, solref: UP_TO_2,
        solimp: UP_TO_5, drag: R1, rgba: R4
    }
}

element! {
    CLOTH = "cloth", Many, Supported;
    attributes { file: TEXT, size: R2, cells: I2, thickness: R1, shear: R1, bending: R1 }
    groups [COMMON]
    children [PIN, ATTACH]
}

element! {
    SOFT = "soft", Many, Supported;
    attributes { file: TEXT, shape: SOFT_SHAPE, size: UP_TO_3, cells: UP_TO_3_INTS, model: SOFT_MODEL }
    groups [COMMON]
    children [PIN, ATTACH]
}

element! {
    ROPE = "rope", Many, Supported;
    attributes { fromto: R6, segments: I1, points: REALS, radius: R1, bending: R1, twist: R1 }
    groups [COMMON]
    children [PIN, ATTACH]
}

element! {
    XPBD = "xpbd", Many, Supported;
    attributes { substeps: I1, damping: R1, sleepspeed: R1, sleeptime: R1 }
    children [CLOTH, SOFT, ROPE]
}
