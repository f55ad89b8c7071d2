//! The mouse in the view: camera, selection and perturbation, as in MuJoCo's `simulate`.

use super::App;
use super::view::TileOf;
use crate::link::Snapshot;
use crate::world::World;
use egui::{PointerButton, Rect};
use sim_physics::core::{mj_com_pos, mj_crb, mj_factor_m};
use sim_physics::scene::{
    CameraType, MouseAction, PERT_ROTATE, PERT_TRANSLATE, Selection, mjv_init_perturb,
    mjv_move_camera, mjv_move_perturb, mjv_select,
};

/// Camera motion of one unit of the mouse wheel, relative to the height of the view.
const ZOOM: f64 = 0.05;
/// Points that touch pads report for the motion of one unit of a mouse wheel.
const WHEEL_POINTS: f64 = 50.0;

impl App {
    /// Handles the mouse in a tile. `index` is the tile's scene, `rect` its place on the screen.
    pub(super) fn mouse(
        &mut self,
        response: &egui::Response,
        tile: TileOf,
        index: usize,
        rect: Rect,
        snapshot: &Snapshot,
    ) {
        let Some(world) = snapshot.worlds.get(tile.world) else { return };
        let (pointer, modifiers, wheel) = response
            .ctx
            .input(|input| (input.pointer.clone(), input.modifiers, wheel(&input.events)));
        let ctrl = modifiers.ctrl || modifiers.command;
        let pressed = pointer.any_pressed() && response.is_pointer_button_down_on();
        if pressed && tile.world != self.view.world {
            self.end_perturbation();
            self.view.world = tile.world;
            self.view.perturb.select = 0;
        }
        self.double_click(response, ctrl, tile, index, rect, world);
        if response.hovered() && wheel != 0.0 && tile.extra.is_none() {
            self.move_camera(MouseAction::Zoom, 0.0, -ZOOM * wheel, index, world);
        }
        if !response.is_pointer_button_down_on() || tile.extra.is_some() {
            if !pointer.any_down() {
                self.end_perturbation();
            }
            return;
        }
        let left = pointer.button_down(PointerButton::Primary);
        let right = pointer.button_down(PointerButton::Secondary);
        if ctrl && pressed && (left || right) {
            self.start_perturbation(right, index, world);
        }
        let action = match (right, left, modifiers.shift) {
            (true, _, false) => MouseAction::MoveV,
            (true, _, true) => MouseAction::MoveH,
            (_, true, false) => MouseAction::RotateV,
            (_, true, true) => MouseAction::RotateH,
            _ => MouseAction::Zoom,
        };
        let delta = pointer.delta();
        if delta == egui::Vec2::ZERO {
            return;
        }
        let height = f64::from(rect.height().max(1.0));
        let (dx, dy) = (f64::from(delta.x) / height, f64::from(delta.y) / height);
        if self.view.perturb.active == 0 {
            self.move_camera(action, dx, dy, index, world);
            return;
        }
        let Some(scene) = self.view.scenes.get(index) else { return };
        let (m, d) = (&world.model, &world.data);
        // cannot fail: the cameras of the scene are set, and the action is one of those above
        let _ = mjv_move_perturb(m, d, action, dx, dy, scene, &mut self.view.perturb);
        self.send_perturb(self.view.perturb.clone());
    }

    fn move_camera(&mut self, action: MouseAction, dx: f64, dy: f64, index: usize, world: &World) {
        if let Some(scene) = self.view.scenes.get(index) {
            // cannot fail: the cameras of the scene are set
            let _ = mjv_move_camera(&world.model, action, dx, dy, scene, &mut self.view.camera);
        }
    }

    /// Starts to pull or turn the selected body.
    fn start_perturbation(&mut self, translate: bool, index: usize, world: &World) {
        let Some(scene) = self.view.scenes.get(index) else { return };
        let perturb = &mut self.view.perturb;
        if perturb.body(world.model.nbody).is_none() {
            return;
        }
        // the inertia matrix is not part of what is displayed
        let mut data = world.data.clone();
        mj_com_pos(&world.model, &mut data);
        mj_crb(&world.model, &mut data);
        mj_factor_m(&world.model, &mut data);
        if mjv_init_perturb(&world.model, &data, scene, perturb).is_ok() {
            perturb.active = if translate { PERT_TRANSLATE } else { PERT_ROTATE };
            self.send_perturb(self.view.perturb.clone());
        }
    }

    /// Ends the perturbation, if there is one.
    pub(super) fn end_perturbation(&mut self) {
        if self.view.perturb.active != 0 {
            self.view.perturb.active = 0;
            self.send_perturb(self.view.perturb.clone());
        }
    }

    /// Left: selects. Right: looks at the point. Ctrl and right: follows the body.
    fn double_click(
        &mut self,
        response: &egui::Response,
        ctrl: bool,
        tile: TileOf,
        index: usize,
        rect: Rect,
        world: &World,
    ) {
        let left = response.double_clicked_by(PointerButton::Primary);
        let right = response.double_clicked_by(PointerButton::Secondary);
        let Some(at) = response.interact_pointer_pos().filter(|_| left || right) else { return };
        let Some(scene) = self.view.scenes.get(index) else { return };
        let relx = f64::from((at.x - rect.left()) / rect.width());
        let rely = f64::from((rect.bottom() - at.y) / rect.height());
        let (m, d) = (&world.model, &world.data);
        let aspect = f64::from(rect.aspect_ratio());
        let found = mjv_select(m, d, &self.view.option, aspect, relx, rely, scene);
        let found = found.unwrap_or_default();
        if left {
            self.view.world = tile.world;
            self.select(found, world);
        } else if let Some(selection) = found.filter(|_| tile.extra.is_none()) {
            let camera = &mut self.view.camera;
            camera.lookat = selection.point;
            if ctrl && selection.body > 0 {
                camera.kind = CameraType::Tracking;
                camera.trackbodyid = i32::try_from(selection.body).unwrap_or(-1);
                camera.fixedcamid = -1;
            } else if camera.kind == CameraType::Tracking {
                camera.kind = CameraType::Free;
            }
        }
    }

    /// Selects a body and a point on it; `None` selects nothing.
    pub(super) fn select(&mut self, selection: Option<Selection>, world: &World) {
        self.end_perturbation();
        let perturb = &mut self.view.perturb;
        let Some(selection) = selection else {
            (perturb.select, perturb.skinselect) = (0, -1);
            return;
        };
        let body = selection.body;
        let (pos, mat) = (&world.data.xpos[3 * body..3 * body + 3], &world.data.xmat[9 * body..]);
        let offset: [f64; 3] = std::array::from_fn(|k| selection.point[k] - pos[k]);
        perturb.localpos =
            std::array::from_fn(|k| (0..3).map(|row| mat[3 * row + k] * offset[row]).sum());
        perturb.select = i32::try_from(body).unwrap_or(0);
        let skin = selection.skin.and_then(|skin| i32::try_from(skin).ok());
        (perturb.skinselect, perturb.flexselect) = (skin.unwrap_or(-1), -1);
    }
}

/// Motion of the mouse wheel in units of the wheel, away from the user.
fn wheel(events: &[egui::Event]) -> f64 {
    let amount = |event: &egui::Event| match event {
        egui::Event::MouseWheel { unit, delta, .. } => match unit {
            egui::MouseWheelUnit::Point => f64::from(delta.y) / WHEEL_POINTS,
            egui::MouseWheelUnit::Line => f64::from(delta.y),
            egui::MouseWheelUnit::Page => 10.0 * f64::from(delta.y),
        },
        _ => 0.0,
    };
    events.iter().map(amount).sum()
}
