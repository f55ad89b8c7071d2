//! Small files that expand to huge models: rejected before time or memory is spent.

use crate::{Row, model, section};
use std::fmt::Write as _;

pub fn rows() -> Vec<Row> {
    [sizes(), replicates(), fields(), textures(), sensors(), models()]
        .into_iter()
        .flatten()
        .collect()
}

fn sizes() -> Vec<Row> {
    let mut rows = model(&[
        ("nuserdata of 2 billion", "<mujoco>§<size nuserdata='2000000000'/></mujoco>", "bytes"),
        ("nkey of 2 billion", "<mujoco>§<size nkey='2000000000'/></mujoco>", "key_time"),
        (
            "nuser_geom of 2 billion",
            "<mujoco>§<size nuser_geom='2000000000'/><worldbody><geom size='1'/></worldbody></mujoco>",
            "geom_user",
        ),
        (
            "keys of 2 billion times qpos",
            "<mujoco>§<size nkey='50000000'/><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
            "key_qpos",
        ),
        (
            "100,000 grid lines",
            "<mujoco><asset>§<mesh name='m' builtin='plate' params='1000000 1000000'/></asset></mujoco>",
            "number of vertices exceeds the limit",
        ),
        (
            "sphere of depth 99",
            "<mujoco><asset>§<mesh name='m' builtin='sphere' params='99'/></asset></mujoco>",
            "sphere",
        ),
    ]);
    let deep = format!("<mujoco><worldbody>{}", "<body>".repeat(100_000));
    let at = deep.match_indices("<body>").nth(497).map_or(0, |(i, _)| i);
    let replicate = "<replicate count='1'/>";
    let scans = format!(
        "<mujoco><worldbody>{}§{}</worldbody><contact>{}</contact></mujoco>",
        replicate.repeat(1597),
        replicate.repeat(1403),
        "<exclude body1='world' body2='world'/>".repeat(5000)
    );
    let scans = scans.replace("§<replicate ", "<replicate §");
    rows.push(Row::new("3000 replicates among 5000 excludes", &scans, "exceeds the maximum of"));
    rows.push(Row::new(
        "100,000 levels",
        &format!("{}§{}", &deep[..at], &deep[at..]),
        "nested deeper",
    ));
    rows
}

fn replicates() -> Vec<Row> {
    let nested = |counts: [&str; 3], mark: usize, what: &str, inner: &str, fragment: &str| {
        let mut text = String::from("<mujoco><worldbody>");
        for (i, count) in counts.iter().enumerate() {
            let at = if i == mark { "§" } else { "" };
            let _ = write!(text, "<replicate {at}count='{count}'>");
        }
        let _ = write!(text, "{inner}{}</worldbody></mujoco>", "</replicate>".repeat(3));
        Row::new(what, &text, fragment)
    };
    let geom = "<geom size='1'/>";
    let long = format!("<geom size='1' name='{}'/>", "n".repeat(10_000));
    vec![
        nested(
            ["1000", "1000", "1000"],
            1,
            "1000 x 1000 x 1000 geoms",
            geom,
            "elements, which exceeds the maximum of 2000000",
        ),
        nested(
            ["1000", "1000", "1000"],
            1,
            "1000 x 1000 x 1000 sites",
            "<site/>",
            "elements, which exceeds the maximum of 2000000",
        ),
        nested(
            ["10", "10", "10000"],
            2,
            "10,000 copies of a long name",
            &long,
            "elements, which exceeds the maximum of 2000000",
        ),
        nested(["1", "1", "1000000000"], 2, "a billion copies", geom, "between 0 and 1000000"),
        nested(
            ["1", "1", "99999999999"],
            2,
            "more copies than an integer",
            geom,
            "not an integer between",
        ),
        nested(
            ["1000", "1000", "1000"],
            0,
            "1000 x 1000 x 1000 of nothing",
            "",
            "elements, which exceeds the maximum of 2000000",
        ),
    ]
}

fn fields() -> Vec<Row> {
    let field = |rows: u32, cols: u32| [rows.to_le_bytes(), cols.to_le_bytes()].concat();
    let file = "<mujoco><asset>§<hfield size='1 1 1 1' file='a.bin'/></asset></mujoco>";
    let image = "<mujoco><asset>§<hfield size='1 1 1 1' file='a.png'/></asset></mujoco>";
    let mut rows = model(&[
        (
            "field of a billion rows",
            "<mujoco><asset>§<hfield name='f' nrow='1000000000' ncol='1' size='1 1 1 1'/></asset></mujoco>",
            "exceeds the limit",
        ),
        (
            "field of 2^62 points",
            "<mujoco><asset>§<hfield name='f' nrow='2147483647' ncol='2147483647' size='1 1 1 1'/></asset></mujoco>",
            "exceeds the limit",
        ),
    ]);
    rows.push(
        Row::new("binary field of a billion rows", file, "exceeds the limit")
            .with("a.bin", field(1_000_000_000, 1)),
    );
    rows.push(
        Row::new("binary field of 2^62 points", file, "exceeds the limit")
            .with("a.bin", field(i32::MAX as u32, i32::MAX as u32)),
    );
    rows.push(
        Row::new("binary field of 2^28 points", file, "found 0")
            .with("a.bin", field(1 << 14, 1 << 14)),
    );
    rows.push(
        Row::new("PNG field of a billion rows", image, "a.png: ")
            .with("a.png", png_header(1, 1_000_000_000)),
    );
    rows.push(
        Row::new("PNG field of 2^40 pixels", image, "a.png: ")
            .with("a.png", png_header(1 << 20, 1 << 20)),
    );
    rows
}

