//! The page of a recording: its data decode to the values of the run, and it needs no network.

use serde_json::Value;
use sim_core::{Data, Model, mj_forward};
use sim_record::{RecordError, Recording};
use std::io::Read;

const MODEL: &str = r#"<mujoco model="test &lt;page&gt;">
  <asset>
    <texture name="check" type="2d" builtin="checker" rgb1=".1 .2 .3" rgb2=".8 .7 .6" width="16" height="12"/>
    <material name="tiles" texture="check" texrepeat="2 2" texuniform="true"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hills" nrow="3" ncol="4" size="1 1 .2 .1" elevation="0 1 0 1  1 0 1 0  0 1 0 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <geom type="plane" size="0 0 .1" material="tiles"/>
    <geom type="hfield" hfield="hills" pos="5 0 0"/>
    <body name="ball" pos="0 0 .3"><freejoint/><geom size=".1"/><site name="top" pos="0 0 .1"/></body>
    <body name="arm" pos="1 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="mesh" mesh="wedge" contype="0" conaffinity="0"/><site name="tip" pos="1 0 0"/>
    </body>
  </worldbody>
  <tendon><spatial><site site="top"/><site site="tip"/></spatial></tendon>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>"#;

fn model() -> Model {
    sim_mjcf::load_str(MODEL).unwrap()
}

/// Records every tenth of `steps` steps; returns the page and the states.
fn record(model: &Model, steps: usize) -> (String, Vec<Data>) {
    let mut data = model.make_data();
    let mut recording = Recording::new(model).title("a <title> & more");
    let mut states = Vec::new();
    for step in 0..steps {
        if step % 10 == 0 {
            recording.push(&data).unwrap();
            states.push(data.clone());
        }
        data.step(model).unwrap();
    }
    let mut page = Vec::new();
    recording.write_html(&mut page).unwrap();
    (String::from_utf8(page).unwrap(), states)
}

/// Header and arrays of a page.
fn decode(page: &str) -> (Value, Vec<u8>) {
    let text = page.split_once("id=\"data\">").unwrap().1.split_once('<').unwrap().0;
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for group in text.as_bytes().chunks(4) {
        let bits = group.iter().fold(0_u32, |bits, &c| bits << 6 | u32::from(digit(c)));
        let count = 3 - group.iter().filter(|&&c| c == b'=').count();
        bytes.extend(&bits.to_be_bytes()[1..1 + count]);
    }
    let mut blob = Vec::new();
    flate2::read::ZlibDecoder::new(&bytes[..]).read_to_end(&mut blob).unwrap();
    let length = u32::from_le_bytes(blob[..4].try_into().unwrap()) as usize;
    let header = serde_json::from_slice(&blob[4..4 + length]).unwrap();
    (header, blob.split_off(4 + length))
}

/// An array of single-precision values.
fn floats(array: &Value, blob: &[u8]) -> Vec<f32> {
    assert_eq!(array["type"], "f32");
    let number = |key: &str| array[key].as_u64().unwrap() as usize;
    let (at, n, width) = (number("at"), number("n"), number("width"));
    let mut words: Vec<u32> = Vec::new();
    for i in 0..n {
        let byte = |k: usize| blob[at + k * n + i];
        let word = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
        words.push(if i < width { word } else { word.wrapping_add(words[i - width]) });
    }
    words.into_iter().map(f32::from_bits).collect()
}

#[test]
fn recorded_values_are_those_of_the_run() {
    let model = model();
    let (page, states) = record(&model, 400);
    let (header, blob) = decode(&page);
    let mut expected = [const { Vec::new() }; 4];
    for state in &states {
        let mut data = state.clone();
        mj_forward(&model, &mut data).unwrap();
        let fields = [&data.xpos, &data.xquat, &data.qpos, &data.sensordata];
        for (all, field) in expected.iter_mut().zip(fields) {
            all.extend(field.iter().map(|&x| x as f32));
        }
    }
    for (name, expected) in ["xpos", "xquat", "qpos", "sensordata"].iter().zip(&expected) {
        assert_eq!(&floats(&header["frames"][*name], &blob), expected, "{name}");
    }
    // the ball lies on the plane, and a tendon connects the sites
    assert!(header["frames"]["contacts"]["n"].as_u64().unwrap() > 0);
    assert!(header["frames"]["connectors"]["n"].as_u64().unwrap() > 0);
}

#[test]
fn page_describes_the_model() {
    let model = model();
    let (page, _) = record(&model, 20);
    let (header, _) = decode(&page);
    let names = |key: &str| -> Vec<&str> {
        header[key].as_array().unwrap().iter().map(|x| x["name"].as_str().unwrap()).collect()
    };
    assert_eq!(names("bodies"), ["world", "ball", "arm"]);
    assert_eq!(names("cameras"), ["side"]);
    // the mesh and the height field
    assert_eq!(header["meshes"].as_array().unwrap().len(), 2);
    assert_eq!(header["geoms"][0]["texture"]["id"], 0);
    assert_eq!(header["title"], "a <title> & more");
    assert!(page.contains("<title>a &lt;title&gt; &amp; more</title>"));
}

#[test]
fn page_needs_no_network() {
    let (page, _) = record(&model(), 20);
    for address in ["http:", "https:", "src=", "@import", "fetch("] {
        assert!(!page.contains(address), "{address}");
    }
}

#[test]
fn recording_does_not_change_the_run() {
    let model = model();
    let (_, states) = record(&model, 400);
    let mut data = model.make_data();
    for _ in 0..390 {
        data.step(&model).unwrap();
    }
    assert_eq!(data.qpos, states.last().unwrap().qpos);
    assert_eq!(data.qvel, states.last().unwrap().qvel);
}

#[test]
fn errors_name_the_problem() {
    let model = model();
    let mut recording = Recording::new(&model);
    assert!(matches!(recording.write_html(Vec::new()), Err(RecordError::Empty)));
    let other = sim_mjcf::load_str("<mujoco/>").unwrap();
    let error = recording.push(&other.make_data()).unwrap_err();
    assert!(matches!(error, RecordError::OtherModel { found: 0, expected: 8 }), "{error}");
}
