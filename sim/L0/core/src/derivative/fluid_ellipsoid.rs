//! Velocity derivative of the fluid force on an ellipsoid (`mjd_ellipsoidFluid`), in the geom frame.

use super::fluid::WrenchDerivative;
use crate::math::mat3::Mat3;
use crate::math::spatial::{self, Vec6};
use crate::math::vec3::{self, Vec3};
use crate::passive::fluid::Medium;
use crate::passive::fluid_ellipsoid::{Ellipsoid, ProjectedArea, multiply};
use sim_types::MINVAL;
use std::f64::consts::PI;

/// Derivative of the fluid wrench with respect to the velocity relative to the fluid. As in MuJoCo, the
/// interaction coefficient scales the force but not its derivative.
pub(super) fn vel_derivative(
    medium: &Medium,
    ellipsoid: &Ellipsoid,
    vel: &Vec6,
) -> WrenchDerivative {
    let (w, v) = (spatial::rotation(vel), spatial::translation(vel));
    let mut b = [0.0; 36];
    add_block(&mut b, 0, 0, &torque(medium, ellipsoid, w));
    add_block(&mut b, 3, 3, &drag(medium, ellipsoid, v));
    add_block(&mut b, 3, 3, &kutta_lift(medium, ellipsoid, v));
    let magnus = ellipsoid.magnus_lift * medium.density * ellipsoid.volume();
    add_block(&mut b, 3, 0, &d_cross_d_first(vec3::scale(v, magnus), [1.0; 3]));
    add_block(&mut b, 3, 3, &d_cross_d_second(vec3::scale(w, magnus)));
    add_added_mass(&mut b, medium, ellipsoid, w, v);
    b
}

/// Adds a 3 × 3 block at `(row, col)`.
fn add_block(b: &mut WrenchDerivative, row: usize, col: usize, block: &Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            b[6 * (row + i) + col + j] += block[3 * i + j];
        }
    }
}

/// Derivative of `(s ∘ a) × b` with respect to `a`, with `∘` the component-wise product.
fn d_cross_d_first(b: Vec3, s: Vec3) -> Mat3 {
    let [x, y, z] = b;
    [0.0, s[1] * z, -s[2] * y, -s[0] * z, 0.0, s[2] * x, s[0] * y, -s[1] * x, 0.0]
}

/// Derivative of `a × b` with respect to `b`.
fn d_cross_d_second(a: Vec3) -> Mat3 {
    let [x, y, z] = a;
    [0.0, -z, y, z, 0.0, -x, -y, x, 0.0]
}

/// Adds the derivative of the added-mass wrench.
fn add_added_mass(
    b: &mut WrenchDerivative,
    medium: &Medium,
    ellipsoid: &Ellipsoid,
    w: Vec3,
    v: Vec3,
) {
    let mass = vec3::scale(ellipsoid.virtual_mass, medium.density);
    let inertia = vec3::scale(ellipsoid.virtual_inertia, medium.density);
    let (linear, angular) = (multiply(mass, v), multiply(inertia, w));
    add_block(b, 0, 0, &d_cross_d_first(w, inertia));
    add_block(b, 0, 0, &d_cross_d_second(angular));
    add_block(b, 0, 3, &d_cross_d_first(v, mass));
    add_block(b, 0, 3, &d_cross_d_second(linear));
    add_block(b, 3, 3, &d_cross_d_first(w, mass));
    add_block(b, 3, 0, &d_cross_d_second(linear));
}

/// Derivative of the rotational drag `-(ν + ρ |M w|) w` with respect to `w`.
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

/// Derivative of the translational drag `-(ν + ρ |v| A(v)) v` with respect to `v`, with the drag area `A` a
/// function of the direction of `v`.
fn drag(medium: &Medium, ellipsoid: &Ellipsoid, v: Vec3) -> Mat3 {
    let (density, a) = (medium.density, ellipsoid.projection_weights());
    let ProjectedArea { denominator, numerator, area } = ProjectedArea::of(ellipsoid, v);
    let square = multiply(v, v);
    let speed = vec3::norm(v);
    let stokes = medium.viscosity * 3.0 * PI * ellipsoid.stokes_diameter();
    let drag_area =
        area * ellipsoid.blunt_drag + ellipsoid.slender_drag * (ellipsoid.max_area() - area);
    let pressure = density * drag_area / speed.max(MINVAL);

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

/// Derivative of the Kutta–Joukowski lift `n (N v × v) × v` with respect to `v`, where `n` contains the
/// projected area and the angle of attack.
fn kutta_lift(medium: &Medium, ellipsoid: &Ellipsoid, v: Vec3) -> Mat3 {
    let a = ellipsoid.projection_weights();
    let ProjectedArea { denominator, numerator, .. } = ProjectedArea::of(ellipsoid, v);
    let square = multiply(v, v);
    let speed2 = vec3::dot(v, v);
    let root = (denominator * numerator * speed2).sqrt().max(MINVAL);
    let factor = PI * ellipsoid.kutta_lift * medium.density / root;
    // components of (N v × v) × v divided by those of v
    let lift: Vec3 = std::array::from_fn(|i| (0..3).map(|k| square[k] * (a[i] - a[k])).sum());
    // gradient of the logarithm of n
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
        fn derivative_matches_central_differences_of_the_force(
            size in [0.1..1.0, 0.1..1.0, 0.1..1.0f64],
            c in [0.0..2.0, 0.0..2.0, 0.0..2.0, 0.0..2.0, 0.0..2.0, 0.0..2.0f64],
            vel in [0.2..2.0, -2.0..-0.2, 0.2..2.0, -2.0..-0.2, 0.2..2.0, 0.2..2.0f64],
        ) {
            let medium = Medium { density: 1.3, viscosity: 0.4 };
            let ellipsoid = ellipsoid(size, c);
            let got = vel_derivative(&medium, &ellipsoid, &vel);
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
    fn derivative_is_finite_at_zero_velocity() {
        let medium = Medium { density: 1.3, viscosity: 0.4 };
        let b = vel_derivative(&medium, &ellipsoid([0.3, 0.2, 0.1], [1.0; 6]), &[0.0; 6]);
        assert!(b.iter().all(|x| x.is_finite()));
        assert!(b[0] < 0.0 && b[21] < 0.0);
    }
}
