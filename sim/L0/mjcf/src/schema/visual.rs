//! Schema of `visual`.

use super::element;

element! {
    VISUAL_GLOBAL = "global", Optional, Supported;
    attributes {
        cameraid: I1, orthographic: BOOL, fovy: R1, ipd: R1, azimuth: R1, elevation: R1,
        linewidth: R1, glow: R1, offwidth: I1, offheight: I1, realtime: R1,
        ellipsoidinertia: BOOL, bvactive: BOOL
    }
}

element! {
    VISUAL_QUALITY = "quality", Optional, Supported;
    attributes { shadowsize: I1, offsamples: I1, numslices: I1, numstacks: I1, numquads: I1 }
}

element! {
    VISUAL_HEADLIGHT = "headlight", Optional, Supported;
    attributes { ambient: R3, diffuse: R3, specular: R3, active: I1 }
}

element! {
    VISUAL_MAP = "map", Optional, Supported;
    attributes {
        stiffness: R1, stiffnessrot: R1, force: R1, torque: R1, alpha: R1, fogstart: R1,
        fogend: R1, znear: R1, zfar: R1, haze: R1, shadowclip: R1, shadowscale: R1,
        actuatortendon: R1
    }
}

element! {
    VISUAL_SCALE = "scale", Optional, Supported;
    attributes {
        forcewidth: R1, contactwidth: R1, contactheight: R1, connect: R1, com: R1, camera: R1,
        light: R1, selectpoint: R1, jointlength: R1, jointwidth: R1, actuatorlength: R1,
        actuatorwidth: R1, framelength: R1, framewidth: R1, constraint: R1, slidercrank: R1,
        frustum: R1
    }
}

element! {
    VISUAL_RGBA = "rgba", Optional, Supported;
    attributes {
        fog: R4, haze: R4, force: R4, inertia: R4, joint: R4, actuator: R4, actuatornegative: R4,
        actuatorpositive: R4, com: R4, camera: R4, light: R4, selectpoint: R4, connect: R4,
        contactpoint: R4, contactforce: R4, contactfriction: R4, contacttorque: R4,
        contactgap: R4, rangefinder: R4, constraint: R4, slidercrank: R4, crankbroken: R4,
        frustum: R4, bv: R4, bvactive: R4
    }
}

element! {
    VISUAL = "visual", Many, Supported;
    attributes {}
    children [
        VISUAL_GLOBAL, VISUAL_QUALITY, VISUAL_HEADLIGHT, VISUAL_MAP, VISUAL_SCALE,
        VISUAL_RGBA
    ]
}
