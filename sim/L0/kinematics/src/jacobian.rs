//! Geometric Jacobians of a chain's tip, their rates of change, and changes of frame.
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
//! Frames of all joints come from one pass over the chain ([`Chain::forward`]), and every column
//! from its own frame and the tip's.

use crate::chain::Column;
use crate::error::check_length;
use crate::{Chain, Error, Frame, JointFrameCache};
use nalgebra::Matrix6xX;
use sim_core::math::vec3::{self, Vec3};
use sim_simd::dispatch;

/// In which frame the velocity of the tip is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JacobianType {
    /// Velocity of the tip's origin and of its rotation, in the axes of the base: what `mj_jac`
    /// gives for a base in the world.
    #[default]
    Spatial,
    /// The same velocities in the axes of the tip.
    Body,
    /// The twist as seen from the base: velocity of the point of the tip's body that is at the
    /// base's origin.
    Origin,
}

/// The adjoint of a pose, row-major: it takes a twist (linear part first) given in the frame to the
/// frame that the pose is given in.
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

/// Takes a Jacobian of a tip with this pose from one frame to another, in place, by the adjoint of
/// the pose that lies between the two.
pub fn convert(jac: &mut [[f64; 6]], tip: &Frame, from: JacobianType, to: JacobianType) {
    // the pose of each frame in the base: that of `Spatial` has the tip's origin and the base's axes
    let pose = |kind: JacobianType| match kind {
        JacobianType::Spatial => Frame::from_mat(tip.pos(), &sim_core::math::mat3::IDENTITY),
        JacobianType::Body => *tip,
        JacobianType::Origin => Frame::IDENTITY,
    };
    if from == to {
        return;
    }
    let between = pose(to).inverse().then(&pose(from));
    for column in jac {
        let ([v0, v1, v2], [w0, w1, w2]) = split(column);
        let angular = between.rotate([w0, w1, w2]);
        let linear = vec3::add(between.rotate([v0, v1, v2]), vec3::cross(between.pos(), angular));
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
    /// Computes the frames at `qpos` and the Jacobian there: [`forward`](Self::forward), then
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

    /// The Jacobian at the state of the cache: one column of `[linear, angular]` for each of the
    /// chain's [`dofs`](Self::dofs).
    ///
    /// # Errors
    /// When `jac` has not one column for each dof, or the cache is another chain's.
    #[inline]
    pub fn jacobian(
        &self,
        cache: &JointFrameCache,
        kind: JacobianType,
        jac: &mut [[f64; 6]],
    ) -> Result<(), Error> {
        let frames = cache.frames();
        check_length("the Jacobian", jac.len(), self.nv())?;
        check_length("the cache of frames", frames.len(), self.frame_count())?;
        let chain = self;
        dispatch!(fill(chain: &Chain, frames: &[Frame], jac: &mut [[f64; 6]]));
        if kind != JacobianType::Spatial {
            convert(jac, cache.tip(), JacobianType::Spatial, kind);
        }
        Ok(())
    }

    /// How the Jacobian changes while the model moves with velocity `qvel`: `a = J q̈ + J̇ q̇` for the
    /// acceleration of the tip.
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
        check_length("the Jacobian's rate", dot.len(), self.nv())?;
        check_length("the cache of frames", frames.len(), self.frame_count())?;
        if let Some(&last) = self.dofs().iter().max()
            && last >= qvel.len()
        {
            let (what, given) = ("qvel", qvel.len());
            return Err(Error::Length { what, expected: last + 1, given });
        }
        let tip = cache.tip();
        let motion = self.tip_motion(frames, qvel);
        // dofs come in the order of the chain, a joint's together
        let (mut before, mut rest) = (Motion::default(), (self.columns(), self.dofs(), dot));
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
                let rate = column_rate(column, frames, tip.pos(), carrier, &motion);
                *dot = convert_rate(column_at(column, frames, tip.pos()), rate, tip, &motion, kind);
            }
            before = after;
        }
        Ok(())
    }

    /// The Jacobian as a matrix of six rows and one column for each dof of the chain.
    ///
    /// # Errors
    /// When `qpos` is not the model's.
    pub fn jacobian_matrix(
        &self,
        qpos: &[f64],
        kind: JacobianType,
    ) -> Result<Matrix6xX<f64>, Error> {
        let mut jac = vec![[0.0; 6]; self.nv()];
        self.jacobian_at(qpos, &mut self.make_cache(), kind, &mut jac)?;
        Ok(Matrix6xX::from_fn(self.nv(), |row, column| jac[column][row]))
    }

    /// How the tip moves.
    fn tip_motion(&self, frames: &[Frame], qvel: &[f64]) -> Motion {
        let mut motion = Motion::default();
        for (column, &dof) in self.columns().iter().zip(self.dofs()) {
            motion.add(column, frames, qvel[dof]);
        }
        motion
    }
}

