//! A window for a simulation that the program steps itself.

use crate::app::App;
use crate::clock::Clock;
use crate::history::HistoryStatus;
use crate::link::{Command, KeyPress, Port, Status};
use crate::options::Options;
use crate::overlay::Overlay;
use crate::perturbation::Perturbation;
use crate::window::{self, Appearance, Closed};
use crate::world::{World, copy_world};
use crate::{Error, ViewerError};
use sim_physics::{BatchSim, Data, Model, Simulation};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A window for a simulation that the program steps itself.
///
/// [`Passive::sync`] does not wait for the window: it applies what the user changed, and copies the state if the
/// window has displayed the previous one. Closing the window does not end the program.
///
/// ```no_run
/// use sim_physics::prelude::*;
/// use sim_viewer::Passive;
///
/// let mut sim = Simulation::load("robot.xml")?;
/// let mut view = Passive::open(sim.model())?;
/// while view.is_open() {
///     sim.step()?;
///     view.sync(&mut sim)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// macOS requires windows to be on the main thread: use [`Passive::run`] there, which works on all operating
/// systems.
pub struct Passive {
    port: Port,
    closed: Option<Closed>,
    /// Shown models with the identities of their meshes and textures.
    models: Vec<(Arc<Model>, u64)>,
    next_assets: u64,
    perturbation: Perturbation,
    clock: Clock,
    overlay: Overlay,
    keys: Vec<KeyPress>,
    paused: bool,
    /// Single steps that the user requested while paused.
    pending_steps: u64,
    syncs: u64,
}

impl std::fmt::Debug for Passive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passive").field("open", &self.is_open()).finish_non_exhaustive()
    }
}

impl Passive {
    /// Opens a window.
    ///
    /// # Errors
    ///
    /// Without a display server or a GPU driver, and on macOS: see [`Passive::run`].
    pub fn open(model: &Arc<Model>) -> Result<Self, ViewerError> {
        Self::open_with(model, Options::default())
    }

    /// Opens a window with options. The callbacks of the options are not used: the program calls
    /// [`Passive::overlay`] and [`Passive::keys`] instead.
    ///
    /// # Errors
    ///
    /// As [`Passive::open`].
    pub fn open_with(model: &Arc<Model>, options: Options) -> Result<Self, ViewerError> {
        let (app, mut passive, appearance) = Self::parts(model, options);
        passive.closed = Some(window::open(app, appearance)?);
        Ok(passive)
    }

    /// Opens a window and runs `program` with it, on all operating systems. Returns the program's result when it
    /// ends, which also closes the window.
    ///
    /// The window is on the calling thread where the operating system requires that, and `program` on another
    /// one.
    ///
    /// # Errors
    ///
    /// Without a display server or a GPU driver.
    ///
    /// # Panics
    ///
    /// If `program` panics.
    pub fn run<T: Send>(
        model: &Arc<Model>,
        options: Options,
        program: impl FnOnce(Self) -> T + Send,
    ) -> Result<T, ViewerError> {
        let (app, mut passive, appearance) = Self::parts(model, options);
        if cfg!(not(target_os = "macos")) {
            passive.closed = Some(window::open(app, appearance)?);
            return Ok(program(passive));
        }
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| program(passive));
            window::run(app, appearance)?;
            match thread.join() {
                Ok(result) => Ok(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// The user interface without a window, and the program's end of it, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn without_window(model: &Arc<Model>, options: Options) -> (App, Self) {
        let (app, passive, _) = Self::parts(model, options);
        (app, passive)
    }

    fn parts(model: &Arc<Model>, options: Options) -> (App, Self, Appearance) {
        let appearance = Appearance::new(&options);
        let (speed, paused) = (options.speed, options.paused);
        let world = World { assets: 1, ..World::of_model(model.clone()) };
        let (app, port) = App::passive(std::slice::from_ref(&world), options);
        let mut passive = Self {
            port,
            closed: None,
            models: vec![(model.clone(), world.assets)],
            next_assets: 2,
            perturbation: Perturbation::default(),
            clock: Clock::new(speed),
            overlay: Overlay::default(),
            keys: Vec::new(),
            paused,
            pending_steps: 0,
            syncs: 0,
        };
        passive.publish(std::iter::once((model, &world.data)));
        (app, passive, appearance)
    }

    /// Whether the window is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.port.is_open()
    }

    /// Whether the user paused the simulation and requested no single step. The program decides what this means:
    /// usually it does not step.
    pub fn is_paused(&mut self) -> bool {
        if !self.paused || !self.is_open() {
            return false;
        }
        if self.pending_steps > 0 {
            self.pending_steps -= 1;
            return false;
        }
        true
    }

    /// What the program draws. It is kept until the next displayed state; clear and fill it before each
    /// [`Passive::sync`].
    pub fn overlay(&mut self) -> &mut Overlay {
        &mut self.overlay
    }

    /// Keys that were pressed since the last call.
    pub fn keys(&mut self) -> Vec<KeyPress> {
        std::mem::take(&mut self.keys)
    }

    /// Applies the user's changes to the simulation and shows its state. Does not wait, and does nothing after
    /// the window was closed.
    ///
    /// # Errors
    ///
    /// If a changed state cannot be evaluated because the model uses an unsupported feature.
    pub fn sync(&mut self, sim: &mut Simulation) -> Result<(), Error> {
        if !self.is_open() {
            if self.perturbation.is_active() {
                self.perturbation.end(sim.data_mut());
            }
            return Ok(());
        }
        let mut edited = false;
        while let Some(command) = self.port.try_command() {
            edited |= self.apply(command, sim);
        }
        if self.perturbation.is_active() {
            let model = sim.model().clone();
            self.perturbation.apply(&model, sim.data_mut(), self.paused);
            edited |= self.paused;
        }
        if edited && self.paused {
            sim.forward()?;
        }
        self.show(std::iter::once((sim.model(), sim.data())));
        Ok(())
    }

