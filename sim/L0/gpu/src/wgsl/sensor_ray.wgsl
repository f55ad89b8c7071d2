// Rangefinders: mj_ray over all visible geoms that are primitives.

// Distance and normal of the nearest hit of a ray; the distance is -1 without a hit. Geoms of `body` are excluded.
fn ray_cast(body: u32, origin: vec3r, direction: vec3r) -> vec4r {
    var best = vec4r(-1.0, 0.0, 0.0, 0.0);
    for (var g = 0u; g < NRAYGEOM; g++) {
        let b = ti[RAY_BODY + g];
        if b == body { continue; }
        let xquat = w4(xquat_adr(b));
        let rot = qmul(xquat, f4(RAY_QUAT, g));
        let inverse = qconj(rot);
        let p = qrot(inverse, origin - w3(XPOS + 3u * b) - qrot(xquat, f3(RAY_POS, g)));
#ifdef RAY_SURFACE
        var hit: vec4r;
        if ti[RAY_DATA + g] != NONE { hit = ray_surface(ti[RAY_TYPE + g], ti[RAY_DATA + g], f3(RAY_SIZE, g), p, qrot(inverse, direction), best.x); }
        else { hit = ray_geom(ti[RAY_TYPE + g], f3(RAY_SIZE, g), p, qrot(inverse, direction)); }
#else
        let hit = ray_geom(ti[RAY_TYPE + g], f3(RAY_SIZE, g), p, qrot(inverse, direction));
#endif
        if hit.x >= 0.0 && (best.x < 0.0 || hit.x < best.x) { best = vec4r(hit.x, qrot(rot, hit.yzw)); }
    }
    return best;
}

fn ray_miss() -> vec4r { return vec4r(-1.0, 0.0, 0.0, 0.0); }
fn ray_nearer(a: vec4r, b: vec4r) -> vec4r {
    if b.x >= 0.0 && (a.x < 0.0 || b.x < a.x) { return b; }
    return a;
}
// Roots of a x² + 2 b x + c, the smaller first; both negative if they are not real.
fn ray_roots(a: real, b: real, c: real) -> vec2<real> {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || a < MINVAL { return vec2<real>(-1.0); }
    let root = sqrt(discriminant);
    return vec2<real>(-b - root, -b + root) / a;
}
fn first_root(x: vec2<real>) -> real {
    if x.x >= 0.0 { return x.x; }
    return x.y;
}

// mju_rayGeom, in the frame of the geom.
fn ray_geom(kind: u32, size: vec3r, p: vec3r, v: vec3r) -> vec4r {
    if kind == RAY_PLANE {
        if v.z > -MINVAL { return ray_miss(); }
        let x = -p.z / v.z;
        let at = p + x * v;
        if x < 0.0 || size.x > 0.0 && abs(at.x) > size.x || size.y > 0.0 && abs(at.y) > size.y { return ray_miss(); }
        return vec4r(x, 0.0, 0.0, 1.0);
    }
    if kind == RAY_SPHERE || kind == RAY_ELLIPSOID {
        var s = vec3r(1.0 / (size.x * size.x));
        if kind == RAY_ELLIPSOID { s = 1.0 / (size * size); }
        let x = first_root(ray_roots(dot(v, s * v), dot(v, s * p), dot(p, s * p) - 1.0));
        if x < 0.0 { return ray_miss(); }
        return vec4r(x, unit(s * (p + x * v)));
    }
    if kind == RAY_BOX { return ray_box(size, p, v); }
    var best = ray_lateral(size, p, v);
    for (var k = 0u; k < 2u; k++) {
        let side = select(real(-1.0), real(1.0), k == 1u);
        if kind == RAY_CAPSULE {
            let centre = vec3r(p.xy, p.z - side * size.y);
            let x = ray_roots(dot(v, v), dot(v, centre), dot(centre, centre) - size.x * size.x);
            for (var i = 0u; i < 2u; i++) {
                // Only the outer hemisphere is part of the surface.
                if x[i] >= 0.0 && side * (p.z + x[i] * v.z) >= size.y { best = ray_nearer(best, vec4r(x[i], unit(centre + x[i] * v))); }
            }
        } else if abs(v.z) > MINVAL {
            let x = (side * size.y - p.z) / v.z;
            let at = p + x * v;
            if x >= 0.0 && dot(at.xy, at.xy) <= size.x * size.x { best = ray_nearer(best, vec4r(x, 0.0, 0.0, side)); }
        }
    }
    return best;
}

// Lateral surface of a capsule or cylinder.
fn ray_lateral(size: vec3r, p: vec3r, v: vec3r) -> vec4r {
    let x = first_root(ray_roots(dot(v.xy, v.xy), dot(v.xy, p.xy), dot(p.xy, p.xy) - size.x * size.x));
    let at = p + x * v;
    if x < 0.0 || abs(at.z) > size.y { return ray_miss(); }
    return vec4r(x, unit(vec3r(at.xy, 0.0)));
}

fn ray_box(size: vec3r, p: vec3r, v: vec3r) -> vec4r {
    var best = ray_miss();
    for (var axis = 0u; axis < 3u; axis++) {
        if abs(v[axis]) <= MINVAL { continue; }
        let a = (axis + 1u) % 3u;
        let b = (axis + 2u) % 3u;
        for (var k = 0u; k < 2u; k++) {
            let side = select(real(-1.0), real(1.0), k == 1u);
            let x = (side * size[axis] - p[axis]) / v[axis];
            if x < 0.0 || abs(p[a] + x * v[a]) > size[a] || abs(p[b] + x * v[b]) > size[b] { continue; }
            let normal = side * vec3r(real(axis == 0u), real(axis == 1u), real(axis == 2u));
            best = ray_nearer(best, vec4r(x, normal));
        }
    }
    return best;
}

// Values of a rangefinder: the distance, one of the vectors, or both.
fn rangefinder(s: u32, o: SensorFrame) -> vec4r {
    let direction = qz(o.rot);
    let hit = ray_cast(o.body, o.pos, direction);
    let vector = ti[SENSOR_ID + s] >> 1u;
    var value = vec3r(0.0);
    if vector == RAY_ORIGIN { value = o.pos; }
    else if hit.x >= 0.0 {
        if vector == RAY_DIR { value = direction; }
        else if vector == RAY_POINT { value = o.pos + hit.x * direction; }
        else { value = hit.yzw; }
    }
    if (ti[SENSOR_ID + s] & 1u) == 1u { return vec4r(hit.x, value); }
    return vec4r(value, 0.0);
}
