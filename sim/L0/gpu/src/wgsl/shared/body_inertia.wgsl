// Spatial inertias of bodies (cinert) about the reference point of their tree, each followed by the force that produces
// the body's motion for qacc = 0: 16 reals. They are in the scratch buffer where that lets a multiprocessor execute more
// environments at once.

// Rotational inertia (xx yy zz and xy xz yz), mass times center, mass.
struct SpatialInertia { d: vec3r, o: vec3r, h: vec3r, m: real }

// Product of a spatial inertia and a motion vector.
fn inertia_mul(i: SpatialInertia, v: Spatial) -> Spatial {
    let turned = vec3r(
        i.d.x * v.ang.x + i.o.x * v.ang.y + i.o.y * v.ang.z,
        i.o.x * v.ang.x + i.d.y * v.ang.y + i.o.z * v.ang.z,
        i.o.y * v.ang.x + i.o.z * v.ang.y + i.d.z * v.ang.z,
    );
    return Spatial(turned + cross(i.h, v.lin), i.m * v.lin - cross(i.h, v.ang));
}

#ifdef INERTIAS_IN_STORAGE
fn cinert_adr(b: u32) -> u32 { return rare_adr(CINERT4 + 4u * (b - 1u)); }
fn body_inertia(b: u32) -> SpatialInertia {
    let at = cinert_adr(b);
    let x = scratch[at];
    let y = scratch[at + 1u];
    let z = scratch[at + 2u];
    return SpatialInertia(x.xyz, vec3r(x.w, y.xy), vec3r(y.zw, z.x), z.y);
}
fn body_force(b: u32) -> Spatial {
    let at = cinert_adr(b);
    let x = scratch[at + 2u];
    let y = scratch[at + 3u];
    return Spatial(vec3r(x.zw, y.x), y.yzw);
}
fn put_body_inertia(b: u32, i: SpatialInertia, force: Spatial) {
    let at = cinert_adr(b);
    scratch[at] = vec4r(i.d, i.o.x);
    scratch[at + 1u] = vec4r(i.o.yz, i.h.xy);
    scratch[at + 2u] = vec4r(i.h.z, i.m, force.ang.xy);
    scratch[at + 3u] = vec4r(force.ang.z, force.lin);
}
// Adds component `k` of a child to that of its parent.
fn add_inertia(parent: u32, child: u32, k: u32) {
    scratch[cinert_adr(parent) + (k >> 2u)][k & 3u] += scratch[cinert_adr(child) + (k >> 2u)][k & 3u];
}
fn sync_inertias() { sync_matrices(); }
#else
fn cinert_adr(b: u32) -> u32 { return CINERT + CINERT_STRIDE * (b - 1u); }
fn body_inertia(b: u32) -> SpatialInertia {
    let at = cinert_adr(b);
    return SpatialInertia(w3(at), w3(at + 3u), w3(at + 6u), w[at + 9u]);
}
fn body_force(b: u32) -> Spatial { return spatial(cinert_adr(b) + 10u); }
fn put_body_inertia(b: u32, i: SpatialInertia, force: Spatial) {
    let at = cinert_adr(b);
    put3(at, i.d);
    put3(at + 3u, i.o);
    put3(at + 6u, i.h);
    w[at + 9u] = i.m;
    put_spatial(at + 10u, force);
}
fn add_inertia(parent: u32, child: u32, k: u32) { w[cinert_adr(parent) + k] += w[cinert_adr(child) + k]; }
fn sync_inertias() { sync(); }
#endif
