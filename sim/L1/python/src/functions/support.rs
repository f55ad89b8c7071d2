//! Names, resets, copies, Jacobians, inertia products and other functions of a model and a data.

use crate::args::{In, Out, index, object_type, write_optional};
use crate::contact::MjContact;
use crate::data::MjData;
use crate::error;
use crate::memory::Busy;
use crate::model::MjModel;
use crate::named;
use crate::run::{Plain, read, run};
use pyo3::prelude::*;
use sim_physics::core;
use sim_physics::{Data, Model};
use std::path::PathBuf;

type M<'a, 'py> = &'a Bound<'py, MjModel>;
type D<'a, 'py> = &'a Bound<'py, MjData>;

/// Index of the element of a type (`mjtObj`) with this name; -1 if there is none.
#[pyfunction]
fn mj_name2id(py: Python<'_>, m: M<'_, '_>, r#type: i32, name: &str) -> PyResult<i64> {
    let kind = object_type(r#type)?;
    m.get().with(py, |m| m.name2id(kind, name).and_then(|id| i64::try_from(id).ok()).unwrap_or(-1))
}

/// Name of the element of a type (`mjtObj`) with this index; `None` if it has none.
#[pyfunction]
fn mj_id2name(py: Python<'_>, m: M<'_, '_>, r#type: i32, id: i64) -> PyResult<Option<String>> {
    let kind = object_type(r#type)?;
    let Ok(id) = usize::try_from(id) else { return Ok(None) };
    m.get().with(py, |m| m.id2name(kind, id).map(ToOwned::to_owned))
}

/// Resets the data to the reference configuration.
#[pyfunction]
fn mj_resetData(m: M<'_, '_>, d: D<'_, '_>) -> PyResult<()> {
    run(m, d, |m, d| d.reset(m))
}

/// Resets the data to the reference configuration; the debug value is not used.
#[pyfunction]
fn mj_resetDataDebug(m: M<'_, '_>, d: D<'_, '_>, debug_value: u8) -> PyResult<()> {
    let _ = debug_value;
    mj_resetData(m, d)
}

/// Resets the data to a keyframe; an index out of range resets it to the reference configuration.
#[pyfunction]
fn mj_resetDataKeyframe(m: M<'_, '_>, d: D<'_, '_>, key: i64) -> PyResult<()> {
    run(m, d, |m, d| match usize::try_from(key).ok().filter(|&key| key < m.nkey) {
        Some(key) => drop(d.reset_to_keyframe(m, key)),
        None => d.reset(m),
    })
}

/// Stores the state as keyframe `k` of the model.
#[pyfunction]
fn mj_setKeyframe(py: Python<'_>, m: M<'_, '_>, d: D<'_, '_>, k: usize) -> PyResult<()> {
    let data = d.get().with(Data::clone)?;
    m.get().edit(py, |m| core::mj_set_keyframe(m, &data, k))?.map_err(|e| error::state(&e))
}

/// Copies all fields of `src` to `dest` and returns `dest`.
#[pyfunction]
fn mj_copyData<'py>(
    dest: &Bound<'py, MjData>,
    m: M<'_, '_>,
    src: D<'_, '_>,
) -> PyResult<Bound<'py, MjData>> {
    if !dest.is(src) {
        let source =
            src.get().memory.get().shared().read().map_err(|Busy| error::busy("MjData"))?;
        run(m, dest, |_, d| d.copy_from(&source))?;
    }
    Ok(dest.clone())
}

/// Recomputes the constants that depend on masses, frames and reference positions.
#[pyfunction]
fn mj_setConst(py: Python<'_>, m: M<'_, '_>, d: D<'_, '_>) -> PyResult<()> {
    let _ = d;
    m.get().edit(py, core::mj_set_const)
}

/// Total mass of the model, kg.
#[pyfunction]
fn mj_getTotalmass(py: Python<'_>, m: M<'_, '_>) -> PyResult<f64> {
    m.get().with(py, core::mj_get_totalmass)
}

/// Scales all masses and inertias to a total mass.
#[pyfunction]
fn mj_setTotalmass(py: Python<'_>, m: M<'_, '_>, newmass: f64) -> PyResult<()> {
    m.get().edit(py, |m| core::mj_set_totalmass(m, newmass))
}

