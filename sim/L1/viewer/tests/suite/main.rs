//! Tests of the user interface without a window.

mod mouse;
mod panels;
mod passive;
mod reload;
mod robust;

use egui_kittest::Harness;
use sim_viewer::egui::{self, Event, Modifiers, PointerButton, Pos2};
use sim_viewer::{App, NoCanvas, Options, World};

/// A pendulum with an actuator, a sensor, keyframes and a camera, and a floating box on a floor.
pub const MODEL: &str = r#"<mujoco>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="arm" pos="0 0 1">
      <joint name="swing" axis="0 1 0" range="-90 90" limited="true"/>
      <geom name="rod" type="capsule" size=".06" fromto="0 0 0 0 0 -.5"/>
    </body>
    <body name="box" pos=".6 0 .2"><freejoint/><geom name="cube" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="swing" ctrlrange="-2 2" ctrllimited="true"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/></sensor>
  <keyframe><key name="raised" qpos="1 .6 0 .3 1 0 0 0"/></keyframe>
</mujoco>"#;

/// A user interface of a model, without a thread and without a GPU.
pub fn harness(xml: &str, options: Options) -> Harness<'static, App> {
    let model = sim_physics::load_str(xml).expect("a valid model");
    of_worlds(vec![World::of_model(model.into())], options)
}

/// A user interface of worlds.
pub fn of_worlds(worlds: Vec<World>, options: Options) -> Harness<'static, App> {
    of_app(App::without_thread(worlds, options))
}

/// Runs a user interface without a window.
pub fn of_app(app: App) -> Harness<'static, App> {
    let builder = Harness::builder().with_size([1100.0, 800.0]).with_step_dt(0.02);
    let mut harness =
        builder.build_ui_state(|ui: &mut egui::Ui, app: &mut App| app.ui(ui, &mut NoCanvas), app);
    harness.run_steps(4);
    harness
}

/// Presses or releases a button of the mouse.
pub fn button(
    harness: &mut Harness<'static, App>,
    at: Pos2,
    button: PointerButton,
    pressed: bool,
    modifiers: Modifiers,
) {
    harness.event(Event::ModifiersChanged(modifiers));
    harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    harness.step();
}

/// Moves the mouse.
pub fn move_to(harness: &mut Harness<'static, App>, at: Pos2, modifiers: Modifiers) {
    harness.event(Event::ModifiersChanged(modifiers));
    harness.event(Event::PointerMoved(at));
    harness.step();
}

/// Clicks twice.
pub fn double_click(
    harness: &mut Harness<'static, App>,
    at: Pos2,
    which: PointerButton,
    modifiers: Modifiers,
) {
    move_to(harness, at, modifiers);
    for pressed in [true, false, true, false] {
        button(harness, at, which, pressed, modifiers);
    }
}

/// Presses a key.
pub fn press(harness: &mut Harness<'static, App>, key: egui::Key) {
    harness.key_press(key);
    harness.run_steps(2);
}
