//! Pairs of geoms that may touch, grouped by the function that finds their contacts.

use crate::GpuBatchError;
use crate::fill::{FAR, array, softness, spring};
use crate::solids;
use crate::table::{NONE, Tables};
use crate::teams::Teams;
use crate::ways;
use sim_core::{ContactPair, Model, contact_pairs};
use sim_types::{DisableBit, GeomType};
use std::fmt::Write;
use std::ops::Range;

/// Most pairs that are tested in every step.
const MOST: usize = 4096;

/// Most contacts of a height field and a solid; the room that a lane needs grows with it.
const FIELD_TOUCHES: usize = 24;

/// A function of two shapes.
#[derive(Debug, PartialEq)]
struct Routine {
    shapes: [GeomType; 2],
    name: &'static str,
    /// Contacts it can find.
    most: usize,
    /// The files that it needs.
    parts: &'static [Part],
}

/// A file of functions: its name for comparing, its text.
type Part = (&'static str, &'static str);

macro_rules! part {
    ($name:literal) => {
        ($name, include_str!(concat!("wgsl/collide_", $name, ".wgsl")))
    };
}

const PLANE: &[Part] = &[part!("plane")];
const ROUND: &[Part] = &[part!("round")];
const BALL_BOX: &[Part] = &[part!("ball_box")];
const BOXES: &[Part] = &[part!("boxes")];
const PLANE_MESH: &[Part] = &[part!("support"), part!("mesh_plane")];
const CONVEX: &[Part] = &[part!("support"), part!("gjk"), part!("epa"), part!("convex")];
const FACETED: &[Part] =
    &[part!("support"), part!("gjk"), part!("epa"), part!("convex"), part!("faces")];

const HFIELD: &[Part] =
    &[part!("support"), part!("gjk"), part!("epa"), part!("convex"), part!("hfield")];

const ROUTINES: &[Routine] = &[
    routine(GeomType::Plane, GeomType::Sphere, "plane_round", 1, PLANE),
    routine(GeomType::Plane, GeomType::Capsule, "plane_round", 2, PLANE),
    routine(GeomType::Plane, GeomType::Ellipsoid, "plane_ellipsoid", 1, PLANE),
    routine(GeomType::Plane, GeomType::Cylinder, "plane_cylinder", 4, PLANE),
    routine(GeomType::Plane, GeomType::Box, "plane_box", 4, PLANE),
    routine(GeomType::Plane, GeomType::Mesh, "plane_mesh", 4, PLANE_MESH),
    routine(GeomType::HField, GeomType::Sphere, "convex", FIELD_TOUCHES, HFIELD),
    routine(GeomType::HField, GeomType::Capsule, "convex", FIELD_TOUCHES, HFIELD),
    routine(GeomType::HField, GeomType::Ellipsoid, "convex", FIELD_TOUCHES, HFIELD),
    routine(GeomType::HField, GeomType::Cylinder, "convex", FIELD_TOUCHES, HFIELD),
    routine(GeomType::HField, GeomType::Box, "convex", FIELD_TOUCHES, HFIELD),
    routine(GeomType::HField, GeomType::Mesh, "convex", FIELD_TOUCHES, HFIELD),
    routine(GeomType::Sphere, GeomType::Sphere, "round_round", 1, ROUND),
    routine(GeomType::Sphere, GeomType::Capsule, "round_round", 1, ROUND),
    routine(GeomType::Sphere, GeomType::Ellipsoid, "convex", 1, CONVEX),
    routine(GeomType::Sphere, GeomType::Cylinder, "sphere_cylinder", 1, ROUND),
    routine(GeomType::Sphere, GeomType::Box, "sphere_box", 1, BALL_BOX),
    routine(GeomType::Sphere, GeomType::Mesh, "convex", 1, CONVEX),
    routine(GeomType::Capsule, GeomType::Capsule, "round_round", 2, ROUND),
    routine(GeomType::Capsule, GeomType::Ellipsoid, "convex", 1, CONVEX),
    routine(GeomType::Capsule, GeomType::Cylinder, "convex", 5, CONVEX),
    routine(GeomType::Capsule, GeomType::Box, "capsule_box", 2, BALL_BOX),
    routine(GeomType::Capsule, GeomType::Mesh, "convex", 5, CONVEX),
    routine(GeomType::Ellipsoid, GeomType::Ellipsoid, "convex", 1, CONVEX),
    routine(GeomType::Ellipsoid, GeomType::Cylinder, "convex", 1, CONVEX),
    routine(GeomType::Ellipsoid, GeomType::Box, "convex", 1, CONVEX),
    routine(GeomType::Ellipsoid, GeomType::Mesh, "convex", 1, CONVEX),
    routine(GeomType::Cylinder, GeomType::Cylinder, "convex", 5, CONVEX),
    routine(GeomType::Cylinder, GeomType::Box, "convex", 5, CONVEX),
    routine(GeomType::Cylinder, GeomType::Mesh, "convex", 5, CONVEX),
    // eight corners of two faces, and what rounding makes of corners that coincide
    routine(GeomType::Box, GeomType::Box, "box_box", 12, BOXES),
    routine(GeomType::Box, GeomType::Mesh, "convex", 5, FACETED),
    routine(GeomType::Mesh, GeomType::Mesh, "convex", 5, FACETED),
];

