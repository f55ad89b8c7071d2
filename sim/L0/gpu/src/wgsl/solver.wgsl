// mj_solNewton and mj_solCG on the primal problem over qacc. The loop over iterations is in `mj_step`
// (forward.wgsl): `solver_gradient`, then the linear solve for the direction (`solve_hessian` in
// linear_solve.wgsl), then `solver_line_step` with the line search of linesearch.wgsl. GRAD holds the
// negative gradient.

// Rows of elliptic cones are handled per contact.
fn is_cone_row(r: u32) -> bool { return ELLIPTIC && wu[ROW_CONE_STATE + r] != 0u; }
// Whether a row contributes D to the diagonal of the Hessian; rows of a cone do if the contact is in its bottom
// (sticking) zone.
fn is_quadratic(r: u32) -> bool {
    if is_cone_row(r) { return wu[ROW_CONE_STATE + r] == 1u + QUADRATIC; }
    return row_state(r) == QUADRATIC;
}

// State of a row that does not belong to an elliptic cone, derived from its force.
fn row_state(r: u32) -> u32 {
    if r < NE { return QUADRATIC; }
    let force = w[EFC_FORCE + r];
    if r >= NE + NF { return select(SATISFIED, QUADRATIC, force != 0.0); }
    let loss = w[EFC_FRICTIONLOSS + r - NE];
    if force >= loss { return LINEAR_NEG; }
    return select(QUADRATIC, LINEAR_POS, force <= -loss);
}

// Step length of the last line search, zero in the first constraint update.
var<private> step_length: real;

#ifdef INCREMENTAL_GRADIENT
// Rows that changed their state in the last constraint update, except friction loss of dofs, and whether the Hessian
// before it is in the scratch buffer. The gradient changes by these rows only, and so does the Hessian
// (mj_HessianIncremental).
var<private> changed_rows: u32;
var<private> hessian_stored: bool;
// The friction loss of a tendon may change between its two linear states, which leaves the Hessian as it is; the list
// does not tell that from a row that ceased to be quadratic.
fn hessian_updates() -> bool { return NF == NF_DOF && hessian_stored && changed_rows <= MAX_CHANGED_ROWS; }
fn changed_row(k: u32) -> u32 { return u32(w[CHANGED_ROWS + k]); }
// Lists the rows of all lanes; bit k stands for the k-th row of the lane. With more than 32 rows per lane all rows count
// as changed.
fn list_changed_rows(bits: u32) {
    if MAXEFC > 32u * LANES { changed_rows = MAX_CHANGED_ROWS + 1u; return; }
    let slots = workgroup_scan(countOneBits(bits));
    changed_rows = slots.y;
    var rest = bits;
    for (var slot = slots.x; rest != 0u && slot < MAX_CHANGED_ROWS; slot++) {
        w[CHANGED_ROWS + slot] = real(lane + LANES * firstTrailingBit(rest));
        rest &= rest - 1u;
    }
}
#endif

// mj_constraintUpdate after a step of `step_length` along the search direction: residuals and forces of all rows.
// Returns whether the state of any row changed. With INCREMENTAL_GRADIENT, EFC_JV holds afterwards by how much each
// force exceeds the one that the quadratic model of the last iteration predicts.
fn update_constraint() -> bool {
    var changed = false;
    var changed_bits = 0u;
    for (var k = active_rows_begin() + active_lane(); k < active_rows_end(); k += active_size()) {
        let r = active_row(k);
        let motion = step_length * w[EFC_JV + r];
        let x = w[EFC_JAR + r] + motion;
        w[EFC_JAR + r] = x;
        if is_cone_row(r) { continue; }
        var force = -w[EFC_D + r] * x;
        if r >= NE + NF {
            force = max(force, real(0.0));
        } else if r >= NE {
            let loss = w[EFC_FRICTIONLOSS + r - NE];
            force = clamp(force, -loss, loss);
        }
        let prev_state = row_state(r);
        let prev_force = w[EFC_FORCE + r];
        w[EFC_FORCE + r] = force;
        let differs = row_state(r) != prev_state;
        changed = changed || differs;
#ifdef INCREMENTAL_GRADIENT
        let predicted = prev_force - select(real(0.0), w[EFC_D + r] * motion, prev_state == QUADRATIC);
        w[EFC_JV + r] = force - predicted;
        if differs && !is_dof_friction(r) { changed_bits |= 1u << (k / LANES); }
#endif
    }
#ifdef INCREMENTAL_GRADIENT
    list_changed_rows(changed_bits);
#endif
    if ELLIPTIC {
        sync();
        for (var c = active_lane(); c < ncon; c += active_size()) {
            let r = con_row(c);
            if r != NONE && in_active_group(c) && is_cone_row(r) && update_cone(c, r) { changed = true; }
        }
    }
    return active_any(changed);
}

