//! Shapes of the arrays of `Model` and `Data`, from the field tables.

use sim_physics::core::FieldInfo;
use sim_physics::{Data, Model};
use std::ops::Range;
use std::sync::LazyLock;

/// A dimension of an array.
#[derive(Clone, Copy)]
enum Dim {
    Literal(usize),
    /// Index in `Model::SIZES`.
    Size(usize),
    /// A number of contacts or constraints, which follows from the length of the array.
    Variable,
}

/// Shape of an array with at most two dimensions: further ones are merged into the second, as in MuJoCo.
pub struct Layout {
    dims: Vec<Dim>,
}

impl Layout {
    fn new(field: &FieldInfo) -> Self {
        let dim = |name: &&str| match name.parse() {
            Ok(number) => Dim::Literal(number),
            Err(_) => {
                let size = Model::SIZES.iter().position(|(size, _)| size == name);
                size.map_or(Dim::Variable, Dim::Size)
            }
        };
        Self { dims: field.shape.iter().map(dim).collect() }
    }

    /// The shape of an array of `length` elements whose number of rows changes in every step.
    pub fn shape_of_rows(&self, model: &Model, length: usize) -> Shape {
        let Shape { dims: [_, row], ndim } = self.shape(model, length);
        Shape { dims: [length.checked_div(row).unwrap_or(0), row], ndim }
    }

    /// The shape of the array of `length` elements: number of dimensions and sizes.
    pub fn shape(&self, model: &Model, length: usize) -> Shape {
        let size = |dim: &Dim| match dim {
            Dim::Literal(number) => Some(*number),
            Dim::Size(index) => model.size(*index),
            Dim::Variable => None,
        };
        let (first, rest) = self.dims.split_first().map_or((None, &[][..]), |(d, r)| (size(d), r));
        let row: usize = rest.iter().map(|dim| size(dim).unwrap_or(1)).product();
        let first = first.unwrap_or_else(|| length.checked_div(row).unwrap_or(0));
        if rest.is_empty() {
            Shape { dims: [first, 1], ndim: 1 }
        } else {
            Shape { dims: [first, row], ndim: 2 }
        }
    }
}

/// One or two dimensions.
#[derive(Clone, Copy)]
pub struct Shape {
    dims: [usize; 2],
    ndim: usize,
}

impl Shape {
    /// Range and shape of the rows `start..start + count`; without a count those of one row, without its first
    /// dimension if there are two.
    pub fn rows(&self, start: usize, count: Option<usize>) -> (Range<usize>, Self) {
        let row = if self.ndim == 1 { 1 } else { self.dims[1] };
        let range = start * row..(start + count.unwrap_or(1)) * row;
        let shape = match (count, self.ndim) {
            (Some(count), _) => Self { dims: [count, row], ndim: self.ndim },
            (None, 1) => Self { dims: [1, 1], ndim: 1 },
            (None, _) => Self { dims: [row, 1], ndim: 1 },
        };
        (range, shape)
    }

    /// The sizes of all dimensions.
    pub fn sizes(&self) -> &[usize] {
        &self.dims[..self.ndim]
    }
}

/// Layouts of `Model::FIELDS`.
pub fn of_model(index: usize) -> &'static Layout {
    static LAYOUTS: LazyLock<Vec<Layout>> =
        LazyLock::new(|| Model::FIELDS.iter().map(Layout::new).collect());
    &LAYOUTS[index]
}

/// Layouts of `Data::FIELDS`.
pub fn of_data(index: usize) -> &'static Layout {
    static LAYOUTS: LazyLock<Vec<Layout>> =
        LazyLock::new(|| Data::FIELDS.iter().map(Layout::new).collect());
    &LAYOUTS[index]
}
