// Vectors, quaternions and spatial vectors.

struct Pose { pos: vec3r, rot: vec4r }
// rotation first, then translation
struct Six { a: vec3r, l: vec3r }

fn w3(at: u32) -> vec3r { return vec3r(w[at], w[at + 1u], w[at + 2u]); }
fn w4(at: u32) -> vec4r { return vec4r(w[at], w[at + 1u], w[at + 2u], w[at + 3u]); }
fn put3(at: u32, v: vec3r) { w[at] = v.x; w[at + 1u] = v.y; w[at + 2u] = v.z; }
fn put4(at: u32, v: vec4r) { put3(at, v.xyz); w[at + 3u] = v.w; }
fn six(at: u32) -> Six { return Six(w3(at), w3(at + 3u)); }
fn put6(at: u32, v: Six) { put3(at, v.a); put3(at + 3u, v.l); }

// numbers of the model that are read whole
fn f4(field: u32, i: u32) -> vec4r { return tf4[(own >> 2u) + field + i]; }
fn f3(field: u32, i: u32) -> vec3r { return f4(field, i).xyz; }

// quaternions are (w, x, y, z)
fn qmul(a: vec4r, b: vec4r) -> vec4r {
    return vec4r(
        a.x * b.x - a.y * b.y - a.z * b.z - a.w * b.w,
        a.x * b.y + a.y * b.x + a.z * b.w - a.w * b.z,
        a.x * b.z - a.y * b.w + a.z * b.x + a.w * b.y,
        a.x * b.w + a.y * b.z - a.z * b.y + a.w * b.x,
    );
}
fn qrot(q: vec4r, v: vec3r) -> vec3r {
    let u = q.yzw;
    let t = 2.0 * cross(u, v);
    return v + q.x * t + cross(u, t);
}
fn qconj(q: vec4r) -> vec4r { return vec4r(q.x, -q.y, -q.z, -q.w); }
fn qunit(q: vec4r) -> vec4r {
    let n = sqrt(dot(q, q));
    if n < MINVAL { return vec4r(1.0, 0.0, 0.0, 0.0); }
    return q / n;
}
// the turn of a unit quaternion as a vector: axis times angle
fn qvec(q: vec4r) -> vec3r {
    let s = sqrt(dot(q.yzw, q.yzw));
    if s < MINVAL { return 2.0 * q.yzw; }
    var angle = 2.0 * atan2_(s, q.x);
    if angle > PI { angle -= 2.0 * PI; }
    return q.yzw * (angle / s);
}
fn qexp(v: vec3r) -> vec4r {
    let angle = sqrt(dot(v, v));
    if angle < MINVAL { return vec4r(1.0, 0.0, 0.0, 0.0); }
    let sc = sincos(0.5 * angle);
    return vec4r(sc.y, v * (sc.x / angle));
}
// columns of the rotation matrix
fn qx(q: vec4r) -> vec3r {
    return vec3r(q.x * q.x + q.y * q.y - q.z * q.z - q.w * q.w,
        2.0 * (q.y * q.z + q.x * q.w), 2.0 * (q.y * q.w - q.x * q.z));
}
fn qy(q: vec4r) -> vec3r {
    return vec3r(2.0 * (q.y * q.z - q.x * q.w),
        q.x * q.x - q.y * q.y + q.z * q.z - q.w * q.w, 2.0 * (q.z * q.w + q.x * q.y));
}
fn qz(q: vec4r) -> vec3r {
    return vec3r(2.0 * (q.y * q.w + q.x * q.z), 2.0 * (q.z * q.w - q.x * q.y),
        q.x * q.x - q.y * q.y - q.z * q.z + q.w * q.w);
}

fn unit(v: vec3r) -> vec3r {
    let n = sqrt(dot(v, v));
    if n < MINVAL { return vec3r(1.0, 0.0, 0.0); }
    return v / n;
}

fn six_add(x: Six, y: Six) -> Six { return Six(x.a + y.a, x.l + y.l); }
fn six_scale(x: Six, s: real) -> Six { return Six(x.a * s, x.l * s); }
fn six_dot(x: Six, y: Six) -> real { return dot(x.a, y.a) + dot(x.l, y.l); }
fn cross_motion(v: Six, m: Six) -> Six { return Six(cross(v.a, m.a), cross(v.a, m.l) + cross(v.l, m.a)); }
fn cross_force(v: Six, f: Six) -> Six { return Six(cross(v.a, f.a) + cross(v.l, f.l), cross(v.a, f.l)); }

// an inertia of ten numbers (xx yy zz xy xz yz, mass times centre, mass) times a motion
fn inertia_mul(at: u32, v: Six) -> Six {
    let d = w3(at);
    let o = w3(at + 3u);
    let h = w3(at + 6u);
    let m = w[at + 9u];
    let turned = vec3r(
        d.x * v.a.x + o.x * v.a.y + o.y * v.a.z,
        o.x * v.a.x + d.y * v.a.y + o.z * v.a.z,
        o.y * v.a.x + o.z * v.a.y + d.z * v.a.z,
    );
    return Six(turned + cross(h, v.l), m * v.l - cross(h, v.a));
}
