//! Comparison of the recordings of two releases of MuJoCo at the same states, array by array.
//!
//! The tolerances are those of the comparison with our engine. There, each stage continues with the
//! oracle's results, which two recordings cannot do: the comparison ends at the first stage that differs.

use super::constraints::ROWS;
use super::contacts::{COLUMNS, Contacts, at_margin, groups, precision};
use super::stages::{self, MOMENT, dense, excluded};
use super::structure::{self, structure_of};
use super::trajectory::distance;
use super::{Outcome, Trajectory};
use crate::golden::INTEGRATORS;
use crate::known::NOT_COMPARED;
use crate::{Archive, tolerance};
use sim_core::types::{GeomType, SensorStage, SensorType};
use sim_core::{Data, FieldInfo, Model, Stage};
use std::collections::BTreeMap;
use std::ops::Range;

/// Differences of a release from the reference.
#[derive(Debug)]
pub struct Releases {
    /// The compiled model.
    pub model: Outcome,
    /// Contacts, stages and functions, up to the first stage that differs.
    pub stages: Outcome,
    /// The trajectory with the largest drift.
    pub trajectory: Trajectory,
}

/// Compares the recording of another release with that of the reference.
#[must_use]
pub fn releases(reference: &Archive, other: &Archive) -> Releases {
    let two = Two { reference, other };
    Releases { model: two.model(), stages: two.stages(), trajectory: two.trajectory() }
}

/// Two recordings of the same model.
#[derive(Clone, Copy)]
struct Two<'a> {
    reference: &'a Archive,
    other: &'a Archive,
}

