//! The kernel of a model: its tables, its places in workgroup memory, its text.

use crate::cover;
use crate::fill;
use crate::sensors::Needs;
use crate::solve;
use crate::table::{Places, Tables};
use crate::teams::{TEAM, Teams};
use crate::{GpuBatchError, Options, Precision};
use sim_core::Model;
use sim_types::{Cone, DisableBit, Integrator, SolverType};
use std::fmt::Write;

/// Everything about a model that the device is given.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub tables: Tables,
    /// The text of each pass.
    pub texts: Vec<String>,
    /// Numbers of an environment's state: time, positions, velocities, activations, warm start.
    pub state: usize,
    /// Numbers of an environment's inputs: controls, applied forces.
    pub inputs: usize,
    /// What a probe writes for an environment.
    pub probe: Probe,
    /// Bytes of workgroup memory.
    pub bytes: usize,
    /// Numbers of an environment that one pass leaves to the next.
    pub halted: usize,
}

/// Where things are in what a probe writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probe {
    /// Numbers of an environment before these: what its sensors read, and the reward.
    pub start: usize,
    /// Numbers for each environment.
    pub len: usize,
    /// Names, places and lengths.
    pub named: Vec<(&'static str, usize, usize)>,
    /// Distance between rows of matrices.
    pub stride: usize,
    /// The column of each dof in matrices.
    pub columns: Vec<usize>,
}

/// How many contacts and rows an environment has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts.
    pub contacts: usize,
    /// Rows of all constraints together.
    pub rows: usize,
}

/// A number that a declaration of the tables gave a name.
fn constant(tables: &Tables, name: &str) -> usize {
    let start = format!("const {name}: u32 = ");
    let line = tables.constants.lines().find_map(|line| line.strip_prefix(&start));
    line.and_then(|rest| rest.trim_end_matches("u;").parse().ok()).unwrap_or(0)
}

