//! Model statistics (`mjStatistic`) and `dof_length`.

use super::flex;
use crate::math::{at, rows, vec3};
use crate::{Data, Model};
use sim_types::{GeomType, JointType};

/// Lower bound of the size of a body or model.
const MIN_SIZE: f64 = 1e-5;

/// Computes `stat` and `dof_length` from the poses at `qpos0`.
pub(super) fn set(m: &mut Model, d: &Data) {
    bounding_box(m, d);
    let sizes = body_sizes(m, d);
    let moving = m.nbody - 1;
    if moving > 0 {
        m.stat.meansize = sizes[1..].iter().sum::<f64>() / moving as f64;
        m.stat.meanmass = m.body_mass[1..].iter().sum::<f64>() / moving as f64;
    }
    for i in 0..m.nv {
        let jnt = at(&m.dof_jntid, i);
        let rotational = match m.jnt_type[jnt] {
            JointType::Slide => false,
            JointType::Hinge | JointType::Ball => true,
            JointType::Free => i - at(&m.jnt_dofadr, jnt) >= 3,
        };
        m.dof_length[i] = if rotational { sizes[at(&m.dof_bodyid, i)] } else { 1.0 };
    }
    m.stat.extent = m.stat.extent.max(2.0 * m.stat.meansize);
    if m.nv > 0 {
        let trace: f64 = (0..m.nv).map(|i| d.qM[at(&m.dof_Madr, i)]).sum();
        m.stat.meaninertia = trace / m.nv as f64;
    }
}

/// Centre and extent of the bounding box of the model.
fn bounding_box(m: &mut Model, d: &Data) {
    let mut low = [1e10; 3];
    let mut high = [-1e10; 3];
    let mut include = |p: &[f64; 3], radius: f64| {
        for k in 0..3 {
            low[k] = f64::min(low[k], p[k] - radius);
            high[k] = f64::max(high[k], p[k] + radius);
        }
    };
    let bodies = rows::<3>(&d.xpos)[1..].iter().chain(&rows::<3>(&d.xipos)[1..]);
    for p in bodies.chain(rows(&d.xanchor)).chain(rows(&d.site_xpos)) {
        include(p, 0.0);
    }
    for (i, p) in rows::<3>(&d.geom_xpos).iter().enumerate() {
        include(p, visible_radius(m, i));
    }
    m.stat.center = vec3::scale(vec3::add(low, high), 0.5);
    if high[0] > low[0] {
        let span = (0..3).map(|k| high[k] - low[k]).fold(MIN_SIZE, f64::max);
        m.stat.extent = span;
    }
}

/// Bounding radius of a geom in the bounding box; a tenth of the size for planes and height fields.
fn visible_radius(m: &Model, i: usize) -> f64 {
    if m.geom_rbound[i] > 0.0 {
        return m.geom_rbound[i];
    }
    match m.geom_type[i] {
        GeomType::Plane => {
            let size = m.geom_size[3 * i].max(m.geom_size[3 * i + 1]);
            if size == 0.0 { 1.0 } else { 0.1 * size }
        }
        GeomType::HField => {
            let data = at(&m.geom_dataid, i);
            0.1 * m.hfield_size[4 * data..4 * data + 4].iter().copied().fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// Size of each body: largest distance of its joints and geoms from its centre of mass.
fn body_sizes(m: &Model, d: &Data) -> Vec<f64> {
    let (xipos, xanchor) = (rows::<3>(&d.xipos), rows::<3>(&d.xanchor));
    let geom_xpos = rows::<3>(&d.geom_xpos);
    let mut sizes = vec![0.0; m.nbody];
    for j in 0..m.njnt {
        let body = at(&m.jnt_bodyid, j);
        for b in [body, at(&m.body_parentid, body)] {
            sizes[b] = f64::max(sizes[b], vec3::distance(xipos[b], xanchor[j]));
        }
    }
    sizes[0] = 0.0;
    for g in 0..m.ngeom {
        let b = at(&m.geom_bodyid, g);
        if b > 0 && m.geom_rbound[g] > 0.0 {
            let extent = m.geom_rbound[g] + vec3::distance(xipos[b], geom_xpos[g]);
            sizes[b] = f64::max(sizes[b], extent);
        }
    }
    flex::enlarge_bodies(m, d, &mut sizes);
    for size in &mut sizes[1..] {
        *size = f64::max(*size, MIN_SIZE);
    }
    sizes
}
