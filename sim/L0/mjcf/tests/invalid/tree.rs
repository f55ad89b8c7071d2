//! Invalid bodies, joints, geoms, sites, cameras and lights.

use crate::{Row, model, world};

pub fn rows() -> Vec<Row> {
    [shapes(), poses(), bodies(), joints(), inertias()].into_iter().flatten().collect()
}

fn shapes() -> Vec<Row> {
    let mut rows = world(&[
        ("no size", "§<geom/>", "must be positive"),
        ("two sizes of a box", "§<geom type='box' size='1 1'/>", "value 3 of the 3 sizes of a box"),
        ("negative radius", "§<geom size='-1'/>", "must be positive"),
        (
            "flat capsule",
            "§<geom type='capsule' size='1 0'/>",
            "value 2 of the 2 sizes of a capsule",
        ),
        ("plane without a grid", "§<geom type='plane' size='1 1'/>", "grid spacing"),
        ("fromto of a sphere", "§<geom size='1' fromto='0 0 0 1 1 1'/>", "requires a capsule"),
        (
            "fromto without length",
            "§<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>",
            "the two points coincide",
        ),
        (
            "fromto and pos",
            "§<geom type='capsule' size='1' pos='1 0 0' fromto='0 0 0 0 0 1'/>",
            "remove `pos`",
        ),
        ("contact dimension 2", "§<geom size='1' condim='2'/>", "must be 1, 3, 4 or 6, found 2"),
        ("mesh geom without a mesh", "§<geom type='mesh'/>", "the name of a mesh"),
        ("hfield geom without a field", "§<geom type='hfield'/>", "the name of a height field"),
        ("plane site", "§<site type='plane' size='1 1 1'/>", "a site must be a sphere"),
        ("negative site", "§<site size='-1'/>", "must be positive"),
        ("camera of 180 degrees", "§<camera fovy='180'/>", "less than 180"),
        (
            "focal length without a sensor",
            "§<camera focal='1 1'/>",
            "requires a positive `sensorsize`",
        ),
        (
            "sensor without pixels",
            "§<camera sensorsize='1 1' focal='1 1' resolution='0 1'/>",
            "must be positive",
        ),
        ("light without direction", "§<light dir='0 0 0'/>", "must not be the zero vector"),
        ("light of two kinds", "<light type='spot' §directional='true'/>", "keep `type`"),
        ("negative density", "<body>§<geom size='1' density='-1'/></body>", "must not be negative"),
        (
            "negative mass of a geom",
            "<body>§<geom size='1' mass='-1'/></body>",
            "must not be negative",
        ),
    ]);
    let mesh = "<mujoco><asset><mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>
<hfield name='f' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody>";
    for (what, geom, fragment) in [
        (
            "fromto of a mesh",
            "§<geom type='mesh' mesh='t' fromto='0 0 0 0 0 1'/>",
            "combined with `mesh`",
        ),
        ("plane around a mesh", "§<geom type='plane' mesh='t' size='1 1 1'/>", "cannot be fitted"),
        (
            "shell of a mesh geom",
            "§<geom type='mesh' mesh='t' shellinertia='true'/>",
            "inertia=\"shell\"",
        ),
        ("sphere with a field", "§<geom size='1' hfield='f'/>", "requires type=\"hfield\""),
        ("mesh and field", "§<geom type='mesh' mesh='t' hfield='f'/>", "requires type=\"hfield\""),
        ("user data too long", "<body>§<geom size='1' user='1 2'/></body>", "has 2 numbers"),
    ] {
        let size = if what.starts_with("user") { "<size nuser_geom='1'/>" } else { "" };
        let text = format!("{mesh}{geom}</worldbody>{size}</mujoco>");
        rows.push(Row::new(what, &text, fragment));
    }
    rows
}

fn poses() -> Vec<Row> {
    world(&[
        ("zero quaternion", "<geom size='1' §quat='0 0 0 0'/>", "must not be zero"),
        (
            "two orientations",
            "<geom size='1' zaxis='0 0 1' §euler='0 0 0'/>",
            "already set by `zaxis`",
        ),
        ("zaxis without length", "§<geom size='1' zaxis='0 0 0'/>", "must not be the zero vector"),
        ("parallel axes", "§<geom size='1' xyaxes='1 0 0 2 0 0'/>", "parallel to the x axis"),
        (
            "axis without length",
            "§<geom size='1' axisangle='0 0 0 1'/>",
            "must not be the zero vector",
        ),
        (
            "frame with parallel axes",
            "§<frame xyaxes='1 0 0 1 0 0'><geom size='1'/></frame>",
            "parallel to the x axis",
        ),
    ])
}