const fn routine(
    a: GeomType,
    b: GeomType,
    name: &'static str,
    most: usize,
    parts: &'static [Part],
) -> Routine {
    Routine { shapes: [a, b], name, most, parts }
}

/// Adds the tables of geoms and pairs, and the function `collide` that goes through them.
pub(crate) fn fill(m: &Model, teams: &Teams, t: &mut Tables) -> Result<(), GpuBatchError> {
    let off = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    let all = if off { Some(Vec::new()) } else { contact_pairs(m, MOST) };
    let Some(all) = all else {
        let what = format!("more than {MOST} pairs of geoms may touch");
        return Err(GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" });
    };
    let groups = group(m, &all)?;
    let pairs: Vec<&ContactPair> = groups.iter().flat_map(|group| &group.pairs).copied().collect();
    let mut geoms: Vec<usize> = pairs.iter().flat_map(|pair| pair.geoms).collect();
    geoms.sort_unstable();
    geoms.dedup();
    t.constant("NGEOM", geoms.len());
    t.constant("NPAIR", pairs.len());
    t.constant("MAX_DIM", pairs.iter().map(|p| p.dim).max().unwrap_or(0));
    t.indices("GEOM_BODY", geoms.iter().map(|&g| m.geom_bodyid[g] as usize));
    t.fours("GEOM_POS", geoms.iter().map(|&g| m.geom_frame(g).pos));
    t.fours("GEOM_QUAT", geoms.iter().map(|&g| m.geom_frame(g).quat));
    // of a sphere only the radius counts, whatever else a file says
    let size = |g: usize| match m.geom_type[g] {
        GeomType::Sphere => [m.geom_size[3 * g], 0.0, 0.0],
        _ => array::<3>(&m.geom_size, g),
    };
    t.fours("GEOM_SIZE", geoms.iter().map(|&g| size(g)));
    // centres and half sides of boxes around the shapes, in their own axes
    let side =
        |g: usize, k: usize| std::array::from_fn::<f64, 3, _>(|c| m.geom_aabb[6 * g + 3 * k + c]);
    t.fours("GEOM_CENTRE", geoms.iter().map(|&g| side(g, 0)));
    t.fours("GEOM_HALF", geoms.iter().map(|&g| side(g, 1)));
    let place = |g: usize| geoms.partition_point(|&other| other < g);
    let body = |pair: &ContactPair, k: usize| m.geom_bodyid[pair.geoms[k]] as usize;
    let both = |[a, b]: [usize; 2]| a | b << 16;
    t.indices("PAIR_GEOMS", pairs.iter().map(|p| both(p.geoms.map(place))));
    t.indices("PAIR_BODIES", pairs.iter().map(|p| both([0, 1].map(|k| body(p, k)))));
    // the team that alone is concerned
    let team = |pair: &ContactPair| {
        let of = |k: usize| teams.of_body(m, body(pair, k));
        match [of(0), of(1)] {
            [Some(a), Some(b)] if a != b => NONE as usize,
            [a, b] => a.or(b).unwrap_or(0),
        }
    };
    let split = teams.len() > 1 && pairs.iter().any(|pair| team(pair) == NONE as usize);
    t.constant("TIES", usize::from(split));
    t.indices("PAIR_TEAM", pairs.iter().map(|pair| team(pair)));
    t.indices("PAIR_DIM", pairs.iter().map(|p| p.dim));
    let range = |p: &&ContactPair| [reach(m, p), p.margin, p.includemargin, nearly(m, p)];
    t.fours("PAIR_RANGE", pairs.iter().map(range));
    t.numbers("PAIR_FRICTION", pairs.iter().flat_map(|p| p.friction));
    let parameters: Vec<[f64; 10]> = pairs
        .iter()
        .map(|p| {
            let soft = softness(m, p.solref, p.solimp);
            let weight = |k: usize| -> f64 {
                [0, 1].iter().map(|&b| m.body_invweight0[2 * body(p, b) + k]).sum()
            };
            let own = p.solreffriction != [0.0; 2];
            let friction = match own {
                true => spring(m, p.solreffriction, soft[3], [0.0; 2])[1],
                false => soft[1],
            };
            let [a, b, c, d, e, f, g] = soft;
            [a, b, c, d, e, f, g, weight(0), weight(1), friction]
        })
        .collect();
    t.fours("PAIR_PRM", parameters);
    let convex = routines(&groups).any(|routine| routine.parts.len() > 1);
    if convex {
        solids::fill(m, &geoms, t)?;
    }
    let lanes = teams.lanes();
    let long = groups.iter().any(|group| is_long(group.routines[0]));
    t.constant("WAITING", if pairs.is_empty() { 0 } else { lanes });
    // short functions are called from one place, planes before others
    let planes = groups.iter().filter(|group| group.routines[0].shapes[0] == GeomType::Plane);
    t.constant("NPLANE", planes.map(|group| group.pairs.len()).sum());
    let kinds = groups.iter().enumerate().flat_map(|(k, group)| vec![k; group.pairs.len()]);
    t.indices("PAIR_KIND", kinds);
    let most = routines(&groups).map(|routine| routine.most).max().unwrap_or(1);
    t.constant("MAX_TOUCH", most);
    t.indices("TOUCH_ROOM", [most]);
    t.constant("CLEAR_SIZE", if long { pairs.len() + m.nq + 7 * m.nmocap } else { 0 });
    if long {
        ways::fill(m, &geoms, t);
        t.indices("PAIR_FORK", pairs.iter().map(|p| ways::fork(m, [0, 1].map(|k| body(p, k)))));
    }
    t.collide = text(&groups, lanes, false);
    t.first = (long || split).then(|| text(&groups, lanes, true));
    Ok(())
}

/// Pairs of one function, which may take several shapes.
#[derive(Debug)]
struct Group<'a> {
    routines: Vec<&'static Routine>,
    pairs: Vec<&'a ContactPair>,
}

