//! A contact or an attachment as the substeps see it: a place on a deformable body and a point of a
//! rigid one, kept together or apart.

use super::{Key, Spot};
use crate::inertia::solve_m_tree;
use crate::math::at;
use crate::math::vec3::{Vec3, add, cross, dot, sub};
use crate::math::{rows, spatial};
use crate::{Data, Model};
use std::ops::Range;

/// What a tie does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Pushes only, with friction of this coefficient.
    Contact { friction: f64 },
    /// Holds in all directions.
    Hold,
}

/// A contact or an attachment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tie {
    pub kind: Kind,
    pub key: Key,
    pub part: usize,
    pub spot: Spot,
    /// Normal and tangents; the world's axes for attachments.
    pub frame: [Vec3; 3],
    /// Where the place was at the start of the step.
    pub start: Vec3,
    /// Distance along the axes at the start: of a contact along its normal.
    pub gap: Vec3,
    /// Time in which what is too near or too far comes right.
    pub ease: f64,
    /// Dofs of the rigid body's tree.
    pub dofs: [usize; 2],
    /// Where the Jacobian and its product with the inverse inertia begin.
    pub adr: usize,
    /// Inverse of the mass that moves along each axis.
    pub inverse: Vec3,
    /// Velocity of the rigid point along the axes at the start of the step.
    pub speed: Vec3,
    /// Its acceleration, without what ties add.
    pub gain: Vec3,
    /// Impulse of the step along the axes, as displacement times mass.
    pub sum: Vec3,
    /// Distance along the axes when the tie was last solved.
    pub left: Vec3,
}

impl Tie {
    /// A tie that holds, without the numbers that depend on its kind.
    pub(super) fn new(key: Key, part: usize, spot: Spot, frame: [Vec3; 3], start: Vec3) -> Self {
        Self {
            kind: Kind::Hold,
            key,
            part,
            spot,
            frame,
            start,
            gap: [0.0; 3],
            ease: 1.0,
            dofs: [0; 2],
            adr: 0,
            inverse: [0.0; 3],
            speed: [0.0; 3],
            gain: [0.0; 3],
            sum: [0.0; 3],
            left: [0.0; 3],
        }
    }

    /// The dofs of the rigid body's tree.
    pub(super) fn range(&self) -> Range<usize> {
        self.dofs[0]..self.dofs[1]
    }

    /// Fills in the Jacobian of the rigid point along the axes, and what follows from it. `numbers` has
    /// one entry for each dof.
    pub(super) fn bind(
        &mut self,
        m: &Model,
        d: &Data,
        body: usize,
        point: Vec3,
        jac: &mut Vec<f64>,
        minv: &mut Vec<f64>,
        numbers: &mut [f64],
    ) {
        self.adr = jac.len();
        let Ok(tree) = usize::try_from(m.body_treeid[body]) else { return };
        let first = at(&m.tree_dofadr, tree);
        self.dofs = [first, first + at(&m.tree_dofnum, tree)];
        let width = self.range().len();
        jac.resize(self.adr + 3 * width, 0.0);
        minv.resize(self.adr + 3 * width, 0.0);
        let arm = sub(point, rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)]);
        let cdof = rows::<6>(&d.cdof);
        let weld = at(&m.body_weldid, body);
        let mut dof = m.body_dofadr[weld] + m.body_dofnum[weld] - 1;
        while m.body_dofnum[weld] > 0 && dof >= 0 {
            let motion = &cdof[dof as usize];
            let linear = add(spatial::translation(motion), cross(spatial::rotation(motion), arm));
            for k in 0..3 {
                jac[self.adr + k * width + dof as usize - first] = dot(self.frame[k], linear);
            }
            dof = m.dof_parentid[dof as usize];
        }
        for k in 0..3 {
            let entries = self.adr + k * width..self.adr + (k + 1) * width;
            numbers[self.range()].copy_from_slice(&jac[entries.clone()]);
            solve_m_tree(m, d, tree, numbers);
            minv[entries.clone()].copy_from_slice(&numbers[self.range()]);
            let product = jac[entries.clone()].iter().zip(&minv[entries]).map(|(a, b)| a * b);
            self.inverse[k] += product.sum::<f64>();
        }
    }

    /// A product of row `k` of the Jacobian.
    pub(super) fn along(&self, jac: &[f64], k: usize, x: &[f64]) -> f64 {
        let width = self.range().len();
        let row = &jac[self.adr + k * width..self.adr + (k + 1) * width];
        row.iter().zip(&x[self.range()]).map(|(a, b)| a * b).sum()
    }
}

