//! Schema of `worldbody`, `body` and their child elements.

use super::asset::PLUGIN;
use super::{element, group};

group! {
    ORIENTATION;
    attributes { quat: R4, axisangle: R4, xyaxes: R6, zaxis: R3, euler: R3 }
}

group! {
    SURFACE;
    attributes {
        contype: I1, conaffinity: I1, condim: I1, priority: I1, friction: UP_TO_3, solmix: R1,
        solref: UP_TO_2, solimp: UP_TO_5, margin: R1, gap: R1
    }
}

element! {
    INERTIAL = "inertial", Optional, Supported;
    attributes { pos: R3 required, mass: R1 required, diaginertia: R3, fullinertia: R6 }
    groups [ORIENTATION]
}

element! {
    JOINT = "joint", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, type: JOINT, group: I1, pos: R3, axis: R3, springdamper: R2,
        limited: TRI, actuatorfrclimited: TRI, solreflimit: UP_TO_2, solimplimit: UP_TO_5,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5, stiffness: UP_TO_3, range: R2,
        actuatorfrcrange: R2, actuatorgravcomp: BOOL, margin: R1, ref: R1, springref: R1,
        armature: R1, damping: UP_TO_3, frictionloss: R1, user: REALS
    }
}

element! {
    FREEJOINT = "freejoint", Many, Supported;
    attributes { name: TEXT, group: I1, align: TRI }
}

element! {
    GEOM = "geom", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, type: GEOM, group: I1, size: UP_TO_3, mass: R1, density: R1,
        shellinertia: BOOL, fromto: R6, pos: R3, rgba: R4, fluidshape: FLUID, fluidcoef: UP_TO_5,
        user: REALS, material: TEXT, hfield: TEXT, mesh: TEXT, fitscale: R1
    }
    groups [ORIENTATION, SURFACE]
    children [PLUGIN]
}

element! {
    ATTACH = "attach", Many, Supported;
    attributes { model: TEXT required, body: TEXT, prefix: TEXT required }
}

element! {
    SITE = "site", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, type: GEOM, group: I1, pos: R3, size: UP_TO_3, fromto: R6,
        rgba: R4, user: REALS, material: TEXT
    }
    groups [ORIENTATION]
}

element! {
    CAMERA = "camera", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, projection: PROJECTION, fovy: R1, ipd: R1, resolution: I2,
        output: CAMOUT, pos: R3, mode: CAMLIGHT, target: TEXT, focal: R2, focalpixel: R2,
        principal: R2, principalpixel: R2, sensorsize: R2, user: REALS
    }
    groups [ORIENTATION]
}

element! {
    LIGHT = "light", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, directional: BOOL, type: LIGHT, castshadow: BOOL, active: BOOL,
        pos: R3, dir: R3, bulbradius: R1, intensity: R1, range: R1, attenuation: R3, cutoff: R1,
        exponent: R1, ambient: R3, diffuse: R3, specular: R3, mode: CAMLIGHT, target: TEXT,
        texture: TEXT
    }
}

element! {
    COMPOSITE_JOINT = "joint", Many, Supported;
    attributes {
        kind: JOINTKIND required, group: I1, stiffness: UP_TO_3, damping: UP_TO_3, armature: R1,
        solreffix: UP_TO_2, solimpfix: UP_TO_5, type: JOINT, axis: R3, limited: TRI, range: R2,
        margin: R1, solreflimit: UP_TO_2, solimplimit: UP_TO_5, frictionloss: R1,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5
    }
}

element! {
    COMPOSITE_SKIN = "skin", Optional, Supported;
    attributes { texcoord: BOOL, material: TEXT, group: I1, rgba: R4, inflate: R1, subgrid: I1 }
}

element! {
    COMPOSITE_GEOM = "geom", Optional, Supported;
    attributes { type: GEOM, group: I1, size: UP_TO_3, rgba: R4, mass: R1, density: R1, material: TEXT }
    groups [SURFACE]
}