/// Writes the model to a file that `MjModel.from_binary_path` reads.
#[pyfunction]
#[pyo3(signature = (m, filename=None, buffer=None))]
fn mj_saveModel(
    py: Python<'_>,
    m: M<'_, '_>,
    filename: Option<PathBuf>,
    buffer: Option<numpy::PyReadwriteArray1<'_, u8>>,
) -> PyResult<()> {
    let bytes = m.get().with(py, Model::to_bytes)?;
    if let Some(filename) = filename {
        std::fs::write(filename, &bytes)?;
    }
    if let Some(mut buffer) = buffer {
        let mut array = buffer.as_array_mut();
        if array.len() < bytes.len() {
            return Err(error::shape(format!("the buffer needs {} bytes", bytes.len())));
        }
        array.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
    }
    Ok(())
}

/// Number of bytes of the model written by `mj_saveModel`.
#[pyfunction]
fn mj_sizeModel(py: Python<'_>, m: M<'_, '_>) -> PyResult<usize> {
    m.get().with(py, |m| m.to_bytes().len())
}

/// Writes all arrays of the model to a text file.
#[pyfunction]
fn mj_printModel(py: Python<'_>, m: M<'_, '_>, filename: PathBuf) -> PyResult<()> {
    Ok(std::fs::write(filename, m.get().with(py, core::print_model)?)?)
}

/// Writes all arrays of the data to a text file.
#[pyfunction]
fn mj_printData(py: Python<'_>, m: M<'_, '_>, d: D<'_, '_>, filename: PathBuf) -> PyResult<()> {
    Ok(std::fs::write(filename, read(py, m.get(), d.get(), core::print_data)?)?)
}

/// Whether the constraint Jacobian is stored in sparse form.
#[pyfunction]
fn mj_isSparse(py: Python<'_>, m: M<'_, '_>) -> PyResult<bool> {
    m.get().with(py, core::mj_is_sparse)
}

/// Whether friction cones are pyramidal.
#[pyfunction]
fn mj_isPyramidal(py: Python<'_>, m: M<'_, '_>) -> PyResult<bool> {
    m.get().with(py, |m| m.opt.cone == sim_physics::types::Cone::Pyramidal)
}

/// Whether the constraint solver is dual.
#[pyfunction]
fn mj_isDual(py: Python<'_>, m: M<'_, '_>) -> PyResult<bool> {
    m.get().with(py, |m| {
        m.opt.solver == sim_physics::types::SolverType::Pgs || m.opt.noslip_iterations > 0
    })
}

/// Converts the sparse inertia matrix `M` of the data to a dense (nv, nv) matrix.
#[pyfunction]
fn mj_fullM<'py>(py: Python<'py>, m: M<'_, 'py>, dst: Out<'py>, M: In) -> PyResult<()> {
    let (nv, entries) = m.get().with(py, |m| (m.nv, m.nM))?;
    dst.check_shape("dst", &[nv, nv], "(nv, nv)")?;
    let qm = M.sized("M", entries)?;
    let mut dense = vec![0.0; nv * nv];
    m.get().with(py, |m| core::mj_full_m(m, &mut dense, qm))?;
    dst.write(&dense)
}

/// Products and solves with the inertia matrix: `(result, vector)`.
macro_rules! products {
    ($($name:ident $function:expr, $rows:ident, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name<'py>(py: Python<'py>, m: M<'_, 'py>, d: D<'_, 'py>, res: Out<'py>, vec: In) -> PyResult<()> {
                let nv = m.get().with(py, |m| m.nv)?;
                if nv == 0 || vec.0.len() % nv != 0 || (!$rows && vec.0.len() != nv) {
                    return Err(error::shape(format!("vec should have nv = {nv} columns, but has {} values", vec.0.len())));
                }
                res.check("res", vec.0.len())?;
                let mut out = vec![0.0; vec.0.len()];
                let function: fn(&Model, &Data, &[f64], &mut [f64]) = $function;
                read(py, m.get(), d.get(), |m, d| function(m, d, &vec.0, &mut out))?;
                res.write(&out)
            }
        )*
    };
}

const ROWS: bool = true;
const ONE: bool = false;

products! {
    mj_mulM core::mj_mul_m, ONE, "Product of the inertia matrix and a vector.";
    mj_mulM2 core::mj_mul_m2, ONE, "Product of the square root of the inertia matrix and a vector.";
    mj_solveM |m, d, x, out| {
        out.copy_from_slice(x);
        core::mj_solve_m(m, d, out);
    }, ROWS, "Solves with the factored inertia matrix, for each row of `vec`.";
    mj_solveM2 |m, d, x, out| {
        out.copy_from_slice(x);
        core::mj_solve_m2(m, d, out);
    }, ROWS, "Half of `mj_solveM`: the result's squared norm is that of the full solve. For each row of `vec`.";
}

