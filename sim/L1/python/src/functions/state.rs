//! State vectors, rays, derivatives, and readings of delayed signals.

use crate::args::{In, Out, index, write_optional};
use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use crate::run::{Plain, read, run};
use numpy::PyReadwriteArray1;
use pyo3::prelude::*;
use sim_physics::core;
use sim_physics::core::RayFilter;
use sim_physics::types::{GeomType, Interpolation, StateBits};

type M<'a, 'py> = &'a Bound<'py, MjModel>;
type D<'a, 'py> = &'a Bound<'py, MjData>;

fn bits(sig: u32) -> PyResult<StateBits> {
    StateBits::from_bits(sig)
        .ok_or_else(|| error::value(format!("{sig} is not a combination of mjtState")))
}

/// Length of the state vector with the components `sig` (`mjtState`).
#[pyfunction]
pub fn mj_stateSize(py: Python<'_>, m: M<'_, '_>, sig: u32) -> PyResult<usize> {
    let sig = bits(sig)?;
    m.get().with(py, |m| core::mj_state_size(m, sig))
}

/// Copies the components `sig` of the state to `state`.
#[pyfunction]
fn mj_getState<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    state: Out<'py>,
    sig: u32,
) -> PyResult<()> {
    let sig = bits(sig)?;
    let size = m.get().with(py, |m| core::mj_state_size(m, sig))?;
    state.check("state", size)?;
    let mut out = vec![0.0; size];
    read(py, m.get(), d.get(), |m, d| core::mj_get_state(m, d, &mut out, sig))?
        .map_err(|e| error::state(&e))?;
    state.write(&out)
}

/// Sets the components `sig` of the state.
#[pyfunction]
fn mj_setState(m: M<'_, '_>, d: D<'_, '_>, state: In, sig: u32) -> PyResult<()> {
    let sig = bits(sig)?;
    run(m, d, |m, d| Plain(core::mj_set_state(m, d, &state.0, sig)))?.map_err(|e| error::state(&e))
}

/// Copies the components `sig` of the state of `src` to `dst`.
#[pyfunction]
fn mj_copyState(
    py: Python<'_>,
    m: M<'_, '_>,
    src: D<'_, '_>,
    dst: D<'_, '_>,
    sig: u32,
) -> PyResult<()> {
    let sig = bits(sig)?;
    if src.is(dst) {
        return Ok(());
    }
    let size = m.get().with(py, |m| core::mj_state_size(m, sig))?;
    let mut state = vec![0.0; size];
    read(py, m.get(), src.get(), |m, d| core::mj_get_state(m, d, &mut state, sig))?
        .map_err(|e| error::state(&e))?;
    run(m, dst, |m, d| Plain(core::mj_set_state(m, d, &state, sig)))?.map_err(|e| error::state(&e))
}

/// Extracts the components `dstsig` from a state vector with the components `srcsig`.
#[pyfunction]
fn mj_extractState<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    src: In,
    srcsig: u32,
    dst: Out<'py>,
    dstsig: u32,
) -> PyResult<()> {
    let (from, to) = (bits(srcsig)?, bits(dstsig)?);
    let mut out = vec![0.0; dst.len()];
    m.get()
        .with(py, |m| core::mj_extract_state(m, &src.0, from, &mut out, to))?
        .map_err(|e| error::state(&e))?;
    dst.write(&out)
}

/// The filter of a ray query.
fn filter(geomgroup: Option<In>, flg_static: u8, bodyexclude: i64) -> PyResult<RayFilter> {
    let groups =
        geomgroup.map(|groups| groups.fixed::<6>("geomgroup").map(|g| g.map(|x| x != 0.0)));
    Ok(RayFilter {
        groups: groups.transpose()?,
        fixed: flg_static != 0,
        exclude: usize::try_from(bodyexclude).ok(),
    })
}

