//! End-to-end tests of the `sim` program: its output, its files and its errors.

mod kinematics;
mod record;
mod viewer;

use std::path::PathBuf;
use std::process::{Command, Output};

const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/robots/arm6.xml");

const GRIPPER: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/urdf/gripper.urdf");

/// Runs the program.
fn sim(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sim")).args(arguments).output().unwrap()
}

/// Runs the program, which must succeed, and returns its standard output.
#[track_caller]
fn succeeds(arguments: &[&str]) -> String {
    let output = sim(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program, which must fail with this exit code, and returns its standard error.
#[track_caller]
fn fails(code: i32, arguments: &[&str]) -> String {
    let output = sim(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

/// A temporary file.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Writes a temporary file and returns its path.
fn written(name: &str, text: &str) -> String {
    let path = file(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn run_without_a_file_simulates_the_built_in_humanoid() {
    let text = succeeds(&["run", "--steps", "50"]);
    contains(
        &text,
        &[
            "the built-in humanoid: 27 dofs, 21 actuators",
            "simulated 0.100 s in 50 steps",
            "steps/s",
            "J at the start",
            "warnings  none",
        ],
    );
}

#[test]
fn run_accepts_time_keyframe_controls_and_flags() {
    let text = succeeds(&[
        "run",
        ARM,
        "--time",
        "0.1",
        "--timestep",
        "0.005",
        "--keyframe",
        "home",
        "--ctrl",
        "1,-2.5,0,0,0,0",
        "--disable",
        "gravity,damper",
    ]);
    contains(&text, &["arm6.xml: 6 dofs, 6 actuators", "simulated 0.100 s in 20 steps"]);
}

/// Column names and rows of a CSV file.
fn csv(path: &PathBuf) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let row = |line: &str| line.split(',').map(|word| word.parse().unwrap()).collect();
    (names, lines.map(row).collect())
}

#[test]
fn run_writes_a_csv_column_per_component() {
    let path = file("trajectory.csv");
    let out = path.display().to_string();
    let text = succeeds(&["run", ARM, "--steps", "10", "--ctrl", "noise:3", "--out", &out]);
    contains(&text, &["wrote 11 states to"]);
    let (names, rows) = csv(&path);
    // time, qpos, qvel, ctrl, and 6 + 3 + 4 + 3 + 3 + 3 + 3 sensor readings
    assert_eq!(names.len(), 1 + 6 + 6 + 6 + 25);
    assert_eq!(names[..3], ["time", "qpos shoulder_pan[0]", "qpos shoulder_lift[0]"]);
    assert_eq!(rows.len(), 11);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.len(), names.len());
        assert!((row[0] - 0.002 * i as f64).abs() < 1e-12);
        assert!(row.iter().all(|x| x.is_finite()));
    }
    assert_ne!(rows[10][1..7], rows[0][1..7], "it moved");
}

#[test]
fn run_writes_every_nth_and_the_last_state() {
    let path = file("thinned.csv");
    let out = path.display().to_string();
    succeeds(&["run", ARM, "--steps", "10", "--every", "4", "--out", &out]);
    let times: Vec<f64> = csv(&path).1.iter().map(|row| (500.0 * row[0]).round()).collect();
    assert_eq!(times, [0.0, 4.0, 8.0, 10.0]);
}

#[test]
fn csv_and_npz_have_the_same_values() {
    let (csv_path, npz_path) = (file("same.csv"), file("same.npz"));
    for path in [&csv_path, &npz_path] {
        succeeds(&[
            "run",
            "--steps",
            "20",
            "--ctrl",
            "noise",
            "--out",
            &path.display().to_string(),
        ]);
    }
    let (_, rows) = csv(&csv_path);
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&npz_path).unwrap()).unwrap();
    let mut start = 0;
    for (name, width) in [("time", 1), ("qpos", 28), ("qvel", 27), ("ctrl", 21), ("sensordata", 0)]
    {
        let entry = archive.by_name(&npyz::npz::file_name_from_array_name(name)).unwrap();
        let array = npyz::NpyFile::new(entry).unwrap();
        let shape = array.shape().to_vec();
        let values: Vec<f64> = array.into_vec().unwrap();
        let width = if name == "sensordata" { shape[1] as usize } else { width };
        assert_eq!(shape, if name == "time" { vec![21] } else { vec![21, width as u64] }, "{name}");
        let expected: Vec<f64> =
            rows.iter().flat_map(|row| row[start..start + width].to_vec()).collect();
        assert_eq!(values, expected, "{name}");
        start += width;
    }
    assert_eq!(start, rows[0].len());
}

#[test]
fn info_prints_the_contents_of_the_model() {
    let text = succeeds(&["info", ARM]);
    contains(
        &text,
        &[
            "7 bodies, 6 joints",
            "6 actuators, 12 sensors, 3 keyframes",
            "nq 6, nv 6, 1 kinematic tree\n",
            "time step 0.002 s, integrator Euler",
            "hinge shoulder_pan [-6.200, 6.200]",
            "elbow_motor: motor on joint elbow, gear 1, control [-100, 100]",
        ],
    );
    contains(&succeeds(&["info"]), &["the built-in humanoid", "pelvis", "free root"]);
}

#[test]
fn bench_reports_a_speed() {
    let text = succeeds(&["bench", "--seconds", "0.1"]);
    let speed = text.split("humanoid: ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(speed.parse::<f64>().unwrap() > 100.0, "{text}");
    contains(&text, &["µs per step"]);
}

#[test]
fn missing_file_error_contains_the_path() {
    contains(&fails(1, &["run", "no/such/model.xml"]), &["no/such/model.xml"]);
}

#[test]
fn model_errors_have_file_line_and_column() {
    let path = written(
        "bad.xml",
        "<mujoco>\n  <worldbody>\n    <geom sise='1'/>\n  </worldbody>\n</mujoco>\n",
    );
    for command in ["run", "info", "bench"] {
        contains(&fails(1, &[command, &path]), &[&format!("{path}:3:11: error:"), "size"]);
    }
    let path = written("unclosed.xml", "<mujoco>\n  <worldbody>\n</mujoco>\n");
    contains(&fails(1, &["run", &path]), &[&format!("{path}:")]);
}

#[test]
fn run_simulates_contacts() {
    let path = written(
        "touching.xml",
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#,
    );
    succeeds(&["run", &path, "--steps", "5"]);
    succeeds(&["run", &path, "--steps", "5", "--disable", "contact"]);
}

#[test]
fn invalid_arguments_are_rejected_with_a_reason() {
    contains(&fails(2, &["run", "--ctrl", "fast"]), &["`fast` is not a number", "noise:SEED"]);
    contains(&fails(2, &["run", "--steps", "5", "--time", "1"]), &["cannot be used with"]);
    contains(&fails(2, &["run", "--every", "0"]), &["--every"]);
    contains(&fails(2, &["fly"]), &["fly"]);
    contains(&fails(1, &["run", "--disable", "contcat"]), &["no flag `contcat`", "contact"]);
    contains(&fails(1, &["run", "--timestep=-1"]), &["--timestep must be a positive"]);
    contains(&fails(1, &["run", "--time=-1"]), &["--time must be"]);
    contains(&fails(1, &["run", "--keyframe", "x"]), &["no keyframe `x`"]);
    contains(
        &fails(1, &["run", "--steps", "1", "--out", "a.txt"]),
        &["a.txt: write a .csv or .npz file"],
    );
    contains(
        &fails(1, &["run", "--steps", "1", "--out", "no/such/folder/a.csv"]),
        &["no/such/folder/a.csv"],
    );
}

#[test]
fn check_reports_all_errors_with_their_location() {
    let broken = file("broken.xml");
    let text = "<mujoco>\n <worldbody>\n  <geom sise='1'/>\n  <body><joint rang='1 2'/></body>\n </worldbody>\n</mujoco>";
    std::fs::write(&broken, text).unwrap();
    let output = sim(&["check", broken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    contains(
        &printed,
        &["broken.xml:3:9: error", "did you mean `size`?", "broken.xml:4:16", "`range`"],
    );
    contains(&String::from_utf8(output.stderr).unwrap(), &["2 errors, 0 warnings"]);
}

#[test]
fn check_reports_warnings_and_fails_on_them_if_strict() {
    let odd = file("odd.xml");
    let text = "<mujoco>\n <asset>\n  <material name='steel'/>\n </asset>\n <default>\n  <default class='a'/>\n </default>\n</mujoco>";
    std::fs::write(&odd, text).unwrap();
    let odd = odd.to_str().unwrap();
    let printed = succeeds(&["check", odd]);
    contains(&printed, &["odd.xml:3:3: warning: <material> `steel` is not used", "class `a`"]);
    contains(&printed, &["0 errors, 2 warnings"]);
    contains(&fails(1, &["check", "--strict", odd]), &["0 errors, 2 warnings"]);
    contains(&succeeds(&["check", ARM]), &["6 joints", "0 errors, 0 warnings"]);
}

#[test]
fn info_prints_arrays() {
    contains(&succeeds(&["info", ARM, "--arrays"]), &["SIZES", "body_mass [", "timestep"]);
}

#[cfg(feature = "plot")]
#[test]
fn plot_has_a_panel_for_each_quantity() {
    let out = file("plot.svg").display().to_string();
    let what = "qpos,qvel,ctrl,force,sensor,energy,contact";
    let text = succeeds(&["plot", "--steps", "40", "--what", what, "--out", &out]);
    contains(&text, &["curves over 40 steps", "plot.svg"]);
    let picture = std::fs::read_to_string(&out).unwrap();
    contains(&picture, &["<svg", "position (rad, m)", "energy (J)", "normal force (N)", "</svg>"]);
    let knee = ["plot", ARM, "--steps", "5", "--out", &out, "--only", "nothing like it"];
    contains(&fails(1, &knee), &["no curve has a name that contains `nothing like it`"]);
    contains(&fails(1, &["plot", "--out", "run.gif"]), &["write an .svg or a .png file"]);
    contains(&fails(1, &["plot", "--steps", "1", "--out", "/no/such/folder/a.svg"]), &["/no/such"]);
}

/// Number of dark grey pixels, the color of the axis labels, in the first rows of a PNG image.
#[cfg(feature = "plot")]
fn dark_pixels(path: &PathBuf, rows: usize) -> usize {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.color_type), (1920, png::ColorType::Rgba));
    let top = &pixels[..rows * info.line_size];
    top.chunks_exact(4).filter(|pixel| pixel[..3].iter().all(|&x| x < 100)).count()
}

/// The title is above the panels, so that dark pixels in the first 60 rows are text.
#[cfg(feature = "plot")]
#[test]
fn png_has_text_without_system_fonts() {
    let path = file("plot.png");
    let status = Command::new(env!("CARGO_BIN_EXE_sim"))
        .args(["plot", "--steps", "40", "--out"])
        .arg(&path)
        .env_clear()
        .env("FONTCONFIG_FILE", "/nonexistent")
        .env("HOME", "/nonexistent")
        .status();
    assert!(status.unwrap().success());
    assert!(dark_pixels(&path, 60) > 300, "{}", dark_pixels(&path, 60));
}

#[test]
fn rollout_reports_its_speed_as_text_and_json() {
    let run = ["rollout", ARM, "--envs", "3", "--steps", "20", "--threads", "2"];
    contains(&succeeds(&run), &["3 environments, 20 steps each", "on 2 threads", "failures  0"]);
    let text = succeeds(&[&run[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&report["envs"], &report["steps"], &report["failures"]),
        (&3.into(), &20.into(), &0.into())
    );
    assert!(report["steps_per_second"].as_f64().unwrap() > 0.0);
    contains(&fails(2, &["rollout", "--envs", "0"]), &["--envs"]);
}

#[test]
fn converted_models_load() {
    let [binary, xml, text] =
        ["arm.sim", "arm.xml", "arm.txt"].map(|name| file(name).display().to_string());
    contains(&succeeds(&["convert", ARM, &binary]), &["wrote", "bytes"]);
    succeeds(&["convert", ARM, &xml]);
    succeeds(&["convert", &binary, &text]);
    assert!(std::fs::read_to_string(&text).unwrap().contains("body_mass"));
    // a compiled model gives the same trajectory as its source
    let run = |model: &str| succeeds(&["run", model, "--steps", "20", "--ctrl", "noise"]);
    let energy = |text: &str| text.lines().find(|l| l.starts_with("energy")).unwrap().to_owned();
    assert_eq!(energy(&run(ARM)), energy(&run(&binary)));
    contains(&succeeds(&["diff", ARM, &binary]), &["no difference"]);
    contains(&succeeds(&["diff", ARM, &xml, "--tolerance", "1e-9"]), &["no difference"]);
    contains(
        &fails(1, &["convert", &binary, &xml]),
        &["a compiled model cannot be converted to MJCF"],
    );
}

#[test]
fn diff_prints_the_differences() {
    let model = |mass: f64, name: &str, step: f64| {
        format!(
            r#"<mujoco><option timestep="{step}"/><worldbody><body name="{name}"><freejoint/>
            <geom size=".1" mass="{mass}"/></body></worldbody></mujoco>"#
        )
    };
    let a = written("a.xml", &model(1.0, "ball", 0.002));
    let b = written("b.xml", &model(2.0, "stone", 0.001));
    let output = sim(&["diff", &a, &b]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    contains(&text, &["only in the first: ball", "only in the second: stone"]);
    contains(&text, &["timestep: 0.002 and timestep: 0.001"]);
    let c = written("c.xml", "<mujoco><option gravity='0 0 -1'/></mujoco>");
    let d = written("d.xml", "<mujoco><option gravity='0 0 -2'/></mujoco>");
    let gravity = String::from_utf8(sim(&["diff", &c, &d]).stdout).unwrap();
    contains(&gravity, &["gravity: [ 0.0, 0.0, -1.0, ] and gravity: [ 0.0, 0.0, -2.0, ]"]);
    contains(&fails(1, &["convert", &a, "a.mjb"]), &["use .sim"]);
    contains(&text, &["body_mass", "1 of 2 numbers; [1] is 1 and 2"]);
    let report = sim(&["diff", &a, &b, "--json"]).stdout;
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["same"], false);
    contains(&succeeds(&["diff", &a, &a]), &["no difference"]);
    contains(&fails(2, &["diff", &a, "missing.xml"]), &["missing.xml"]);
}

#[test]
fn completions_are_printed() {
    contains(&succeeds(&["completions", "bash"]), &["_sim()", "rollout"]);
    fails(2, &["completions", "nonsense"]);
}

#[test]
fn directories_and_other_file_formats_are_rejected() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    contains(&fails(1, &["run", folder]), &[folder]);
    let binary = file("noise.bin");
    std::fs::write(&binary, [0_u8, 159, 146, 150, 255, 1, 2, 3, 4, 5]).unwrap();
    contains(&fails(1, &["run", binary.to_str().unwrap()]), &["noise.bin"]);
    let cut = file("cut.sim");
    std::fs::write(&cut, b"SIMMODEL and nothing more").unwrap();
    contains(&fails(1, &["info", cut.to_str().unwrap()]), &["cut.sim"]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_reported() {
    contains(&fails(1, &["run", "--steps", "3", "--out", "/dev/full"]), &["/dev/full"]);
    std::os::unix::fs::symlink("/dev/full", file("full.csv")).ok();
    let out = file("full.csv").display().to_string();
    contains(&fails(1, &["run", "--steps", "3000", "--out", &out]), &["No space left"]);
    std::os::unix::fs::symlink("/dev/full", file("full.sim")).ok();
    let out = file("full.sim").display().to_string();
    contains(&fails(1, &["convert", ARM, &out]), &["No space left"]);
}

#[cfg(target_os = "linux")]
#[test]
fn closed_pipe_is_not_an_error() {
    let line = format!("'{}' info --arrays | head -1", env!("CARGO_BIN_EXE_sim"));
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(unix)]
#[test]
fn ctrl_c_completes_the_output_file() {
    let out = file("interrupted.csv");
    let mut child = Command::new(env!("CARGO_BIN_EXE_sim"))
        .args(["run", "--time", "1000000", "--every", "100", "--out"])
        .arg(&out)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut text = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut text).unwrap();
    assert!(child.wait().unwrap().success());
    contains(&text, &["states to", "steps/s"]);
    let (_, rows) = csv(&out);
    assert!(rows.len() > 1, "{}", rows.len());
}

#[cfg(feature = "plot")]
#[test]
fn plot_reads_csv_files() {
    let (table, out) = (file("table.csv"), file("table.svg").display().to_string());
    let table = table.display().to_string();
    succeeds(&["run", ARM, "--steps", "20", "--out", &table]);
    contains(&succeeds(&["plot", &table, "--out", &out]), &["curves over 20 steps"]);
    contains(&std::fs::read_to_string(&out).unwrap(), &["<svg", "qpos", "ctrl"]);
    let bad = written("bad.csv", "time,a x\n0,1\n1,two\n");
    contains(&fails(1, &["plot", &bad, "--out", &out]), &["bad.csv:3: `two` is not a number"]);
    let short = written("short.csv", "time,a x\n0\n");
    contains(&fails(1, &["plot", &short, "--out", &out]), &["short.csv:2: 1 values for 2 columns"]);
    contains(&fails(1, &["plot", &written("no.csv", ""), "--out", &out]), &["no.csv:1:"]);
}

#[test]
fn json_reports_are_valid() {
    let parse = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
    let run = parse(&succeeds(&["run", ARM, "--steps", "10", "--json"]));
    assert_eq!(
        (&run["steps"], &run["dofs"], &run["warnings"]),
        (&10.into(), &6.into(), &serde_json::json!([]))
    );
    assert_eq!(run["qpos"].as_array().unwrap().len(), 6);
    let info = parse(&succeeds(&["info", ARM, "--json"]));
    assert_eq!((&info["sizes"]["nv"], &info["sizes"]["nu"]), (&6.into(), &6.into()));
    let bench = parse(&succeeds(&["bench", ARM, "--seconds", "0.05", "--json"]));
    assert!(bench["us_per_step"].as_f64().unwrap() > 0.0);
    let bad =
        written("bad_json.xml", "<mujoco>\n<worldbody>\n<geom size='x'/></worldbody></mujoco>");
    let output = sim(&["check", ARM, &bad, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let check = parse(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(check[0]["errors"], serde_json::json!([]));
    assert_eq!(check[1]["errors"][0]["line"], 3);
}

#[test]
fn urdf_is_accepted_by_all_commands() {
    contains(&succeeds(&["run", GRIPPER, "--steps", "10"]), &["gripper.urdf: 3 dofs, 0 actuators"]);
    let arm = GRIPPER.replace("gripper", "arm");
    let arguments = ["ik", &arm, "--body", "flange", "--pos", "0.3", "0.1", "0.4"];
    contains(&succeeds(&arguments), &["body `flange`", "converged", "elbow"]);
    contains(&succeeds(&["info", GRIPPER]), &["slide close [0.000, 0.040]", "hinge turn"]);
    contains(
        &succeeds(&["check", GRIPPER]),
        &[
            "gripper.urdf:58:5: warning: <limit> attribute \"velocity\" is not simulated",
            "<transmission> is not used",
            "0 errors, 5 warnings",
        ],
    );
    // the format is detected by the root element, not by the file name
    let text = "<robot name='r'><link name='a'/><link nam='b'/></robot>";
    let path = written("robot.xml", text);
    contains(&output_of_failing(&["check", &path]), &["robot.xml:1:33: error: <link>", "missing"]);
}

/// Runs the program, which must fail, and returns its standard output.
#[track_caller]
fn output_of_failing(arguments: &[&str]) -> String {
    let output = sim(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn urdf_converted_to_mjcf_gives_the_same_model() {
    let robot = GRIPPER.replace("gripper", "quadruped");
    let (xml, compiled) = (file("quadruped.xml"), file("quadruped.sim"));
    let (xml, compiled) = (xml.display().to_string(), compiled.display().to_string());
    let output = sim(&["convert", &robot, &xml]);
    assert!(output.status.success());
    let warnings = String::from_utf8(output.stderr).unwrap();
    contains(
        &warnings,
        &["\"velocity\" is not simulated: velocities are not limited (and 11 more"],
    );
    succeeds(&["convert", &robot, &compiled]);
    contains(&succeeds(&["diff", &xml, &compiled]), &["no difference"]);
}

/// A cloth and a rope.
const SHEET: &str = r#"<mujoco><worldbody><geom type="sphere" size=".2"/></worldbody>
    <xpbd><cloth name="sheet" size=".6 .6" cells="3 3" pos="0 0 .21"/>
    <rope fromto="1 0 0 2 0 0" segments="2"><pin vertex="0"/></rope></xpbd></mujoco>"#;

#[test]
fn deformable_bodies_are_simulated_and_written() {
    let model = written("sheet.xml", SHEET);
    let (csv_path, npz) = (file("sheet.csv"), file("sheet.npz"));
    let text = succeeds(&["run", &model, "--steps", "5", "--out", csv_path.to_str().unwrap()]);
    contains(&text, &["sheet: 16 particles", "warnings  none"]);
    let (header, rows) = csv(&csv_path);
    assert_eq!(header.len(), 1 + 3 * 16 + 3 * 3);
    assert_eq!(header[1..3], ["xpbd sheet[0].x", "xpbd sheet[0].y"]);
    assert_eq!(header.last().unwrap(), "xpbd 1[2].z");
    assert_eq!((rows.len(), rows[0][3]), (6, 0.21));
    succeeds(&["run", &model, "--steps", "5", "--out", npz.to_str().unwrap()]);
    let json = succeeds(&["run", &model, "--steps", "5", "--json"]);
    contains(&json, &["\"deformables\"", "\"positions\""]);
}

#[cfg(feature = "plot")]
#[test]
fn plot_draws_the_shape_of_deformable_bodies() {
    let model = written("drawn_sheet.xml", SHEET);
    let (curves, shape) = (file("sheet.svg"), file("sheet-shape.svg"));
    let arguments = ["plot", &model, "--steps", "5", "--out", curves.to_str().unwrap()];
    let arguments = [&arguments[..], &["--shape", shape.to_str().unwrap()]].concat();
    contains(&succeeds(&arguments), &["drew 2 deformable bodies"]);
    contains(&std::fs::read_to_string(&shape).unwrap(), &["<svg", "z (m)", "polyline"]);
    let png = file("sheet-shape.png").display().to_string();
    succeeds(&[&arguments[..6], &["--shape", &png]].concat());
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let none = fails(1, &["plot", ARM, "--steps", "1", "--shape", "shape.svg"]);
    contains(&none, &["no deformable bodies"]);
}

/// Size and pixels of a PNG file.
#[cfg(feature = "render")]
fn read_png(path: &std::path::Path) -> ([u32; 2], Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    ([info.width, info.height], pixels)
}

#[cfg(feature = "render")]
#[test]
fn render_writes_images_and_videos() {
    let image = file("humanoid.png");
    let image_path = image.display().to_string();
    succeeds(&["render", "--size", "64x48", "-o", &image_path]);
    let (size, color) = read_png(&image);
    assert_eq!(size, [64, 48]);
    assert!(color.iter().any(|&x| x > 100) && color.iter().any(|&x| x < 50));
    for option in ["--depth", "--segment"] {
        succeeds(&["render", "--size", "64x48", option, "-o", &image_path]);
        assert_ne!(read_png(&image).1, color, "{option}");
    }
    for (name, magic) in [("run.gif", &b"GIF89a"[..]), ("run.y4m", b"YUV4MPEG2 W64 H48 F10:1")] {
        let video = file(name);
        let path = video.display().to_string();
        succeeds(&["render", "--size", "64x48", "--time", "0.2", "--fps", "10", "-o", &path]);
        assert!(std::fs::read(&video).unwrap().starts_with(magic), "{name}");
    }
}

#[cfg(feature = "render")]
#[test]
fn render_errors_say_what_to_write() {
    for (code, arguments, message) in [
        (1, &["render", "--camera", "none", "-o", "x.png"][..], "free:AZIMUTH,ELEVATION,DISTANCE"),
        (1, &["render", "--camera", "7", "-o", "x.png"], "no camera 7"),
        (1, &["render", "--camera", "free:a", "-o", "x.png"], "is not a number"),
        (2, &["render", "--size", "64", "-o", "x.png"], "1280x720"),
        (1, &["render", "--size", "0x10", "-o", "x.png"], "at least 1"),
        (1, &["render", "-o", "x.bmp"], "write a .png"),
    ] {
        contains(&fails(code, arguments), &[message]);
    }
}
