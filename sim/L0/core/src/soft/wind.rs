//! Pressure of the medium on surfaces.

use crate::Model;
use nalgebra::Vector3;
use sim_deformable::Body;

/// Adds the accelerations by the pressure on the triangles: half the density times the square of the
/// speed at which the medium meets the face, along its normal. All faces of a particle together, `faces`
/// in number, give it no more in a time step than stops it in the medium: with more, what is light would
/// be thrown back faster than it came.
pub(super) fn blow(m: &Model, drag: f64, body: &Body, faces: &[f64], push: &mut [Vector3<f64>]) {
    let density = m.opt.density;
    if density <= 0.0 || drag <= 0.0 {
        return;
    }
    let wind = Vector3::from(m.opt.wind);
    let (x, v, w) = (body.positions(), body.velocities(), body.inverse_masses());
    for &corners in body.triangles() {
        let corners = corners.map(|i| i as usize);
        let [a, b, c] = corners.map(|i| x[i]);
        let twice = (b - a).cross(&(c - a));
        let area = 0.5 * twice.norm();
        if area <= 0.0 {
            continue;
        }
        let normal = twice / (2.0 * area);
        let speed = (wind - corners.iter().map(|&i| v[i]).sum::<Vector3<f64>>() / 3.0).dot(&normal);
        let force = 0.5 * drag * density * area * speed * speed.abs() / 3.0;
        for i in corners {
            let most = speed.abs() / (faces[i].max(1.0) * m.opt.timestep);
            push[i] += normal * (force * w[i]).clamp(-most, most);
        }
    }
}
