//! Geometric Jacobians of a chain's tip, their time derivatives, and changes of frame.
//!
//! A column is the velocity of the tip per unit of a dof's velocity, linear part first:
//!
//! | joint | linear | angular |
//! |---|---|---|
//! | hinge | `z × (p_tip − p)` | `z` |
//! | slide | `z` | 0 |
//! | ball | `(R eᵢ) × (p_tip − p)` | `R eᵢ` |
//! | free, translation | `eᵢ` | 0 |
//! | free, rotation | `(R eᵢ) × (p_tip − p)` | `R eᵢ` |
//!
//! The frames of all joints are computed by [`Chain::forward`]; each column depends only on the frame
//! of its joint and that of the tip.

use crate::chain::Column;
use crate::error::check_length;
use crate::{Chain, Error, Frame, JointFrameCache};
use nalgebra::Matrix6xX;
use sim_core::math::vec3::{self, Vec3};
use sim_simd::dispatch;

/// Reference point and axes of a Jacobian.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JacobianType {
    /// Linear velocity of the tip's origin and angular velocity of the tip, in the axes of the base. Equal
    /// to `mj_jac` if the base is the world.
    #[default]
    Spatial,
    /// The same velocities in the axes of the tip.
    Body,
    /// Spatial twist: velocity of the point of the tip's body at the origin of the base, in the axes of
    /// the base.
    Origin,
}

/// The adjoint matrix of a pose, row-major: it maps a twist (linear part first) from the frame to its
/// parent frame.
#[must_use]
pub fn adjoint(pose: &Frame) -> [[f64; 6]; 6] {
    let mut matrix = [[0.0; 6]; 6];
    for k in 0..3 {
        let axis = pose.axis(k);
        let lever = vec3::cross(pose.pos(), axis);
        for row in 0..3 {
            matrix[row][k] = axis[row];
            matrix[row + 3][k + 3] = axis[row];
            matrix[row][k + 3] = lever[row];
        }
    }
    matrix
}

/// Converts a Jacobian in place from one type to another; `tip` is the pose of the tip.
pub fn convert(jac: &mut [[f64; 6]], tip: &Frame, from: JacobianType, to: JacobianType) {
    // pose of each type's frame in the base
    let pose = |kind: JacobianType| match kind {
        JacobianType::Spatial => Frame::from_mat(tip.pos(), &sim_core::math::mat3::IDENTITY),
        JacobianType::Body => *tip,
        JacobianType::Origin => Frame::IDENTITY,
    };
    if from == to {
        return;
    }
    let transform = pose(to).inverse().then(&pose(from));
    for column in jac {
        let ([v0, v1, v2], [w0, w1, w2]) = split(column);
        let angular = transform.rotate([w0, w1, w2]);
        let linear =
            vec3::add(transform.rotate([v0, v1, v2]), vec3::cross(transform.pos(), angular));
        *column = join(linear, angular);
    }
}

fn split(column: &[f64; 6]) -> (Vec3, Vec3) {
    let [a, b, c, d, e, f] = *column;
    ([a, b, c], [d, e, f])
}

#[inline(always)]
fn join(linear: Vec3, angular: Vec3) -> [f64; 6] {
    [linear[0], linear[1], linear[2], angular[0], angular[1], angular[2]]
}

impl Chain {
    /// Forward kinematics and Jacobian at `qpos`: [`forward`](Self::forward), then
    /// [`jacobian`](Self::jacobian).
    ///
    /// # Errors
    /// When a slice has the wrong length.
    #[inline]
    pub fn jacobian_at(
        &self,
        qpos: &[f64],
        cache: &mut JointFrameCache,
        kind: JacobianType,
        jac: &mut [[f64; 6]],
    ) -> Result<Frame, Error> {
        let tip = self.forward(qpos, cache)?;
        self.jacobian(cache, kind, jac)?;
        Ok(tip)
    }

    /// Computes the Jacobian at the configuration of the cache: one column `[linear, angular]` for each
    /// of the chain's [`dofs`](Self::dofs).
    ///
    /// # Errors
    /// When `jac` does not have one column per dof, or the cache belongs to another chain.
    #[inline]
    pub fn jacobian(
        &self,
        cache: &JointFrameCache,
        kind: JacobianType,
        jac: &mut [[f64; 6]],
    ) -> Result<(), Error> {
        let frames = cache.frames();
        check_length("the Jacobian", jac.len(), self.nv())?;
        check_length("the frame cache", frames.len(), self.frame_count())?;
        let chain = self;
        dispatch!(fill(chain: &Chain, frames: &[Frame], jac: &mut [[f64; 6]]));
        if kind != JacobianType::Spatial {
            convert(jac, cache.tip(), JacobianType::Spatial, kind);
        }
        Ok(())
    }

