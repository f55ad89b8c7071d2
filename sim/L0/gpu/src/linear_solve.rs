//! Generated part of the linear solver: Gauss–Jordan elimination with one matrix row per lane, kept in registers
//! `h0`, `h1`, … of four columns each. Registers cannot be indexed dynamically, so the statements are unrolled over
//! them.

mod border;

use crate::model::tree_groups::{GROUP_LANES, TreeGroups};
use crate::shader::{Emitter, emit};

/// Most dofs whose rows are kept in registers.
const MAX_REGISTER_ROWS: usize = 96;
/// Most dofs of the border. With 18, an environment of talos takes 11 % less time than with another subgroup; with 29,
/// one of softfoot takes 29 % more.
const MAX_BORDER: usize = 20;
/// Most coupling rows for which tree groups are solved separately and corrected (Woodbury).
pub(crate) const MAX_COUPLING_ROWS: usize = 8;
/// Most rows by which the Hessian of an iteration is updated; with more it is assembled again.
pub(crate) const MAX_CHANGED_ROWS: usize = 16;
/// `vec4`s of the coupling columns.
const COUPLING_VEC4S: usize = MAX_COUPLING_ROWS / 4;
/// Loops of an elimination within a subgroup; the columns become fewer from loop to loop.
const SUBGROUP_LOOPS: usize = 3;
/// Most columns that are fully unrolled.
const MAX_UNROLLED: usize = 12;
/// Components of a `vec4`.
const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Lanes of a workgroup: one for each dof, in whole subgroups, as far as rows fit into registers.
pub(crate) fn lanes(nv: usize) -> usize {
    GROUP_LANES * nv.div_ceil(GROUP_LANES).clamp(1, MAX_REGISTER_ROWS / GROUP_LANES)
}

/// Dofs of the border: those that exceed a multiple of the lanes of a subgroup, where eliminating them separately
/// takes less time than another subgroup.
pub(crate) fn border(nv: usize) -> usize {
    let most = nv > GROUP_LANES && nv <= MAX_REGISTER_ROWS;
    if most && nv % GROUP_LANES <= MAX_BORDER { nv % GROUP_LANES } else { 0 }
}

/// How the Hessian of a kernel is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solver {
    /// In memory: there are more dofs than lanes.
    Memory,
    /// In registers.
    Registers(RegisterSolver),
    /// In registers for each tree group, corrected for a few coupling rows; in memory where there are more.
    Coupled(RegisterSolver),
}

impl Solver {
    /// The solver of a kernel whose tree groups may be coupled by contacts (`couples`).
    pub(crate) fn new(
        nv: usize,
        groups: &TreeGroups,
        subgroups: bool,
        rows: Rows,
        couples: bool,
    ) -> Self {
        if nv > groups.lanes() + groups.border() {
            return Self::Memory;
        }
        let cross_subgroup = subgroups && groups.lanes() > GROUP_LANES;
        let whole = RegisterSolver {
            size: nv - groups.border(),
            vec4s: groups.vec4s() - groups.border().div_ceil(4),
            border: groups.border(),
            per_group: false,
            subgroups,
            cross_subgroup,
            coupling: false,
            rows,
        };
        if groups.len() == 1 {
            return Self::Registers(whole);
        }
        let (size, vec4s) = (groups.max_nv(), groups.max_nv().div_ceil(4));
        let own = RegisterSolver { size, vec4s, per_group: true, cross_subgroup: false, ..whole };
        match couples && !rows.conjugate {
            true => Self::Coupled(RegisterSolver { coupling: true, ..own }),
            false => Self::Registers(own),
        }
    }

