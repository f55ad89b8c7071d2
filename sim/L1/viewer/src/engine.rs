//! The simulation behind a window: worlds, history and real time. It runs on a thread of its own, or step by
//! step in the tests of the user interface.

use crate::clock::Clock;
use crate::history::History;
use crate::link::{Command, KeyPress, Port, Snapshot, Status};
use crate::overlay::Overlay;
use crate::perturbation::Perturbation;
use crate::world::{World, copy_worlds, number_assets};
use sim_physics::types::Warning;
use sim_physics::{Data, Model};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Controls of a program: called before each step with the index of the world.
pub type ControlFn = Box<dyn FnMut(usize, &Model, &mut Data) + Send>;
/// Overlay of a program: called when a state is displayed.
pub type OverlayFn = Box<dyn FnMut(&[World], &mut Overlay) + Send>;
/// Reaction of a program to a key, with the first world.
pub type KeyFn = Box<dyn FnMut(&KeyPress, &Model, &mut Data) + Send>;

/// Functions of the program that a managed viewer calls on the simulation's thread.
#[derive(Default)]
pub(crate) struct Callbacks {
    pub(crate) control: Option<ControlFn>,
    pub(crate) overlay: Option<OverlayFn>,
    pub(crate) key: Option<KeyFn>,
}

/// A simulation with history and real time.
pub(crate) struct Engine {
    worlds: Vec<World>,
    next_assets: u64,
    history: History,
    clock: Clock,
    running: bool,
    steps: u64,
    perturbed: usize,
    perturbation: Perturbation,
    callbacks: Callbacks,
    control_enabled: bool,
    /// Error or warning that is displayed.
    message: Option<String>,
    /// Whether the state changed since it was last published.
    changed: bool,
    /// Number of warnings at the last step, to detect new ones.
    warnings: usize,
    /// Time of the last copy for display, the time of the steps since then, and when it was made.
    published: (Duration, Duration, Option<Instant>),
}

/// Largest part of the time of steps that copies for display may take.
const PUBLISH_SHARE: f64 = 0.02;
/// Longest time between two copies for display, if the window can show more.
const PUBLISH_PERIOD: Duration = Duration::from_millis(100);

impl Engine {
    pub(crate) fn new(
        mut worlds: Vec<World>,
        budget: usize,
        speed: f64,
        running: bool,
        callbacks: Callbacks,
    ) -> Self {
        let next_assets = number_assets(&mut worlds, 1);
        let mut engine = Self {
            worlds,
            next_assets,
            history: History::new(budget),
            clock: Clock::new(speed),
            running,
            steps: 0,
            perturbed: 0,
            perturbation: Perturbation::default(),
            control_enabled: callbacks.control.is_some(),
            callbacks,
            message: None,
            changed: true,
            warnings: 0,
            published: (Duration::ZERO, Duration::ZERO, None),
        };
        engine.history.restart(&engine.worlds);
        engine.forward();
        engine
    }

    /// Runs until the window closes.
    pub(crate) fn run(mut self, port: &Port) {
        while port.is_open() {
            if !self.running
                && let Some(command) = port.wait_command(Duration::from_millis(20))
            {
                self.apply(command);
            }
            while let Some(command) = port.try_command() {
                self.apply(command);
            }
            let wait = if self.running { self.advance() } else { None };
            if self.changed && (!self.running || port.is_wanted() && self.may_publish()) {
                let start = Instant::now();
                self.publish(port);
                self.published = (start.elapsed(), Duration::ZERO, Some(start));
            }
            if let Some(wait) = wait {
                std::thread::sleep(wait.min(Duration::from_millis(2)));
            }
        }
    }

    /// Whether copies for display take a small part of the time of steps.
    fn may_publish(&self) -> bool {
        let (cost, steps, at) = self.published;
        cost <= steps.mul_f64(PUBLISH_SHARE) || at.is_none_or(|at| at.elapsed() >= PUBLISH_PERIOD)
    }

