//! Text that solves with the Hessian: a lane for each row, the row in registers, elimination without
//! a way back (Gauss and Jordan), so that every lane is busy until the end.

use crate::teams::{TEAM, Teams};
use std::fmt::Write;

/// Most dofs whose rows are kept in registers.
const MOST: usize = 96;

/// Lanes of a workgroup: one for each dof, in whole subgroups, as far as rows fit into registers.
pub(crate) fn lanes(nv: usize) -> usize {
    TEAM * nv.div_ceil(TEAM).clamp(1, MOST / TEAM)
}

/// Fours that columns go round in.
pub(crate) fn columns(nv: usize, teams: &Teams, subgroups: bool, ties: bool) -> usize {
    if nv > teams.lanes() {
        return nv.div_ceil(4);
    }
    if teams.len() == 1 {
        return Part::all(nv, teams, subgroups).room();
    }
    // every team's columns, its sums over rows that tie, whole vectors
    let own = Part::own(teams, subgroups, ties).room();
    let sums = if ties { (BONDS + 1) * BONDS / 4 } else { 0 };
    (teams.len() * own.max(sums)).max(teams.fours())
}

/// Most rows that tie teams for which each team still solves for itself.
pub(crate) const BONDS: usize = 8;

/// Whether an elimination is done in registers by the lanes of one subgroup.
fn unrolled(size: usize, subgroups: bool) -> bool {
    size <= TEAM && subgroups
}

/// Loops that an elimination of many columns has. Where barriers are expensive to compile, as on a
/// processor, one has to do.
fn loops(subgroups: bool) -> usize {
    if subgroups { 3 } else { 1 }
}

/// Which part of the matrix a function solves with.
#[derive(Clone, Copy)]
struct Part {
    /// Rows and columns.
    size: usize,
    /// Columns by fours.
    fours: usize,
    /// Each team's own, of which some have fewer dofs than others; otherwise all of it.
    team: bool,
    /// Whether lanes of a subgroup can agree.
    subgroups: bool,
    /// Whether subgroups may have nothing to do in a column.
    apart: bool,
    /// Whether there are columns for rows that tie teams.
    bonds: bool,
}

impl Part {
    fn all(nv: usize, teams: &Teams, subgroups: bool) -> Self {
        let apart = subgroups && teams.lanes() > TEAM;
        Self { size: nv, fours: teams.fours(), team: false, subgroups, apart, bonds: false }
    }

    fn own(teams: &Teams, subgroups: bool, bonds: bool) -> Self {
        let (size, fours) = (teams.widest(), teams.widest().div_ceil(4));
        Self { size, fours, team: true, subgroups, apart: false, bonds }
    }

    /// Fours that go round at once: columns, the right side, the columns of ties.
    fn span(self) -> usize {
        self.fours + 1 + if self.bonds { BONDS / 4 } else { 0 }
    }

    /// Fours that go round, two sides in turn; lanes that tell each other need only room for a vector.
    fn room(self) -> usize {
        if unrolled(self.size, self.subgroups) {
            return self.fours;
        }
        // loops read a little beyond
        2 * self.span() + self.fours.div_ceil(loops(self.subgroups))
    }
}

/// What rows add to the inertia.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// Whether there are cones.
    pub elliptic: bool,
    /// Whether they may tie teams.
    pub ties: bool,
    /// Nothing: conjugate gradients solve with the inertia alone.
    pub conjugate: bool,
}

/// The function `solve_system`: inertia with active rows, or `plain`ly with a diagonal; it solves for `GRAD`
/// into `SEARCH`. Both in one text, which stays in the cache of instructions.
pub(crate) fn text(nv: usize, teams: &Teams, rows: Rows, subgroups: bool) -> String {
    let mut out = String::new();
    if nv > teams.lanes() {
        in_memory(&mut out);
        line(&mut out, format_args!("fn solve_system(plain: bool) {{ solve_in_memory(plain); }}"));
        return out;
    }
    let part = match teams.len() {
        1 => Part::all(nv, teams, subgroups),
        _ => Part::own(teams, subgroups, false),
    };
    if teams.len() == 1 || !rows.ties || rows.conjugate {
        rows_text(&mut out, "solve_system(plain: bool)", part, rows);
        return out;
    }
    out.push_str(WITH_BONDS);
    let name = "solve_teams(n: u32, plain: bool)";
    rows_text(&mut out, name, Part { bonds: true, ..part }, rows);
    in_memory(&mut out);
    line(&mut out, format_args!("fn solve_system(plain: bool) {{"));
    line(&mut out, format_args!("    var n = 0u;"));
    line(&mut out, format_args!("    if !plain {{ n = find_bonds(); }}"));
    let which = "if n == NONE { solve_in_memory(plain); } else { solve_teams(n, plain); }";
    line(&mut out, format_args!("    {which}"));
    line(&mut out, format_args!("}}"));
    out
}