    /// `vec4`s of the exchange buffer `columns`.
    pub(crate) fn columns(nv: usize, groups: &TreeGroups, subgroups: bool, couples: bool) -> usize {
        // the exchange does not depend on the rows
        let rows = Rows { elliptic: false, conjugate: false, symmetric: true, incremental: false };
        match Self::new(nv, groups, subgroups, rows, couples) {
            Self::Memory => nv.div_ceil(4),
            Self::Registers(solver) if !solver.per_group => solver.exchange(),
            Self::Registers(solver) => (groups.len() * solver.exchange()).max(groups.vec4s()),
            Self::Coupled(solver) => {
                // sums over coupling rows: products with each column and with the solution
                let sums = (MAX_COUPLING_ROWS + 1) * COUPLING_VEC4S;
                (groups.len() * solver.exchange().max(sums)).max(groups.vec4s())
            }
        }
    }

    /// Whether the solver in memory is needed.
    pub(crate) fn in_memory(self) -> bool {
        matches!(self, Self::Memory | Self::Coupled(_))
    }

    /// The generated functions: the solver in registers, and the accumulation of a row of a cone's Hessian.
    pub(crate) fn emit(self) -> [String; 2] {
        match self {
            Self::Memory => [String::new(), String::new()],
            Self::Registers(solver) => {
                [solver.emit("solve_hessian(damping: bool)"), solver.cone_row()]
            }
            Self::Coupled(solver) => {
                [solver.emit("solve_groups(n: u32, damping: bool)"), solver.cone_row()]
            }
        }
    }
}

/// What constraint rows add to the inertia matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    /// Whether there are elliptic cones.
    pub elliptic: bool,
    /// Whether they add nothing: CG preconditions with the inertia matrix.
    pub conjugate: bool,
    /// Whether the matrix is symmetric, also with the derivatives of the integrator.
    pub symmetric: bool,
    /// Whether the Hessian is kept in storage, and changed by the rows that become quadratic or cease to be.
    pub incremental: bool,
}

/// An elimination in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegisterSolver {
    /// Rows and columns, without the border.
    size: usize,
    /// These columns in `vec4`s.
    vec4s: usize,
    /// Further dofs, which are eliminated first.
    border: usize,
    /// Whether each tree group has a matrix of its own, some smaller than others.
    per_group: bool,
    /// Whether lanes exchange values by subgroup operations.
    subgroups: bool,
    /// Whether the matrix spans several subgroups, some of which may have nothing to do for a column.
    cross_subgroup: bool,
    /// Whether there are columns for coupling rows.
    coupling: bool,
    rows: Rows,
}

impl RegisterSolver {
    /// Whether the matrix fits a subgroup, whose lanes exchange columns by shuffles.
    fn shuffles(self) -> bool {
        self.size <= GROUP_LANES && self.subgroups
    }

    /// Loops of an elimination through workgroup memory. Barriers are expensive to compile for a CPU, so there is one.
    fn loops(self) -> usize {
        if self.subgroups { SUBGROUP_LOOPS } else { 1 }
    }

    /// Columns in `vec4`s, with the border.
    fn all_vec4s(self) -> usize {
        self.vec4s + self.border_vec4s()
    }

    fn coupling_vec4s(self) -> usize {
        if self.coupling { COUPLING_VEC4S } else { 0 }
    }

    /// `vec4`s exchanged at once: matrix columns, right-hand side, coupling columns.
    fn span(self) -> usize {
        self.vec4s + 1 + self.coupling_vec4s()
    }

    /// `vec4`s of the exchange buffer, which is double-buffered; with shuffles it only holds a dof vector.
    fn exchange(self) -> usize {
        let own = match self.shuffles() {
            true => self.vec4s,
            // the loops read a little beyond the end
            false => 2 * self.span() + self.vec4s.div_ceil(self.loops()),
        };
        if self.border > 0 { own.max(2 * self.border_span()) } else { own }
    }