fn textures() -> Vec<Row> {
    let file = |kind: &str, name: &str| {
        format!("<mujoco><asset>§<texture name='t' type='{kind}' file='{name}'/></asset></mujoco>")
    };
    let size = |w: u32, h: u32| [w.to_le_bytes(), h.to_le_bytes()].concat();
    let mut rows = model(&[
        (
            "pattern of 2^60 pixels",
            "<mujoco><asset>§<texture name='t' type='2d' builtin='flat' width='1073741824' height='1073741824'/></asset></mujoco>",
            "exceeds the limit",
        ),
        (
            "cube of 2^40 pixels",
            "<mujoco><asset>§<texture name='t' type='cube' builtin='gradient' width='1048576' height='1048576'/></asset></mujoco>",
            "exceeds the limit",
        ),
        (
            "two billion channels",
            "<mujoco><asset>§<texture name='t' type='2d' builtin='flat' width='8' height='8' nchannel='2000000000'/></asset></mujoco>",
            "exceeds the limit",
        ),
    ]);
    rows.push(
        Row::new("PNG of 2^40 pixels", &file("2d", "a.png"), "a.png: ")
            .with("a.png", png_header(1 << 20, 1 << 20)),
    );
    rows.push(
        Row::new("PNG cube of 2^40 pixels", &file("cube", "a.png"), "a.png: ")
            .with("a.png", png_header(1 << 20, 1 << 20)),
    );
    rows.push(
        Row::new("binary texture of 2^62 pixels", &file("2d", "a.bin"), "a.bin: ")
            .with("a.bin", size(i32::MAX as u32, i32::MAX as u32)),
    );
    rows.push(
        Row::new("binary texture of 2^64 bytes", &file("2d", "a.bin"), "a.bin: ")
            .with("a.bin", size(u32::MAX, u32::MAX)),
    );
    rows
}

/// Header of a PNG file that declares this many pixels.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    drop(encoder.write_header().expect("a header"));
    file
}

fn sensors() -> Vec<Row> {
    let mut rows = section(&[
        ("history of 16 million", "<sensor>§<clock nsample='99999999'/></sensor>", "16777216"),
        (
            "history of an actuator",
            "<actuator>§<motor joint='h' nsample='99999999'/></actuator>",
            "the maximum of 16777216",
        ),
        (
            "two billion contacts",
            "<sensor>§<contact geom1='g' num='2000000000' data='found force torque dist pos normal tangent'/></sensor>",
            "the maximum of 268435456",
        ),
        (
            "two billion user numbers",
            "<sensor>§<user dim='2000000000'/></sensor>",
            "the maximum of 268435456",
        ),
    ]);
    rows.extend(model(&[
        (
            "rangefinder of 2^62 rays",
            "<mujoco><worldbody><camera name='c' resolution='2147483647 2147483647'/></worldbody>\n<sensor>§<rangefinder camera='c'/></sensor></mujoco>",
            "the maximum of 268435456",
        ),
        (
            "history of 2^50 numbers",
            "§<mujoco><worldbody><camera name='c' resolution='8192 8192'/></worldbody>\n<sensor><rangefinder camera='c' nsample='16777216'/></sensor></mujoco>",
            "bytes",
        ),
    ]));
    let clock = "<framepos objtype='body' objname='world' nsample='16777216'/>";
    let many = format!("§<mujoco><sensor>{}</sensor></mujoco>", clock.repeat(8));
    rows.push(Row::new("many long histories", &many, "bytes"));
    rows
}

/// Models that contain two of the next, and replicas of keyframes.
fn models() -> Vec<Row> {
    let tower = |what: &str, attach: &str, fragment: &str| {
        let level = |i: usize| {
            let mark = if i == 13 { "§" } else { "" };
            let twins = format!(
                "<asset><model name='a' {mark}file='{i}.xml'/><model name='b' file='{i}.xml'/></asset>"
            );
            format!("<mujoco>{twins}<worldbody>{attach}</worldbody></mujoco>")
        };
        let mut row = Row::new(what, &level(0), fragment);
        for i in 0..15 {
            row = row.with(&format!("{i}.xml"), level(i + 1));
        }
        row.with("15.xml", "<mujoco><worldbody><body name='b'/></worldbody></mujoco>")
    };
    let mut deep = Row::new(
        "models 40 deep",
        "<mujoco><asset><model name='a' file='0.xml'/></asset></mujoco>",
        "deep",
    );
    for i in 0..40 {
        let mark = if i == 15 { "§" } else { "" };
        let text =
            format!("<mujoco><asset><model name='a' {mark}file='{}.xml'/></asset></mujoco>", i + 1);
        deep = deep.with(&format!("{i}.xml"), text);
    }
    let wide = |n: usize| {
        let mut text =
            String::from("<mujoco><asset><model name='a' file='arm.xml'/></asset>\n<worldbody>");
        for i in 0..n {
            let mark = if i == 30 { "§" } else { "" };
            let _ = write!(text, "{mark}<attach model='a' prefix='p{i}'/>");
        }
        text.push_str("</worldbody></mujoco>");
        text
    };
    let name = "n".repeat(1000);
    let sites: String = (0..2000).map(|i| format!("<site name='{name}{i}'/>")).collect();
    let arm = format!("<mujoco><worldbody>{sites}</worldbody></mujoco>");
    vec![
        deep,
        tower("2^16 models", "", "too many nested models"),
        tower(
            "2^16 attached models",
            "<attach model='a' prefix='a'/><attach model='b' prefix='b'/>",
            "too many nested models",
        ),
        Row::new("2000 times 2000 long names", &wide(2000), "elements").with("arm.xml", arm),
    ]
}
