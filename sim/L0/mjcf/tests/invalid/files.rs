//! Missing, truncated and malformed asset files.

use crate::make::{box_mesh, msh, png, stl};
use crate::{MAIN, Row};

pub fn rows() -> Vec<Row> {
    [missing(), meshes(), images(), texts(), includes()].into_iter().flatten().collect()
}

/// A model with one asset, which has the file `content`.
fn asset(what: &str, element: &str, name: &str, content: Vec<u8>, fragment: &str) -> Row {
    let text = format!("<mujoco>\n<asset>§<{element}/></asset></mujoco>");
    Row::new(what, &text, fragment).with(name, content)
}

fn missing() -> Vec<Row> {
    let rows = [
        ("mesh", "<asset>§<mesh name='m' file='x.stl'/></asset>", "x.stl: no such file"),
        (
            "mesh in a folder",
            "<compiler meshdir='parts'/><asset>§<mesh name='m' file='x.obj'/></asset>",
            "parts/x.obj: no such file",
        ),
        ("MSH", "<asset>§<mesh name='m' file='x.msh'/></asset>", "x.msh: no such file"),
        (
            "hfield",
            "<asset>§<hfield name='f' size='1 1 1 1' file='x.png'/></asset>",
            "x.png: no such file",
        ),
        (
            "binary hfield",
            "<asset>§<hfield name='f' size='1 1 1 1' file='x.bin'/></asset>",
            "x.bin: no such file",
        ),
        (
            "texture",
            "<asset>§<texture name='t' type='2d' file='x.png'/></asset>",
            "x.png: no such file",
        ),
        (
            "texture in a folder",
            "<compiler texturedir='img'/><asset>§<texture name='t' type='2d' file='x.png'/></asset>",
            "img/x.png: no such file",
        ),
        (
            "KTX",
            "<asset>§<texture name='t' type='2d' file='x.ktx'/></asset>",
            "x.ktx: no such file",
        ),
        (
            "side of a cube",
            "<asset>§<texture name='t' type='cube' fileup='x.png'/></asset>",
            "\"fileup\": cannot read the file: x.png",
        ),
        ("include", "<include §file='x.xml'/>", "x.xml: no such file"),
        ("model", "<asset><model name='m' §file='x.xml'/></asset>", "x.xml: no such file"),
    ];
    let mut out: Vec<_> = rows
        .iter()
        .map(|(what, marked, fragment)| {
            Row::new(&format!("missing: {what}"), &format!("<mujoco>\n{marked}</mujoco>"), fragment)
        })
        .collect();
    out.push(Row::new(
        "include without a file",
        "<mujoco>§<include/></mujoco>",
        "\"file\": required",
    ));
    out.push(Row::new(
        "model without a file",
        "<mujoco><asset>§<model name='m'/></asset></mujoco>",
        "\"file\": required",
    ));
    out
}

