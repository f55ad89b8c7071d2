//! Invalid contacts, equalities, tendons, sensors and keyframes.

use crate::{Row, model, section};

pub fn rows() -> Vec<Row> {
    [contacts(), equalities(), tendons(), sensors(), keys()].into_iter().flatten().collect()
}

/// Rows inside one section.
fn inside(name: &str, rows: &[(&str, &str, &str)]) -> Vec<Row> {
    let rows: Vec<_> = rows
        .iter()
        .map(|(what, marked, fragment)| (*what, format!("<{name}>{marked}</{name}>"), *fragment))
        .collect();
    section(&rows.iter().map(|(w, m, f)| (*w, m.as_str(), *f)).collect::<Vec<_>>())
}

fn contacts() -> Vec<Row> {
    inside(
        "contact",
        &[
            ("pair with one geom", "§<pair geom1='g'/>", "attribute \"geom2\": required"),
            ("exclude with one body", "§<exclude body1='b'/>", "attribute \"body2\": required"),
            (
                "pair of dimension 5",
                "§<pair geom1='g' geom2='floor' condim='5'/>",
                "must be 1, 3, 4 or 6",
            ),
        ],
    )
}

fn equalities() -> Vec<Row> {
    inside(
        "equality",
        &[
            ("connect without anchor", "§<connect body1='b'/>", "requires `body1` and `anchor`"),
            (
                "connect of bodies and sites",
                "§<connect body1='b' site1='s' anchor='0 0 0'/>",
                "cannot be combined",
            ),
            ("weld without body1", "§<weld body2='b'/>", "requires `body1`"),
            (
                "weld of a body to itself",
                "§<weld body1='b' body2='b'/>",
                "the same body as `body1`",
            ),
            (
                "weld of a site to itself",
                "§<weld site1='s' site2='s'/>",
                "the same site as `site1`",
            ),
            (
                "connect of the world to itself",
                "§<connect body1='world' anchor='0 0 0'/>",
                "the same body as `body1`",
            ),
            ("weld with one site", "§<weld site1='s'/>", "site2"),
            (
                "equality of a ball joint",
                "§<joint joint1='ball'/>",
                "requires a hinge or slide joint",
            ),
            (
                "equality of a free joint",
                "§<joint joint1='h' joint2='free'/>",
                "requires a hinge or slide joint",
            ),
            ("equality of a joint to itself", "§<joint joint1='h' joint2='h'/>", "the same joint"),
            ("equality without joint1", "§<joint joint2='h'/>", "required attribute is missing"),
            ("equality of an unknown flex", "§<flex flex='f'/>", "no flex is named `f`"),
        ],
    )
}

fn tendons() -> Vec<Row> {
    inside(
        "tendon",
        &[
            ("empty spatial path", "§<spatial/>", "the path is empty"),
            ("empty fixed path", "§<fixed/>", "the path is empty"),
            ("path of one site", "<spatial>§<site site='s'/></spatial>", "at least two elements"),
            (
                "path that stays",
                "<spatial>§<site site='s'/><site site='s'/></spatial>",
                "consecutive identical sites",
            ),
            (
                "wrap around a plane",
                "<spatial><site site='s'/>§<geom geom='floor'/><site site='t'/></spatial>",
                "sphere or cylinder",
            ),
            (
                "path that ends on a geom",
                "<spatial><site site='s'/>§<geom geom='g'/></spatial>",
                "a site before and after",
            ),
            (
                "path that starts on a geom",
                "<spatial>§<geom geom='g'/><site site='s'/></spatial>",
                "a site before and after",
            ),
            (
                "site alone",
                "<spatial>§<site site='s'/><pulley divisor='1'/></spatial>",
                "a branch with a single site",
            ),
            (
                "path that ends on a pulley",
                "<spatial><site site='s'/><site site='t'/>§<pulley divisor='1'/></spatial>",
                "ends with a pulley",
            ),
            (
                "two pulleys",
                "<spatial><pulley divisor='1'/>§<pulley divisor='1'/><site site='s'/></spatial>",
                "two consecutive pulleys",
            ),
            (
                "negative pulley",
                "<spatial>§<pulley divisor='-1'/><site site='s'/><site site='t'/></spatial>",
                "must not be negative",
            ),
            (
                "joint in a spatial tendon",
                "<spatial>§<joint joint='h' coef='1'/></spatial>",
                "unknown element in <spatial>",
            ),
            (
                "site in a fixed tendon",
                "<fixed>§<site site='s'/></fixed>",
                "unknown element in <fixed>",
            ),
            ("no coefficient", "<fixed>§<joint joint='h'/></fixed>", "\"coef\": required"),
            (
                "tendon of no width",
                "§<spatial width='0'><site site='s'/><site site='t'/></spatial>",
                "must be positive",
            ),
            (
                "negative armature",
                "§<spatial armature='-1'><site site='s'/><site site='t'/></spatial>",
                "must not be negative",
            ),
            (
                "wrap with armature",
                "<spatial armature='1'><site site='s'/>§<geom geom='g'/><site site='t'/></spatial>",
                "with armature",
            ),
            (
                "tendon limit without range",
                "§<spatial limited='true'><site site='s'/><site site='t'/></spatial>",
                "must be smaller",
            ),
            (
                "spring lengths upside down",
                "§<spatial springlength='2 1'><site site='s'/><site site='t'/></spatial>",
                "must not exceed",
            ),
            (
                "tendon force without zero",
                "§<fixed actuatorfrclimited='true' actuatorfrcrange='1 2'><joint joint='h' coef='1'/></fixed>",
                "must contain zero",
            ),
        ],
    )
}

