//! Dofs beyond a whole number of subgroups, the *border* of the matrix: they are eliminated before all others, so that
//! they need no lanes of their own.
//!
//! ```text
//! | A  E | | x |   | b  |
//! | Eᵀ C | | y | = | b2 |
//! ```
//!
//! A lane holds a row of `A` and `E` in its registers `h…`, and the lanes of the first rows also a row of the corner
//! `C` in `corner…`. By symmetry the lanes hold Eᵀ by columns. Eliminating a row of the border is a rank-one update of
//! `A`, `E` and `C`; afterwards `A` is solved as without a border, and `y` follows by substitution.

use super::{COMPONENTS, RegisterSolver};
use crate::shader::{Emitter, emit};

impl RegisterSolver {
    /// `vec4`s of the border columns.
    pub(super) fn border_vec4s(self) -> usize {
        self.border.div_ceil(4)
    }

    /// `vec4`s exchanged by an elimination: a row of the border, and its right-hand side after it.
    pub(super) fn border_span(self) -> usize {
        (self.size + self.border + 1).div_ceil(4)
    }

    /// The second dof of a lane, which lanes beyond the border share, and its row of the corner.
    pub(super) fn load_border(self, out: &mut Emitter) {
        emit!(out, "let i2 = {}u + min(lane, {}u);", self.size, self.border - 1);
        for g in 0..self.border_vec4s() {
            let column = format!("{}u", self.vec4s + g);
            emit!(out, "var corner{g} = {};", self.stored("i2", &column));
        }
    }

    /// Adds a row of a cone's Hessian to the corner.
    pub(super) fn add_cone_row_to_corner(self, out: &mut Emitter) {
        for g in 0..self.border_vec4s() {
            emit!(out, "corner{g} += c * J4(r + e, {}u);", self.vec4s + g);
        }
    }

    /// Eliminates the rows of the border in all rows after them. The exchange buffer alternates between two halves, so
    /// that one barrier per row is enough.
    pub(super) fn eliminate_border(self, out: &mut Emitter) {
        let (size, last) = (self.size, self.border - 1);
        emit!(out, "var b2 = w[GRAD + i2];");
        emit!(out, "var pivot2 = real(1.0);");
        for x in 0..self.border {
            let buffer = (x & 1) * self.border_span();
            let right = 4 * buffer + self.size + self.border;
            let component = component(x);
            emit!(out, open "");
            emit!(
                out,
                "let pivot = corner{component} + select(real(0.0), diagonal2, lane == {x}u);"
            );
            emit!(out, "set_col({}u + lane, h{});", 4 * buffer, self.border_component(x));
            emit!(out, open "if lane >= {x}u && lane <= {last}u");
            emit!(out, "set_col({}u + lane, pivot);", 4 * buffer + size);
            emit!(out, "if lane == {x}u {{ set_col({}u, b2); pivot2 = pivot; }}", right);
            out.close();
            emit!(out, "sync();");
            emit!(out, "let inverse = 1.0 / col({}u);", 4 * buffer + size + x);
            emit!(out, "let m = h{} * inverse;", self.border_component(x));
            emit!(out, "let m2 = select(real(0.0), corner{component} * inverse, lane > {x}u);");
            emit!(out, "b -= m * col({}u);", right);
            emit!(out, "b2 -= m2 * col({}u);", right);
            for g in 0..self.vec4s {
                emit!(out, "h{g} -= m * col4({}u);", buffer + g);
            }
            self.eliminate_border_columns(out, x, buffer);
            out.close();
        }
        if !self.shuffles() {
            emit!(out, "sync();");
        }
    }

    /// Eliminates the columns of the border after column `x`; the others are needed by the substitution.
    fn eliminate_border_columns(self, out: &mut Emitter, x: usize, buffer: usize) {
        for y in (x + 1)..(x + 1).next_multiple_of(4).min(self.border) {
            let (value, at) = (component(y), 4 * buffer + self.size + y);
            emit!(out, "h{} -= m * col({at}u);", self.border_component(y));
            emit!(out, "corner{value} -= m2 * col({at}u);");
        }
        for g in (x + 1).div_ceil(4)..self.border_vec4s() {
            let (to, at) = (self.vec4s + g, buffer + self.vec4s + g);
            emit!(out, "h{to} -= m * col4({at}u);");
            emit!(out, "corner{g} -= m2 * col4({at}u);");
        }
    }

    /// Computes the solution of the border from that of the other rows, from the last row to the first.
    pub(super) fn substitute_border(self, out: &mut Emitter) {
        emit!(out, "let solution = b / pivot_value;");
        for x in (0..self.border).step_by(2) {
            let second = (x + 1 < self.border).then(|| self.border_component(x + 1));
            let second = second.map_or("real(0.0)".to_owned(), |h| format!("h{h} * solution"));
            emit!(out, open "");
            let first = self.border_component(x);
            emit!(out, "let sums = active_sum2(vec2<real>(h{first} * solution, {second}));");
            emit!(out, "if lane == {x}u {{ b2 -= sums.x; }}");
            emit!(out, "if lane == {}u {{ b2 -= sums.y; }}", x + 1);
            out.close();
        }
        emit!(out, "sync();");
        for x in (0..self.border).rev() {
            emit!(out, "if lane == {x}u {{ set_col({x}u, b2 / pivot2); }}");
            emit!(out, "sync();");
            if x > 0 {
                emit!(out, "if lane < {x}u {{ b2 -= corner{} * col({x}u); }}", component(x));
            }
        }
        emit!(out, "if lane < {}u {{ w[SEARCH + i2] = col(lane); }}", self.border);
    }

    /// Column `x` of the border in the registers of a row.
    fn border_component(self, x: usize) -> String {
        component(4 * self.vec4s + x)
    }
}

/// Component `x` of an array of `vec4`s.
fn component(x: usize) -> String {
    format!("{}.{}", x / 4, COMPONENTS[x % 4])
}
