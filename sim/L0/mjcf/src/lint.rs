//! Lints: valid but suspicious parts of a model.

use crate::error::Warning;
use crate::spec::{Angle, DefaultId, Origin, Spec, Tri, asset_name};
use sim_core::types::JointType;
use std::collections::HashSet;

/// Joint ranges in radians above this are suspicious.
const MAX_RADIANS: f64 = 4.0 * std::f64::consts::PI;
/// Fractional joint ranges in degrees below this are suspicious.
const MIN_DEGREES: f64 = 4.0;

impl Spec {
    /// Warnings about valid but suspicious parts: unused classes and assets, angles that appear to
    /// have the wrong unit, ranges and values without effect.
    ///
    /// ```
    /// let spec = sim_mjcf::parse_str(
    ///     "<mujoco><asset><material name='steel'/></asset></mujoco>",
    /// )?;
    /// assert_eq!(
    ///     spec.lint()[0].to_string(),
    ///     "<string>:1:16: warning: <material> `steel` is not used"
    /// );
    /// # Ok::<(), sim_mjcf::Errors>(())
    /// ```
    #[must_use]
    pub fn lint(&self) -> Vec<Warning> {
        let mut lint = Lint { spec: self, warnings: Vec::new() };
        lint.unused_classes();
        lint.unused_assets();
        lint.unused_plugins();
        lint.angles();
        lint.limits();
        lint.solrefs();
        lint.keys();
        lint.warnings
    }
}

struct Lint<'a> {
    spec: &'a Spec,
    warnings: Vec<Warning>,
}

impl<'a> Lint<'a> {
    fn warn(&mut self, origin: Origin, element: &str, message: impl Into<String>) {
        let location = self.spec.location(origin);
        self.warnings.push(Warning {
            location,
            element: element.to_owned(),
            message: message.into(),
        });
    }

    fn unused_classes(&mut self) {
        let spec = self.spec;
        let mut used = vec![false; spec.defaults.len()];
        let mut mark = |class: DefaultId| {
            if let Some(used) = used.get_mut(class.0) {
                *used = true;
            }
        };
        for b in &spec.bodies {
            mark(b.childclass);
            b.joints.iter().for_each(|x| mark(x.class));
            b.geoms.iter().for_each(|x| mark(x.class));
            b.sites.iter().for_each(|x| mark(x.class));
            b.cameras.iter().for_each(|x| mark(x.class));
            b.lights.iter().for_each(|x| mark(x.class));
        }
        spec.meshes.iter().for_each(|x| mark(x.class));
        spec.materials.iter().for_each(|x| mark(x.class));
        spec.pairs.iter().for_each(|x| mark(x.class));
        spec.equalities.iter().for_each(|x| mark(x.class));
        spec.tendons.iter().for_each(|x| mark(x.class));
        spec.actuators.iter().for_each(|x| mark(x.class));
        // A class is used by its used subclasses.
        for class in (1..spec.defaults.len()).rev() {
            if let Some(parent) = spec.defaults[class].parent.filter(|_| used[class]) {
                used[parent.0] = true;
            }
        }
        for (class, _) in spec.defaults.iter().zip(used).skip(1).filter(|(_, used)| !used) {
            self.warn(class.origin, "default", format!("class `{}` is not used", class.name));
        }
    }

    /// Plugins without instances, and instances to which nothing refers.
    fn unused_plugins(&mut self) {
        let spec = self.spec;
        let bodies = spec.bodies.iter();
        let references = (spec.meshes.iter().filter_map(|m| m.plugin.as_deref()))
            .chain(spec.actuators.iter().filter_map(|a| a.plugin.as_deref()))
            .chain(spec.sensors.iter().filter_map(|s| s.plugin.as_deref()))
            .chain(bodies.clone().filter_map(|b| b.plugin.as_deref()))
            .chain(bodies.flat_map(|b| &b.geoms).filter_map(|g| g.plugin.as_deref()));
        let references: Vec<_> = references.collect();
        for instance in &spec.plugins {
            if !references.iter().any(|r| r.instance == instance.name) {
                let message = format!("`{}` is not used", instance.name);
                self.warn(instance.origin, "instance", message);
            }
        }
        for extension in &spec.extensions {
            let name = &extension.plugin;
            let used = spec.plugins.iter().any(|p| p.plugin == *name)
                || references.iter().any(|r| r.plugin == *name);
            if !used {
                self.warn(extension.origin, "plugin", format!("`{name}` is not used"));
            }
        }
    }