impl Two<'_> {
    /// Compares sizes, options, statistics and every array of the compiled model.
    fn model(self) -> Outcome {
        let mut out = Outcome::default();
        let compared = |name: &str| !NOT_COMPARED.iter().any(|(field, _)| *field == name);
        for (stage, prefix, tolerance) in [
            ("size", "size/", 0.0),
            ("option", "opt/", tolerance::MODEL),
            ("statistic", "stat/", tolerance::MODEL),
        ] {
            for name in self.reference.names(prefix).filter(|name| compared(name)) {
                self.array(&mut out, stage, prefix, name, tolerance);
            }
        }
        for field in Model::FIELDS.iter().filter(|field| compared(field.name)) {
            if !structure::FIELDS.contains(&field.name) {
                let tolerance = match field.element {
                    "f64" => tolerance::MODEL,
                    "f32" => tolerance::MODEL_F32,
                    _ => 0.0,
                };
                self.array(&mut out, "compile", "model/", field.name, tolerance);
            }
        }
        if out.agrees() {
            structure_of(&mut out, self.other, self.reference);
        }
        out
    }

    /// Compares one array of the model.
    fn array(self, out: &mut Outcome, stage: &str, prefix: &str, name: &str, tolerance: f64) {
        let array = format!("{prefix}{name}");
        if !out.skips(self.other, &array) {
            let (theirs, ours) = (self.reference.get(&array), self.other.get(&array));
            out.reals(stage, name, tolerance, ours, theirs);
        }
    }

    /// Compares the stages in pipeline order, up to the first that differs.
    fn stages(self) -> Outcome {
        let mut fields: Vec<&FieldInfo> = Data::FIELDS.iter().filter(|f| !excluded(f)).collect();
        fields.sort_by_key(|field| field.stage);
        let before = |stage: Stage| fields.partition_point(|field| field.stage < stage);
        let (collision, solver) = (before(Stage::Collision), before(Stage::FwdConstraint));
        let mut out = Outcome::default();
        let parts: [&dyn Fn(&mut Outcome); 10] = [
            &|out| self.inputs(out),
            &|out| self.fields(out, &fields[..collision], 0.0),
            &|out| self.moments(out),
            &|out| self.contacts(out),
            &|out| self.fields(out, &fields[collision..solver], 0.0),
            &|out| self.rows(out),
            &|out| self.solution(out),
            // the solvers of both releases end at their tolerance
            &|out| self.fields(out, &fields[solver..], tolerance::SOLVED),
            &|out| self.sensors(out, tolerance::SOLVED),
            &|out| self.functions(out),
        ];
        for part in parts {
            part(&mut out);
            if !out.agrees() {
                break;
            }
        }
        out
    }

    /// Number of states of both recordings.
    fn states(self) -> usize {
        self.reference.count("in/time").min(self.other.count("in/time"))
    }

    /// Checks that the states are the same.
    fn inputs(self, out: &mut Outcome) {
        for name in ["in/qpos", "in/qvel", "in/ctrl"] {
            self.by_state(out, "state", name, name, 0.0);
        }
    }

    /// Compares an array at each state; `field` is its name in the report.
    fn by_state(self, out: &mut Outcome, stage: &str, array: &str, field: &str, tolerance: f64) {
        if out.skips(self.other, array) {
            return;
        }
        for k in 0..self.states() {
            let (theirs, ours) = (self.reference.row(array, k), self.other.row(array, k));
            // NaN marks a result that a release does not have at this state
            if ![ours, theirs].iter().any(|row| row.iter().any(|x| x.is_nan())) {
                out.reals(stage, field, tolerance, ours, theirs);
            }
        }
    }

    /// Compares arrays of the data, with a tolerance of at least `least`.
    fn fields(self, out: &mut Outcome, fields: &[&FieldInfo], least: f64) {
        for field in fields {
            let Some(tolerance) = tolerance::of(field.stage) else { continue };
            let real = field.element == "f64";
            let tolerance = if real { tolerance.max(least) } else { 0.0 };
            let array = format!("out/{}", field.name);
            self.by_state(out, field.stage.function(), &array, field.name, tolerance);
        }
    }

    /// Compares the results of the constraint solver.
    fn solution(self, out: &mut Outcome) {
        for name in ["qacc", "qfrc_constraint"] {
            let stage = Stage::FwdConstraint.function();
            self.by_state(out, stage, &format!("out/{name}"), name, tolerance::SOLVED);
        }
    }

    /// Compares the moment arms as a dense matrix.
    fn moments(self, out: &mut Outcome) {
        let size = |name: &str| self.reference.number(&format!("size/{name}")).unwrap_or(0.0);
        let shape = [size("nu") as usize, size("nv") as usize];
        let Some(tolerance) = tolerance::of(Stage::Transmission) else { return };
        for k in 0..self.states() {
            let [ours, theirs] = [self.other, self.reference].map(|archive| {
                dense(shape, MOMENT.map(|name| archive.row(&format!("out/{name}"), k)))
            });
            let stage = Stage::Transmission.function();
            out.reals(stage, "actuator_moment", tolerance, &ours, &theirs);
        }
    }

    /// Compares the sensors one by one.
    fn sensors(self, out: &mut Outcome, solved: f64) {
        let Some(usual) = tolerance::of(Stage::Sensor) else { return };
        let get = |name: &str| self.reference.get(&format!("model/sensor_{name}"));
        let meshes = !self.reference.get("model/mesh_vert").is_empty();
        let columns = get("type").iter().zip(get("adr")).zip(get("dim")).zip(get("needstage"));
        for (((&kind, &adr), &dim), &stage) in columns {
            let kind = SensorType::from_number(kind as i32);
            let early = stage < f64::from(SensorStage::Acc.number());
            let tolerance = if early { usual } else { usual.max(solved) };
            let least = kind.map_or(0.0, |kind| stages::precision(kind, meshes));
            let name = kind.map_or_else(String::new, |kind| format!("sensordata of {kind:?}"));
            let range = adr as usize..(adr + dim) as usize;
            for k in 0..self.states() {
                let row = |a: &Archive| {
                    a.row("out/sensordata", k).get(range.clone()).map(<[f64]>::to_vec)
                };
                let (ours, theirs) = (row(self.other), row(self.reference));
                let (ours, theirs) = (ours.unwrap_or_default(), theirs.unwrap_or_default());
                out.reals("mj_sensor", &name, tolerance.max(least), &ours, &theirs);
            }
        }
    }

    /// Compares the contacts pair by pair.
    fn contacts(self, out: &mut Outcome) {
        let stage = Stage::Collision.function();
        let (mut one, mut two) =
            (Contacts::recorded(self.reference), Contacts::recorded(self.other));
        while let (Some(theirs), Some(ours)) = (one.advance(), two.advance()) {
            out.compared += 1;
            let mut rest = groups(ours, |i| two.geoms(i));
            for (pair, theirs) in groups(theirs, |i| one.geoms(i)) {
                match rest.iter().position(|(geoms, _)| *geoms == pair) {
                    Some(at) => {
                        let ours = rest.remove(at).1;
                        self.group(out, (&two, ours), (&one, theirs));
                    }
                    None if theirs.clone().all(|i| one.sensitive_to_rounding(i)) => {}
                    None => {
                        let field = format!("contact of {}", self.pair_name(pair));
                        out.push(stage, &field, f64::INFINITY, 0.0, "only in the reference".into());
                    }
                }
            }
            for (pair, mut range) in rest {
                let at_margin =
                    |i| at_margin(two.row("dist", i)[0], two.row("includemargin", i)[0]);
                if !range.all(at_margin) {
                    let field = format!("contact of {}", self.pair_name(pair));
                    out.push(stage, &field, f64::INFINITY, 0.0, "not in the reference".into());
                }
            }
        }
    }

    /// Compares all contacts of one pair of geoms.
    fn group(
        self,
        out: &mut Outcome,
        (two, ours): (&Contacts<'_>, Range<usize>),
        (one, theirs): (&Contacts<'_>, Range<usize>),
    ) {
        let stage = Stage::Collision.function();
        let pair = one.geoms(theirs.start);
        if ours.len() != theirs.len() {
            if !theirs.clone().any(|i| one.spread(i, 0).is_infinite()) {
                let field = format!("number of contacts of {}", self.pair_name(pair));
                let detail = format!("{}, the reference has {}", ours.len(), theirs.len());
                out.push(stage, &field, f64::INFINITY, 0.0, detail);
            }
            return;
        }
        let tolerance = match pair.map(|geom| self.kind(geom)) {
            [Some(a), Some(b)] => precision([a, b]),
            _ => tolerance::ITERATIVE,
        };
        for (a, b) in ours.zip(theirs) {
            for (name, _) in COLUMNS {
                let spread = match name {
                    "dist" => one.spread(b, 0),
                    "pos" => one.spread(b, 1),
                    "frame" => one.spread(b, 2),
                    _ => 0.0,
                };
                let tolerance = tolerance + tolerance::DRIFT_FACTOR * spread;
                let field = format!("contact.{name} of {}", self.pair_name(pair));
                out.reals(stage, &field, tolerance, two.row(name, a), one.row(name, b));
            }
        }
    }

    fn kind(self, geom: i32) -> Option<GeomType> {
        let kinds = self.reference.get("model/geom_type");
        GeomType::from_number(*kinds.get(usize::try_from(geom).ok()?)? as i32)
    }

    /// Types of two geoms.
    fn pair_name(self, geoms: [i32; 2]) -> String {
        let name = |geom| self.kind(geom).map_or("Flex".into(), |kind| format!("{kind:?}"));
        geoms.map(name).join(" – ")
    }

    /// Compares the constraint rows and their Jacobian.
    fn rows(self, out: &mut Outcome) {
        let stage = Stage::MakeConstraint;
        let (Some(tolerance), get) = (tolerance::of(stage), |a: &Archive, name: &str| {
            a.get(&format!("efc/{name}")).to_vec()
        }) else {
            return;
        };
        let both = |name: &str| [get(self.other, name), get(self.reference, name)];
        let [ours, theirs] = both("count");
        out.reals(stage.function(), "nefc", 0.0, &ours, &theirs);
        if !out.agrees() {
            return;
        }
        for name in ROWS {
            if out.skips(self.other, &format!("efc/{name}")) {
                continue;
            }
            let width = if name == "KBIP" { 4 } else { 1 };
            let [ours, theirs] = both(name);
            // each row has its own scale
            for (ours, theirs) in ours.chunks(width).zip(theirs.chunks(width)) {
                out.reals(stage.function(), &format!("efc_{name}"), tolerance, ours, theirs);
            }
        }
        let (ours, theirs) = (entries(self.other), entries(self.reference));
        let value = |map: &BTreeMap<_, f64>, key| map.get(key).copied().unwrap_or(0.0);
        let keys = || ours.keys().chain(theirs.keys());
        let ours_of: Vec<f64> = keys().map(|key| value(&ours, key)).collect();
        let theirs_of: Vec<f64> = keys().map(|key| value(&theirs, key)).collect();
        out.reals(stage.function(), "efc_J", tolerance, &ours_of, &theirs_of);
    }

    /// Compares functions of the state. Not compared are distances, rays and finite differences, whose
    /// tolerances depend on the engine's own noise.
    fn functions(self, out: &mut Outcome) {
        let names: Vec<&str> = self.reference.names("fn/").collect();
        for name in names {
            let tolerance = match name {
                _ if ["fd", "pair", "ray"].iter().any(|start| name.starts_with(start)) => continue,
                _ if name.starts_with("object_acceleration") || name.starts_with("derivative") => {
                    tolerance::SOLVED
                }
                _ => tolerance::FUNCTION,
            };
            self.by_state(out, "function", &format!("fn/{name}"), name, tolerance);
        }
    }

    /// Compares the trajectories; returns that of the largest ratio of drift to allowed drift.
    fn trajectory(self) -> Trajectory {
        let names = INTEGRATORS.into_iter().chain(["own"]);
        let recorded = |name: &&str| self.reference.number(&format!("traj/{name}/steps")).is_some();
        let all = names.filter(recorded).map(|name| self.drift(name));
        let none = Trajectory {
            ratio: 0.0,
            step: 0,
            drift: 0.0,
            error: Some("no trajectory is recorded".into()),
        };
        all.reduce(|a, b| if b.error.is_some() || b.ratio > a.ratio { b } else { a })
            .unwrap_or(none)
    }

    /// Drift of one trajectory, up to the end of the shorter one.
    fn drift(self, name: &str) -> Trajectory {
        let get =
            |archive: &Archive, field: &str| archive.get(&format!("traj/{name}/{field}")).to_vec();
        let number = |archive: &Archive, field: &str| get(archive, field).first().copied();
        let [steps, others] =
            [self.reference, self.other].map(|a| number(a, "steps").unwrap_or(0.0));
        let stride = number(self.reference, "stride").unwrap_or(1.0).max(1.0);
        let (drift, scale) = (get(self.reference, "drift"), get(self.reference, "scale"));
        let mut worst = Trajectory { ratio: 0.0, step: 0, drift: 0.0, error: None };
        if steps != others {
            worst.error = Some(format!("the releases take {steps} and {others} steps"));
        }
        for (field, scale) in ["qpos", "qvel"].into_iter().zip(scale) {
            let (theirs, ours) = (get(self.reference, field), get(self.other, field));
            let width = theirs.len() / drift.len().max(1);
            if width == 0 {
                continue;
            }
            let rows = ours.chunks(width).zip(theirs.chunks(width)).zip(&drift).enumerate();
            for (row, ((ours, theirs), allowed)) in rows {
                let drift = distance(ours, theirs) / scale;
                let allowed = tolerance::DRIFT_FACTOR * allowed + tolerance::DRIFT_OFFSET;
                if drift / allowed > worst.ratio {
                    let step = row * stride as usize;
                    worst = Trajectory { ratio: drift / allowed, step, drift, ..worst };
                }
            }
        }
        worst
    }
}

/// Non-zero entries of the Jacobian of all states, by state, row and column.
fn entries(archive: &Archive) -> BTreeMap<(usize, usize, usize), f64> {
    let [rows, columns, values] =
        ["J_row", "J_column", "J_value"].map(|name| archive.get(&format!("efc/{name}")));
    let counts = archive.get("efc/entries").iter().enumerate();
    let states = counts.flat_map(|(state, &count)| std::iter::repeat_n(state, count as usize));
    let entries = states.zip(rows).zip(columns).zip(values);
    entries
        .map(|(((state, &row), &column), &value)| ((state, row as usize, column as usize), value))
        .filter(|(_, value)| *value != 0.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::releases;
    use crate::{Archive, REFERENCE};

    /// A sphere on a plane: one state, one contact at a distance, one trajectory of ten steps.
    fn recording(version: &str, dist: f64, drift: f64) -> Archive {
        let arrays: &[(&str, &[f64])] = &[
            ("size/nv", &[1.0]),
            ("size/nu", &[0.0]),
            ("model/geom_type", &[0.0, 2.0]),
            ("in/time", &[0.0]),
            ("in/qpos", &[0.5]),
            ("in/qvel", &[0.1]),
            ("contact/count", &[1.0]),
            ("contact/geom", &[0.0, 1.0]),
            ("contact/dist", &[dist]),
            ("contact/includemargin", &[0.0]),
            ("traj/own/steps", &[10.0]),
            ("traj/own/stride", &[10.0]),
            ("traj/own/drift", &[0.0, 1e-9]),
            ("traj/own/scale", &[1.0, 1.0]),
            ("traj/own/qpos", &[0.5, 0.6 + drift]),
            ("traj/own/qvel", &[0.1, 0.1]),
        ];
        Archive::of_arrays(version, arrays)
    }

    #[test]
    fn equal_recordings_agree_and_missing_arrays_are_skipped() {
        let result = releases(&recording(REFERENCE, -0.01, 0.0), &recording("4.0.1", -0.01, 5e-9));
        assert!(result.model.agrees() && result.stages.agrees() && result.trajectory.agrees());
        assert!(result.stages.compared > 0);
        assert!(result.model.skipped.contains("model/geom_pos"));
        assert!(!result.model.skipped.contains("model/geom_type"));
        assert!(result.stages.skipped.contains("out/xpos"));
    }

    #[test]
    fn contacts_are_compared_by_pair_of_geoms() {
        let result = releases(&recording(REFERENCE, -0.01, 0.0), &recording("4.0.1", -0.02, 0.0));
        let fields: Vec<&str> = result.stages.differences.iter().map(|d| &*d.field).collect();
        assert_eq!(fields, ["contact.dist of Plane – Sphere"]);
    }

    #[test]
    fn drift_is_limited_by_that_of_the_reference() {
        let result = releases(&recording(REFERENCE, -0.01, 0.0), &recording("4.0.1", -0.01, 1e-6));
        assert!(!result.trajectory.agrees());
        assert_eq!(result.trajectory.step, 10);
    }
}
