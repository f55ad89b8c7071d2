//! The constraint rows that act during the search: limits, and couplings of joints and tendons.

use super::impedance::impedance;
use crate::math::{at, dot, quat, rows, vec3};
use crate::{Data, Model};
use sim_types::{EqType, JointType, NEQDATA};

/// Dense constraint rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// One row of length `nv` after another.
    pub(super) jac: Vec<f64>,
    /// Softness of each row.
    pub(super) r: Vec<f64>,
    /// Acceleration that each row is steered towards.
    pub(super) aref: Vec<f64>,
    /// Whether a row can push but not pull.
    pub(super) one_sided: Vec<bool>,
}

/// What kind of equality constraint the search does not know.
pub(super) const fn unsupported(kind: EqType) -> Option<&'static str> {
    match kind {
        EqType::Joint | EqType::Tendon => None,
        EqType::Connect => Some("connect constraints"),
        EqType::Weld => Some("weld constraints"),
        EqType::Flex | EqType::FlexVert | EqType::FlexStrain | EqType::Distance => {
            Some("constraints of flexes")
        }
    }
}

/// Parameters of a row that is about to be added.
struct Row {
    pos: f64,
    margin: f64,
    diagonal: f64,
    solref: [f64; 2],
    solimp: [f64; 5],
    one_sided: bool,
}

impl Rows {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.r.len()
    }

    /// Finds the rows that act in this state.
    pub(super) fn collect(&mut self, m: &Model, d: &Data) {
        self.jac.clear();
        self.r.clear();
        self.aref.clear();
        self.one_sided.clear();
        for i in (0..m.neq).filter(|&i| d.eq_active[i]) {
            self.coupling(m, d, i);
        }
        for j in (0..m.njnt).filter(|&j| m.jnt_limited[j]) {
            self.joint_limit(m, d, j);
        }
        for t in (0..m.ntendon).filter(|&t| m.tendon_limited[t]) {
            self.tendon_limit(m, d, t);
        }
    }

    /// Opens a row of zeros.
    fn open(&mut self, m: &Model) -> &mut [f64] {
        let start = self.jac.len();
        self.jac.resize(start + m.nv, 0.0);
        &mut self.jac[start..]
    }

    /// Completes the row that was opened last.
    fn close(&mut self, m: &Model, d: &Data, row: &Row) {
        let pos = row.pos - row.margin;
        let imp = impedance(row.solref, row.solimp, pos, row.diagonal, m.opt.timestep);
        let velocity = dot(&self.jac[self.jac.len() - m.nv..], &d.qvel);
        self.r.push(imp.r);
        self.aref.push(-imp.damping * velocity - imp.stiffness * pos);
        self.one_sided.push(row.one_sided);
    }

    fn joint_limit(&mut self, m: &Model, d: &Data, j: usize) {
        let dof = at(&m.jnt_dofadr, j);
        let q = &d.qpos[at(&m.jnt_qposadr, j)..];
        let [low, high] = rows::<2>(&m.jnt_range)[j];
        let row = |pos: f64| Row {
            pos,
            margin: m.jnt_margin[j],
            diagonal: m.dof_invweight0[dof],
            solref: rows::<2>(&m.jnt_solref)[j],
            solimp: rows::<5>(&m.jnt_solimp)[j],
            one_sided: true,
        };
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => {
                for (pos, sign) in [(q[0] - low, 1.0), (high - q[0], -1.0)] {
                    if pos < m.jnt_margin[j] {
                        self.open(m)[dof] = sign;
                        self.close(m, d, &row(pos));
                    }
                }
            }
            JointType::Ball => {
                let turn = quat::to_velocity(quat::normalize([q[0], q[1], q[2], q[3]]), 1.0);
                let (axis, angle) = vec3::normalize(turn);
                let pos = low.max(high) - angle;
                if pos < m.jnt_margin[j] {
                    self.open(m)[dof..dof + 3].copy_from_slice(&axis.map(|x| -x));
                    self.close(m, d, &row(pos));
                }
            }
            JointType::Free => {}
        }
    }

    fn tendon_limit(&mut self, m: &Model, d: &Data, t: usize) {
        let [low, high] = rows::<2>(&m.tendon_range)[t];
        let length = d.ten_length[t];
        for (pos, sign) in [(length - low, 1.0), (high - length, -1.0)] {
            if pos < m.tendon_margin[t] {
                add_tendon(m, d, t, sign, self.open(m));
                let row = Row {
                    pos,
                    margin: m.tendon_margin[t],
                    diagonal: m.tendon_invweight0[t],
                    solref: rows::<2>(&m.tendon_solref_lim)[t],
                    solimp: rows::<5>(&m.tendon_solimp_lim)[t],
                    one_sided: true,
                };
                self.close(m, d, &row);
            }
        }
    }

    /// A joint or tendon as a polynomial of another, or at a constant.
    fn coupling(&mut self, m: &Model, d: &Data, i: usize) {
        let joint = m.eq_type[i] == EqType::Joint;
        // position relative to the reference, and approximate inverse inertia
        let scalar = |object: usize| {
            if joint {
                let adr = at(&m.jnt_qposadr, object);
                (d.qpos[adr] - m.qpos0[adr], m.dof_invweight0[at(&m.jnt_dofadr, object)])
            } else {
                (d.ten_length[object] - m.tendon_length0[object], m.tendon_invweight0[object])
            }
        };
        let add = |object: usize, scale: f64, row: &mut [f64]| {
            if joint {
                row[at(&m.jnt_dofadr, object)] += scale;
            } else {
                add_tendon(m, d, object, scale, row);
            }
        };
        let data = &m.eq_data[NEQDATA * i..][..5];
        let first = at(&m.eq_obj1id, i);
        let (x, mut diagonal) = scalar(first);
        let mut pos = x - data[0];
        let row = self.open(m);
        add(first, 1.0, row);
        if let Ok(second) = usize::try_from(m.eq_obj2id[i]) {
            let (y, weight) = scalar(second);
            diagonal += weight;
            pos -= y * (data[1] + y * (data[2] + y * (data[3] + y * data[4])));
            let slope = data[1] + y * (2.0 * data[2] + y * (3.0 * data[3] + y * 4.0 * data[4]));
            add(second, -slope, row);
        }
        let row = Row {
            pos,
            margin: 0.0,
            diagonal,
            solref: rows::<2>(&m.eq_solref)[i],
            solimp: rows::<5>(&m.eq_solimp)[i],
            one_sided: false,
        };
        self.close(m, d, &row);
    }
}

/// Adds the Jacobian of a tendon to a dense row.
fn add_tendon(m: &Model, d: &Data, t: usize, scale: f64, row: &mut [f64]) {
    let start = at(&m.ten_J_rowadr, t);
    for adr in start..start + at(&m.ten_J_rownnz, t) {
        row[at(&m.ten_J_colind, adr)] += scale * d.ten_J[adr];
    }
}
