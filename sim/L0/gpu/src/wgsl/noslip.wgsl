// mj_solNoSlip: projected Gauss–Seidel over the friction forces without regularisation, after the main solver. Normal
// forces are fixed.
//
// With M = L Lᵀ, J M⁻¹ Jᵀ = B Bᵀ for B = J L⁻ᵀ. Sweeps maintain y = L⁻¹ qfrc_smooth + Bᵀ f, so that the residual of a
// row is (B y - aref), and qacc = L⁻ᵀ y. All lanes execute a sweep with the same values and share the updates of y.

fn noslip_row(r: u32) -> u32 { return NOSLIP_B + r * NV; }
fn noslip_product(a: u32, b: u32) -> real {
    var sum = real(0.0);
    for (var i = 0u; i < NV; i++) { sum += w[a + i] * w[b + i]; }
    return sum;
}
fn noslip_residual(r: u32) -> real { return noslip_product(noslip_row(r), NOSLIP_Y) - w[NOSLIP_AREF + r]; }

// Adds a change of the force of row `r` to y. Reads and writes of other lanes are separated by the caller's barriers.
fn noslip_add_force(r: u32, delta: real) {
    if delta == 0.0 { return; }
    for (var i = lane; i < NV; i += LANES) { w[NOSLIP_Y + i] += delta * w[noslip_row(r) + i]; }
    if lane == 0u { w[EFC_FORCE + r] += delta; }
}

// Cholesky factorization of the inertia matrix.
fn noslip_factor() {
    for (var i = lane; i < NV; i += LANES) { for (var j = 0u; j <= i; j++) { w[NOSLIP_L + i * NV + j] = M(i, j); } }
    for (var k = 0u; k < NV; k++) {
        sync();
        let pivot = sqrt(max(w[NOSLIP_L + k * NV + k], MINVAL));
        sync();
        if lane == 0u { w[NOSLIP_L + k * NV + k] = pivot; }
        for (var i = k + 1u + lane; i < NV; i += LANES) { w[NOSLIP_L + i * NV + k] /= pivot; }
        sync();
        for (var i = k + 1u + lane; i < NV; i += LANES) {
            let l = w[NOSLIP_L + i * NV + k];
            if l == 0.0 { continue; }
            for (var j = k + 1u; j <= i; j++) { w[NOSLIP_L + i * NV + j] -= l * w[NOSLIP_L + j * NV + k]; }
        }
    }
    sync();
}

// B, aref and y. The right-hand side after the last row is qfrc_smooth.
fn noslip_init() {
    broadcast_dofs(QACC);
    for (var r = lane; r < nefc; r += LANES) { w[NOSLIP_AREF + r] = J_dot(r) - w[EFC_JAR + r]; }
    noslip_factor();
    for (var r = lane; r <= nefc; r += LANES) {
        let at = select(noslip_row(r), NOSLIP_Y, r == nefc);
        for (var i = 0u; i < NV; i++) {
            var sum = real(0.0);
            if r == nefc { sum = w[QFRC_SMOOTH + i]; } else if row_affects_dof(r, i) { sum = J(r, i); }
            for (var j = 0u; j < i; j++) { sum -= w[NOSLIP_L + i * NV + j] * w[at + j]; }
            w[at + i] = sum / w[NOSLIP_L + i * NV + i];
        }
    }
    sync();
    for (var i = lane; i < NV; i += LANES) {
        for (var r = 0u; r < nefc; r++) { w[NOSLIP_Y + i] += w[EFC_FORCE + r] * w[noslip_row(r) + i]; }
    }
    sync();
}

// Minimises over the force of a row of friction loss. Returns the decrease of the cost.
fn noslip_friction(r: u32) -> real {
    let residual = noslip_residual(r);
    let a = max(noslip_product(noslip_row(r), noslip_row(r)), MINVAL);
    let bound = w[EFC_FRICTIONLOSS + r - NE];
    let delta = clamp(w[EFC_FORCE + r] - residual / a, -bound, bound) - w[EFC_FORCE + r];
    sync();
    noslip_add_force(r, delta);
    sync();
    return -(0.5 * delta * delta * a + delta * residual);
}

