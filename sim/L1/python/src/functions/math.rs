//! Functions of vectors, matrices, quaternions and poses (`mju_`).

use crate::args::{In, Out};
use crate::error;
use pyo3::prelude::*;
use sim_physics::core::math::{
    cholesky, eig3, mat3, pose, quat, quat_derivative, scalar, spatial, vec3,
};

/// Declares functions of fixed-size inputs that write one output.
macro_rules! maps {
    ($($name:ident($res:ident: $size:literal, $($in:ident: $n:literal),+ $(; $($s:ident: $sty:ty),+)?) = $body:expr, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name($res: Out<'_>, $($in: In,)+ $($($s: $sty,)+)?) -> PyResult<()> {
                $res.check(stringify!($res), $size)?;
                $(let $in: [f64; $n] = $in.fixed(stringify!($in))?;)+
                let out: [f64; $size] = $body;
                $res.write(&out)
            }
        )*

        fn register_maps(module: &Bound<'_, PyModule>) -> PyResult<()> {
            crate::add_functions!(module; $($name),*);
            Ok(())
        }
    };
}

maps! {
    mju_copy3(res: 3, data: 3) = data, "Copies a 3-vector.";
    mju_scl3(res: 3, vec: 3; scl: f64) = vec3::scale(vec, scl), "Scales a 3-vector.";
    mju_add3(res: 3, vec1: 3, vec2: 3) = vec3::add(vec1, vec2), "Sum of two 3-vectors.";
    mju_sub3(res: 3, vec1: 3, vec2: 3) = vec3::sub(vec1, vec2), "Difference of two 3-vectors.";
    mju_addScl3(res: 3, vec1: 3, vec2: 3; scl: f64) = vec3::add_scaled(vec1, vec2, scl), "vec1 + scl vec2.";
    mju_cross(res: 3, a: 3, b: 3) = vec3::cross(a, b), "Cross product.";
    mju_mulMatVec3(res: 3, mat: 9, vec: 3) = mat3::mul_vec(&mat, vec), "Product of a 3 x 3 matrix and a vector.";
    mju_mulMatTVec3(res: 3, mat: 9, vec: 3) = mat3::mul_transpose_vec(&mat, vec), "Product of a transposed 3 x 3 matrix and a vector.";
    mju_copy4(res: 4, data: 4) = data, "Copies a 4-vector.";
    mju_rotVecQuat(res: 3, vec: 3, quat: 4) = quat::rotate(quat, vec), "Rotates a vector by a quaternion.";
    mju_negQuat(res: 4, quat: 4) = quat::conjugate(quat), "Conjugate quaternion, the opposite rotation.";
    mju_mulQuat(res: 4, quat1: 4, quat2: 4) = quat::mul(quat1, quat2), "Product of quaternions.";
    mju_mulQuatAxis(res: 4, quat: 4, axis: 3) = quat::mul_axis(quat, axis), "Product of a quaternion and an axis.";
    mju_axisAngle2Quat(res: 4, axis: 3; angle: f64) = quat::from_axis_angle(axis, angle), "Quaternion of an axis and an angle.";
    mju_quat2Vel(res: 3, quat: 4; dt: f64) = quat::to_velocity(quat, dt), "Angular velocity that rotates by a quaternion in the time dt.";
    mju_subQuat(res: 3, qa: 4, qb: 4) = quat::subtract(qa, qb), "Rotation vector from qb to qa, in the frame of qb.";
    mju_quat2Mat(res: 9, quat: 4) = quat::to_mat(quat), "Rotation matrix of a quaternion.";
    mju_mat2Quat(quat: 4, mat: 9) = quat::from_mat(&mat), "Quaternion of a rotation matrix.";
    mju_derivQuat(res: 4, quat: 4, vel: 3) = quat::derivative(quat, vel), "Time derivative of a quaternion.";
    mju_quatZ2Vec(quat: 4, vec: 3) = quat::from_z_axis(vec), "Quaternion that rotates the z axis to a vector.";
    mju_trnVecPose(res: 3, pos: 3, quat: 4, vec: 3) = vec3::add(quat::rotate(quat, vec), pos), "Transforms a vector by a pose.";
}

/// Quaternion of Euler angles with a sequence such as `xyz` (intrinsic) or `XYZ` (extrinsic).
#[pyfunction]
fn mju_euler2Quat(quat: Out<'_>, euler: In, seq: &str) -> PyResult<()> {
    let result = quat::from_euler(euler.fixed("euler")?, seq).ok_or_else(|| {
        error::value(format!("'{seq}' is not a sequence of three axes such as 'xyz' or 'XYZ'"))
    })?;
    quat.check("quat", 4)?;
    quat.write(&result)
}