/// The pairs of each function, in order.
fn group<'a>(m: &Model, all: &'a [ContactPair]) -> Result<Vec<Group<'a>>, GpuBatchError> {
    let mut groups: Vec<(&Routine, Vec<&ContactPair>)> =
        ROUTINES.iter().map(|routine| (routine, Vec::new())).collect();
    for pair in all {
        let shapes = pair.geoms.map(|g| m.geom_type[g]);
        // neither can be moved
        if pair.geoms.iter().all(|&g| m.body_treeid[m.geom_bodyid[g] as usize] < 0) {
            continue;
        }
        match groups.iter_mut().find(|(routine, _)| routine.shapes == shapes) {
            Some((_, pairs)) => pairs.push(pair),
            None => {
                let what = format!("a {:?} and a {:?} may touch", shapes[0], shapes[1]);
                return Err(GpuBatchError::Unsupported {
                    what,
                    instead: "step it with `BatchSim`",
                });
            }
        }
    }
    groups.retain(|(_, pairs)| !pairs.is_empty());
    // a function is called in one place: drivers put its text wherever it is called
    let mut merged: Vec<Group> = Vec::new();
    for (routine, pairs) in groups {
        match merged.iter_mut().find(|group| group.routines[0].name == routine.name) {
            Some(group) => {
                group.routines.push(routine);
                group.pairs.extend(pairs);
            }
            None => merged.push(Group { routines: vec![routine], pairs }),
        }
    }
    merged.sort_by_key(|group| is_long(group.routines[0]));
    Ok(merged)
}

