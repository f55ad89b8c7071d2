//! Fluid force on the equivalent ellipsoid of a geom (`mj_ellipsoidFluidModel`): added mass, Magnus lift,
//! Kutta–Joukowski lift, quadratic drag and Stokes drag.

use super::fluid::Medium;
use crate::Model;
use crate::math::rows;
use crate::math::spatial::{self, Vec6};
use crate::math::vec3::{self, Vec3};
use sim_types::{GeomType, MINVAL, NFLUID};
use std::f64::consts::PI;

/// Semi-axes and fluid coefficients of a geom (`geom_fluid`).
#[derive(Debug, Clone, Copy)]
pub struct Ellipsoid {
    /// Semi-axes (m).
    pub size: Vec3,
    /// Factor of all forces; zero for a geom without fluid interaction.
    pub interaction: f64,
    /// Drag coefficient of the projected area.
    pub blunt_drag: f64,
    /// Drag coefficient of the difference between the largest cross-section and the projected area.
    pub slender_drag: f64,
    /// Drag coefficient of rotation.
    pub angular_drag: f64,
    /// Coefficient of the Kutta–Joukowski lift.
    pub kutta_lift: f64,
    /// Coefficient of the Magnus lift.
    pub magnus_lift: f64,
    /// Added mass along each axis, divided by the fluid density (m³).
    pub virtual_mass: Vec3,
    /// Added moment of inertia about each axis, divided by the fluid density (m⁵).
    pub virtual_inertia: Vec3,
}

impl Ellipsoid {
    /// The equivalent ellipsoid of a geom.
    #[must_use]
    pub fn of(m: &Model, geom: usize) -> Self {
        let [r, half, _] = rows::<3>(&m.geom_size)[geom];
        let size = match m.geom_type[geom] {
            GeomType::Sphere => [r, r, r],
            GeomType::Capsule => [r, r, half + r],
            GeomType::Cylinder => [r, r, half],
            _ => rows::<3>(&m.geom_size)[geom],
        };
        let c = rows::<NFLUID>(&m.geom_fluid)[geom];
        Self {
            size,
            interaction: c[0],
            blunt_drag: c[1],
            slender_drag: c[2],
            angular_drag: c[3],
            kutta_lift: c[4],
            magnus_lift: c[5],
            virtual_mass: [c[6], c[7], c[8]],
            virtual_inertia: [c[9], c[10], c[11]],
        }
    }

    /// Volume of the ellipsoid (m³).
    #[must_use]
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.size[0] * self.size[1] * self.size[2]
    }

    /// Diameter of the equivalent sphere of Stokes' law: twice the mean semi-axis (m).
    #[must_use]
    pub fn stokes_diameter(&self) -> f64 {
        2.0 / 3.0 * (self.size[0] + self.size[1] + self.size[2])
    }

    /// Largest and middle semi-axis (m).
    fn larger_axes(&self) -> (f64, f64) {
        let [a, b, c] = self.size;
        let (max, min) = (a.max(b).max(c), a.min(b).min(c));
        (max, a + b + c - max - min)
    }

    /// Area of the largest cross-section (m²).
    #[must_use]
    pub fn max_area(&self) -> f64 {
        let (max, mid) = self.larger_axes();
        PI * max * mid
    }

    /// For each axis, the squared product of the two other semi-axes: the weights of the velocity components
    /// in the projected area.
    #[must_use]
    pub fn projection_weights(&self) -> Vec3 {
        let [a, b, c] = self.size;
        [b * c, c * a, a * b].map(|x| x * x)
    }

    /// Moment coefficients of the rotational drag about each axis (m⁵).
    #[must_use]
    pub fn moment_coefficients(&self) -> Vec3 {
        let fourth = |x: f64| x * x * x * x;
        let (max, mid) = self.larger_axes();
        let largest = 8.0 / 15.0 * PI * mid * fourth(max);
        std::array::from_fn(|k| {
            let across = self.size[(k + 1) % 3].max(self.size[(k + 2) % 3]);
            let own = 8.0 / 15.0 * PI * self.size[k] * fourth(across);
            self.angular_drag * own + self.slender_drag * (largest - own)
        })
    }
}