/// Distance from `pnt` along `vec` to the first geom, in units of the length of `vec`; -1 if there is none. The index
/// of the geom is written to `geomid`, the surface normal to `normal`.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal=None))]
#[allow(clippy::too_many_arguments, reason = "MuJoCo's signature")]
fn mj_ray<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    pnt: In,
    vec: In,
    geomgroup: Option<In>,
    flg_static: u8,
    bodyexclude: i64,
    geomid: Option<PyReadwriteArray1<'py, i32>>,
    normal: Option<Out<'py>>,
) -> PyResult<f64> {
    let (point, vector) = (pnt.fixed("pnt")?, vec.fixed("vec")?);
    let filter = filter(geomgroup, flg_static, bodyexclude)?;
    let hit = read(py, m.get(), d.get(), |m, d| core::mj_ray(m, d, point, vector, &filter))?;
    if let Some(mut geomid) = geomid {
        let id = hit.as_ref().and_then(|h| i32::try_from(h.geom).ok()).unwrap_or(-1);
        geomid.as_array_mut().iter_mut().take(1).for_each(|to| *to = id);
    }
    write_optional(normal.as_ref(), &hit.as_ref().map_or([0.0; 3], |h| h.normal))?;
    Ok(hit.map_or(-1.0, |h| h.dist))
}

/// Casts several rays from one point: distances and geoms are written to `dist` and `geomid`.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal=None, nray=None, cutoff=1e10))]
#[allow(clippy::too_many_arguments, reason = "MuJoCo's signature")]
fn mj_multiRay<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    pnt: In,
    vec: In,
    geomgroup: Option<In>,
    flg_static: u8,
    bodyexclude: i64,
    mut geomid: PyReadwriteArray1<'py, i32>,
    dist: Out<'py>,
    normal: Option<Out<'py>>,
    nray: Option<usize>,
    cutoff: f64,
) -> PyResult<()> {
    let point = pnt.fixed("pnt")?;
    let count = nray.unwrap_or(vec.0.len() / 3);
    let vectors = vec.sized("vec", 3 * count)?.as_chunks::<3>().0;
    dist.check("dist", count)?;
    if geomid.as_array().len() != count {
        return Err(error::shape(format!("geomid should have {count} values")));
    }
    if let Some(normal) = &normal {
        normal.check("normal", 3 * count)?;
    }
    let filter = filter(geomgroup, flg_static, bodyexclude)?;
    let mut hits = vec![None; count];
    read(py, m.get(), d.get(), |m, d| {
        core::mj_multi_ray(m, d, point, vectors, &filter, cutoff, &mut hits)
    })?;
    for (to, hit) in geomid.as_array_mut().iter_mut().zip(&hits) {
        *to = hit.as_ref().and_then(|h| i32::try_from(h.geom).ok()).unwrap_or(-1);
    }
    let normals: Vec<f64> =
        hits.iter().flat_map(|h| h.as_ref().map_or([0.0; 3], |h| h.normal)).collect();
    write_optional(normal.as_ref(), &normals)?;
    dist.write(&hits.iter().map(|h| h.as_ref().map_or(-1.0, |h| h.dist)).collect::<Vec<_>>())
}

/// Distance from `pnt` along `vec` to a mesh geom; -1 if the ray misses it.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayMesh<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    geomid: i64,
    pnt: In,
    vec: In,
    normal: Option<Out<'py>>,
) -> PyResult<f64> {
    let geom = index("geomid", geomid, m.get().with(py, |m| m.ngeom)?)?;
    let (point, vector) = (pnt.fixed("pnt")?, vec.fixed("vec")?);
    let hit = read(py, m.get(), d.get(), |m, d| core::mj_ray_mesh(m, d, geom, point, vector))?;
    write_optional(normal.as_ref(), &hit.map_or([0.0; 3], |h| h.1))?;
    Ok(hit.map_or(-1.0, |h| h.0))
}

/// Distance from `pnt` along `vec` to a height field; -1 if the ray misses it.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayHfield<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    geomid: i64,
    pnt: In,
    vec: In,
    normal: Option<Out<'py>>,
) -> PyResult<f64> {
    let geom = index("geomid", geomid, m.get().with(py, |m| m.ngeom)?)?;
    let (point, vector) = (pnt.fixed("pnt")?, vec.fixed("vec")?);
    let hit = read(py, m.get(), d.get(), |m, d| core::mj_ray_hfield(m, d, geom, point, vector))?;
    write_optional(normal.as_ref(), &hit.map_or([0.0; 3], |h| h.1))?;
    Ok(hit.map_or(-1.0, |h| h.0))
}

