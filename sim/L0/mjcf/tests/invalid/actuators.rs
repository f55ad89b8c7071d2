//! Invalid actuators.

use crate::{Row, section};

pub fn rows() -> Vec<Row> {
    let rows = [
        ("no target", "§<motor/>", "\"joint\": required"),
        ("two targets", "<motor joint='h' §site='s'/>", "keep `joint` or `site`"),
        (
            "slider of a joint",
            "<motor joint='h' §slidersite='s'/>",
            "requires a slider-crank transmission",
        ),
        (
            "crank length of a joint",
            "<motor joint='h' §cranklength='1'/>",
            "requires a slider-crank transmission",
        ),
        (
            "reference site of a joint",
            "<motor joint='h' §refsite='s'/>",
            "requires a site transmission",
        ),
        ("crank without length", "§<motor cranksite='s' slidersite='t'/>", "must be positive"),
        (
            "crank without slider",
            "§<motor cranksite='s' cranklength='1'/>",
            "\"slidersite\": required",
        ),
        ("damping of a site", "§<motor site='s' damping='1'/>", "requires a joint or tendon"),
        ("armature of a site", "§<motor site='s' armature='1'/>", "requires a joint or tendon"),
        ("actuator delay without history", "§<motor joint='h' delay='1'/>", "set `nsample`"),
        ("control limit without range", "§<motor joint='h' ctrllimited='true'/>", "\"ctrlrange\""),
        (
            "force range upside down",
            "§<motor joint='h' forcelimited='true' forcerange='1 0'/>",
            "must be smaller",
        ),
        (
            "activation range of a motor",
            "§<general joint='h' actrange='0 1'/>",
            "dyntype is `none`",
        ),
        (
            "activations of a motor",
            "§<general joint='h' actdim='1'/>",
            "does not match the dyntype",
        ),
        (
            "two activations of a filter",
            "§<general joint='h' dyntype='filter' actdim='2'/>",
            "does not match the dyntype",
        ),
        (
            "no activation of a filter",
            "§<general joint='h' dyntype='filter' actdim='0'/>",
            "does not match the dyntype",
        ),
        ("late DC motor", "§<general joint='h' dyntype='dcmotor'/>", "must be true for a DC motor"),
        (
            "DC motor without its current",
            "§<general joint='h' gaintype='dcmotor'/>",
            "require 1 activations, not 0",
        ),
        ("unknown dynamics", "<general joint='h' §dyntype='filters'/>", "did you mean `filter`?"),
        ("position: kv", "<position joint='h' §kv='-1'/>", "must not be negative"),
        (
            "position: kv and ratio",
            "<position joint='h' kv='1' §dampratio='1'/>",
            "remove one of them",
        ),
        ("position: ratio", "<position joint='h' §dampratio='-1'/>", "must not be negative"),
        (
            "position: time constant",
            "<position joint='h' §timeconst='-1'/>",
            "must not be negative",
        ),
        (
            "position: two ranges",
            "<position joint='h' ctrlrange='0 1' §inheritrange='1'/>",
            "combined with `ctrlrange`",
        ),
        (
            "position: nothing to inherit",
            "§<position joint='h' inheritrange='1'/>",
            "no range to inherit",
        ),
        (
            "position: range of a ball",
            "§<position joint='ball' inheritrange='1'/>",
            "hinge or slide joint",
        ),
        (
            "position: range of a site",
            "§<position site='s' inheritrange='1'/>",
            "a joint or tendon",
        ),
        ("intvelocity: no range", "§<intvelocity joint='h'/>", "\"actrange\""),
        (
            "intvelocity: two ranges",
            "<intvelocity joint='h' actrange='0 1' §inheritrange='1'/>",
            "combined with `actrange`",
        ),
        ("velocity: unknown gain", "<velocity joint='h' §kp='1'/>", "unknown attribute"),
        ("damper: kv", "<damper joint='h' §kv='-1' ctrlrange='0 1'/>", "must not be negative"),
        ("damper: range", "<damper joint='h' kv='1' §ctrlrange='-1 1'/>", "must not be negative"),
        ("damper: no range", "§<damper joint='h' kv='1'/>", "\"ctrlrange\""),
        ("cylinder: bias", "<cylinder joint='h' §bias='1'/>", "expected 3 numbers, found 1"),
        (
            "adhesion: gain",
            "<adhesion body='b' §gain='-1' ctrlrange='0 1'/>",
            "must not be negative",
        ),
        ("adhesion: range", "<adhesion body='b' §ctrlrange='-1 1'/>", "must not be negative"),
        ("adhesion: no body", "§<adhesion ctrlrange='0 1'/>", "\"body\": required"),
        ("muscle: range", "§<muscle joint='h' range='1 .5' lengthrange='0 1'/>", "must be smaller"),
        ("muscle: lmin", "§<muscle joint='h' lmin='2' lengthrange='0 1'/>", "lmin < 1 < lmax"),
        ("muscle: lmax", "§<muscle joint='h' lmax='.5' lengthrange='0 1'/>", "lmin < 1 < lmax"),
        ("muscle: vmax", "§<muscle joint='h' vmax='0' lengthrange='0 1'/>", "the vmax of a muscle"),
        (
            "muscle: fpmax",
            "§<muscle joint='h' fpmax='0' lengthrange='0 1'/>",
            "the fpmax of a muscle",
        ),
        (
            "muscle: fvmax",
            "§<muscle joint='h' fvmax='0' lengthrange='0 1'/>",
            "the fvmax of a muscle",
        ),
        (
            "muscle: scale",
            "§<muscle joint='h' scale='0' lengthrange='0 1'/>",
            "the scale of a muscle",
        ),
        ("muscle: tausmooth", "<muscle joint='h' §tausmooth='-1'/>", "must not be negative"),
        ("muscle: no end to its range", "§<muscle joint='h'/>", "did not converge"),
        (
            "dcmotor: no constant",
            "§<dcmotor joint='h' resistance='1'/>",
            "the motor constant must be positive",
        ),
        (
            "dcmotor: no resistance",
            "§<dcmotor joint='h' motorconst='1'/>",
            "the resistance must be positive",
        ),
        (
            "dcmotor: thermal",
            "<dcmotor joint='h' motorconst='1' resistance='1' §thermal='1'/>",
            "thermal capacity",
        ),
        (
            "dcmotor: inductance",
            "<dcmotor joint='h' motorconst='1' resistance='1' §inductance='-1'/>",
            "must not be negative",
        ),
        ("plugin actuator", "§<plugin joint='h'/>", "requires `plugin` or `instance`"),
    ];
    let rows: Vec<_> =
        rows.iter().map(|(w, m, f)| (*w, format!("<actuator>{m}</actuator>"), *f)).collect();
    section(&rows.iter().map(|(w, m, f)| (*w, m.as_str(), *f)).collect::<Vec<_>>())
}