// Friction forces of a contact, or two opposite pyramid edges, with the matrix, residuals and constant terms of the
// block.
struct NoslipBlock { a: array<real, 25>, residual: array<real, 5>, bc: array<real, 5>, old: array<real, 5>, n: u32 }

fn noslip_block(r: u32, n: u32) -> NoslipBlock {
    var block: NoslipBlock;
    block.n = n;
    for (var j = 0u; j < n; j++) {
        block.old[j] = w[EFC_FORCE + r + j];
        block.residual[j] = noslip_residual(r + j);
        for (var k = 0u; k <= j; k++) {
            let value = noslip_product(noslip_row(r + j), noslip_row(r + k));
            block.a[5u * j + k] = value;
            block.a[5u * k + j] = value;
        }
        block.a[6u * j] = max(block.a[6u * j], real(1e-10));
    }
    for (var j = 0u; j < n; j++) {
        block.bc[j] = block.residual[j];
        for (var k = 0u; k < n; k++) { block.bc[j] -= block.a[5u * j + k] * block.old[k]; }
    }
    return block;
}

// Applies the new forces of a block unless they increase the cost. Returns the decrease of the cost.
fn noslip_apply(r: u32, block: ptr<function, NoslipBlock>, force: ptr<function, array<real, 5>>) -> real {
    var change = real(0.0);
    for (var j = 0u; j < (*block).n; j++) {
        let delta = (*force)[j] - (*block).old[j];
        for (var k = 0u; k < (*block).n; k++) { change += 0.5 * delta * (*block).a[5u * j + k] * ((*force)[k] - (*block).old[k]); }
        change += delta * (*block).residual[j];
    }
    let revert = change > 1e-10;
    sync();
    for (var j = 0u; j < (*block).n; j++) { if !revert { noslip_add_force(r + j, (*force)[j] - (*block).old[j]); } }
    sync();
    return select(-change, real(0.0), revert);
}

// Minimises over two opposite pyramid edges with fixed sum.
fn noslip_edges(r: u32) -> real {
    var block = noslip_block(r, 2u);
    let mid = 0.5 * (block.old[0] + block.old[1]);
    let k1 = block.a[0] + block.a[6] - block.a[1] - block.a[5];
    let k0 = mid * (block.a[0] - block.a[6]) + block.bc[0] - block.bc[1];
    var y = real(0.0);
    if k1 >= MINVAL { y = clamp(-k0 / k1, -mid, mid); }
    var force = array<real, 5>(mid + y, mid - y, 0.0, 0.0, 0.0);
    if y == -mid { force[0] = 0.0; force[1] = 2.0 * mid; }
    if y == mid { force[0] = 2.0 * mid; force[1] = 0.0; }
    return noslip_apply(r, &block, &force);
}

// Minimises over the friction forces of an elliptic contact: mju_QCQP, by Newton's method for the multiplier of the
// cone, then scaling to its boundary.
fn noslip_cone(r: u32, p: u32, n: u32) -> real {
    var block = noslip_block(r + 1u, n);
    var force = array<real, 5>();
    let normal = w[EFC_FORCE + r];
    if normal >= MINVAL {
        var multiplier = real(0.0);
        for (var iteration = 0u; iteration < 20u; iteration++) {
            let curvature = qcqp_solve(&block, p, multiplier, &force);
            if !(curvature >= 0.0) { multiplier = 0.0; force = array<real, 5>(); break; }
            var violation = -normal * normal;
            for (var j = 0u; j < n; j++) { violation += force[j] * force[j]; }
            if violation < 1e-10 { break; }
            let step = violation / (2.0 * curvature);
            if !(step >= 1e-10) { break; }
            multiplier += step;
        }
        var square = real(0.0);
        for (var j = 0u; j < n; j++) { square += force[j] * force[j]; }
        let scale = select(real(1.0), sqrt(normal * normal / max(square, MINVAL)), multiplier != 0.0);
        for (var j = 0u; j < n; j++) { force[j] *= scale * f(PAIR_FRICTION + 5u * p + j); }
    }
    return noslip_apply(r + 1u, &block, &force);
}