/// Scratch of an optional output with `rows` × `columns` elements.
fn scratch(
    out: Option<&Out<'_>>,
    name: &str,
    rows: usize,
    columns: usize,
) -> PyResult<Option<Vec<f64>>> {
    out.map(|out| {
        out.check(name, rows * columns)?;
        Ok(vec![0.0; rows * columns])
    })
    .transpose()
}

/// Finite-difference derivatives of a step with respect to the state and the controls.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_centered, A=None, B=None, C=None, D=None))]
#[allow(clippy::too_many_arguments, reason = "MuJoCo's signature")]
fn mjd_transitionFD<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    eps: f64,
    flg_centered: u8,
    A: Option<Out<'py>>,
    B: Option<Out<'py>>,
    C: Option<Out<'py>>,
    D: Option<Out<'py>>,
) -> PyResult<()> {
    let (n, nu, ns) = m.get().with(py, |m| (2 * m.nv + m.na, m.nu, m.nsensordata))?;
    let mut a = scratch(A.as_ref(), "A", n, n)?;
    let mut b = scratch(B.as_ref(), "B", n, nu)?;
    let mut c = scratch(C.as_ref(), "C", ns, n)?;
    let mut s = scratch(D.as_ref(), "D", ns, nu)?;
    run(m, d, |m, d| {
        let [a, b, c, s] = [&mut a, &mut b, &mut c, &mut s].map(|x| x.as_deref_mut());
        Plain(core::mjd_transition_fd(m, d, eps, flg_centered != 0, a, b, c, s))
    })?
    .map_err(|e| error::fatal(e.to_string()))?;
    for (out, values) in [(A, a), (B, b), (C, c), (D, s)] {
        write_optional(out.as_ref(), values.as_deref().unwrap_or_default())?;
    }
    Ok(())
}

/// Finite-difference derivatives of inverse dynamics.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_actuation, DfDq=None, DfDv=None, DfDa=None, DsDq=None, DsDv=None, DsDa=None, DmDq=None))]
#[allow(clippy::too_many_arguments, reason = "MuJoCo's signature")]
fn mjd_inverseFD<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    eps: f64,
    flg_actuation: u8,
    DfDq: Option<Out<'py>>,
    DfDv: Option<Out<'py>>,
    DfDa: Option<Out<'py>>,
    DsDq: Option<Out<'py>>,
    DsDv: Option<Out<'py>>,
    DsDa: Option<Out<'py>>,
    DmDq: Option<Out<'py>>,
) -> PyResult<()> {
    let (nv, ns, nm) = m.get().with(py, |m| (m.nv, m.nsensordata, m.nM))?;
    let outputs = [DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq];
    let columns = [nv, nv, nv, ns, ns, ns, nm];
    let names = ["DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"];
    let mut buffers = Vec::new();
    for ((out, columns), name) in outputs.iter().zip(columns).zip(names) {
        buffers.push(scratch(out.as_ref(), name, nv, columns)?);
    }
    run(m, d, |m, d| {
        let mut all = buffers.iter_mut().map(|b| b.as_deref_mut());
        let mut next = || all.next().flatten();
        let (q, v, a, sq, sv, sa, mq) = (next(), next(), next(), next(), next(), next(), next());
        Plain(core::mjd_inverse_fd(m, d, eps, flg_actuation != 0, q, v, a, sq, sv, sa, mq))
    })?
    .map_err(|e| error::fatal(e.to_string()))?;
    for (out, values) in outputs.iter().zip(&buffers) {
        write_optional(out.as_ref(), values.as_deref().unwrap_or_default())?;
    }
    Ok(())
}

/// An interpolation by MuJoCo's number; -1 is that of the model.
fn interpolation(number: i32) -> Option<Interpolation> {
    Interpolation::from_number(number)
}

