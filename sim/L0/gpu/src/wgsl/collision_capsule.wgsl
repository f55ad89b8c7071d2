// Sphere, capsule and cylinder contacts in closed form.

fn sphere_sphere(contacts: ptr<function, ContactPoints>, c1: vec3r, r1: real, s1: GeomPose, c2: vec3r, r2: real, s2: GeomPose, margin: real) {
    let delta = c2 - c1;
    let d2 = dot(delta, delta);
    let max_dist = margin + r1 + r2;
    if d2 > max_dist * max_dist { return; }
    let d = sqrt(d2);
    var normal: vec3r;
    if d < MINVAL { normal = unit(cross(z_axis(s1), z_axis(s2))); } else { normal = delta / d; }
    let dist = d - r1 - r2;
    add_contact(contacts, dist, c1 + normal * (r1 + 0.5 * dist), normal, vec3r(0.0));
}

fn clamp_unit(x: real) -> real { return clamp(x, real(-1.0), real(1.0)); }
// Spheres are capsules of length zero and come first in a pair.
fn capsule_capsule(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let p = z_axis(a) * a.size.y;
    let q = z_axis(b) * b.size.y;
    let delta = a.pos - b.pos;
    let aa = dot(p, p);
    let ab = -dot(p, q);
    let bb = dot(q, q);
    let u = -dot(p, delta);
    let v = dot(q, delta);
    let det = aa * bb - ab * ab;
    let skew = abs(det) >= PARALLEL_EPS;
    var x = (bb * u - ab * v) / det;
    var y = (aa * v - ab * u) / det;
    if x > 1.0 { x = 1.0; y = (v - ab) / bb; } else if x < -1.0 { x = -1.0; y = (v + ab) / bb; }
    if y > 1.0 { y = 1.0; x = clamp_unit((u - ab) / aa); } else if y < -1.0 { y = -1.0; x = clamp_unit((u + ab) / aa); }
    // Parallel segments: test the ends of the first, then those of the second, until two contacts are found.
    let tries = select(1u, 4u, !skew && aa > 0.0);
    for (var k = 0u; k < tries && pair_ncon < 2u; k++) {
        let side = select(real(1.0), real(-1.0), (k & 1u) == 1u);
        if !skew && k < 2u { x = side; y = clamp_unit((v - side * ab) / max(bb, MINVAL)); }
        if !skew && k >= 2u { y = side; x = clamp_unit((u - side * ab) / aa); }
        sphere_sphere(contacts, a.pos + p * x, a.size.x, a, b.pos + q * y, b.size.x, b, margin);
    }
}
fn sphere_cylinder(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let axis = z_axis(b);
    let delta = a.pos - b.pos;
    let along = dot(axis, delta);
    let outward = delta - axis * along;
    let o2 = dot(outward, outward);
    var side = abs(along) < b.size.y;
    var cap = o2 < b.size.x * b.size.x;
    if side && cap {
        side = b.size.y - abs(along) >= b.size.x - sqrt(o2);
        cap = !side;
    }
    if side {
        sphere_sphere(contacts, a.pos, a.size.x, a, b.pos + axis * along, b.size.x, b, margin);
    } else if cap {
        let s = select(real(-1.0), real(1.0), along > 0.0);
        let normal = axis * s;
        let dist = dot(a.pos - b.pos, normal) - b.size.y - a.size.x;
        if dist <= margin { add_contact(contacts, dist, a.pos - normal * (0.5 * dist + a.size.x), -normal, vec3r(0.0)); }
    } else {
        var rim = vec3r(0.0);
        if o2 > 0.0 { rim = outward * (b.size.x / sqrt(o2)); }
        rim += axis * select(-b.size.y, b.size.y, along > 0.0);
        sphere_sphere(contacts, a.pos, a.size.x, a, b.pos + rim, real(0.0), b, margin);
    }
}