fn cone_mu(p: u32) -> real { return f(PAIR_FRICTION + 5u * p) / sqrt(f(IMPRATIO)); }
fn cone_scale(p: u32, k: u32, mu: real) -> real {
    if k == 0u { return mu; }
    return f(PAIR_FRICTION + 5u * p + k - 1u);
}

fn update_cone(c: u32, r: u32) -> bool {
    let p = con_pair(c);
    let dim = ti[PAIR_DIM + p];
    let mu = cone_mu(p);
    let n = w[EFC_JAR + r] * mu;
    var t2 = real(0.0);
    for (var k = 1u; k < dim; k++) {
        let u = w[EFC_JAR + r + k] * cone_scale(p, k, mu);
        t2 += u * u;
    }
    let t = sqrt(t2);
    var state = CONE;
    if n >= mu * t || (t <= 0.0 && n >= 0.0) { state = SATISFIED; }
    else if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) { state = QUADRATIC; }
    let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
    let normal_force = -dm * (n - mu * t) * mu;
    for (var k = 0u; k < dim; k++) {
        var force = real(0.0);
        if state == QUADRATIC { force = -w[EFC_D + r + k] * w[EFC_JAR + r + k]; }
        if state == CONE {
            let s = cone_scale(p, k, mu);
            if k == 0u { force = normal_force; } else { force = -normal_force / t * w[EFC_JAR + r + k] * s * s; }
        }
        w[EFC_FORCE + r + k] = force;
        wu[ROW_CONE_STATE + r + k] = 1u + state;
    }
    // In the middle zone the Hessian of a cone changes with every step.
    let same = wu[CONE_STATE + c] == state && state != CONE;
    wu[CONE_STATE + c] = state;
    return !same;
}

// Polak–Ribière conjugate direction. On entry SEARCH holds the preconditioned negative gradient:
// with CG, `solve_hessian` solves with the inertia matrix alone.
fn cg_direction(first: bool) {
    var sums = vec2<real>(0.0);
    var descent = vec2<real>(0.0);
    for (var i = lane_dof(); !first && i < NV; i += LANES) {
        let change = w[SEARCH + i] - w[PREV_MGRAD + i];
        sums += vec2<real>(w[GRAD + i] * change, w[PREV_GRAD + i] * w[PREV_MGRAD + i]);
        descent += w[GRAD + i] * vec2<real>(w[SEARCH + i], w[PREV_SEARCH + i]);
    }
    sums = active_sum2(sums);
    descent = active_sum2(descent);
    var beta = max(sums.x / max(sums.y, MINVAL), real(0.0));
    // Fall back to steepest descent if the direction is not a descent direction.
    if !(descent.x + beta * descent.y > 0.0) { beta = 0.0; }
    for (var i = lane_dof(); i < NV; i += LANES) {
        let step = w[SEARCH + i];
        w[PREV_GRAD + i] = w[GRAD + i];
        w[PREV_MGRAD + i] = step;
        // The previous direction is undefined in the first iteration.
        if !first { w[SEARCH + i] = step + beta * w[PREV_SEARCH + i]; }
        w[PREV_SEARCH + i] = w[SEARCH + i];
    }
    sync();
}

// Each active group solves its own problem. All groups iterate together because of the barriers, and converged ones
// idle. The linear system is solved by `mj_step`, which also needs the solver for implicit damping.
var<private> converged: bool;
// Scale of gradient and improvement (1 / (meaninertia * nv)), which makes the tolerance independent of the size of
// the model.
var<private> solver_scale: real;

