// Contacts: pairs of geoms grouped by kind, a lane for each pair, survivors kept in the order of the pairs.

struct Touch { dist: real, pos: vec3r, normal: vec3r, tangent: vec3r }
struct Shape { pos: vec3r, size: vec3r, at: u32 }

var<private> touch: array<Touch, MAX_TOUCH>;
var<private> touches: u32;

fn place_geoms() {
    for (var g = lane; g < NGEOM; g += 32u) {
        let b = ti[GEOM_BODY + g];
        let rot = w4(XQUAT + 4u * b);
        put3(GEOM + 12u * g, w3(XPOS + 3u * b) + qrot(rot, f3(GEOM_POS, NGEOM, g)));
        let own = qmul(rot, f4(GEOM_QUAT, NGEOM, g));
        put3(GEOM + 12u * g + 3u, qx(own));
        put3(GEOM + 12u * g + 6u, qy(own));
        put3(GEOM + 12u * g + 9u, qz(own));
    }
    sync();
}

fn shape(g: u32) -> Shape { return Shape(w3(GEOM + 12u * g), f3(GEOM_SIZE, NGEOM, g), GEOM + 12u * g); }
fn x_axis(s: Shape) -> vec3r { return w3(s.at + 3u); }
fn y_axis(s: Shape) -> vec3r { return w3(s.at + 6u); }
fn z_axis(s: Shape) -> vec3r { return w3(s.at + 9u); }
fn to_world(s: Shape, v: vec3r) -> vec3r { return v.x * x_axis(s) + v.y * y_axis(s) + v.z * z_axis(s); }
fn to_local(s: Shape, v: vec3r) -> vec3r { return vec3r(dot(x_axis(s), v), dot(y_axis(s), v), dot(z_axis(s), v)); }

fn add_touch(dist: real, pos: vec3r, normal: vec3r, tangent: vec3r) {
    if touches < MAX_TOUCH {
        touch[touches] = Touch(dist, pos, normal, tangent);
        touches++;
    }
}

// whether bounding spheres, or a sphere and a plane, are near enough
fn near_spheres(a: Shape, b: Shape, p: u32) -> bool {
    let away = a.pos - b.pos;
    let reach = f(PAIR_REACH + p);
    return dot(away, away) <= reach * reach;
}
fn near_plane(a: Shape, b: Shape, p: u32) -> bool {
    return dot(b.pos - a.pos, z_axis(a)) <= f(PAIR_REACH + p);
}

// keeps what the lanes have found for their pairs
fn keep(p: u32) {
    let place = lane_scan(touches);
    if place.y == 0u { return; }
    for (var k = 0u; k < touches; k++) {
        let c = ncon + place.x + k;
        if c < MAXCON {
            let at = CON + 10u * c;
            w[at] = touch[k].dist;
            put3(at + 1u, touch[k].pos);
            put3(at + 4u, touch[k].normal);
            put3(at + 7u, touch[k].tangent);
            wu[CON_PAIR + c] = p;
        }
    }
    ncon += place.y;
    if ncon > MAXCON {
        ncon = MAXCON;
        flags |= OVERFLOW_CONTACTS;
    }
    sync();
}

fn half_space_ball(origin: vec3r, normal: vec3r, centre: vec3r, radius: real, tangent: vec3r, margin: real) {
    let dist = dot(centre - origin, normal) - radius;
    if dist <= margin { add_touch(dist, centre - normal * (0.5 * dist + radius), normal, tangent); }
}

fn balls(c1: vec3r, r1: real, s1: Shape, c2: vec3r, r2: real, s2: Shape, margin: real) {
    let away = c2 - c1;
    let d2 = dot(away, away);
    let reach = margin + r1 + r2;
    if d2 > reach * reach { return; }
    let d = sqrt(d2);
    var normal: vec3r;
    if d < MINVAL { normal = unit(cross(z_axis(s1), z_axis(s2))); } else { normal = away / d; }
    let dist = d - r1 - r2;
    add_touch(dist, c1 + normal * (r1 + 0.5 * dist), normal, vec3r(0.0));
}

