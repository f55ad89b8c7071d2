//! Tables of geom distance sensors.

use super::check_history;
use crate::GpuBatchError;
use crate::layout::ModelTables;
use crate::model::FAR;
use crate::model::collision::{Collision, distance};
use sim_core::Model;
use sim_types::{DisableBit, GeomType, ObjType, SensorType};
use std::ops::Range;

/// Distance sensors with the pairs of geoms that each measures.
#[derive(Debug, Default)]
pub(crate) struct DistanceSensors {
    sensors: Vec<(usize, Vec<[usize; 2]>)>,
}

/// Whether a sensor measures the distance of geoms.
pub(super) fn is_distance(m: &Model, i: usize) -> bool {
    use SensorType::{GeomDist, GeomFromTo, GeomNormal};
    matches!(m.sensor_type[i], GeomDist | GeomNormal | GeomFromTo)
}

impl DistanceSensors {
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] for a sensor with a delay, or of a height field or signed distance field.
    pub(crate) fn new(m: &Model) -> Result<Self, GpuBatchError> {
        let off = m.opt.disabled(DisableBit::Sensor);
        let mut sensors = Vec::new();
        for i in (0..m.nsensor).filter(|&i| !off && is_distance(m, i)) {
            check_history(m, i)?;
            let mut pairs = Vec::new();
            for one in geoms(m, m.sensor_objtype[i], m.sensor_objid[i]) {
                for two in geoms(m, m.sensor_reftype[i], m.sensor_refid[i]) {
                    match distance::is_supported(m, [one, two]) {
                        Some(true) => pairs.push([one, two]),
                        Some(false) => return Err(unsupported(m, i, [one, two])),
                        None => {}
                    }
                }
            }
            sensors.push((i, pairs));
        }
        Ok(Self { sensors })
    }

    /// Pairs of geoms of all sensors.
    pub(crate) fn pairs(&self) -> Vec<[usize; 2]> {
        self.sensors.iter().flat_map(|(_, pairs)| pairs.iter().copied()).collect()
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.sensors.is_empty()
    }

    /// Adds the tables, if there are sensors.
    pub(crate) fn add_tables(&self, m: &Model, collision: &Collision, t: &mut ModelTables) {
        if self.sensors.is_empty() {
            return;
        }
        let all = || self.sensors.iter().map(|(i, _)| *i);
        for (name, code) in [("DISTANCE_SCALAR", 0), ("DISTANCE_NORMAL", 1)] {
            t.size(name, code);
        }
        let kind = |i: usize| match m.sensor_type[i] {
            SensorType::GeomDist => 0,
            SensorType::GeomNormal => 1,
            _ => 2,
        };
        t.size("NDISTANCE_SENSOR", self.sensors.len());
        t.size("DISTANCE_CONVEX", collision.convex_measurement());
        t.indices("DISTANCE_KIND", all().map(kind));
        t.indices("DISTANCE_ADR", all().map(|i| m.sensor_adr[i] as usize));
        t.scalars("DISTANCE_CUTOFF", all().map(|i| m.sensor_cutoff[i]));
        let lists: Vec<_> = self.sensors.iter().map(|(_, pairs)| pairs.clone()).collect();
        t.offsets("DISTANCE_PAIR_ADR", &lists);
        let pairs = self.pairs();
        let position = |g: usize| collision.geoms.partition_point(|&other| other < g);
        t.indices("DISTANCE_GEOMS", pairs.iter().map(|[a, b]| position(*a) | position(*b) << 16));
        let measured = |&pair: &[usize; 2]| match collision.measurement(m, pair) {
            Some(measurement) => measurement.function << 1 | usize::from(measurement.swapped),
            None => usize::MAX,
        };
        t.indices("DISTANCE_FUNCTION", pairs.iter().map(measured));
        // sum of the radii of the bounding spheres; planes have none
        let radii = |pair: &[usize; 2]| match pair.map(|g| m.geom_type[g]) {
            [GeomType::Plane, _] | [_, GeomType::Plane] => FAR,
            _ => pair.iter().map(|&g| m.geom_rbound[g]).sum(),
        };
        t.scalars("DISTANCE_RADII", pairs.iter().map(radii));
    }
}

/// One geom, or all geoms of a body.
fn geoms(m: &Model, kind: ObjType, id: i32) -> Range<usize> {
    let Ok(id) = usize::try_from(id) else { return 0..0 };
    if kind != ObjType::Body {
        return id..id + 1;
    }
    let first = m.body_geomadr[id].max(0) as usize;
    first..first + m.body_geomnum[id].max(0) as usize
}

fn unsupported(m: &Model, i: usize, pair: [usize; 2]) -> GpuBatchError {
    let [a, b] = pair.map(|g| m.geom_type[g]);
    GpuBatchError::Unsupported {
        what: format!("sensor {i} measures the distance of a {a:?} and a {b:?}"),
        instead: "write <flag sensor=\"disable\"/> to step it without sensors",
    }
}
