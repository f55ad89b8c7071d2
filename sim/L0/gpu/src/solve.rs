//! Text that solves with the Hessian: a lane for each row, the row in registers, elimination without
//! a way back (Gauss and Jordan), so that every lane is busy until the end.

use sim_core::Model;
use std::fmt::Write;

/// Lanes of a subgroup.
const SUBGROUP: usize = 32;
/// Most dofs whose rows are kept in registers.
const MOST: usize = 96;

/// Lanes of a workgroup: one for each dof, in whole subgroups, as far as rows fit into registers.
pub(crate) fn lanes(nv: usize) -> usize {
    SUBGROUP * nv.div_ceil(SUBGROUP).clamp(1, MOST / SUBGROUP)
}

/// The dof whose row each lane has, in [`lanes`]. Trees of dofs do not share a subgroup where that is
/// possible, so that a subgroup can pass over what does not touch its tree; a lane without a row of
/// its own goes along with one of its subgroup, which [`IDLE`] marks.
pub(crate) fn rows(m: &Model) -> Vec<usize> {
    let lanes = lanes(m.nv);
    let trees = m.dof_treeid.chunk_by(|a, b| a == b).map(<[i32]>::len);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut next = 0;
    for len in trees {
        let dofs = next..next + len;
        next += len;
        match groups.last_mut().filter(|group| group.len() + len <= SUBGROUP) {
            Some(group) => group.extend(dofs),
            None => groups.push(dofs.collect()),
        }
    }
    if groups.len() * SUBGROUP > lanes || groups.iter().any(|group| group.len() > SUBGROUP) {
        let all: Vec<usize> = (0..m.nv).collect();
        groups = all.chunks(SUBGROUP).map(<[usize]>::to_vec).collect();
    }
    let mut rows: Vec<usize> = Vec::with_capacity(lanes);
    for group in groups {
        let idle = group.first().map_or(IDLE, |first| first | IDLE);
        rows.extend(group.iter().copied().chain(std::iter::repeat(idle)).take(SUBGROUP));
    }
    rows.resize(lanes.max(rows.len()), IDLE);
    rows
}

/// Marks a lane without a row.
const IDLE: usize = 1 << 31;

/// Groups of four that columns go round in.
pub(crate) fn columns(nv: usize, subgroups: bool) -> usize {
    let groups = nv.div_ceil(4);
    match nv {
        0..=SUBGROUP if subgroups => 2 * (groups + 1),
        // loops read a little beyond
        _ if nv <= MOST => 2 * (groups + 1) + groups.div_ceil(loops(subgroups)),
        _ => groups,
    }
}

/// Loops that an elimination of many columns has. Where barriers are expensive to compile, as on a
/// processor, one has to do.
fn loops(subgroups: bool) -> usize {
    if subgroups { 3 } else { 1 }
}

/// Functions `solve_rows` (inertia and active rows) and `solve_plain` (inertia and a diagonal): both
/// solve for `GRAD` into `SEARCH`.
pub(crate) fn text(nv: usize, elliptic: bool, subgroups: bool) -> String {
    let mut out = String::new();
    if nv <= MOST {
        in_registers(&mut out, nv, elliptic, subgroups);
    } else {
        in_memory(&mut out);
    }
    out
}

fn in_memory(out: &mut String) {
    out.push_str(IN_MEMORY);
    line(out, format_args!("fn add_cones(i: u32) {{"));
    out.push_str(CONE_OPEN);
    let add = "set_H(i, g, Hq(i, g) + c * Jq(r + k, g));";
    line(out, format_args!("            for (var g = 0u; g < NV4; g++) {{ {add} }}"));
    line(out, format_args!("        }}\n    }}\n}}"));
}

fn in_registers(out: &mut String, nv: usize, elliptic: bool, subgroups: bool) {
    // several subgroups can pass over each other's trees
    let apart = subgroups && lanes(nv) > SUBGROUP;
    let groups = nv.div_ceil(4);
    let load = |out: &mut String| {
        line(out, format_args!("    let i = ti[LANE_DOF + lane] & 0x7fffffffu;"));
        line(out, format_args!("    let live = ti[LANE_DOF + lane] < 0x80000000u;"));
        for g in 0..groups {
            line(out, format_args!("    var h{g} = Mq(i, {g}u);"));
        }
    };
    line(out, format_args!("fn solve_rows() {{"));
    load(out);
    line(out, format_args!("    for (var r = 0u; r < nefc; r++) {{"));
    line(out, format_args!("        if !counts(r) {{ continue; }}"));
    line(out, format_args!("        let c = w[EFC_D + r] * J(r, i);"));
    if apart {
        line(out, format_args!("        if !subgroupAny(c != 0.0) {{ continue; }}"));
    }
    for g in 0..groups {
        line(out, format_args!("        h{g} += c * Jq(r, {g}u);"));
    }
    line(out, format_args!("    }}"));
    if elliptic {
        cones(out, groups);
    }
    finish(out, nv, groups, subgroups);
    line(out, format_args!("}}"));

    line(out, format_args!("fn solve_plain() {{"));
    load(out);
    for k in 0..nv {
        let (g, c) = place(k);
        line(out, format_args!("    if i == {k}u {{ h{g}.{c} += w[DIAG + {k}u]; }}"));
    }
    finish(out, nv, groups, subgroups);
    line(out, format_args!("}}"));
}

