//! Schema of `custom`.

use super::element;

element! {
    CUSTOM_NUMERIC = "numeric", Many, Supported;
    attributes { name: TEXT required, size: I1, data: UP_TO_500 }
}

element! {
    CUSTOM_TEXT = "text", Many, Supported;
    attributes { name: TEXT required, data: LONG_TEXT required }
}

element! {
    CUSTOM_TUPLE_ELEMENT = "element", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, prm: R1 }
}

element! {
    CUSTOM_TUPLE = "tuple", Many, Supported;
    attributes { name: TEXT required }
    children [CUSTOM_TUPLE_ELEMENT]
}

element! {
    CUSTOM = "custom", Many, Supported;
    attributes {}
    children [CUSTOM_NUMERIC, CUSTOM_TEXT, CUSTOM_TUPLE]
}
