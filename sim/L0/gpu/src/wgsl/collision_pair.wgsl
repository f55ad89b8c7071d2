// Geoms and contacts of a pair.

struct ContactPoint { dist: real, pos: vec3r, normal: vec3r, tangent: vec3r }
struct GeomPose { pos: vec3r, size: vec3r, geom: u32 }

// Contacts that a lane has found for its pair. The array is a function-local variable of each narrow-phase entry:
// private variables are zero-initialised in every lane at every dispatch.
alias ContactPoints = array<ContactPoint, MAX_PAIR_CONTACTS>;
var<private> pair_ncon: u32;
// Lower bound of the distance between two geoms that were found separated, m.
var<private> pair_separation: real;
// Direction from the first to the second geom along which the bound holds, and the support vertices of both.
var<private> pair_axis: vec3r;
var<private> pair_vertices: vec2<u32>;

// Geoms and bodies of a pair, packed into 16 bits each.
fn geom1(p: u32) -> u32 { return ti[PAIR_GEOMS + p] & 0xffffu; }
fn geom2(p: u32) -> u32 { return ti[PAIR_GEOMS + p] >> 16u; }
fn body1(p: u32) -> u32 { return ti[PAIR_BODIES + p] & 0xffffu; }
fn body2(p: u32) -> u32 { return ti[PAIR_BODIES + p] >> 16u; }

#import shared/geom_axes
fn geom_pose(g: u32) -> GeomPose { return GeomPose(geom_xpos(g), f3(GEOM_SIZE, g), g); }
fn x_axis(s: GeomPose) -> vec3r { return geom_x_axis(s.geom); }
fn y_axis(s: GeomPose) -> vec3r { return cross(z_axis(s), x_axis(s)); }
fn z_axis(s: GeomPose) -> vec3r { return geom_z_axis(s.geom); }
fn to_world(s: GeomPose, v: vec3r) -> vec3r { return v.x * x_axis(s) + v.y * y_axis(s) + v.z * z_axis(s); }
fn to_local(s: GeomPose, v: vec3r) -> vec3r { return vec3r(dot(x_axis(s), v), dot(y_axis(s), v), dot(z_axis(s), v)); }

// Corner of a box; bit k of `corner` selects the positive side along axis k.
fn corner_of(size: vec3r, corner: u32) -> vec3r {
    return vec3r(select(-size.x, size.x, (corner & 1u) != 0u), select(-size.y, size.y, (corner & 2u) != 0u),
        select(-size.z, size.z, (corner & 4u) != 0u));
}

// Contacts beyond the capacity are counted but not stored, so that the overflow is detected.
fn add_contact(contacts: ptr<function, ContactPoints>, dist: real, pos: vec3r, normal: vec3r, tangent: vec3r) {
    if pair_ncon < MAX_PAIR_CONTACTS { (*contacts)[pair_ncon] = ContactPoint(dist, pos, normal, tangent); }
    pair_ncon++;
}