    fn emit(self, signature: &str) -> String {
        let mut out = Emitter::default();
        emit!(out, open "fn {signature}");
        self.load(&mut out);
        emit!(out, "var diagonal = real(0.0);");
        emit!(out, "if damping {{ diagonal = w[DAMPING_DIAG + i]; }}");
        if self.border > 0 {
            emit!(out, "var diagonal2 = real(0.0);");
            emit!(out, "if damping {{ diagonal2 = w[DAMPING_DIAG + i2]; }}");
        }
        if !self.rows.conjugate {
            emit!(out, open "if !damping");
            self.add_rows(&mut out);
            out.close();
        }
        for x in 0..self.coupling_vec4s() {
            emit!(out, "var x{x} = coupling_columns(i, {}u, n);", 4 * x);
        }
        self.solve(&mut out);
        out.close();
        out.finish()
    }

    /// The dof of the lane, its column `k`, and its row of the inertia matrix.
    fn load(self, out: &mut Emitter) {
        emit!(out, "let i = ti[LANE_DOF + lane] & 0x7fffffffu;");
        emit!(out, "let live = ti[LANE_DOF + lane] < 0x80000000u;");
        if self.per_group {
            emit!(out, "let first = ti[GROUP_COLUMN4 + group_index()];");
            emit!(out, "let size = ti[GROUP_NV + group_index()];");
            if !self.shuffles() {
                emit!(out, "let base = {}u * group_index();", self.exchange());
            }
            emit!(out, "let k = dof_column(i) - 4u * first;");
        } else {
            emit!(out, "let first = 0u;");
            if !self.shuffles() {
                emit!(out, "let base = 0u;");
            }
            emit!(out, "let k = dof_column(i);");
        }
        if self.rows.incremental {
            emit!(out, "let updates = !damping && hessian_updates();");
            emit!(out, "let matrix = select(0u, NV * ROW_STRIDE4, updates);");
        }
        for g in 0..self.all_vec4s() {
            emit!(out, "var h{g} = {};", self.stored("i", &format!("first + {g}u")));
        }
        if self.border > 0 {
            self.load_border(out);
        }
    }

    /// Adds Jᵀ D J of the quadratic rows, and the Hessian of cones.
    fn add_rows(self, out: &mut Emitter) {
        // rows of friction loss are added to the diagonal
        emit!(out, open "if NF_DOF > 0u");
        emit!(out, "let r = ti[DOF_FRICTION_ROW + i];");
        emit!(out, "if r != NONE {{ if is_quadratic(r) {{ diagonal = w[EFC_D + r]; }} }}");
        if self.border > 0 {
            emit!(out, "let r2 = ti[DOF_FRICTION_ROW + i2];");
            emit!(out, "if r2 != NONE {{ if is_quadratic(r2) {{ diagonal2 = w[EFC_D + r2]; }} }}");
        }
        out.close();
        let (first, next) = ("skip_dof_friction(group_rows.x)", "skip_dof_friction(q + 1u)");
        if self.rows.incremental {
            let end = "select(group_rows.y, changed_rows, updates)";
            let next = "select(skip_dof_friction(q + 1u), q + 1u, updates)";
            emit!(out, "let end = {end};");
            emit!(out, open "for (var q = select({first}, 0u, updates); q < end; q = {next})");
            emit!(out, "var r = q;");
            emit!(out, "var d: real;");
            emit!(out, open "if updates");
            emit!(out, "r = changed_row(q);");
            emit!(out, "d = select(-w[EFC_D + r], w[EFC_D + r], is_quadratic(r));");
            out.close();
            emit!(out, open "else");
            emit!(out, "if !is_quadratic(r) {{ continue; }}");
            emit!(out, "d = w[EFC_D + r];");
            out.close();
        } else {
            emit!(out, open "for (var q = {first}; q < group_rows.y; q = {next})");
            emit!(out, "let r = listed_row(q);");
            emit!(out, "if NGROUP > 1u && is_dof_friction(r) {{ continue; }}");
            emit!(out, "if !is_quadratic(r) {{ continue; }}");
            emit!(out, "let d = w[EFC_D + r];");
        }
        emit!(out, "let c = d * J(r, i);");
        if self.border > 0 {
            emit!(out, "let c2 = d * J(r, i2);");
            for g in 0..self.border_vec4s() {
                emit!(out, "corner{g} += c2 * J4(r, {}u);", self.vec4s + g);
            }
        }
        if self.cross_subgroup {
            emit!(out, "if !subgroupAny(c != 0.0) {{ continue; }}");
        }
        for g in 0..self.all_vec4s() {
            emit!(out, "h{g} += c * J4(r, first + {g}u);");
        }
        out.close();
        if self.rows.incremental {
            self.store(out);
        }
        if self.rows.elliptic {
            out.import("cone_hessian");
        }
        if self.rows.elliptic && self.border > 0 {
            emit!(out, open "");
            emit!(out, "let i = i2;");
            out.import("cone_hessian BORDER_ROW");
            out.close();
        }
    }

