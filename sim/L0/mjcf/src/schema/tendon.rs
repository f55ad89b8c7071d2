//! Schema of `tendon`.

use super::element;

element! {
    TENDON_SPATIAL_SITE = "site", Many, Supported;
    attributes { site: TEXT required }
}

element! {
    TENDON_SPATIAL_GEOM = "geom", Many, Supported;
    attributes { geom: TEXT required, sidesite: TEXT }
}

element! {
    TENDON_SPATIAL_PULLEY = "pulley", Many, Supported;
    attributes { divisor: R1 required }
}

element! {
    TENDON_SPATIAL = "spatial", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, group: I1, limited: TRI, actuatorfrclimited: TRI, range: R2,
        actuatorfrcrange: R2, solreflimit: UP_TO_2, solimplimit: UP_TO_5,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5, frictionloss: R1,
        springlength: UP_TO_2, width: R1, material: TEXT, margin: R1, stiffness: UP_TO_3,
        damping: UP_TO_3, armature: R1, rgba: R4, user: REALS
    }
    children [TENDON_SPATIAL_SITE, TENDON_SPATIAL_GEOM, TENDON_SPATIAL_PULLEY]
}

element! {
    TENDON_FIXED_JOINT = "joint", Many, Supported;
    attributes { joint: TEXT required, coef: R1 required }
}

element! {
    TENDON_FIXED = "fixed", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, group: I1, limited: TRI, actuatorfrclimited: TRI, range: R2,
        actuatorfrcrange: R2, solreflimit: UP_TO_2, solimplimit: UP_TO_5,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5, frictionloss: R1,
        springlength: UP_TO_2, margin: R1, stiffness: UP_TO_3, damping: UP_TO_3, armature: R1,
        user: REALS
    }
    children [TENDON_FIXED_JOINT]
}

element! {
    TENDON = "tendon", Many, Supported;
    attributes {}
    children [TENDON_SPATIAL, TENDON_FIXED]
}