    fn unused_assets(&mut self) {
        let spec = self.spec;
        let mut meshes: HashSet<&str> = HashSet::new();
        let mut hfields: HashSet<&str> = HashSet::new();
        let mut materials: HashSet<&str> = HashSet::new();
        let mut textures: HashSet<&str> = HashSet::new();
        for b in &spec.bodies {
            for g in &b.geoms {
                meshes.insert(&g.mesh);
                hfields.insert(&g.hfield);
                materials.insert(&g.material);
            }
            materials.extend(b.sites.iter().map(|s| s.material.as_str()));
            textures.extend(b.lights.iter().map(|l| l.texture.as_str()));
        }
        materials.extend(spec.tendons.iter().map(|t| t.material.as_str()));
        materials.extend(spec.meshes.iter().map(|m| m.material.as_str()));
        textures.extend(spec.materials.iter().flat_map(|m| &m.textures).map(String::as_str));
        // References by sensors and tuples.
        for s in &spec.sensors {
            meshes.insert(&s.objname);
        }
        for element in spec.tuples.iter().flat_map(|t| &t.elements) {
            for set in [&mut meshes, &mut hfields, &mut materials, &mut textures] {
                set.insert(&element.objname);
            }
        }

        let mut unused = Vec::new();
        let mut check = |set: &HashSet<&str>, name: &'a str, file: &'a str, element| {
            let name = if name.is_empty() { asset_name(file) } else { name };
            if !set.contains(name) {
                unused.push((name, element));
            }
        };
        for m in &spec.meshes {
            check(&meshes, &m.name, &m.file, (m.origin, "mesh"));
        }
        for h in &spec.hfields {
            check(&hfields, &h.name, &h.file, (h.origin, "hfield"));
        }
        for m in &spec.materials {
            check(&materials, &m.name, "", (m.origin, "material"));
        }
        // A skybox is rendered without being referenced.
        let skybox = sim_core::types::TextureType::Skybox;
        for t in spec.textures.iter().filter(|t| t.ttype != skybox) {
            check(&textures, &t.name, &t.file, (t.origin, "texture"));
        }
        for (name, (origin, element)) in unused {
            self.warn(origin, element, format!("`{name}` is not used"));
        }
    }

    /// Hinge ranges that appear to have the wrong unit.
    fn angles(&mut self) {
        let spec = self.spec;
        for j in spec.bodies.iter().flat_map(|b| &b.joints) {
            if j.jtype != JointType::Hinge || j.range == [0.0; 2] || j.limited == Tri::False {
                continue;
            }
            let largest = j.range[0].abs().max(j.range[1].abs());
            match spec.compiler_of(j.origin).angle {
                Angle::Radian if largest > MAX_RADIANS && largest.is_finite() => {
                    let message = format!(
                        "range up to {largest} radians looks like degrees: set <compiler angle=\"degree\"/>?"
                    );
                    self.warn(j.origin, "joint", message);
                }
                Angle::Degree if largest < MIN_DEGREES && largest.fract() != 0.0 => {
                    let message = format!(
                        "range up to {largest} degrees looks like radians: set <compiler angle=\"radian\"/>?"
                    );
                    self.warn(j.origin, "joint", message);
                }
                _ => {}
            }
        }
    }

    /// Ranges that are set but disabled.
    fn limits(&mut self) {
        let spec = self.spec;
        let mut disabled = |limited: Tri, range: [f64; 2], name: &str, element: (Origin, &str)| {
            if limited == Tri::False && range != [0.0; 2] {
                let message = format!("has `{name}range`, but {name}limited=\"false\"");
                self.warn(element.0, element.1, message);
            }
        };
        for j in spec.bodies.iter().flat_map(|b| &b.joints) {
            disabled(j.limited, j.range, "", (j.origin, "joint"));
            disabled(j.actfrclimited, j.actfrcrange, "actuatorfrc", (j.origin, "joint"));
        }
        for t in &spec.tendons {
            disabled(t.limited, t.range, "", (t.origin, t.element));
            disabled(t.actfrclimited, t.actfrcrange, "actuatorfrc", (t.origin, t.element));
        }
        for a in &spec.actuators {
            disabled(a.ctrllimited, a.ctrlrange, "ctrl", (a.origin, a.element));
            disabled(a.forcelimited, a.forcerange, "force", (a.origin, a.element));
        }
    }

    /// `solref` with mixed signs, which is replaced by the default.
    fn solrefs(&mut self) {
        let spec = self.spec;
        let mut mixed = |solref: [f64; 2], element: (Origin, &str)| {
            if (solref[0] > 0.0) != (solref[1] > 0.0) && solref != [0.0; 2] {
                let message = "`solref` has mixed signs, so the default is used: set two positive values \
                               (time constant, damping ratio) or two negative ones (stiffness, damping)";
                self.warn(element.0, element.1, message);
            }
        };
        for g in spec.bodies.iter().flat_map(|b| &b.geoms) {
            mixed(g.solref, (g.origin, "geom"));
        }
        for j in spec.bodies.iter().flat_map(|b| &b.joints) {
            mixed(j.solref_limit, (j.origin, "joint"));
        }
        for e in &spec.equalities {
            mixed(e.solref, (e.origin, e.element));
        }
        for p in &spec.pairs {
            mixed(p.solref, (p.origin, "pair"));
        }
    }

    /// Empty keyframes.
    fn keys(&mut self) {
        let spec = self.spec;
        for key in &spec.keys {
            let lists = [&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat];
            if key.saved.is_none() && lists.iter().all(|l| l.is_empty()) {
                self.warn(key.origin, "key", "is empty: it equals the reference state");
            }
        }
    }
}
