//! Tables of contact sensors.

use super::super::array;
use super::check_history;
use crate::GpuBatchError;
use crate::layout::ModelTables;
use sim_core::Model;
use sim_core::math::pose::Pose;
use sim_types::{GeomType, ObjType};

/// Number of values of each field, in the order of the bits (`mjtConDataField`).
const FIELD_SIZES: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

/// Adds the tables of the contact sensors `all`, if there are any. Returns whether one of them is at a site.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a sensor with a delay or at a site of an unknown shape.
pub(super) fn sensors(
    m: &Model,
    all: &[usize],
    geoms: &[usize],
    t: &mut ModelTables,
) -> Result<bool, GpuBatchError> {
    if all.is_empty() {
        return Ok(false);
    }
    for &i in all {
        check_history(m, i)?;
    }
    let objects = |i: usize| {
        let one = (m.sensor_objtype[i], m.sensor_objid[i]);
        [one, (m.sensor_reftype[i], m.sensor_refid[i])]
    };
    t.size("NCONTACT_SENSOR", all.len());
    t.indices("CONTACT_SENSOR_ADR", all.iter().map(|&i| m.sensor_adr[i] as usize));
    t.indices("CONTACT_SENSOR_DIM", all.iter().map(|&i| m.sensor_dim[i] as usize));
    let fields = |i: usize| m.sensor_intprm[3 * i].max(0) as usize;
    let slot = |i: usize| -> usize {
        let selected = FIELD_SIZES.iter().enumerate().filter(|(k, _)| fields(i) >> k & 1 == 1);
        selected.map(|(_, size)| size).sum()
    };
    t.indices("CONTACT_SENSOR_FIELDS", all.iter().map(|&i| fields(i)));
    let slots = |i: usize| m.sensor_dim[i] as usize / slot(i).max(1);
    t.indices("CONTACT_SENSOR_SLOTS", all.iter().map(|&i| slots(i)));
    t.indices("CONTACT_SENSOR_REDUCE", all.iter().map(|&i| m.sensor_intprm[3 * i + 1] as usize));
    let specified = |i: usize| {
        let bits = objects(i).map(|(kind, _)| usize::from(kind != ObjType::Unknown));
        bits[0] | bits[1] << 1
    };
    t.indices("CONTACT_SENSOR_SPECIFIED", all.iter().map(|&i| specified(i)));
    let belongs = |i: usize, g: usize| {
        let bits = objects(i).map(|object| usize::from(belongs_to(m, g, object)));
        bits[0] | bits[1] << 1
    };
    let table = all.iter().flat_map(|&i| geoms.iter().map(move |&g| (i, g)));
    t.indices("CONTACT_SENSOR_GEOMS", table.map(|(i, g)| belongs(i, g)));
    sites(m, all, t)
}

/// Sites of the sensors that only see contacts inside one.
fn sites(m: &Model, all: &[usize], t: &mut ModelTables) -> Result<bool, GpuBatchError> {
    let site = |i: usize| match m.sensor_objtype[i] {
        ObjType::Site => usize::try_from(m.sensor_objid[i]).ok(),
        _ => None,
    };
    let shapes = [
        GeomType::Sphere,
        GeomType::Capsule,
        GeomType::Ellipsoid,
        GeomType::Cylinder,
        GeomType::Box,
    ];
    let bad = |&&i: &&usize| site(i).is_some_and(|s| !shapes.contains(&m.site_type[s]));
    if let Some(i) = all.iter().find(bad) {
        let what = format!("contact sensor {i} is at a site that is not a solid");
        return Err(GpuBatchError::Unsupported { what, instead: "use a box" });
    }
    let all: Vec<Option<usize>> = all.iter().map(|&i| site(i)).collect();
    let body = |s: &Option<usize>| s.map_or(usize::MAX, |s| m.site_bodyid[s] as usize);
    t.indices("CONTACT_SENSOR_SITE_BODY", all.iter().map(body));
    let pose = |s: &Option<usize>| s.map_or(Pose::IDENTITY, |s| m.site_frame(s));
    t.vec4s("CONTACT_SENSOR_SITE_POS", all.iter().map(|s| pose(s).pos));
    t.vec4s("CONTACT_SENSOR_SITE_QUAT", all.iter().map(|s| pose(s).quat));
    let size = |s: &Option<usize>| s.map_or([0.0; 3], |s| array::<3>(&m.site_size, s));
    t.vec4s("CONTACT_SENSOR_SITE_SIZE", all.iter().map(size));
    let kind = |s: &Option<usize>| s.map_or(0, |s| m.site_type[s] as usize);
    t.indices("CONTACT_SENSOR_SITE_TYPE", all.iter().map(kind));
    Ok(all.iter().any(Option::is_some))
}

/// Whether a geom belongs to an object of a sensor; a site is matched by the position of the contact.
fn belongs_to(m: &Model, geom: usize, (kind, id): (ObjType, i32)) -> bool {
    let body = m.geom_bodyid[geom];
    match kind {
        ObjType::Unknown | ObjType::Site => true,
        ObjType::Geom => usize::try_from(id) == Ok(geom),
        ObjType::Body => body == id,
        ObjType::XBody => {
            // the index of a parent is lower than those of its children
            let mut at = body;
            while at > id.max(0) {
                at = m.body_parentid[at as usize];
            }
            at == id
        }
        _ => false,
    }
}
