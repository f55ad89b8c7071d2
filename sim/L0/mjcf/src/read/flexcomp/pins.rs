//! Pinned points and nodes of a `flexcomp`.

use super::{Dof, Failure, FlexComp, Shape};

/// Pins as given, and the resulting flags.
#[derive(Debug, Default)]
pub(super) struct Pins {
    ids: Vec<i32>,
    ranges: Vec<i32>,
    grid: Vec<i32>,
    gridranges: Vec<i32>,
    /// Whether each point is pinned; with interpolation the same flags are those of the nodes.
    pub(super) pinned: Vec<bool>,
    /// Whether no point is pinned.
    pub(super) none: bool,
}

impl Pins {
    /// Adds the pins of one element.
    pub(super) fn add(
        &mut self,
        ids: Vec<i32>,
        ranges: Vec<i32>,
        grid: Vec<i32>,
        gridranges: Vec<i32>,
    ) {
        self.ids.extend(ids);
        self.ranges.extend(ranges);
        self.grid.extend(grid);
        self.gridranges.extend(gridranges);
    }

    /// Moves the flags of used points to the front; those beyond the points are kept.
    pub(super) fn remove_unused(&mut self, used: &[bool]) {
        let length = self.pinned.len();
        let points = used.iter().filter(|&&used| used).count();
        let kept = super::keep(used, &self.pinned[..used.len()], 1);
        self.pinned[..points].copy_from_slice(&kept);
        self.pinned.truncate(length.max(points));
    }

    fn set(&mut self, index: usize, what: &str) -> Result<(), Failure> {
        match self.pinned.get_mut(index) {
            Some(flag) => {
                *flag = true;
                Ok(())
            }
            None => Err((None, format!("<pin>: {what} {index} is out of range"))),
        }
    }
}

/// A pin index as an array index below `bound`.
fn checked(index: i32, bound: usize, what: &str) -> Result<usize, Failure> {
    usize::try_from(index).ok().filter(|&i| i < bound).ok_or_else(|| {
        (None, format!("<pin>: {what} has index {index}, which is not below {bound}"))
    })
}

impl FlexComp {
    /// Sets the pinned points, and whether all or none are pinned.
    pub(super) fn resolve_pins(&mut self) -> Result<(), Failure> {
        self.check_pins()?;
        let npoint = self.npoint();
        let slots = npoint.max(self.node_count());
        self.pins.pinned = vec![self.rigid; slots];
        if self.rigid {
            return Ok(());
        }
        for id in std::mem::take(&mut self.pins.ids) {
            let id = checked(id, npoint, "id")?;
            self.pins.pinned[id] = true;
        }
        for range in std::mem::take(&mut self.pins.ranges).as_chunks::<2>().0 {
            let [low, high] =
                [checked(range[0], npoint, "range")?, checked(range[1], npoint, "range")?];
            for id in low..=high {
                self.pins.pinned[id] = true;
            }
        }
        self.grid_pins()?;
        // the centre of a radial flex does not move
        if self.dof == Dof::Radial {
            self.pins.pinned[0] = true;
        }
        let points = &self.pins.pinned[..npoint];
        self.rigid = points.iter().all(|&pinned| pinned);
        self.pins.none = !points.contains(&true);
        Ok(())
    }

    fn check_pins(&self) -> Result<(), Failure> {
        let dim = self.corners() - 1;
        let pins = &self.pins;
        let fail = |message: String| Err((None, message));
        if !pins.ranges.len().is_multiple_of(2) {
            return fail("<pin>: `range` requires pairs of points".to_owned());
        }
        if !pins.grid.len().is_multiple_of(dim) {
            return fail(format!("<pin>: `grid` requires a multiple of {dim} numbers (dim)"));
        }
        if !pins.gridranges.len().is_multiple_of(2 * dim) {
            let required = 2 * dim;
            return fail(format!("<pin>: `gridrange` requires a multiple of {required} numbers"));
        }
        if pins.grid.is_empty() && pins.gridranges.is_empty() {
            return Ok(());
        }
        if self.shape != Shape::Grid && self.dof.order() == 0 {
            return fail("<pin>: `grid` and `gridrange` require type=\"grid\"".to_owned());
        }
        if dim == 1 {
            return fail("<pin>: `grid` and `gridrange` require dim 2 or 3".to_owned());
        }
        Ok(())
    }

    /// Pins by grid coordinates. As in MuJoCo, the strides are those of the points, also for nodes.
    fn grid_pins(&mut self) -> Result<(), Failure> {
        let dim = self.corners() - 1;
        let [_, ny, nz] = self.count;
        let index = move |g: &[usize]| {
            if dim == 2 { g[0] * ny + g[1] } else { (g[0] * ny + g[1]) * nz + g[2] }
        };
        let mut bounds = self.count;
        if self.shape != Shape::Grid && self.dof.order() > 0 {
            bounds = [if self.dof == Dof::Trilinear { 2 } else { 3 }; 3];
        }
        for at in std::mem::take(&mut self.pins.grid).chunks(dim) {
            let mut g = [0; 3];
            for k in 0..dim {
                g[k] = checked(at[k], bounds[k], "grid")?;
            }
            self.pins.set(index(&g), "grid point")?;
        }
        for range in std::mem::take(&mut self.pins.gridranges).chunks(2 * dim) {
            let (mut low, mut high) = ([0; 3], [0; 3]);
            for k in 0..dim {
                low[k] = checked(range[k], self.count[k], "gridrange")?;
                high[k] = checked(range[dim + k], self.count[k], "gridrange")?;
            }
            for ix in low[0]..=high[0] {
                for iy in low[1]..=high[1] {
                    for iz in low[2]..=high[2] {
                        self.pins.set(index(&[ix, iy, iz]), "grid point")?;
                    }
                }
            }
        }
        Ok(())
    }
}