fn finish(out: &mut String, nv: usize, groups: usize, subgroups: bool) {
    if nv <= SUBGROUP && subgroups {
        eliminate(out, nv, groups);
    } else {
        eliminate_in_loops(out, nv, groups, subgroups);
    }
}

/// Adds the contacts in the middle zone of their cones.
fn cones(out: &mut String, groups: usize) {
    out.push_str(CONE_OPEN);
    for g in 0..groups {
        line(out, format_args!("            h{g} += c * Jq(r + k, {g}u);"));
    }
    line(out, format_args!("        }}"));
    line(out, format_args!("    }}"));
}

const CONE_OPEN: &str = "    for (var q = 0u; q < ncon; q++) {
        let r = wu[CON_ROW + q];
        if r == NONE || !is_cone(r) || wu[CON_STATE + q] != CONE { continue; }
        let p = wu[CON_PAIR + q];
        let dim = ti[PAIR_DIM + p];
        let mu = cone_mu(p);
        let n = w[EFC_JAR + r] * mu;
        var t2 = real(0.0);
        for (var k = 1u; k < dim; k++) { let u = w[EFC_JAR + r + k] * cone_scale(p, k, mu); t2 += u * u; }
        let t = sqrt(t2);
        let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
        for (var k = 0u; k < dim; k++) {
            var c = real(0.0);
            for (var l = 0u; l < dim; l++) { c += cone_entry(p, r, k, l, mu, n, t, dm) * J(r + l, i); }
";

/// Eliminates column after column in all rows but its own; the column goes round through two places
/// in turn, so that one barrier is enough.
fn eliminate(out: &mut String, nv: usize, groups: usize) {
    line(out, format_args!("    var b = w[GRAD + i];"));
    line(out, format_args!("    var own = real(1.0);"));
    line(out, format_args!("    var m: real;"));
    line(out, format_args!("    workgroupBarrier();"));
    for k in 0..nv {
        let (g, c) = place(k);
        let side = (k % 2) * (groups + 1);
        let last = side + groups;
        line(out, format_args!("    if live {{ col[{side}u + (i >> 2u)][i & 3u] = h{g}.{c}; }}"));
        line(out, format_args!("    if i == {k}u {{ col[{last}u].x = b; own = h{g}.{c}; }}"));
        line(out, format_args!("    workgroupBarrier();"));
        let pivot = side + g;
        line(
            out,
            format_args!("    m = select(h{g}.{c} / col[{pivot}u].{c}, real(0.0), i == {k}u);"),
        );
        line(out, format_args!("    b -= m * col[{last}u].x;"));
        for j in g..groups {
            if j > g || k % 4 < 3 {
                line(out, format_args!("    h{j} -= m * col[{}u];", side + j));
            }
        }
    }
    line(out, format_args!("    if live {{ w[SEARCH + i] = b / own; }}"));
    line(out, format_args!("    sync();"));
}

/// The same for more dofs, in loops: instructions for all of it would not stay in the cache. The group of
/// four columns at hand is always the first, the others move up after it; as they become fewer, loops
/// with fewer follow.
fn eliminate_in_loops(out: &mut String, nv: usize, groups: usize, subgroups: bool) {
    let apart = subgroups && lanes(nv) > SUBGROUP;
    line(out, format_args!("    var b = w[GRAD + i];"));
    line(out, format_args!("    var own = real(1.0);"));
    line(out, format_args!("    var m: real;"));
    line(out, format_args!("    workgroupBarrier();"));
    let each = groups.div_ceil(loops(subgroups));
    for start in (0..groups).step_by(each) {
        let (end, left) = ((start + each).min(groups), groups - start);
        line(out, format_args!("    for (var g = {start}u; g < {end}u; g++) {{"));
        for c in 0..4 {
            let name = ['x', 'y', 'z', 'w'][c];
            let side = (c % 2) * (groups + 1);
            let last = side + groups;
            let open = if apart { "if subgroupAny(m != 0.0) {" } else { "{" };
            // the last group may have fewer columns
            let limit = match nv.is_multiple_of(4) || nv % 4 > c {
                true => String::new(),
                false => format!("if 4u * g + {c}u < NV "),
            };
            line(
                out,
                format_args!(
                    "        {limit}{{
            if live {{ col[{side}u + (i >> 2u)][i & 3u] = h0.{name}; }}
            if i == 4u * g + {c}u {{ col[{last}u].x = b; own = h0.{name}; }}
            workgroupBarrier();
            m = select(h0.{name} / col[{side}u + g].{name}, real(0.0), i == 4u * g + {c}u);
            {open}
                b -= m * col[{last}u].x;"
                ),
            );
            for j in 0..left {
                line(out, format_args!("                h{j} -= m * col[{}u + g];", side + j));
            }
            line(out, format_args!("            }}\n        }}"));
        }
        for j in 1..left {
            line(out, format_args!("        h{} = h{j};", j - 1));
        }
        line(out, format_args!("    }}"));
    }
    line(out, format_args!("    if live {{ w[SEARCH + i] = b / own; }}"));
    line(out, format_args!("    sync();"));
}

/// In which vector a column is, and as which component.
fn place(k: usize) -> (usize, char) {
    (k / 4, ['x', 'y', 'z', 'w'][k % 4])
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // writing to a string cannot fail
    writeln!(out, "{text}").unwrap_or_default();
}

/// The same for more dofs than lanes: rows in memory.
const IN_MEMORY: &str = include_str!("wgsl/memory.wgsl");
