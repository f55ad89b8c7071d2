// Fluid forces: drag on the equivalent inertia boxes of bodies (mj_inertiaBoxFluidModel), or added mass, lift and drag on
// the equivalent ellipsoids of geoms (mj_ellipsoidFluidModel).

// Coefficients of an element, six vec4; density and viscosity are included. Box: 1, viscous coefficients of rotation
// and translation, 0; quadratic coefficients of rotation; of translation. Ellipsoid: interaction, viscous coefficients,
// 1; rotational drag, largest area; projection weights, blunt drag; added mass, slender drag; added inertia, Kutta
// lift; Magnus lift.
fn fluid_coef(e: u32, k: u32) -> vec4r { return f4(FLUID_COEF, 6u * e + k); }
fn is_ellipsoid(e: u32) -> bool { return fluid_coef(e, 0u).w == 1.0; }

struct FluidFrame { pos: vec3r, rot: vec4r, body: u32 }
fn fluid_frame(e: u32) -> FluidFrame {
    let b = ti[FLUID_BODY + e];
    let rot = w4(xquat_adr(b));
    return FluidFrame(w3(XPOS + 3u * b) + qrot(rot, f3(FLUID_POS, e)), qmul(rot, f4(FLUID_QUAT, e)), b);
}
// A spatial motion vector about the reference point of the tree, at the element and in its axes.
fn fluid_local(frame: FluidFrame, v: Spatial) -> Spatial {
    let inverse = qconj(frame.rot);
    let lin = v.lin + cross(v.ang, offset_from_reference(frame.body, frame.pos));
    return Spatial(qrot(inverse, v.ang), qrot(inverse, lin));
}
// Velocity relative to the fluid.
fn fluid_velocity(frame: FluidFrame) -> Spatial {
    let v = fluid_local(frame, body_velocity(frame.body));
    return Spatial(v.ang, v.lin - qrot(qconj(frame.rot), vec3r(f(WIND), f(WIND + 1u), f(WIND + 2u))));
}

fn fluid_forces() {
    for (var e = lane; e < NFLUID; e += LANES) {
        let frame = fluid_frame(e);
        let v = fluid_velocity(frame);
        var local: Spatial;
        if is_ellipsoid(e) { local = ellipsoid_force(e, v); } else { local = box_force(e, v); }
        let force = qrot(frame.rot, local.lin);
        let torque = qrot(frame.rot, local.ang) + cross(offset_from_reference(frame.body, frame.pos), force);
        put_spatial(FLUID_WRENCH + 6u * e, Spatial(torque, force));
    }
    sync();
    for (var i = lane; i < NV; i += LANES) {
        var sum = real(0.0);
        for (var e = 0u; e < NFLUID; e++) {
            if dof_moves_body(ti[FLUID_BODY + e], i) { sum += spatial_dot(spatial(cdof_adr(i)), spatial(FLUID_WRENCH + 6u * e)); }
        }
        w[QFRC_SMOOTH + i] += sum;
    }
    sync();
}

fn box_force(e: u32, v: Spatial) -> Spatial {
    let viscous = fluid_coef(e, 0u);
    return Spatial(-(viscous.y + fluid_coef(e, 1u).xyz * abs(v.ang)) * v.ang, -(viscous.z + fluid_coef(e, 2u).xyz * abs(v.lin)) * v.lin);
}

// Projected area of an ellipsoid: sum of w² v², sum of w v², area.
fn projected_area(weights: vec3r, v: vec3r) -> vec3r {
    let denominator = dot(weights * weights, v * v);
    let numerator = dot(weights, v * v);
    return vec3r(denominator, numerator, PI * sqrt(denominator / max(numerator, MINVAL)));
}
fn norm(v: vec3r) -> real { return sqrt(dot(v, v)); }

fn ellipsoid_force(e: u32, v: Spatial) -> Spatial {
    let viscous = fluid_coef(e, 0u);
    let moment = fluid_coef(e, 1u);
    let weights = fluid_coef(e, 2u);
    let mass = fluid_coef(e, 3u);
    let inertia = fluid_coef(e, 4u);
    let projected = projected_area(weights.xyz, v.lin);
    let speed = norm(v.lin);
    let linear_momentum = mass.xyz * v.lin;
    var torque = cross(linear_momentum, v.lin) + cross(inertia.xyz * v.ang, v.ang);
    var force = cross(linear_momentum, v.ang) + fluid_coef(e, 5u).x * cross(v.ang, v.lin);
    // Kutta-Joukowski lift.
    let cosine = projected.y / max(speed * projected.x, MINVAL);
    force += inertia.w * cosine * projected.z * cross(cross(weights.xyz * v.lin, v.lin), v.lin);
    let drag_area = projected.z * weights.w + mass.w * (moment.w - projected.z);
    torque -= (viscous.y + norm(v.ang * moment.xyz)) * v.ang;
    force -= (viscous.z + speed * drag_area) * v.lin;
    return Spatial(viscous.x * torque, viscous.x * force);
}