/// Integrates a quaternion with an angular velocity, in place.
#[pyfunction]
fn mju_quatIntegrate(quat: Out<'_>, vel: In, scale: f64) -> PyResult<()> {
    quat.check("quat", 4)?;
    let q = In(quat.to_vec()).fixed("quat")?;
    quat.write(&quat::integrate(q, vel.fixed("vel")?, scale))
}

/// Product of two poses.
#[pyfunction]
fn mju_mulPose(
    posres: Out<'_>,
    quatres: Out<'_>,
    pos1: In,
    quat1: In,
    pos2: In,
    quat2: In,
) -> PyResult<()> {
    let one = pose::Pose { pos: pos1.fixed("pos1")?, quat: quat1.fixed("quat1")? };
    let two = pose::Pose { pos: pos2.fixed("pos2")?, quat: quat2.fixed("quat2")? };
    write_pose(&posres, &quatres, &one.then(&two))
}

/// Inverse of a pose.
#[pyfunction]
fn mju_negPose(posres: Out<'_>, quatres: Out<'_>, pos: In, quat: In) -> PyResult<()> {
    let pose = pose::Pose { pos: pos.fixed("pos")?, quat: quat.fixed("quat")? };
    write_pose(&posres, &quatres, &pose.inverse())
}

fn write_pose(pos: &Out<'_>, quat: &Out<'_>, pose: &pose::Pose) -> PyResult<()> {
    pos.check("posres", 3)?;
    quat.check("quatres", 4)?;
    pos.write(&pose.pos)?;
    quat.write(&pose.quat)
}

/// Nearest rotation of a matrix by iterations that start from `quat`; returns their number.
#[pyfunction]
fn mju_mat2Rot(quat: Out<'_>, mat: In) -> PyResult<usize> {
    quat.check("quat", 4)?;
    let start = In(quat.to_vec()).fixed("quat")?;
    let (result, iterations) = quat::nearest_rotation(&mat.fixed("mat")?, start);
    quat.write(&result)?;
    Ok(iterations)
}

/// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix; returns the number of iterations.
#[pyfunction]
fn mju_eig3(eigval: Out<'_>, eigvec: Out<'_>, quat: Out<'_>, mat: In) -> PyResult<usize> {
    let result = eig3::eig3(&mat.fixed("mat")?);
    for (out, name, size) in [(&eigval, "eigval", 3), (&eigvec, "eigvec", 9), (&quat, "quat", 4)] {
        out.check(name, size)?;
    }
    eigval.write(&result.values)?;
    eigvec.write(&result.vectors)?;
    quat.write(&result.quat)?;
    Ok(result.rotations)
}

/// Normalizes a vector in place and returns its length.
#[pyfunction]
fn mju_normalize3(vec: Out<'_>) -> PyResult<f64> {
    vec.check("vec", 3)?;
    let (unit, length) = vec3::normalize(In(vec.to_vec()).fixed("vec")?);
    vec.write(&unit)?;
    Ok(length)
}

/// Normalizes a quaternion in place and returns its length.
#[pyfunction]
fn mju_normalize4(vec: Out<'_>) -> PyResult<f64> {
    vec.check("vec", 4)?;
    let values: [f64; 4] = In(vec.to_vec()).fixed("vec")?;
    vec.write(&quat::normalize(values))?;
    Ok(values.iter().map(|x| x * x).sum::<f64>().sqrt())
}

/// Transforms a 6-vector of a motion or force between frames.
#[pyfunction]
#[pyo3(signature = (res, vec, flg_force, newpos, oldpos, rotnew2old=None))]
fn mju_transformSpatial(
    res: Out<'_>,
    vec: In,
    flg_force: i32,
    newpos: In,
    oldpos: In,
    rotnew2old: Option<In>,
) -> PyResult<()> {
    res.check("res", 6)?;
    let (vec, new, old) = (vec.fixed("vec")?, newpos.fixed("newpos")?, oldpos.fixed("oldpos")?);
    let moved = match flg_force {
        0 => spatial::shift_motion(&vec, old, new),
        _ => spatial::shift_force(&vec, old, new),
    };
    let result = match rotnew2old {
        Some(rotation) => {
            let rotation = rotation.fixed("rotnew2old")?;
            let rotate = |v| mat3::mul_transpose_vec(&rotation, v);
            spatial::join(rotate(spatial::rotation(&moved)), rotate(spatial::translation(&moved)))
        }
        None => moved,
    };
    res.write(&result)
}