fn solver_init() {
    for (var i = lane; i < NV; i += LANES) { w[QACC + i] = states[warmstart_adr(i)]; }
    if ELLIPTIC { for (var c = lane; c < ncon; c += LANES) { wu[CONE_STATE + c] = NONE; } }
    partition_rows();
    broadcast_dofs(QACC);
#ifndef INCREMENTAL_GRADIENT
    for (var i = lane; i < NV; i += LANES) { w[MA + i] = M_dot(i); }
#endif
    for (var r = lane; r < nefc; r += LANES) {
        w[EFC_JAR + r] = J_dot(r) - w[EFC_AREF + r];
        w[EFC_JV + r] = 0.0;
    }
    sync();
    step_length = 0.0;
    update_constraint();
    solver_scale = f(SOLVER_SCALE);
    if groups_independent() { solver_scale *= real(NV) / real(ti[GROUP_NV + group_index()]); }
    iterations = 0u;
    converged = false;
}

#ifdef INCREMENTAL_GRADIENT
// The first two gradients are those of all forces: the first step is the longest, and the second gradient removes the
// error of its linear solve. The others are updated.
fn gradient_updates() -> bool { return iterations > 1u; }
// Force of a row, or its change relative to the quadratic model of the last iteration.
fn gradient_force(r: u32) -> real { return w[select(EFC_FORCE, EFC_JV, gradient_updates()) + r]; }
// Sums over all rows, or those whose state has changed, for dof `i` and, with PAIRED_DOFS, for dof `i + LANES`; the
// friction loss of dofs is not included.
fn constraint_forces(i: u32) -> vec2<real> {
    let second = min(i + LANES, NV - 1u);
    let listed = gradient_updates() && changed_rows <= MAX_CHANGED_ROWS;
    let end = select(nefc, changed_rows, listed);
    var sum = vec2<real>(0.0);
    for (var k = select(skip_dof_friction(0u), 0u, listed); k < end; k = select(skip_dof_friction(k + 1u), k + 1u, listed)) {
        var r = k;
        if listed { r = changed_row(k); }
        let force = gradient_force(r);
        sum.x += J(r, i) * force;
        if PAIRED_DOFS { sum.y += J(r, second) * force; }
    }
    return sum;
}
// The other forces of dof `i` and, with PAIRED_DOFS, of dof `i + LANES`. With the exact solution of H s = -gradient, a
// step of length a scales the gradient by 1 - a, as long as no row changes its state.
fn other_forces(i: u32) -> vec2<real> {
    let second = min(i + LANES, NV - 1u);
    if gradient_updates() { return (1.0 - step_length) * vec2<real>(w[GRAD + i], w[GRAD + second]); }
    return vec2<real>(w[QFRC_SMOOTH + i], w[QFRC_SMOOTH + second]) - M_dot_pair(i);
}
#else
fn gradient_force(r: u32) -> real { return w[EFC_FORCE + r]; }
fn other_forces(i: u32) -> vec2<real> {
    let second = min(i + LANES, NV - 1u);
    return vec2<real>(w[QFRC_SMOOTH + i] - w[MA + i], w[QFRC_SMOOTH + second] - w[MA + second]);
}
// Constraint forces Jᵀ f of dof `i` and, with PAIRED_DOFS, of dof `i + LANES`; those of the friction loss of dofs are
// not included.
fn constraint_forces(i: u32) -> vec2<real> {
    let second = min(i + LANES, NV - 1u);
    var sum = vec2<real>(0.0);
    for (var k = skip_dof_friction(group_rows.x); k < group_rows.y; k = skip_dof_friction(k + 1u)) {
        let r = listed_row(k);
        if NGROUP > 1u && is_dof_friction(r) { continue; }
        let force = gradient_force(r);
        sum.x += J(r, i) * force;
        if PAIRED_DOFS { sum.y += J(r, second) * force; }
    }
    for (var k = coupling_rows.x; k < coupling_rows.y; k++) { let r = listed_row(k); sum.x += J(r, i) * gradient_force(r); }
    return sum;
}
#endif
// Stores the negative gradient of a dof, and returns its square.
fn store_gradient(i: u32, force: real) -> real {
    var g = force;
    if NF_DOF > 0u {
        let r = ti[DOF_FRICTION_ROW + i];
        if r != NONE { g += gradient_force(r); }
    }
    w[GRAD + i] = g;
    return g * g;
}

