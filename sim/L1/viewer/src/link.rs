//! Communication between the user interface and the thread that simulates: commands in one direction,
//! snapshots of the state in the other. Neither waits for the other.

use crate::history::HistoryStatus;
use crate::overlay::Overlay;
use crate::world::World;
use sim_physics::scene::Perturb;
use sim_physics::{Data, Model};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A change of a state.
pub(crate) type EditFn = Box<dyn FnOnce(&Model, &mut Data) + Send>;

/// A request of the user interface.
pub(crate) enum Command {
    /// Runs or pauses the simulation.
    Run(bool),
    /// Simulated seconds per second.
    Speed(f64),
    /// Steps forward, or back through the history if negative.
    Step(i64),
    /// Shows a state of the history.
    Seek(usize),
    /// Resets to the reference configuration.
    Reset,
    /// Resets to a keyframe.
    Keyframe(usize),
    /// Changes the state of a world.
    Edit(usize, EditFn),
    /// Changes the models of all worlds.
    EditModel(Box<dyn Fn(&mut Model) + Send>),
    /// Moves, starts or ends the perturbation of a world.
    Perturb(usize, Perturb),
    /// Enables or disables the controls of the program.
    Control(bool),
    /// Replaces the simulation.
    Load(Vec<World>),
    /// A key that was pressed in the window.
    Key(KeyPress),
    /// Removes the displayed message.
    Dismiss,
}

/// A key that was pressed in the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPress {
    /// Name of the key: `A`, `5`, `F8`, `Enter`, `ArrowUp`, …
    pub key: String,
    /// Whether Ctrl (Command on macOS) was pressed.
    pub ctrl: bool,
    /// Whether Shift was pressed.
    pub shift: bool,
    /// Whether Alt was pressed.
    pub alt: bool,
}

/// State of a simulation at one time, for display.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Models and states.
    pub worlds: Vec<World>,
    /// State of the run.
    pub status: Status,
    /// What the program draws.
    pub overlay: Overlay,
}

/// State of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// Whether the simulation runs.
    pub running: bool,
    /// Requested simulated seconds per second.
    pub speed: f64,
    /// Measured simulated seconds per second.
    pub real_time_factor: f64,
    /// Steps since the start.
    pub steps: u64,
    /// Mean wall-clock time of recent steps (s).
    pub step_time: f64,
    /// States that can be shown again.
    pub history: HistoryStatus,
    /// Error of the last step, or a warning.
    pub message: Option<String>,
    /// Whether the controls of the program are used; `None` if there are none.
    pub control: Option<bool>,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            running: false,
            speed: 1.0,
            real_time_factor: 0.0,
            steps: 0,
            step_time: 0.0,
            history: HistoryStatus::default(),
            message: None,
            control: None,
        }
    }
}

/// Snapshots on their way to the user interface.
#[derive(Default)]
struct Slot {
    /// The newest snapshot that has not been displayed.
    ready: Option<Box<Snapshot>>,
    /// A snapshot whose memory is reused.
    spare: Option<Box<Snapshot>>,
}

/// Function that wakes the user interface.
type Notify = Box<dyn Fn() + Send>;

struct Shared {
    slot: Mutex<Slot>,
    /// Whether the user interface has displayed the last snapshot.
    wanted: AtomicBool,
    /// Whether the window is open.
    open: AtomicBool,
    /// Whether the simulation has ended.
    ended: AtomicBool,
    notify: Mutex<Option<Notify>>,
}

/// The lock, also if a thread panicked while holding it: the content stays valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of the user interface.
pub(crate) struct Controller {
    commands: Sender<Command>,
    shared: Arc<Shared>,
}

/// The end of the simulation.
pub(crate) struct Port {
    commands: Receiver<Command>,
    shared: Arc<Shared>,
}

/// Creates both ends.
pub(crate) fn link() -> (Controller, Port) {
    let (sender, commands) = channel();
    let shared = Arc::new(Shared {
        slot: Mutex::default(),
        wanted: AtomicBool::new(true),
        open: AtomicBool::new(true),
        ended: AtomicBool::new(false),
        notify: Mutex::default(),
    });
    (Controller { commands: sender, shared: shared.clone() }, Port { commands, shared })
}

