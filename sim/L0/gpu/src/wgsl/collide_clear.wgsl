// Pairs that take long to test are left alone until their geoms can have come together: for each geom the way it has
// gone, for each pair how long the ways of both may become. Both are kept from step to step behind what is read by the
// host; as ways are measured between poses, a reset needs no attention.

fn clear_at(k: u32) -> u32 { return OUT_SIZE * run[0] + env * CLEAR_SIZE + k; }
fn expiry_at(p: u32) -> u32 { return clear_at(10u * NGEOM + p); }

fn old3(k: u32, g: u32) -> vec3r {
    return vec3r(out[clear_at(k * NGEOM + g)], out[clear_at((k + 1u) * NGEOM + g)], out[clear_at((k + 2u) * NGEOM + g)]);
}

// adds the way that any point of a geom can have gone at most since the last time; all is rounded up
fn travel() {
    var far = false;
    for (var g = lane; g < NGEOM; g += LANES) {
        // all is read before anything is written, so that nothing waits in between
        let at = GEOM + 9u * g;
        let moved = w3(at) - old3(0u, g);
        let x_old = old3(3u, g);
        let z_old = old3(6u, g);
        let x = w3(at + 3u) - x_old;
        let z = w3(at + 6u) - z_old;
        let y = cross(w3(at + 6u), w3(at + 3u)) - cross(z_old, x_old);
        let before = out[clear_at(9u * NGEOM + g)];
        for (var k = 0u; k < 9u; k++) { out[clear_at(k * NGEOM + g)] = w[at + k]; }
        let way = sqrt(dot(moved, moved)) + f(GEOM_REACH + g) * sqrt(dot(x, x) + dot(y, y) + dot(z, z));
        let sum = before + select(real(0.0), way * 1.00001 + 4e-7, way > 0.0);
        out[clear_at(9u * NGEOM + g)] = sum;
        w[TRAVEL + g] = sum;
        far = far || !(sum < 1.0);
    }
    // short ways only, or single precision would lose steps that are small next to them
    if lane_any(far) {
        for (var p = lane; p < NPAIR; p += LANES) { out[expiry_at(p)] = 0.0; }
        for (var g = lane; g < NGEOM; g += LANES) {
            out[clear_at(9u * NGEOM + g)] = 0.0;
            w[TRAVEL + g] = 0.0;
        }
    }
    sync();
}

fn pair_travel(p: u32) -> real { return w[TRAVEL + ti[PAIR_GEOM1 + p]] + w[TRAVEL + ti[PAIR_GEOM2 + p]]; }
fn expired(p: u32) -> bool { return pair_travel(p) >= out[expiry_at(p)]; }
// a pair is known to be apart by so much beyond its margin
fn keep_clear(p: u32, gap: real) { out[expiry_at(p)] = pair_travel(p) + max(0.9999 * gap - 1e-5, real(0.0)); }
fn is_close(p: u32) -> bool {
    let gap = gap_boxes(shape(ti[PAIR_GEOM1 + p]), shape(ti[PAIR_GEOM2 + p]), p);
    keep_clear(p, gap);
    return gap <= 0.0;
}
