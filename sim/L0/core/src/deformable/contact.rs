//! Collision detection between deformable bodies and geoms: candidate pairs of the broad phase,
//! then a narrow phase per vertex, edge and triangle.

use super::broadphase::{CandidatePair, margin};
use super::buffers::Aabb;
use super::closest_point::Element;
use super::surface_patch::{ElementSet, element};
use super::{
    Deformable, DeformableData, Instance, RecordLookup, SurfaceContact, SurfacePoint,
    attached_bodies,
};
use crate::collision::{
    ContactPoint, Narrow, Shape, SurfaceParams, deformable_contact, local_aabb, points_in_aabb,
    sphere_contact,
};
use crate::math::vec3::{Vec3, norm, sub};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use nalgebra::Vector3;
use sim_types::{Contact, DisableBit, GeomType};

/// Contacts are detected at the distance of this many time steps of free-fall acceleration, so that
/// a body under gravity is constrained before it penetrates.
const FREE_FALL_STEPS: f64 = 8.0;

/// Appends the contacts between deformable bodies and geoms to `Data::contact`.
///
/// Shapes are Minkowski sums with a sphere of `Body::radius`: of a point for vertices, of a segment
/// for chains, of a triangle for surfaces. Edges and triangles are tested only if none of their
/// vertices is in contact with the geom.
pub(crate) fn find_contacts(m: &Model, d: &mut Data) {
    let Some(mut data) = d.deformables.take() else { return };
    let mut contacts = std::mem::take(&mut d.contact);
    let mut work = d.scratch.collision.take().unwrap_or_default();
    data.surface_contacts.clear();
    data.first_contact = contacts.len();
    if let Some(k) = data.resized_instance() {
        data.records.clear();
        data.diverged = Some(data.particle_offset[k]);
    } else if contacts_enabled(m) {
        let mut broadphase = std::mem::take(&mut data.broadphase);
        broadphase.find_pairs(m, d, &data.instances, |instance| motion_bound(m, instance));
        for pair in broadphase.iter() {
            collide_pair(m, d, &pair, &mut data, &mut work.narrow, &mut contacts);
        }
        data.broadphase = broadphase;
    }
    super::coupling::partition_contacts(m, &mut data, &mut contacts);
    d.scratch.collision = Some(work);
    d.ncon = contacts.len();
    d.contact = contacts;
    d.deformables = Some(data);
}

/// Whether contact constraints are enabled.
pub(super) fn contacts_enabled(m: &Model) -> bool {
    !m.opt.disabled(DisableBit::Constraint) && !m.opt.disabled(DisableBit::Contact)
}

/// Narrow phase of one candidate pair.
fn collide_pair(
    m: &Model,
    d: &Data,
    pair: &CandidatePair<'_>,
    data: &mut DeformableData,
    work: &mut Narrow,
    contacts: &mut Vec<Contact>,
) {
    let (k, geom) = (pair.instance, pair.geom);
    let Some(deformable) = m.deformables.get(k) else { return };
    let Some(shape) = Shape::of(m, d, geom) else { return };
    let DeformableData { instances, surface_contacts, local, records, candidates, .. } = data;
    let instance = &mut instances[k];
    match pair.patches() {
        // gathering patches needs a sort, which is faster than all elements for up to half of the
        // surface
        Some(patches) if 2 * patches.len() <= instance.patches.len() => {
            instance.patches.select_patches(patches, candidates);
        }
        _ => candidates.select_all(&instance.body, &instance.surface),
    }
    let margin = margin(m, geom, deformable);
    let query =
        GeomQuery { geom, shape: &shape, margin, detection_distance: margin + pair.motion_bound };
    let mut out = ContactOutput {
        deformable,
        instance: k,
        friction: instance.body.friction(),
        surface_contacts,
        contacts,
        records: RecordLookup::new(records),
    };
    collide_geom(m, &query, instance, candidates, local, work, &mut out);
}

/// Displacement bound of the surface in one step, m, plus the free-fall allowance: fast bodies are
/// detected before they pass through a geom.
pub(super) fn motion_bound(m: &Model, instance: &Instance) -> f64 {
    let speed = |&i: &u32| instance.body.velocities()[i as usize].norm_squared();
    let fastest = instance.surface.particles().iter().map(speed).fold(0.0, f64::max).sqrt();
    let h = m.opt.timestep;
    let motion_bound = h * (fastest + FREE_FALL_STEPS * h * norm(m.opt.gravity));
    if motion_bound.is_finite() { motion_bound } else { 0.0 }
}

/// Whether `contype` and `conaffinity` allow contacts between a geom and a deformable body.
pub(super) fn can_collide(m: &Model, deformable: &Deformable, geom: usize) -> bool {
    m.geom_contype[geom] & deformable.conaffinity != 0
        || m.geom_conaffinity[geom] & deformable.contype != 0
}

impl Aabb {
    pub(super) fn of_surface(instance: &Instance) -> Self {
        let (mut min, mut max) =
            (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for &i in instance.surface.particles() {
            let x = instance.body.positions()[i as usize];
            (min, max) = (min.inf(&x), max.sup(&x));
        }
        Self { min, max }
    }

    /// Whether the bounding sphere of a geom, or the half-space of a plane, is within
    /// `detection_distance`.
    pub(super) fn is_within(
        &self,
        m: &Model,
        d: &Data,
        geom: usize,
        detection_distance: f64,
    ) -> bool {
        let centre = Vector3::from(rows::<3>(&d.geom_xpos)[geom]);
        if m.geom_type[geom] == GeomType::Plane {
            let normal = Vector3::from(mat3::column(&rows::<9>(&d.geom_xmat)[geom], 2));
            let lowest = |k: usize| if normal[k] > 0.0 { self.min[k] } else { self.max[k] };
            let corner = Vector3::new(lowest(0), lowest(1), lowest(2));
            return normal.dot(&(corner - centre)) <= detection_distance;
        }
        let radius = m.geom_rbound[geom];
        let nearest = centre.sup(&self.min).inf(&self.max);
        radius <= 0.0 || (nearest - centre).norm() <= radius + detection_distance
    }
}

/// A geom that is tested against a deformable body.
struct GeomQuery<'a> {
    geom: usize,
    shape: &'a Shape<'a>,
    /// Distance below which a contact is active, m.
    margin: f64,
    /// Distance below which a contact is reported, m.
    detection_distance: f64,
}

