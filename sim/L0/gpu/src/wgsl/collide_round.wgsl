// Balls, capsules and cylinders in closed form.

fn balls(hits: ptr<function, Touches>, c1: vec3r, r1: real, s1: Shape, c2: vec3r, r2: real, s2: Shape, margin: real) {
    let away = c2 - c1;
    let d2 = dot(away, away);
    let reach = margin + r1 + r2;
    if d2 > reach * reach { return; }
    let d = sqrt(d2);
    var normal: vec3r;
    if d < MINVAL { normal = unit(cross(z_axis(s1), z_axis(s2))); } else { normal = away / d; }
    let dist = d - r1 - r2;
    add_touch(hits, dist, c1 + normal * (r1 + 0.5 * dist), normal, vec3r(0.0));
}

fn clip1(x: real) -> real { return clamp(x, real(-1.0), real(1.0)); }
// spheres are capsules of no length, and come first
fn round_round(hits: ptr<function, Touches>, a: Shape, b: Shape, margin: real) {
    let p = z_axis(a) * a.size.y;
    let q = z_axis(b) * b.size.y;
    let away = a.pos - b.pos;
    let aa = dot(p, p);
    let ab = -dot(p, q);
    let bb = dot(q, q);
    let u = -dot(p, away);
    let v = dot(q, away);
    let det = aa * bb - ab * ab;
    let skew = abs(det) >= PARALLEL;
    var x = (bb * u - ab * v) / det;
    var y = (aa * v - ab * u) / det;
    if x > 1.0 { x = 1.0; y = (v - ab) / bb; } else if x < -1.0 { x = -1.0; y = (v + ab) / bb; }
    if y > 1.0 { y = 1.0; x = clip1((u - ab) / aa); } else if y < -1.0 { y = -1.0; x = clip1((u + ab) / aa); }
    // parallel: the ends of the first, then those of the second, until two are found
    let tries = select(1u, 4u, !skew && aa > 0.0);
    for (var k = 0u; k < tries && touches < 2u; k++) {
        let side = select(real(1.0), real(-1.0), (k & 1u) == 1u);
        if !skew && k < 2u { x = side; y = clip1((v - side * ab) / max(bb, MINVAL)); }
        if !skew && k >= 2u { y = side; x = clip1((u - side * ab) / aa); }
        balls(hits, a.pos + p * x, a.size.x, a, b.pos + q * y, b.size.x, b, margin);
    }
}
fn sphere_cylinder(hits: ptr<function, Touches>, a: Shape, b: Shape, margin: real) {
    let axis = z_axis(b);
    let away = a.pos - b.pos;
    let along = dot(axis, away);
    let outward = away - axis * along;
    let o2 = dot(outward, outward);
    var side = abs(along) < b.size.y;
    var cap = o2 < b.size.x * b.size.x;
    if side && cap {
        side = b.size.y - abs(along) >= b.size.x - sqrt(o2);
        cap = !side;
    }
    if side {
        balls(hits, a.pos, a.size.x, a, b.pos + axis * along, b.size.x, b, margin);
    } else if cap {
        let s = select(real(-1.0), real(1.0), along > 0.0);
        let normal = axis * s;
        let dist = dot(a.pos - b.pos, normal) - b.size.y - a.size.x;
        if dist <= margin { add_touch(hits, dist, a.pos - normal * (0.5 * dist + a.size.x), -normal, vec3r(0.0)); }
    } else {
        var rim = vec3r(0.0);
        if o2 > 0.0 { rim = outward * (b.size.x / sqrt(o2)); }
        rim += axis * select(-b.size.y, b.size.y, along > 0.0);
        balls(hits, a.pos, a.size.x, a, b.pos + rim, real(0.0), b, margin);
    }
}