    /// A `vec4` of the matrix that the elimination starts from: of the inertia matrix, or of the Hessian of the last
    /// iteration.
    fn stored(self, row: &str, column: &str) -> String {
        match self.rows.incremental {
            true => format!("scratch[M_adr({row}, {column}) + matrix]"),
            false => format!("M4({row}, {column})"),
        }
    }

    /// Stores the Hessian for the next iteration. Each lane reads only what it has written.
    fn store(self, out: &mut Emitter) {
        emit!(out, "hessian_stored = true;");
        for g in 0..self.all_vec4s() {
            emit!(out, "set_H4(i, first + {g}u, h{g});");
        }
        for g in 0..self.border_vec4s() {
            emit!(out, "set_H4(i2, {}u, corner{g});", self.vec4s + g);
        }
    }

    /// Adds row `e` of a cone's Hessian to the registers; imported by `cone_hessian`.
    fn cone_row(self) -> String {
        let mut out = Emitter::default();
        out.ifdef("BORDER_ROW");
        self.add_cone_row_to_corner(&mut out);
        out.otherwise();
        for g in 0..self.all_vec4s() {
            emit!(out, "h{g} += c * J4(r + e, first + {g}u);");
        }
        out.endif();
        out.finish()
    }

    fn solve(self, out: &mut Emitter) {
        emit!(out, "var b = w[GRAD + i];");
        emit!(out, "var pivot_value = real(1.0);");
        emit!(out, "var m: real;");
        emit!(out, "sync();");
        if self.border > 0 {
            self.eliminate_border(out);
        }
        match self.shuffles() {
            true => self.eliminate_by_shuffles(out),
            false => self.eliminate_in_workgroup(out),
        }
        if self.border > 0 {
            self.substitute_border(out);
        }
        if self.coupling {
            let scaled = "b / pivot_value, x0 / pivot_value, x1 / pivot_value";
            emit!(out, "b = couple_groups(i, live, n, {scaled});");
            emit!(out, "if live {{ w[SEARCH + i] = b; }}");
        } else {
            emit!(out, "if live {{ w[SEARCH + i] = b / pivot_value; }}");
        }
        emit!(out, "sync();");
    }

    /// Eliminates column after column in all rows but its own, within one subgroup. The current column is always the
    /// first component of `h0`, and the others move up as they change: all columns unrolled would exceed the
    /// instruction cache, but few of them are not worth a loop. Each further loop has fewer columns.
    fn eliminate_by_shuffles(self, out: &mut Emitter) {
        let each = if self.size <= MAX_UNROLLED { 1 } else { self.size.div_ceil(SUBGROUP_LOOPS) };
        emit!(out, "var c = 0u;");
        for start in (0..self.size).step_by(each) {
            let (end, left) = ((start + each).min(self.size), self.size - start);
            // smaller groups have nothing in their last columns
            let limit = if self.per_group { " && c < size" } else { "" };
            match each {
                1 if self.per_group => emit!(out, open "if c < size"),
                1 => {
                    emit!(out, "{{");
                }
                _ => emit!(out, open "for (; c < {end}u{limit}; c++)"),
            }
            emit!(out, "let value = h0.x + select(real(0.0), diagonal, k == c);");
            emit!(out, "pivot_value = select(pivot_value, value, k == c);");
            emit!(out, "m = select(value / subgroupShuffle(value, c), real(0.0), k == c);");
            emit!(out, "b -= m * subgroupShuffle(b, c);");
            for x in 0..self.coupling_vec4s() {
                emit!(out, "x{x} -= m * subgroupShuffle(x{x}, c);");
            }
            let register = |c: usize| format!("h{}.{}", c / 4, COMPONENTS[c % 4]);
            for c in 1..left {
                let (to, from) = (register(c - 1), register(c));
                emit!(out, "{to} = {from} - m * subgroupShuffle({from}, c);");
            }
            if each == 1 {
                emit!(out, "c++;");
            }
            match each {
                1 if !self.per_group => emit!(out, "}}"),
                _ => out.close(),
            }
        }
    }

