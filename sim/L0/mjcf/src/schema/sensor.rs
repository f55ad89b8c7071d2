//! Schema of `sensor`.

use super::asset::CONFIG;
use super::{element, group};

group! {
    SENSOR_COMMON;
    now {
        name: TEXT, cutoff: R1, noise: R1, user: REALS, nsample: I1, interp: INTERP, delay: R1,
        interval: UP_TO_2
    }
}

element! {
    SENSOR_TOUCH = "touch", Many, Now;
    now { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACCELEROMETER = "accelerometer", Many, Now;
    now { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_VELOCIMETER = "velocimeter", Many, Now;
    now { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_GYRO = "gyro", Many, Now;
    now { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FORCE = "force", Many, Now;
    now { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TORQUE = "torque", Many, Now;
    now { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_MAGNETOMETER = "magnetometer", Many, Now;
    now { site: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_CAMPROJECTION = "camprojection", Many, Now;
    now { site: TEXT required, camera: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_RANGEFINDER = "rangefinder", Many, Now;
    now { site: TEXT, camera: TEXT, data: RAYDATA }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTPOS = "jointpos", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTVEL = "jointvel", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONPOS = "tendonpos", Many, Now;
    now { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONVEL = "tendonvel", Many, Now;
    now { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACTUATORPOS = "actuatorpos", Many, Now;
    now { actuator: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACTUATORVEL = "actuatorvel", Many, Now;
    now { actuator: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_ACTUATORFRC = "actuatorfrc", Many, Now;
    now { actuator: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTACTUATORFRC = "jointactuatorfrc", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONACTUATORFRC = "tendonactuatorfrc", Many, Now;
    now { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_BALLQUAT = "ballquat", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_BALLANGVEL = "ballangvel", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTLIMITPOS = "jointlimitpos", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTLIMITVEL = "jointlimitvel", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_JOINTLIMITFRC = "jointlimitfrc", Many, Now;
    now { joint: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONLIMITPOS = "tendonlimitpos", Many, Now;
    now { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONLIMITVEL = "tendonlimitvel", Many, Now;
    now { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TENDONLIMITFRC = "tendonlimitfrc", Many, Now;
    now { tendon: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEPOS = "framepos", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEQUAT = "framequat", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEXAXIS = "framexaxis", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEYAXIS = "frameyaxis", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEZAXIS = "framezaxis", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMELINVEL = "framelinvel", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEANGVEL = "frameangvel", Many, Now;
    now { objtype: TEXT required, objname: TEXT required, reftype: TEXT, refname: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMELINACC = "framelinacc", Many, Now;
    now { objtype: TEXT required, objname: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FRAMEANGACC = "frameangacc", Many, Now;
    now { objtype: TEXT required, objname: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_SUBTREECOM = "subtreecom", Many, Now;
    now { body: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_SUBTREELINVEL = "subtreelinvel", Many, Now;
    now { body: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_SUBTREEANGMOM = "subtreeangmom", Many, Now;
    now { body: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_INSIDESITE = "insidesite", Many, Now;
    now { site: TEXT required, objtype: TEXT required, objname: TEXT required }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_DISTANCE = "distance", Many, Now;
    now { geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_NORMAL = "normal", Many, Now;
    now { geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_FROMTO = "fromto", Many, Now;
    now { geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_CONTACT = "contact", Many, Now;
    now {
        geom1: TEXT, geom2: TEXT, body1: TEXT, body2: TEXT, subtree1: TEXT, subtree2: TEXT,
        site: TEXT, num: I1, data: CONDATA, reduce: REDUCE
    }
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_E_POTENTIAL = "e_potential", Many, Now;
    now {}
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_E_KINETIC = "e_kinetic", Many, Now;
    now {}
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_CLOCK = "clock", Many, Now;
    now {}
    groups [SENSOR_COMMON]
}

element! {
    SENSOR_TACTILE = "tactile", Many, Now;
    now {
        name: TEXT, geom: TEXT required, mesh: TEXT required, nsample: I1, interp: INTERP, delay: R1,
        interval: UP_TO_2, user: REALS
    }
}

element! {
    SENSOR_USER = "user", Many, Now;
    now {
        name: TEXT, objtype: TEXT, objname: TEXT, datatype: DATATYPE, needstage: STAGE, dim: I1 required,
        cutoff: R1, noise: R1, user: REALS
    }
}

element! {
    SENSOR_PLUGIN = "plugin", Many, Later;
    now {
        name: TEXT, plugin: TEXT, instance: TEXT, cutoff: R1, objtype: TEXT, objname: TEXT,
        reftype: TEXT, refname: TEXT, user: REALS
    }
    children [CONFIG]
}

element! {
    SENSOR = "sensor", Many, Now;
    now {}
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
