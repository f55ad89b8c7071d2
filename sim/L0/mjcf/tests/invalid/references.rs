//! Unknown names, for every type of reference.

use crate::{Row, asset, model, section, world};

pub fn rows() -> Vec<Row> {
    [relations(), sensors(), assets(), classes(), tuples()].into_iter().flatten().collect()
}

fn relations() -> Vec<Row> {
    section(&[
        (
            "motor: joint",
            "<actuator>§<motor joint='x'/></actuator>",
            "\"joint\": no joint is named `x`",
        ),
        (
            "motor: jointinparent",
            "<actuator>§<motor jointinparent='x'/></actuator>",
            "\"jointinparent\": no joint",
        ),
        (
            "motor: tendon",
            "<actuator>§<motor tendon='x'/></actuator>",
            "\"tendon\": no tendon is named `x`",
        ),
        (
            "motor: site",
            "<actuator>§<motor site='x'/></actuator>",
            "\"site\": no site is named `x`",
        ),
        (
            "motor: refsite",
            "<actuator>§<motor site='s' refsite='x'/></actuator>",
            "\"refsite\": no site",
        ),
        (
            "motor: body",
            "<actuator>§<adhesion body='x' ctrlrange='0 1'/></actuator>",
            "\"body\": no body is named `x`",
        ),
        (
            "motor: cranksite",
            "<actuator>§<motor cranksite='x' slidersite='s' cranklength='1'/></actuator>",
            "\"cranksite\": no site",
        ),
        (
            "motor: slidersite",
            "<actuator>§<motor cranksite='s' slidersite='x' cranklength='1'/></actuator>",
            "\"slidersite\": no site",
        ),
        (
            "motor: class",
            "<actuator><motor joint='h' §class='x'/></actuator>",
            "no default class is named `x`",
        ),
        (
            "connect: body1",
            "<equality>§<connect body1='x' anchor='0 0 0'/></equality>",
            "\"body1\": no body",
        ),
        (
            "connect: body2",
            "<equality>§<connect body1='b' body2='x' anchor='0 0 0'/></equality>",
            "\"body2\": no body",
        ),
        ("weld: site1", "<equality>§<weld site1='x' site2='s'/></equality>", "\"site1\": no site"),
        ("weld: site2", "<equality>§<weld site1='s' site2='x'/></equality>", "\"site2\": no site"),
        ("joint: joint1", "<equality>§<joint joint1='x'/></equality>", "\"joint1\": no joint"),
        (
            "joint: joint2",
            "<equality>§<joint joint1='h' joint2='x'/></equality>",
            "\"joint2\": no joint",
        ),
        (
            "tendon: tendon1",
            "<equality>§<tendon tendon1='x'/></equality>",
            "\"tendon1\": no tendon",
        ),
        (
            "fixed: joint",
            "<tendon><fixed>§<joint joint='x' coef='1'/></fixed></tendon>",
            "\"joint\": no joint",
        ),
        (
            "spatial: site",
            "<tendon><spatial>§<site site='x'/><site site='s'/></spatial></tendon>",
            "\"site\": no site",
        ),
        (
            "spatial: geom",
            "<tendon><spatial><site site='s'/>§<geom geom='x'/><site site='t'/></spatial></tendon>",
            "\"geom\": no geom",
        ),
        (
            "spatial: sidesite",
            "<tendon><spatial><site site='s'/>§<geom geom='g' sidesite='x'/><site site='t'/></spatial></tendon>",
            "\"sidesite\": no site",
        ),
        (
            "spatial: material",
            "<tendon>§<spatial material='x'><site site='s'/><site site='t'/></spatial></tendon>",
            "no material is named `x`",
        ),
        (
            "pair: geom",
            "<contact>§<pair geom1='g' geom2='flor'/></contact>",
            "did you mean `floor`?",
        ),
        (
            "exclude: body",
            "<contact>§<exclude body1='x' body2='b'/></contact>",
            "\"body1\": no body",
        ),
    ])
}

