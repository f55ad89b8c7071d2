//! The generated dispatch over the groups of pairs.

use super::{Collision, Function, Group};
use crate::kernel::Pass;
use crate::shader::{Emitter, emit};
use std::ops::Range;

impl Collision {
    /// The function `collision` and the functions that it calls for each group of pairs, or `collide_pair` of the
    /// narrow-phase pass.
    pub(crate) fn emit(&self, pass: Pass) -> String {
        let mut out = Emitter::default();
        if pass == Pass::NarrowPhase {
            self.emit_pair(&mut out);
            return out.finish();
        }
        let count = |group: &Group| group.pairs.len();
        let short = || self.groups.iter().filter(|group| !group.function().is_long());
        let (nshort, total) = (short().map(count).sum::<usize>(), self.npair);
        let mut ranges = Vec::new();
        if nshort > 0 {
            let name = "collide_short".to_string();
            ranges.push(PairRange { pairs: 0..nshort, test: "broadphase_bits", function: name });
            emit_short(&mut out, short());
        }
        let test = "expired_pair_bits";
        if pass != Pass::Single && nshort < total {
            let name = "collide_long".to_string();
            let axes = self.has_axes(pass).then(|| self.fields_start());
            emit_obb_test(&mut out, &name, axes, "list_deferred(p, overlaps);");
            let mut long = |pairs: Range<usize>| {
                if !pairs.is_empty() {
                    ranges.push(PairRange { pairs, test, function: name.clone() });
                }
            };
            match self.hfield_spheres() {
                None => long(nshort..total),
                Some(spheres) => {
                    long(nshort..spheres.start);
                    long(spheres.end..total);
                    let function = "collide_hfield_sphere".to_string();
                    ranges.push(PairRange { pairs: spheres, test, function });
                }
            }
        } else {
            let mut start = nshort;
            for group in self.groups.iter().filter(|group| group.function().is_long()) {
                let (name, end) = (group.function().name(), start + count(group));
                let (function, narrow) = (format!("collide_{name}"), format!("contacts_{name}"));
                emit_obb_test(&mut out, &function, None, &format!("{narrow}(p, overlaps);"));
                emit_long(&mut out, &narrow, group.function());
                ranges.push(PairRange { pairs: start..end, test, function });
                start = end;
            }
        }
        self.emit_distances(&mut out);
        emit!(out, open "fn collision(resumed: bool)");
        emit!(out, "suspend_requested = false;");
        // a resumed environment has found all contacts but those of the narrow-phase pass
        if pass == Pass::Second {
            emit!(out, open "if !resumed");
        }
        emit!(out, "ncon = 0u;");
        if self.has_long() {
            emit!(out, "update_displacements();");
            if pass != Pass::Single {
                emit!(out, "deferred_count = 0u;");
            }
        }
        for range in &ranges {
            range.emit(&mut out, self.lanes);
        }
        if pass == Pass::Second {
            out.close();
            if self.has_long() {
                emit!(out, "if resumed {{ store_deferred_contacts(); }}");
            }
        }
        emit!(out, "find_coupling();");
        out.close();
        out.finish()
    }

    /// The function that tests one pair with a long function.
    fn emit_pair(&self, out: &mut Emitter) {
        emit!(out, open "fn collide_pair(contacts: ptr<function, ContactPoints>, p: u32)");
        emit!(out, "let routine = ti[PAIR_ROUTINE + p];");
        for (k, group) in self.groups.iter().enumerate() {
            let function = group.function();
            if !function.is_long() {
                continue;
            }
            emit!(out, open "if routine == {k}u");
            emit!(out, "var ws: {};", function.scratch());
            let name = function.name();
            emit!(out, "{name}(contacts, &ws, {POSES}, f4(PAIR_DISTANCES, p).y);");
            out.close();
        }
        out.close();
    }
}

