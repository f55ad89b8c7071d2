//! Reader of the `compiler/lengthrange` element.

use super::Reader;
use crate::xml::NodeId;
use sim_core::types::LengthRangeMode;

impl Reader<'_> {
    /// Reads the `lengthrange` children of a `compiler` element.
    pub(super) fn length_range(&mut self, compiler: NodeId) {
        for id in self.children(compiler) {
            let mut o = self.spec.compiler.lengthrange.clone();
            self.keyword(
                id,
                "mode",
                &[
                    ("none", LengthRangeMode::None),
                    ("muscle", LengthRangeMode::Muscle),
                    ("muscleuser", LengthRangeMode::MuscleUser),
                    ("all", LengthRangeMode::All),
                ],
                &mut o.mode,
            );
            self.boolean(id, "useexisting", &mut o.useexisting);
            self.boolean(id, "uselimit", &mut o.uselimit);
            for (name, target) in [
                ("accel", &mut o.accel),
                ("maxforce", &mut o.maxforce),
                ("timeconst", &mut o.timeconst),
                ("timestep", &mut o.timestep),
                ("inttotal", &mut o.inttotal),
                ("interval", &mut o.interval),
                ("tolrange", &mut o.tolrange),
            ] {
                self.real(id, name, target);
            }
            self.spec.compiler.lengthrange = o;
        }
    }
}
