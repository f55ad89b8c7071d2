//! Potential and kinetic energy (`mj_energyPos`, `mj_energyVel`).

use crate::flex::edges;
use crate::math::{at, poly, quat, rows, spatial, vec3};
use crate::sleep::{body_asleep, tendon_awake};
use crate::{Data, Model, tendon};
use sim_types::{DisableBit, EnableBit, JointType};

/// Computes the potential energy `energy[0]` (J): gravity, joint springs, flex edge springs and tendon
/// springs.
///
/// Reads `qpos`, `xipos`, `flexedge_length`, `ten_length`. Writes `energy[0]`, `flg_energypos`.
#[doc(alias = "mj_energyPos")]
pub fn mj_energy_pos(m: &Model, d: &mut Data) {
    let xipos = rows::<3>(&d.xipos);
    let mut energy = 0.0;
    if !m.opt.disabled(DisableBit::Gravity) {
        for i in 1..m.nbody {
            energy -= m.body_mass[i] * vec3::dot(m.opt.gravity, xipos[i]);
        }
    }
    if !m.opt.disabled(DisableBit::Spring) {
        // as in MuJoCo, springs of sleeping trees are not counted
        let any_asleep = d.any_asleep(m);
        let joint = |j: &usize| !any_asleep || !body_asleep(d, at(&m.jnt_bodyid, *j));
        let tendon = |i: &usize| !any_asleep || tendon_awake(m, d, *i);
        energy += (0..m.njnt).filter(joint).map(|j| spring_energy(m, d, j)).sum::<f64>();
        energy += flex_energy(m, d);
        energy += (0..m.ntendon).filter(tendon).map(|i| tendon_energy(m, d, i)).sum::<f64>();
    }
    d.energy[0] = energy;
    d.flg_energypos = true;
}

/// Potential energy of the spring of joint `j` (J).
fn spring_energy(m: &Model, d: &Data, j: usize) -> f64 {
    let (k, poly) = (m.jnt_stiffness[j], rows::<2>(&m.jnt_stiffnesspoly)[j]);
    if k == 0.0 && poly == [0.0; 2] {
        return 0.0;
    }
    let padr = at(&m.jnt_qposadr, j);
    let (q, rest) = (&d.qpos[padr..], &m.qpos_spring[padr..]);
    let rotational = |q: &[f64], rest: &[f64]| {
        let deflection =
            quat::subtract([q[0], q[1], q[2], q[3]], [rest[0], rest[1], rest[2], rest[3]]);
        poly::potential(k, poly, vec3::norm(deflection))
    };
    match m.jnt_type[j] {
        JointType::Slide | JointType::Hinge => poly::potential(k, poly, q[0] - rest[0]),
        JointType::Ball => rotational(q, rest),
        JointType::Free => {
            let deflection = [q[0] - rest[0], q[1] - rest[1], q[2] - rest[2]];
            poly::potential(k, poly, vec3::norm(deflection)) + rotational(&q[3..], &rest[3..])
        }
    }
}

/// Potential energy of the edge springs of all flexes of dimension 1 (J). As in MuJoCo, the elasticity of cloth and
/// solids is not included.
fn flex_energy(m: &Model, d: &Data) -> f64 {
    let mut energy = 0.0;
    for f in (0..m.nflex).filter(|&f| m.flex_dim[f] == 1 && !m.flex_rigid[f]) {
        for e in edges(m, f).filter(|&e| !m.flexedge_rigid[e]) {
            let stretch = m.flexedge_length0[e] - d.flexedge_length[e];
            energy += 0.5 * m.flex_edgestiffness[f] * stretch * stretch;
        }
    }
    energy
}

/// Potential energy of the spring of tendon `i` (J).
fn tendon_energy(m: &Model, d: &Data, i: usize) -> f64 {
    let poly = rows::<2>(&m.tendon_stiffnesspoly)[i];
    poly::potential(m.tendon_stiffness[i], poly, tendon::spring_deflection(m, d, i))
}

/// Computes the kinetic energy `energy[1] = ½ q̇ᵀ M q̇` (J), as the sum over bodies and armatures.
///
/// Reads `qvel`, `cinert`, `cvel`, and `M` for models with tendon armature. Writes `energy[1]`,
/// `flg_energyvel`.
#[doc(alias = "mj_energyVel")]
pub fn mj_energy_vel(m: &Model, d: &mut Data) {
    let (cinert, cvel) = (rows::<10>(&d.cinert), rows::<6>(&d.cvel));
    let bodies: f64 = cinert
        .iter()
        .zip(cvel)
        .map(|(inertia, vel)| spatial::dot(vel, &spatial::mul_inertia(inertia, vel)))
        .sum();
    let armature = m.dof_armature.iter().zip(&m.plan.actuator_terms.dof_armature);
    let rotors: f64 =
        armature.zip(&d.qvel).map(|((joint, actuator), v)| (joint + actuator) * v * v).sum();
    // tendon armature contributes only through the entries in the pattern of M
    let twice = if m.plan.tendon_armature { quadratic_form(m, d) } else { bodies + rotors };
    d.energy[1] = 0.5 * twice;
    d.flg_energyvel = true;
}

/// `q̇ᵀ M q̇` from the stored lower triangle of `M`.
fn quadratic_form(m: &Model, d: &Data) -> f64 {
    let mut sum = 0.0;
    for i in 0..m.nv {
        let start = at(&m.M_rowadr, i);
        let diagonal = start + at(&m.M_rownnz, i) - 1;
        let mut row = d.M[diagonal] * d.qvel[i];
        for adr in start..diagonal {
            row += 2.0 * d.M[adr] * d.qvel[at(&m.M_colind, adr)];
        }
        sum += row * d.qvel[i];
    }
    sum
}

/// Position part of the energy stage: computes the potential energy with the energy flag enabled, otherwise
/// sets both energies to zero.
pub(crate) fn energy_pos_stage(m: &Model, d: &mut Data) {
    if d.flg_energypos {
        return;
    }
    if m.opt.enabled(EnableBit::Energy) {
        mj_energy_pos(m, d);
    } else {
        d.energy.fill(0.0);
    }
}

/// Velocity part of the energy stage: computes the kinetic energy with the energy flag enabled.
pub(crate) fn energy_vel_stage(m: &Model, d: &mut Data) {
    if m.opt.enabled(EnableBit::Energy) && !d.flg_energyvel {
        mj_energy_vel(m, d);
    }
}
