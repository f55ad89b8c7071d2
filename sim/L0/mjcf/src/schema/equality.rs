//! Schema of `equality`.

use super::element;

element! {
    EQUALITY_CONNECT = "connect", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, body1: TEXT, body2: TEXT, anchor: R3, site1: TEXT, site2: TEXT,
        active: BOOL, solref: UP_TO_2, solimp: UP_TO_5
    }
}

element! {
    EQUALITY_WELD = "weld", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, body1: TEXT, body2: TEXT, relpose: R7, anchor: R3, site1: TEXT,
        site2: TEXT, active: BOOL, solref: UP_TO_2, solimp: UP_TO_5, torquescale: R1
    }
}

element! {
    EQUALITY_JOINT = "joint", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, joint1: TEXT required, joint2: TEXT, polycoef: UP_TO_5, active: BOOL,
        solref: UP_TO_2, solimp: UP_TO_5
    }
}

element! {
    EQUALITY_TENDON = "tendon", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, tendon1: TEXT required, tendon2: TEXT, polycoef: UP_TO_5, active: BOOL,
        solref: UP_TO_2, solimp: UP_TO_5
    }
}

element! {
    EQUALITY_FLEX = "flex", Many, Supported;
    attributes { name: TEXT, class: TEXT, flex: TEXT required, active: BOOL, solref: UP_TO_2, solimp: UP_TO_5 }
}

element! {
    EQUALITY_FLEXVERT = "flexvert", Many, Supported;
    attributes { name: TEXT, class: TEXT, flex: TEXT required, active: BOOL, solref: UP_TO_2, solimp: UP_TO_5 }
}

element! {
    EQUALITY_FLEXSTRAIN = "flexstrain", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, flex: TEXT required, cell: I3, active: BOOL, solref: UP_TO_2,
        solimp: UP_TO_5
    }
}

element! {
    EQUALITY = "equality", Many, Supported;
    attributes {}
    children [
        EQUALITY_CONNECT, EQUALITY_WELD, EQUALITY_JOINT, EQUALITY_TENDON, EQUALITY_FLEX,
        EQUALITY_FLEXVERT, EQUALITY_FLEXSTRAIN
    ]
}
