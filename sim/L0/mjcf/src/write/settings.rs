//! `compiler`, `option`, `size`, `statistic` and `visual` sections.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::{Angle, Compiler, FuseInertia, Sizes, StatisticOverride};
use sim_core::types::{
    Cone, DisableBit, EnableBit, Integrator, JacobianType, LengthRangeMode, LengthRangeOptions,
    Options, SolverType,
};

impl Writer<'_> {
    pub(super) fn settings(&mut self, doc: &mut Document) {
        let spec = self.spec;
        let mut own = compiler(&Compiler { alignfree: self.alignfree, ..spec.compiler.clone() });
        if spec.scopes.is_empty() {
            own.word("meshdir", &spec.compiler.meshdir);
            own.word("texturedir", &spec.compiler.texturedir);
        }
        let length = length_range(&spec.compiler.lengthrange)
            .difference(&length_range(&LengthRangeOptions::default()));
        let own = own.difference(&compiler(&Compiler::default()));
        if !own.0.is_empty() || !length.0.is_empty() {
            doc.open("compiler", &own);
            if !length.0.is_empty() {
                doc.element("lengthrange", &length);
            }
            doc.close();
        }

        let options = option(&spec.option).difference(&option(&Options::default()));
        let flags = flags(&spec.option).difference(&flags(&Options::default()));
        if !options.0.is_empty() || !flags.0.is_empty() {
            doc.open("option", &options);
            if !flags.0.is_empty() {
                doc.element("flag", &flags);
            }
            doc.close();
        }

        let sizes = sizes(&spec.size).difference(&sizes(&Sizes::default()));
        if !sizes.0.is_empty() {
            doc.element("size", &sizes);
        }
        let statistic = statistic(&spec.statistic);
        if !statistic.0.is_empty() {
            doc.element("statistic", &statistic);
        }
        self.visual(doc);
    }

    /// Attributes are stored as text; the last occurrence takes precedence.
    fn visual(&self, doc: &mut Document) {
        let mut elements: Vec<&str> = Vec::new();
        for attribute in &self.spec.visual {
            if !elements.contains(&attribute.element.as_str()) {
                elements.push(&attribute.element);
            }
        }
        doc.section("visual", |doc| {
            for element in elements {
                let mut last: Vec<(&str, &str)> = Vec::new();
                for v in self.spec.visual.iter().filter(|v| v.element == element) {
                    last.retain(|(name, _)| *name != v.name);
                    last.push((&v.name, &v.value));
                }
                doc.open_named(element, &last);
                doc.close();
            }
        });
    }
}

fn compiler(c: &Compiler) -> Attributes {
    let mut a = Attributes::default();
    a.boolean("autolimits", c.autolimits);
    a.number("boundmass", c.boundmass);
    a.number("boundinertia", c.boundinertia);
    a.number("settotalmass", c.settotalmass);
    a.boolean("balanceinertia", c.balanceinertia);
    a.text(
        "angle",
        match c.angle {
            Angle::Radian => "radian",
            Angle::Degree => "degree",
        },
    );
    a.boolean("fitaabb", c.fitaabb);
    a.text("eulerseq", c.eulerseq.as_str());
    a.boolean("discardvisual", c.discardvisual);
    a.boolean("usethread", c.usethread);
    a.boolean("fusestatic", c.fusestatic);
    a.tri("inertiafromgeom", c.inertiafromgeom);
    a.numbers("inertiagrouprange", &c.inertiagrouprange);
    a.boolean("saveinertial", c.saveinertial);
    a.boolean("alignfree", c.alignfree);
    a.text(
        "fuseinertia",
        match c.fuseinertia {
            FuseInertia::Exact => "exact",
            FuseInertia::Mujoco => "mujoco",
        },
    );
    a
}

fn length_range(o: &LengthRangeOptions) -> Attributes {
    let mut a = Attributes::default();
    a.text(
        "mode",
        match o.mode {
            LengthRangeMode::None => "none",
            LengthRangeMode::Muscle => "muscle",
            LengthRangeMode::MuscleUser => "muscleuser",
            LengthRangeMode::All => "all",
        },
    );
    a.boolean("useexisting", o.useexisting);
    a.boolean("uselimit", o.uselimit);
    a.number("accel", o.accel);
    a.number("maxforce", o.maxforce);
    a.number("timeconst", o.timeconst);
    a.number("timestep", o.timestep);
    a.number("inttotal", o.inttotal);
    a.number("interval", o.interval);
    a.number("tolrange", o.tolrange);
    a
}

