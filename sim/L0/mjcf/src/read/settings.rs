//! `compiler`, `option`, `size`, `statistic` and `visual` sections.

use super::Reader;
use crate::error::ErrorKind;
use crate::spec::{Angle, FuseInertia, Sizes, VisualAttribute};
use crate::xml::NodeId;
use sim_core::types::{Cone, DisableBit, EnableBit, Integrator, JacobianType, SolverType};

/// Maximum actuator group that can be disabled.
const MAX_ACTUATOR_GROUP: i32 = 30;

impl Reader<'_> {
    pub(super) fn compiler(&mut self, id: NodeId) {
        let mut c = self.spec.compiler.clone();
        self.boolean(id, "autolimits", &mut c.autolimits);
        self.real(id, "boundmass", &mut c.boundmass);
        self.real(id, "boundinertia", &mut c.boundinertia);
        self.real(id, "settotalmass", &mut c.settotalmass);
        self.boolean(id, "balanceinertia", &mut c.balanceinertia);
        self.boolean(id, "strippath", &mut c.strippath);
        self.boolean(id, "fitaabb", &mut c.fitaabb);
        self.boolean(id, "usethread", &mut c.usethread);
        self.boolean(id, "saveinertial", &mut c.saveinertial);
        self.keyword(
            id,
            "angle",
            &[("radian", Angle::Radian), ("degree", Angle::Degree)],
            &mut c.angle,
        );
        self.tri(id, "inertiafromgeom", &mut c.inertiafromgeom);
        for (to, from) in c.inertiagrouprange.iter_mut().zip(self.ints(id, "inertiagrouprange")) {
            *to = from;
        }
        if self.text(id, "eulerseq", &mut c.eulerseq) {
            if c.eulerseq.chars().count() != 3 {
                self.invalid(id, Some("eulerseq"), "must have 3 letters, such as \"xyz\"");
            } else if !c.eulerseq.chars().all(|l| "xyzXYZ".contains(l)) {
                self.invalid(
                    id,
                    Some("eulerseq"),
                    "must contain only the letters x, y, z, X, Y, Z",
                );
            }
        }
        if self.text(id, "assetdir", &mut c.meshdir) {
            c.texturedir.clone_from(&c.meshdir);
        }
        self.text(id, "meshdir", &mut c.meshdir);
        self.text(id, "texturedir", &mut c.texturedir);
        if self.dom.attr(id, "coordinate") == Some("global") {
            let message = "global coordinates are no longer supported in MJCF; use \"local\"";
            self.invalid(id, Some("coordinate"), message);
        }
        self.boolean(id, "discardvisual", &mut c.discardvisual);
        self.boolean(id, "fusestatic", &mut c.fusestatic);
        self.boolean(id, "alignfree", &mut c.alignfree);
        self.keyword(
            id,
            "fuseinertia",
            &[("exact", FuseInertia::Exact), ("mujoco", FuseInertia::Mujoco)],
            &mut c.fuseinertia,
        );
        self.spec.compiler = c;
    }

    pub(super) fn option(&mut self, id: NodeId) {
        let mut o = self.spec.option.clone();
        for (name, target) in [
            ("timestep", &mut o.timestep),
            ("impratio", &mut o.impratio),
            ("tolerance", &mut o.tolerance),
            ("ls_tolerance", &mut o.ls_tolerance),
            ("noslip_tolerance", &mut o.noslip_tolerance),
            ("ccd_tolerance", &mut o.ccd_tolerance),
            ("sleep_tolerance", &mut o.sleep_tolerance),
            ("density", &mut o.density),
            ("viscosity", &mut o.viscosity),
            ("o_margin", &mut o.o_margin),
        ] {
            self.real(id, name, target);
        }
        self.vector(id, "gravity", &mut o.gravity);
        self.vector(id, "wind", &mut o.wind);
        self.vector(id, "magnetic", &mut o.magnetic);
        self.vector(id, "o_solref", &mut o.o_solref);
        self.vector(id, "o_solimp", &mut o.o_solimp);
        self.vector(id, "o_friction", &mut o.o_friction);
        self.keyword(
            id,
            "integrator",
            &[
                ("Euler", Integrator::Euler),
                ("RK4", Integrator::Rk4),
                ("implicit", Integrator::Implicit),
                ("implicitfast", Integrator::ImplicitFast),
                ("impliciteuler", Integrator::ImplicitEuler),
            ],
            &mut o.integrator,
        );
        self.keyword(
            id,
            "cone",
            &[("pyramidal", Cone::Pyramidal), ("elliptic", Cone::Elliptic)],
            &mut o.cone,
        );
        self.keyword(
            id,
            "jacobian",
            &[
                ("dense", JacobianType::Dense),
                ("sparse", JacobianType::Sparse),
                ("auto", JacobianType::Auto),
            ],
            &mut o.jacobian,
        );
        self.keyword(
            id,
            "solver",
            &[("PGS", SolverType::Pgs), ("CG", SolverType::Cg), ("Newton", SolverType::Newton)],
            &mut o.solver,
        );
        for (name, target) in [
            ("iterations", &mut o.iterations),
            ("ls_iterations", &mut o.ls_iterations),
            ("noslip_iterations", &mut o.noslip_iterations),
            ("ccd_iterations", &mut o.ccd_iterations),
            ("sdf_iterations", &mut o.sdf_iterations),
            ("sdf_initpoints", &mut o.sdf_initpoints),
        ] {
            self.int(id, name, target);
        }
        for group in self.ints(id, "actuatorgroupdisable") {
            if (0..=MAX_ACTUATOR_GROUP).contains(&group) {
                o.disableactuator |= 1 << group;
            } else {
                let message =
                    format!("group {group} is out of the range [0, {MAX_ACTUATOR_GROUP}]");
                self.invalid(id, Some("actuatorgroupdisable"), message);
            }
        }
        for flags in self.children(id) {
            self.flags(flags, &mut o.disableflags, &mut o.enableflags);
            if self.dom.attr(flags, "nativeccd") == Some("disable") {
                let location = self.dom.attr_location(flags, "nativeccd");
                let message = "attribute \"nativeccd\" has no effect: convex \
                    collisions always use the native algorithm";
                self.report.warning(location, self.name(flags), message);
            }
        }
        self.spec.option = o;
    }

    fn flags(&self, id: NodeId, disable: &mut i32, enable: &mut i32) {
        let set = |name: &str, bits: &mut i32, bit: i32, word: &str| match self.dom.attr(id, name) {
            Some(value) if value == word => *bits |= bit,
            Some(_) => *bits &= !bit,
            None => {}
        };
        for (name, bit) in DisableBit::ALL {
            set(name, disable, bit as i32, "disable");
        }
        for (name, bit) in EnableBit::ALL {
            set(name, enable, bit as i32, "enable");
        }
    }

    pub(super) fn size(&mut self, id: NodeId) {
        let mut s = self.spec.size.clone();
        s.origin = Some(self.origin(id));
        if let Some(text) = self.dom.attr(id, "memory") {
            match memory(text) {
                Ok(bytes) => s.memory = bytes.or(s.memory),
                Err(kind) => self.error(id, Some("memory"), kind),
            }
        }
        for name in ["njmax", "nstack"] {
            let mut value = -1;
            if self.int(id, name, &mut value) && s.memory.is_some() && value != -1 {
                let message = "cannot be combined with `memory`; remove one of them";
                self.invalid(id, Some(name), message);
            }
        }
        let Sizes {
            memory: _,
            origin: _,
            njmax,
            nconmax,
            nstack,
            nuserdata,
            nkey,
            nuser_body,
            nuser_jnt,
            nuser_geom,
            nuser_site,
            nuser_cam,
            nuser_tendon,
            nuser_actuator,
            nuser_sensor,
        } = &mut s;
        for (name, target, min) in [
            ("njmax", njmax, i32::MIN),
            ("nstack", nstack, i32::MIN),
            ("nconmax", nconmax, -1),
            ("nuserdata", nuserdata, 0),
            ("nkey", nkey, i32::MIN),
            ("nuser_body", nuser_body, -1),
            ("nuser_jnt", nuser_jnt, -1),
            ("nuser_geom", nuser_geom, -1),
            ("nuser_site", nuser_site, -1),
            ("nuser_cam", nuser_cam, -1),
            ("nuser_tendon", nuser_tendon, -1),
            ("nuser_actuator", nuser_actuator, -1),
            ("nuser_sensor", nuser_sensor, -1),
        ] {
            if self.int(id, name, target) && *target < min {
                self.invalid(id, Some(name), format!("must be at least {min}"));
            }
        }
        self.spec.size = s;
    }

    pub(super) fn visual(&mut self, id: NodeId) {
        for child in self.children(id) {
            let node = self.dom.node(child);
            for attr in &node.attrs {
                let mut numbers = [1.0_f32; 4];
                self.vector32(child, &attr.name, &mut numbers);
                if matches!(attr.name.as_str(), "znear" | "realtime") && numbers[0] <= 0.0 {
                    self.invalid(child, Some(&attr.name), "must be positive");
                }
                self.spec.visual.push(VisualAttribute {
                    element: node.name.clone(),
                    name: attr.name.clone(),
                    value: attr.value.clone(),
                });
            }
        }
    }

    pub(super) fn statistic(&mut self, id: NodeId) {
        let one = |reader: &Self, name: &str| reader.array::<1>(id, name).map(|[x]| x);
        let (meaninertia, meanmass) = (one(self, "meaninertia"), one(self, "meanmass"));
        let (meansize, extent) = (one(self, "meansize"), one(self, "extent"));
        let center = self.array(id, "center");
        let s = &mut self.spec.statistic;
        s.meaninertia = meaninertia.or(s.meaninertia);
        s.meanmass = meanmass.or(s.meanmass);
        s.meansize = meansize.or(s.meansize);
        s.extent = extent.or(s.extent);
        s.center = center.or(s.center);
        if extent.is_some_and(|e| e <= 0.0) {
            self.invalid(id, Some("extent"), "must be positive");
        }
    }
}

/// Parses a size in bytes, with an optional suffix K, M, G, T, P or E; `None` for −1, which may
/// also be written as the largest 64-bit integer.
fn memory(text: &str) -> Result<Option<u64>, ErrorKind> {
    let text = text.trim();
    if text == "-1" {
        return Ok(None);
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => Some(0),
        "K" | "k" => Some(10),
        "M" | "m" => Some(20),
        "G" | "g" => Some(30),
        "T" | "t" => Some(40),
        "P" | "p" => Some(50),
        "E" | "e" => Some(60),
        _ => None,
    };
    let bytes = digits.parse::<u64>().ok().zip(shift).and_then(|(n, s)| n.checked_mul(1 << s));
    bytes.map(|n| (n != u64::MAX).then_some(n)).ok_or_else(|| ErrorKind::BadNumber {
        word: text.chars().take(40).collect(),
        expected: "a size in bytes: an integer with an optional suffix K, M, G, T, P or E",
    })
}
