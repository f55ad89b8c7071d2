//! Index lists of the awake trees, bodies and dofs (`mj_updateSleep`), and iteration over them.

use super::{ASLEEP, AWAKE, STATIC};
use crate::math::at;
use crate::{Data, Model};
use std::ops::Range;

/// Recomputes `tree_awake`, `body_awake` and the awake index lists from `tree_asleep`.
#[doc(alias = "mj_updateSleep")]
pub(crate) fn mj_update_sleep(m: &Model, d: &mut Data) {
    d.ntree_awake = 0;
    for (awake, &asleep) in d.tree_awake.iter_mut().zip(&d.tree_asleep) {
        *awake = i32::from(asleep < 0);
        d.ntree_awake += usize::from(asleep < 0);
    }
    (d.nbody_awake, d.nparent_awake, d.nv_awake) = (0, 0, 0);
    for i in 0..m.nbody {
        d.body_awake[i] = match usize::try_from(m.body_treeid[i]) {
            Ok(tree) if d.tree_awake[tree] == 0 => ASLEEP,
            Ok(_) => AWAKE,
            // bodies fixed to a mocap body move with it
            Err(_) if m.body_mocapid[at(&m.body_rootid, i)] >= 0 => AWAKE,
            Err(_) => STATIC,
        };
        if d.body_awake[i] != ASLEEP {
            d.body_awake_ind[d.nbody_awake] = i as i32;
            d.nbody_awake += 1;
        }
        if i > 0 && d.body_awake[at(&m.body_parentid, i)] != ASLEEP {
            d.parent_awake_ind[d.nparent_awake] = i as i32;
            d.nparent_awake += 1;
        }
    }
    for i in 0..m.nv {
        if d.tree_awake[at(&m.dof_treeid, i)] != 0 {
            d.dof_awake_ind[d.nv_awake] = i as i32;
            d.nv_awake += 1;
        }
    }
}

/// Set of bodies and dofs that a stage processes.
pub(crate) trait AwakeSet: Copy {
    /// Whether the set contains all trees.
    const ALL: bool;
    /// Bodies, including the world.
    fn bodies(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
    /// Bodies, excluding the world.
    fn moving(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
    /// Bodies whose parent is in [`AwakeSet::bodies`].
    fn children(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
    /// Dofs.
    fn dofs(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
}

/// All trees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllTrees;

impl AwakeSet for AllTrees {
    const ALL: bool = true;
    #[inline(always)]
    fn bodies(self, m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        0..m.nbody
    }
    #[inline(always)]
    fn moving(self, m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        1..m.nbody
    }
    #[inline(always)]
    fn children(self, m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        1..m.nbody
    }
    #[inline(always)]
    fn dofs(self, m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        0..m.nv
    }
}

/// All trees but those that are asleep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AwakeTrees<'a> {
    bodies: &'a [i32],
    parents: &'a [i32],
    dofs: &'a [i32],
}

impl AwakeSet for AwakeTrees<'_> {
    const ALL: bool = false;
    #[inline(always)]
    fn bodies(self, _m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        self.bodies.iter().map(|&i| i as usize)
    }
    #[inline(always)]
    fn moving(self, _m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        self.bodies.iter().skip(1).map(|&i| i as usize)
    }
    #[inline(always)]
    fn children(self, _m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        self.parents.iter().map(|&i| i as usize)
    }
    #[inline(always)]
    fn dofs(self, _m: &Model) -> impl DoubleEndedIterator<Item = usize> {
        self.dofs.iter().map(|&i| i as usize)
    }
}

impl Data {
    /// Calls `f` with the awake index lists, which are moved out of the data during the call.
    pub(crate) fn with_awake<R>(&mut self, f: impl FnOnce(&mut Self, AwakeTrees<'_>) -> R) -> R {
        let bodies = std::mem::take(&mut self.body_awake_ind);
        let parents = std::mem::take(&mut self.parent_awake_ind);
        let dofs = std::mem::take(&mut self.dof_awake_ind);
        let awake = AwakeTrees {
            bodies: &bodies[..self.nbody_awake],
            parents: &parents[..self.nparent_awake],
            dofs: &dofs[..self.nv_awake],
        };
        let result = f(self, awake);
        self.body_awake_ind = bodies;
        self.parent_awake_ind = parents;
        self.dof_awake_ind = dofs;
        result
    }
}

/// Runs a kernel `fn(&Model, &mut Data, impl AwakeSet)` on all trees, or on the awake trees if any
/// tree is asleep. The kernel must be `#[inline(always)]`.
macro_rules! for_awake {
    ($kernel:ident($m:ident, $d:ident)) => {{
        #[inline(always)]
        fn all(m: &$crate::Model, d: &mut $crate::Data) {
            $kernel(m, d, $crate::sleep::AllTrees);
        }
        #[inline(always)]
        fn some(m: &$crate::Model, d: &mut $crate::Data, awake: $crate::sleep::AwakeTrees<'_>) {
            $kernel(m, d, awake);
        }
        if $d.any_asleep($m) {
            $d.with_awake(|d, awake| {
                let m = $m;
                sim_simd::dispatch!(some(
                    m: &$crate::Model, d: &mut $crate::Data, awake: $crate::sleep::AwakeTrees<'_>,
                ));
            });
        } else {
            let (m, d) = ($m, $d);
            sim_simd::dispatch!(all(m: &$crate::Model, d: &mut $crate::Data));
        }
    }};
}
pub(crate) use for_awake;

/// Awake trees as maximal index ranges.
pub(crate) fn awake_tree_ranges(tree_awake: &[i32]) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = next + tree_awake[next..].iter().position(|&awake| awake != 0)?;
        let length = tree_awake[start..].iter().take_while(|&&awake| awake != 0).count();
        next = start + length;
        Some(start..next)
    })
}

/// Dofs of awake trees as maximal index ranges.
pub(crate) fn awake_dof_ranges<'a>(
    m: &'a Model,
    tree_awake: &'a [i32],
) -> impl Iterator<Item = Range<usize>> + 'a {
    awake_tree_ranges(tree_awake).map(|trees| {
        let last = trees.end - 1;
        at(&m.tree_dofadr, trees.start)..at(&m.tree_dofadr, last) + at(&m.tree_dofnum, last)
    })
}
