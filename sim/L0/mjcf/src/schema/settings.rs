//! Schema of `compiler`, `option`, `size` and `statistic`.

use super::element;

element! {
    COMPILER_LENGTHRANGE = "lengthrange", Optional, Supported;
    attributes {
        mode: LRMODE, useexisting: BOOL, uselimit: BOOL, accel: R1, maxforce: R1, timeconst: R1,
        timestep: R1, inttotal: R1, interval: R1, tolrange: R1
    }
}

element! {
    COMPILER = "compiler", Many, Supported;
    attributes {
        autolimits: BOOL, boundmass: R1, boundinertia: R1, settotalmass: R1,
        balanceinertia: BOOL, strippath: BOOL, coordinate: COORDINATE, angle: ANGLE,
        fitaabb: BOOL, eulerseq: TEXT, meshdir: TEXT, texturedir: TEXT, discardvisual: BOOL,
        usethread: BOOL, fusestatic: BOOL, inertiafromgeom: TRI, inertiagrouprange: I2,
        saveinertial: BOOL, assetdir: TEXT, alignfree: BOOL, fuseinertia: FUSEINERTIA
    }
    children [COMPILER_LENGTHRANGE]
}

element! {
    OPTION_FLAG = "flag", Optional, Supported;
    attributes {
        constraint: FLAG, equality: FLAG, frictionloss: FLAG, limit: FLAG, contact: FLAG,
        spring: FLAG, damper: FLAG, gravity: FLAG, clampctrl: FLAG, warmstart: FLAG,
        filterparent: FLAG, actuation: FLAG, refsafe: FLAG, sensor: FLAG, midphase: FLAG,
        eulerdamp: FLAG, autoreset: FLAG, nativeccd: FLAG, island: FLAG, override: FLAG,
        energy: FLAG, fwdinv: FLAG, invdiscrete: FLAG, multiccd: FLAG, sleep: FLAG
    }
}

element! {
    OPTION = "option", Many, Supported;
    attributes {
        timestep: R1, impratio: R1, tolerance: R1, ls_tolerance: R1, noslip_tolerance: R1,
        ccd_tolerance: R1, sleep_tolerance: R1, gravity: R3, wind: R3, magnetic: R3, density: R1,
        viscosity: R1, o_margin: R1, o_solref: UP_TO_2, o_solimp: UP_TO_5, o_friction: UP_TO_5,
        integrator: INTEGRATOR, cone: CONE, jacobian: JACOBIAN, solver: SOLVER, iterations: I1,
        ls_iterations: I1, noslip_iterations: I1, ccd_iterations: I1, sdf_iterations: I1,
        sdf_initpoints: I1, actuatorgroupdisable: UP_TO_31
    }
    children [OPTION_FLAG]
}

element! {
    SIZE = "size", Many, Supported;
    attributes {
        memory: TEXT, njmax: I1, nconmax: I1, nstack: I1, nuserdata: I1, nkey: I1,
        nuser_body: I1, nuser_jnt: I1, nuser_geom: I1, nuser_site: I1, nuser_cam: I1,
        nuser_tendon: I1, nuser_actuator: I1, nuser_sensor: I1
    }
}

element! {
    STATISTIC = "statistic", Many, Supported;
    attributes { meaninertia: R1, meanmass: R1, meansize: R1, extent: R1, center: R3 }
}
