//! Schema of `actuator`.

use super::asset::CONFIG;
use super::{element, group};

group! {
    ACTUATOR_COMMON;
    attributes {
        name: TEXT, class: TEXT, group: I1, ctrllimited: TRI, forcelimited: TRI, ctrlrange: R2,
        forcerange: R2, lengthrange: R2, gear: UP_TO_6, user: REALS, joint: TEXT,
        jointinparent: TEXT, nsample: I1, interp: INTERP, delay: R1, damping: UP_TO_3,
        armature: R1, cranklength: R1, tendon: TEXT, slidersite: TEXT, cranksite: TEXT,
        site: TEXT, refsite: TEXT
    }
}

element! {
    ACTUATOR_GENERAL = "general", Many, Supported;
    attributes {
        actlimited: TRI, actrange: R2, actdim: I1, dyntype: DYN, gaintype: GAIN, biastype: BIAS,
        dynprm: UP_TO_10, gainprm: UP_TO_10, biasprm: UP_TO_10, actearly: BOOL,
        body: TEXT
    }
    groups [ACTUATOR_COMMON]
}

element! {
    ACTUATOR_MOTOR = "motor", Many, Supported;
    attributes {}
    groups [ACTUATOR_COMMON]
}

element! {
    ACTUATOR_POSITION = "position", Many, Supported;
    attributes { kp: R1, kv: R1, inheritrange: R1, dampratio: R1, timeconst: R1 }
    groups [ACTUATOR_COMMON]
}

element! {
    ACTUATOR_VELOCITY = "velocity", Many, Supported;
    attributes { kv: R1 }
    groups [ACTUATOR_COMMON]
}

element! {
    ACTUATOR_INTVELOCITY = "intvelocity", Many, Supported;
    attributes { actrange: R2, inheritrange: R1, kp: R1, kv: R1, dampratio: R1 }
    groups [ACTUATOR_COMMON]
}

element! {
    ACTUATOR_DAMPER = "damper", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, group: I1, nsample: I1, interp: INTERP, delay: R1,
        forcelimited: TRI, ctrlrange: R2, forcerange: R2, lengthrange: R2, gear: UP_TO_6,
        damping: UP_TO_3, armature: R1, cranklength: R1, user: REALS, joint: TEXT,
        jointinparent: TEXT, tendon: TEXT, slidersite: TEXT, cranksite: TEXT, site: TEXT,
        refsite: TEXT, kv: R1
    }
}

element! {
    ACTUATOR_CYLINDER = "cylinder", Many, Supported;
    attributes { timeconst: R1, area: R1, diameter: R1, bias: R3 }
    groups [ACTUATOR_COMMON]
}

element! {
    ACTUATOR_MUSCLE = "muscle", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, group: I1, nsample: I1, interp: INTERP, delay: R1,
        ctrllimited: TRI, forcelimited: TRI, ctrlrange: R2, forcerange: R2, lengthrange: R2,
        gear: UP_TO_6, damping: UP_TO_3, armature: R1, cranklength: R1, user: REALS, joint: TEXT,
        jointinparent: TEXT, tendon: TEXT, slidersite: TEXT, cranksite: TEXT, timeconst: R2,
        tausmooth: R1, range: R2, force: R1, scale: R1, lmin: R1, lmax: R1, vmax: R1, fpmax: R1,
        fvmax: R1
    }
}

element! {
    ACTUATOR_ADHESION = "adhesion", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, group: I1, nsample: I1, interp: INTERP, delay: R1,
        forcelimited: TRI, ctrlrange: R2, forcerange: R2, user: REALS, body: TEXT required,
        gain: R1
    }
}

element! {
    ACTUATOR_DCMOTOR = "dcmotor", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, group: I1, nsample: I1, interp: INTERP, delay: R1,
        ctrllimited: TRI, ctrlrange: R2, lengthrange: R2, gear: UP_TO_6, damping: UP_TO_3,
        armature: R1, cranklength: R1, user: REALS, joint: TEXT, jointinparent: TEXT,
        tendon: TEXT, slidersite: TEXT, cranksite: TEXT, site: TEXT, refsite: TEXT,
        motorconst: UP_TO_2, resistance: R1, nominal: UP_TO_3, saturation: UP_TO_3,
        inductance: UP_TO_2, cogging: UP_TO_3, controller: UP_TO_6, thermal: UP_TO_6,
        lugre: UP_TO_5, input: INPUT
    }
}

element! {
    ACTUATOR_PLUGIN = "plugin", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, plugin: TEXT, instance: TEXT, group: I1, nsample: I1,
        interp: INTERP, delay: R1, ctrllimited: TRI, forcelimited: TRI, actlimited: TRI,
        ctrlrange: R2, forcerange: R2, actrange: R2, lengthrange: R2, gear: UP_TO_6,
        damping: UP_TO_3, armature: R1, cranklength: R1, joint: TEXT, jointinparent: TEXT,
        site: TEXT, actdim: I1, dyntype: DYN, dynprm: UP_TO_10, tendon: TEXT, cranksite: TEXT,
        slidersite: TEXT, user: REALS, actearly: BOOL
    }
    children [CONFIG]
}

element! {
    ACTUATOR = "actuator", Many, Supported;
    attributes {}
    children [
        ACTUATOR_GENERAL, ACTUATOR_MOTOR, ACTUATOR_POSITION, ACTUATOR_VELOCITY,
        ACTUATOR_INTVELOCITY, ACTUATOR_DAMPER, ACTUATOR_CYLINDER, ACTUATOR_MUSCLE,
        ACTUATOR_ADHESION, ACTUATOR_DCMOTOR, ACTUATOR_PLUGIN
    ]
}