/// How a rigid piece moves, as seen from the base: velocity of its point at the base's origin, and of
/// its rotation.
#[derive(Debug, Clone, Copy, Default)]
struct Motion {
    linear: Vec3,
    angular: Vec3,
}

impl Motion {
    /// Adds what a dof with this velocity does.
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

/// Rate of change of a column of the spatial Jacobian: its axis moves with `carrier`, the tip with
/// `motion`.
fn column_rate(
    column: &Column,
    frames: &[Frame],
    tip: Vec3,
    carrier: &Motion,
    motion: &Motion,
) -> (Vec3, Vec3) {
    let frame = &frames[column.frame];
    let axis = vec3::scale(frame.axis(column.axis), column.sign);
    let turning = vec3::cross(carrier.angular, axis);
    if !column.turns {
        return (turning, [0.0; 3]);
    }
    let relative = vec3::sub(motion.at(tip), carrier.at(frame.pos()));
    let arm = vec3::sub(tip, frame.pos());
    (vec3::add(vec3::cross(turning, arm), vec3::cross(axis, relative)), turning)
}

/// A column's rate of change in another frame, which may itself move.
fn convert_rate(
    column: (Vec3, Vec3),
    rate: (Vec3, Vec3),
    tip: &Frame,
    motion: &Motion,
    kind: JacobianType,
) -> [f64; 6] {
    match kind {
        JacobianType::Spatial => join(rate.0, rate.1),
        JacobianType::Body => {
            let seen = |x: Vec3, rate: Vec3| {
                tip.rotate_back(vec3::sub(rate, vec3::cross(motion.angular, x)))
            };
            join(seen(column.0, rate.0), seen(column.1, rate.1))
        }
        JacobianType::Origin => {
            let p = tip.pos();
            let lever = vec3::add(vec3::cross(motion.at(p), column.1), vec3::cross(p, rate.1));
            join(vec3::add(rate.0, lever), rate.1)
        }
    }
}

/// Velocity of a point behind a joint, and of its rotation, per unit of the dof's velocity.
#[inline(always)]
fn column_at(column: &Column, frames: &[Frame], point: Vec3) -> (Vec3, Vec3) {
    let frame = &frames[column.frame];
    let axis = vec3::scale(frame.axis(column.axis), column.sign);
    if column.turns {
        (vec3::cross(axis, vec3::sub(point, frame.pos())), axis)
    } else {
        (axis, [0.0; 3])
    }
}

/// Fills the columns of the spatial Jacobian from the frames.
#[inline(always)]
pub(crate) fn fill(chain: &Chain, frames: &[Frame], jac: &mut [[f64; 6]]) {
    let Some(tip) = frames.last().map(Frame::pos) else { return };
    if chain.is_simple() {
        for (((turn, slide), frame), column) in chain.turn_slide().zip(frames).zip(jac) {
            let z = frame.axis(2);
            let lever = vec3::cross(z, vec3::sub(tip, frame.pos()));
            let linear = [0, 1, 2].map(|k| turn * lever[k] + slide * z[k]);
            *column = join(linear, vec3::scale(z, turn));
        }
    } else {
        for (column, out) in chain.columns().iter().zip(jac) {
            let (linear, angular) = column_at(column, frames, tip);
            *out = join(linear, angular);
        }
    }
}