/// How near the centres of bounding spheres must be, or the sphere to the plane.
fn reach(m: &Model, pair: &ContactPair) -> f64 {
    let [a, b] = pair.geoms.map(|g| m.geom_rbound[g]);
    // without a bound there is no quick test
    let open = b <= 0.0 || a <= 0.0 && m.geom_type[pair.geoms[0]] != GeomType::Plane;
    if open { FAR } else { a + b + pair.margin }
}

/// From which distance of the boxes around two solids on these are looked into: boxes that are nearly together
/// would be tested again and again, and what is in them is likely further apart. Boxes themselves are not, and
/// of height fields no distance is found.
fn nearly(m: &Model, pair: &ContactPair) -> f64 {
    let [a, b] = pair.geoms.map(|g| m.geom_type[g]);
    let known = a == GeomType::HField || [a, b] == [GeomType::Box; 2];
    if known { 0.0 } else { 0.03 * reach(m, pair) }
}

fn routines<'a>(groups: &'a [Group<'_>]) -> impl Iterator<Item = &'static Routine> + use<'a> {
    groups.iter().flat_map(|group| group.routines.iter().copied())
}

/// What stands for the functions of height fields where there are none.
const NO_FIELDS: &str = "fn prism_support(room: ptr<function, Solids>, dir: vec3r) -> vec3r { return dir; }
fn solid_centre(room: ptr<function, Solids>) -> vec3r { return (*room).solids[0].pos; }
fn field_start(room: ptr<function, Solids>, a: Shape, b: Shape, margin: real) -> bool { return false; }
fn field_next(room: ptr<function, Solids>, margin: real) -> bool { return false; }
fn field_touch(hits: ptr<function, Touches>, room: ptr<function, Solids>, a: Shape, dist: real) {}
";

/// Arrays that functions of convex solids work with, and the file that needs each. Those that only a search
/// for a depth needs are in `Polytope`: variables are cleared where they begin, and that takes time.
const ROOM: &[(&str, &str)] = &[
    ("support", "solids: array<Solid, 2>"),
    ("gjk", "sample: array<Sample, WALK_POINTS>"),
    ("convex", "witness_a: array<vec3r, 4>"),
    ("convex", "witness_b: array<vec3r, 4>"),
    ("hfield", "prism: array<vec3r, 6>"),
];

/// Whether a function of two shapes is so long that a kernel is slower for having it.
fn is_long(routine: &Routine) -> bool {
    matches!(routine.name, "convex" | "box_box")
}

/// The function that calls those of all groups, and all that it needs; `first` leaves out long ones.
fn text(groups: &[Group<'_>], lanes: usize, first: bool) -> String {
    let mut out = String::new();
    let mut calls = String::new();
    let count = |group: &Group| group.pairs.len();
    let short = groups.iter().filter(|group| !is_long(group.routines[0]));
    let mut start = short.clone().map(count).sum();
    if start > 0 {
        calls.push_str(&call("short", "near_bits", 0..start, lanes));
        out.push_str(&short_text(short));
    }
    let total = groups.iter().map(count).sum();
    let long = start < total;
    if first && long {
        // it only asks whether any is close
        calls.push_str(&call("long", "due_bits", start..total, lanes));
        out.push_str(&close_text("long", "unfinished = true;"));
        start = total;
    }
    let long_ones = groups.iter().enumerate().filter(|(_, group)| is_long(group.routines[0]));
    for (k, group) in long_ones.filter(|_| !first) {
        let end = start + count(group);
        calls.push_str(&call(&k.to_string(), "due_bits", start..end, lanes));
        out.push_str(&close_text(&k.to_string(), &format!("close_{k}(p, near);")));
        out.push_str(&long_text(k, group.routines[0]));
        start = end;
    }
    let begin = if long { "travel();" } else { "" };
    writeln!(
        out,
        "fn collide() {{
    ncon = 0u;
    unfinished = false;
    {begin}
{calls}    find_ties();
}}"
    )
    .unwrap_or_default();
    let mut parts: Vec<&Part> = Vec::new();
    if long {
        parts.push(&CLEAR);
    }
    for routine in routines(groups).filter(|routine| !first || !is_long(routine)) {
        for part in routine.parts.iter().filter(|part| !parts.contains(part)).collect::<Vec<_>>() {
            parts.push(part);
        }
    }
    for part in &parts {
        out.push_str(part.1);
    }
    let has = |name: &str| parts.iter().any(|part| part.0 == name);
    if has("convex") && !has("faces") {
        out.push_str(NO_FACES);
    }
    if has("support") {
        writeln!(out, "const HAS_PRISM: bool = {};", has("hfield")).unwrap_or_default();
        let room = ROOM.iter().filter(|(part, _)| has(part)).map(|(_, array)| *array);
        let room: Vec<&str> = room.collect();
        writeln!(out, "struct Solids {{ {} }}", room.join(", ")).unwrap_or_default();
        if !has("hfield") {
            out.push_str(NO_FIELDS);
        }
    }
    out
}

