//! Velocity derivative of the medium's force on an ellipsoid (`mjd_ellipsoidFluid`), in its axes.

use super::fluid::Slope;
use crate::math::mat3::Mat3;
use crate::math::spatial::{self, Vec6};
use crate::math::vec3::{self, Vec3};
use crate::passive::fluid::Medium;
use crate::passive::fluid_ellipsoid::{Ellipsoid, Facing, multiply};
use sim_types::MINVAL;
use std::f64::consts::PI;

/// Derivative of torque and force by the velocity against the medium. The factor of interaction
/// enters the force, but not its slope.
pub(super) fn slope(medium: &Medium, ellipsoid: &Ellipsoid, vel: &Vec6) -> Slope {
    let (w, v) = (spatial::rotation(vel), spatial::translation(vel));
    let mut b = [0.0; 36];
    add_block(&mut b, 0, 0, &torque(medium, ellipsoid, w));
    add_block(&mut b, 3, 3, &drag(medium, ellipsoid, v));
    add_block(&mut b, 3, 3, &kutta_lift(medium, ellipsoid, v));
    let magnus = ellipsoid.magnus_lift * medium.density * ellipsoid.volume();
    add_block(&mut b, 3, 0, &cross_by_first(vec3::scale(v, magnus), [1.0; 3]));
    add_block(&mut b, 3, 3, &cross_by_second(vec3::scale(w, magnus)));
    add_added_mass(&mut b, medium, ellipsoid, w, v);
    b
}

/// Adds a block of three rows of three.
fn add_block(b: &mut Slope, row: usize, col: usize, block: &Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            b[6 * (row + i) + col + j] += block[3 * i + j];
        }
    }
}

/// Derivative of `(s a) × b` by `a`, where `s` scales by components.
fn cross_by_first(b: Vec3, s: Vec3) -> Mat3 {
    let [x, y, z] = b;
    [0.0, s[1] * z, -s[2] * y, -s[0] * z, 0.0, s[2] * x, s[0] * y, -s[1] * x, 0.0]
}

/// Derivative of `a × b` by `b`.
fn cross_by_second(a: Vec3) -> Mat3 {
    let [x, y, z] = a;
    [0.0, -z, y, z, 0.0, -x, -y, x, 0.0]
}

/// The medium that moves along.
fn add_added_mass(b: &mut Slope, medium: &Medium, ellipsoid: &Ellipsoid, w: Vec3, v: Vec3) {
    let mass = vec3::scale(ellipsoid.virtual_mass, medium.density);
    let inertia = vec3::scale(ellipsoid.virtual_inertia, medium.density);
    let (linear, angular) = (multiply(mass, v), multiply(inertia, w));
    add_block(b, 0, 0, &cross_by_first(w, inertia));
    add_block(b, 0, 0, &cross_by_second(angular));
    add_block(b, 0, 3, &cross_by_first(v, mass));
    add_block(b, 0, 3, &cross_by_second(linear));
    add_block(b, 3, 3, &cross_by_first(w, mass));
    add_block(b, 3, 0, &cross_by_second(linear));
}

/// Resistance to rotation: `-(ν + ρ |M w|) w` by `w`.
fn torque(medium: &Medium, ellipsoid: &Ellipsoid, w: Vec3) -> Mat3 {
    let moment = ellipsoid.moment_coefficients();
    let length = vec3::norm(multiply(w, moment)).max(MINVAL);
    let gradient = vec3::scale(multiply(w, multiply(moment, moment)), -medium.density / length);
    let diameter = ellipsoid.stokes_diameter();
    let own = vec3::dot(w, gradient) - medium.viscosity * PI * diameter * diameter * diameter;
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        w[i] * gradient[j] + if i == j { own } else { 0.0 }
    })
}