    /// Executes requests and publishes the state, without waiting; for a user interface that simulates on its
    /// own thread.
    pub(crate) fn poll(&mut self, port: &Port, steps: u64) {
        while let Some(command) = port.try_command() {
            self.apply(command);
        }
        for _ in 0..steps {
            if self.running {
                self.step();
            }
        }
        if self.changed {
            self.publish(port);
        }
    }

    /// Takes a step if one is due; otherwise returns the time until then.
    fn advance(&mut self) -> Option<Duration> {
        let now = Instant::now();
        if let Some(wait) = self.clock.until_due(now, self.time()) {
            return Some(wait);
        }
        self.step();
        let end = Instant::now();
        self.published.1 += end - now;
        self.clock.measure(end, self.time(), self.steps, end - now);
        None
    }

    /// Simulated time: that of the world which is behind.
    fn time(&self) -> f64 {
        self.worlds.iter().map(|world| world.data.time).fold(f64::INFINITY, f64::min)
    }

    /// Advances all worlds that are not ahead of the others by one time step.
    fn step(&mut self) {
        if self.history.is_rewound() {
            // what was computed for display must not influence the continuation
            self.history.restore(&mut self.worlds);
        }
        let time = self.time();
        let mut failure = None;
        for i in 0..self.worlds.len() {
            let World { model, data, .. } = &mut self.worlds[i];
            // models with different time steps stay together
            if data.time > time + 0.5 * model.opt.timestep {
                continue;
            }
            if let Some(control) = self.callbacks.control.as_mut().filter(|_| self.control_enabled)
            {
                control(i, model, data);
            }
            if i == self.perturbed {
                self.perturbation.apply(model, data, false);
            }
            if let Err(error) = data.step(model) {
                failure = Some(error.to_string());
            }
        }
        self.steps += 1;
        self.changed = true;
        self.history.push(&self.worlds);
        self.check_warnings();
        if let Some(failure) = failure {
            self.message = Some(failure);
            self.set_running(false);
        }
    }

    /// Reports new warnings, such as an automatic reset after divergence.
    fn check_warnings(&mut self) {
        let count =
            |d: &Data| -> usize { d.warning.iter().map(|warning| warning.number).sum::<usize>() };
        let total: usize = self.worlds.iter().map(|world| count(&world.data)).sum();
        if total > self.warnings
            && let Some(world) = self.worlds.iter().find(|world| count(&world.data) > 0)
        {
            let raised = world.data.warning.iter().zip(Warning::ALL);
            let texts: Vec<String> = raised
                .filter(|(stat, _)| stat.number > 0)
                .map(|(stat, warning)| format!("{warning} (index {})", stat.lastinfo))
                .collect();
            self.message = Some(format!("{} at t = {:.4} s", texts.join("; "), world.data.time));
        }
        self.warnings = total;
    }

    /// Executes a request.
    fn apply(&mut self, command: Command) {
        self.changed = true;
        match command {
            Command::Run(running) => self.set_running(running),
            Command::Speed(speed) => self.clock.set_speed(speed),
            Command::Step(count) => self.step_through(count),
            Command::Seek(cursor) => {
                self.set_running(false);
                self.seek(cursor);
            }
            Command::Reset => self.reset(None),
            Command::Keyframe(key) => self.reset(Some(key)),
            Command::Edit(index, edit) => {
                if let Some(World { model, data, .. }) = self.worlds.get_mut(index) {
                    edit(model, data);
                    self.edited();
                }
            }
            Command::EditModel(edit) => {
                self.edit_models(&*edit);
                self.edited();
            }
            Command::Perturb(index, perturb) => self.perturb(index, perturb),
            Command::Dismiss => self.message = None,
            Command::Control(enabled) => self.control_enabled = enabled,
            Command::Load(worlds) => self.load(worlds),
            Command::Key(key) => {
                if let (Some(on_key), Some(world)) =
                    (&mut self.callbacks.key, self.worlds.first_mut())
                {
                    on_key(&key, &world.model, &mut world.data);
                    self.edited();
                }
            }
        }
    }

