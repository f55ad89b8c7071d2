//! Simulates a model without controls and prints poses as JSON: the reference of the browser test.
//!
//! `poses MODEL FPS SECONDS TIMES` prints the state of the first step at or after each of TIMES frames, evenly
//! spaced over the run, in single precision.

use serde_json::json;
use sim_core::mj_kinematics;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, fps, seconds, times] = &arguments[..] else {
        return Err("usage: poses MODEL FPS SECONDS TIMES".into());
    };
    let (fps, seconds, times): (f64, f64, usize) = (fps.parse()?, seconds.parse()?, times.parse()?);
    let model = sim_mjcf::load_file(model)?;
    let mut data = model.make_data();
    let frames = (seconds * fps) as usize;
    let mut poses = Vec::new();
    let mut step = 0;
    for k in 0..times {
        let frame = k * frames / times.max(2).saturating_sub(1);
        while f64::from(step) * model.opt.timestep < frame as f64 / fps - 1e-9 {
            data.step(&model)?;
            step += 1;
        }
        let mut current = data.clone();
        mj_kinematics(&model, &mut current);
        let single = |values: &[f64]| values.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        poses.push(json!({
            "time": data.time,
            "xpos": single(&current.xpos),
            "xquat": single(&current.xquat),
            "qpos": single(&current.qpos),
        }));
    }
    println!("{}", json!(poses));
    Ok(())
}