/// What stands for the functions of faces where there are none.
const NO_FACES: &str =
    "fn lay_faces(room: ptr<function, Solids>, poly: ptr<function, Polytope>, most: u32) {}\n";

const CLEAR: Part = part!("clear");

/// Tests pairs, up to 32 in each lane, and hands those that are near to their function, one to each lane.
fn call(name: &str, test: &str, pairs: Range<usize>, lanes: usize) -> String {
    let Range { start, end } = pairs;
    let text = format!(
        "        var bits = {test}(start, {end}u);
        loop {{
            let count = take_near(&bits, start);
            if count == 0u {{ break; }}
            let p = u32(w[QUEUE + lane]);
            // from here on the queue may be filled again
            sync();
            collide_{name}(p, lane < count);
            if count <= LANES {{ break; }}
        }}
    }}\n"
    );
    // a loop of one round would take more text
    let open = match pairs.len() <= 32 * lanes {
        true => format!("    {{\n        let start = {start}u;"),
        false => format!("    for (var start = {start}u; start < {end}u; start += 32u * LANES) {{"),
    };
    format!("{open}\n{text}")
}

/// The shapes of a pair. Each function reads its own: registers would be needed for what others do not use.
const SHAPES: &str = "shape(geom1(p)), shape(geom2(p))";

/// The function of all short ones: a lane for each pair.
fn short_text<'a>(groups: impl Iterator<Item = &'a Group<'a>>) -> String {
    let mut out = String::from(
        "fn collide_short(p: u32, near: bool) {
    var hits: Touches;
    touches = 0u;
    if near {
        let margin = f4(PAIR_RANGE, p).y;
        let kind = ti[PAIR_KIND + p];
",
    );
    for (k, group) in groups.enumerate() {
        let name = group.routines[0].name;
        // what takes long is worth another test
        let near = format!(" && gap_boxes({SHAPES}, p) <= 0.0");
        let test = if name == "capsule_box" { &near } else { "" };
        writeln!(out, "        if kind == {k}u{test} {{ {name}(&hits, {SHAPES}, margin); }}")
            .unwrap_or_default();
    }
    out.push_str("    }\n    keep(&hits, p);\n}\n");
    out
}

/// The function of pairs that take long: it looks at boxes around them first.
fn close_text(name: &str, then: &str) -> String {
    format!(
        "fn collide_{name}(p: u32, waits: bool) {{
    var near = waits;
    if waits {{ near = is_close(p); }}
    if lane_any(near) {{ {then} }}
}}
"
    )
}

/// The function of a long one.
fn long_text(k: usize, routine: &Routine) -> String {
    let (room, name) = match routine.name {
        "convex" => ("Solids", "convex"),
        other => ("Boxes", other),
    };
    format!(
        "fn close_{k}(p: u32, near: bool) {{
    var hits: Touches;
    var room: {room};
    touches = 0u;
    apart = 0.0;
    if near {{
        {name}(&hits, &room, {SHAPES}, f4(PAIR_RANGE, p).y);
        if touches == 0u {{ keep_clear(p, apart); }}
    }}
    keep(&hits, p);
}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::ROUTINES;

    #[test]
    fn shapes_are_in_the_order_of_their_types() {
        for routine in ROUTINES {
            assert!(routine.shapes[0] <= routine.shapes[1], "{}", routine.name);
        }
    }
}
