//! Which vertices, edges and faces touch which geoms.

use super::near::{Neighbour, margin};
use super::patch::{Gathered, element};
use super::reach::Element;
use super::{Deformable, Part, Soft, Spot, Touch, holders};
use crate::collision::{
    ContactPoint, Narrow, Shape, SurfaceParams, deformable_contact, local_aabb, sphere_contact,
};
use crate::math::vec3::{Vec3, norm, sub};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_types::{Contact, DisableBit, GeomType};

/// Time steps of falling that a contact may be away and still be followed.
const FALLS: f64 = 8.0;

/// Adds the contacts of deformable bodies with geoms to those of the geoms with each other.
///
/// A vertex is a ball, an edge of a chain a capsule, a face of a surface a plate with round edges. Edges
/// and faces are asked only where none of their vertices touches the geom.
pub(crate) fn find(m: &Model, d: &mut Data) {
    let Some(mut soft) = d.soft.take() else { return };
    let mut contacts = std::mem::take(&mut d.contact);
    let mut work = d.scratch.collision.take().unwrap_or_default();
    soft.touches.clear();
    soft.first_contact = contacts.len();
    if let Some(k) = soft.replaced() {
        soft.prior.clear();
        soft.diverged = Some(soft.first[k]);
    } else if contacts_on(m) {
        let mut neighbours = std::mem::take(&mut soft.neighbours);
        neighbours.find(m, d, &soft.parts, |part| room_to_move(m, part));
        for neighbour in neighbours.iter() {
            find_part(m, d, &neighbour, &mut soft, &mut work.narrow, &mut contacts);
        }
        soft.neighbours = neighbours;
    }
    super::couple::sort(m, &mut soft, &mut contacts);
    d.scratch.collision = Some(work);
    d.ncon = contacts.len();
    d.contact = contacts;
    d.soft = Some(soft);
}

/// Whether contacts are wanted.
pub(super) fn contacts_on(m: &Model) -> bool {
    !m.opt.disabled(DisableBit::Constraint) && !m.opt.disabled(DisableBit::Contact)
}

/// Adds the contacts of a part with a geom near it.
fn find_part(
    m: &Model,
    d: &Data,
    neighbour: &Neighbour<'_>,
    soft: &mut Soft,
    work: &mut Narrow,
    contacts: &mut Vec<Contact>,
) {
    let (k, geom) = (neighbour.part, neighbour.geom);
    let Some(deformable) = m.deformables.get(k) else { return };
    let Some(shape) = Shape::of(m, d, geom) else { return };
    let Soft { parts, touches, local, prior, gathered, .. } = soft;
    let part = &mut parts[k];
    match neighbour.patches() {
        // a part of the surface, so that sorting pays
        Some(patches) if 2 * patches.len() <= part.patches.len() => {
            part.patches.gather(patches, gathered);
        }
        _ => gathered.whole(&part.body, &part.outline),
    }
    let margin = margin(m, geom, deformable);
    let near = Near { geom, shape: &shape, margin, reach: margin + neighbour.room };
    let mut out = Found {
        deformable,
        k,
        friction: part.body.friction(),
        touches,
        contacts,
        prior: super::Lookup::new(prior),
    };
    touch_geom(m, &near, part, gathered, local, work, &mut out);
}

/// How far a part may come in a step, and some more: so that what is fast is seen before it is through.
pub(super) fn room_to_move(m: &Model, part: &Part) -> f64 {
    let speed = |&i: &u32| part.body.velocities()[i as usize].norm_squared();
    let fastest = part.outline.particles().iter().map(speed).fold(0.0, f64::max).sqrt();
    let h = m.opt.timestep;
    let room = h * (fastest + FALLS * h * norm(m.opt.gravity));
    if room.is_finite() { room } else { 0.0 }
}

/// Whether the masks let a geom and a deformable body touch.
pub(super) fn meets(m: &Model, deformable: &Deformable, geom: usize) -> bool {
    m.geom_contype[geom] & deformable.conaffinity != 0
        || m.geom_conaffinity[geom] & deformable.contype != 0
}

/// The box around a deformable body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub least: Vector3<f64>,
    pub most: Vector3<f64>,
}

