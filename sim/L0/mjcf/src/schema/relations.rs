//! Schema rows of `contact`, `equality`, `tendon` and `keyframe`.

use super::element;

element! {
    CONTACT_PAIR = "pair", Many, Now;
    now {
        name: TEXT, class: TEXT, geom1: TEXT required, geom2: TEXT required, condim: I1,
        friction: UP_TO_5, solref: UP_TO_2, solreffriction: UP_TO_2, solimp: UP_TO_5, gap: R1,
        margin: R1
    }
}

element! {
    CONTACT_EXCLUDE = "exclude", Many, Now;
    now { name: TEXT, body1: TEXT required, body2: TEXT required }
}

element! {
    CONTACT = "contact", Many, Now;
    now {}
    children [CONTACT_PAIR, CONTACT_EXCLUDE]
}

element! {
    EQUALITY_CONNECT = "connect", Many, Now;
    now {
        name: TEXT, class: TEXT, body1: TEXT, body2: TEXT, anchor: R3, site1: TEXT, site2: TEXT,
        active: BOOL, solref: UP_TO_2, solimp: UP_TO_5
    }
}

element! {
    EQUALITY_WELD = "weld", Many, Now;
    now {
        name: TEXT, class: TEXT, body1: TEXT, body2: TEXT, relpose: R7, anchor: R3, site1: TEXT,
        site2: TEXT, active: BOOL, solref: UP_TO_2, solimp: UP_TO_5, torquescale: R1
    }
}

element! {
    EQUALITY_JOINT = "joint", Many, Now;
    now {
        name: TEXT, class: TEXT, joint1: TEXT required, joint2: TEXT, polycoef: UP_TO_5, active: BOOL,
        solref: UP_TO_2, solimp: UP_TO_5
    }
}

element! {
    EQUALITY_TENDON = "tendon", Many, Now;
    now {
        name: TEXT, class: TEXT, tendon1: TEXT required, tendon2: TEXT, polycoef: UP_TO_5, active: BOOL,
        solref: UP_TO_2, solimp: UP_TO_5
    }
}

element! {
    EQUALITY_FLEX = "flex", Many, Later;
    now { name: TEXT, class: TEXT, flex: TEXT, active: BOOL, solref: UP_TO_2, solimp: UP_TO_5 }
}

element! {
    EQUALITY_FLEXVERT = "flexvert", Many, Later;
    now { name: TEXT, class: TEXT, flex: TEXT, active: BOOL, solref: UP_TO_2, solimp: UP_TO_5 }
}

element! {
    EQUALITY_FLEXSTRAIN = "flexstrain", Many, Later;
    now {
        name: TEXT, class: TEXT, flex: TEXT, cell: I3, active: BOOL, solref: UP_TO_2,
        solimp: UP_TO_5
    }
}

element! {
    EQUALITY = "equality", Many, Now;
    now {}
    children [
        EQUALITY_CONNECT, EQUALITY_WELD, EQUALITY_JOINT, EQUALITY_TENDON, EQUALITY_FLEX,
        EQUALITY_FLEXVERT, EQUALITY_FLEXSTRAIN
    ]
}

element! {
    TENDON_SPATIAL_SITE = "site", Many, Now;
    now { site: TEXT required }
}

element! {
    TENDON_SPATIAL_GEOM = "geom", Many, Now;
    now { geom: TEXT required, sidesite: TEXT }
}

element! {
    TENDON_SPATIAL_PULLEY = "pulley", Many, Now;
    now { divisor: R1 required }
}

element! {
    TENDON_SPATIAL = "spatial", Many, Now;
    now {
        name: TEXT, class: TEXT, group: I1, limited: TRI, actuatorfrclimited: TRI, range: R2,
        actuatorfrcrange: R2, solreflimit: UP_TO_2, solimplimit: UP_TO_5,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5, frictionloss: R1,
        springlength: UP_TO_2, width: R1, material: TEXT, margin: R1, stiffness: UP_TO_3,
        damping: UP_TO_3, armature: R1, rgba: R4, user: REALS
    }
    children [TENDON_SPATIAL_SITE, TENDON_SPATIAL_GEOM, TENDON_SPATIAL_PULLEY]
}

element! {
    TENDON_FIXED_JOINT = "joint", Many, Now;
    now { joint: TEXT required, coef: R1 required }
}

element! {
    TENDON_FIXED = "fixed", Many, Now;
    now {
        name: TEXT, class: TEXT, group: I1, limited: TRI, actuatorfrclimited: TRI, range: R2,
        actuatorfrcrange: R2, solreflimit: UP_TO_2, solimplimit: UP_TO_5,
        solreffriction: UP_TO_2, solimpfriction: UP_TO_5, frictionloss: R1,
        springlength: UP_TO_2, margin: R1, stiffness: UP_TO_3, damping: UP_TO_3, armature: R1,
        user: REALS
    }
    children [TENDON_FIXED_JOINT]
}

element! {
    TENDON = "tendon", Many, Now;
    now {}
    children [TENDON_SPATIAL, TENDON_FIXED]
}

element! {
    KEYFRAME_KEY = "key", Many, Now;
    now {
        name: TEXT, time: R1, qpos: REALS, qvel: REALS, act: REALS, ctrl: REALS, mpos: REALS,
        mquat: REALS
    }
}

element! {
    KEYFRAME = "keyframe", Many, Now;
    now {}
    children [KEYFRAME_KEY]
}
