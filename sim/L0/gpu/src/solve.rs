//! Text that solves with the Hessian: a lane for each row, the row in registers, elimination without
//! a way back (Gauss and Jordan), so that every lane is busy until the end.

use std::fmt::Write;

/// Lanes of a subgroup.
const SUBGROUP: usize = 32;
/// Most dofs whose rows are kept in registers.
const MOST: usize = 96;

/// Lanes of a workgroup: one for each dof, in whole subgroups, as far as rows fit into registers.
pub(crate) fn lanes(nv: usize) -> usize {
    SUBGROUP * nv.div_ceil(SUBGROUP).clamp(1, MOST / SUBGROUP)
}

/// Groups of four that columns go round in.
pub(crate) fn columns(nv: usize) -> usize {
    if nv <= MOST { 2 * (nv.div_ceil(4) + 1) } else { nv.div_ceil(4) }
}

/// Functions `solve_rows` (inertia and active rows) and `solve_plain` (inertia and a diagonal): both
/// solve for `GRAD` into `SEARCH`.
pub(crate) fn text(nv: usize, elliptic: bool) -> String {
    let mut out = String::new();
    if nv <= MOST {
        in_registers(&mut out, nv, elliptic);
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

fn in_registers(out: &mut String, nv: usize, elliptic: bool) {
    let groups = nv.div_ceil(4);
    let load = |out: &mut String| {
        line(out, format_args!("    let i = min(lane, NV - 1u);"));
        for g in 0..groups {
            line(out, format_args!("    var h{g} = Mq(i, {g}u);"));
        }
    };
    line(out, format_args!("fn solve_rows() {{"));
    load(out);
    line(out, format_args!("    for (var r = 0u; r < nefc; r++) {{"));
    line(out, format_args!("        if !counts(r) {{ continue; }}"));
    line(out, format_args!("        let c = w[EFC_D + r] * J(r, i);"));
    for g in 0..groups {
        line(out, format_args!("        h{g} += c * Jq(r, {g}u);"));
    }
    line(out, format_args!("    }}"));
    if elliptic {
        cones(out, groups);
    }
    eliminate(out, nv, groups);
    line(out, format_args!("}}"));

    line(out, format_args!("fn solve_plain() {{"));
    load(out);
    for k in 0..nv {
        let (g, c) = place(k);
        line(out, format_args!("    if lane == {k}u {{ h{g}.{c} += w[DIAG + {k}u]; }}"));
    }
    eliminate(out, nv, groups);
    line(out, format_args!("}}"));
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
        line(
            out,
            format_args!(
                "    if lane < NV {{ col[{side}u + (lane >> 2u)][lane & 3u] = h{g}.{c}; }}"
            ),
        );
        line(
            out,
            format_args!(
                "    if lane == {k}u {{ col[{}u].x = b; own = h{g}.{c}; }}",
                side + groups
            ),
        );
        line(out, format_args!("    workgroupBarrier();"));
        line(
            out,
            format_args!(
                "    m = select(h{g}.{c} / col[{}u].{c}, real(0.0), lane == {k}u);",
                side + g
            ),
        );
        line(out, format_args!("    b -= m * col[{}u].x;", side + groups));
        for j in g..groups {
            if j > g || k % 4 < 3 {
                line(out, format_args!("    h{j} -= m * col[{}u];", side + j));
            }
        }
    }
    line(out, format_args!("    if lane < NV {{ w[SEARCH + lane] = b / own; }}"));
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
