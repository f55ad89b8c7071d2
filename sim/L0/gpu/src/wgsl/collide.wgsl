// Contacts: pairs of geoms, a lane for each that is near, survivors kept in the order of the lanes.

struct Touch { dist: real, pos: vec3r, normal: vec3r, tangent: vec3r }
struct Shape { pos: vec3r, size: vec3r, at: u32, geom: u32 }

// what a lane has found for its pair; arrays are variables of the functions that begin with them, because private ones
// are cleared in every lane at every dispatch
alias Touches = array<Touch, MAX_TOUCH>;
var<private> touches: u32;
// how far shapes that do not touch are apart at least
var<private> apart: real;

// geoms and bodies of a pair
fn geom1(p: u32) -> u32 { return ti[PAIR_GEOMS + p] & 0xffffu; }
fn geom2(p: u32) -> u32 { return ti[PAIR_GEOMS + p] >> 16u; }
fn body1(p: u32) -> u32 { return ti[PAIR_BODIES + p] & 0xffffu; }
fn body2(p: u32) -> u32 { return ti[PAIR_BODIES + p] >> 16u; }

// the pair of a contact, and its first row, if it has any
fn con_pair(c: u32) -> u32 { return wu[CONTACT + c] & 0xffffu; }
fn con_row(c: u32) -> u32 {
    let r = wu[CONTACT + c] >> 16u;
    return select(r, NONE, r == 0xffffu);
}
fn set_con_row(c: u32, r: u32) { wu[CONTACT + c] = con_pair(c) | r << 16u; }

const DOUBLE: bool = MINVAL < 1e-13;

fn place_geoms() {
    for (var g = lane; g < NGEOM; g += LANES) {
        let b = ti[GEOM_BODY + g];
        let rot = w4(turn_at(b));
        put3(GEOM + 9u * g, w3(XPOS + 3u * b) + qrot(rot, f3(GEOM_POS, g)));
        let own = qmul(rot, f4(GEOM_QUAT, g));
        put3(GEOM + 9u * g + 3u, qx(own));
        put3(GEOM + 9u * g + 6u, qz(own));
    }
    sync();
}

fn shape(g: u32) -> Shape { return Shape(w3(GEOM + 9u * g), f3(GEOM_SIZE, g), GEOM + 9u * g, g); }
fn x_axis(s: Shape) -> vec3r { return w3(s.at + 3u); }
fn y_axis(s: Shape) -> vec3r { return cross(z_axis(s), x_axis(s)); }
fn z_axis(s: Shape) -> vec3r { return w3(s.at + 6u); }
fn to_world(s: Shape, v: vec3r) -> vec3r { return v.x * x_axis(s) + v.y * y_axis(s) + v.z * z_axis(s); }
fn to_local(s: Shape, v: vec3r) -> vec3r { return vec3r(dot(x_axis(s), v), dot(y_axis(s), v), dot(z_axis(s), v)); }

// a corner of a box by the bits of its positive coordinates
fn corner_of(size: vec3r, corner: u32) -> vec3r {
    return vec3r(select(-size.x, size.x, (corner & 1u) != 0u), select(-size.y, size.y, (corner & 2u) != 0u),
        select(-size.z, size.z, (corner & 4u) != 0u));
}

// more than there is room for are counted, so that it is noticed
fn add_touch(hits: ptr<function, Touches>, dist: real, pos: vec3r, normal: vec3r, tangent: vec3r) {
    if touches < MAX_TOUCH { (*hits)[touches] = Touch(dist, pos, normal, tangent); }
    touches++;
}

// whether bounding spheres, or a sphere and a plane, are near enough
fn is_near(p: u32) -> bool {
    let at = GEOM + 9u * geom1(p);
    let away = w3(GEOM + 9u * geom2(p)) - w3(at);
    let reach = f4(PAIR_RANGE, p).x;
    if p < NPLANE { return dot(away, w3(at + 6u)) <= reach; }
    return dot(away, away) <= reach * reach;
}

// which of a lane's pairs are near: the first from the start on, that after as many as there are lanes, and so on
fn near_bits(start: u32, end: u32) -> u32 {
    var bits = 0u;
    for (var k = 0u; k < 32u; k++) {
        let p = start + k * LANES + lane;
        if p >= end { break; }
        bits |= u32(is_near(p)) << k;
    }
    return bits;
}

// puts pairs of all lanes into the queue until there is one for each; how many there were
fn take_near(bits: ptr<function, u32>, start: u32) -> u32 {
    let place = lane_scan(countOneBits(*bits));
    for (var at = place.x; *bits != 0u && at < LANES; at++) {
        w[QUEUE + at] = real(start + firstTrailingBit(*bits) * LANES + lane);
        *bits &= *bits - 1u;
    }
    sync();
    return place.y;
}

// how far apart the shapes are at least, by boxes around them and by spheres, beyond the pair's margin
fn gap_boxes(a: Shape, b: Shape, p: u32) -> real {
    let g = geom1(p);
    let h = geom2(p);
    let away = b.pos + to_world(b, f3(GEOM_CENTRE, h)) - a.pos - to_world(a, f3(GEOM_CENTRE, g));
    let half1 = f3(GEOM_HALF, g);
    let half2 = f3(GEOM_HALF, h);
    let x = to_local(a, x_axis(b));
    let y = to_local(a, y_axis(b));
    let z = to_local(a, z_axis(b));
    let reach1 = half1 + abs(x) * half2.x + abs(y) * half2.y + abs(z) * half2.z;
    let reach2 = half2 + vec3r(dot(abs(x), half1), dot(abs(y), half1), dot(abs(z), half1));
    let gap = max(abs(to_local(a, away)) - reach1, abs(to_local(b, away)) - reach2);
    let between = b.pos - a.pos;
    return max(max(gap.x, max(gap.y, gap.z)) - f4(PAIR_RANGE, p).y, sqrt(dot(between, between)) - f4(PAIR_RANGE, p).x);
}

// keeps what the lanes have found for their pairs, but for touches at which forces do not begin yet
fn keep(hits: ptr<function, Touches>, p: u32) {
    // as many as there is room for; from a table, so that loops stay loops
    let found = min(touches, ti[TOUCH_ROOM]);
    var include = real(0.0);
    if found > 0u { include = f4(PAIR_RANGE, p).z; }
    // the upper half counts the lanes that had no room
    var count = u32(touches > MAX_TOUCH) << 16u;
    for (var k = 0u; k < found; k++) { count += u32(!((*hits)[k].dist >= include)); }
    let place = lane_scan(count);
    if place.y == 0u { return; }
    var c = ncon + (place.x & 0xffffu);
    for (var k = 0u; k < found; k++) {
        if (*hits)[k].dist >= include { continue; }
        if c < MAXCON {
            let at = CON + 10u * c;
            w[at] = (*hits)[k].dist;
            put3(at + 1u, (*hits)[k].pos);
            put3(at + 4u, (*hits)[k].normal);
            put3(at + 7u, (*hits)[k].tangent);
            wu[CONTACT + c] = p;
        }
        c++;
    }
    ncon += place.y & 0xffffu;
    if ncon > MAXCON || place.y > 0xffffu {
        ncon = min(ncon, MAXCON);
        flags |= OVERFLOW_CONTACTS;
    }
}