fn sensors() -> Vec<Row> {
    let rows = [
        ("gyro: site", "§<gyro site='x'/>", "\"site\": no site"),
        ("jointpos: joint", "§<jointpos joint='x'/>", "\"joint\": no joint"),
        ("tendonpos: tendon", "§<tendonpos tendon='x'/>", "\"tendon\": no tendon"),
        ("actuatorpos: actuator", "§<actuatorpos actuator='x'/>", "\"actuator\": no actuator"),
        ("framepos: body", "§<framepos objtype='body' objname='x'/>", "\"objname\": no body"),
        ("framepos: geom", "§<framepos objtype='geom' objname='x'/>", "\"objname\": no geom"),
        ("framepos: camera", "§<framepos objtype='camera' objname='x'/>", "\"objname\": no camera"),
        (
            "framepos: reference",
            "§<framepos objtype='site' objname='s' reftype='body' refname='x'/>",
            "\"refname\": no body",
        ),
        ("subtreecom: body", "§<subtreecom body='x'/>", "\"body\": no body"),
        ("rangefinder: camera", "§<rangefinder camera='x'/>", "\"camera\": no camera"),
        ("camprojection: camera", "§<camprojection site='s' camera='x'/>", "\"camera\": no camera"),
        ("distance: geom2", "§<distance geom1='g' geom2='x'/>", "\"geom2\": no geom"),
        ("distance: body1", "§<distance body1='x' geom2='g'/>", "\"body1\": no body"),
        ("contact: subtree1", "§<contact subtree1='x'/>", "\"subtree1\": no body"),
        ("contact: geom2", "§<contact geom1='g' geom2='x'/>", "\"geom2\": no geom"),
        ("tactile: mesh", "§<tactile mesh='x' geom='g'/>", "\"mesh\": no mesh"),
        ("tactile: geom", "§<tactile mesh='tetra' geom='x'/>", "\"geom\": no geom"),
        (
            "insidesite: site",
            "§<insidesite objtype='body' objname='b' site='x'/>",
            "\"site\": no site",
        ),
        ("user: object", "§<user dim='1' objtype='joint' objname='x'/>", "\"objname\": no joint"),
    ];
    let rows: Vec<_> =
        rows.iter().map(|(w, m, f)| (*w, format!("<sensor>{m}</sensor>"), *f)).collect();
    section(&rows.iter().map(|(w, m, f)| (*w, m.as_str(), *f)).collect::<Vec<_>>())
}

fn assets() -> Vec<Row> {
    let mut rows = world(&[
        ("geom: mesh", "§<geom type='mesh' mesh='x'/>", "no mesh is named `x`"),
        ("geom: hfield", "§<geom type='hfield' hfield='x'/>", "no hfield is named `x`"),
        ("geom: material", "§<geom size='1' material='x'/>", "no material is named `x`"),
        ("site: material", "§<site material='x'/>", "no material is named `x`"),
        ("light: texture", "§<light texture='x'/>", "no texture is named `x`"),
        ("camera: target", "§<camera mode='targetbody' target='x'/>", "\"target\": no body"),
        ("light: target", "§<light mode='targetbody' target='x'/>", "\"target\": no body"),
        ("attach: model", "<attach §model='x' prefix='p'/>", "no model is named `x`"),
    ]);
    rows.extend(asset(&[
        ("material: texture", "§<material name='m' texture='x'/>", "no texture is named `x`"),
        (
            "layer: texture",
            "§<material name='m'><layer role='rgb' texture='x'/></material>",
            "no texture is named `x`",
        ),
    ]));
    rows.extend(model(&[(
        "mesh: material",
        "<mujoco><asset><mesh name='t' material='x' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>
<worldbody>§<geom type='mesh' mesh='t'/></worldbody></mujoco>",
        "no material is named `x`",
    )]));
    rows
}

fn classes() -> Vec<Row> {
    let mut rows = world(&[
        ("geom: class", "<geom §class='x' size='1'/>", "no default class is named `x`"),
        ("joint: class", "<body><joint §class='x'/></body>", "no default class is named `x`"),
        ("body: childclass", "<body §childclass='x'/>", "no default class is named `x`"),
        ("frame: childclass", "<frame §childclass='x'/>", "no default class is named `x`"),
        ("no class name", "<geom §class='' size='1'/>", "no default class is named ``"),
    ]);
    rows.extend(asset(&[
        ("mesh: class", "<mesh §class='x' name='m'/>", "no default class is named `x`"),
        ("material: class", "<material §class='x' name='m'/>", "no default class is named `x`"),
    ]));
    rows.extend(section(&[
        (
            "pair: class",
            "<contact><pair §class='x' geom1='g' geom2='floor'/></contact>",
            "no default class",
        ),
        (
            "equality: class",
            "<equality><weld §class='x' body1='b'/></equality>",
            "no default class",
        ),
        (
            "tendon: class",
            "<tendon><fixed §class='x'><joint joint='h' coef='1'/></fixed></tendon>",
            "no default class",
        ),
    ]));
    rows.extend(model(&[(
        "misspelled class",
        "<mujoco><default><default class='steel'/></default>
<worldbody><geom §class='steeel' size='1'/></worldbody></mujoco>",
        "did you mean `steel`?",
    )]));
    rows
}

/// A tuple can name anything.
fn tuples() -> Vec<Row> {
    let kinds = [
        "body", "xbody", "geom", "joint", "site", "camera", "light", "mesh", "hfield", "texture",
        "material", "pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric",
        "text", "tuple", "key",
    ];
    let row = |kind: &&str| {
        let element = format!("§<element objtype='{kind}' objname='x'/>");
        let marked = format!("<mujoco><custom><tuple name='t'>{element}</tuple></custom></mujoco>");
        let named = if *kind == "xbody" { "body" } else { kind };
        Row::new(&format!("tuple: {kind}"), &marked, &format!("no {named} is named `x`"))
    };
    let mut rows: Vec<_> = kinds.iter().map(row).collect();
    rows.extend(model(&[(
        "tuple: unknown kind",
        "<mujoco><custom><tuple name='t'><element §objtype='bodies' objname='x'/></tuple></custom></mujoco>",
        "`bodies` is not",
    )]));
    rows
}
