//! The substeps of deformable bodies, with what they touch and what holds them.

use super::lie::{Lie, Start};
use super::solve::{gravity, put};
use super::tie::{Clock, Kind, Rigid, Tie};
use super::wind::blow;
use super::{ATTACHED, Key, Lookup, Prior, Soft, Spot};
use crate::math::vec3::{Vec3, add, dot, norm, scale, sub};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use nalgebra::Vector3;

/// Time constant of attachments that are apart, in time steps.
pub(super) const EASE: f64 = 2.0;

/// What the last step of the deformable bodies was like.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CouplingReport {
    /// Contacts with geoms that were followed.
    pub contacts: usize,
    /// Vertices that rigid bodies held.
    pub attachments: usize,
    /// Places of two deformable bodies that were near each other in the last substep.
    pub between: usize,
    /// How deep a contact was in the last substep, at most, in m.
    pub penetration: f64,
    /// How far an attached vertex was from its place in the last substep, at most, in m.
    pub separation: f64,
}

/// Moves the deformable bodies by one time step, and gives the rigid bodies what they get from them:
/// `qvel` has the new velocities without it, by the acceleration `qacc`. `given` are velocities to move
/// positions with, if they are others.
///
/// Rigid bodies that are tied to deformable ones gain their velocity substep by substep, as vertices
/// do, and their positions follow.
pub(crate) fn project(m: &Model, d: &mut Data, qacc: &[f64], given: Option<&[f64]>) {
    let Some(mut soft) = d.soft.take() else { return };
    if soft.fits(m) {
        let h = m.opt.timestep;
        prepare(m, d, &mut soft, qacc);
        begin(m, &mut soft);
        let count = m.deformables.config.substeps.max(1);
        let length = h / count as f64;
        for k in 1..=count {
            substep(&mut soft, Clock { h: length, t: k as f64 * length });
        }
        end(m, d, &mut soft, qacc, given);
    }
    d.soft = Some(soft);
}

impl Soft {
    /// The velocities that positions move with, where ties changed them.
    pub(crate) fn moved_by(&self) -> Option<&[f64]> {
        (!self.ties.is_empty()).then_some(&self.dofs[..])
    }
}

/// Collects the ties.
fn prepare(m: &Model, d: &Data, soft: &mut Soft, qacc: &[f64]) {
    soft.ties.clear();
    soft.lies.clear();
    soft.jac.clear();
    soft.minv.clear();
    for list in [&mut soft.dofs, &mut soft.shift, &mut soft.speed, &mut soft.shift_before] {
        list.clear();
        list.resize(m.nv, 0.0);
    }
    let Soft { parts, touches, ties, lies, jac, minv, dofs, first_contact, .. } = soft;
    let h = m.opt.timestep;
    let config = m.deformables.config;
    let mut add_tie = |mut tie: Tie, body: usize, point: Vec3| {
        tie.bind(m, d, body, point, jac, minv, dofs);
        for k in 0..3 {
            tie.gain[k] = tie.along(jac, k, qacc);
            tie.speed[k] = tie.along(jac, k, &d.qvel) - h * tie.gain[k];
        }
        // what neither side can move stays
        if tie.inverse.iter().all(|&w| w > 0.0 && w.is_finite()) {
            ties.push(tie);
        }
    };
    for (k, touch) in touches.iter().enumerate() {
        let Some(contact) = d.contact.get(*first_contact + k) else { break };
        if contact.exclude != 0 {
            continue;
        }
        let body = &parts[touch.part].body;
        let start = touch.spot.mean(|i| body.positions()[i].into());
        let frame = std::array::from_fn(|k| rows::<3>(&contact.frame)[k]);
        let [time, ratio] = contact.solref;
        let ease = if time > 0.0 && ratio > 0.0 { time } else { 0.0 };
        let (ease, friction) = (ease.max(EASE * h), contact.friction[0]);
        let on = at(&m.geom_bodyid, touch.geom);
        if touch.spot.count == 1 && m.body_treeid[on] < 0 {
            if body.inverse_masses()[touch.spot.at[0] as usize] > 0.0 {
                let (key, spot, normal, gap) = (touch.key(), touch.spot, frame[0], contact.dist);
                let start = Start { key, spot, place: start, normal, gap, ease, friction };
                let length = h / config.substeps.max(1) as f64;
                lies.push(Lie::new(&start, length, config.sleep_speed));
            }
            continue;
        }
        let tie = Tie {
            kind: Kind::Contact { friction },
            gap: [contact.dist, 0.0, 0.0],
            ease,
            inverse: [touch.spot.inverse_mass(body); 3],
            ..Tie::new(touch.key(), touch.part, touch.spot, frame, start)
        };
        add_tie(tie, on, start);
    }
    for (k, deformable) in m.deformables.iter().enumerate() {
        for (a, attachment) in deformable.attachments.iter().enumerate() {
            let body = &parts[k].body;
            let vertex = attachment.vertex;
            let start: Vec3 = body.positions()[vertex].into();
            let spot = Spot::vertex(vertex as u32);
            let mat = &rows::<9>(&d.xmat)[attachment.body];
            let turned = mat3::mul_vec(mat, attachment.pos);
            let point = add(rows::<3>(&d.xpos)[attachment.body], turned);
            let key: Key = (k as u32, ATTACHED, a as u32);
            let frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let tie = Tie {
                gap: sub(start, point),
                ease: EASE * m.opt.timestep,
                inverse: [spot.inverse_mass(body); 3],
                ..Tie::new(key, k, spot, frame, start)
            };
            add_tie(tie, attachment.body, start);
        }
    }
}

