// Newton's method on the convex problem of all constraints, and the line search it needs.


// products with a vector of dofs that has been spread before
fn spread(vec: u32) {
    sync();
    for (var i = lane; i < NV; i += 32u) { x4[i >> 2u][i & 3u] = w[vec + i]; }
    sync();
}
fn row_dot(r: u32) -> real {
    var sum = real(0.0);
    for (var g = 0u; g < NV4; g++) { sum += dot(Jq(r, g), x4[g]); }
    return sum;
}
fn mass_mul(i: u32) -> real {
    var sum = real(0.0);
    for (var g = 0u; g < NV4; g++) { sum += dot(Mq(i, g), x4[g]); }
    return sum;
}

// first row of inequalities that are not elliptic cones is NE + NF; cones are handled by contact
fn is_cone(r: u32) -> bool { return ELLIPTIC && wu[ROW_CONE + r] == 1u; }

// forces and states of all rows; whether any state is another than before
fn update() -> bool {
    var changed = 0u;
    for (var r = lane; r < nefc; r += 32u) {
        let x = w[EFC_JAR + r];
        let d = w[EFC_D + r];
        var force = -d * x;
        var state = QUADRATIC;
        if r >= NE + NF {
            if is_cone(r) { continue; }
            if x >= 0.0 { force = 0.0; state = SATISFIED; }
        } else if r >= NE {
            let loss = w[EFC_LOSS + r - NE];
            if abs(force) >= loss { force = select(loss, -loss, x > 0.0); state = select(LINEAR_NEG, LINEAR_POS, x > 0.0); }
        }
        w[EFC_FORCE + r] = force;
        if wu[EFC_STATE + r] != state { changed = 1u; wu[EFC_STATE + r] = state; }
    }
    if ELLIPTIC {
        for (var c = lane; c < ncon; c += 32u) {
            let r = wu[CON_ROW + c];
            if r != NONE && is_cone(r) && update_cone(c, r) { changed = 1u; }
        }
    }
    return lane_scan(changed).y != 0u;
}

fn cone_mu(p: u32) -> real { return f(PAIR_FRICTION + 5u * p) / sqrt(f(IMPRATIO)); }
fn cone_scale(p: u32, k: u32, mu: real) -> real {
    if k == 0u { return mu; }
    return f(PAIR_FRICTION + 5u * p + k - 1u);
}

fn update_cone(c: u32, r: u32) -> bool {
    let p = wu[CON_PAIR + c];
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
    let push = -dm * (n - mu * t) * mu;
    for (var k = 0u; k < dim; k++) {
        var force = real(0.0);
        if state == QUADRATIC { force = -w[EFC_D + r + k] * w[EFC_JAR + r + k]; }
        if state == CONE {
            let s = cone_scale(p, k, mu);
            if k == 0u { force = push; } else { force = -push / t * w[EFC_JAR + r + k] * s * s; }
        }
        w[EFC_FORCE + r + k] = force;
        wu[EFC_STATE + r + k] = state;
    }
    // a cone's curvature changes wherever it is in its middle zone
    let same = wu[CON_STATE + c] == state && state != CONE;
    wu[CON_STATE + c] = state;
    return !same;
}

// one entry of the Hessian of a contact in its middle zone, by the rows' residuals
fn cone_entry(p: u32, r: u32, k: u32, l: u32, mu: real, n: real, t: real, dm: real) -> real {
    let sk = cone_scale(p, k, mu);
    let sl = cone_scale(p, l, mu);
    var value: real;
    if k == 0u && l == 0u { value = 1.0; }
    else if k == 0u || l == 0u {
        let m = max(k, l);
        value = -mu / t * w[EFC_JAR + r + m] * cone_scale(p, m, mu);
    } else {
        value = mu * n / (t * t * t) * w[EFC_JAR + r + k] * sk * w[EFC_JAR + r + l] * sl;
        if k == l { value += mu * mu - mu * n / t; }
    }
    return value * dm * sk * sl;
}

// slope and curvature of the rows' cost at alpha
fn slope_at(alpha: real) -> vec2<real> {
    var sum = vec2<real>(0.0);
    for (var r = lane; r < nefc; r += 32u) {
        if is_cone(r) { continue; }
        let v = w[EFC_JV + r];
        let x = w[EFC_JAR + r] + alpha * v;
        let d = w[EFC_D + r];
        if r < NE + NF {
            if r >= NE {
                let loss = w[EFC_LOSS + r - NE];
                if abs(d * x) >= loss { sum.x += select(-loss, loss, x > 0.0) * v; continue; }
            }
        } else if x >= 0.0 { continue; }
        sum += vec2<real>(d * x * v, d * v * v);
    }
    if ELLIPTIC {
        for (var c = lane; c < ncon; c += 32u) {
            let r = wu[CON_ROW + c];
            if r != NONE && is_cone(r) { sum += cone_slope(c, r, alpha); }
        }
    }
    return lane_sum2(sum);
}

