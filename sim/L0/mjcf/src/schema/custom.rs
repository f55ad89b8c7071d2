//! Schema of `custom`.

use super::element;

element! {
    CUSTOM_NUMERIC = "numeric", Many, Now;
    now { name: TEXT required, size: I1, data: UP_TO_500 }
}

element! {
    CUSTOM_TEXT = "text", Many, Now;
    now { name: TEXT required, data: LONG_TEXT required }
}

element! {
    CUSTOM_TUPLE_ELEMENT = "element", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, prm: R1 }
}

element! {
    CUSTOM_TUPLE = "tuple", Many, Now;
    now { name: TEXT required }
    children [CUSTOM_TUPLE_ELEMENT]
}

element! {
    CUSTOM = "custom", Many, Now;
    now {}
    children [CUSTOM_NUMERIC, CUSTOM_TEXT, CUSTOM_TUPLE]
}