impl Kernel {
    pub(crate) fn new(
        m: &Model,
        options: &Options,
        subgroups: bool,
        two_passes: bool,
    ) -> Result<Self, GpuBatchError> {
        cover::check(m)?;
        let (tables, needs) = fill::tables(m, options.one_lane)?;
        let teams = Teams::new(m, options.one_lane);
        let capacity = capacity(m, options, &tables);
        let elliptic = m.opt.cone == Cone::Elliptic;
        // one sum for each subgroup, or lane
        let sums = match subgroups {
            true if teams.lanes() == TEAM => 0,
            true => teams.lanes() / TEAM,
            false => teams.lanes(),
        };
        let ties = constant(&tables, "TIES") > 0;
        let columns = solve::columns(m.nv, &teams, subgroups, ties);
        let (places, indices) = places(m, &tables, capacity, elliptic, sums, options.probe, needs);
        let groups = teams.fours();
        // an odd distance between rows keeps the lanes out of each other's banks
        let stride = groups + (groups + 1) % 2;
        let (words, matrices) = (places.next(), stride * (m.nv + capacity.rows));
        let stored = in_storage(m, &teams, subgroups);
        let lanes = teams.lanes();
        let size = options.precision.bytes();
        let in_group = if stored { 0 } else { matrices };
        let needed = size * (words + 4 * (in_group + columns)) + 4 * indices.next();
        let wide = subgroups && lanes == TEAM && m.nv > MANY;
        let bytes = if wide { needed.max(ROOMY) } else { needed };
        // what the first of two passes leaves to the second
        let halted = match &tables.first {
            Some(_) if two_passes => words + if stored { 0 } else { 4 * stride * m.nv },
            _ => 0,
        };
        let inputs = m.nu + 7 * m.nmocap + if options.applied { m.nv } else { 0 };
        let mut text = String::new();
        header(&mut text, options.precision, elliptic, conjugate(m));
        text.push_str(&tables.constants);
        text.push_str(&places.constants);
        text.push_str(&indices.constants);
        for (name, value) in [
            ("NV4", groups),
            ("ROW4", stride),
            ("MAXCON", capacity.contacts),
            ("MAXROW", capacity.rows),
            ("W_SIZE", words),
            ("W_ROOM", words + (bytes - needed) / size),
            ("WU_SIZE", indices.next().max(1)),
            ("STATE_SIZE", state_size(m)),
            ("IN_CTRL", 0),
            ("IN_MOCAP", m.nu),
            ("IN_APPLIED", m.nu + 7 * m.nmocap),
            ("IN_SIZE", inputs),
            (
                "OUT_SIZE",
                m.nsensordata + 1 + if options.probe { words + 4 * matrices + 2 } else { 0 },
            ),
            ("HALTED_SIZE", halted),
            ("REWARD", m.nsensordata),
            ("PROBE_AT", m.nsensordata + 1),
            ("INFO", INFO),
            ("QUAT_STEP", QUAT_STEP),
            ("DOF_STEP", DOF_STEP),
            ("INERT_STEP", INERT_STEP),
            ("LANES", lanes),
        ] {
            writeln!(text, "const {name}: u32 = {value}u;").unwrap_or_default();
        }
        let motion = holds(&tables, needs) || constant(&tables, "NSENSOR") > 0;
        writeln!(text, "const MOTION: bool = {motion};").unwrap_or_default();
        writeln!(text, "const CONJUGATE: bool = {};", conjugate(m)).unwrap_or_default();
        let memory = in_memory(m, &teams);
        writeln!(text, "const IN_MEMORY: bool = {memory};").unwrap_or_default();
        writeln!(text, "const APPLIED: bool = {};", options.applied).unwrap_or_default();
        writeln!(text, "const PROBE: bool = {};", options.probe).unwrap_or_default();
        writeln!(text, "const TOLERANCE: real = {:e};", options.tolerance(m)).unwrap_or_default();
        text.push_str(if stored { IN_STORAGE } else { IN_WORKGROUP });
        text.push_str("fn sync() { workgroupBarrier(); }\n");
        // a barrier for storage empties caches, so it comes only where something has been written that other
        // lanes read: matrices, what is left for pairs
        text.push_str(match stored && (lanes > 32 || !subgroups) {
            true => "fn sync_matrices() { workgroupBarrier(); storageBarrier(); }\n",
            false => "fn sync_matrices() { workgroupBarrier(); }\n",
        });
        text.push_str(match lanes > 32 || !subgroups {
            true => "fn sync_storage() { workgroupBarrier(); storageBarrier(); }\n",
            false => "fn sync_storage() { workgroupBarrier(); }\n",
        });
        text.push_str(match (subgroups, lanes) {
            (false, _) => LANES_PORTABLE,
            (true, 32) => LANES_SUBGROUP,
            (true, _) => LANES_SEVERAL,
        });
        if subgroups {
            text.push_str(LANES_SUM);
        }
        text.push_str(match options.precision {
            Precision::Single => SINGLE,
            Precision::Double => DOUBLE,
        });
        for part in PARTS {
            text.push_str(part);
        }
        text.push_str(if m.opt.disabled(DisableBit::WarmStart) { COLD } else { NOT_COLD });
        writeln!(text, "const TASK: bool = {};", options.task.is_some()).unwrap_or_default();
        text.push_str(options.task.as_deref().unwrap_or(NO_TASK));
        let mut probe = Probe {
            start: m.nsensordata + 1,
            len: words + 4 * matrices + 2,
            named: places.named,
            stride: 4 * stride,
            columns: teams.columns(),
        };
        probe.named.push(("M", words, 4 * stride * m.nv));
        probe.named.push(("J", words + 4 * stride * m.nv, 4 * stride * capacity.rows));
        probe.named.push(("COUNTS", words + 4 * matrices, 2));
        let pass = |number: usize, collide: &str| {
            // the first leaves what is tied to the second
            let ties = number != 1 && ties;
            let solve = solve::text(
                m.nv,
                &teams,
                solve::Rows { elliptic, ties, conjugate: conjugate(m) },
                subgroups,
            );
            let columns = solve::columns(m.nv, &teams, subgroups, ties);
            let own = format!("const PASS: u32 = {number}u;\nconst COLUMNS: u32 = {columns}u;\n");
            let all = format!("{own}{text}{solve}{collide}");
            match options.one_lane {
                true => all.replace("workgroupBarrier();", "").replace("storageBarrier();", ""),
                false => all,
            }
        };
        let texts = match tables.first.as_ref().filter(|_| two_passes) {
            Some(first) => vec![pass(1, first), pass(2, &tables.collide)],
            None => vec![pass(0, &tables.collide)],
        };
        Ok(Self { tables, texts, state: state_size(m), inputs, probe, bytes, halted })
    }

    /// Numbers that are written for each environment.
    pub(crate) fn outputs(&self, options: &Options) -> usize {
        self.probe.start + if options.probe { self.probe.len } else { 0 }
    }

    /// Numbers of each environment that tell which geoms are apart.
    pub(crate) fn clearances(&self) -> usize {
        constant(&self.tables, "CLEAR_SIZE")
    }

