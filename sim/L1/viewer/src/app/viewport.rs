//! The view of the scenes: tiles, text, selection and error messages.

use super::App;
use super::project::project;
use super::view::TileOf;
use crate::canvas::{Canvas, Tile};
use crate::link::Snapshot;
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, pos2, vec2};

/// Pixels of a draft per pixel of the screen, along each axis.
const DRAFT_RESOLUTION: f32 = 0.5;
/// Largest number of labels that are drawn.
const MAX_LABELS: usize = 500;

impl App {
    /// Draws the scenes and handles the mouse.
    pub(super) fn viewport(
        &mut self,
        ui: &mut egui::Ui,
        snapshot: &Snapshot,
        canvas: &mut dyn Canvas,
    ) {
        let frame = egui::Frame::NONE.fill(Color32::BLACK);
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            let (_, area) = ui.allocate_space(ui.available_size());
            self.area = area;
            self.tiles(ui, area, snapshot, canvas);
            self.messages(ui, area, snapshot);
            if self.shown.info {
                self.info(ui, area, snapshot, &canvas.device());
            }
        });
    }

    fn tiles(&mut self, ui: &egui::Ui, area: Rect, snapshot: &Snapshot, canvas: &mut dyn Canvas) {
        let tiles = self.view.tiles(snapshot.worlds.len());
        let columns = columns(tiles.len(), area.aspect_ratio());
        let rows = tiles.len().div_ceil(columns);
        let resolution = if self.draft == Some(true) { DRAFT_RESOLUTION } else { 1.0 };
        let scale = resolution * ui.ctx().pixels_per_point();
        let step = vec2(area.width() / columns as f32, area.height() / rows as f32);
        let size = [step.x, step.y].map(|length| (length * scale).round() as u32);
        if size.contains(&0) {
            return;
        }
        let place = |i: usize| {
            let offset = vec2((i % columns) as f32 * step.x, (i / columns) as f32 * step.y);
            Rect::from_min_size(area.min + offset, step)
        };
        // the mouse refers to the scenes of the last frame, which are on the screen
        for (i, tile) in tiles.iter().enumerate() {
            let id = ui.scope_id().with(("tile", i));
            let response = ui.interact(place(i), id, Sense::click_and_drag());
            let name = if i == 0 { "view".to_owned() } else { format!("view {i}") };
            response
                .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, name.clone()));
            self.mouse(&response, *tile, i, place(i), snapshot);
        }
        let texts = self.scenes(&tiles, snapshot, &place);
        let drawn = self.draw(&tiles, columns, size, snapshot, canvas);
        let painter = ui.painter_at(area);
        if let Some(texture) = drawn {
            // the alpha channel of the image is undefined: over black, its colours are unchanged
            let whole =
                Rect::from_min_size(area.min, vec2(step.x * columns as f32, step.y * rows as f32));
            painter.rect_filled(whole, 0.0, Color32::BLACK);
            let upside_down = Rect::from_min_max(pos2(0.0, 1.0), pos2(1.0, 0.0));
            painter.image(texture, whole, upside_down, Color32::WHITE);
        }
        for (at, text) in texts {
            shadowed(&painter, at, Align2::CENTER_BOTTOM, &text, 13.0);
        }
        if tiles.len() > 1 {
            self.tile_names(&painter, &tiles, snapshot, &place);
        }
    }

    /// Updates the scenes; returns their labels with positions on the screen.
    fn scenes(
        &mut self,
        tiles: &[TileOf],
        snapshot: &Snapshot,
        place: &dyn Fn(usize) -> Rect,
    ) -> Vec<(Pos2, String)> {
        self.view.scenes.truncate(tiles.len());
        let mut texts = Vec::new();
        for (i, tile) in tiles.iter().enumerate() {
            if let Err(error) = self.view.update(i, *tile, snapshot) {
                self.error = Some(error);
                continue;
            }
            let scene = &mut self.view.scenes[i];
            let mut labels: Vec<([f32; 3], String)> = Vec::new();
            for geom in scene.geoms.iter_mut().filter(|geom| !geom.label.is_empty()) {
                labels.push((geom.pos, std::mem::take(&mut geom.label)));
            }
            let own = snapshot.overlay.labels.iter();
            labels.extend(own.map(|(at, text)| (at.map(|x| x as f32), text.clone())));
            labels.truncate(MAX_LABELS);
            let scene = &self.view.scenes[i];
            texts.extend(
                labels
                    .into_iter()
                    .filter_map(|(at, text)| project(scene, place(i), at).map(|at| (at, text))),
            );
        }
        texts
    }

    fn draw(
        &mut self,
        tiles: &[TileOf],
        columns: usize,
        size: [u32; 2],
        snapshot: &Snapshot,
        canvas: &mut dyn Canvas,
    ) -> Option<egui::TextureId> {
        let scenes = std::mem::take(&mut self.view.scenes);
        let drawn: Vec<Tile<'_>> = tiles
            .iter()
            .zip(&scenes)
            .filter_map(|(tile, scene)| {
                let world = snapshot.worlds.get(tile.world)?;
                Some(Tile { model: &world.model, assets: world.assets, scene })
            })
            .collect();
        let result = canvas.draw(&drawn, columns, size);
        self.capture(&drawn, columns, size, canvas);
        self.view.scenes = scenes;
        result.unwrap_or_else(|error| {
            self.error = Some(error);
            None
        })
    }

    /// Names of environments and cameras, and a frame around the selected environment.
    fn tile_names(
        &self,
        painter: &egui::Painter,
        tiles: &[TileOf],
        snapshot: &Snapshot,
        place: &dyn Fn(usize) -> Rect,
    ) {
        for (i, tile) in tiles.iter().enumerate() {
            let rect = place(i);
            let name = match tile.extra {
                Some(extra) => {
                    let model = snapshot.worlds.first().map(|world| &*world.model);
                    let camera = self.view.extra.get(extra);
                    model
                        .zip(camera)
                        .map_or(String::new(), |(m, c)| super::panels::camera_name(m, c))
                }
                None if snapshot.worlds.len() > 1 => tile.world.to_string(),
                None => String::new(),
            };
            shadowed(painter, rect.left_top() + vec2(6.0, 4.0), Align2::LEFT_TOP, &name, 12.0);
            let is_active = snapshot.worlds.len() > 1 && tile.world == self.view.world;
            let color = if is_active { Color32::from_rgb(255, 190, 60) } else { Color32::BLACK };
            let stroke = Stroke::new(if is_active { 2.0 } else { 1.0 }, color);
            painter.rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Inside);
        }
    }

    /// Errors and warnings at the top of the view, confirmations at the bottom.
    fn messages(&mut self, ui: &mut egui::Ui, area: Rect, snapshot: &Snapshot) {
        let error = self.error.clone().or_else(|| snapshot.status.message.clone());
        if let Some(error) = error {
            let width = (area.width() - 40.0).clamp(100.0, 760.0);
            let at = pos2(area.center().x - 0.5 * width, area.top() + 10.0);
            let inside = Rect::from_min_size(at, vec2(width, 200.0));
            ui.scope_builder(egui::UiBuilder::new().max_rect(inside), |ui| {
                egui::Frame::popup(ui.style()).fill(Color32::from_rgb(95, 20, 20)).show(ui, |ui| {
                    ui.horizontal_top(|ui| {
                        if ui.button("Dismiss").clicked() {
                            self.error = None;
                            self.dismiss();
                        }
                        let text: String = error.lines().take(8).collect::<Vec<_>>().join("\n");
                        ui.colored_label(Color32::WHITE, text);
                    });
                });
            });
        }
        if let Some(notice) = &self.notice {
            let at = area.center_bottom() - vec2(0.0, 8.0);
            shadowed(ui.painter(), at, Align2::CENTER_BOTTOM, notice, 13.0);
        }
        if self.is_recording() {
            let at = area.right_top() + vec2(-16.0, 16.0);
            ui.painter().circle_filled(at, 6.0, Color32::RED);
        }
    }

    /// The summary in the lower left corner.
    fn info(&self, ui: &egui::Ui, area: Rect, snapshot: &Snapshot, device: &str) {
        let Some(world) = snapshot.worlds.get(self.view.world) else { return };
        let (m, d, status) = (&world.model, &world.data, &snapshot.status);
        let factor = match status.running {
            true => format!("{:.2} × real time", status.real_time_factor),
            false => "paused".to_owned(),
        };
        let mut lines = vec![
            ("Time".to_owned(), format!("{:.3} s", d.time)),
            ("Speed".to_owned(), format!("{factor} (requested {})", status.speed)),
            ("Step".to_owned(), format!("{:.1} µs", 1e6 * status.step_time)),
            ("Size".to_owned(), format!("{} dof, {} con, {} rows", m.nv, d.ncon, d.nefc)),
            (
                "Solver".to_owned(),
                format!("{} iterations", d.solver_niter.iter().max().unwrap_or(&0)),
            ),
            ("Frames".to_owned(), format!("{:.1} /s, {device}", 1.0 / self.frame_time.max(1e-3))),
        ];
        if m.opt.enableflags & sim_physics::types::EnableBit::Energy as i32 != 0 {
            let total = d.energy[0] + d.energy[1];
            lines.push(("Energy".to_owned(), format!("{total:.4} J")));
        }
        // a program that steps itself is not measured
        lines.retain(|(name, _)| match name.as_str() {
            "Speed" => !status.running || status.real_time_factor > 0.0,
            "Step" => status.step_time > 0.0,
            _ => true,
        });
        lines.extend(snapshot.overlay.lines.iter().cloned());
        let height = 16.0;
        let top = area.bottom() - 10.0 - height * lines.len() as f32;
        let widest = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let column = 16.0 + 7.5 * widest.min(24) as f32;
        let painter = ui.painter_at(area);
        for (k, (name, value)) in lines.iter().enumerate() {
            let at = pos2(area.left() + 10.0, top + height * k as f32);
            shadowed(&painter, at, Align2::LEFT_TOP, name, 12.5);
            shadowed(&painter, at + vec2(column, 0.0), Align2::LEFT_TOP, value, 12.5);
        }
    }
}

/// Number of columns of a grid whose tiles are slightly wider than high, with few empty places.
fn columns(tiles: usize, aspect: f32) -> usize {
    let cost = |columns: usize| {
        let rows = tiles.div_ceil(columns);
        let empty = (columns * rows - tiles) as f32 / tiles.max(1) as f32;
        (aspect * rows as f32 / columns as f32 / 1.3).ln().abs() + empty
    };
    (1..=tiles.max(1)).min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(1)
}

/// Text that is readable on any background.
fn shadowed(painter: &egui::Painter, at: Pos2, align: Align2, text: &str, size: f32) {
    let font = FontId::proportional(size);
    painter.text(at + vec2(1.0, 1.0), align, text, font.clone(), Color32::from_black_alpha(200));
    painter.text(at, align, text, font, Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn grids_are_nearly_square() {
        assert_eq!(columns(1, 1.5), 1);
        assert_eq!(columns(2, 1.6), 2);
        assert_eq!(columns(16, 1.6), 4);
        assert_eq!(columns(4, 1.4), 2);
    }
}