    /// Synchronizes, and waits until the simulated time has passed at the speed that the user chose, and while
    /// the simulation is paused.
    ///
    /// # Errors
    ///
    /// As [`Passive::sync`].
    pub fn pace(&mut self, sim: &mut Simulation) -> Result<(), Error> {
        self.sync(sim)?;
        while self.is_paused() {
            std::thread::sleep(Duration::from_millis(5));
            self.sync(sim)?;
            self.clock.restart();
        }
        while self.is_open()
            && let Some(wait) = self.clock.until_due(Instant::now(), sim.time())
        {
            std::thread::sleep(wait.min(Duration::from_millis(10)));
            self.sync(sim)?;
        }
        self.clock.measure(Instant::now(), sim.time(), self.syncs, Duration::ZERO);
        Ok(())
    }

    /// Shows environments of a batch side by side. The user's changes of states are not applied.
    pub fn sync_batch(&mut self, batch: &BatchSim, environments: &[usize]) {
        let shown = environments.iter().filter(|&&i| i < batch.len());
        self.sync_states(shown.map(|&i| (batch.model(i), batch.data(i))));
    }

    /// Shows states of one or several models side by side. The user's changes of states are not applied.
    pub fn sync_states<'a>(
        &mut self,
        states: impl Iterator<Item = (&'a Arc<Model>, &'a Data)> + Clone,
    ) {
        if !self.is_open() {
            return;
        }
        while let Some(command) = self.port.try_command() {
            self.apply_view(command);
        }
        self.show(states);
    }

    /// Publishes states, if the last ones were displayed.
    fn show<'a>(&mut self, states: impl Iterator<Item = (&'a Arc<Model>, &'a Data)> + Clone) {
        self.syncs += 1;
        if !self.port.is_wanted() {
            return;
        }
        let mut count = 0;
        for (i, (model, _)) in states.clone().enumerate() {
            count = i + 1;
            let assets = self.assets(i, model);
            match self.models.get_mut(i) {
                Some(shown) => *shown = (model.clone(), assets),
                None => self.models.push((model.clone(), assets)),
            }
        }
        if count > 0 {
            self.models.truncate(count);
            self.publish(states);
        }
    }

    /// Identity of the meshes and textures of a model: unchanged if only numbers of the model changed.
    fn assets(&mut self, index: usize, model: &Arc<Model>) -> u64 {
        let same = |(shown, _): &&(Arc<Model>, u64)| Arc::ptr_eq(shown, model);
        let known = self.models.get(index).filter(same).or(self.models.iter().find(same));
        if let Some((_, assets)) = known {
            return *assets;
        }
        match self.models.get(index) {
            Some((shown, assets)) if shown.sizes() == model.sizes() => *assets,
            _ => {
                self.next_assets += 1;
                self.next_assets - 1
            }
        }
    }

    fn publish<'a>(&mut self, states: impl Iterator<Item = (&'a Arc<Model>, &'a Data)>) {
        let status = Status {
            running: !self.paused,
            speed: self.clock.speed(),
            real_time_factor: self.clock.factor(),
            steps: self.syncs,
            step_time: 0.0,
            history: HistoryStatus::default(),
            message: None,
            control: None,
        };
        let (models, overlay) = (&self.models, &mut self.overlay);
        self.port.publish(|snapshot| {
            snapshot.worlds.truncate(models.len());
            for (i, ((model, data), (_, assets))) in states.zip(models).enumerate() {
                copy_world(&mut snapshot.worlds, i, model, data, *assets);
            }
            snapshot.status = status;
            snapshot.overlay.clone_from(overlay);
        });
        // points of curves are appended once
        overlay.points.clear();
    }

    /// Applies a request that does not change states.
    fn apply_view(&mut self, command: Command) {
        match command {
            Command::Run(running) => {
                self.paused = !running;
                self.clock.restart();
            }
            Command::Speed(speed) => self.clock.set_speed(speed),
            Command::Step(count) => {
                self.paused = true;
                self.pending_steps += u64::try_from(count).unwrap_or(0);
            }
            Command::Key(key) => self.keys.push(key),
            _ => {}
        }
    }

    /// Applies a request; returns whether the state changed.
    fn apply(&mut self, command: Command, sim: &mut Simulation) -> bool {
        match command {
            Command::Reset => sim.reset(),
            Command::Keyframe(key) => {
                let model = sim.model().clone();
                sim.data_mut().reset_to_keyframe(&model, key);
            }
            Command::Edit(_, edit) => {
                let model = sim.model().clone();
                edit(&model, sim.data_mut());
            }
            Command::EditModel(edit) => sim.edit_model(|model| edit(model)),
            Command::Perturb(_, perturb) => {
                let model = sim.model().clone();
                self.perturbation.set(perturb, &model, sim.data_mut());
            }
            other => {
                self.apply_view(other);
                return false;
            }
        }
        true
    }
}

impl Drop for Passive {
    fn drop(&mut self) {
        // the window closes when its simulation ends; its device must be gone before the process ends
        if let Some(closed) = self.closed.take() {
            self.port.end();
            let _ = closed.recv_timeout(Duration::from_secs(3));
        }
    }
}