    /// Computes the time derivative `J̇` of the Jacobian at velocity `qvel`; the acceleration of the tip
    /// is `J q̈ + J̇ q̇`.
    ///
    /// # Errors
    /// When a slice has the wrong length.
    pub fn jacobian_dot(
        &self,
        cache: &JointFrameCache,
        qvel: &[f64],
        kind: JacobianType,
        dot: &mut [[f64; 6]],
    ) -> Result<(), Error> {
        let frames = cache.frames();
        check_length("the Jacobian derivative", dot.len(), self.nv())?;
        check_length("the frame cache", frames.len(), self.frame_count())?;
        if let Some(&last) = self.dofs().iter().max()
            && last >= qvel.len()
        {
            let (what, given) = ("qvel", qvel.len());
            return Err(Error::Length { what, expected: last + 1, given });
        }
        let tip = cache.tip();
        let twist = self.tip_twist(frames, qvel);
        // columns are in the order of the chain; those of a joint are consecutive
        let (mut before, mut rest) = (Twist::default(), (self.columns(), self.dofs(), dot));
        while let Some(first) = rest.0.first() {
            let count = rest.0.iter().take_while(|column| column.link == first.link).count();
            let (columns, dofs, dot);
            (columns, rest.0) = rest.0.split_at(count);
            (dofs, rest.1) = rest.1.split_at(count);
            (dot, rest.2) = rest.2.split_at_mut(count);
            let mut after = before;
            for (column, &dof) in columns.iter().zip(dofs) {
                after.add(column, frames, qvel[dof]);
            }
            for (column, dot) in columns.iter().zip(dot) {
                let carrier = if column.frame > column.link { &after } else { &before };
                let rate = column_rate(column, frames, tip.pos(), carrier, &twist);
                *dot = convert_rate(column_at(column, frames, tip.pos()), rate, tip, &twist, kind);
            }
            before = after;
        }
        Ok(())
    }

    /// The Jacobian as a matrix with six rows and one column per dof of the chain.
    ///
    /// # Errors
    /// When `qpos` has the wrong length.
    pub fn jacobian_matrix(
        &self,
        qpos: &[f64],
        kind: JacobianType,
    ) -> Result<Matrix6xX<f64>, Error> {
        let mut jac = vec![[0.0; 6]; self.nv()];
        self.jacobian_at(qpos, &mut self.make_cache(), kind, &mut jac)?;
        Ok(Matrix6xX::from_fn(self.nv(), |row, column| jac[column][row]))
    }

    /// The twist of the tip.
    fn tip_twist(&self, frames: &[Frame], qvel: &[f64]) -> Twist {
        let mut twist = Twist::default();
        for (column, &dof) in self.columns().iter().zip(self.dofs()) {
            twist.add(column, frames, qvel[dof]);
        }
        twist
    }
}

/// Spatial twist: velocity of the point at the origin of the base, and angular velocity.
#[derive(Debug, Clone, Copy, Default)]
struct Twist {
    linear: Vec3,
    angular: Vec3,
}

impl Twist {
    /// Adds the contribution of a dof with this velocity.
    fn add(&mut self, column: &Column, frames: &[Frame], velocity: f64) {
        let (linear, angular) = column_at(column, frames, [0.0; 3]);
        self.linear = vec3::add_scaled(self.linear, linear, velocity);
        self.angular = vec3::add_scaled(self.angular, angular, velocity);
    }

    /// Velocity of a point.
    fn at(&self, point: Vec3) -> Vec3 {
        vec3::add(self.linear, vec3::cross(self.angular, point))
    }
}

/// Time derivative of a column of the spatial Jacobian: its axis moves with twist `carrier`, the tip
/// with `twist`.
fn column_rate(
    column: &Column,
    frames: &[Frame],
    tip: Vec3,
    carrier: &Twist,
    twist: &Twist,
) -> (Vec3, Vec3) {
    let frame = &frames[column.frame];
    let axis = vec3::scale(frame.axis(column.axis), column.sign);
    let axis_rate = vec3::cross(carrier.angular, axis);
    if !column.is_rotation {
        return (axis_rate, [0.0; 3]);
    }
    let relative = vec3::sub(twist.at(tip), carrier.at(frame.pos()));
    let arm = vec3::sub(tip, frame.pos());
    (vec3::add(vec3::cross(axis_rate, arm), vec3::cross(axis, relative)), axis_rate)
}

/// Converts the time derivative of a column to another type, whose frame may move.
fn convert_rate(
    column: (Vec3, Vec3),
    rate: (Vec3, Vec3),
    tip: &Frame,
    twist: &Twist,
    kind: JacobianType,
) -> [f64; 6] {
    match kind {
        JacobianType::Spatial => join(rate.0, rate.1),
        JacobianType::Body => {
            let to_tip = |x: Vec3, rate: Vec3| {
                tip.rotate_back(vec3::sub(rate, vec3::cross(twist.angular, x)))
            };
            join(to_tip(column.0, rate.0), to_tip(column.1, rate.1))
        }
        JacobianType::Origin => {
            let p = tip.pos();
            let lever = vec3::add(vec3::cross(twist.at(p), column.1), vec3::cross(p, rate.1));
            join(vec3::add(rate.0, lever), rate.1)
        }
    }
}

/// Linear velocity of a point moved by a dof, and its angular velocity, per unit of dof velocity.
#[inline(always)]
fn column_at(column: &Column, frames: &[Frame], point: Vec3) -> (Vec3, Vec3) {
    let frame = &frames[column.frame];
    let axis = vec3::scale(frame.axis(column.axis), column.sign);
    if column.is_rotation {
        (vec3::cross(axis, vec3::sub(point, frame.pos())), axis)
    } else {
        (axis, [0.0; 3])
    }
}

/// Computes the columns of the spatial Jacobian from the frames.
#[inline(always)]
pub(crate) fn fill(chain: &Chain, frames: &[Frame], jac: &mut [[f64; 6]]) {
    let Some(tip) = frames.last().map(Frame::pos) else { return };
    if chain.all_scalar() {
        let kinds = chain.rotation_translation();
        for (((rotation, translation), frame), column) in kinds.zip(frames).zip(jac) {
            let z = frame.axis(2);
            let lever = vec3::cross(z, vec3::sub(tip, frame.pos()));
            let linear = [0, 1, 2].map(|k| rotation * lever[k] + translation * z[k]);
            *column = join(linear, vec3::scale(z, rotation));
        }
    } else {
        for (column, out) in chain.columns().iter().zip(jac) {
            let (linear, angular) = column_at(column, frames, tip);
            *out = join(linear, angular);
        }
    }
}
