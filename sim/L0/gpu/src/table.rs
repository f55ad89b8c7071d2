//! The numbers and indices of a model, laid out for a kernel, with a constant for where each begins.

use std::fmt::Write;

/// Two arrays, and the names of what is in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tables {
    /// Numbers.
    pub numbers: Vec<f64>,
    /// Indices and codes.
    pub indices: Vec<u32>,
    /// Declarations of the constants.
    pub constants: String,
    /// The functions that find contacts.
    pub collide: String,
    /// The same without long ones, where there are any: for a first pass over the environments that
    /// leaves those that need them to a second.
    pub first: Option<String>,
}

/// An index that points at nothing.
pub(crate) const NONE: u32 = u32::MAX;

impl Tables {
    /// Declares a constant.
    pub(crate) fn constant(&mut self, name: &str, value: usize) {
        writeln!(self.constants, "const {name}: u32 = {value}u;").unwrap_or_default();
    }

    /// Declares a flag.
    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        writeln!(self.constants, "const {name}: bool = {value};").unwrap_or_default();
    }

    /// Adds numbers one after another.
    pub(crate) fn numbers(&mut self, name: &str, values: impl IntoIterator<Item = f64>) {
        self.constant(name, self.numbers.len());
        self.numbers.extend(values);
    }

    /// Adds vectors field by field: all first components, then all second ones.
    pub(crate) fn vectors<const N: usize>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = [f64; N]>,
    ) {
        let values: Vec<[f64; N]> = values.into_iter().collect();
        self.constant(name, self.numbers.len());
        for k in 0..N {
            self.numbers.extend(values.iter().map(|v| v[k]));
        }
    }

    /// Adds vectors that are read whole, each in a place for four; the name counts fours.
    pub(crate) fn fours<const N: usize>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = [f64; N]>,
    ) {
        self.align();
        self.constant(name, self.numbers.len() / 4);
        for value in values {
            self.numbers.extend(value);
            self.align();
        }
    }

    /// Goes on with a new four.
    pub(crate) fn align(&mut self) {
        self.numbers.resize(self.numbers.len().next_multiple_of(4), 0.0);
    }

    /// Adds indices.
    pub(crate) fn indices(&mut self, name: &str, values: impl IntoIterator<Item = usize>) {
        self.constant(name, self.indices.len());
        let code = |v: usize| u32::try_from(v).unwrap_or(NONE);
        self.indices.extend(values.into_iter().map(code));
    }

    /// Adds a list for each element of something: where each begins, and in the same order the
    /// items, which the caller adds under names of their own.
    pub(crate) fn starts<T>(&mut self, name: &str, lists: &[Vec<T>]) {
        let mut start = 0;
        let starts = lists.iter().map(|list| {
            start += list.len();
            start
        });
        self.indices(name, std::iter::once(0).chain(starts.collect::<Vec<_>>()));
    }
}

/// Places in workgroup memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    next: usize,
    most: usize,
    /// Whether nothing shares a place with anything.
    pub apart: bool,
    /// Names, places and lengths.
    pub named: Vec<(&'static str, usize, usize)>,
    /// Declarations of the constants.
    pub constants: String,
}

impl Places {
    /// Reserves `len` words and names them.
    pub(crate) fn take(&mut self, name: &'static str, len: usize) {
        writeln!(self.constants, "const {name}: u32 = {}u;", self.next).unwrap_or_default();
        self.named.push((name, self.next, len));
        self.next += len;
        self.most = self.most.max(self.next);
    }

    /// Where the next would be.
    pub(crate) fn next(&self) -> usize {
        self.next
    }

    /// Goes back to a place, for things that are not needed at the same time.
    pub(crate) fn back_to(&mut self, place: usize) {
        self.next = if self.apart { self.most } else { place };
    }

    /// Goes on from a place, or after everything since, whichever is further.
    pub(crate) fn on_from(&mut self, place: usize) {
        self.next = if self.apart { self.most } else { self.next.max(place) };
    }

    /// Goes on after everything.
    pub(crate) fn skip_all(&mut self) {
        self.next = self.most;
    }
}

#[cfg(test)]
mod tests {
    use super::Tables;

    #[test]
    fn vectors_are_kept_field_by_field() {
        let mut tables = Tables::default();
        tables.numbers("A", [7.0]);
        tables.vectors("B", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        assert_eq!(tables.numbers, [7.0, 1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        assert_eq!(tables.constants, "const A: u32 = 0u;\nconst B: u32 = 1u;\n");
    }

    #[test]
    fn what_is_read_whole_has_a_place_for_four() {
        let mut tables = Tables::default();
        tables.numbers("A", [7.0]);
        tables.fours("B", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        tables.fours("C", [[8.0; 5]]);
        let expected =
            [7., 0., 0., 0., 1., 2., 3., 0., 4., 5., 6., 0., 8., 8., 8., 8., 8., 0., 0., 0.];
        assert_eq!(tables.numbers, expected);
        let named = "const A: u32 = 0u;\nconst B: u32 = 1u;\nconst C: u32 = 3u;\n";
        assert_eq!(tables.constants, named);
    }

    #[test]
    fn lists_have_one_start_more_than_elements() {
        let mut tables = Tables::default();
        tables.starts("L", &[vec![1, 2], vec![], vec![3]]);
        assert_eq!(tables.indices, [0, 2, 2, 3]);
    }
}
