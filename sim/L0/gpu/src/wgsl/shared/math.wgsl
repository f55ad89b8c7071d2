// Vectors, quaternions, spatial vectors, and access to model tables.

struct Pose { pos: vec3r, rot: vec4r }
// Spatial vector: angular part first, then linear.
struct Spatial { ang: vec3r, lin: vec3r }

// Entries of the real table that are read as vec4 or vec3.
fn f4(field: u32, i: u32) -> vec4r { return tf4[(model_offset >> 2u) + field + i]; }
fn f3(field: u32, i: u32) -> vec3r { return f4(field, i).xyz; }

// Quaternions are (w, x, y, z).
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
// Rotation vector (axis times angle) of a unit quaternion.
fn quat_to_rotvec(q: vec4r) -> vec3r {
    let s = sqrt(dot(q.yzw, q.yzw));
    if s < MINVAL { return 2.0 * q.yzw; }
    var angle = 2.0 * atan2_(s, q.x);
    if angle > PI { angle -= 2.0 * PI; }
    return q.yzw * (angle / s);
}
fn rotvec_to_quat(v: vec3r) -> vec4r {
    let angle = sqrt(dot(v, v));
    if angle < MINVAL { return vec4r(1.0, 0.0, 0.0, 0.0); }
    let sc = sincos(0.5 * angle);
    return vec4r(sc.y, v * (sc.x / angle));
}
// Columns of the rotation matrix.
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

fn length3(v: vec3r) -> real { return sqrt(dot(v, v)); }
fn unit(v: vec3r) -> vec3r {
    let n = sqrt(dot(v, v));
    if n < MINVAL { return vec3r(1.0, 0.0, 0.0); }
    return v / n;
}

fn spatial_add(x: Spatial, y: Spatial) -> Spatial { return Spatial(x.ang + y.ang, x.lin + y.lin); }
fn spatial_scale(x: Spatial, s: real) -> Spatial { return Spatial(x.ang * s, x.lin * s); }
fn spatial_dot(x: Spatial, y: Spatial) -> real { return dot(x.ang, y.ang) + dot(x.lin, y.lin); }
fn cross_motion(v: Spatial, m: Spatial) -> Spatial { return Spatial(cross(v.ang, m.ang), cross(v.ang, m.lin) + cross(v.lin, m.ang)); }
fn cross_force(v: Spatial, f: Spatial) -> Spatial { return Spatial(cross(v.ang, f.ang) + cross(v.lin, f.lin), cross(v.ang, f.lin)); }
// The end of an interval around zero on the side of `component`.
fn toward(component: real, extent: real) -> real { return select(-extent, extent, component >= 0.0); }