// Negative gradient (GRAD) and convergence test. Returns whether another iteration is needed.
fn solver_gradient() -> bool {
    sync();
#ifdef INCREMENTAL_GRADIENT
    if iterations == 1u { broadcast_dofs(QACC); }
#endif
    var norm2 = real(0.0);
    for (var i = lane_dof(); i < NV; i += DOF_STRIDE) {
        let g = other_forces(i) + constraint_forces(i);
        norm2 += store_gradient(i, g.x);
        if PAIRED_DOFS && i + LANES < NV { norm2 += store_gradient(i + LANES, g.y); }
    }
    norm2 = active_sum(norm2);
    converged = converged || solver_scale * sqrt(norm2) < TOLERANCE || iterations >= ITERATIONS;
    let iterate = any_active_group(!converged);
    iterations += u32(iterate);
    sync();
    return iterate;
}

#ifdef INCREMENTAL_GRADIENT
// Second derivative of the cost along the search direction, and the product of the gradient with it. H s = -gradient
// makes them equal except for the sign.
fn search_products() -> vec2<real> {
    var sum = real(0.0);
    for (var i = lane; i < NV; i += LANES) { sum += w[GRAD + i] * w[SEARCH + i]; }
    sum = active_sum(sum);
    return vec2<real>(sum, -sum);
}
fn advance_acceleration() {
    for (var i = lane; i < NV; i += LANES) { w[QACC + i] += step_length * w[SEARCH + i]; }
}
#else
// Stores M * SEARCH of a dof, and returns its products with SEARCH and of the gradient with SEARCH.
fn store_MV(i: u32, ms: real) -> vec2<real> {
    let s = w[SEARCH + i];
    w[MV + i] = ms;
    return s * vec2<real>(ms, -w[GRAD + i]);
}
// M * SEARCH, its product with SEARCH, and the product of the gradient with SEARCH.
fn search_products() -> vec2<real> {
    var sums = vec2<real>(0.0);
    for (var i = lane_dof(); i < NV; i += DOF_STRIDE) {
        let ms = M_dot_pair(i);
        sums += store_MV(i, ms.x);
        if PAIRED_DOFS && i + LANES < NV { sums += store_MV(i + LANES, ms.y); }
    }
    return active_sum2(sums);
}
fn advance_acceleration() {
    for (var i = lane_dof(); i < NV; i += LANES) {
        w[QACC + i] += step_length * w[SEARCH + i];
        w[MA + i] += step_length * w[MV + i];
    }
}
#endif

// Line search along the direction and constraint update. Returns whether another iteration is needed.
fn solver_line_step() -> bool {
    if SOLVER_CG { cg_direction(iterations == 1u); }
    broadcast_dofs(SEARCH);
    for (var k = active_rows_begin() + active_lane(); k < active_rows_end(); k += active_size()) {
        let r = active_row(k);
        w[EFC_JV + r] = J_dot(r);
    }
    let products = search_products();
    sync();
    let slope = products.y;
    // Predicted improvement of a full step; below the tolerance this is the last iteration.
    var final_iteration = 0.5 * abs(slope) * solver_scale < TOLERANCE;
    let searches = !converged && (SOLVER_CG || !final_iteration) && active_rows_end() > active_rows_begin();
    let alpha = line_search(products.x, slope, searches);
    if SOLVER_CG { final_iteration = 0.5 * alpha * abs(slope) * solver_scale < TOLERANCE; }
    step_length = select(alpha, real(0.0), converged);
    advance_acceleration();
    let changed = update_constraint();
    // A full Newton step was exact if no row changed its state.
    converged = converged || final_iteration || !searches || !SOLVER_CG && !changed && alpha == 1.0;
    return any_active_group(!converged);
}

// Stores the warm start. Returns whether all accelerations are finite.
fn solver_finish() -> bool {
    sync();
#ifdef INCREMENTAL_GRADIENT
    hessian_stored = false;
    if NEEDS_TOTAL_FORCE {
        broadcast_dofs(QACC);
        for (var i = lane; i < NV; i += LANES) { w[MA + i] = M_dot(i); }
    }
#endif
    var diverged = false;
    for (var i = lane; i < NV; i += LANES) {
        states[warmstart_adr(i)] = w[QACC + i];
        diverged = diverged || !(abs(w[QACC + i]) < 1e10);
    }
    return !workgroup_any(diverged);
}