element! {
    COMPOSITE_SITE = "site", Optional, Supported;
    attributes { group: I1, size: UP_TO_3, rgba: R4, material: TEXT }
}

element! {
    BODY_COMPOSITE = "composite", Many, Supported;
    attributes {
        prefix: TEXT, type: COMPOSITE required, count: UP_TO_3_INTS, offset: R3, vertex: REALS, initial: TEXT,
        curve: TEXT, size: UP_TO_3, quat: R4
    }
    children [COMPOSITE_JOINT, COMPOSITE_SKIN, COMPOSITE_GEOM, COMPOSITE_SITE, PLUGIN]
}

element! {
    FLEXCOMP_EDGE = "edge", Optional, Supported;
    attributes { equality: FLEXEQ, solref: UP_TO_2, solimp: UP_TO_5, stiffness: R1, damping: R1 }
}

element! {
    FLEXCOMP_ELASTICITY = "elasticity", Optional, Supported;
    attributes { young: R1, poisson: R1, damping: R1, thickness: R1, elastic2d: ELASTIC2D }
}

element! {
    FLEXCOMP_CONTACT = "contact", Optional, Supported;
    attributes { internal: BOOL, selfcollide: FLEXSELF, activelayers: I1, passive: BOOL }
    groups [SURFACE]
}

element! {
    FLEXCOMP_PIN = "pin", Many, Supported;
    attributes { id: INTS, range: INTS, grid: INTS, gridrange: INTS }
}

element! {
    BODY_FLEXCOMP = "flexcomp", Many, Supported;
    attributes {
        name: TEXT required, type: FLEXCOMP, group: I1, dim: I1, dof: FLEXDOF, count: I3, cellcount: I3,
        spacing: R3, radius: R1, rigid: BOOL, mass: R1, inertiabox: R1, scale: R3, file: TEXT,
        point: REALS, element: INTS, texcoord: REALS, material: TEXT, rgba: R4, flatskin: BOOL,
        pos: R3, origin: R3
    }
    groups [ORIENTATION]
    children [FLEXCOMP_EDGE, FLEXCOMP_ELASTICITY, FLEXCOMP_CONTACT, FLEXCOMP_PIN, PLUGIN]
}

element! {
    BODY = "body", Many, Supported;
    attributes {
        name: TEXT, childclass: TEXT, pos: R3, mocap: BOOL, gravcomp: R1, sleep: SLEEP,
        user: REALS
    }
    groups [ORIENTATION]
    children [
        BODY, FRAME, REPLICATE, INERTIAL, JOINT, FREEJOINT, GEOM, ATTACH, SITE, CAMERA, LIGHT, PLUGIN,
        BODY_COMPOSITE, BODY_FLEXCOMP
    ]
}

element! {
    FRAME = "frame", Many, Supported;
    attributes { name: TEXT, childclass: TEXT, pos: R3 }
    groups [ORIENTATION]
    children [
        BODY, FRAME, REPLICATE, INERTIAL, JOINT, FREEJOINT, GEOM, ATTACH, SITE, CAMERA,
        LIGHT, PLUGIN, BODY_COMPOSITE, BODY_FLEXCOMP
    ]
}

element! {
    REPLICATE = "replicate", Many, Supported;
    attributes { count: I1 required, sep: TEXT, offset: R3, euler: R3, childclass: TEXT }
    children [
        BODY, FRAME, REPLICATE, INERTIAL, JOINT, FREEJOINT, GEOM, ATTACH, SITE, CAMERA,
        LIGHT, PLUGIN, BODY_COMPOSITE, BODY_FLEXCOMP
    ]
}

element! {
    WORLDBODY = "worldbody", Many, Supported;
    attributes {}
    children [
        BODY, FRAME, REPLICATE, GEOM, ATTACH, SITE, CAMERA, LIGHT, PLUGIN, BODY_COMPOSITE,
        BODY_FLEXCOMP
    ]
}