fn in_memory(out: &mut String) {
    out.push_str(IN_MEMORY);
    line(out, format_args!("fn add_cones(i: u32) {{"));
    out.push_str(CONE_OPEN);
    line(out, format_args!("            add_to_H(i, r + e, c);"));
    line(out, format_args!("        }}\n    }}\n}}"));
}

/// The dof of a lane, its column, and its row of the inertia matrix.
fn load(out: &mut String, part: Part) {
    line(out, format_args!("    let i = ti[LANE_DOF + lane] & 0x7fffffffu;"));
    line(out, format_args!("    let live = ti[LANE_DOF + lane] < 0x80000000u;"));
    if part.team {
        line(out, format_args!("    let first = ti[TEAM_FOUR + crew()];"));
        line(out, format_args!("    let size = ti[TEAM_SIZE + crew()];"));
        if !unrolled(part.size, part.subgroups) {
            line(out, format_args!("    let at = {}u * crew();", part.room()));
        }
        line(out, format_args!("    let k = column(i) - 4u * first;"));
    } else {
        line(out, format_args!("    let first = 0u;"));
        if !unrolled(part.size, part.subgroups) {
            line(out, format_args!("    let at = 0u;"));
        }
        line(out, format_args!("    let k = column(i);"));
    }
    for g in 0..part.fours {
        line(out, format_args!("    var h{g} = Mq(i, first + {g}u);"));
    }
}

fn rows_text(out: &mut String, name: &str, part: Part, rows: Rows) {
    line(out, format_args!("fn {name} {{"));
    load(out, part);
    line(out, format_args!("    var diagonal = real(0.0);"));
    line(out, format_args!("    if plain {{ diagonal = w[DIAG + i]; }}"));
    if !rows.conjugate {
        line(out, format_args!("    if !plain {{"));
        add_rows(out, part, rows.elliptic);
        line(out, format_args!("    }}"));
    }
    if part.bonds {
        for four in 0..BONDS / 4 {
            line(out, format_args!("    var x{four} = bond(i, {}u, n);", 4 * four));
        }
    }
    finish(out, part);
    line(out, format_args!("}}"));
}

fn add_rows(out: &mut String, part: Part, elliptic: bool) {
    line(out, format_args!("    for (var q = own_rows.x; q < own_rows.y; q++) {{"));
    line(out, format_args!("        let r = listed(q);"));
    line(out, format_args!("        if !counts(r) {{ continue; }}"));
    line(out, format_args!("        let c = w[EFC_D + r] * J(r, i);"));
    if part.apart {
        line(out, format_args!("        if !subgroupAny(c != 0.0) {{ continue; }}"));
    }
    for g in 0..part.fours {
        line(out, format_args!("        h{g} += c * Jq(r, first + {g}u);"));
    }
    line(out, format_args!("    }}"));
    if elliptic {
        out.push_str(CONE_OPEN);
        for g in 0..part.fours {
            line(out, format_args!("            h{g} += c * Jq(r + e, first + {g}u);"));
        }
        line(out, format_args!("        }}\n    }}"));
    }
}

fn finish(out: &mut String, part: Part) {
    line(out, format_args!("    var b = w[GRAD + i];"));
    line(out, format_args!("    var own = real(1.0);"));
    line(out, format_args!("    var m: real;"));
    line(out, format_args!("    workgroupBarrier();"));
    if unrolled(part.size, part.subgroups) {
        eliminate(out, part);
    } else {
        eliminate_in_loops(out, part);
    }
    if part.bonds {
        let joined = "join_teams(i, live, n, b / own, x0 / own, x1 / own)";
        line(out, format_args!("    b = {joined};"));
        line(out, format_args!("    if live {{ w[SEARCH + i] = b; }}"));
    } else {
        line(out, format_args!("    if live {{ w[SEARCH + i] = b / own; }}"));
    }
    line(out, format_args!("    sync();"));
}

/// Eliminates column after column in all rows but its own. The rows are those of one subgroup, whose lanes
/// tell each other what they have. The column at hand is always the first, and the others move up as they
/// change: many columns written out would not stay in the cache of instructions, nor loops of few be worth it.
/// As columns become fewer, another loop has fewer.
fn eliminate(out: &mut String, part: Part) {
    let each = if part.size <= FEW { 1 } else { part.size.div_ceil(SHORTER) };
    line(out, format_args!("    var c = 0u;"));
    for start in (0..part.size).step_by(each) {
        let (end, left) = ((start + each).min(part.size), part.size - start);
        // a team with fewer dofs than others has nothing in its last columns
        let limit = if part.team { " && c < size" } else { "" };
        let open = match each {
            1 if part.team => "if c < size {".into(),
            1 => "{".into(),
            _ => format!("for (; c < {end}u{limit}; c++) {{"),
        };
        line(
            out,
            format_args!(
                "    {open}
        let value = h0.x + select(real(0.0), diagonal, k == c);
        own = select(own, value, k == c);
        m = select(value / subgroupShuffle(value, c), real(0.0), k == c);
        b -= m * subgroupShuffle(b, c);"
            ),
        );
        for x in 0..if part.bonds { BONDS / 4 } else { 0 } {
            line(out, format_args!("        x{x} -= m * subgroupShuffle(x{x}, c);"));
        }
        let name = |c: usize| format!("h{}.{}", c / 4, NAMES[c % 4]);
        for c in 1..left {
            let (to, from) = (name(c - 1), name(c));
            line(out, format_args!("        {to} = {from} - m * subgroupShuffle({from}, c);"));
        }
        let next = if each == 1 { " c++;" } else { "" };
        line(out, format_args!("   {next} }}"));
    }
}