    /// Numbers of each environment that are kept outside of workgroup memory.
    pub(crate) fn scratch(
        m: &Model,
        capacity: Capacity,
        options: &Options,
        subgroups: bool,
    ) -> usize {
        let teams = Teams::new(m, options.one_lane);
        let groups = teams.fours();
        let stride = groups + (groups + 1) % 2;
        let hessian = if in_memory(m, &teams) { m.nv } else { 0 };
        if in_storage(m, &teams, subgroups) {
            4 * stride * (m.nv + hessian + capacity.rows)
        } else {
            0
        }
    }

    pub(crate) fn capacity(m: &Model, options: &Options, tables: &Tables) -> Capacity {
        capacity(m, options, tables)
    }
}

/// Whether matrices are kept outside of workgroup memory: where there are many dofs, and where the
/// lanes of one subgroup go together and see what each other has written without a barrier for
/// storage. WGSL does not promise that; it holds on the cards that this is used on.
fn in_storage(m: &Model, teams: &Teams, subgroups: bool) -> bool {
    m.nv > teams.lanes().min(TEAM) || subgroups
}

/// Whether the solver is that of conjugate gradients; others are Newton's, which has the same minimum.
fn conjugate(m: &Model) -> bool {
    m.opt.solver == SolverType::Cg
}

/// Whether a Hessian may be kept there too: where there are more dofs than lanes, and where contacts can
/// tie teams.
fn in_memory(m: &Model, teams: &Teams) -> bool {
    m.nv > teams.lanes() || teams.len() > 1
}

fn state_size(m: &Model) -> usize {
    1 + m.nq + 2 * m.nv + m.na
}

fn capacity(m: &Model, options: &Options, tables: &Tables) -> Capacity {
    let pairs = constant(tables, "NPAIR") * constant(tables, "MAX_TOUCH");
    let contacts = options.contacts.unwrap_or(24 * m.ntree.max(1)).min(pairs).max(1);
    let fixed = constant(tables, "NE") + constant(tables, "NF");
    let limits = 2 * constant(tables, "NLIMIT");
    let most = fixed + limits + 10 * contacts.min(pairs);
    // as many rows as a contact can have here
    let each = match (m.opt.cone, constant(tables, "MAX_DIM")) {
        (_, 0 | 1) => 1,
        (Cone::Elliptic, dim) => dim,
        (Cone::Pyramidal, dim) => 2 * (dim - 1),
    };
    let usual = fixed + limits.min(8 + m.nv / 4) + each * contacts.min(pairs);
    // rows that are always there have room
    let rows = options.rows.unwrap_or(usual).min(most).max(fixed.max(1));
    Capacity { contacts, rows }
}

/// Whether bodies' velocities are needed after their inertial forces are known.
fn holds(tables: &Tables, needs: Needs) -> bool {
    constant(tables, "NHOLD") > 0 || needs.motion
}

