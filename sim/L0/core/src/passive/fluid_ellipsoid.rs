//! The medium's force on a geom taken for an ellipsoid (`mj_ellipsoidFluidModel`): added mass,
//! lift by rotation (Magnus) and by inclination (Kutta–Joukowski), drag, and Stokes' law.

use super::fluid::Medium;
use crate::Model;
use crate::math::rows;
use crate::math::spatial::{self, Vec6};
use crate::math::vec3::{self, Vec3};
use sim_types::{GeomType, MINVAL, NFLUID};
use std::f64::consts::PI;

/// Shape and coefficients of a geom in a medium.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ellipsoid {
    /// Half axes.
    pub size: Vec3,
    /// Factor of all forces; zero for a geom that does not feel the medium.
    pub interaction: f64,
    /// Drag of the area that faces the flow.
    pub blunt_drag: f64,
    /// Drag of the rest of the largest area.
    pub slender_drag: f64,
    /// Drag of rotation.
    pub angular_drag: f64,
    /// Lift from inclination to the flow.
    pub kutta_lift: f64,
    /// Lift from rotation.
    pub magnus_lift: f64,
    /// Volume of medium that moves along, for each axis.
    pub virtual_mass: Vec3,
    /// Inertia of medium that turns along, for each axis, divided by its density.
    pub virtual_inertia: Vec3,
}

impl Ellipsoid {
    /// The ellipsoid of a geom.
    pub(crate) fn of(m: &Model, geom: usize) -> Self {
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

    /// Volume of the ellipsoid.
    pub(crate) fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.size[0] * self.size[1] * self.size[2]
    }

    /// Diameter of the sphere that Stokes' law is taken for.
    pub(crate) fn stokes_diameter(&self) -> f64 {
        2.0 / 3.0 * (self.size[0] + self.size[1] + self.size[2])
    }

    /// Largest and middle half axis.
    fn larger_axes(&self) -> (f64, f64) {
        let [a, b, c] = self.size;
        let (max, min) = (a.max(b).max(c), a.min(b).min(c));
        (max, a + b + c - max - min)
    }

    /// Largest cross-section.
    pub(crate) fn max_area(&self) -> f64 {
        let (max, mid) = self.larger_axes();
        PI * max * mid
    }

    /// Squared products of the two other half axes: the weights with which the components of
    /// velocity enter the area that faces the flow.
    pub(crate) fn face_weights(&self) -> Vec3 {
        let [a, b, c] = self.size;
        [b * c, c * a, a * b].map(|x| x * x)
    }

    /// Coefficients of the drag of rotation, for each axis.
    pub(crate) fn moment_coefficients(&self) -> Vec3 {
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

/// How an ellipsoid faces the flow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facing {
    /// `Σ w² v²` over the face weights `w`.
    pub denominator: f64,
    /// `Σ w v²`.
    pub numerator: f64,
    /// Area seen from the direction of the flow.
    pub area: f64,
}

impl Facing {
    /// Of an ellipsoid that moves with linear velocity `v`.
    pub(crate) fn of(ellipsoid: &Ellipsoid, v: Vec3) -> Self {
        let w = ellipsoid.face_weights();
        let denominator = vec3::dot(multiply(w, w), multiply(v, v));
        let numerator = vec3::dot(w, multiply(v, v));
        let area = PI * (denominator / numerator.max(MINVAL)).sqrt();
        Self { denominator, numerator, area }
    }
}

/// Product by components.
pub(crate) fn multiply(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// Torque and force on an ellipsoid that moves with `vel` against the medium, in its own axes.
pub(crate) fn force(medium: &Medium, ellipsoid: &Ellipsoid, vel: &Vec6) -> Vec6 {
    let (w, v) = (spatial::rotation(vel), spatial::translation(vel));
    let mut sum = added_mass(ellipsoid, medium.density, w, v);
    let lift = vec3::add(
        vec3::scale(vec3::cross(w, v), ellipsoid.magnus_lift * medium.density * ellipsoid.volume()),
        kutta_lift(ellipsoid, medium.density, v),
    );
    let (turning, moving) = drag(medium, ellipsoid, w, v);
    for k in 0..3 {
        sum[k] -= turning * w[k];
        sum[k + 3] += lift[k] - moving * v[k];
    }
    sum
}

/// Momentum of the medium that moves along, turned by the motion. The part that needs acceleration
/// is left out.
fn added_mass(ellipsoid: &Ellipsoid, density: f64, w: Vec3, v: Vec3) -> Vec6 {
    let linear = multiply(vec3::scale(ellipsoid.virtual_mass, density), v);
    let angular = multiply(vec3::scale(ellipsoid.virtual_inertia, density), w);
    let torque = vec3::add(vec3::cross(linear, v), vec3::cross(angular, w));
    spatial::join(torque, vec3::cross(linear, w))
}

/// Lift of an ellipsoid inclined to the flow.
fn kutta_lift(ellipsoid: &Ellipsoid, density: f64, v: Vec3) -> Vec3 {
    let facing = Facing::of(ellipsoid, v);
    let normal = multiply(ellipsoid.face_weights(), v);
    let cosine = facing.numerator / (vec3::norm(v) * facing.denominator).max(MINVAL);
    let circulation =
        vec3::scale(vec3::cross(normal, v), ellipsoid.kutta_lift * density * cosine * facing.area);
    vec3::cross(circulation, v)
}

/// Resistance to rotation and to translation, per unit of velocity.
fn drag(medium: &Medium, ellipsoid: &Ellipsoid, w: Vec3, v: Vec3) -> (f64, f64) {
    let Medium { density, viscosity } = *medium;
    let diameter = ellipsoid.stokes_diameter();
    let area = Facing::of(ellipsoid, v).area;
    let areas =
        area * ellipsoid.blunt_drag + ellipsoid.slender_drag * (ellipsoid.max_area() - area);
    let moment = vec3::norm(multiply(w, ellipsoid.moment_coefficients()));
    (
        viscosity * PI * diameter * diameter * diameter + density * moment,
        viscosity * 3.0 * PI * diameter + density * vec3::norm(v) * areas,
    )
}