/// Wakes what is pulled at, and loads the particles of what moves.
fn begin(m: &Model, soft: &mut Soft) {
    wake(m, soft);
    soft.meetings.find(m, &mut soft.parts);
    let Soft { parts, ties, lies, first, diverged, .. } = soft;
    let gravity = gravity(m);
    for (k, (part, deformable)) in parts.iter_mut().zip(m.deformables.iter()).enumerate() {
        part.solver.config = m.deformables.config;
        match part.solver.begin_step(&mut part.body, gravity, m.opt.timestep) {
            Ok(moves) => part.moves = moves,
            Err(_) => {
                part.moves = false;
                diverged.get_or_insert(first[k]);
            }
        }
        if !part.moves {
            continue;
        }
        let inverse = part.body.inverse_masses();
        for ((push, f), w) in part.push.iter_mut().zip(&part.applied).zip(inverse) {
            *push = f * *w;
        }
        blow(m, deformable.drag, &part.body, &part.faces, &mut part.push);
    }
    ties.retain(|tie| parts[tie.part].moves);
    lies.retain(|lie| parts[lie.part as usize].moves);
}

/// Wakes what rigid bodies may move, what lost or found something to rest on, what is far from where it
/// is held, and what the application pushes.
fn wake(m: &Model, soft: &mut Soft) {
    let Soft { parts, ties, lies, .. } = soft;
    let slow = m.deformables.config.sleep_speed;
    for part in parts.iter_mut() {
        part.tied = 0;
    }
    for tie in &*ties {
        let part = &mut parts[tie.part];
        part.tied += 1;
        let off = match tie.kind {
            Kind::Contact { .. } => -tie.gap[0],
            Kind::Hold => norm(tie.gap),
        };
        if !tie.range().is_empty() || tie.speed != [0.0; 3] || off > slow * tie.ease {
            part.body.wake();
        }
    }
    for lie in &*lies {
        let part = &mut parts[lie.part as usize];
        part.tied += 1;
        if lie.pushes {
            part.body.wake();
        }
    }
    for part in parts {
        let pushed = part.applied.iter().any(|f| *f != Vector3::zeros());
        let asleep = part.body.is_asleep();
        if pushed || asleep && *part.at_rest.get_or_insert(part.tied) != part.tied {
            part.body.wake();
        }
        if !part.body.is_asleep() {
            part.at_rest = None;
        }
    }
}

