//! Jacobians of bodies, geoms, sites, points and subtrees.

use crate::args::{In, Out, index, write_optional};
use crate::data::MjData;
use crate::model::MjModel;
use crate::run::read;
use pyo3::prelude::*;
use sim_physics::core;
use sim_physics::{Data, Model};

type M<'a, 'py> = &'a Bound<'py, MjModel>;
type D<'a, 'py> = &'a Bound<'py, MjData>;

/// Jacobians of a point of a body or of another object: fills the outputs that were given.
fn jacobian<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    outputs: [Option<Out<'py>>; 2],
    names: [&str; 2],
    fill: impl FnOnce(&Model, &Data, Option<&mut [f64]>, Option<&mut [f64]>),
) -> PyResult<()> {
    let nv = m.get().with(py, |m| m.nv)?;
    for (out, name) in outputs.iter().zip(names) {
        if let Some(out) = out {
            out.check_shape(name, &[3, nv], "(3, nv)")?;
        }
    }
    let [mut p, mut r] =
        outputs.each_ref().map(|out| vec![0.0; if out.is_some() { 3 * nv } else { 0 }]);
    let [has_p, has_r] = outputs.each_ref().map(Option::is_some);
    read(py, m.get(), d.get(), |m, d| {
        fill(m, d, has_p.then_some(&mut p[..]), has_r.then_some(&mut r[..]));
    })?;
    write_optional(outputs[0].as_ref(), &p)?;
    write_optional(outputs[1].as_ref(), &r)
}

/// Position and rotation Jacobians (3, nv) of a point in world coordinates that is attached to a body.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn mj_jac<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    jacp: Option<Out<'py>>,
    jacr: Option<Out<'py>>,
    point: In,
    body: i64,
) -> PyResult<()> {
    let (point, body) =
        (point.fixed("point")?, index("body", body, m.get().with(py, |m| m.nbody)?)?);
    jacobian(py, m, d, [jacp, jacr], ["jacp", "jacr"], |m, d, p, r| {
        core::mj_jac_into(m, d, p, r, point, body)
    })
}

/// Time derivatives of the Jacobians of a point that is attached to a body.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn mj_jacDot<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    jacp: Option<Out<'py>>,
    jacr: Option<Out<'py>>,
    point: In,
    body: i64,
) -> PyResult<()> {
    let (point, body) =
        (point.fixed("point")?, index("body", body, m.get().with(py, |m| m.nbody)?)?);
    jacobian(py, m, d, [jacp, jacr], ["jacp", "jacr"], |m, d, p, r| {
        core::mj_jac_dot_into(m, d, p, r, point, body)
    })
}

/// Jacobians of a point and of an axis that are attached to a body.
#[pyfunction]
#[pyo3(signature = (m, d, jacPoint, jacAxis, point, axis, body))]
#[allow(clippy::too_many_arguments, reason = "MuJoCo's signature")]
fn mj_jacPointAxis<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    jacPoint: Option<Out<'py>>,
    jacAxis: Option<Out<'py>>,
    point: In,
    axis: In,
    body: i64,
) -> PyResult<()> {
    let (point, axis) = (point.fixed("point")?, axis.fixed("axis")?);
    let body = index("body", body, m.get().with(py, |m| m.nbody)?)?;
    jacobian(py, m, d, [jacPoint, jacAxis], ["jacPoint", "jacAxis"], |m, d, p, a| {
        core::mj_jac_point_axis_into(m, d, p, a, point, axis, body);
    })
}

/// Jacobians of the frame of an element.
macro_rules! element_jacobians {
    ($($name:ident $argument:ident $count:ident $function:path, $doc:literal;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(signature = (m, d, jacp, jacr, $argument))]
            fn $name<'py>(
                py: Python<'py>,
                m: M<'_, 'py>,
                d: D<'_, 'py>,
                jacp: Option<Out<'py>>,
                jacr: Option<Out<'py>>,
                $argument: i64,
            ) -> PyResult<()> {
                let id = index(stringify!($argument), $argument, m.get().with(py, |m| m.$count)?)?;
                jacobian(py, m, d, [jacp, jacr], ["jacp", "jacr"], |m, d, p, r| $function(m, d, p, r, id))
            }
        )*
    };
}

element_jacobians! {
    mj_jacBody body nbody core::mj_jac_body_into, "Jacobians (3, nv) of the frame of a body.";
    mj_jacBodyCom body nbody core::mj_jac_body_com_into, "Jacobians (3, nv) of the centre of mass of a body.";
    mj_jacGeom geom ngeom core::mj_jac_geom_into, "Jacobians (3, nv) of the frame of a geom.";
    mj_jacSite site nsite core::mj_jac_site_into, "Jacobians (3, nv) of the frame of a site.";
}

/// Jacobian (3, nv) of the centre of mass of a subtree.
#[pyfunction]
fn mj_jacSubtreeCom<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    jacp: Option<Out<'py>>,
    body: i64,
) -> PyResult<()> {
    let body = index("body", body, m.get().with(py, |m| m.nbody)?)?;
    jacobian(py, m, d, [jacp, None], ["jacp", ""], |m, d, p, _| {
        if let Some(p) = p {
            core::mj_jac_subtree_com_into(m, d, p, body);
        }
    })
}

/// Matrix (3, nv) of the angular momentum of a subtree.
#[pyfunction]
fn mj_angmomMat<'py>(
    py: Python<'py>,
    m: M<'_, 'py>,
    d: D<'_, 'py>,
    mat: Out<'py>,
    body: i64,
) -> PyResult<()> {
    let body = index("body", body, m.get().with(py, |m| m.nbody)?)?;
    jacobian(py, m, d, [Some(mat), None], ["mat", ""], |m, d, p, _| {
        if let Some(p) = p {
            core::mj_angmom_mat_into(m, d, p, body);
        }
    })
}

/// Adds the functions to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::add_functions!(module; mj_jac, mj_jacDot, mj_jacPointAxis, mj_jacBody, mj_jacBodyCom, mj_jacGeom, mj_jacSite, mj_jacSubtreeCom, mj_angmomMat);
    Ok(())
}