/// Product of the constraint Jacobian and a vector.
#[pyfunction]
fn mj_mulJacVec<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    res: Out<'py>,
    vec: In,
) -> PyResult<()> {
    let (nv, nefc) = (m.get().with(py, |m| m.nv)?, d.get().with(|d| d.nefc)?);
    res.check("res", nefc)?;
    let vec = vec.sized("vec", nv)?;
    let mut out = vec![0.0; nefc];
    read(py, m.get(), d.get(), |_, d| core::mj_mul_jac_vec(d, vec, &mut out))?;
    res.write(&out)
}

/// Product of the transposed constraint Jacobian and a vector.
#[pyfunction]
fn mj_mulJacTVec<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    res: Out<'py>,
    vec: In,
) -> PyResult<()> {
    let (nv, nefc) = (m.get().with(py, |m| m.nv)?, d.get().with(|d| d.nefc)?);
    res.check("res", nv)?;
    let vec = vec.sized("vec", nefc)?;
    let mut out = vec![0.0; nv];
    read(py, m.get(), d.get(), |_, d| core::mj_mul_jac_t_vec(d, vec, &mut out))?;
    res.write(&out)
}

/// Recursive Newton-Euler algorithm: bias force, with `M qacc` if `flg_acc` is not 0.
#[pyfunction]
fn mj_rne<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    flg_acc: i32,
    result: Out<'py>,
) -> PyResult<()> {
    let nv = m.get().with(py, |m| m.nv)?;
    result.check("result", nv)?;
    let mut out = vec![0.0; nv];
    run(m, d, |m, d| core::mj_rne(m, d, flg_acc != 0, &mut out))?;
    result.write(&out)
}

/// Adds the joint force of a force and torque at a point of a body to `qfrc_target`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "MuJoCo's signature")]
fn mj_applyFT<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    force: In,
    torque: In,
    point: In,
    body: i64,
    qfrc_target: Out<'py>,
) -> PyResult<()> {
    let (nv, nbody) = m.get().with(py, |m| (m.nv, m.nbody))?;
    let body = index("body", body, nbody)?;
    qfrc_target.check("qfrc_target", nv)?;
    let (force, torque, point) =
        (force.fixed("force")?, torque.fixed("torque")?, point.fixed("point")?);
    let mut out = qfrc_target.to_vec();
    read(py, m.get(), d.get(), |m, d| {
        core::mj_apply_ft(m, d, force, torque, point, body, &mut out)
    })?;
    qfrc_target.write(&out)
}

/// Velocity (6) of an object, rotation first, in its own frame if `flg_local` is not 0.
#[pyfunction]
fn mj_objectVelocity<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    objtype: i32,
    objid: i64,
    res: Out<'py>,
    flg_local: i32,
) -> PyResult<()> {
    object_motion(py, m, d, objtype, objid, &res, |m, d, kind, id| {
        core::mj_object_velocity(m, d, kind, id, flg_local != 0)
    })
}

/// Acceleration (6) of an object, rotation first, in its own frame if `flg_local` is not 0.
#[pyfunction]
fn mj_objectAcceleration<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    objtype: i32,
    objid: i64,
    res: Out<'py>,
    flg_local: i32,
) -> PyResult<()> {
    object_motion(py, m, d, objtype, objid, &res, |m, d, kind, id| {
        core::mj_object_acceleration(m, d, kind, id, flg_local != 0)
    })
}

fn object_motion<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    objtype: i32,
    objid: i64,
    res: &Out<'py>,
    motion: impl FnOnce(&Model, &Data, sim_physics::types::ObjType, usize) -> Option<[f64; 6]>,
) -> PyResult<()> {
    let kind = object_type(objtype)?;
    let id = index("objid", objid, m.get().with(py, |m| named::count(m, kind))?)?;
    res.check("res", 6)?;
    let result = read(py, m.get(), d.get(), |m, d| motion(m, d, kind, id))?;
    let result =
        result.ok_or_else(|| error::value(format!("objects of type {kind:?} have no frame")))?;
    res.write(&result)
}

/// Force and torque (6) of a contact in its frame.
#[pyfunction]
fn mj_contactForce<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    id: i64,
    result: Out<'py>,
) -> PyResult<()> {
    let id = index("contact", id, d.get().with(|d| d.ncon)?)?;
    result.check("result", 6)?;
    let mut out = [0.0; 6];
    read(py, m.get(), d.get(), |m, d| core::mj_contact_force(m, d, id, &mut out))?;
    result.write(&out)
}