/// A range of pairs that is tested by one function.
struct PairRange {
    pairs: Range<usize>,
    /// Function that selects the pairs to test.
    test: &'static str,
    /// Function that tests a pair in each lane.
    function: String,
}

impl PairRange {
    /// Selects up to 32 pairs in each lane and distributes them over the lanes, one at a time.
    fn emit(&self, out: &mut Emitter, lanes: usize) {
        let Range { start, end } = self.pairs;
        // a loop adds instructions even if it has a single iteration
        if self.pairs.len() <= 32 * lanes {
            emit!(out, "{{");
            emit!(out, "let start = {start}u;");
        } else {
            emit!(out, "for (var start = {start}u; start < {end}u; start += 32u * LANES) {{");
        }
        emit!(out, "var bits = {}(start, {end}u);", self.test);
        emit!(out, open "loop");
        emit!(out, "let count = queue_pairs(&bits, start);");
        emit!(out, "if count == 0u {{ break; }}");
        emit!(out, "let p = u32(w[PAIR_QUEUE + lane]);");
        emit!(out, "// the queue is refilled after this barrier");
        emit!(out, "sync();");
        emit!(out, "{}(p, lane < count);", self.function);
        emit!(out, "if count <= LANES {{ break; }}");
        out.close();
        emit!(out, "}}");
    }
}

/// Poses of a pair's geoms. Each function loads its own: sharing them would occupy registers for the others.
const POSES: &str = "geom_pose(geom1(p)), geom_pose(geom2(p))";

/// The function of all short narrow-phase functions.
fn emit_short<'a>(out: &mut Emitter, groups: impl Iterator<Item = &'a Group>) {
    emit!(out, open "fn collide_short(p: u32, queued: bool)");
    emit!(out, "var contacts: ContactPoints;");
    emit!(out, "pair_ncon = 0u;");
    emit!(out, open "if queued");
    emit!(out, "let margin = f4(PAIR_DISTANCES, p).y;");
    emit!(out, "let routine = ti[PAIR_ROUTINE + p];");
    for (k, group) in groups.enumerate() {
        let name = group.function().name();
        // capsule-box is long enough to be worth another test
        let test = match group.function() {
            Function::CapsuleBox => format!(" && obb_separation({POSES}, p) <= 0.0"),
            _ => String::new(),
        };
        emit!(out, "if routine == {k}u{test} {{ {name}(&contacts, {POSES}, margin); }}");
    }
    out.close();
    emit!(out, "store_contacts(&contacts, p);");
    out.close();
}

/// A function that tests oriented bounding boxes first, and then separating axes of the pairs before `axes`, if the
/// kernel has any, and continues with `then` if the geoms of any lane may overlap.
fn emit_obb_test(out: &mut Emitter, name: &str, axes: Option<usize>, then: &str) {
    emit!(out, open "fn {name}(p: u32, queued: bool)");
    emit!(out, "var overlaps = queued;");
    emit!(out, "if queued {{ overlaps = obb_overlap(p); }}");
    if let Some(end) = axes {
        emit!(out, "if overlaps && p < {end}u {{ overlaps = !axis_separates(p); }}");
    }
    emit!(out, "if workgroup_any(overlaps) {{ {then} }}");
    out.close();
}

/// The function of a long narrow-phase function.
fn emit_long(out: &mut Emitter, name: &str, function: Function) {
    emit!(out, open "fn {name}(p: u32, overlaps: bool)");
    emit!(out, "var contacts: ContactPoints;");
    emit!(out, "var ws: {};", function.scratch());
    emit!(out, "pair_ncon = 0u;");
    emit!(out, "pair_separation = 0.0;");
    emit!(out, open "if overlaps");
    emit!(out, "{}(&contacts, &ws, {POSES}, f4(PAIR_DISTANCES, p).y);", function.name());
    emit!(out, "if pair_ncon == 0u {{ store_separation(p, pair_separation); }}");
    out.close();
    emit!(out, "store_contacts(&contacts, p);");
    out.close();
}