    /// The same across subgroups, or without subgroup operations, through workgroup memory. The current four columns
    /// are always `h0`, the others move up after them; each further loop has fewer.
    fn eliminate_in_workgroup(self, out: &mut Emitter) {
        let each = self.vec4s.div_ceil(self.loops()).max(1);
        for start in (0..self.vec4s).step_by(each) {
            let (end, left) = ((start + each).min(self.vec4s), self.vec4s - start);
            emit!(out, open "for (var g = {start}u; g < {end}u; g++)");
            // GPUs cannot index registers dynamically; software drivers have no registers, and less to compile
            if self.subgroups {
                for (c, component) in COMPONENTS.iter().enumerate() {
                    self.eliminate_column(out, &format!("{c}u"), &format!(".{component}"), left);
                }
            } else {
                emit!(out, open "for (var c = 0u; c < 4u; c++)");
                self.eliminate_column(out, "c", "[c]", left);
                out.close();
            }
            for j in 1..left {
                emit!(out, "h{} = h{j};", j - 1);
            }
            out.close();
        }
    }

    /// Eliminates column `c` of the current four. The buffer alternates between two halves, so that one barrier per
    /// column is enough.
    fn eliminate_column(self, out: &mut Emitter, c: &str, component: &str, left: usize) {
        let (last, span) = (self.vec4s, self.span());
        let limit = if self.per_group { "size" } else { "NV" };
        let any = if self.cross_subgroup { " && subgroupAny(m != 0.0)" } else { "" };
        let coupling = |x: usize| format!("buffer + {}u", last + 1 + x);
        emit!(out, open "");
        emit!(out, "let pivot = 4u * g + {c};");
        emit!(out, "let buffer = base + ({c} & 1u) * {span}u;");
        emit!(out, "let value = h0{component} + select(real(0.0), diagonal, k == pivot);");
        if self.rows.symmetric {
            // the column of the pivot is its row
            emit!(out, "if live {{ set_col(4u * buffer + k, value); }}");
        }
        emit!(out, open "if k == pivot");
        if !self.rows.symmetric {
            for j in 0..left {
                emit!(out, "set_col4(buffer + {j}u + g, h{j});");
            }
            emit!(out, "set_col(4u * buffer + pivot, value);");
        }
        emit!(out, "set_col(4u * (buffer + {last}u), b);");
        for x in 0..self.coupling_vec4s() {
            emit!(out, "set_col4({}, x{x});", coupling(x));
        }
        emit!(out, "pivot_value = value;");
        out.close();
        emit!(out, "sync();");
        emit!(out, "m = select(value / col(4u * (buffer + g) + {c}), real(0.0), k == pivot);");
        emit!(out, open "if pivot < {limit}{any}");
        emit!(out, "b -= m * col(4u * (buffer + {last}u));");
        for x in 0..self.coupling_vec4s() {
            emit!(out, "x{x} -= m * col4({});", coupling(x));
        }
        for j in 0..left {
            emit!(out, "h{j} -= m * col4(buffer + {j}u + g);");
        }
        out.close();
        out.close();
    }
}
