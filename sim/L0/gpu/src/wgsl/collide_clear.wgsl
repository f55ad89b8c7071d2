// Pairs that take long to test are left alone until their geoms can have come together: for each geom the way it has
// gone, for each pair how long the ways of both may become, and for all pairs together how far any geom may still go
// before one of them has to be looked at. All are kept from step to step behind what is read by the host; as ways are
// measured between poses, a reset needs no attention.

// whether any pair may have to be looked at, and what is left of the way for the pair that has least left
var<private> due: bool;
var<private> least: real;

fn clear_at(k: u32) -> u32 { return OUT_SIZE * run[0] + env * CLEAR_SIZE + k; }
fn left_at() -> u32 { return clear_at(10u * NGEOM + NPAIR); }
fn expiry_at(p: u32) -> u32 { return clear_at(10u * NGEOM + p); }

fn old3(k: u32, g: u32) -> vec3r {
    return vec3r(out[clear_at(k * NGEOM + g)], out[clear_at((k + 1u) * NGEOM + g)], out[clear_at((k + 2u) * NGEOM + g)]);
}

// adds the way that any point of a geom can have gone at most since the last time; all is rounded up
fn travel() {
    var far = false;
    var most = real(0.0);
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
        let more = select(real(0.0), way * 1.00001 + 4e-7, way > 0.0);
        let sum = before + more;
        most = max(most, more + select(real(0.0), real(2e-7), way > 0.0));
        out[clear_at(9u * NGEOM + g)] = sum;
        w[TRAVEL + g] = sum;
        far = far || !(sum < 1.0);
    }
    let left = out[left_at()] - 2.0 * lane_most(most);
    least = HUGE_WAY;
    due = !(left > 0.0);
    if !due && lane == 0u { out[left_at()] = left; }
    // short ways only, or single precision would lose steps that are small next to them
    if lane_any(far) {
        due = true;
        for (var p = lane; p < NPAIR; p += LANES) { out[expiry_at(p)] = 0.0; }
        for (var g = lane; g < NGEOM; g += LANES) {
            out[clear_at(9u * NGEOM + g)] = 0.0;
            w[TRAVEL + g] = 0.0;
        }
    }
    sync();
}

fn pair_travel(p: u32) -> real { return w[TRAVEL + ti[PAIR_GEOM1 + p]] + w[TRAVEL + ti[PAIR_GEOM2 + p]]; }
fn expired(p: u32) -> bool {
    let left = out[expiry_at(p)] - pair_travel(p);
    if left > 0.0 { least = min(least, left); }
    return left <= 0.0;
}
// a pair is known to be apart by so much beyond its margin
fn keep_clear(p: u32, gap: real) {
    let left = max(0.9999 * gap - 1e-5, real(0.0));
    out[expiry_at(p)] = pair_travel(p) + left;
    least = min(least, left);
}
fn is_close(p: u32) -> bool {
    let gap = gap_boxes(shape(ti[PAIR_GEOM1 + p]), shape(ti[PAIR_GEOM2 + p]), p);
    if gap > 0.0 { keep_clear(p, gap); }
    return gap <= 0.0;
}
// after all pairs
fn note_least() {
    if !due { return; }
    // who leaves something to the second pass has looked at nothing
    let left = select(-lane_most(-least) - 1e-6, real(0.0), unfinished);
    if lane == 0u { out[left_at()] = left; }
}
const HUGE_WAY: real = 1e3;