/// Velocity that moves `qpos1` to `qpos2` in the time `dt`.
#[pyfunction]
fn mj_differentiatePos<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    qvel: Out<'py>,
    dt: f64,
    qpos1: In,
    qpos2: In,
) -> PyResult<()> {
    let (nq, nv) = m.get().with(py, |m| (m.nq, m.nv))?;
    qvel.check("qvel", nv)?;
    let (one, two) = (qpos1.sized("qpos1", nq)?, qpos2.sized("qpos2", nq)?);
    let mut out = vec![0.0; nv];
    m.get().with(py, |m| core::mj_differentiate_pos(m, &mut out, dt, one, two))?;
    qvel.write(&out)
}

/// Moves `qpos` with the velocity `qvel` for the time `dt`.
#[pyfunction]
fn mj_integratePos<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    qpos: Out<'py>,
    qvel: In,
    dt: f64,
) -> PyResult<()> {
    let (nq, nv) = m.get().with(py, |m| (m.nq, m.nv))?;
    qpos.check("qpos", nq)?;
    let qvel = qvel.sized("qvel", nv)?;
    let mut out = qpos.to_vec();
    m.get().with(py, |m| core::mj_integrate_pos(m, &mut out, qvel, dt))?;
    qpos.write(&out)
}

/// Normalizes all quaternions in `qpos`.
#[pyfunction]
fn mj_normalizeQuat<'py>(py: Python<'py>, m: M<'_, 'py>, qpos: Out<'py>) -> PyResult<()> {
    qpos.check("qpos", m.get().with(py, |m| m.nq)?)?;
    let mut out = qpos.to_vec();
    m.get().with(py, |m| core::mj_normalize_quat(m, &mut out))?;
    qpos.write(&out)
}

/// Adds a contact; returns 1 if it was rejected.
#[pyfunction]
fn mj_addContact(m: M<'_, '_>, d: D<'_, '_>, con: &Bound<'_, MjContact>) -> PyResult<i32> {
    let contact = con.get().get();
    let result = run(m, d, |m, d| Plain(core::mj_add_contact(m, d, &contact)))?;
    Ok(i32::from(result.is_err()))
}

/// Smallest signed distance between two geoms, at most `distmax`, and the segment (6) between the nearest points.
#[pyfunction]
#[pyo3(signature = (m, d, geom1, geom2, distmax, fromto=None))]
fn mj_geomDistance<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    geom1: i64,
    geom2: i64,
    distmax: f64,
    fromto: Option<Out<'py>>,
) -> PyResult<f64> {
    let count = m.get().with(py, |m| m.ngeom)?;
    let (one, two) = (index("geom1", geom1, count)?, index("geom2", geom2, count)?);
    if let Some(fromto) = &fromto {
        fromto.check("fromto", 6)?;
    }
    let mut segment = [0.0; 6];
    let result = run(m, d, |m, d| {
        Plain(core::mj_geom_distance(m, d, one, two, distmax, Some(&mut segment)))
    })?;
    write_optional(fromto.as_ref(), &segment)?;
    Ok(result)
}

/// Cost of the constraints for the accelerations `jar`, and updates `efc_state` and `efc_force`.
#[pyfunction]
#[pyo3(signature = (m, d, jar, cost=None, flg_coneHessian=0))]
fn mj_constraintUpdate<'py>(
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    jar: In,
    cost: Option<Out<'py>>,
    flg_coneHessian: i32,
) -> PyResult<()> {
    let jar = jar.sized("jar", d.get().with(|d| d.nefc)?)?;
    let value =
        run(m, d, |m, d| Plain(core::mj_constraint_update(m, d, jar, flg_coneHessian != 0)))?;
    write_optional(cost.as_ref(), &[value])
}

/// Panics inside the engine's guard, to test that a panic becomes an exception.
#[pyfunction]
fn _panic(m: M<'_, '_>, d: D<'_, '_>) -> PyResult<()> {
    run(m, d, |m, d| {
        assert!(m.nbody == usize::MAX, "test of a panic at time {}", d.time);
    })
}

/// Adds the functions to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::add_functions!(module;
        mj_name2id, mj_id2name, mj_resetData, mj_resetDataDebug, mj_resetDataKeyframe, mj_setKeyframe, mj_copyData, mj_setConst, mj_getTotalmass, mj_setTotalmass, mj_saveModel, mj_sizeModel, mj_printModel, mj_printData, mj_isSparse, mj_isPyramidal, mj_isDual, mj_fullM, mj_mulM, mj_mulM2, mj_solveM, mj_solveM2, mj_mulJacVec, mj_mulJacTVec, mj_rne, mj_applyFT, mj_objectVelocity, mj_objectAcceleration, mj_contactForce, mj_differentiatePos, mj_integratePos, mj_normalizeQuat, mj_addContact, mj_geomDistance, mj_constraintUpdate, _panic
    );
    Ok(())
}
