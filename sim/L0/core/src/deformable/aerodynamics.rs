//! Drag of the medium (`opt.density`, `opt.wind`) on triangulated surfaces.

use crate::Model;
use nalgebra::Vector3;
use sim_deformable::Body;

/// Adds the acceleration of the particles by the dynamic pressure on each triangle,
///
/// ```text
/// F = ½ c ρ A v|v| n        v = n·(wind − velocity of the triangle)
/// ```
///
/// a third of it per vertex. The change of velocity of a particle in one step is limited to v over
/// its triangles, `triangle_count` in number: explicit integration of a larger force would reverse
/// the relative velocity of light particles.
pub(super) fn add_medium_drag(
    m: &Model,
    drag: f64,
    body: &Body,
    triangle_count: &[f64],
    acceleration: &mut [Vector3<f64>],
) {
    let density = m.opt.density;
    if density <= 0.0 || drag <= 0.0 {
        return;
    }
    let wind = Vector3::from(m.opt.wind);
    let (x, v, w) = (body.positions(), body.velocities(), body.inverse_masses());
    for &vertices in body.triangles() {
        let vertices = vertices.map(|i| i as usize);
        let [a, b, c] = vertices.map(|i| x[i]);
        let double_area = (b - a).cross(&(c - a));
        let area = 0.5 * double_area.norm();
        if area <= 0.0 {
            continue;
        }
        let normal = double_area / (2.0 * area);
        let normal_velocity =
            (wind - vertices.iter().map(|&i| v[i]).sum::<Vector3<f64>>() / 3.0).dot(&normal);
        let force = 0.5 * drag * density * area * normal_velocity * normal_velocity.abs() / 3.0;
        for i in vertices {
            let limit = normal_velocity.abs() / (triangle_count[i].max(1.0) * m.opt.timestep);
            acceleration[i] += normal * (force * w[i]).clamp(-limit, limit);
        }
    }
}
