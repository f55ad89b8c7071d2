//! Jacobians of bodies, geoms, sites and axes written to the caller's row-major `3 × nv` slices, without
//! allocation.
//!
//! Each function panics if a slice is shorter than `3 nv` or the index is out of range.

use super::{for_each_dof, mj_jac_into};
use crate::math::{at, rows, vec3};
use crate::{Data, Model};

/// Jacobians of a body's origin.
#[doc(alias = "mj_jacBody")]
pub fn mj_jac_body_into(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    body: usize,
) {
    mj_jac_into(m, d, jacp, jacr, rows::<3>(&d.xpos)[body], body);
}

/// Jacobians of a body's centre of mass.
#[doc(alias = "mj_jacBodyCom")]
pub fn mj_jac_body_com_into(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    body: usize,
) {
    mj_jac_into(m, d, jacp, jacr, rows::<3>(&d.xipos)[body], body);
}

/// Jacobians of a geom's centre.
#[doc(alias = "mj_jacGeom")]
pub fn mj_jac_geom_into(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    geom: usize,
) {
    mj_jac_into(m, d, jacp, jacr, rows::<3>(&d.geom_xpos)[geom], at(&m.geom_bodyid, geom));
}

/// Jacobians of a site.
#[doc(alias = "mj_jacSite")]
pub fn mj_jac_site_into(
    m: &Model,
    d: &Data,
    jacp: Option<&mut [f64]>,
    jacr: Option<&mut [f64]>,
    site: usize,
) {
    mj_jac_into(m, d, jacp, jacr, rows::<3>(&d.site_xpos)[site], at(&m.site_bodyid, site));
}

/// Jacobians of a point and of a direction vector that are both fixed to `body`; `None` skips one.
#[doc(alias = "mj_jacPointAxis")]
pub fn mj_jac_point_axis_into(
    m: &Model,
    d: &Data,
    mut jacp: Option<&mut [f64]>,
    mut jaca: Option<&mut [f64]>,
    point: [f64; 3],
    axis: [f64; 3],
    body: usize,
) {
    let nv = m.nv;
    for jac in [jacp.as_deref_mut(), jaca.as_deref_mut()].into_iter().flatten() {
        jac[..3 * nv].fill(0.0);
    }
    for_each_dof(m, d, body, point, |k, linear, angular| {
        let axis_rate = vec3::cross(angular, axis);
        for row in 0..3 {
            if let Some(jac) = &mut jacp {
                jac[row * nv + k] = linear[row];
            }
            if let Some(jac) = &mut jaca {
                jac[row * nv + k] = axis_rate[row];
            }
        }
    });
}