fn meshes() -> Vec<Row> {
    let cube = box_mesh([1.0; 3]);
    let (binary, msh) = (stl(&cube), msh(&cube));
    let cut = |bytes: &[u8], n: usize| bytes[..n].to_vec();
    let patch = |bytes: &[u8], at: usize, new: &[u8]| {
        let mut out = bytes.to_vec();
        out[at..at + new.len()].copy_from_slice(new);
        out
    };
    let (s, o, m) = ("mesh file='a.stl'", "mesh file='a.obj'", "mesh file='a.msh'");
    let obj = |text: &str| text.as_bytes().to_vec();
    vec![
        asset("empty STL", s, "a.stl", Vec::new(), "a.stl: not a valid STL file"),
        asset(
            "cut STL",
            s,
            "a.stl",
            cut(&binary, 200),
            "12 triangles require 600 bytes, found 116",
        ),
        asset("STL without triangles", s, "a.stl", patch(&binary, 80, &[0; 4]), "0 triangles"),
        asset(
            "STL of 4 billion triangles",
            s,
            "a.stl",
            patch(&binary, 80, &[255; 4]),
            "4294967295 triangles",
        ),
        asset(
            "STL with a NaN",
            s,
            "a.stl",
            patch(&binary, 96, &f32::NAN.to_le_bytes()),
            "out of range",
        ),
        asset(
            "STL with an infinity",
            s,
            "a.stl",
            patch(&binary, 96, &f32::INFINITY.to_le_bytes()),
            "out of range",
        ),
        asset("garbage STL", s, "a.stl", vec![b'x'; 300], "not a valid STL file"),
        asset("text STL without a vertex", s, "a.stl", obj("solid nothing"), "contains no vertex"),
        asset("text STL cut short", s, "a.stl", obj("solid a vertex 1 2"), "inside a vertex"),
        asset(
            "text STL of one triangle",
            s,
            "a.stl",
            obj("solid a vertex 0 0 0 vertex 1 0 0 vertex 0 1 0"),
            "at least 4 vertices",
        ),
        asset("empty OBJ", o, "a.obj", Vec::new(), "at least 4 vertices"),
        asset("garbage OBJ", o, "a.obj", vec![0xff; 300], "at least 4 vertices"),
        asset(
            "OBJ with a bad index",
            o,
            "a.obj",
            obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9\n"),
            "element 9 of 4",
        ),
        asset(
            "OBJ with index 0",
            o,
            "a.obj",
            obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 0\n"),
            "a.obj: not a valid OBJ file",
        ),
        asset(
            "OBJ with words in a face",
            o,
            "a.obj",
            obj("v 0 0 0\nf a b c\n"),
            "line 2: bad index in a face",
        ),
        asset(
            "OBJ with a NaN",
            o,
            "a.obj",
            obj("v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"),
            "not finite",
        ),
        asset(
            "OBJ of two vertices",
            o,
            "a.obj",
            obj("v 0 0 0\nv 1 0 0\n"),
            "at least 4 vertices, found 2",
        ),
        asset("empty MSH", m, "a.msh", Vec::new(), "shorter than its header"),
        asset("cut MSH", m, "a.msh", cut(&msh, 60), "does not match its header"),
        asset(
            "MSH of 2 billion vertices",
            m,
            "a.msh",
            patch(&msh, 0, &i32::MAX.to_le_bytes()),
            "does not match its header",
        ),
        asset(
            "MSH of negative counts",
            m,
            "a.msh",
            patch(&msh, 0, &(-1_i32).to_le_bytes()),
            "negative count",
        ),
        asset("MSH with a NaN", m, "a.msh", patch(&msh, 16, &f32::NAN.to_le_bytes()), "not finite"),
        asset(
            "MSH with a bad face",
            m,
            "a.msh",
            patch(&msh, 112, &99_i32.to_le_bytes()),
            "vertex 99, which is out of range: there are 8",
        ),
        asset(
            "OBJ called STL",
            s,
            "a.stl",
            obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"),
            "not a valid STL file",
        ),
        asset(
            "STL declared as MSH",
            "mesh content_type='model/vnd.mujoco.msh' file='a.stl'",
            "a.stl",
            binary,
            "not a valid MSH file",
        ),
        asset(
            "unknown content type",
            "mesh content_type='model/gltf' file='a.stl'",
            "a.stl",
            Vec::new(),
            "model/gltf",
        ),
    ]
}

fn images() -> Vec<Row> {
    let image = png(4, 3, 3, &[7; 36]);
    let field = |rows: i32, cols: i32, n: usize| {
        let head = [rows, cols].into_iter().flat_map(i32::to_le_bytes);
        head.chain((0..n).flat_map(|i| (i as f32).to_le_bytes())).collect::<Vec<u8>>()
    };
    let mut infinite = field(2, 2, 4);
    infinite[8..12].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let cut = image[..image.len() / 2].to_vec();
    let mut damaged = image.clone();
    damaged[45] ^= 0xff;
    let (h, t) = ("hfield size='1 1 1 1' file='a.png'", "texture type='2d' file='a.png'");
    let (hb, tb) = ("hfield size='1 1 1 1' file='a.bin'", "texture type='2d' file='a.bin'");
    let ktx = "texture type='2d' file='a.ktx'";
    let cube = |rest: &str| format!("texture name='t' type='cube' {rest}");
    vec![
        asset("empty PNG field", h, "a.png", Vec::new(), "a.png: not a valid PNG file"),
        asset("cut PNG field", h, "a.png", cut.clone(), "a.png: not a valid PNG file"),
        asset("garbage PNG field", h, "a.png", vec![9; 99], "a.png: not a valid PNG file"),
        asset("empty binary field", hb, "a.bin", Vec::new(), "shorter than its header"),
        asset("cut binary field", hb, "a.bin", field(2, 2, 3), "16 bytes of data, found 12"),
        asset("binary field with more", hb, "a.bin", field(2, 2, 5), "16 bytes of data, found 20"),
        asset("binary field of negative rows", hb, "a.bin", field(-2, 2, 4), "negative"),
        asset("binary field of no rows", hb, "a.bin", field(0, 2, 0), "at least one row"),
        asset("infinite height", hb, "a.bin", infinite, "not finite"),
        asset("empty PNG texture", t, "a.png", Vec::new(), "a.png: not a valid PNG file"),
        asset("cut PNG texture", t, "a.png", cut, "a.png: not a valid PNG file"),
        asset("damaged PNG texture", t, "a.png", damaged, "a.png: not a valid PNG file"),
        asset("garbage PNG texture", t, "a.png", vec![9; 99], "a.png: not a valid PNG file"),
        asset("empty KTX", ktx, "a.ktx", Vec::new(), "a.ktx: not a valid KTX file"),
        asset(
            "flipped KTX",
            "texture type='2d' hflip='true' file='a.ktx'",
            "a.ktx",
            vec![9; 99],
            "cannot be flipped",
        ),
        asset("empty binary texture", tb, "a.bin", Vec::new(), "a.bin: not a valid"),
        asset("cut binary texture", tb, "a.bin", field(2, 2, 1), "a.bin: not a valid"),
        asset(
            "binary texture of four channels",
            "texture type='2d' nchannel='4' file='a.bin'",
            "a.bin",
            field(2, 2, 4),
            "nchannel 3",
        ),
        asset(
            "two channels",
            "texture type='2d' nchannel='2' file='a.png'",
            "a.png",
            image.clone(),
            "nchannel must be 1, 3 or 4",
        ),
        asset(
            "cube of an oblong",
            &cube("file='a.png'"),
            "a.png",
            image.clone(),
            "cannot be divided",
        ),
        asset(
            "cube with an unknown letter",
            &cube("gridsize='1 2' gridlayout='xx' file='a.png'"),
            "a.png",
            png(8, 4, 3, &[7; 96]),
            "found `x`",
        ),
        asset(
            "sides that are not squares",
            &cube("fileup='a.png'"),
            "a.png",
            image,
            "squares of equal size",
        ),
        asset(
            "sides of a flat texture",
            "texture name='t' type='2d' fileup='a.png'",
            "a.png",
            png(4, 4, 3, &[7; 48]),
            "six files are for cube",
        ),
    ]
}