/// Resistance to translation: `-(ν + ρ |v| A) v` by `v`, where the area `A` depends on the
/// direction of `v`.
fn drag(medium: &Medium, ellipsoid: &Ellipsoid, v: Vec3) -> Mat3 {
    let (density, a) = (medium.density, ellipsoid.face_weights());
    let Facing { denominator, numerator, area } = Facing::of(ellipsoid, v);
    let square = multiply(v, v);
    let speed = vec3::norm(v);
    let stokes = medium.viscosity * 3.0 * PI * ellipsoid.stokes_diameter();
    let areas =
        area * ellipsoid.blunt_drag + ellipsoid.slender_drag * (ellipsoid.max_area() - area);
    let pressure = density * areas / speed.max(MINVAL);

    let root = (numerator * numerator * numerator * denominator).sqrt().max(MINVAL);
    let change = density * speed * (ellipsoid.blunt_drag - ellipsoid.slender_drag) * PI / root;
    let gradient: Vec3 = std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let others = a[j] * square[j] * (a[i] - a[j]) + a[k] * square[k] * (a[i] - a[k]);
        change * a[i] * v[i] * others
    });
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        let own = if i == j { pressure * vec3::dot(v, v) + stokes } else { 0.0 };
        -pressure * v[i] * v[j] - v[i] * gradient[j] - own
    })
}

/// Lift `n (N v × v) × v` by `v`, where `n` contains the area and the angle to the flow.
fn kutta_lift(medium: &Medium, ellipsoid: &Ellipsoid, v: Vec3) -> Mat3 {
    let a = ellipsoid.face_weights();
    let Facing { denominator, numerator, .. } = Facing::of(ellipsoid, v);
    let square = multiply(v, v);
    let speed2 = vec3::dot(v, v);
    let root = (denominator * numerator * speed2).sqrt().max(MINVAL);
    let factor = PI * ellipsoid.kutta_lift * medium.density / root;
    // the direction of the lift, component by component over v
    let lift: Vec3 = std::array::from_fn(|i| (0..3).map(|k| square[k] * (a[i] - a[k])).sum());
    // the logarithmic change of what multiplies it
    let ratio = numerator / denominator.max(MINVAL);
    let change = a.map(|a| a * a * ratio - a + numerator / speed2.max(MINVAL));
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        let across = v[i] * v[j] * (2.0 * numerator * (a[j] - a[i]) + change[j] * lift[i]);
        factor * (across - if i == j { lift[i] * numerator } else { 0.0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passive::fluid_ellipsoid::force;
    use proptest::prelude::*;

    fn ellipsoid(size: Vec3, c: [f64; 6]) -> Ellipsoid {
        Ellipsoid {
            size,
            interaction: 1.0,
            blunt_drag: c[0],
            slender_drag: c[1],
            angular_drag: c[2],
            kutta_lift: c[3],
            magnus_lift: c[4],
            virtual_mass: [c[5], 0.4 * c[5], 2.0 * c[5]],
            virtual_inertia: [0.1 * c[5], 0.7 * c[5], c[5]],
        }
    }

    proptest! {
        #[test]
        fn is_the_difference_quotient_of_the_force(
            size in [0.1..1.0, 0.1..1.0, 0.1..1.0f64],
            c in [0.0..2.0, 0.0..2.0, 0.0..2.0, 0.0..2.0, 0.0..2.0, 0.0..2.0f64],
            vel in [0.2..2.0, -2.0..-0.2, 0.2..2.0, -2.0..-0.2, 0.2..2.0, 0.2..2.0f64],
        ) {
            let medium = Medium { density: 1.3, viscosity: 0.4 };
            let ellipsoid = ellipsoid(size, c);
            let got = slope(&medium, &ellipsoid, &vel);
            for col in 0..6 {
                let at = |step: f64| {
                    let mut moved = vel;
                    moved[col] += step;
                    force(&medium, &ellipsoid, &moved)
                };
                let (up, down) = (at(1e-5), at(-1e-5));
                for row in 0..6 {
                    let want = (up[row] - down[row]) / 2e-5;
                    let error = (got[6 * row + col] - want).abs();
                    prop_assert!(error < 1e-7 * (1.0 + want.abs()), "{row} {col}: {want} {error}");
                }
            }
        }
    }

    #[test]
    fn is_finite_at_rest() {
        let medium = Medium { density: 1.3, viscosity: 0.4 };
        let b = slope(&medium, &ellipsoid([0.3, 0.2, 0.1], [1.0; 6]), &[0.0; 6]);
        assert!(b.iter().all(|x| x.is_finite()));
        assert!(b[0] < 0.0 && b[21] < 0.0);
    }
}
