//! Schema of `keyframe`.

use super::element;

element! {
    KEYFRAME_KEY = "key", Many, Supported;
    attributes {
        name: TEXT, time: R1, qpos: REALS, qvel: REALS, act: REALS, ctrl: REALS, mpos: REALS,
        mquat: REALS
    }
}

element! {
    KEYFRAME = "keyframe", Many, Supported;
    attributes {}
    children [KEYFRAME_KEY]
}