/// Places for numbers and for indices. Memory of a workgroup decides how many environments a processor
/// has at once, so what is not needed at the same time shares a place, unless `apart`. `sums` is how many
/// numbers lanes exchange when they add something up.
fn places(
    m: &Model,
    tables: &Tables,
    capacity: Capacity,
    elliptic: bool,
    sums: usize,
    apart: bool,
    needs: Needs,
) -> (Places, Places) {
    let rows = capacity.rows;
    let moving = holds(tables, needs);
    let mut p = Places::default();
    p.apart = apart;
    // from step to step
    p.take("TIME", 1);
    p.take("QPOS", m.nq);
    p.take("QVEL", m.nv);
    p.take("ACT", m.na);
    // throughout a step
    p.take("REF", 3 * m.ntree);
    p.take("SMOOTH", m.nv);
    p.take("ACT_NEXT", m.na);
    // how forces of actuators, and behind them of tendons, change with speed
    let implicit = m.opt.integrator == Integrator::ImplicitFast;
    p.take("SLOPE", if implicit { m.nu + m.ntendon } else { 0 });
    p.take("MOMENT", constant(tables, "NWIDE") * m.nv);
    p.take("WIDE_LENGTH", constant(tables, "NWIDE"));
    p.take("TEN_LENGTH", m.ntendon);
    // the step of the solver before
    for name in ["OLD_GRAD", "OLD_STEP", "OLD_SEARCH"] {
        p.take(name, if conjugate(m) { m.nv } else { 0 });
    }
    // axes until there are rows, then what the solver works with
    let first = p.next();
    p.take("CDOF", DOF_STEP * m.nv);
    let after = p.next();
    p.back_to(if needs.motion { after } else { first });
    for name in ["QACC", "MA", "GRAD", "SEARCH", "MV"] {
        p.take(name, m.nv);
    }
    p.on_from(after);
    // poses, inertias; then contacts and shapes, then rows
    let poses = p.next();
    p.take("XPOS", 3 * m.nbody);
    p.take("XQUAT", QUAT_STEP * m.nbody);
    // sensors may read them at once
    let read = moving || constant(tables, "NSENSOR") > 0;
    let at_once = p.next();
    p.take("CVEL", if read { 6 * m.nbody } else { 0 });
    p.take("CACC", if read { 6 * m.nbody } else { 0 });
    let inertias = p.next();
    // the world has none
    p.take("INERT", INERT_STEP * (m.nbody - 1));
    p.back_to(inertias);
    p.take("ACTUATOR", m.nu);
    p.take("TEN_FORCE", m.ntendon);
    let start = if moving { inertias } else { poses };
    p.back_to(start);
    p.take("CON", 10 * capacity.contacts);
    let contacts = p.next();
    // poses are still read while shapes are placed
    p.on_from(if moving { inertias } else { at_once });
    p.take("GEOM", 9 * constant(tables, "NGEOM"));
    let clear = constant(tables, "CLEAR_SIZE") > 0;
    p.take("DOF_WAY", if clear { m.nv } else { 0 });
    p.take("BODY_WAY", if clear { m.nbody } else { 0 });
    p.take("QUEUE", constant(tables, "WAITING"));
    let forces = if needs.contacts { contacts } else { start };
    p.back_to(forces);
    p.take("EFC_AREF", rows);
    p.back_to(forces);
    p.take("EFC_FORCE", rows);
    p.on_from(contacts);
    p.take("EFC_D", rows);
    p.take("EFC_JAR", rows);
    p.take("EFC_JV", rows);
    p.take("EFC_LOSS", constant(tables, "NF"));
    p.back_to(start);
    p.take("DIAG", m.nv);
    p.skip_all();
    p.take("SUMS", 2 * sums);
    let mut u = Places::default();
    u.apart = apart;
    // pairs, and behind them rows
    u.take("CONTACT", capacity.contacts);
    u.take("CON_STATE", if elliptic { capacity.contacts } else { 0 });
    u.take("ROW_CONE", if elliptic { rows } else { 0 });
    let teams = constant(tables, "TEAMS");
    for name in ["ROW_TEAM", "ROW_LIST"] {
        u.take(name, if teams > 1 { rows } else { 0 });
    }
    u.take("TEAM_ROWS", if teams > 1 { teams } else { 0 });
    u.take("BOND", if teams > 1 { solve::BONDS } else { 0 });
    u.take("SCAN", sums);
    (p, u)
}

fn header(text: &mut String, precision: Precision, elliptic: bool, conjugate: bool) {
    let (real, tiny, parallel) = match precision {
        Precision::Single => ("f32", "1e-12", "1e-9"),
        Precision::Double => ("f64", "1e-15", "1e-15"),
    };
    // how much of the slope a line search leaves: directions are conjugate only after an exact one
    let search = match (conjugate, precision) {
        (false, _) => "0.01",
        (true, Precision::Single) => "1e-4",
        (true, Precision::Double) => "1e-9",
    };
    writeln!(
        text,
        "alias real = {real};
alias vec3r = vec3<{real}>;
alias vec4r = vec4<{real}>;
const MINVAL: real = {tiny};
const PARALLEL: real = {parallel};
const LS_TOLERANCE: real = {search};
const PI: real = 3.141592653589793;
const NONE: u32 = 0xffffffffu;
const SATISFIED: u32 = 0u;
const QUADRATIC: u32 = 1u;
const LINEAR_NEG: u32 = 2u;
const LINEAR_POS: u32 = 3u;
const CONE: u32 = 4u;
const OVERFLOW_CONTACTS: u32 = 1u;
const OVERFLOW_ROWS: u32 = 2u;
const DIVERGED: u32 = 4u;
const FIRST: u32 = 1u;
const SECOND: u32 = 2u;
const ELLIPTIC: bool = {elliptic};"
    )
    .unwrap_or_default();
}

/// Least bytes of an environment of so many dofs, found by measuring on the one card there was: with fewer, its
/// compiler kept numbers in memory that it had registers for.
const ROOMY: usize = 2840;
const MANY: usize = 24;

/// Distances between quaternions, axes and inertias.
const QUAT_STEP: usize = 4;
const DOF_STEP: usize = 6;
const INERT_STEP: usize = 16;