    fn set_running(&mut self, running: bool) {
        if running && !self.running {
            self.message = None;
        }
        self.running = running;
        self.clock.restart();
    }

    /// Steps forward: through the history if it is rewound, otherwise by simulation; or back.
    fn step_through(&mut self, count: i64) {
        self.set_running(false);
        if count < 0 || self.history.is_rewound() {
            let cursor = self.history.cursor().saturating_add_signed(count as isize);
            self.seek(cursor);
            return;
        }
        (0..count).for_each(|_| self.step());
    }

    fn seek(&mut self, cursor: usize) {
        if self.history.seek(cursor, &mut self.worlds) {
            self.forward();
        }
    }

    fn reset(&mut self, key: Option<usize>) {
        for (i, World { model, data, .. }) in self.worlds.iter_mut().enumerate() {
            if i == self.perturbed {
                self.perturbation.end(data);
            }
            match key {
                Some(key) if key < model.nkey => drop(data.reset_to_keyframe(model, key)),
                _ => data.reset(model),
            }
        }
        (self.message, self.warnings) = (None, 0);
        self.clock.restart();
        self.history.restart(&self.worlds);
        self.forward();
    }

    /// Changes the models. Worlds that share a model share the changed one.
    fn edit_models(&mut self, edit: &dyn Fn(&mut Model)) {
        for i in 0..self.worlds.len() {
            let assets = self.worlds[i].assets;
            match self.worlds[..i].iter().find(|world| world.assets == assets) {
                Some(same) => self.worlds[i].model = same.model.clone(),
                None => edit(Arc::make_mut(&mut self.worlds[i].model)),
            }
        }
    }

    fn perturb(&mut self, index: usize, perturb: sim_physics::scene::Perturb) {
        if index != self.perturbed
            && let Some(world) = self.worlds.get_mut(self.perturbed)
        {
            self.perturbation.end(&mut world.data);
        }
        self.perturbed = index;
        let Some(World { model, data, .. }) = self.worlds.get_mut(index) else { return };
        self.perturbation.set(perturb, model, data);
        if !self.running {
            self.perturbation.apply(model, data, true);
            self.edited();
        }
    }

    fn load(&mut self, mut worlds: Vec<World>) {
        if worlds.is_empty() {
            return;
        }
        self.next_assets = number_assets(&mut worlds, self.next_assets);
        self.worlds = worlds;
        (self.perturbation, self.perturbed) = (Perturbation::default(), 0);
        (self.message, self.warnings) = (None, 0);
        self.clock.restart();
        self.history.restart(&self.worlds);
        self.forward();
    }

    /// The state was changed by hand.
    fn edited(&mut self) {
        if !self.running {
            self.history.replace(&self.worlds);
            self.forward();
        }
    }

    /// Computes all quantities for display, and keeps the state.
    fn forward(&mut self) {
        for world in &mut self.worlds {
            let mut state = Vec::new();
            world.save(&mut state);
            if let Err(error) = world.data.forward(&world.model) {
                self.message = Some(error.to_string());
                self.running = false;
            }
            world.restore(&state);
        }
        self.changed = true;
    }

    fn status(&self) -> Status {
        Status {
            running: self.running,
            speed: self.clock.speed(),
            real_time_factor: self.clock.factor(),
            steps: self.steps,
            step_time: self.clock.step_time(),
            history: self.history.status(),
            message: self.message.clone(),
            control: self.callbacks.control.as_ref().map(|_| self.control_enabled),
        }
    }

    fn publish(&mut self, port: &Port) {
        self.changed = false;
        let status = self.status();
        let (worlds, overlay) = (&self.worlds, &mut self.callbacks.overlay);
        port.publish(|snapshot: &mut Snapshot| {
            copy_worlds(&mut snapshot.worlds, worlds);
            snapshot.status = status;
            snapshot.overlay.clear();
            if let Some(overlay) = overlay {
                overlay(worlds, &mut snapshot.overlay);
            }
        });
    }
}
