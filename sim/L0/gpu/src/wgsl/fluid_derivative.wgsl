// Velocity derivatives of the fluid forces (mjd_inertiaBoxFluid, mjd_ellipsoidFluid): products B x and Bᵀ x of the
// derivative of an element's wrench with respect to its velocity.

// Adds h Sᵢᵀ B Sⱼ to the entries of a dof and its ancestors.
fn add_fluid_derivatives(h: real) {
    for (var i = lane; i < NV; i += LANES) {
        for (var e = 0u; e < NFLUID; e++) {
            if !dof_moves_body(ti[FLUID_BODY + e], i) { continue; }
            let frame = fluid_frame(e);
            let v = fluid_velocity(frame);
            let own = fluid_local(frame, spatial(cdof_adr(i)));
            var right = fluid_derivative(e, v, own, false);
            var left = fluid_derivative(e, v, own, true);
#ifndef IMPLICIT_FULL
            // implicitfast uses the symmetric part.
            right = Spatial(0.5 * (right.ang + left.ang), 0.5 * (right.lin + left.lin));
            left = right;
#endif
            w[DAMPING_DIAG + i] -= h * spatial_dot(own, right);
            if ti[DOF_DERIV_DIAGONAL + i] == 1u { continue; }
            for (var j = dof_parentid(i); j < NV; j = dof_parentid(j)) {
                let other = fluid_local(frame, spatial(cdof_adr(j)));
                set_M(i, j, M(i, j) - h * spatial_dot(left, other));
                set_M(j, i, M(j, i) - h * spatial_dot(right, other));
            }
        }
    }
    sync_matrices();
}

fn fluid_derivative(e: u32, v: Spatial, x: Spatial, transposed: bool) -> Spatial {
    if is_ellipsoid(e) { return ellipsoid_derivative(e, v, x, transposed); }
    let viscous = fluid_coef(e, 0u);
    return Spatial(-(viscous.y + 2.0 * fluid_coef(e, 1u).xyz * abs(v.ang)) * x.ang, -(viscous.z + 2.0 * fluid_coef(e, 2u).xyz * abs(v.lin)) * x.lin);
}

// a bᵀ x, or b aᵀ x.
fn outer(a: vec3r, b: vec3r, x: vec3r, transposed: bool) -> vec3r { if transposed { return b * dot(a, x); } return a * dot(b, x); }
// Derivative of (s ∘ a) × b with respect to a, and of a × b with respect to b.
fn cross_first(b: vec3r, s: vec3r, x: vec3r, transposed: bool) -> vec3r { if transposed { return s * cross(b, x); } return cross(s * x, b); }
fn cross_second(a: vec3r, x: vec3r, transposed: bool) -> vec3r { return select(cross(a, x), cross(x, a), transposed); }

// As in MuJoCo, the interaction coefficient scales the force but not its derivative.
fn ellipsoid_derivative(e: u32, v: Spatial, x: Spatial, transposed: bool) -> Spatial {
    let mass = fluid_coef(e, 3u).xyz;
    let inertia = fluid_coef(e, 4u).xyz;
    let magnus = fluid_coef(e, 5u).x;
    let momentum = mass * v.lin;
    // Blocks of the rows of torque and force; the transpose exchanges the two off-diagonal blocks.
    var ang = rotational_drag_derivative(e, v.ang, x.ang, transposed)
        + cross_first(v.ang, inertia, x.ang, transposed) + cross_second(inertia * v.ang, x.ang, transposed);
    var lin = drag_derivative(e, v.lin, x.lin, transposed) + kutta_derivative(e, v.lin, x.lin, transposed)
        + cross_second(magnus * v.ang, x.lin, transposed) + cross_first(v.ang, mass, x.lin, transposed);
    if transposed {
        ang += cross_first(magnus * v.lin, vec3r(1.0), x.lin, true) + cross_second(momentum, x.lin, true);
        lin += cross_first(v.lin, mass, x.ang, true) + cross_second(momentum, x.ang, true);
    } else {
        ang += cross_first(v.lin, mass, x.lin, false) + cross_second(momentum, x.lin, false);
        lin += cross_first(magnus * v.lin, vec3r(1.0), x.ang, false) + cross_second(momentum, x.ang, false);
    }
    return Spatial(ang, lin);
}

fn rotational_drag_derivative(e: u32, v: vec3r, x: vec3r, transposed: bool) -> vec3r {
    let moment = fluid_coef(e, 1u).xyz;
    let gradient = v * moment * moment * (-1.0 / max(norm(v * moment), MINVAL));
    return outer(v, gradient, x, transposed) + (dot(v, gradient) - fluid_coef(e, 0u).y) * x;
}

// The drag area is a function of the direction of the velocity.
fn drag_derivative(e: u32, v: vec3r, x: vec3r, transposed: bool) -> vec3r {
    let weights = fluid_coef(e, 2u);
    let a = weights.xyz;
    let slender = fluid_coef(e, 3u).w;
    let projected = projected_area(a, v);
    let speed = norm(v);
    let pressure = (projected.z * weights.w + slender * (fluid_coef(e, 1u).w - projected.z)) / max(speed, MINVAL);
    let root = max(sqrt(projected.y * projected.y * projected.y * projected.x), MINVAL);
    let change = speed * (weights.w - slender) * PI / root;
    let weighted = a * v * v;
    let others = weighted.yzx * (a - a.yzx) + weighted.zxy * (a - a.zxy);
    let gradient = change * a * v * others;
    return -pressure * v * dot(v, x) - outer(v, gradient, x, transposed) - (pressure * dot(v, v) + fluid_coef(e, 0u).z) * x;
}

fn kutta_derivative(e: u32, v: vec3r, x: vec3r, transposed: bool) -> vec3r {
    let a = fluid_coef(e, 2u).xyz;
    let projected = projected_area(a, v);
    let speed2 = dot(v, v);
    let factor = PI * fluid_coef(e, 4u).w / max(sqrt(projected.x * projected.y * speed2), MINVAL);
    let lift = a * speed2 - dot(vec3r(1.0), v * v * a);
    let change = a * a * (projected.y / max(projected.x, MINVAL)) - a + projected.y / max(speed2, MINVAL);
    let weighted = 2.0 * projected.y * a * v;
    return factor * (outer(v, weighted, x, transposed) - outer(weighted, v, x, transposed)
        + outer(lift * v, change * v, x, transposed) - lift * projected.y * x);
}
