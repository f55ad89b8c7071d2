//! Touch sensor: sum of the normal forces of the contacts of a site's body whose normal ray intersects the
//! volume of the site.

use crate::math::{at, rows, vec3};
use crate::ray::ray_geom;
use crate::support::contact_force;
use crate::{Data, Model};

/// Reading of sensor `i` (N).
pub(super) fn read(m: &Model, d: &Data, i: usize) -> f64 {
    let site = at(&m.sensor_objid, i);
    let body = m.site_bodyid[site];
    let (pos, mat) = (rows::<3>(&d.site_xpos)[site], &rows::<9>(&d.site_xmat)[site]);
    let (size, kind) = (rows::<3>(&m.site_size)[site], m.site_type[site]);
    let mut sum = 0.0;
    for (k, contact) in d.contact.iter().enumerate() {
        let bodies = contact.geom.map(|g| usize::try_from(g).ok().map(|g| m.geom_bodyid[g]));
        if !bodies.contains(&Some(body)) {
            continue;
        }
        let Some([normal, ..]) = contact_force(m, d, k) else { continue };
        if normal <= 0.0 {
            continue;
        }
        let [x, y, z, ..] = contact.frame;
        let (direction, _) = vec3::normalize(vec3::scale([x, y, z], normal));
        // the normal points from geom[0] to geom[1], the ray away from the sensor's body
        let ray = if bodies[1] == Some(body) { vec3::scale(direction, -1.0) } else { direction };
        if ray_geom(kind, pos, mat, size, contact.pos, ray).is_some() {
            sum += normal;
        }
    }
    sum
}