/// Loops of an elimination in registers.
const SHORTER: usize = 3;

/// Most columns that are written out.
const FEW: usize = 12;

/// The same for more dofs, or without subgroups, through workgroup memory. The four
/// columns at hand are always the first, the others move up after them; as they become fewer, loops
/// with fewer follow.
fn eliminate_in_loops(out: &mut String, part: Part) {
    let each = part.fours.div_ceil(loops(part.subgroups));
    for start in (0..part.fours).step_by(each) {
        let (end, left) = ((start + each).min(part.fours), part.fours - start);
        line(out, format_args!("    for (var g = {start}u; g < {end}u; g++) {{"));
        // a register has no index that is not known beforehand, but a processor has no such registers
        let unrolled = (0..4).map(|c| (format!("{c}u"), format!(".{}", NAMES[c])));
        let each: Vec<_> = match part.subgroups {
            true => unrolled.collect(),
            false => {
                line(out, format_args!("    for (var c = 0u; c < 4u; c++) {{"));
                vec![("c".to_string(), "[c]".to_string())]
            }
        };
        for (c, component) in each {
            open_column(out, part, &c, &component);
            for j in 0..left {
                line(out, format_args!("        h{j} -= m * col4(side + {j}u + g);"));
            }
            line(out, format_args!("    }} }}"));
        }
        if !part.subgroups {
            line(out, format_args!("    }}"));
        }
        for j in 1..left {
            line(out, format_args!("        h{} = h{j};", j - 1));
        }
        line(out, format_args!("    }}"));
    }
}

/// Sends column `c` of the four at hand round, through two places in turn so that one barrier is enough, and
/// begins what each lane does with it where there is something to do.
fn open_column(out: &mut String, part: Part, c: &str, component: &str) {
    let (last, span) = (part.fours, part.span());
    let limit = if part.team { "size" } else { "NV" };
    let any = if part.apart { " && subgroupAny(m != 0.0)" } else { "" };
    let bonds = 0..if part.bonds { BONDS / 4 } else { 0 };
    let at = |four: usize| format!("side + {}u", last + 1 + four);
    let send: String = bonds.clone().map(|x| format!(" set_col4({}, x{x});", at(x))).collect();
    let take: String = bonds.map(|x| format!("\n        x{x} -= m * col4({});", at(x))).collect();
    line(
        out,
        format_args!(
            "    {{
    let pivot = 4u * g + {c};
    let side = at + ({c} & 1u) * {span}u;
    let value = h0{component} + select(real(0.0), diagonal, k == pivot);
    if live {{ set_col(4u * side + k, value); }}
    if k == pivot {{ set_col(4u * (side + {last}u), b);{send} own = value; }}
    workgroupBarrier();
    m = select(value / col(4u * (side + g) + {c}), real(0.0), k == pivot);
    if pivot < {limit}{any} {{
        b -= m * col(4u * (side + {last}u));{take}"
        ),
    );
}

/// Contacts in the middle zone of their cones.
const CONE_OPEN: &str = "    for (var q = 0u; q < ncon; q++) {
        let r = con_row(q);
        if r == NONE || !is_cone(r) || !reaches_dof(r, i) || wu[CON_STATE + q] != CONE { continue; }
        let p = con_pair(q);
        let dim = ti[PAIR_DIM + p];
        let mu = cone_mu(p);
        let n = w[EFC_JAR + r] * mu;
        var t2 = real(0.0);
        for (var k = 1u; k < dim; k++) { let u = w[EFC_JAR + r + k] * cone_scale(p, k, mu); t2 += u * u; }
        let t = sqrt(t2);
        let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
        for (var e = 0u; e < dim; e++) {
            var c = real(0.0);
            for (var l = 0u; l < dim; l++) { c += cone_entry(p, r, e, l, mu, n, t, dm) * J(r + l, i); }
";

/// Components of four columns.
const NAMES: [char; 4] = ['x', 'y', 'z', 'w'];

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // writing to a string cannot fail
    writeln!(out, "{text}").unwrap_or_default();
}

/// What a few rows add that tie teams.
const WITH_BONDS: &str = include_str!("wgsl/bonds.wgsl");

/// The same with rows in memory.
const IN_MEMORY: &str = include_str!("wgsl/memory.wgsl");
