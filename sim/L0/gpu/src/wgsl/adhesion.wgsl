// Body transmissions (adhesion): the force acts along the normals of the body's contacts, those inside the gap included.
// The moment is minus their mean; contacts are known only after the other actuator forces.

fn adhesion_forces() {
    for (var k = 0u; k < NADHESION; k++) {
        let body = ti[ADHESION_BODY + k];
        var count = 0u;
        for (var c = 0u; c < ncon; c++) { count += u32(body1(con_pair(c)) == body || body2(con_pair(c)) == body); }
        let force = -w[ADHESION_FORCE + k] / real(max(count, 1u));
        for (var i = lane; count > 0u && i < NV; i += LANES) { w[QFRC_SMOOTH + i] += force * adhesion_normal_sum(body, i); }
    }
    sync();
}

// Sum of the normal velocities of the body's contacts for unit velocity of dof `i`.
fn adhesion_normal_sum(body: u32, i: u32) -> real {
    var sum = real(0.0);
    for (var c = 0u; c < ncon; c++) {
        let p = con_pair(c);
        if body1(p) != body && body2(p) != body { continue; }
        let at = CONTACT + 10u * c;
        let pos = w3(at + 1u);
        sum += dot(w3(at + 4u), jac_difference(i, body1(p), pos, body2(p), pos).lin);
    }
    return sum;
}