impl Controller {
    /// Sends a request; it is dropped if the simulation has ended.
    pub(crate) fn send(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// Takes the newest snapshot, if it has not been displayed, and returns the memory of the old one.
    pub(crate) fn receive(&self, displayed: &mut Option<Box<Snapshot>>) -> bool {
        let mut slot = lock(&self.shared.slot);
        let Some(new) = slot.ready.take() else { return false };
        slot.spare = displayed.replace(new);
        self.shared.wanted.store(true, Ordering::Release);
        true
    }

    /// Sets the function that is called when there is a new snapshot.
    pub(crate) fn set_notify(&self, notify: impl Fn() + Send + 'static) {
        *lock(&self.shared.notify) = Some(Box::new(notify));
    }

    /// Whether the simulation has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.shared.ended.load(Ordering::Acquire)
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        self.shared.open.store(false, Ordering::Release);
    }
}

impl Port {
    /// Whether the window is open.
    pub(crate) fn is_open(&self) -> bool {
        self.shared.open.load(Ordering::Acquire)
    }

    /// The next request, if there is one.
    pub(crate) fn try_command(&self) -> Option<Command> {
        self.commands.try_recv().ok()
    }

    /// Waits for a request.
    pub(crate) fn wait_command(&self, timeout: std::time::Duration) -> Option<Command> {
        self.commands.recv_timeout(timeout).ok()
    }

    /// Tells the window that the simulation has ended.
    pub(crate) fn end(&self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(notify) = &*lock(&self.shared.notify) {
            notify();
        }
    }

    /// Whether the last snapshot was displayed.
    pub(crate) fn is_wanted(&self) -> bool {
        self.shared.wanted.load(Ordering::Acquire)
    }

    /// Publishes a snapshot that `fill` writes into reused memory.
    pub(crate) fn publish(&self, fill: impl FnOnce(&mut Snapshot)) {
        let mut snapshot = lock(&self.shared.slot).spare.take().unwrap_or_default();
        fill(&mut snapshot);
        {
            let mut slot = lock(&self.shared.slot);
            if let Some(replaced) = slot.ready.replace(snapshot) {
                // points of curves and images that were not displayed are kept
                if let Some(new) = &mut slot.ready {
                    new.overlay.keep_undisplayed(&replaced.overlay);
                }
                slot.spare = Some(replaced);
            }
        }
        self.shared.wanted.store(false, Ordering::Release);
        if let Some(notify) = &*lock(&self.shared.notify) {
            notify();
        }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, link};
    use crate::world::World;

    fn world(time: f64) -> World {
        let model = sim_physics::load_str("<mujoco/>").expect("valid");
        let mut world = World::of_model(model.into());
        world.data.time = time;
        world
    }

    #[test]
    fn only_the_newest_snapshot_is_displayed() {
        let (controller, port) = link();
        let mut displayed = None;
        assert!(!controller.receive(&mut displayed) && port.is_wanted());
        for k in 1..4 {
            port.publish(|snapshot| {
                snapshot.worlds = vec![world(f64::from(k))];
                snapshot.overlay.clear();
                snapshot.overlay.plot("x", f64::from(k), 0.0);
            });
        }
        assert!(!port.is_wanted());
        assert!(controller.receive(&mut displayed) && port.is_wanted());
        let snapshot = displayed.as_ref().expect("received");
        assert_eq!(snapshot.worlds[0].data.time, 3.0);
        // no point of a curve is lost
        assert_eq!(snapshot.overlay.points.len(), 3);
        assert_eq!(snapshot.overlay.points[0].1, [1.0, 0.0]);
        assert!(!controller.receive(&mut displayed));
    }

    #[test]
    fn either_end_may_close_first() {
        let (controller, port) = link();
        controller.send(Command::Reset);
        drop(controller);
        assert!(!port.is_open());
        assert!(matches!(port.try_command(), Some(Command::Reset)));
        port.publish(|_| {});
        let (controller, port) = link();
        drop(port);
        controller.send(Command::Reset);
        assert!(controller.has_ended());
    }
}
