//! Schema of `contact`.

use super::element;

element! {
    CONTACT_PAIR = "pair", Many, Supported;
    attributes {
        name: TEXT, class: TEXT, geom1: TEXT required, geom2: TEXT required, condim: I1,
        friction: UP_TO_5, solref: UP_TO_2, solreffriction: UP_TO_2, solimp: UP_TO_5, gap: R1,
        margin: R1
    }
}

element! {
    CONTACT_EXCLUDE = "exclude", Many, Supported;
    attributes { name: TEXT, body1: TEXT required, body2: TEXT required }
}

element! {
    CONTACT = "contact", Many, Supported;
    attributes {}
    children [CONTACT_PAIR, CONTACT_EXCLUDE]
}