fn cone_slope(c: u32, r: u32, alpha: real) -> vec2<real> {
    let p = wu[CON_PAIR + c];
    let dim = ti[PAIR_DIM + p];
    let mu = cone_mu(p);
    let n = (w[EFC_JAR + r] + alpha * w[EFC_JV + r]) * mu;
    let nv = w[EFC_JV + r] * mu;
    var uu = real(0.0);
    var uv = real(0.0);
    var vv = real(0.0);
    var quad = vec2<real>(0.0);
    for (var k = 0u; k < dim; k++) {
        let v = w[EFC_JV + r + k];
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
    if n >= mu * t || (t <= 0.0 && n >= 0.0) { return vec2<real>(0.0); }
    if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) { return quad; }
    let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
    let t1 = uv / t;
    let t2 = (vv - t1 * t1) / t;
    let out = n - mu * t;
    let rate = nv - mu * t1;
    return vec2<real>(dm * out * rate, dm * (rate * rate - out * mu * t2));
}

// the step along the search at which the cost is least; slope0 < 0
fn line_search(linear: real, square: real, slope0: real) -> real {
    var alpha = real(1.0);
    var low = real(0.0);
    var high = real(-1.0);
    for (var k = 0u; k < LS_ITERATIONS; k++) {
        let s = slope_at(alpha) + vec2<real>(linear + alpha * square, square);
        if abs(s.x) <= LS_TOLERANCE * abs(slope0) { break; }
        if s.x < 0.0 { low = alpha; } else { high = alpha; }
        var next = alpha - s.x / max(s.y, MINVAL);
        // back into the bracket if it left
        if high < 0.0 {
            next = clamp(next, low, 10.0 * alpha + 1.0);
        } else if next <= low || next >= high {
            next = 0.5 * (low + high);
        }
        if next == alpha { break; }
        alpha = next;
    }
    return alpha;
}

fn solve() {
    for (var i = lane; i < NV; i += 32u) { w[QACC + i] = w[WARM + i]; }
    for (var r = lane; r < nefc; r += 32u) { wu[EFC_STATE + r] = NONE; }
    if ELLIPTIC { for (var c = lane; c < ncon; c += 32u) { wu[CON_STATE + c] = NONE; } }
    spread(QACC);
    for (var i = lane; i < NV; i += 32u) { w[MA + i] = mass_mul(i); }
    for (var r = lane; r < nefc; r += 32u) { w[EFC_JAR + r] = row_dot(r) - w[EFC_AREF + r]; }
    sync();
    update();
    let scale = f(SOLVER_SCALE);
    iterations = 0u;
    for (var iter = 0u; iter < ITERATIONS; iter++) {
        sync();
        var norm2 = real(0.0);
        for (var i = lane; i < NV; i += 32u) {
            var g = w[MA + i] - w[SMOOTH + i];
            for (var r = 0u; r < nefc; r++) { g -= J(r, i) * w[EFC_FORCE + r]; }
            w[GRAD + i] = -g;
            norm2 += g * g;
        }
        norm2 = lane_sum(norm2);
        if scale * sqrt(norm2) < TOLERANCE { break; }
        iterations++;
        sync();
        solve_rows();
        spread(SEARCH);
        var linear = real(0.0);
        var square = real(0.0);
        var slope = real(0.0);
        for (var i = lane; i < NV; i += 32u) {
            let s = w[SEARCH + i];
            let ms = mass_mul(i);
            w[MV + i] = ms;
            linear += s * (w[MA + i] - w[SMOOTH + i]);
            square += s * ms;
            slope -= s * w[GRAD + i];
        }
        for (var r = lane; r < nefc; r += 32u) { w[EFC_JV + r] = row_dot(r); }
        sync();
        var alpha = real(1.0);
        let sums = lane_sum2(vec2<real>(linear, square));
        slope = lane_sum(slope);
        // what a whole step would gain; if that is nothing, it is the last
        let last = 0.5 * abs(slope) * scale < TOLERANCE;
        if nefc > 0u && !last { alpha = line_search(sums.x, sums.y, slope); }
        for (var i = lane; i < NV; i += 32u) {
            w[QACC + i] += alpha * w[SEARCH + i];
            w[MA + i] += alpha * w[MV + i];
        }
        for (var r = lane; r < nefc; r += 32u) { w[EFC_JAR + r] += alpha * w[EFC_JV + r]; }
        sync();
        let changed = update();
        // the step was exact if it was a whole one and no row changed
        if last || !changed && alpha == 1.0 { break; }
    }
    sync();
    for (var i = lane; i < NV; i += 32u) { w[WARM + i] = w[QACC + i]; }
}