/// Appends contacts to both lists.
struct ContactOutput<'a> {
    deformable: &'a Deformable,
    instance: usize,
    friction: f64,
    surface_contacts: &'a mut Vec<SurfaceContact>,
    contacts: &'a mut Vec<Contact>,
    records: RecordLookup<'a>,
}

impl ContactOutput<'_> {
    fn add(
        &mut self,
        m: &Model,
        query: &GeomQuery<'_>,
        point: &ContactPoint,
        location: SurfacePoint,
        feature: usize,
    ) {
        let Deformable { solref, solimp, .. } = *self.deformable;
        let surface = SurfaceParams { solref, solimp, friction: self.friction };
        let contact = deformable_contact(m, query.geom, &surface, query.margin, point);
        let vertex = if location.count == 1 { location.particles[0] as i32 } else { -1 };
        self.contacts.push(Contact { vert: [-1, vertex], ..contact });
        let (instance, geom, feature) = (self.instance, query.geom, feature as u32);
        let zero = [0.0; 3];
        let mut surface_contact = SurfaceContact {
            instance,
            location,
            geom,
            feature,
            predicted_force: zero,
            force: zero,
        };
        surface_contact.predicted_force =
            self.records.find(surface_contact.key()).map_or(zero, |record| record.sustained);
        self.surface_contacts.push(surface_contact);
    }
}

/// Whether the box from `min` to `max` is within `distance` of a box given by centre and half-sizes;
/// without one, always.
fn overlaps(limits: Option<[f64; 6]>, min: Vec3, max: Vec3, distance: f64) -> bool {
    limits.is_none_or(|b| {
        (0..3).all(|k| min[k] <= b[k] + b[3 + k] + distance && max[k] >= b[k] - b[3 + k] - distance)
    })
}

/// Tests vertices, then edges and triangles, against a geom.
fn collide_geom(
    m: &Model,
    query: &GeomQuery<'_>,
    instance: &mut Instance,
    candidates: &ElementSet,
    local: &mut Vec<Vec3>,
    work: &mut Narrow,
    out: &mut ContactOutput<'_>,
) {
    let Instance { body, surface, attached_vertices, in_contact, .. } = instance;
    let (radius, x) = (body.radius(), body.positions());
    let rigid = at(&m.geom_bodyid, query.geom);
    let fixed = m.body_weldid[rigid] == 0;
    let weld = m.body_weldid[rigid];
    let is_attached =
        |vertex: usize| attached_bodies(attached_vertices, vertex as u32).any(|body| body == weld);
    // centre and half-sizes of the geom's local bounding box
    let limits = local_aabb(m, query.geom);
    local.resize(x.len(), [0.0; 3]);
    for &i in &candidates.particles {
        let offset = sub(x[i as usize].into(), query.shape.pos);
        local[i as usize] = mat3::mul_transpose_vec(query.shape.mat, offset);
        in_contact[i as usize] = false;
    }
    let detection_distance = radius + query.detection_distance;
    let mut found = 0;
    let nearby = candidates.vertices.chunks(4).flat_map(|four| {
        let mask = points_in_aabb(four, local, limits, detection_distance);
        four.iter().enumerate().filter(move |(k, _)| mask >> k & 1 == 1).map(|(_, &i)| i)
    });
    for i in nearby {
        let vertex = i as usize;
        if is_attached(vertex) || fixed && body.is_pinned(vertex) {
            continue;
        }
        let sphere = (x[vertex].into(), radius);
        let Some(point) =
            sphere_contact(m, (query.geom, query.shape), sphere, query.detection_distance, work)
        else {
            continue;
        };
        in_contact[vertex] = true;
        found += 1;
        out.add(m, query, &point, SurfacePoint::vertex(i), vertex);
    }
    // against a plane, a vertex is always at least as deep as its edges and triangles
    if query.shape.kind == GeomType::Plane || found == surface.particles().len() {
        return;
    }
    for &k in &candidates.elements {
        let k = k as usize;
        let Some((at, count)) = element(body, k) else { continue };
        let corners = at.map(|i| i as usize);
        let [a, b, c] = corners.map(|i| local[i]);
        let min = [0, 1, 2].map(|k| a[k].min(b[k]).min(c[k]));
        let max = [0, 1, 2].map(|k| a[k].max(b[k]).max(c[k]));
        if !overlaps(limits, min, max, detection_distance)
            || corners.iter().any(|&i| in_contact[i] || is_attached(i))
            || fixed && corners.iter().all(|&i| body.is_pinned(i))
        {
            continue;
        }
        let element = Element { particles: at, x: corners.map(|i| x[i].into()), count };
        let deepest = element.deepest_contact(
            m,
            (query.geom, query.shape),
            radius,
            query.detection_distance,
            work,
        );
        if let Some((location, point)) = deepest {
            out.add(m, query, &point, location, x.len() + k);
        }
    }
}
