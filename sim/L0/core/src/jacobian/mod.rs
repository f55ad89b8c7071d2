//! Geometric Jacobians of points and bodies (`mj_jac`, `mj_jacBody`, `mj_jacSite`, …).
//!
//! All of them are built from `for_each_dof`, which reads `subtree_com` and `cdof`, so
//! [`mj_com_pos`](crate::mj_com_pos) must have been called. Functions ending in `_into` write to the caller's
//! slices without allocating; the others return `nalgebra` matrices.
//!
//! With `r` the vector from the joint anchor to the point and `R` the body's rotation matrix:
//!
//! | joint | `jacp` column | `jacr` column |
//! |---|---|---|
//! | hinge | `axis × r` | `axis` |
//! | slide | `axis` | 0 |
//! | ball | `(R eᵢ) × r` | `R eᵢ` |
//! | free, translation | `eᵢ` | 0 |
//! | free, rotation | `(R eᵢ) × r` | `R eᵢ` |

mod angular_momentum;
mod dot;
mod slices;
mod subtree;

pub use angular_momentum::{mj_angmom_mat, mj_angmom_mat_into};
pub(crate) use dot::jac_dot_mul_qvel;
pub use dot::{mj_jac_dot, mj_jac_dot_into};
pub use slices::{
    mj_jac_body_com_into, mj_jac_body_into, mj_jac_geom_into, mj_jac_point_axis_into,
    mj_jac_site_into,
};
pub use subtree::{mj_jac_subtree_com, mj_jac_subtree_com_into};

use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows, spatial};
use crate::{Data, Model};
use nalgebra::{DMatrix, Vector3};

/// Calls `f(dof, linear, angular)` for every dof that moves `body`, with the columns of the translational
/// Jacobian at the world position `point` and of the rotational Jacobian.
pub(crate) fn for_each_dof(
    m: &Model,
    d: &Data,
    body: usize,
    point: Vec3,
    mut f: impl FnMut(usize, Vec3, Vec3),
) {
    let cdof = rows::<6>(&d.cdof);
    let arm = vec3::sub(point, rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)]);
    let mut b = body;
    while b > 0 {
        let first = m.body_dofadr[b].max(0) as usize;
        for k in first..first + m.body_dofnum[b] as usize {
            let axis = spatial::rotation(&cdof[k]);
            f(k, vec3::add(spatial::translation(&cdof[k]), vec3::cross(axis, arm)), axis);
        }
        b = at(&m.body_parentid, b);
    }
}

/// Row-major `3 × nv` output slices, either of which may be absent.
struct JacobianRows<'a> {
    nv: usize,
    jacp: Option<&'a mut [f64]>,
    jacr: Option<&'a mut [f64]>,
}

impl<'a> JacobianRows<'a> {
    /// Wraps the slices and sets them to zero.
    fn new(nv: usize, jacp: Option<&'a mut [f64]>, jacr: Option<&'a mut [f64]>) -> Self {
        let mut rows = Self { nv, jacp, jacr };
        for jac in [&mut rows.jacp, &mut rows.jacr].into_iter().flatten() {
            jac[..3 * nv].fill(0.0);
        }
        rows
    }

    /// Writes the column of a dof.
    #[inline(always)]
    fn set(&mut self, dof: usize, linear: Vec3, angular: Vec3) {
        for row in 0..3 {
            if let Some(jac) = &mut self.jacp {
                jac[row * self.nv + dof] = linear[row];
            }
            if let Some(jac) = &mut self.jacr {
                jac[row * self.nv + dof] = angular[row];
            }
        }
    }
}

/// Writes the Jacobians of a world-frame point fixed to `body` to row-major `3 × nv` slices; `None` skips
/// one.
///
/// # Panics
/// If a slice is shorter than `3 nv`, or `body` is out of range.
#[doc(alias = "mj_jac")]
pub fn mj_jac_into(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    point: [f64; 3],
    body: usize,
) {
    let mut rows = JacobianRows::new(m.nv, jacp, jacr);
    for_each_dof(m, d, body, point, |k, linear, angular| rows.set(k, linear, angular));
}

