// Line search of the primal solvers (mj_solPrimal): exact minimisation along the search direction.

// Derivatives of the constraint cost along the search direction: the first derivative relative to alpha = 0, and the
// second. Differences of totals would lose precision. With INCREMENTAL_GRADIENT, `line_search` adds those of the
// quadratic model of the total cost instead of those of the inertial term alone.
fn line_derivatives(alpha: real) -> vec2<real> {
    var sum = vec2<real>(0.0);
    for (var k = active_rows_begin() + active_lane(); k < active_rows_end(); k += active_size()) {
        let r = active_row(k);
        if is_cone_row(r) { continue; }
        let v = w[EFC_JV + r];
        let d = w[EFC_D + r];
        let x = w[EFC_JAR + r] + alpha * v;
        var state = QUADRATIC;
        if r < NE + NF {
            if r >= NE && abs(d * x) >= w[EFC_FRICTIONLOSS + r - NE] { state = select(LINEAR_NEG, LINEAR_POS, x > 0.0); }
        } else if x >= 0.0 { state = SATISFIED; }
        let prev_state = row_state(r);
#ifdef INCREMENTAL_GRADIENT
        // Relative to the quadratic model, which the row follows until it changes its state.
        if state == prev_state { continue; }
        sum.x += (row_gradient(r, state, d, x) + w[EFC_FORCE + r]) * v;
        if prev_state == QUADRATIC { sum -= d * v * v * vec2<real>(alpha, 1.0); }
        if state == QUADRATIC { sum.y += d * v * v; }
#else
        if state == QUADRATIC { sum.y += d * v * v; }
        if state == prev_state {
            if state == QUADRATIC { sum.x += alpha * d * v * v; }
        } else {
            sum.x += (row_gradient(r, state, d, x) + w[EFC_FORCE + r]) * v;
        }
#endif
    }
    if ELLIPTIC {
        for (var c = active_lane(); c < ncon; c += active_size()) {
            let r = con_row(c);
            if r != NONE && in_active_group(c) && is_cone_row(r) {
                sum += cone_line_derivatives(c, r, alpha);
            }
        }
    }
    return active_sum2(sum);
}
// Derivative of a row's cost with respect to its residual.
fn row_gradient(r: u32, state: u32, d: real, x: real) -> real {
    if state == QUADRATIC { return d * x; }
    if state == SATISFIED { return real(0.0); }
    let loss = w[EFC_FRICTIONLOSS + r - NE];
    return select(-loss, loss, state == LINEAR_POS);
}
// Derivatives of a cone's cost, the first one relative to alpha = 0.
fn cone_line_derivatives(c: u32, r: u32, alpha: real) -> vec2<real> {
    let p = con_pair(c);
    let dim = ti[PAIR_DIM + p];
    let mu = cone_mu(p);
    let n = (w[EFC_JAR + r] + alpha * w[EFC_JV + r]) * mu;
    let nv = w[EFC_JV + r] * mu;
    var uu = real(0.0);
    var uv = real(0.0);
    var vv = real(0.0);
    var quad = vec2<real>(0.0);
    // The forces are those at alpha = 0.
    var start = vec2<real>(0.0);
    for (var k = 0u; k < dim; k++) {
        let v = w[EFC_JV + r + k];
        start.x += w[EFC_FORCE + r + k] * v;
        let x = w[EFC_JAR + r + k] + alpha * v;
        quad += vec2<real>(w[EFC_D + r + k] * x * v, w[EFC_D + r + k] * v * v);
        if k > 0u {
            let s = cone_scale(p, k, mu);
            uu += s * s * x * x;
            uv += s * s * x * v;
            vv += s * s * v * v;
        }
    }
    let t = sqrt(uu);
    if n >= mu * t || (t <= 0.0 && n >= 0.0) { return start; }
    if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) { return start + quad; }
    let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
    let t1 = uv / t;
    let t2 = (vv - t1 * t1) / t;
    let out = n - mu * t;
    let rate = nv - mu * t1;
    return start + vec2<real>(dm * out * rate, dm * (rate * rate - out * mu * t2));
}
// mj_solPrimal's exact line search: root of the derivative by safeguarded Newton iterations, slope0 < 0. Groups with
// `searches` false only take part in the barriers.
fn line_search(quad: real, slope0: real, searches: bool) -> real {
    var alpha = real(1.0);
    var low = real(0.0);
    var high = real(-1.0);
    var running = searches;
    for (var k = 0u; k < LS_ITERATIONS && any_continues(running); k++) {
        let s = line_derivatives(alpha) + vec2<real>(slope0 + alpha * quad, quad);
        running = running && abs(s.x) > LS_TOLERANCE * abs(slope0);
        if running {
            if s.x < 0.0 { low = alpha; } else { high = alpha; }
            var next = alpha - s.x / max(s.y, MINVAL);
            // Keep the iterate inside the bracket.
            if high < 0.0 {
                next = clamp(next, low, 10.0 * alpha + 1.0);
            } else if next <= low || next >= high {
                next = 0.5 * (low + high);
            }
            running = next != alpha;
            alpha = next;
        }
    }
    return alpha;
}
