//! Schema of `default` classes.

use super::tree::{ORIENTATION, SURFACE};
use super::{element, group};

group! {
    ACTUATOR_DEFAULT;
    attributes {
        ctrllimited: TRI, forcelimited: TRI, ctrlrange: R2, forcerange: R2, gear: UP_TO_6,
        user: REALS, group: I1, nsample: I1, interp: INTERP, delay: R1, damping: UP_TO_3,
        armature: R1, cranklength: R1
    }
}

element! {
    DEFAULT_MESH = "mesh", Optional, Supported;
    attributes { scale: R3, maxhullvert: I1, inertia: MESHINERTIA, collider: MESHCOLLIDER }
}

element! {
    LAYER = "layer", Many, Supported;
    attributes { texture: TEXT required, role: TEXROLE required }
}

element! {
    DEFAULT_MATERIAL = "material", Optional, Supported;
    attributes {
        texture: TEXT, emission: R1, specular: R1, shininess: R1, reflectance: R1, metallic: R1,
        roughness: R1, rgba: R4, texrepeat: R2, texuniform: BOOL
    }
    children [LAYER]
}

element! {
    DEFAULT_JOINT = "joint", Optional, Supported;
    attributes {
        type: JOINT, group: I1, pos: R3, axis: R3, springdamper: R2, limited: TRI,
        actuatorfrclimited: TRI, solreflimit: UP_TO_2, solimplimit: UP_TO_5,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5, stiffness: UP_TO_3, range: R2,
        actuatorfrcrange: R2, actuatorgravcomp: BOOL, margin: R1, ref: R1, springref: R1,
        armature: R1, damping: UP_TO_3, frictionloss: R1, user: REALS
    }
}

element! {
    DEFAULT_GEOM = "geom", Optional, Supported;
    attributes {
        type: GEOM, pos: R3, group: I1, size: UP_TO_3, mass: R1, density: R1, shellinertia: BOOL,
        fromto: R6, rgba: R4, fluidshape: FLUID, fluidcoef: UP_TO_5, user: REALS,
        material: TEXT, hfield: TEXT, mesh: TEXT, fitscale: R1
    }
    groups [ORIENTATION, SURFACE]
}

element! {
    DEFAULT_SITE = "site", Optional, Supported;
    attributes {
        type: GEOM, group: I1, pos: R3, size: UP_TO_3, fromto: R6, rgba: R4, user: REALS,
        material: TEXT
    }
    groups [ORIENTATION]
}

element! {
    DEFAULT_CAMERA = "camera", Optional, Supported;
    attributes {
        projection: PROJECTION, fovy: R1, ipd: R1, resolution: I2, output: CAMOUT, pos: R3,
        mode: CAMLIGHT, focal: R2, focalpixel: R2, principal: R2, principalpixel: R2,
        sensorsize: R2, user: REALS
    }
    groups [ORIENTATION]
}

element! {
    DEFAULT_LIGHT = "light", Optional, Supported;
    attributes {
        pos: R3, dir: R3, bulbradius: R1, intensity: R1, range: R1, directional: BOOL,
        type: LIGHT, castshadow: BOOL, active: BOOL, attenuation: R3, cutoff: R1, exponent: R1,
        ambient: R3, diffuse: R3, specular: R3, mode: CAMLIGHT
    }
}

element! {
    DEFAULT_PAIR = "pair", Optional, Supported;
    attributes {
        condim: I1, friction: UP_TO_5, solref: UP_TO_2, solreffriction: UP_TO_2, solimp: UP_TO_5,
        gap: R1, margin: R1
    }
}

element! {
    DEFAULT_EQUALITY = "equality", Optional, Supported;
    attributes { active: BOOL, solref: UP_TO_2, solimp: UP_TO_5 }
}

element! {
    DEFAULT_TENDON = "tendon", Optional, Supported;
    attributes {
        group: I1, limited: TRI, range: R2, solreflimit: UP_TO_2, solimplimit: UP_TO_5,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5, frictionloss: R1,
        springlength: UP_TO_2, width: R1, material: TEXT, margin: R1, stiffness: UP_TO_3,
        damping: UP_TO_3, rgba: R4, user: REALS
    }
}

