//! Changes between releases of MuJoCo that explain a difference, as a table of rules.

use crate::Archive;
use crate::compare::{Difference, Releases};
use sim_core::Stage;
use sim_core::types::{
    DisableBit, EnableBit, EqType, GainType, GeomType, Integrator, JointType, SolverType, WrapType,
};

/// A difference of the other release from the reference.
struct Facts<'a> {
    part: Part<'a>,
    reference: &'a Archive,
}

/// What differs.
enum Part<'a> {
    /// The other release rejects the model, with this error.
    Rejected(&'a str),
    /// An array of the compiled model.
    Model(&'a str),
    /// Contacts, by the types of the two geoms and the field.
    Contact(&'a str),
    /// An array of a stage before the constraint solver, a sensor or a function.
    Stage(&'a str),
    /// A result of the constraint solver.
    Solver,
    /// Only the trajectory.
    Trajectory,
}

/// A change of MuJoCo.
struct Change {
    /// The first release with the change.
    release: &'static str,
    what: &'static str,
    /// Whether the change explains a difference.
    explains: fn(&Facts<'_>) -> bool,
}

/// All changes that affect existing models; the first one that explains a difference is reported.
const CHANGES: &[Change] = &[
    Change {
        release: "3.12",
        what: "`input` of DC motors",
        explains: |f| {
            f.rejected("keyword") && f.has("actuator_gaintype", GainType::DcMotor.number())
        },
    },
    Change {
        release: "3.12",
        what: "custom texture format removed",
        explains: |f| f.rejected("content type"),
    },
    Change {
        release: "4.0",
        what: "stricter checks of fixed tendons",
        explains: |f| f.rejected("tendon") && f.rejected("repeated"),
    },
    Change {
        release: "3.16",
        what: "bounding volumes of fused bodies",
        explains: |f| f.model("nbvh"),
    },
    Change {
        release: "3.12",
        what: "numbers of actuator types",
        explains: |f| {
            let kinds = ["actuator_dyntype", "actuator_gaintype", "actuator_biastype"];
            kinds.iter().any(|field| f.model(field))
        },
    },
    Change {
        release: "3.16",
        what: "defaults of actuator shortcuts",
        explains: |f| f.model("actuator_dynprm"),
    },
    Change { release: "3.16", what: "keyframes are not replicated", explains: |f| f.model("nkey") },
    Change { release: "4.0", what: "`composite` removed", explains: |f| f.rejected("composite") },
    Change { release: "4.0", what: "`flexvert` removed", explains: |f| f.rejected("flexvert") },
    Change {
        release: "4.0",
        what: "cable plugin removed",
        explains: |f| f.rejected("elasticity.cable"),
    },
    Change {
        release: "3.15",
        what: "flex attribute `internal` removed",
        explains: |f| f.rejected("internal"),
    },
    Change {
        release: "3.11",
        what: "default of `sleep_tolerance`",
        explains: |f| f.model("sleep_tolerance"),
    },
    Change {
        release: "3.11",
        what: "`body_margin` includes the gap",
        explains: |f| f.model("body_margin"),
    },
    Change {
        release: "3.12",
        what: "mocap bodies are weld groups of their own",
        explains: |f| f.model("body_weldid"),
    },
    Change {
        release: "3.11",
        what: "mesh normals scaled as covectors",
        explains: |f| f.model("mesh_normal"),
    },
    Change {
        release: "3.17",
        what: "polygon normals from all vertices",
        explains: |f| f.model("mesh_polynormal"),
    },
    Change {
        release: "3.15",
        what: "`dampratio` with operational-space inertia",
        explains: |f| f.model("actuator_biasprm"),
    },
    Change {
        release: "3.14",
        what: "tendon `actuatorfrclimited` is auto",
        explains: |f| f.model("tendon_actfrclimited"),
    },
    Change {
        release: "3.9",
        what: "meaning of margin and gap",
        explains: |f| f.contact_field("includemargin") || f.contact_field("exclude"),
    },
    Change {
        release: "3.13",
        what: "plane–mesh collider",
        explains: |f| f.contact(&[GeomType::Plane], &[GeomType::Mesh]),
    },
    Change {
        release: "3.12",
        what: "box–box collider",
        explains: |f| f.contact(&[GeomType::Box], &[GeomType::Box]),
    },
    Change {
        release: "3.13",
        what: "contacts of cylinders",
        explains: |f| f.contact(&[GeomType::Cylinder], GeomType::ALL),
    },
    Change {
        release: "3.15",
        what: "contacts of capsules with convex geoms",
        explains: |f| {
            f.contact(
                &[GeomType::Capsule],
                &[GeomType::Mesh, GeomType::Ellipsoid, GeomType::HField],
            )
        },
    },
    Change {
        release: "4.0",
        what: "convex collision (CCD, multicontact)",
        explains: |f| {
            let convex = [GeomType::Mesh, GeomType::Ellipsoid, GeomType::HField];
            f.contact(&convex, GeomType::ALL)
        },
    },
    Change {
        release: "4.0",
        what: "sidesite rule of tendons",
        explains: |f| f.stage("ten_") && f.has_wrapping(),
    },
    Change {
        release: "3.9",
        what: "tactile sensors report depth",
        explains: |f| f.stage("sensordata of Tactile"),
    },
    Change {
        release: "3.14",
        what: "weld and tendon forces in force and torque sensors",
        explains: |f| {
            let fields = ["sensordata of Force", "sensordata of Torque", "cfrc_"];
            fields.iter().any(|field| f.stage(field)) && (f.has_weld() || f.has_spatial_tendon())
        },
    },
    Change {
        release: "4.0",
        what: "acceleration of static bodies",
        explains: |f| {
            let fields = ["sensordata of Accelerometer", "sensordata of FrameLinAcc"];
            f.stage("object_acceleration") || fields.iter().any(|field| f.stage(field))
        },
    },
    Change {
        release: "4.0",
        what: "discrete inverse dynamics without dampers",
        explains: |f| f.stage("inverse_discrete") && f.disables(DisableBit::Damper),
    },
    Change {
        release: "3.11",
        what: "gyroscopic derivatives of free bodies",
        explains: |f| f.stage("derivative") && f.has_joint(&[JointType::Free]),
    },
    Change {
        release: "4.0",
        what: "derivatives of saturated actuators",
        explains: |f| f.stage("derivative") && f.has("actuator_forcelimited", 1),
    },
    Change {
        release: "3.8.1",
        what: "order of PGS",
        explains: |f| f.solver() && f.uses_solver(SolverType::Pgs),
    },
    Change {
        release: "3.10",
        what: "directions of CG",
        explains: |f| f.solver() && f.uses_solver(SolverType::Cg),
    },
    Change {
        release: "3.11",
        what: "early exits of Newton",
        explains: |f| f.solver() && f.uses_solver(SolverType::Newton),
    },
    Change {
        release: "4.0",
        what: "order of RK4 for ball and free joints",
        explains: |f| {
            f.trajectory()
                && f.uses_integrator(&[Integrator::Rk4])
                && f.has_joint(&[JointType::Free, JointType::Ball])
        },
    },
    Change {
        release: "3.8.1",
        what: "rotation of free bodies with implicit integrators",
        explains: |f| {
            let implicit = [Integrator::Implicit, Integrator::ImplicitFast];
            f.trajectory() && f.uses_integrator(&implicit) && f.has_joint(&[JointType::Free])
        },
    },
    Change {
        release: "3.11",
        what: "falling asleep",
        explains: |f| f.trajectory() && f.enables(EnableBit::Sleep),
    },
    Change {
        release: "3.11",
        what: "termination of the solver",
        explains: |f| f.trajectory() && f.has_constraints(),
    },
];

impl Facts<'_> {
    fn rejected(&self, word: &str) -> bool {
        matches!(self.part, Part::Rejected(error) if error.contains(word))
    }

    fn model(&self, name: &str) -> bool {
        matches!(self.part, Part::Model(field) if field == name)
    }

    fn contact_field(&self, name: &str) -> bool {
        matches!(self.part, Part::Contact(field) if field.starts_with(&format!("contact.{name} ")))
    }

    /// Whether contacts of two geom types differ, one of each list.
    fn contact(&self, one: &[GeomType], two: &[GeomType]) -> bool {
        let Part::Contact(field) = self.part else { return false };
        let Some((_, pair)) = field.split_once(" of ") else { return false };
        let Some((a, b)) = pair.rsplit_once(" – ") else { return false };
        let a = a.rsplit(' ').next().unwrap_or(a);
        let is = |kinds: &[GeomType], name: &str| kinds.iter().any(|k| format!("{k:?}") == name);
        (is(one, a) && is(two, b)) || (is(one, b) && is(two, a))
    }

    fn stage(&self, start: &str) -> bool {
        matches!(self.part, Part::Stage(field) if field.starts_with(start))
    }

    /// Whether a result of the solver differs, or the forces and accelerations that follow from it.
    fn solver(&self) -> bool {
        let follows = self.stage("cacc") || self.stage("cfrc_");
        matches!(self.part, Part::Solver) || (follows && self.has_constraints())
    }

    fn trajectory(&self) -> bool {
        matches!(self.part, Part::Trajectory)
    }

    fn option(&self, name: &str) -> Option<i32> {
        self.reference.number(&format!("opt/{name}")).map(|number| number as i32)
    }

    fn uses_solver(&self, solver: SolverType) -> bool {
        self.option("solver") == Some(solver.number())
    }

    fn uses_integrator(&self, integrators: &[Integrator]) -> bool {
        integrators.iter().any(|i| self.option("integrator") == Some(i.number()))
    }

    fn enables(&self, bit: EnableBit) -> bool {
        self.option("enableflags").is_some_and(|flags| flags & bit as i32 != 0)
    }

    fn disables(&self, bit: DisableBit) -> bool {
        self.option("disableflags").is_some_and(|flags| flags & bit as i32 != 0)
    }

    fn has_constraints(&self) -> bool {
        self.reference.get("efc/count").iter().any(|&count| count > 0.0)
    }

    fn has(&self, array: &str, number: i32) -> bool {
        self.reference.get(&format!("model/{array}")).contains(&f64::from(number))
    }

    fn has_joint(&self, kinds: &[JointType]) -> bool {
        kinds.iter().any(|kind| self.has("jnt_type", kind.number()))
    }

    fn has_weld(&self) -> bool {
        self.has("eq_type", EqType::Weld.number())
    }

    fn has_spatial_tendon(&self) -> bool {
        self.has("wrap_type", WrapType::Site.number())
    }

    fn has_wrapping(&self) -> bool {
        let kinds = [WrapType::Sphere, WrapType::Cylinder];
        kinds.iter().any(|kind| self.has("wrap_type", kind.number()))
    }
}

/// The changes up to a release that explain its differences from the reference: of the compiled model, of
/// the first stage that differs, and of the trajectory if no stage differs.
pub(super) fn of(
    version: &str,
    [reference, other]: [&Archive; 2],
    releases: Option<&Releases>,
) -> Vec<String> {
    let mut parts = Vec::new();
    if reference.loads() && !other.loads() {
        parts.push(Part::Rejected(other.error().unwrap_or_default()));
    }
    if let Some(Releases { model, stages, trajectory }) = releases {
        parts.extend(model.differences.first().map(|difference| Part::Model(&difference.field)));
        parts.extend(stages.differences.first().map(|difference| match &difference.stage {
            name if name == Stage::Collision.function() => Part::Contact(&difference.field),
            name if name == Stage::FwdConstraint.function() => Part::Solver,
            _ => Part::Stage(&difference.field),
        }));
        // functions of the state have no effect on the motion
        let moves = |difference: &Difference| difference.stage != "function";
        if !stages.differences.iter().any(moves) && !trajectory.agrees() {
            parts.push(Part::Trajectory);
        }
    }
    let mut reasons = Vec::new();
    for part in parts {
        let facts = Facts { part, reference };
        let mut known = CHANGES.iter().filter(|change| number(change.release) <= number(version));
        if let Some(change) = known.find(|change| (change.explains)(&facts)) {
            reasons.push(format!("{}: {}", change.release, change.what));
        }
    }
    reasons.dedup();
    reasons
}

/// The numbers of a release, for comparison.
fn number(release: &str) -> Vec<u32> {
    release.split('.').filter_map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{CHANGES, number};

    #[test]
    fn releases_are_ordered_by_their_numbers() {
        assert!(number("3.9") < number("3.17.0"));
        assert!(number("4.0") <= number("4.0.1"));
        assert!(number("4.0") > number("3.17.0"));
    }

    #[test]
    fn all_changes_are_later_than_the_reference() {
        for change in CHANGES {
            assert!(number(change.release) > number(crate::REFERENCE), "{}", change.what);
        }
    }
}