fn substep(soft: &mut Soft, clock: Clock) {
    let Soft { parts, ties, lies, meetings, jac, minv, shift, speed, shift_before, .. } = soft;
    for part in parts.iter_mut().filter(|part| part.moves) {
        part.solver.substep(&mut part.body, &part.push);
    }
    meetings.keep_apart(parts);
    shift_before.copy_from_slice(shift);
    for (shift, speed) in shift.iter_mut().zip(&*speed) {
        *shift += clock.h * speed;
    }
    let mut rigid = Rigid { jac, minv, shift, before: shift_before };
    for tie in ties {
        let (x, previous) = parts[tie.part].solver.state_mut();
        tie.solve(clock, x, previous, &mut rigid);
    }
    for group in lies.chunk_by_mut(|a, b| a.part == b.part) {
        let (x, previous) = parts[group[0].part as usize].solver.state_mut();
        group.iter_mut().for_each(|lie| lie.solve(x, previous));
    }
    for ((speed, now), before) in speed.iter_mut().zip(&*shift).zip(&*shift_before) {
        *speed = (now - before) / clock.h;
    }
    for part in parts.iter_mut().filter(|part| part.moves) {
        part.solver.end_substep();
    }
}

/// Hands the results to the bodies on both sides, and keeps what was carried.
fn end(m: &Model, d: &mut Data, soft: &mut Soft, qacc: &[f64], given: Option<&[f64]>) {
    let h = m.opt.timestep;
    let Soft { parts, ties, dofs, shift, speed, diverged, first, .. } = soft;
    for (k, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.moves) {
        if part.solver.end_step(&mut part.body).is_err() {
            diverged.get_or_insert(first[k]);
        }
    }
    if !ties.is_empty() {
        dofs.copy_from_slice(given.unwrap_or(&d.qvel));
        let late = 0.5 * h * (1.0 - 1.0 / m.deformables.config.substeps.max(1) as f64);
        for tie in &*ties {
            for i in tie.range() {
                dofs[i] = d.qvel[i] - late * qacc[i] + shift[i] / h;
            }
        }
        for (v, speed) in d.qvel.iter_mut().zip(&*speed) {
            *v += speed;
        }
    }
    keep(m, d, soft);
}

/// Keeps what ties carried: for the next step, in the contacts, and in the report.
fn keep(m: &Model, d: &mut Data, soft: &mut Soft) {
    let count = m.deformables.config.substeps.max(1) as f64;
    let length = m.opt.timestep / count;
    let scale_to_force = 1.0 / (length * length * count);
    let Soft { ties, lies, prior, touches, first_contact, kept, report, meetings, .. } = soft;
    *report = CouplingReport { between: meetings.near(), ..CouplingReport::default() };
    kept.clear();
    let mut known = Lookup::new(prior);
    let mut carry = |key: Key, force: Vec3| {
        let before = known.find(key).map_or([0.0; 3], |prior| prior.force);
        kept.push(Prior { key, force, steady: steady(before, force) });
    };
    for lie in &*lies {
        carry(lie.key, lie.force(scale_to_force));
        report.contacts += 1;
        report.penetration = report.penetration.max(-lie.left);
    }
    for tie in &*ties {
        let along = scale(tie.sum, scale_to_force);
        let force = [0, 1, 2].map(|k| (0..3).map(|i| along[i] * tie.frame[i][k]).sum());
        carry(tie.key, force);
        match tie.kind {
            Kind::Contact { .. } => {
                report.contacts += 1;
                report.penetration = report.penetration.max(-tie.left[0]);
            }
            Kind::Hold => {
                report.attachments += 1;
                report.separation = report.separation.max(norm(tie.left));
            }
        }
    }
    kept.sort_unstable_by_key(|prior| prior.key);
    std::mem::swap(kept, prior);
    let mut known = Lookup::new(prior);
    for (k, touch) in touches.iter_mut().enumerate() {
        let Some(contact) = d.contact.get(*first_contact + k) else { break };
        touch.force = known.find(touch.key()).map_or([0.0; 3], |prior| prior.force);
        if let Ok(row) = usize::try_from(contact.efc_address)
            && let Some(rows) = d.efc_force.get_mut(row..)
        {
            put(m, contact, touch.force, rows);
        }
    }
}

/// What of a force was there the step before: a blow is not expected to last.
fn steady(before: Vec3, force: Vec3) -> Vec3 {
    let square = dot(force, force);
    let lasting = dot(before, force).max(0.0);
    if square > 0.0 { scale(force, (lasting / square).min(1.0)) } else { [0.0; 3] }
}
