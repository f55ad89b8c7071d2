//! Schema of `sensor`.

use super::asset::CONFIG;
use super::{element, group};

group! {
    SENSOR_COMMON;
    attributes {
        name: TEXT, cutoff: R1, noise: R1, user: REALS, nsample: I1, interp: INTERP, delay: R1,
        interval: UP_TO_2
    }
}

element! {
    SENSOR_TOUCH = "touch", Many, Supported;
    attributes { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACCELEROMETER = "accelerometer", Many, Supported;
    attributes { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_VELOCIMETER = "velocimeter", Many, Supported;
    attributes { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_GYRO = "gyro", Many, Supported;
    attributes { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FORCE = "force", Many, Supported;
    attributes { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TORQUE = "torque", Many, Supported;
    attributes { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_MAGNETOMETER = "magnetometer", Many, Supported;
    attributes { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_CAMPROJECTION = "camprojection", Many, Supported;
    attributes { site: TEXT required, camera: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_RANGEFINDER = "rangefinder", Many, Supported;
    attributes { site: TEXT, camera: TEXT, data: RAYDATA }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTPOS = "jointpos", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTVEL = "jointvel", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONPOS = "tendonpos", Many, Supported;
    attributes { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONVEL = "tendonvel", Many, Supported;
    attributes { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACTUATORPOS = "actuatorpos", Many, Supported;
    attributes { actuator: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACTUATORVEL = "actuatorvel", Many, Supported;
    attributes { actuator: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACTUATORFRC = "actuatorfrc", Many, Supported;
    attributes { actuator: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTACTUATORFRC = "jointactuatorfrc", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONACTUATORFRC = "tendonactuatorfrc", Many, Supported;
    attributes { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_BALLQUAT = "ballquat", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_BALLANGVEL = "ballangvel", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTLIMITPOS = "jointlimitpos", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTLIMITVEL = "jointlimitvel", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTLIMITFRC = "jointlimitfrc", Many, Supported;
    attributes { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONLIMITPOS = "tendonlimitpos", Many, Supported;
    attributes { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONLIMITVEL = "tendonlimitvel", Many, Supported;
    attributes { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONLIMITFRC = "tendonlimitfrc", Many, Supported;
    attributes { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEPOS = "framepos", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEQUAT = "framequat", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEXAXIS = "framexaxis", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEYAXIS = "frameyaxis", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEZAXIS = "framezaxis", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMELINVEL = "framelinvel", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEANGVEL = "frameangvel", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMELINACC = "framelinacc", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEANGACC = "frameangacc", Many, Supported;
    attributes { objtype: TEXT required, objname: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_SUBTREECOM = "subtreecom", Many, Supported;
    attributes { body: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_SUBTREELINVEL = "subtreelinvel", Many, Supported;
    attributes { body: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_SUBTREEANGMOM = "subtreeangmom", Many, Supported;
    attributes { body: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_INSIDESITE = "insidesite", Many, Supported;
    attributes { site: TEXT required, objtype: TEXT required, objname: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_DISTANCE = "distance", Many, Supported;
    attributes { geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_NORMAL = "normal", Many, Supported;
    attributes { geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FROMTO = "fromto", Many, Supported;
    attributes { geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_CONTACT = "contact", Many, Supported;
    attributes {
        geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT, subtree1: TEXT, subtree2: TEXT,
        site: TEXT, num: I1, data: CONDATA, reduce: REDUCE
    }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_E_POTENTIAL = "e_potential", Many, Supported;
    attributes {}
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_E_KINETIC = "e_kinetic", Many, Supported;
    attributes {}
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_CLOCK = "clock", Many, Supported;
    attributes {}
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TACTILE = "tactile", Many, Supported;
    attributes {
        name: TEXT, geom: TEXT required, mesh: TEXT required, nsample: I1, interp: INTERP, delay: R1,
        interval: UP_TO_2, user: REALS
    }
}

element! {
    SENSOR_USER = "user", Many, Supported;
    attributes {
        name: TEXT, objtype: TEXT, objname: TEXT, datatype: DATATYPE, needstage: STAGE, dim: I1 required,
        cutoff: R1, noise: R1, user: REALS
    }
}

element! {
    SENSOR_PLUGIN = "plugin", Many, Supported;
    attributes {
        name: TEXT, plugin: TEXT, instance: TEXT, cutoff: R1, objtype: TEXT, objname: TEXT,
        reftype: TEXT, refname: TEXT, user: REALS
    }
    children [CONFIG]
}

element! {
    SENSOR = "sensor", Many, Supported;
    attributes {}
    children [
        SENSOR_TOUCH, SENSOR_ACCELEROMETER, SENSOR_VELOCIMETER, SENSOR_GYRO, SENSOR_FORCE,
        SENSOR_TORQUE, SENSOR_MAGNETOMETER, SENSOR_CAMPROJECTION, SENSOR_RANGEFINDER,
        SENSOR_JOINTPOS, SENSOR_JOINTVEL, SENSOR_TENDONPOS, SENSOR_TENDONVEL,
        SENSOR_ACTUATORPOS, SENSOR_ACTUATORVEL, SENSOR_ACTUATORFRC, SENSOR_JOINTACTUATORFRC,
        SENSOR_TENDONACTUATORFRC, SENSOR_BALLQUAT, SENSOR_BALLANGVEL, SENSOR_JOINTLIMITPOS,
        SENSOR_JOINTLIMITVEL, SENSOR_JOINTLIMITFRC, SENSOR_TENDONLIMITPOS,
        SENSOR_TENDONLIMITVEL, SENSOR_TENDONLIMITFRC, SENSOR_FRAMEPOS, SENSOR_FRAMEQUAT,
        SENSOR_FRAMEXAXIS, SENSOR_FRAMEYAXIS, SENSOR_FRAMEZAXIS, SENSOR_FRAMELINVEL,
        SENSOR_FRAMEANGVEL, SENSOR_FRAMELINACC, SENSOR_FRAMEANGACC, SENSOR_SUBTREECOM,
        SENSOR_SUBTREELINVEL, SENSOR_SUBTREEANGMOM, SENSOR_INSIDESITE, SENSOR_DISTANCE,
        SENSOR_NORMAL, SENSOR_FROMTO, SENSOR_CONTACT, SENSOR_E_POTENTIAL, SENSOR_E_KINETIC,
        SENSOR_CLOCK, SENSOR_TACTILE, SENSOR_USER, SENSOR_PLUGIN
    ]
}