element! {
    DEFAULT_GENERAL = "general", Optional, Supported;
    attributes {
        actlimited: TRI, actrange: R2, actdim: I1, dyntype: DYN, gaintype: GAIN, biastype: BIAS,
        dynprm: UP_TO_10, gainprm: UP_TO_10, biasprm: UP_TO_10, actearly: BOOL
    }
    groups [ACTUATOR_DEFAULT]
}

element! {
    DEFAULT_MOTOR = "motor", Optional, Supported;
    attributes {}
    groups [ACTUATOR_DEFAULT]
}

element! {
    DEFAULT_POSITION = "position", Optional, Supported;
    attributes { kp: R1, kv: R1, inheritrange: R1, dampratio: R1, timeconst: R1 }
    groups [ACTUATOR_DEFAULT]
}

element! {
    DEFAULT_VELOCITY = "velocity", Optional, Supported;
    attributes { kv: R1 }
    groups [ACTUATOR_DEFAULT]
}

element! {
    DEFAULT_INTVELOCITY = "intvelocity", Optional, Supported;
    attributes { actrange: R2, inheritrange: R1, kp: R1, kv: R1, dampratio: R1 }
    groups [ACTUATOR_DEFAULT]
}

element! {
    DEFAULT_DAMPER = "damper", Optional, Supported;
    attributes {
        forcelimited: TRI, ctrlrange: R2, forcerange: R2, gear: UP_TO_6, damping: UP_TO_3,
        armature: R1, cranklength: R1, user: REALS, group: I1, nsample: I1, interp: INTERP,
        delay: R1, kv: R1
    }
}

element! {
    DEFAULT_CYLINDER = "cylinder", Optional, Supported;
    attributes { timeconst: R1, area: R1, diameter: R1, bias: R3 }
    groups [ACTUATOR_DEFAULT]
}

element! {
    DEFAULT_MUSCLE = "muscle", Optional, Supported;
    attributes {
        timeconst: R2, range: R2, force: R1, scale: R1, lmin: R1, lmax: R1, vmax: R1, fpmax: R1,
        fvmax: R1
    }
    groups [ACTUATOR_DEFAULT]
}

element! {
    DEFAULT_ADHESION = "adhesion", Optional, Supported;
    attributes {
        forcelimited: TRI, ctrlrange: R2, forcerange: R2, gain: R1, user: REALS, group: I1,
        nsample: I1, interp: INTERP, delay: R1
    }
}

element! {
    DEFAULT_DCMOTOR = "dcmotor", Optional, Supported;
    attributes {
        ctrllimited: TRI, ctrlrange: R2, gear: UP_TO_6, damping: UP_TO_3, armature: R1,
        cranklength: R1, user: REALS, group: I1, nsample: I1, interp: INTERP, delay: R1,
        motorconst: UP_TO_2, resistance: R1, nominal: UP_TO_3, saturation: UP_TO_3,
        inductance: UP_TO_2, cogging: UP_TO_3, controller: UP_TO_6, input: INPUT,
        thermal: UP_TO_6, lugre: UP_TO_5
    }
}

element! {
    DEFAULT = "default", Many, Supported;
    attributes { class: TEXT }
    children [
        DEFAULT, DEFAULT_MESH, DEFAULT_MATERIAL, DEFAULT_JOINT, DEFAULT_GEOM, DEFAULT_SITE,
        DEFAULT_CAMERA, DEFAULT_LIGHT, DEFAULT_PAIR, DEFAULT_EQUALITY, DEFAULT_TENDON,
        DEFAULT_GENERAL, DEFAULT_MOTOR, DEFAULT_POSITION, DEFAULT_VELOCITY,
        DEFAULT_INTVELOCITY, DEFAULT_DAMPER, DEFAULT_CYLINDER, DEFAULT_MUSCLE,
        DEFAULT_ADHESION, DEFAULT_DCMOTOR
    ]
}