/// Jacobians of a world-frame point fixed to `body_id`: `(jacp, jacr)`, each `3 × nv`, with
/// `v_point = jacp q̇` and `ω = jacr q̇`. Zero for the world.
///
/// ```
/// # let model = sim_mjcf::load_str(r#"<mujoco><worldbody><body><joint axis="0 0 1"/>
/// #   <geom size=".1" pos="1 0 0"/></body></worldbody></mujoco>"#).unwrap();
/// use nalgebra::Vector3;
/// let mut data = model.make_data();
/// sim_core::mj_fwd_position(&model, &mut data);
/// let (jacp, jacr) = sim_core::mj_jac(&model, &data, 1, &Vector3::new(2.0, 0.0, 0.0));
/// assert_eq!(jacp.column(0), Vector3::new(0.0, 2.0, 0.0));
/// assert_eq!(jacr.column(0), Vector3::new(0.0, 0.0, 1.0));
/// ```
#[must_use]
pub fn mj_jac(
    model: &Model,
    data: &Data,
    body_id: usize,
    point: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let mut jacp = DMatrix::zeros(3, model.nv);
    let mut jacr = DMatrix::zeros(3, model.nv);
    for_each_dof(model, data, body_id, (*point).into(), |k, linear, angular| {
        for row in 0..3 {
            jacp[(row, k)] = linear[row];
            jacr[(row, k)] = angular[row];
        }
    });
    (jacp, jacr)
}

/// Jacobians of a body's origin: `(jacp, jacr)`.
#[doc(alias = "mj_jacBody")]
#[must_use]
pub fn mj_jac_body(m: &Model, d: &Data, body_id: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    mj_jac(m, d, body_id, &rows::<3>(&d.xpos)[body_id].into())
}

/// Jacobians of a site: `(jacp, jacr)`.
#[doc(alias = "mj_jacSite")]
#[must_use]
pub fn mj_jac_site(m: &Model, d: &Data, site_id: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    mj_jac(m, d, at(&m.site_bodyid, site_id), &rows::<3>(&d.site_xpos)[site_id].into())
}

/// Spatial Jacobian `6 × nv` of a world-frame point: rows 0 to 2 angular, 3 to 5 linear.
#[must_use]
pub fn mj_jac_point(m: &Model, d: &Data, body_id: usize, point: &Vector3<f64>) -> DMatrix<f64> {
    let mut jac = DMatrix::zeros(6, m.nv);
    for_each_dof(m, d, body_id, (*point).into(), |k, linear, angular| {
        for row in 0..3 {
            jac[(row, k)] = angular[row];
            jac[(row + 3, k)] = linear[row];
        }
    });
    jac
}

/// Spatial Jacobian `6 × nv` of a body's centre of mass: rows 0 to 2 angular, 3 to 5 linear.
#[doc(alias = "mj_jacBodyCom")]
#[must_use]
pub fn mj_jac_body_com(m: &Model, d: &Data, body_id: usize) -> DMatrix<f64> {
    mj_jac_point(m, d, body_id, &rows::<3>(&d.xipos)[body_id].into())
}

/// Spatial Jacobian `6 × nv` of a geom's centre: rows 0 to 2 angular, 3 to 5 linear.
#[doc(alias = "mj_jacGeom")]
#[must_use]
pub fn mj_jac_geom(m: &Model, d: &Data, geom_id: usize) -> DMatrix<f64> {
    mj_jac_point(m, d, at(&m.geom_bodyid, geom_id), &rows::<3>(&d.geom_xpos)[geom_id].into())
}

/// Jacobians of a point and of a direction vector that are both fixed to `body_id`: `(jacp, jaca)`, each
/// `3 × nv`, with `ȧxis = jaca q̇`.
#[doc(alias = "mj_jacPointAxis")]
#[must_use]
pub fn mj_jac_point_axis(
    m: &Model,
    d: &Data,
    body_id: usize,
    point: &Vector3<f64>,
    axis: &Vector3<f64>,
) -> (DMatrix<f64>, DMatrix<f64>) {
    let (jacp, mut jaca) = mj_jac(m, d, body_id, point);
    for mut column in jaca.column_iter_mut() {
        let axis_rate = Vector3::new(column[0], column[1], column[2]).cross(axis);
        column.copy_from(&axis_rate);
    }
    (jacp, jaca)
}