impl Range {
    pub(super) fn of(part: &Part) -> Self {
        let (mut least, mut most) =
            (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for &i in part.outline.particles() {
            let x = part.body.positions()[i as usize];
            (least, most) = (least.inf(&x), most.sup(&x));
        }
        Self { least, most }
    }

    /// Whether a geom may be within `reach`.
    pub(super) fn is_near(&self, m: &Model, d: &Data, geom: usize, reach: f64) -> bool {
        let centre = Vector3::from(rows::<3>(&d.geom_xpos)[geom]);
        if m.geom_type[geom] == GeomType::Plane {
            let normal = Vector3::from(mat3::column(&rows::<9>(&d.geom_xmat)[geom], 2));
            let lowest = |k: usize| if normal[k] > 0.0 { self.least[k] } else { self.most[k] };
            let corner = Vector3::new(lowest(0), lowest(1), lowest(2));
            return normal.dot(&(corner - centre)) <= reach;
        }
        let radius = m.geom_rbound[geom];
        let nearest = centre.sup(&self.least).inf(&self.most);
        radius <= 0.0 || (nearest - centre).norm() <= radius + reach
    }
}

/// A geom that is near.
struct Near<'a> {
    geom: usize,
    shape: &'a Shape<'a>,
    /// Distance at which contacts count.
    margin: f64,
    /// Distance at which they are followed.
    reach: f64,
}

/// Where contacts go.
struct Found<'a> {
    deformable: &'a Deformable,
    k: usize,
    friction: f64,
    touches: &'a mut Vec<Touch>,
    contacts: &'a mut Vec<Contact>,
    prior: super::Lookup<'a>,
}

impl Found<'_> {
    fn add(
        &mut self,
        m: &Model,
        near: &Near<'_>,
        touch: &ContactPoint,
        spot: Spot,
        feature: usize,
    ) {
        let Deformable { solref, solimp, .. } = *self.deformable;
        let surface = SurfaceParams { solref, solimp, friction: self.friction };
        let contact = deformable_contact(m, near.geom, &surface, near.margin, touch);
        let vertex = if spot.count == 1 { spot.at[0] as i32 } else { -1 };
        self.contacts.push(Contact { vert: [-1, vertex], ..contact });
        let (part, geom, feature) = (self.k, near.geom, feature as u32);
        let zero = [0.0; 3];
        let mut touch = Touch { part, spot, geom, feature, guess: zero, force: zero };
        touch.guess = self.prior.find(touch.key()).map_or(zero, |prior| prior.steady);
        self.touches.push(touch);
    }
}

fn touch_geom(
    m: &Model,
    near: &Near<'_>,
    part: &mut Part,
    gathered: &Gathered,
    local: &mut Vec<Vec3>,
    work: &mut Narrow,
    out: &mut Found<'_>,
) {
    let Part { body, outline, held, touching, .. } = part;
    let (radius, x) = (body.radius(), body.positions());
    let rigid = at(&m.geom_bodyid, near.geom);
    let fixed = m.body_weldid[rigid] == 0;
    let weld = m.body_weldid[rigid];
    let held = |vertex: usize| holders(held, vertex as u32).any(|body| body == weld);
    // distances along the axes of the geom's box, beyond it
    let limits = local_aabb(m, near.geom);
    local.resize(x.len(), [0.0; 3]);
    for &i in &gathered.corners {
        let place = sub(x[i as usize].into(), near.shape.pos);
        local[i as usize] = mat3::mul_transpose_vec(near.shape.mat, place);
        touching[i as usize] = false;
    }
    let reach = radius + near.reach;
    let inside = |least: Vec3, most: Vec3| {
        limits.is_none_or(|b| {
            (0..3)
                .all(|k| least[k] <= b[k] + b[3 + k] + reach && most[k] >= b[k] - b[3 + k] - reach)
        })
    };
    let mut found = 0;
    for &i in &gathered.vertices {
        let vertex = i as usize;
        if !inside(local[vertex], local[vertex]) || held(vertex) || fixed && body.is_pinned(vertex)
        {
            continue;
        }
        let ball = (x[vertex].into(), radius);
        let Some(touch) = sphere_contact(m, (near.geom, near.shape), ball, near.reach, work) else {
            continue;
        };
        touching[vertex] = true;
        found += 1;
        out.add(m, near, &touch, Spot::vertex(i), vertex);
    }
    // the vertices of what is flat are deeper than its edges and faces
    if near.shape.kind == GeomType::Plane || found == outline.particles().len() {
        return;
    }
    for &k in &gathered.elements {
        let k = k as usize;
        let Some((at, count)) = element(body, k) else { continue };
        let corners = at.map(|i| i as usize);
        let [a, b, c] = corners.map(|i| local[i]);
        let least = [0, 1, 2].map(|k| a[k].min(b[k]).min(c[k]));
        let most = [0, 1, 2].map(|k| a[k].max(b[k]).max(c[k]));
        if !inside(least, most)
            || corners.iter().any(|&i| touching[i] || held(i))
            || fixed && corners.iter().all(|&i| body.is_pinned(i))
        {
            continue;
        }
        let element = Element { at, x: corners.map(|i| x[i].into()), count };
        let deepest = element.deepest(m, (near.geom, near.shape), radius, near.reach, work);
        if let Some((spot, touch)) = deepest {
            out.add(m, near, &touch, spot, x.len() + k);
        }
    }
}
