//! Contact and attachment constraints between a point of a deformable body and a point of a rigid
//! body, projected once per substep.
//!
//! With C the error along an axis n, J the Jacobian row of the rigid point along n and wᵢ the
//! barycentric weights, a projection to the target C* applies the impulse
//!
//! ```text
//! λ = (C* − C) / (Σ wᵢ²/mᵢ + J M⁻¹ Jᵀ)        Δxᵢ = wᵢ/mᵢ λ n        Δq = −M⁻¹ Jᵀ λ
//! ```
//!
//! which is the XPBD update (Macklin et al. 2016) with zero compliance. λ is a mass times a
//! displacement, kg·m. The error at the start of the step decays with the relaxation time τ: C*(t)
//! = C(0) exp(−t/τ).

use super::buffers::{ConstraintKind, PointConstraint};
use super::surface_contact::{ConstraintKey, SurfacePoint};
use crate::inertia::solve_m_tree;
use crate::math::at;
use crate::math::vec3::{Vec3, add, cross, dot, sub};
use crate::math::{rows, spatial};
use crate::{Data, Model};
use std::ops::Range;

impl PointConstraint {
    /// An attachment with neutral values in the remaining fields.
    pub(super) fn new(
        key: ConstraintKey,
        instance: usize,
        location: SurfacePoint,
        frame: [Vec3; 3],
        start: Vec3,
    ) -> Self {
        Self {
            kind: ConstraintKind::Attachment,
            key,
            instance,
            location,
            frame,
            start,
            initial_error: [0.0; 3],
            relaxation_time: 1.0,
            dofs: [0; 2],
            adr: 0,
            inverse_mass: [0.0; 3],
            rigid_velocity: [0.0; 3],
            rigid_acceleration: [0.0; 3],
            accumulated_impulse: [0.0; 3],
            residual: [0.0; 3],
        }
    }

    /// Dofs of the kinematic tree of the rigid body.
    pub(super) fn dof_range(&self) -> Range<usize> {
        self.dofs[0]..self.dofs[1]
    }

    /// Computes the Jacobian of the rigid point along the axes and its product with the inverse
    /// inertia, and adds `J M⁻¹ Jᵀ` to the inverse mass. `scratch` has length nv.
    pub(super) fn compute_jacobian(
        &mut self,
        m: &Model,
        d: &Data,
        body: usize,
        point: Vec3,
        jac: &mut Vec<f64>,
        minv: &mut Vec<f64>,
        scratch: &mut [f64],
    ) {
        self.adr = jac.len();
        let Ok(tree) = usize::try_from(m.body_treeid[body]) else { return };
        let first = at(&m.tree_dofadr, tree);
        self.dofs = [first, first + at(&m.tree_dofnum, tree)];
        let width = self.dof_range().len();
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
            scratch[self.dof_range()].copy_from_slice(&jac[entries.clone()]);
            solve_m_tree(m, d, tree, scratch);
            minv[entries.clone()].copy_from_slice(&scratch[self.dof_range()]);
            let product = jac[entries.clone()].iter().zip(&minv[entries]).map(|(a, b)| a * b);
            self.inverse_mass[k] += product.sum::<f64>();
        }
    }

    /// Product of row `k` of the Jacobian with a generalized vector.
    pub(super) fn jacobian_product(&self, jac: &[f64], k: usize, x: &[f64]) -> f64 {
        let width = self.dof_range().len();
        let row = &jac[self.adr + k * width..self.adr + (k + 1) * width];
        row.iter().zip(&x[self.dof_range()]).map(|(a, b)| a * b).sum()
    }
}

/// The rigid bodies during a substep.
pub(super) struct RigidSide<'a> {
    pub jac: &'a [f64],
    pub minv: &'a [f64],
    /// Generalized displacement by constraint impulses since the start of the step.
    pub displacement: &'a mut [f64],
    /// The same at the start of the substep.
    pub previous_displacement: &'a [f64],
}

impl RigidSide<'_> {
    /// Applies `−impulse` along axis `k` to the rigid body.
    fn apply_impulse(&mut self, constraint: &PointConstraint, k: usize, impulse: f64) {
        let width = constraint.dof_range().len();
        let row = &self.minv[constraint.adr + k * width..constraint.adr + (k + 1) * width];
        for (displacement, x) in self.displacement[constraint.dof_range()].iter_mut().zip(row) {
            *displacement -= impulse * x;
        }
    }
}