// x = -(A + λ I)⁻¹ b in coordinates scaled by the friction coefficients, by a Cholesky factorization. Returns
// xᵀ (A + λ I)⁻¹ x; -1 if the matrix is singular.
fn qcqp_solve(block: ptr<function, NoslipBlock>, p: u32, multiplier: real, x: ptr<function, array<real, 5>>) -> real {
    let n = (*block).n;
    var l: array<real, 25>;
    for (var j = 0u; j < n; j++) {
        let dj = f(PAIR_FRICTION + 5u * p + j);
        for (var i = j; i < n; i++) {
            var value = (*block).a[5u * i + j] * dj * f(PAIR_FRICTION + 5u * p + i);
            if i == j { value += multiplier; }
            for (var k = 0u; k < j; k++) { value -= l[5u * i + k] * l[5u * j + k]; }
            if i == j {
                if !(value >= 1e-10) { return real(-1.0); }
                l[6u * j] = sqrt(value);
            } else { l[5u * i + j] = value / l[6u * j]; }
        }
        (*x)[j] = -(*block).bc[j] * dj;
    }
    for (var i = 0u; i < n; i++) {
        for (var k = 0u; k < i; k++) { (*x)[i] -= l[5u * i + k] * (*x)[k]; }
        (*x)[i] /= l[6u * i];
    }
    for (var i = n; i > 0u; ) {
        i--;
        for (var k = i + 1u; k < n; k++) { (*x)[i] -= l[5u * k + i] * (*x)[k]; }
        (*x)[i] /= l[6u * i];
    }
    var half: array<real, 5>;
    var square = real(0.0);
    for (var i = 0u; i < n; i++) {
        half[i] = (*x)[i];
        for (var k = 0u; k < i; k++) { half[i] -= l[5u * i + k] * half[k]; }
        half[i] /= l[6u * i];
        square += half[i] * half[i];
    }
    return square;
}

// One sweep over all friction forces, contacts in the order of the CPU engine. Returns the decrease of the cost.
fn noslip_sweep() -> real {
    var improvement = real(0.0);
    for (var k = 0u; k < NF; k++) { improvement += noslip_friction(NE + k); }
    for (var k = 0u; k < ncon; k++) {
        let c = wu[CONTACT_ORDER + k];
        let r = con_row(c);
        let p = con_pair(c);
        let dim = ti[PAIR_DIM + p];
        if r == NONE || dim == 1u { continue; }
        if ELLIPTIC { improvement += noslip_cone(r, p, dim - 1u); continue; }
        for (var edge = r; edge < r + 2u * (dim - 1u); edge += 2u) { improvement += noslip_edges(edge); }
    }
    return improvement;
}

fn noslip() {
    if nefc == 0u { return; }
    sync();
    order_contacts();
    noslip_init();
    for (var k = 0u; k < NOSLIP_ITERATIONS; k++) {
        var improvement = real(0.0);
        if k == 0u {
            // Removing the regularisation decreases the cost by ½ fᵀ R f.
            for (var r = 0u; r < nefc; r++) { if w[EFC_D + r] > 0.0 { improvement += 0.5 * w[EFC_FORCE + r] * w[EFC_FORCE + r] / w[EFC_D + r]; } }
        }
        improvement += noslip_sweep();
        iterations++;
        if !(improvement * f(SOLVER_SCALE) >= NOSLIP_TOLERANCE) { break; }
    }
    noslip_finish();
}

// Forces and accelerations that follow from the row forces.
fn noslip_finish() {
    for (var i = lane; i < NV; i += LANES) {
        var sum = w[QFRC_SMOOTH + i];
        for (var r = 0u; r < nefc; r++) { if row_affects_dof(r, i) { sum += J(r, i) * w[EFC_FORCE + r]; } }
        w[MA + i] = sum;
    }
    for (var i = NV; i > 0u; ) {
        i--;
        sync();
        let x = w[NOSLIP_Y + i] / w[NOSLIP_L + i * NV + i];
        if lane == 0u { w[QACC + i] = x; }
        for (var j = lane; j < i; j += LANES) { w[NOSLIP_Y + j] -= w[NOSLIP_L + i * NV + j] * x; }
    }
    sync();
}
