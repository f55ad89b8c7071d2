//! Who is awake: lists of bodies and dofs that follow from `tree_asleep` (`mj_updateSleep`), and
//! loops over them.

use super::{ASLEEP, AWAKE, STATIC};
use crate::math::at;
use crate::{Data, Model};
use std::ops::Range;

/// Brings `tree_awake`, `body_awake`, the lists and their lengths up to date with `tree_asleep`.
#[doc(alias = "mj_updateSleep")]
pub(crate) fn update(m: &Model, d: &mut Data) {
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
            // whoever moves the first body of a mocap branch moves all of it
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

/// Which bodies and dofs a stage works on.
pub(crate) trait Who: Copy {
    /// Whether it is everybody.
    const ALL: bool;
    /// Bodies, the world first.
    fn bodies(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
    /// Bodies without the world.
    fn moving(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
    /// Bodies that pass something on to one of [`Who::bodies`], their parent.
    fn children(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
    /// Dofs.
    fn dofs(self, m: &Model) -> impl DoubleEndedIterator<Item = usize>;
}

/// Everybody.
#[derive(Debug, Clone, Copy)]
pub(crate) struct All;

impl Who for All {
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

/// All but the sleepers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Awake<'a> {
    bodies: &'a [i32],
    parents: &'a [i32],
    dofs: &'a [i32],
}

impl Who for Awake<'_> {
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
    /// Calls `f` with the lists of who is awake, which leave the data meanwhile.
    pub(crate) fn with_awake<R>(&mut self, f: impl FnOnce(&mut Self, Awake<'_>) -> R) -> R {
        let bodies = std::mem::take(&mut self.body_awake_ind);
        let parents = std::mem::take(&mut self.parent_awake_ind);
        let dofs = std::mem::take(&mut self.dof_awake_ind);
        let awake = Awake {
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

/// Runs a kernel `fn(&Model, &mut Data, impl Who)` on everybody, or on who is awake when some sleep.
/// The kernel must be marked `#[inline(always)]`.
macro_rules! for_awake {
    ($kernel:ident($m:ident, $d:ident)) => {{
        #[inline(always)]
        fn all(m: &$crate::Model, d: &mut $crate::Data) {
            $kernel(m, d, $crate::sleep::All);
        }
        #[inline(always)]
        fn some(m: &$crate::Model, d: &mut $crate::Data, awake: $crate::sleep::Awake<'_>) {
            $kernel(m, d, awake);
        }
        if $d.sleepers($m) {
            $d.with_awake(|d, awake| {
                let m = $m;
                sim_simd::dispatch!(some(
                    m: &$crate::Model, d: &mut $crate::Data, awake: $crate::sleep::Awake<'_>,
                ));
            });
        } else {
            let (m, d) = ($m, $d);
            sim_simd::dispatch!(all(m: &$crate::Model, d: &mut $crate::Data));
        }
    }};
}
pub(crate) use for_awake;

/// Trees that are awake, as ranges of neighbours.
pub(crate) fn awake_tree_runs(tree_awake: &[i32]) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = next + tree_awake[next..].iter().position(|&awake| awake != 0)?;
        let length = tree_awake[start..].iter().take_while(|&&awake| awake != 0).count();
        next = start + length;
        Some(start..next)
    })
}

/// Dofs that are awake, as ranges of neighbours.
pub(crate) fn awake_dof_runs<'a>(
    m: &'a Model,
    tree_awake: &'a [i32],
) -> impl Iterator<Item = Range<usize>> + 'a {
    awake_tree_runs(tree_awake).map(|trees| {
        let last = trees.end - 1;
        at(&m.tree_dofadr, trees.start)..at(&m.tree_dofadr, last) + at(&m.tree_dofnum, last)
    })
}
