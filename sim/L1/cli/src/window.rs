//! `--view` of `sim run`, `sim ik` and `sim diff`.

use crate::Failure;
use crate::chain_args::ChainArgs;
use crate::control::Control;
use crate::interrupt;
use crate::trajectory::TrajectoryWriter;
use sim_physics::core::{mj_differentiate_pos, mj_integrate_pos};
use sim_physics::{Data, Model, Simulation};
use sim_viewer::{Options, Overlay, Passive};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run that is shown in a window, in real time.
pub(crate) struct ShownRun<'a> {
    pub(crate) name: &'a str,
    pub(crate) control: &'a Control,
    pub(crate) steps: u64,
}

impl ShownRun<'_> {
    /// Takes the steps; returns their number and the wall-clock seconds. The window stays open after the last
    /// step; if it is closed earlier, the run continues without it.
    pub(crate) fn simulate(
        &self,
        model: &Model,
        data: &mut Data,
        every: u64,
        output: Option<&mut TrajectoryWriter>,
    ) -> Result<(u64, f64), Failure> {
        let mut sim = Simulation::new(Arc::new(model.clone()));
        sim.data_mut().copy_from(data);
        let shared = sim.model().clone();
        let options = Options::default().title(format!("sim run: {}", self.name));
        let run = Passive::run(&shared, options, |view| {
            let result = self.steps(&mut sim, view, every, output);
            result.map_err(|error| error.to_string())
        });
        let result = run??;
        data.copy_from(sim.data());
        Ok(result)
    }

    fn steps(
        &self,
        sim: &mut Simulation,
        mut view: Passive,
        every: u64,
        mut output: Option<&mut TrajectoryWriter>,
    ) -> Result<(u64, f64), Failure> {
        let (start, model) = (Instant::now(), sim.model().clone());
        let mut done = 0;
        while done < self.steps && !interrupt::stopped() {
            if done.is_multiple_of(every)
                && let Some(output) = &mut output
            {
                output.write(sim.data())?;
            }
            self.control.write(&model, done, &mut sim.data_mut().ctrl);
            sim.step()?;
            done += 1;
            view.pace(sim)?;
        }
        let seconds = start.elapsed().as_secs_f64();
        if let Some(output) = output {
            output.write(sim.data())?;
        }
        view.overlay().text("Run", "complete");
        while view.is_open() && !interrupt::stopped() {
            // what the user changes now is shown, but is not part of the run
            view.sync(&mut sim.clone())?;
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok((done, seconds))
    }
}

/// Simulates two models side by side.
pub(crate) fn side_by_side(models: [(&Path, Model); 2]) -> Result<(), Failure> {
    let [a, b] = &models;
    let title = format!("sim diff: {} and {}", a.0.display(), b.0.display());
    let simulations = models.map(|(_, model)| Simulation::new(Arc::new(model)));
    sim_viewer::run_many(&simulations, Options::default().title(title))?;
    Ok(())
}

/// Target of inverse kinematics, in the frame of the base.
pub(crate) struct Goal {
    pub(crate) position: Option<[f64; 3]>,
    pub(crate) orientation: Option<[f64; 4]>,
    pub(crate) is_reached: bool,
}

/// Points of the path of the tip.
const PATH_POINTS: usize = 60;
/// Duration of the motion from the initial configuration to the solution (s).
const DURATION: f64 = 2.0;

/// Shows the motion from the initial configuration to the solution, the path of the tip and the target.
pub(crate) fn show_path(
    model: Model,
    args: &ChainArgs,
    from: &[f64],
    to: &[f64],
    goal: &Goal,
) -> Result<(), Failure> {
    let mut sim = Simulation::new(Arc::new(model));
    let model = sim.model().clone();
    let mut difference = vec![0.0; model.nv];
    mj_differentiate_pos(&model, &mut difference, 1.0, from, to);
    let place = |sim: &mut Simulation, part: f64| -> Result<(), Failure> {
        let mut qpos = from.to_vec();
        mj_integrate_pos(&model, &mut qpos, &difference, part);
        sim.data_mut().qpos.copy_from_slice(&qpos);
        Ok(sim.forward()?)
    };
    let mut path = Vec::new();
    for k in 0..=PATH_POINTS {
        place(&mut sim, k as f64 / PATH_POINTS as f64)?;
        path.push(args.tip_pose(&model, sim.data()));
    }
    let mut drawing = Overlay::default();
    draw_path(&mut drawing, &path, model.stat.meansize, goal.is_reached);
    draw_goal(&mut drawing, goal, &sim, args, model.stat.meansize);
    let options = Options::default().title("sim ik");
    let run = Passive::run(&model, options, |mut view| -> Result<(), String> {
        let start = Instant::now();
        while view.is_open() && !interrupt::stopped() {
            // forward, and back, with a pause at both ends
            let phase = (start.elapsed().as_secs_f64() / DURATION) % 3.0;
            let part = match phase {
                t if t < 1.0 => t,
                t if t < 1.5 => 1.0,
                t if t < 2.5 => 2.5 - t,
                _ => 0.0,
            };
            place(&mut sim, part * part * (3.0 - 2.0 * part)).map_err(|e| e.to_string())?;
            view.overlay().clone_from(&drawing);
            view.sync(&mut sim).map_err(|error| error.to_string())?;
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    });
    Ok(run??)
}

/// Draws the path of the tip and the frame that it reaches.
fn draw_path(drawing: &mut Overlay, path: &[([f64; 3], [f64; 9])], size: f64, is_reached: bool) {
    for pair in path.windows(2) {
        drawing.segment(pair[0].0, pair[1].0, 0.05 * size, [1.0, 0.7, 0.1, 1.0]);
    }
    if let Some((pos, _)) = path.first() {
        drawing.sphere(*pos, 0.15 * size, [0.3, 0.6, 1.0, 1.0]);
        drawing.label(*pos, "start");
    }
    if let Some((pos, mat)) = path.last() {
        drawing.frame(*pos, mat, size);
        if !is_reached {
            drawing.label(*pos, "closest");
        }
    }
}

/// Draws the target.
fn draw_goal(drawing: &mut Overlay, goal: &Goal, sim: &Simulation, args: &ChainArgs, size: f64) {
    let base = args.base_body(sim.model());
    let (pos, mat) = (&sim.data().xpos[3 * base..], &sim.data().xmat[9 * base..]);
    if let Some(p) = goal.position {
        let world =
            std::array::from_fn(|k| pos[k] + (0..3).map(|j| mat[3 * k + j] * p[j]).sum::<f64>());
        let rgba = if goal.is_reached { [0.2, 0.9, 0.3, 0.6] } else { [1.0, 0.2, 0.2, 0.6] };
        drawing.sphere(world, 0.3 * size, rgba);
        drawing.label(world, "target");
    }
    let status = if goal.is_reached { "reached" } else { "not reached" };
    drawing.text("Target", status);
    if let Some(q) = goal.orientation {
        drawing.text("Orientation", format!("{q:?}"));
    }
}