fn plane_sphere(a: Shape, b: Shape, margin: real) {
    half_space_ball(a.pos, z_axis(a), b.pos, b.size.x, vec3r(0.0), margin);
}
fn plane_capsule(a: Shape, b: Shape, margin: real) {
    let axis = z_axis(b);
    half_space_ball(a.pos, z_axis(a), b.pos + axis * b.size.y, b.size.x, axis, margin);
    half_space_ball(a.pos, z_axis(a), b.pos - axis * b.size.y, b.size.x, axis, margin);
}
fn plane_box(a: Shape, b: Shape, margin: real) {
    let normal = z_axis(a);
    let height = dot(b.pos - a.pos, normal);
    for (var i = 0u; i < 8u; i++) {
        if touches == 4u { break; }
        let sign = vec3r(select(real(-1.0), real(1.0), (i & 1u) != 0u), select(real(-1.0), real(1.0), (i & 2u) != 0u),
            select(real(-1.0), real(1.0), (i & 4u) != 0u));
        let corner = to_world(b, sign * b.size);
        let below = dot(normal, corner);
        let dist = height + below;
        if dist > margin || below > 0.0 { continue; }
        add_touch(dist, corner + b.pos - normal * (0.5 * dist), normal, vec3r(0.0));
    }
}
fn plane_cylinder(a: Shape, b: Shape, margin: real) {
    let normal = z_axis(a);
    var axis = z_axis(b);
    var along = dot(normal, axis);
    if along > 0.0 { axis = -axis; along = -along; }
    let height = dot(b.pos - a.pos, normal);
    let down = axis * along - normal;
    let length2 = dot(down, down);
    var rim: vec3r;
    if length2 >= MINVAL * MINVAL { rim = down * (b.size.x / sqrt(length2)); } else { rim = x_axis(b) * b.size.x; }
    let sink = dot(rim, normal);
    axis *= b.size.y;
    along *= b.size.y;
    let near = height + along + sink;
    if near > margin { return; }
    add_touch(near, b.pos + rim + axis - normal * (0.5 * near), normal, vec3r(0.0));
    let far = height - along + sink;
    if far <= margin { add_touch(far, b.pos + rim - axis - normal * (0.5 * far), normal, vec3r(0.0)); }
    let side = height + along - 0.5 * sink;
    if side <= margin {
        let across = unit(cross(rim, axis)) * (b.size.x * 0.86602540378443865);
        let inner = b.pos + axis - 0.5 * rim - normal * (0.5 * side);
        add_touch(side, inner + across, normal, vec3r(0.0));
        add_touch(side, inner - across, normal, vec3r(0.0));
    }
}
fn plane_ellipsoid(a: Shape, b: Shape, margin: real) {
    let normal = z_axis(a);
    let n = to_local(b, -normal) * b.size;
    let lowest = to_world(b, b.size * n / sqrt(dot(n, n))) + b.pos;
    let dist = dot(lowest - a.pos, normal);
    if dist <= margin { add_touch(dist, lowest - normal * (0.5 * dist), normal, vec3r(0.0)); }
}
fn sphere_sphere(a: Shape, b: Shape, margin: real) {
    balls(a.pos, a.size.x, a, b.pos, b.size.x, b, margin);
}
fn sphere_capsule(a: Shape, b: Shape, margin: real) {
    let axis = z_axis(b);
    let along = clamp(dot(axis, a.pos - b.pos), -b.size.y, b.size.y);
    balls(a.pos, a.size.x, a, b.pos + axis * along, b.size.x, b, margin);
}
fn clip1(x: real) -> real { return clamp(x, real(-1.0), real(1.0)); }
fn capsule_capsule(a: Shape, b: Shape, margin: real) {
    let p = z_axis(a) * a.size.y;
    let q = z_axis(b) * b.size.y;
    let away = a.pos - b.pos;
    let aa = dot(p, p);
    let ab = -dot(p, q);
    let bb = dot(q, q);
    let u = -dot(p, away);
    let v = dot(q, away);
    let det = aa * bb - ab * ab;
    if abs(det) >= PARALLEL {
        var x = (bb * u - ab * v) / det;
        var y = (aa * v - ab * u) / det;
        if x > 1.0 { x = 1.0; y = (v - ab) / bb; } else if x < -1.0 { x = -1.0; y = (v + ab) / bb; }
        if y > 1.0 { y = 1.0; x = clip1((u - ab) / aa); } else if y < -1.0 { y = -1.0; x = clip1((u + ab) / aa); }
        balls(a.pos + p * x, a.size.x, a, b.pos + q * y, b.size.x, b, margin);
        return;
    }
    // parallel: the ends of the first, then those of the second, until two are found
    balls(a.pos + p, a.size.x, a, b.pos + q * clip1((v - ab) / bb), b.size.x, b, margin);
    balls(a.pos - p, a.size.x, a, b.pos + q * clip1((v + ab) / bb), b.size.x, b, margin);
    if touches < 2u { balls(a.pos + p * clip1((u - ab) / aa), a.size.x, a, b.pos + q, b.size.x, b, margin); }
    if touches < 2u { balls(a.pos + p * clip1((u + ab) / aa), a.size.x, a, b.pos - q, b.size.x, b, margin); }
}
fn sphere_cylinder(a: Shape, b: Shape, margin: real) {
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
        balls(a.pos, a.size.x, a, b.pos + axis * along, b.size.x, b, margin);
    } else if cap {
        let s = select(real(-1.0), real(1.0), along > 0.0);
        let normal = axis * s;
        let dist = dot(a.pos - b.pos, normal) - b.size.y - a.size.x;
        if dist <= margin { add_touch(dist, a.pos - normal * (0.5 * dist + a.size.x), -normal, vec3r(0.0)); }
    } else {
        var rim = vec3r(0.0);
        if o2 > 0.0 { rim = outward * (b.size.x / sqrt(o2)); }
        rim += axis * select(-b.size.y, b.size.y, along > 0.0);
        balls(a.pos, a.size.x, a, b.pos + rim, real(0.0), b, margin);
    }
}
fn ball_box(centre: vec3r, radius: real, b: Shape, margin: real) {
    let local = to_local(b, centre - b.pos);
    let nearest = clamp(local, -b.size, b.size);
    let inward = nearest - local;
    let d = sqrt(dot(inward, inward));
    if d - radius > margin { return; }
    if d > MINVAL {
        let n = inward / d;
        let pos = 0.5 * (nearest + local + n * radius);
        add_touch(d - radius, b.pos + to_world(b, pos), to_world(b, n), vec3r(0.0));
        return;
    }
    // the centre is within: leave through the nearest face
    var n = vec3r(0.0);
    var closest = 2.0 * (b.size.x + b.size.y + b.size.z);
    for (var k = 0u; k < 3u; k++) {
        let low = abs(-b.size[k] - local[k]);
        let high = abs(b.size[k] - local[k]);
        if low < closest { closest = low; n = vec3r(0.0); n[k] = 1.0; }
        if high < closest { closest = high; n = vec3r(0.0); n[k] = -1.0; }
    }
    let pos = local + n * (0.5 * (radius - closest));
    add_touch(-closest - radius, b.pos + to_world(b, pos), to_world(b, n), vec3r(0.0));
}
fn sphere_box(a: Shape, b: Shape, margin: real) { ball_box(a.pos, a.size.x, b, margin); }
