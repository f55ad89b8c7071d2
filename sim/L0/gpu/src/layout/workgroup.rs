//! Arrays in workgroup memory: their lifetimes, and where they are allocated.

use super::Constants;
use std::fmt::Write;
use std::ops::{Range, RangeInclusive};

/// Parts of a step in the order of their execution; lifetimes of workgroup arrays are ranges of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Kinematics,
    Crb,
    Passive,
    Actuation,
    SensorForce,
    GeomPoses,
    Collision,
    MakeConstraint,
    ReferenceConstraint,
    SolverInit,
    Solver,
    SensorAcc,
    ImplicitDamping,
    Integrate,
}

/// The whole step.
pub(crate) const STEP: RangeInclusive<Stage> = Stage::Kinematics..=Stage::Integrate;

/// Bits of the stages of a step in [`WorkgroupArray::live`].
const STEP_STAGES: Range<u32> = 0..Stage::Integrate as u32 + 1;

/// Attempts to improve an allocation; each takes a few microseconds.
const RANK_MOVES: usize = 20_000;

/// An array in workgroup memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorkgroupArray {
    pub name: &'static str,
    /// First word.
    pub offset: usize,
    /// Words.
    pub len: usize,
    /// Stages in which the array holds values, a bit each.
    live: u32,
}

/// The bits of a range of stages.
fn stages(range: &RangeInclusive<Stage>) -> u32 {
    (2 << *range.end() as u32) - (1 << *range.start() as u32)
}

impl WorkgroupArray {
    /// An array without an offset yet.
    pub(crate) fn new(name: &'static str, len: usize, live: RangeInclusive<Stage>) -> Self {
        Self { name, offset: 0, len, live: stages(&live) }
    }

    /// Adds stages in which the array holds values again.
    pub(crate) fn also_live(mut self, live: Option<RangeInclusive<Stage>>) -> Self {
        self.live |= live.as_ref().map_or(0, stages);
        self
    }

    fn words(&self) -> Range<usize> {
        self.offset..self.offset + self.len
    }

    fn is_live_with(&self, other: &Self) -> bool {
        self.live & other.live != 0
    }
}

/// Allocation of arrays in workgroup memory. Its size limits how many environments a streaming multiprocessor executes at
/// once, so arrays that are not live at the same time share memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorkgroupLayout {
    size: usize,
    /// All arrays, in the order of their declaration.
    pub arrays: Vec<WorkgroupArray>,
}

impl WorkgroupLayout {
    /// Allocates arrays without sharing memory, so that all of them can be read after the step.
    pub(crate) fn disjoint(mut arrays: Vec<WorkgroupArray>) -> Self {
        let mut size = 0;
        for array in &mut arrays {
            array.offset = size;
            size += array.len;
        }
        Self { size, arrays }
    }

    /// Allocates arrays that are live throughout the step one after another, in the order of their declaration, and then
    /// the others by first fit, the longest first; then arrays are moved to other ranks of this order as long as that
    /// saves memory.
    pub(crate) fn shared(mut arrays: Vec<WorkgroupArray>) -> Self {
        let mut order: Vec<usize> = (0..arrays.len()).filter(|&k| arrays[k].len > 0).collect();
        let step = stages(&STEP);
        order.sort_by_key(|&k| (arrays[k].live != step, usize::MAX - arrays[k].len));
        let fixed = order.iter().filter(|&&k| arrays[k].live == step).count();
        order[..fixed].sort_unstable();
        let least = STEP_STAGES.map(|stage| words_live_in(&arrays, stage)).max().unwrap_or(0);
        let size = move_ranks(&mut arrays, &mut order, fixed, least);
        first_fit(&mut arrays, &order);
        Self { size, arrays }
    }

    /// Words of all arrays together.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Declares the offset of each array.
    pub(crate) fn declare(&self, constants: &mut Constants) {
        for array in &self.arrays {
            constants.u32(array.name, array.offset);
        }
    }

    /// The WGSL declarations for arrays in a storage buffer, where the offset of each array depends on the environment:
    /// variables instead of constants, and a function that sets them. `indices` are index arrays that are in a storage
    /// buffer too.
    pub(crate) fn emit_variables(&self, indices: Option<&Self>) -> String {
        let mut out = String::new();
        let indices = indices.map_or(&[][..], |layout| &layout.arrays);
        for array in self.arrays.iter().chain(indices) {
            // writing to a string cannot fail
            let _ = writeln!(out, "var<private> {}: u32;", array.name);
        }
        let _ = writeln!(out, "var<private> W_FIRST: u32;\nfn set_array_offsets(first: u32) {{");
        let _ = writeln!(out, "    W_FIRST = first;");
        for array in &self.arrays {
            let _ = writeln!(out, "    {} = first + {}u;", array.name, array.offset);
        }
        for array in indices {
            let _ = writeln!(
                out,
                "    {} = scratch_index() * WU_SIZE + {}u;",
                array.name, array.offset
            );
        }
        out + "}\n"
    }
}

/// Words of the arrays that are live in a stage, the bit of [`WorkgroupArray::live`].
fn words_live_in(arrays: &[WorkgroupArray], stage: u32) -> usize {
    arrays.iter().filter(|array| array.live & (1 << stage) != 0).map(|array| array.len).sum()
}