/// The rigid side of all ties during a substep.
pub(super) struct Rigid<'a> {
    pub jac: &'a [f64],
    pub minv: &'a [f64],
    /// Displacement that ties add since the start of the step.
    pub shift: &'a mut [f64],
    /// The same at the start of the substep.
    pub before: &'a [f64],
}

impl Rigid<'_> {
    /// Moves the rigid side by an impulse against axis `k`.
    fn push(&mut self, tie: &Tie, k: usize, impulse: f64) {
        let width = tie.range().len();
        let row = &self.minv[tie.adr + k * width..tie.adr + (k + 1) * width];
        for (shift, x) in self.shift[tie.range()].iter_mut().zip(row) {
            *shift -= impulse * x;
        }
    }
}

/// Times of a substep.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// Length of the substep.
    pub h: f64,
    /// Time since the start of the step at its end.
    pub t: f64,
}

impl Tie {
    /// Projects the tie: `x` and `previous` are the particles of its part.
    pub(super) fn solve(
        &mut self,
        clock: Clock,
        x: &mut [[f64; 4]],
        previous: &[[f64; 4]],
        rigid: &mut Rigid<'_>,
    ) {
        // impulses of this substep, as displacement times mass
        let mut impulse = [0.0; 3];
        match self.kind {
            Kind::Hold => {
                let fade = (-clock.t / self.ease).exp();
                for k in 0..3 {
                    let goal = self.gap[k] * fade;
                    let more = self.correction(k, goal, clock, x, rigid);
                    self.apply(k, more, x, rigid);
                    impulse[k] += more;
                }
            }
            Kind::Contact { friction } => {
                let deep = self.gap[0] < 0.0;
                let goal = if deep { self.gap[0] * (-clock.t / self.ease).exp() } else { 0.0 };
                let more = self.correction(0, goal, clock, x, rigid);
                if more.is_nan() || more <= 0.0 {
                    return;
                }
                self.apply(0, more, x, rigid);
                impulse[0] += more;
                let most = friction * impulse[0];
                let mut wanted = [0.0; 3];
                for k in 1..3 {
                    wanted[k] = -self.slip(k, clock, x, previous, rigid) / self.inverse[k];
                }
                let length = (wanted[1] * wanted[1] + wanted[2] * wanted[2]).sqrt();
                let share = if length > most { most / length } else { 1.0 };
                for k in 1..3 {
                    let more = wanted[k] * share - impulse[k];
                    self.apply(k, more, x, rigid);
                    impulse[k] += more;
                }
            }
        }
        for k in 0..3 {
            self.sum[k] += impulse[k];
        }
    }

    /// The impulse along axis `k` that brings the distance to `goal`.
    fn correction(
        &mut self,
        k: usize,
        goal: f64,
        clock: Clock,
        x: &[[f64; 4]],
        rigid: &Rigid<'_>,
    ) -> f64 {
        let place = self.spot.mean(|i| [x[i][0], x[i][1], x[i][2]]);
        let soft = dot(self.frame[k], sub(place, self.start));
        let gained = 0.5 * clock.t * (clock.t + clock.h) * self.gain[k];
        let hard = clock.t * self.speed[k] + gained + self.along(rigid.jac, k, rigid.shift);
        self.left[k] = self.gap[k] + soft - hard;
        (goal - self.left[k]) / self.inverse[k]
    }

    /// How far the sides slid along axis `k` in this substep.
    fn slip(
        &self,
        k: usize,
        clock: Clock,
        x: &[[f64; 4]],
        previous: &[[f64; 4]],
        rigid: &Rigid<'_>,
    ) -> f64 {
        let moved = self.spot.mean(|i| [0, 1, 2].map(|k| x[i][k] - previous[i][k]));
        let shift = self.along(rigid.jac, k, rigid.shift) - self.along(rigid.jac, k, rigid.before);
        dot(self.frame[k], moved) - clock.h * (self.speed[k] + clock.t * self.gain[k]) - shift
    }

    /// Moves both sides by an impulse along axis `k`.
    fn apply(&self, k: usize, impulse: f64, x: &mut [[f64; 4]], rigid: &mut Rigid<'_>) {
        for (i, weight) in self.spot.iter() {
            let by = weight * x[i][3] * impulse;
            for (x, axis) in x[i].iter_mut().zip(self.frame[k]) {
                *x += by * axis;
            }
        }
        rigid.push(self, k, impulse);
    }
}
