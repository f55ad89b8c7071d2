//! What plugins draw: decorative geoms, and colours of geoms of the model.

use crate::{Category, Rgba, Scene};
use sim_core::types::ObjType;
use sim_core::{Data, Model, PluginCanvas, PluginGeom};

/// Adds the geoms of all plugins.
pub(super) fn geoms(m: &Model, d: &Data, scene: &mut Scene) {
    visualize(m, d, &mut Geoms(scene));
}

/// Colours of geoms that plugins set, with the index of the geom.
pub(super) fn colors(m: &Model, d: &Data) -> Vec<(usize, Rgba)> {
    let mut colors = Colors(Vec::new());
    visualize(m, d, &mut colors);
    colors.0
}

fn visualize(m: &Model, d: &Data, canvas: &mut dyn PluginCanvas) {
    for instance in (0..m.nplugin).filter_map(|i| m.plugin_object(i)) {
        instance.visualize(m, d, canvas);
    }
}

/// Adds geoms to a scene.
struct Geoms<'a>(&'a mut Scene);

impl PluginCanvas for Geoms<'_> {
    fn add(&mut self, plugin: &PluginGeom) {
        let Some(mut geom) = self.0.acquire(plugin.id, Category::DECOR, ObjType::Unknown) else {
            return;
        };
        let PluginGeom { kind, size, pos, mat, rgba, .. } = plugin;
        geom.init((*kind).into(), Some(*size), Some(*pos), Some(mat), Some(*rgba));
        self.0.push(geom);
    }

    fn set_color(&mut self, _: usize, _: Rgba) {}
}

/// Collects colours.
struct Colors(Vec<(usize, Rgba)>);

impl PluginCanvas for Colors {
    fn add(&mut self, _: &PluginGeom) {}

    fn set_color(&mut self, geom: usize, rgba: Rgba) {
        self.0.push((geom, rgba));
    }
}