fn option(o: &Options) -> Attributes {
    let mut a = Attributes::default();
    a.number("timestep", o.timestep);
    a.number("impratio", o.impratio);
    a.number("tolerance", o.tolerance);
    a.number("ls_tolerance", o.ls_tolerance);
    a.number("noslip_tolerance", o.noslip_tolerance);
    a.number("ccd_tolerance", o.ccd_tolerance);
    a.number("sleep_tolerance", o.sleep_tolerance);
    a.numbers("gravity", &o.gravity);
    a.numbers("wind", &o.wind);
    a.numbers("magnetic", &o.magnetic);
    a.number("density", o.density);
    a.number("viscosity", o.viscosity);
    a.number("o_margin", o.o_margin);
    a.numbers("o_solref", &o.o_solref);
    a.numbers("o_solimp", &o.o_solimp);
    a.numbers("o_friction", &o.o_friction);
    a.text(
        "integrator",
        match o.integrator {
            Integrator::Euler => "Euler",
            Integrator::Rk4 => "RK4",
            Integrator::Implicit => "implicit",
            Integrator::ImplicitFast => "implicitfast",
            Integrator::ImplicitEuler => "impliciteuler",
        },
    );
    a.text(
        "cone",
        match o.cone {
            Cone::Pyramidal => "pyramidal",
            Cone::Elliptic => "elliptic",
        },
    );
    a.text(
        "jacobian",
        match o.jacobian {
            JacobianType::Dense => "dense",
            JacobianType::Sparse => "sparse",
            JacobianType::Auto => "auto",
        },
    );
    a.text(
        "solver",
        match o.solver {
            SolverType::Pgs => "PGS",
            SolverType::Cg => "CG",
            SolverType::Newton => "Newton",
        },
    );
    a.number("iterations", o.iterations);
    a.number("ls_iterations", o.ls_iterations);
    a.number("noslip_iterations", o.noslip_iterations);
    a.number("ccd_iterations", o.ccd_iterations);
    a.number("sdf_iterations", o.sdf_iterations);
    a.number("sdf_initpoints", o.sdf_initpoints);
    let groups: Vec<i32> = (0..31).filter(|g| o.disableactuator >> g & 1 == 1).collect();
    a.list("actuatorgroupdisable", &groups);
    a
}

fn flags(o: &Options) -> Attributes {
    let mut a = Attributes::default();
    let word = |on: bool| if on { "enable" } else { "disable" };
    for (name, bit) in DisableBit::ALL {
        a.text(name, word(o.disableflags & bit as i32 == 0));
    }
    for (name, bit) in EnableBit::ALL {
        a.text(name, word(o.enableflags & bit as i32 != 0));
    }
    a
}

fn sizes(s: &Sizes) -> Attributes {
    let mut a = Attributes::default();
    if let Some(memory) = s.memory {
        a.number("memory", memory);
    }
    a.number("njmax", s.njmax);
    a.number("nconmax", s.nconmax);
    a.number("nstack", s.nstack);
    a.number("nuserdata", s.nuserdata);
    a.number("nkey", s.nkey);
    a.number("nuser_body", s.nuser_body);
    a.number("nuser_jnt", s.nuser_jnt);
    a.number("nuser_geom", s.nuser_geom);
    a.number("nuser_site", s.nuser_site);
    a.number("nuser_cam", s.nuser_cam);
    a.number("nuser_tendon", s.nuser_tendon);
    a.number("nuser_actuator", s.nuser_actuator);
    a.number("nuser_sensor", s.nuser_sensor);
    a
}

fn statistic(s: &StatisticOverride) -> Attributes {
    let mut a = Attributes::default();
    for (name, value) in [
        ("meaninertia", s.meaninertia),
        ("meanmass", s.meanmass),
        ("meansize", s.meansize),
        ("extent", s.extent),
    ] {
        if let Some(value) = value {
            a.number(name, value);
        }
    }
    if let Some(center) = s.center {
        a.numbers("center", &center);
    }
    a
}