/// Cholesky factorization of a symmetric matrix, in place; returns its rank.
#[pyfunction]
fn mju_cholFactor(mat: Out<'_>, mindiag: f64) -> PyResult<usize> {
    let n = square("mat", &mat)?;
    let mut values = mat.to_vec();
    let rank = cholesky::factor(&mut values, n, mindiag);
    mat.write(&values)?;
    Ok(rank)
}

/// Solves with a Cholesky factor.
#[pyfunction]
fn mju_cholSolve(res: Out<'_>, mat: In, vec: In) -> PyResult<()> {
    let n = vec.0.len();
    let factor = mat.sized("mat", n * n)?;
    res.check("res", n)?;
    let mut out = vec.0.clone();
    cholesky::solve(factor, &mut out);
    res.write(&out)
}

/// Rank-one update of a Cholesky factor with `x`, or downdate; returns the rank.
#[pyfunction]
fn mju_cholUpdate(mat: Out<'_>, x: Out<'_>, flg_plus: i32) -> PyResult<usize> {
    let n = square("mat", &mat)?;
    x.check("x", n)?;
    let (mut factor, mut vector) = (mat.to_vec(), x.to_vec());
    let rank = cholesky::update(&mut factor, &mut vector, flg_plus != 0);
    mat.write(&factor)?;
    x.write(&vector)?;
    Ok(rank)
}

/// The size of a square matrix.
fn square(name: &str, mat: &Out<'_>) -> PyResult<usize> {
    match mat.shape()[..] {
        [rows, columns] if rows == columns => Ok(rows),
        _ => Err(error::shape(format!(
            "{name} should be a square matrix, but has shape {:?}",
            mat.shape()
        ))),
    }
}

/// Derivatives of `mju_quatIntegrate`.
#[pyfunction]
fn mjd_quatIntegrate(
    vel: In,
    scale: f64,
    Dquat: Out<'_>,
    Dvel: Out<'_>,
    Dscale: Out<'_>,
) -> PyResult<()> {
    let result = quat_derivative::integrate_derivative(vel.fixed("vel")?, scale);
    for (out, name, size) in [(&Dquat, "Dquat", 9), (&Dvel, "Dvel", 9), (&Dscale, "Dscale", 3)] {
        out.check(name, size)?;
    }
    Dquat.write(&result.by_quat)?;
    Dvel.write(&result.by_velocity)?;
    Dscale.write(&result.by_scale)
}

/// Derivatives of `mju_subQuat`.
#[pyfunction]
#[pyo3(signature = (qa, qb, Da=None, Db=None))]
fn mjd_subQuat(qa: In, qb: In, Da: Option<Out<'_>>, Db: Option<Out<'_>>) -> PyResult<()> {
    let (a, b) = quat_derivative::subtract_derivative(qa.fixed("qa")?, qb.fixed("qb")?);
    for (out, name, values) in [(Da, "Da", a), (Db, "Db", b)] {
        if let Some(out) = out {
            out.check(name, 9)?;
            out.write(&values)?;
        }
    }
    Ok(())
}

/// Position of a spring-damper after a time.
#[pyfunction]
fn mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
    scalar::spring_damper(pos0, vel0, Kp, Kv, dt)
}

/// Smooth step from 0 to 1.
#[pyfunction]
fn mju_sigmoid(x: f64) -> f64 {
    scalar::sigmoid(x)
}

/// Element of a Halton sequence.
#[pyfunction]
fn mju_Halton(index: u32, base: u32) -> f64 {
    sim_physics::core::math::random::halton(index, base)
}

/// Whether a number is not finite or larger than `mjMAXVAL`.
#[pyfunction]
fn mju_isBad(x: f64) -> bool {
    sim_physics::core::math::is_bad(x)
}

/// Adds the functions to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_maps(module)?;
    crate::add_functions!(module;
        mju_euler2Quat, mju_quatIntegrate, mju_mulPose, mju_negPose, mju_mat2Rot, mju_eig3, mju_normalize3,
        mju_normalize4, mju_transformSpatial, mju_cholFactor, mju_cholSolve, mju_cholUpdate, mjd_quatIntegrate,
        mjd_subQuat, mju_springDamper, mju_sigmoid, mju_Halton, mju_isBad
    );
    Ok(())
}