/// Projected area of an ellipsoid in the direction of its velocity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProjectedArea {
    /// `Σ w² v²` over the projection weights `w`.
    pub denominator: f64,
    /// `Σ w v²`.
    pub numerator: f64,
    /// Area projected on the plane normal to the velocity (m²).
    pub area: f64,
}

impl ProjectedArea {
    /// The projected area at linear velocity `v`.
    pub(crate) fn of(ellipsoid: &Ellipsoid, v: Vec3) -> Self {
        let w = ellipsoid.projection_weights();
        let denominator = vec3::dot(multiply(w, w), multiply(v, v));
        let numerator = vec3::dot(w, multiply(v, v));
        let area = PI * (denominator / numerator.max(MINVAL)).sqrt();
        Self { denominator, numerator, area }
    }
}

/// Component-wise product.
pub(crate) fn multiply(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// Fluid wrench `[torque, force]` on an ellipsoid at the velocity `vel` relative to the fluid, in the geom
/// frame.
pub(crate) fn force(medium: &Medium, ellipsoid: &Ellipsoid, vel: &Vec6) -> Vec6 {
    let (w, v) = (spatial::rotation(vel), spatial::translation(vel));
    let mut sum = added_mass(ellipsoid, medium.density, w, v);
    let lift = vec3::add(
        vec3::scale(vec3::cross(w, v), ellipsoid.magnus_lift * medium.density * ellipsoid.volume()),
        kutta_lift(ellipsoid, medium.density, v),
    );
    let (angular, linear) = drag(medium, ellipsoid, w, v);
    for k in 0..3 {
        sum[k] -= angular * w[k];
        sum[k + 3] += lift[k] - linear * v[k];
    }
    sum
}

/// Added-mass wrench from the momentum of the accelerated fluid in the rotating frame; the term proportional
/// to acceleration is omitted, as in MuJoCo.
fn added_mass(ellipsoid: &Ellipsoid, density: f64, w: Vec3, v: Vec3) -> Vec6 {
    let linear = multiply(vec3::scale(ellipsoid.virtual_mass, density), v);
    let angular = multiply(vec3::scale(ellipsoid.virtual_inertia, density), w);
    let torque = vec3::add(vec3::cross(linear, v), vec3::cross(angular, w));
    spatial::join(torque, vec3::cross(linear, w))
}

/// Kutta–Joukowski lift `circulation × v` of an ellipsoid at an angle of attack.
fn kutta_lift(ellipsoid: &Ellipsoid, density: f64, v: Vec3) -> Vec3 {
    let projected = ProjectedArea::of(ellipsoid, v);
    let normal = multiply(ellipsoid.projection_weights(), v);
    let cosine = projected.numerator / (vec3::norm(v) * projected.denominator).max(MINVAL);
    let circulation = vec3::scale(
        vec3::cross(normal, v),
        ellipsoid.kutta_lift * density * cosine * projected.area,
    );
    vec3::cross(circulation, v)
}

/// Coefficients of rotational and translational drag: force per unit velocity.
fn drag(medium: &Medium, ellipsoid: &Ellipsoid, w: Vec3, v: Vec3) -> (f64, f64) {
    let Medium { density, viscosity } = *medium;
    let diameter = ellipsoid.stokes_diameter();
    let area = ProjectedArea::of(ellipsoid, v).area;
    let drag_area =
        area * ellipsoid.blunt_drag + ellipsoid.slender_drag * (ellipsoid.max_area() - area);
    let moment = vec3::norm(multiply(w, ellipsoid.moment_coefficients()));
    (
        viscosity * PI * diameter * diameter * diameter + density * moment,
        viscosity * 3.0 * PI * diameter + density * vec3::norm(v) * drag_area,
    )
}