/// Moves entries of an order, from rank `fixed` on, to random other ranks where the allocation does not become larger,
/// until it has the least possible size or after [`RANK_MOVES`]. Moves that change nothing lead out of local minima.
/// Returns the size of the allocation.
fn move_ranks(
    arrays: &mut [WorkgroupArray],
    order: &mut Vec<usize>,
    fixed: usize,
    least: usize,
) -> usize {
    let mut size = first_fit(arrays, order);
    let ranks = order.len() - fixed;
    let mut state = 1u64;
    let mut random_rank = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        fixed + (state >> 33) as usize % ranks.max(1)
    };
    for _ in 0..RANK_MOVES {
        if size <= least || ranks < 2 {
            break;
        }
        let (from, to) = (random_rank(), random_rank());
        let array = order.remove(from);
        order.insert(to, array);
        let moved = first_fit(arrays, order);
        if moved <= size {
            size = moved;
        } else {
            let array = order.remove(to);
            order.insert(from, array);
        }
    }
    size
}

/// First-fit allocation: in the given order, each array gets the lowest offset where no array before it is live at the
/// same time. Returns the words of all arrays together.
fn first_fit(arrays: &mut [WorkgroupArray], order: &[usize]) -> usize {
    let mut size = 0;
    for (rank, &k) in order.iter().enumerate() {
        let live_with_k = order[..rank].iter().filter(|&&j| arrays[j].is_live_with(&arrays[k]));
        let mut occupied: Vec<_> = live_with_k.map(|&j| arrays[j].words()).collect();
        occupied.sort_by_key(|words| words.start);
        let len = arrays[k].len;
        arrays[k].offset =
            occupied.iter().fold(0, |offset, words| match offset + len <= words.start {
                true => offset,
                false => offset.max(words.end),
            });
        size = size.max(arrays[k].offset + len);
    }
    size
}

#[cfg(test)]
mod tests {
    use super::{STEP, Stage, WorkgroupArray, WorkgroupLayout};

    #[test]
    fn arrays_share_memory_only_while_one_of_them_is_live() {
        use Stage::{Collision, Crb, GeomPoses, Kinematics, MakeConstraint, Passive, SensorForce};
        let arrays = || {
            [
                ("TIME", 1, STEP),
                ("XPOS", 6, Kinematics..=GeomPoses),
                ("TEN_FORCE", 4, Passive..=SensorForce),
                ("CINERT", 16, Kinematics..=Crb),
                ("GEOM_POSE", 18, GeomPoses..=Collision),
                ("EFC_D", 9, MakeConstraint..=Stage::Solver),
                ("QPOS", 2, STEP),
            ]
            .map(|(name, len, live)| WorkgroupArray::new(name, len, live))
            .to_vec()
        };
        let offsets = |layout: &WorkgroupLayout| layout.arrays.iter().map(|a| a.offset).collect();
        let shared = WorkgroupLayout::shared(arrays());
        let found: Vec<_> = offsets(&shared);
        assert_eq!(found, [0, 21, 3, 3, 3, 3, 1]);
        assert_eq!(
            shared.size(),
            27,
            "all arrays that are live when the poses of geoms are computed"
        );
        let disjoint = WorkgroupLayout::disjoint(arrays());
        let found: Vec<_> = offsets(&disjoint);
        assert_eq!(found, [0, 1, 7, 11, 27, 45, 54]);
        assert_eq!(disjoint.size(), 56);
    }

    #[test]
    fn the_size_is_that_of_the_stage_with_most_live_words() {
        use Stage::{
            Actuation, Collision, Crb, GeomPoses, ImplicitDamping, Integrate, Kinematics,
            MakeConstraint, Passive, ReferenceConstraint, SensorAcc, SensorForce, Solver,
            SolverInit,
        };
        // a humanoid with 29 dofs
        let arrays = [
            ("QPOS", 30, STEP),
            ("CDOF", 174, Kinematics..=MakeConstraint),
            ("XPOS", 75, Kinematics..=GeomPoses),
            ("XQUAT", 100, Kinematics..=GeomPoses),
            ("CINERT", 384, Kinematics..=Crb),
            ("QFRC_SMOOTH", 29, Crb..=SensorAcc),
            ("FORCE_DERIV", 23, Passive..=ImplicitDamping),
            ("ACTUATOR_FORCE", 23, Actuation..=SensorForce),
            ("GEOM_POSE", 117, GeomPoses..=Collision),
            ("PAIR_QUEUE", 32, Collision..=Collision),
            ("CONTACT", 120, Collision..=MakeConstraint),
            ("EFC_D", 110, MakeConstraint..=Solver),
            ("EFC_JAR", 110, MakeConstraint..=Solver),
            ("EFC_JV", 110, MakeConstraint..=Solver),
            ("EFC_AREF", 110, ReferenceConstraint..=SolverInit),
            ("EFC_FORCE", 110, Solver..=SensorAcc),
            ("QACC", 29, SolverInit..=Integrate),
            ("GRAD", 29, SolverInit..=Integrate),
            ("DAMPING_DIAG", 29, ImplicitDamping..=ImplicitDamping),
        ];
        let arrays = arrays.map(|(name, len, live)| WorkgroupArray::new(name, len, live)).to_vec();
        let layout = WorkgroupLayout::shared(arrays);
        assert_eq!(layout.size(), 30 + 174 + 75 + 100 + 384 + 29, "live while M is computed");
        for (k, a) in layout.arrays.iter().enumerate() {
            for b in &layout.arrays[..k] {
                let disjoint = a.words().end <= b.offset || b.words().end <= a.offset;
                assert!(disjoint || !a.is_live_with(b), "{} and {} overlap", a.name, b.name);
            }
        }
    }
}