fn bodies() -> Vec<Row> {
    let mut rows = world(&[
        ("joint of the world", "§<joint/>", "the world cannot have joints"),
        ("inertia of the world", "§<inertial pos='0 0 0' mass='1'/>", "move it into a <body>"),
        ("mocap in a body", "<body>§<body mocap='true'/></body>", "a child of the world"),
        (
            "mocap with a joint",
            "§<body mocap='true'><joint/><geom size='1'/></body>",
            "without joints",
        ),
        (
            "sleep below a root",
            "<body><joint/><geom size='1'/>§<body sleep='never'><joint/><geom size='1'/></body></body>",
            "first moving body of a kinematic tree",
        ),
        (
            "sleep without joints",
            "§<body sleep='allowed'><geom size='1'/></body>",
            "first moving body of a kinematic tree",
        ),
        ("body without mass", "§<body><joint/></body>", "add a geom with mass"),
        (
            "zero mass",
            "§<body><freejoint/><geom size='1' mass='0'/></body>",
            "mass and inertia of a moving body must be larger",
        ),
        (
            "plane that moves",
            "<body><joint/>§<geom type='plane' size='1 1 1'/><geom size='1'/></body>",
            "static body",
        ),
        (
            "seven dofs",
            "§<body><joint type='ball'/><joint type='slide'/><joint type='slide'/><joint type='slide'/><joint type='slide'/><geom size='1'/></body>",
            "7 degrees of freedom",
        ),
    ]);
    // a tree initialized asleep is in contact with an awake one
    let in_contact = "<mujoco><option><flag sleep='enable'/></option><worldbody>
        §<body sleep='init'><freejoint/><geom size='1'/></body>
        <body pos='1 0 0'><freejoint/><geom size='1'/></body></worldbody></mujoco>";
    rows.push(Row::new("asleep against somebody awake", in_contact, "an awake tree"));
    rows
}

fn joints() -> Vec<Row> {
    let mut rows = world(&[
        (
            "free joint in a child",
            "<body><body>§<freejoint/><geom size='1'/></body></body>",
            "a child of the world",
        ),
        (
            "free joint and another",
            "<body>§<freejoint/><joint/><geom size='1'/></body>",
            "the only joint of its body",
        ),
        (
            "hinge after ball",
            "<body><joint type='ball'/>§<joint/><geom size='1'/></body>",
            "cannot follow a ball joint",
        ),
        (
            "ball after ball",
            "<body><joint type='ball'/>§<joint type='ball'/><geom size='1'/></body>",
            "cannot follow a ball joint",
        ),
        (
            "joint without axis",
            "<body>§<joint axis='0 0 0'/><geom size='1'/></body>",
            "must not be the zero vector",
        ),
        (
            "limit without range",
            "<body>§<joint limited='true'/><geom size='1'/></body>",
            "smaller than the second",
        ),
        (
            "range upside down",
            "<body>§<joint limited='true' range='1 0'/><geom size='1'/></body>",
            "smaller than the second",
        ),
        (
            "range of a ball",
            "<body>§<joint type='ball' range='1 2'/><geom size='1'/></body>",
            "must be 0",
        ),
        (
            "spring of half a number",
            "<body>§<joint springdamper='1 0'/><geom size='1'/></body>",
            "must be positive",
        ),
        ("type of a free joint", "<body><freejoint §type='free'/></body>", "unknown attribute"),
    ]);
    rows.extend(model(&[(
        "range without effect",
        "<mujoco><compiler autolimits='false'/><worldbody><body>§<joint range='0 1'/><geom size='1'/></body></worldbody></mujoco>",
        "add limited=\"true\"",
    )]));
    rows
}

fn inertias() -> Vec<Row> {
    world(&[
        (
            "A + B < C",
            "<body>§<inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>",
            "A + B >= C",
        ),
        (
            "negative eigenvalue",
            "<body>§<inertial pos='0 0 0' mass='1' fullinertia='1 1 -1 0 0 0'/></body>",
            "is not positive definite",
        ),
        (
            "two inertias",
            "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' §fullinertia='1 1 1 0 0 0'/></body>",
            "cannot be combined",
        ),
        (
            "orientation of a full inertia",
            "<body><inertial pos='0 0 0' mass='1' euler='0 0 0' §fullinertia='1 1 1 0 0 0'/></body>",
            "determines the orientation",
        ),
        (
            "negative mass that moves",
            "§<body><joint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body>",
            "mass and inertia of a moving body must be larger",
        ),
        (
            "negative inertia that moves",
            "§<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='-1 -1 -1'/></body>",
            "mass and inertia of a moving body must be larger",
        ),
    ])
}