/// Length and end time of a substep.
#[derive(Clone, Copy)]
pub(super) struct SubstepTime {
    /// Length of the substep, s.
    pub h: f64,
    /// Time from the start of the step to the end of the substep, s.
    pub t: f64,
}

impl PointConstraint {
    /// Projects the constraint. `x` and `previous` are the particles of the deformable body now and
    /// before the substep.
    pub(super) fn solve(
        &mut self,
        time: SubstepTime,
        x: &mut [[f64; 4]],
        previous: &[[f64; 4]],
        rigid: &mut RigidSide<'_>,
    ) {
        // impulses of this substep, kg·m
        let mut impulse = [0.0; 3];
        match self.kind {
            ConstraintKind::Attachment => {
                let decay = (-time.t / self.relaxation_time).exp();
                for k in 0..3 {
                    let target = self.initial_error[k] * decay;
                    let correction = self.correction(k, target, time, x, rigid);
                    self.apply_impulse(k, correction, x, rigid);
                    impulse[k] += correction;
                }
            }
            ConstraintKind::Contact { friction } => {
                let penetrating = self.initial_error[0] < 0.0;
                let target = if penetrating {
                    self.initial_error[0] * (-time.t / self.relaxation_time).exp()
                } else {
                    0.0
                };
                let correction = self.correction(0, target, time, x, rigid);
                if correction.is_nan() || correction <= 0.0 {
                    return;
                }
                self.apply_impulse(0, correction, x, rigid);
                impulse[0] += correction;
                let max_friction = friction * impulse[0];
                // impulses that cancel the slip, limited to the friction disc
                let mut sticking = [0.0; 3];
                for k in 1..3 {
                    sticking[k] =
                        -self.tangential_slip(k, time, x, previous, rigid) / self.inverse_mass[k];
                }
                let length = (sticking[1] * sticking[1] + sticking[2] * sticking[2]).sqrt();
                let fraction = if length > max_friction { max_friction / length } else { 1.0 };
                for k in 1..3 {
                    let correction = sticking[k] * fraction - impulse[k];
                    self.apply_impulse(k, correction, x, rigid);
                    impulse[k] += correction;
                }
            }
        }
        for k in 0..3 {
            self.accumulated_impulse[k] += impulse[k];
        }
    }

    /// Impulse along axis `k` that changes the error to `target`.
    fn correction(
        &mut self,
        k: usize,
        target: f64,
        time: SubstepTime,
        x: &[[f64; 4]],
        rigid: &RigidSide<'_>,
    ) -> f64 {
        let position = self.location.interpolate(|i| [x[i][0], x[i][1], x[i][2]]);
        let body_displacement = dot(self.frame[k], sub(position, self.start));
        let accelerated = 0.5 * time.t * (time.t + time.h) * self.rigid_acceleration[k];
        let rigid_displacement = time.t * self.rigid_velocity[k]
            + accelerated
            + self.jacobian_product(rigid.jac, k, rigid.displacement);
        self.residual[k] = self.initial_error[k] + body_displacement - rigid_displacement;
        (target - self.residual[k]) / self.inverse_mass[k]
    }

    /// Relative displacement of the two points along axis `k` in this substep, m.
    fn tangential_slip(
        &self,
        k: usize,
        time: SubstepTime,
        x: &[[f64; 4]],
        previous: &[[f64; 4]],
        rigid: &RigidSide<'_>,
    ) -> f64 {
        let point_displacement =
            self.location.interpolate(|i| [0, 1, 2].map(|k| x[i][k] - previous[i][k]));
        let jacobian_product = |x: &[f64]| self.jacobian_product(rigid.jac, k, x);
        let rigid_displacement =
            jacobian_product(rigid.displacement) - jacobian_product(rigid.previous_displacement);
        dot(self.frame[k], point_displacement)
            - time.h * (self.rigid_velocity[k] + time.t * self.rigid_acceleration[k])
            - rigid_displacement
    }

    /// Applies an impulse along axis `k` to both sides.
    fn apply_impulse(&self, k: usize, impulse: f64, x: &mut [[f64; 4]], rigid: &mut RigidSide<'_>) {
        for (i, weight) in self.location.iter() {
            let by = weight * x[i][3] * impulse;
            for (x, axis) in x[i].iter_mut().zip(self.frame[k]) {
                *x += by * axis;
            }
        }
        rigid.apply_impulse(self, k, impulse);
    }
}
