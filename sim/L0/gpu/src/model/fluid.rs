//! Tables of fluid forces (mj_fluid): equivalent inertia boxes of bodies and equivalent ellipsoids of geoms.

use super::array;
use super::constraint::BodyFrame;
use crate::layout::ModelTables;
use sim_core::Model;
use sim_core::fluid::{BoxDrag, Ellipsoid, Medium, geoms, has_ellipsoids, has_fluid_force};
use sim_types::DisableBit;
use std::f64::consts::PI;

/// A body or geom on which the fluid acts.
struct Element {
    frame: BodyFrame,
    /// Coefficients in the order in which kernels read them.
    coefficients: [[f64; 4]; 6],
}

/// Whether fluid forces act on a model.
pub(crate) fn medium(m: &Model) -> Option<Medium> {
    let passive = !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper));
    Medium::of(m).filter(|_| passive)
}

/// Adds the tables. Returns the number of elements.
pub(crate) fn elements(m: &Model, t: &mut ModelTables) -> usize {
    let mut all = Vec::new();
    if let Some(medium) = medium(m) {
        for body in (1..m.nbody).filter(|&body| has_fluid_force(m, body)) {
            if has_ellipsoids(m, body) {
                all.extend(geoms(m, body).filter_map(|geom| ellipsoid(m, &medium, body, geom)));
            } else {
                all.push(inertia_box(m, &medium, body));
            }
        }
    }
    t.size("NFLUID", all.len());
    t.scalars("WIND", m.opt.wind);
    t.indices("FLUID_BODY", all.iter().map(|e| e.frame.0));
    t.vec4s("FLUID_POS", all.iter().map(|e| e.frame.1.pos));
    t.vec4s("FLUID_QUAT", all.iter().map(|e| e.frame.1.quat));
    t.vec4s("FLUID_COEF", all.iter().flat_map(|e| e.coefficients));
    all.len()
}

fn inertia_box(m: &Model, medium: &Medium, body: usize) -> Element {
    let drag = BoxDrag::of(medium, m.body_mass[body], array(&m.body_inertia, body));
    let [a, b, c, x, y, z] = drag.quadratic;
    Element {
        frame: (body, m.inertial_frame(body)),
        coefficients: [
            [1.0, drag.linear[0], drag.linear[3], 0.0],
            [a, b, c, 0.0],
            [x, y, z, 0.0],
            [0.0; 4],
            [0.0; 4],
            [0.0; 4],
        ],
    }
}

fn ellipsoid(m: &Model, medium: &Medium, body: usize, geom: usize) -> Option<Element> {
    let own = Ellipsoid::of(m, geom);
    let (density, viscosity) = (medium.density, medium.viscosity);
    let with = |v: [f64; 3], w: f64| [v[0], v[1], v[2], w];
    let diameter = own.stokes_diameter();
    let scaled = |v: [f64; 3]| v.map(|x| density * x);
    let coefficients = [
        [
            own.interaction,
            viscosity * PI * diameter * diameter * diameter,
            viscosity * 3.0 * PI * diameter,
            1.0,
        ],
        with(scaled(own.moment_coefficients()), own.max_area()),
        with(own.projection_weights(), density * own.blunt_drag),
        with(scaled(own.virtual_mass), density * own.slender_drag),
        with(scaled(own.virtual_inertia), density * own.kutta_lift),
        [density * own.magnus_lift * own.volume(), 0.0, 0.0, 0.0],
    ];
    (own.interaction != 0.0).then(|| Element { frame: (body, m.geom_frame(geom)), coefficients })
}