/// Sets the history of an actuator, oldest sample first; without times those in the buffer are kept.
#[pyfunction]
fn mj_initCtrlHistory(
    m: M<'_, '_>,
    d: D<'_, '_>,
    id: i64,
    times: Option<In>,
    values: In,
) -> PyResult<()> {
    let id = index("actuator", id, m.get().with(m.py(), |m| m.nu)?)?;
    let times = times.as_ref().map(|t| t.0.as_slice());
    let result = run(m, d, |m, d| Plain(core::mj_init_ctrl_history(m, d, id, times, &values.0)))?;
    result.map_err(|e| error::shape(e.to_string()))
}

/// Sets the history of a sensor, oldest sample first; without times those in the buffer are kept.
#[pyfunction]
fn mj_initSensorHistory(
    m: M<'_, '_>,
    d: D<'_, '_>,
    id: i64,
    times: Option<In>,
    values: In,
    phase: f64,
) -> PyResult<()> {
    let id = index("sensor", id, m.get().with(m.py(), |m| m.nsensor)?)?;
    let times = times.as_ref().map(|t| t.0.as_slice());
    let result =
        run(m, d, |m, d| Plain(core::mj_init_sensor_history(m, d, id, times, &values.0, phase)))?;
    result.map_err(|e| error::shape(e.to_string()))
}

/// Distance along a ray to a primitive, -1 if it does not hit; `normal` receives the normal of the surface.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal=None))]
fn mju_rayGeom(
    pos: In,
    mat: In,
    size: In,
    pnt: In,
    vec: In,
    geomtype: i32,
    normal: Option<Out<'_>>,
) -> PyResult<f64> {
    let kind = GeomType::from_number(geomtype)
        .ok_or_else(|| error::value(format!("mjtGeom has no value {geomtype}")))?;
    let (pos, size, vec) = (pos.fixed("pos")?, size.fixed("size")?, vec.fixed("vec")?);
    let hit = core::ray_geom(kind, pos, &mat.fixed("mat")?, size, pnt.fixed("pnt")?, vec);
    if let Some(normal) = normal {
        normal.check("normal", 3)?;
        normal.write(&hit.map_or([0.0; 3], |(_, normal)| normal))?;
    }
    Ok(hit.map_or(-1.0, |(distance, _)| distance))
}

/// The control of an actuator at a time, from its delay buffer.
#[pyfunction]
#[pyo3(signature = (m, d, id, time, interp=-1))]
fn mj_readCtrl(
    py: Python<'_>,
    m: M<'_, '_>,
    d: D<'_, '_>,
    id: i64,
    time: f64,
    interp: i32,
) -> PyResult<f64> {
    let id = index("actuator", id, m.get().with(py, |m| m.nu)?)?;
    read(py, m.get(), d.get(), |m, d| core::mj_read_ctrl(m, d, id, time, interpolation(interp)))
}

/// The reading of a sensor at a time, from its delay buffer.
#[pyfunction]
#[pyo3(signature = (m, d, id, time, result, interp=-1))]
fn mj_readSensor<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    id: i64,
    time: f64,
    result: Out<'py>,
    interp: i32,
) -> PyResult<()> {
    let id = index("sensor", id, m.get().with(py, |m| m.nsensor)?)?;
    let dim = m.get().with(py, |m| usize::try_from(m.sensor_dim[id]).unwrap_or(0))?;
    result.check("result", dim)?;
    let mut out = vec![0.0; dim];
    read(py, m.get(), d.get(), |m, d| {
        core::mj_read_sensor(m, d, id, time, interpolation(interp), &mut out)
    })?;
    result.write(&out)
}

/// Adds the functions to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::add_functions!(module;
        mj_stateSize, mj_getState, mj_setState, mj_copyState, mj_extractState, mj_ray, mj_multiRay, mj_rayMesh,
        mj_rayHfield, mjd_transitionFD, mjd_inverseFD, mj_readCtrl, mj_readSensor,
        mj_initCtrlHistory, mj_initSensorHistory, mju_rayGeom
    );
    Ok(())
}
