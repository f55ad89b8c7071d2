//! Contacts at points on the surface of a deformable body, and the forces that they carried.

use crate::math::vec3::Vec3;
use sim_deformable::Body;

/// Identifies a contact (instance, geom, feature) or an attachment (instance, [`ATTACHMENT`], index) from
/// step to step.
pub(crate) type ConstraintKey = (u32, u32, u32);

/// In place of the geom in the key of an attachment.
pub(crate) const ATTACHMENT: u32 = u32::MAX;

/// A contact between a geom and a point on the surface of a deformable body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceContact {
    pub instance: usize,
    pub location: SurfacePoint,
    pub geom: usize,
    /// Index of the vertex, or of the segment or triangle after all vertices: identifies the contact from
    /// step to step.
    pub feature: u32,
    /// Force on the deformable body that is applied before the solve, N, world frame.
    pub predicted_force: Vec3,
    /// Force on the deformable body, N, world frame.
    pub force: Vec3,
}

/// A point on a deformable body: up to three particles with barycentric weights.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SurfacePoint {
    pub particles: [u32; 3],
    pub weights: [f64; 3],
    pub count: usize,
}

impl SurfacePoint {
    /// The point at a particle.
    pub(crate) fn vertex(vertex: u32) -> Self {
        Self { particles: [vertex; 3], weights: [1.0, 0.0, 0.0], count: 1 }
    }

    /// Its particles with their weights.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let pairs = self.particles.iter().zip(&self.weights);
        pairs.take(self.count).map(|(&particle, &weight)| (particle as usize, weight))
    }

    /// Interpolates a per-particle vector: `Σ wᵢ f(i)`.
    pub(crate) fn interpolate(&self, f: impl Fn(usize) -> Vec3) -> Vec3 {
        let mut sum = [0.0; 3];
        for (particle, weight) in self.iter() {
            let value = f(particle);
            for k in 0..3 {
                sum[k] += weight * value[k];
            }
        }
        sum
    }

    /// Inverse of the effective mass of the point, `Σ wᵢ²/mᵢ`, 1/kg.
    pub(crate) fn inverse_mass(&self, body: &Body) -> f64 {
        self.iter().map(|(i, weight)| weight * weight * body.inverse_masses()[i]).sum()
    }
}

/// Force of a contact or an attachment in the previous step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForceRecord {
    pub key: ConstraintKey,
    /// Mean force on the deformable body over the step, N, world frame.
    pub force: Vec3,
    /// Part of it that was present in the step before as well: the prediction for the next step.
    pub sustained: Vec3,
}

/// Finds force records by key; constant time for queries in the order of the keys.
#[derive(Debug)]
pub(crate) struct RecordLookup<'a> {
    records: &'a [ForceRecord],
    next: usize,
}

impl<'a> RecordLookup<'a> {
    pub(crate) fn new(records: &'a [ForceRecord]) -> Self {
        Self { records, next: 0 }
    }

    pub(crate) fn find(&mut self, key: ConstraintKey) -> Option<&'a ForceRecord> {
        if self.records.get(self.next).is_none_or(|record| record.key != key) {
            self.next = self.records.binary_search_by_key(&key, |record| record.key).ok()?;
        }
        self.next += 1;
        self.records.get(self.next - 1)
    }
}

impl SurfaceContact {
    pub(crate) fn key(&self) -> ConstraintKey {
        (self.instance as u32, self.geom as u32, self.feature)
    }
}
