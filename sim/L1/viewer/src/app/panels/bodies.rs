//! The tree of bodies and the list of contacts.

use crate::app::App;
use crate::world::World;
use egui::CollapsingHeader;
use sim_physics::core::mj_contact_force;
use sim_physics::types::ObjType;

/// Most rows of the list of contacts.
const MAX_CONTACTS: usize = 100;
/// Deepest level of the tree that is shown.
const MAX_DEPTH: usize = 64;

impl App {
    /// The kinematic tree; a click selects a body.
    pub(super) fn bodies(&mut self, ui: &mut egui::Ui, world: &World) {
        let mut children = vec![Vec::new(); world.model.nbody];
        for body in 1..world.model.nbody {
            let parent = usize::try_from(world.model.body_parentid[body]).unwrap_or(0);
            children[parent].push(body);
        }
        self.body(ui, world, &children, 0, 0);
    }

    fn body(
        &mut self,
        ui: &mut egui::Ui,
        world: &World,
        children: &[Vec<usize>],
        body: usize,
        depth: usize,
    ) {
        let name = super::name(&world.model, ObjType::Body, body);
        let is_selected = self.view.perturb.body(world.model.nbody) == Some(body);
        if children[body].is_empty() || depth > MAX_DEPTH {
            if ui.selectable_label(is_selected, name).clicked() {
                self.select_body(body);
            }
            return;
        }
        let header = CollapsingHeader::new(name)
            .id_salt(("body", body))
            .default_open(depth < 2)
            .show_background(is_selected);
        let response = header.show(ui, |ui| {
            for &child in &children[body] {
                self.body(ui, world, children, child, depth + 1);
            }
        });
        if response.header_response.clicked() {
            self.select_body(body);
        }
    }

    /// Selects a body at its origin.
    pub(crate) fn select_body(&mut self, body: usize) {
        self.end_perturbation();
        self.view.perturb.select = i32::try_from(body).unwrap_or(0);
        self.view.perturb.localpos = [0.0; 3];
    }

    /// Pairs of geoms in contact with distance and normal force.
    pub(super) fn contacts(&mut self, ui: &mut egui::Ui, world: &World) {
        let (m, d) = (&world.model, &world.data);
        ui.label(format!("{} contacts", d.contact.len()));
        egui::Grid::new("contacts").num_columns(3).striped(true).show(ui, |ui| {
            ui.weak("geoms");
            ui.weak("distance (mm)");
            ui.weak("force (N)");
            ui.end_row();
            for (id, contact) in d.contact.iter().enumerate().take(MAX_CONTACTS) {
                let names = contact.geom.map(|geom| match usize::try_from(geom) {
                    Ok(geom) => super::name(m, ObjType::Geom, geom),
                    Err(_) => "flex".to_owned(),
                });
                ui.label(names.join(", "));
                ui.monospace(format!("{:.3}", 1e3 * contact.dist));
                let mut force = [0.0; 6];
                mj_contact_force(m, d, id, &mut force);
                ui.monospace(format!("{:.3}", force[0]));
                ui.end_row();
            }
        });
        if d.contact.len() > MAX_CONTACTS {
            ui.weak(format!("{} more", d.contact.len() - MAX_CONTACTS));
        }
    }
}