/// Numbers about an environment.
pub(crate) const INFO: usize = 8;

/// What stands in for a task.
const NO_TASK: &str =
    "fn reward() -> real { return real(0.0); }\nfn terminated() -> bool { return false; }\n";

const IN_WORKGROUP: &str = include_str!("wgsl/in_workgroup.wgsl");
const IN_STORAGE: &str = include_str!("wgsl/in_storage.wgsl");
const LANES_PORTABLE: &str = include_str!("wgsl/lanes_portable.wgsl");
const LANES_SEVERAL: &str = include_str!("wgsl/lanes_several.wgsl");
const LANES_SUM: &str = include_str!("wgsl/lanes_sum.wgsl");
const LANES_SUBGROUP: &str = include_str!("wgsl/lanes_subgroup.wgsl");
const SINGLE: &str = include_str!("wgsl/single.wgsl");
const DOUBLE: &str = include_str!("wgsl/double.wgsl");
const COLD: &str = include_str!("wgsl/cold.wgsl");
const NOT_COLD: &str = "fn start_cold() {}\n";

const PARTS: [&str; 13] = [
    include_str!("wgsl/main.wgsl"),
    include_str!("wgsl/crew.wgsl"),
    include_str!("wgsl/math.wgsl"),
    include_str!("wgsl/kinematics.wgsl"),
    include_str!("wgsl/force.wgsl"),
    include_str!("wgsl/drive.wgsl"),
    include_str!("wgsl/collide.wgsl"),
    include_str!("wgsl/rows.wgsl"),
    include_str!("wgsl/equality.wgsl"),
    include_str!("wgsl/newton.wgsl"),
    include_str!("wgsl/integrate.wgsl"),
    include_str!("wgsl/lone.wgsl"),
    include_str!("wgsl/sensor.wgsl"),
];

#[cfg(test)]
mod tests {
    use super::{Kernel, Options};
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use naga::valid::{ShaderStages, SubgroupOperationSet};
    use sim_types::{Cone, SolverType};
    use std::fmt::Write;

    /// What a card is given for single precision, which software drivers have no subgroups for.
    #[track_caller]
    fn texts_are_valid(xml: &str, change: impl Fn(&mut sim_core::Model)) -> usize {
        let mut m = sim_mjcf::load_str(xml).unwrap_or_else(|error| panic!("{error}"));
        change(&mut m);
        let made = Kernel::new(&m, &Options::default(), true, true).expect("a kernel");
        for text in &made.texts {
            let module = naga::front::wgsl::parse_str(text)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
            Validator::new(ValidationFlags::all(), Capabilities::all())
                .subgroup_stages(ShaderStages::COMPUTE)
                .subgroup_operations(SubgroupOperationSet::all())
                .validate(&module)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(text)));
        }
        made.texts.len()
    }

    /// Bodies that lie around, each of two solids.
    const HEAP: &str = r#"<mujoco><worldbody>
      <geom type="plane" size="5 5 .1"/>
      <replicate count="7" offset=".5 0 0"><body pos="0 0 .2"><freejoint/>
        <geom type="box" size=".1 .1 .1"/><geom type="cylinder" pos="0 0 .2" size=".1 .1"/>
      </body></replicate>
    </worldbody></mujoco>"#;

    /// Hinges one after another.
    fn chain(hinges: usize) -> String {
        let mut xml = String::from("<mujoco><worldbody>");
        for _ in 0..hinges {
            let geom = r#"<geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>"#;
            write!(xml, r#"<body pos=".1 0 0"><joint axis="0 1 0" damping="1"/>{geom}"#)
                .expect("room");
        }
        xml + &"</body>".repeat(hinges) + "</worldbody></mujoco>"
    }

    #[test]
    fn texts_for_cards_are_valid() {
        for cone in [Cone::Pyramidal, Cone::Elliptic] {
            for solver in [SolverType::Newton, SolverType::Cg] {
                let options = |m: &mut sim_core::Model| (m.opt.cone, m.opt.solver) = (cone, solver);
                assert_eq!(texts_are_valid(HEAP, options), 2, "trees that touch, and solids");
                assert_eq!(texts_are_valid(&chain(12), options), 1, "one subgroup");
            }
        }
        assert_eq!(texts_are_valid(&chain(50), |_| ()), 1, "two subgroups");
        let apart = chain(100).replace("<geom", r#"<geom contype="0" conaffinity="0""#);
        assert_eq!(texts_are_valid(&apart, |_| ()), 1, "more dofs than lanes");
    }
}