fn texts() -> Vec<Row> {
    let not_text = |what: &str, bytes: &[u8], at: &str| {
        let mut row = Row::new(what, "", at);
        row.files[0] = (MAIN.to_owned(), bytes.to_vec());
        row
    };
    vec![
        not_text("Latin-1 text", b"<mujoco model='\xe9t\xe9'/>", "invalid UTF-8 at byte 15"),
        not_text("UTF-16 text", b"\xff\xfe<\0m\0u\0j\0o\0c\0o\0/\0>\0", "invalid UTF-8 at byte 0"),
        Row::new(
            "include of bytes",
            "<mujoco><include §file='a.xml'/></mujoco>",
            "a.xml: invalid UTF-8 at byte 1",
        )
        .with("a.xml", b"<\xff/>".to_vec()),
        Row::new(
            "model of bytes",
            "<mujoco><asset><model name='m' file='a.xml'/></asset></mujoco>",
            "invalid UTF-8 at byte 1",
        )
        .with("a.xml", ["§".as_bytes(), b"<\xff/>"].concat()),
    ]
}

fn includes() -> Vec<Row> {
    vec![
        Row::new("include of itself", "<mujoco><include §file='main.xml'/></mujoco>", "main.xml"),
        Row::new("include in a circle", "<mujoco><include file='a.xml'/></mujoco>", "a.xml")
            .with("a.xml", "<mujoco><include file='b.xml'/></mujoco>")
            .with("b.xml", "<mujoco>\n <include §file='a.xml'/></mujoco>"),
        Row::new(
            "include twice",
            "<mujoco><include file='a.xml'/>\n<include §file='a.xml'/></mujoco>",
            "a.xml",
        )
        .with("a.xml", "<mujoco><worldbody/></mujoco>"),
        Row::new(
            "include with content",
            "<mujoco>§<include file='a.xml'><geom/></include></mujoco>",
            "include",
        )
        .with("a.xml", "<mujoco><worldbody/></mujoco>"),
        Row::new("empty include", "<mujoco><include §file='a.xml'/></mujoco>", "a.xml")
            .with("a.xml", "<mujoco><!-- nothing --></mujoco>"),
        Row::new(
            "error in an include",
            "<mujoco><include file='a.xml'/></mujoco>",
            "`x` is not a number",
        )
        .with("a.xml", "<mujoco>\n<worldbody>\n <geom §size='x'/></worldbody></mujoco>"),
        Row::new("cut include", "<mujoco><include file='a.xml'/></mujoco>", "is not closed")
            .with("a.xml", "<mujoco>§<worldbody>"),
        Row::new(
            "reference in an include",
            "<mujoco><include file='a.xml'/></mujoco>",
            "no joint is named `x`",
        )
        .with("a.xml", "<mujoco><actuator>\n§<motor joint='x'/></actuator></mujoco>"),
        Row::new(
            "include outside",
            "<mujoco><include §file='../../etc/passwd'/></mujoco>",
            "no such file",
        ),
        Row::new(
            "absolute include",
            "<mujoco><include §file='/etc/passwd'/></mujoco>",
            "no such file",
        ),
    ]
}