fn sensors() -> Vec<Row> {
    inside(
        "sensor",
        &[
            ("gyro without a site", "§<gyro/>", "attribute \"site\": required"),
            (
                "position of a ball joint",
                "§<jointpos joint='ball'/>",
                "requires a hinge or slide joint",
            ),
            (
                "position of a free joint",
                "§<jointpos joint='free'/>",
                "requires a hinge or slide joint",
            ),
            ("quaternion of a hinge", "§<ballquat joint='h'/>", "requires a ball joint"),
            (
                "limit of a free hinge",
                "§<jointlimitpos joint='h'/>",
                "set the `range` of the joint",
            ),
            ("negative noise", "§<clock noise='-1'/>", "must not be negative"),
            ("negative cutoff", "§<clock cutoff='-1'/>", "must not be negative"),
            (
                "cutoff of a quaternion",
                "§<framequat objtype='body' objname='b' cutoff='1'/>",
                "axis or quaternion",
            ),
            (
                "frame of a joint",
                "<framepos §objtype='joint' objname='h'/>",
                "is not one of body, xbody",
            ),
            ("frame without a name", "§<framepos objtype='body'/>", "\"objname\": required"),
            (
                "reference without a type",
                "§<framepos objtype='body' objname='b' refname='c'/>",
                "\"reftype\": required",
            ),
            ("delay without history", "§<clock delay='.1'/>", "set `nsample`"),
            ("negative period", "§<clock nsample='2' interval='-1 0'/>", "must not be negative"),
            (
                "phase beyond the period",
                "§<clock nsample='2' interval='1 -2'/>",
                "minus the period",
            ),
            ("axis of two numbers", "§<user dim='2' datatype='axis'/>", "must be 3 for an axis"),
            ("negative dimension", "§<user dim='-1'/>", "must not be negative"),
            ("distance to itself", "§<distance geom1='g' geom2='g'/>", "must be different"),
            (
                "distance of two firsts",
                "<distance §geom1='g' body1='b' geom2='floor'/>",
                "use only one of",
            ),
            ("no contacts", "<contact geom1='g' §num='0'/>", "must be positive"),
            (
                "contact data out of order",
                "<contact geom1='g' §data='force found'/>",
                "in the order",
            ),
            ("rangefinder on nothing", "§<rangefinder/>", "requires one of `site`, `camera`"),
            ("plugin sensor", "§<plugin/>", "requires `plugin` or `instance`"),
        ],
    )
}

fn keys() -> Vec<Row> {
    let mut rows = inside(
        "keyframe",
        &[
            (
                "key: qpos too long",
                "§<key qpos='1 2 3 4 5 6 7 8 9 10 11 12 13'/>",
                "expected 12 numbers, found 13",
            ),
            (
                "key: qvel",
                "§<key qvel='1 2 3 4 5 6 7 8 9 10 11'/>",
                "expected 10 numbers, found 11",
            ),
            ("key: ctrl", "§<key ctrl='1'/>", "expected 0 numbers, found 1"),
            ("key: act", "§<key act='1'/>", "expected 0 numbers, found 1"),
            ("key: mpos", "§<key mpos='1 2 3'/>", "expected 0 numbers, found 3"),
            ("key: mquat", "§<key mquat='1 0 0 0'/>", "expected 0 numbers, found 4"),
            ("key: word", "<key §qpos='a'/>", "`a` is not a number"),
        ],
    );
    rows.extend(model(&[
        (
            "projection without pixels",
            "<mujoco><worldbody><camera name='eye' resolution='0 1'/><site name='s'/></worldbody>
<sensor>§<camprojection site='s' camera='eye'/></sensor></mujoco>",
            "`resolution`",
        ),
        (
            "key before replicate",
            "<mujoco><keyframe>§<key qpos='1 2 3'/></keyframe><worldbody><replicate count='2'>
<body><joint/><geom size='1'/></body></replicate></worldbody></mujoco>",
            "found 3",
        ),
    ]));
    rows
}
