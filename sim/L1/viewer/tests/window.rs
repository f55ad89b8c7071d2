//! A real window on a virtual X11 display: opens it, operates it with the keyboard and the mouse, takes a
//! screenshot and closes it.
//!
//! The test needs `Xvfb` and `xdotool` (packages `xvfb` and `xdotool` on Debian and Ubuntu) and a Vulkan driver. On
//! Linux it fails without them, and says what to install; other systems have no virtual display.

use sim_physics::Simulation;
use sim_viewer::{Options, Passive};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Environment variable of the child process: its output folder.
const CHILD: &str = "SIM_VIEWER_WINDOW_TEST";
/// Title of the window.
const TITLE: &str = "window of the viewer's test";
/// Longest time that the test may take.
const TIMEOUT: Duration = Duration::from_secs(240);

fn main() -> ExitCode {
    let result = match std::env::var_os(CHILD) {
        Some(folder) => child(Path::new(&folder)),
        None => parent(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

type Failure = Box<dyn std::error::Error>;

/// The program with the window.
fn child(folder: &Path) -> Result<(), Failure> {
    let xml = "<mujoco><worldbody><light pos='0 0 3'/><geom type='plane' size='1 1 .1'/>
        <body name='box' pos='0 0 .3'><freejoint/><geom type='box' size='.15 .15 .15' rgba='.9 .3 .2 1'/></body>
        </worldbody></mujoco>";
    let mut sim = Simulation::from_xml(xml)?;
    let options = Options::default()
        .title(TITLE)
        .size(700, 500)
        .output(folder)
        .close_after(Some(TIMEOUT.as_secs_f64() - 20.0));
    let mut view = Passive::open_with(sim.model(), options)?;
    println!("open");
    let mut keys = Vec::new();
    while view.is_open() {
        if !view.is_paused() {
            sim.step()?;
        }
        view.pace(&mut sim)?;
        keys.extend(view.keys().into_iter().map(|key| key.key));
    }
    // the program continues after the window was closed
    for _ in 0..100 {
        sim.step()?;
        view.sync(&mut sim)?;
    }
    println!("keys {}", keys.join(","));
    println!("time {}", sim.time());
    // a second window of the same process
    let options = Options::default().title(TITLE).size(300, 200).close_after(Some(3.0));
    let mut view = Passive::open_with(sim.model(), options)?;
    while view.is_open() {
        sim.step()?;
        view.pace(&mut sim)?;
    }
    println!("done");
    Ok(())
}

/// A process that ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Starts a display server; returns it with the name of its display.
fn display_server() -> Result<(Process, String), Failure> {
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1000x700x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut number = String::new();
    let output = server.stdout.take().ok_or("no output")?;
    BufReader::new(output).read_line(&mut number)?;
    Ok((Process(server), format!(":{}", number.trim())))
}

/// Runs `xdotool`.
fn xdotool(display: &str, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new("xdotool").args(arguments).env("DISPLAY", display).output()?;
    Ok(String::from_utf8(output.stdout)?)
}

fn parent() -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        println!("not run: this system has no virtual X11 display");
        return Ok(());
    }
    if !is_installed("Xvfb") || !is_installed("xdotool") {
        return Err("install the packages `xvfb` and `xdotool` to test a real window".into());
    }
    let folder: PathBuf =
        std::env::temp_dir().join(format!("sim-viewer-window-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (_server, display) = display_server()?;
    let program = Command::new(std::env::current_exe()?)
        .env(CHILD, &folder)
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stdout(Stdio::piped())
        .spawn()?;
    let mut program = Process(program);
    let output = program.0.stdout.take().ok_or("no output")?;
    let mut lines = BufReader::new(output).lines();
    if lines.next().transpose()?.as_deref() != Some("open") {
        return Err("the window did not open".into());
    }
    operate(&display, &folder)?;
    let rest: Vec<String> = lines.collect::<Result<_, _>>()?;
    let status = program.0.wait()?;
    let expected = ["F1", "F6", "Space", "Right", "P", "Q"];
    let keys = rest.iter().find_map(|line| line.strip_prefix("keys ")).unwrap_or_default();
    let pressed: Vec<&str> = keys.split(',').collect();
    for key in expected {
        if !pressed.contains(&key) {
            return Err(format!("the key {key} did not reach the program: {rest:?}").into());
        }
    }
    if !status.success() || rest.last().map(String::as_str) != Some("done") {
        return Err(format!("the program failed: {status}, {rest:?}").into());
    }
    check_screenshot(&folder.join("sim-001.png"))?;
    std::fs::remove_dir_all(&folder)?;
    println!("ok: opened a window, {keys}");
    Ok(())
}

/// Presses keys, drags the mouse, and closes the window.
fn operate(display: &str, folder: &Path) -> Result<(), Failure> {
    let start = Instant::now();
    let window = loop {
        let found = xdotool(display, &["search", "--name", TITLE])?;
        if let Some(id) = found.lines().last() {
            break id.to_owned();
        }
        if start.elapsed() > TIMEOUT {
            return Err("the display has no window".into());
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    // there is no window manager that gives the focus
    xdotool(display, &["windowfocus", &window])?;
    xdotool(display, &["mousemove", "350", "250", "click", "--repeat", "2", "1"])?;
    xdotool(display, &["mousedown", "1", "mousemove", "380", "270", "mouseup", "1"])?;
    xdotool(display, &["keydown", "ctrl", "mousedown", "3", "mousemove", "350", "200"])?;
    xdotool(display, &["mouseup", "3", "keyup", "ctrl", "click", "5"])?;
    for key in ["F1", "F6", "space", "Right", "ctrl+p"] {
        xdotool(display, &["key", key])?;
        std::thread::sleep(Duration::from_millis(300));
    }
    let picture = folder.join("sim-001.png");
    while !picture.is_file() {
        if start.elapsed() > TIMEOUT {
            return Err("no screenshot was written".into());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    std::thread::sleep(Duration::from_millis(500));
    xdotool(display, &["key", "ctrl+q"])?;
    Ok(())
}

/// The screenshot shows the red box.
fn check_screenshot(path: &Path) -> Result<(), Failure> {
    let decoder = png::Decoder::new(BufReader::new(std::fs::File::open(path)?));
    let mut reader = decoder.read_info()?;
    let mut rgb = vec![0; reader.output_buffer_size().ok_or("too large")?];
    reader.next_frame(&mut rgb)?;
    let is_red = |p: &&[u8; 3]| p[0] > 100 && p[0] / 2 > p[1] && p[0] / 2 > p[2];
    let red = rgb.as_chunks::<3>().0.iter().filter(is_red).count();
    if red < 500 {
        return Err(format!("only {red} pixels of the screenshot are red").into());
    }
    Ok(())
}
