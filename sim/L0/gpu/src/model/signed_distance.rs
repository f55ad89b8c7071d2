//! Tables of signed distance fields: closed forms and octrees of meshes.

use super::unsupported;
use crate::GpuBatchError;
use crate::layout::{ModelTables, NONE, index};
use sim_core::{GearFormula, Model, SignedDistanceFormula};
use sim_types::GeomType;

/// Codes of fields that are not primitives; those of primitives are the codes of `GeomType`.
const OCTREE: usize = 7;
const TORUS: usize = 9;
const BOWL: usize = 10;
const GEAR: usize = 11;
const BOLT: usize = 12;
const NUT: usize = 13;

/// The fields of a model that kernels evaluate.
#[derive(Debug, Default)]
pub(crate) struct SignedDistances {
    /// Address of the record of each geom with a field.
    records: Vec<(usize, usize)>,
    /// Address of the octree of each mesh.
    octrees: Vec<(usize, usize)>,
    /// Codes of all fields.
    codes: Vec<usize>,
}

impl SignedDistances {
    /// Whether a geom has a field: a plugin, or a mesh with an octree.
    pub(crate) fn is_field(m: &Model, g: usize) -> bool {
        let octree = || {
            let mesh = usize::try_from(m.geom_dataid[g]);
            mesh.is_ok_and(|mesh| m.mesh_octadr.get(mesh).is_some_and(|&adr| adr >= 0))
        };
        match m.geom_type[g] {
            GeomType::Sdf => true,
            // tactile sensors read the plugin of a mesh, which collides by its convex hull
            GeomType::Mesh => m.geom_signed_distance(g).is_some() || octree(),
            _ => false,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Adds the field of a geom, once. Returns the address of its record: the code of the field, and the address of its
    /// parameters or of its octree.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] if it has none that kernels can evaluate.
    pub(crate) fn add(
        &mut self,
        m: &Model,
        g: usize,
        t: &mut ModelTables,
    ) -> Result<usize, GpuBatchError> {
        if let Some((_, record)) = self.records.iter().find(|(other, _)| *other == g) {
            return Ok(*record);
        }
        let (code, adr) = self.store(m, g, t)?;
        let record = t.index.len();
        t.index.extend([code, adr].map(index));
        self.records.push((g, record));
        self.codes.push(code);
        Ok(record)
    }

    /// Declares the codes of fields, and which formulas occur.
    pub(crate) fn add_constants(&self, t: &mut ModelTables) {
        for (name, kind) in [
            ("FIELD_SPHERE", GeomType::Sphere),
            ("FIELD_CAPSULE", GeomType::Capsule),
            ("FIELD_ELLIPSOID", GeomType::Ellipsoid),
            ("FIELD_CYLINDER", GeomType::Cylinder),
            ("FIELD_BOX", GeomType::Box),
        ] {
            t.size(name, kind as usize);
        }
        let primitive = GeomType::Sphere as usize..=GeomType::Box as usize;
        t.flag("HAS_FIELD_PRIMITIVE", self.codes.iter().any(|code| primitive.contains(code)));
        for (name, flag, code) in [
            ("FIELD_OCTREE", "HAS_FIELD_OCTREE", OCTREE),
            ("FIELD_TORUS", "HAS_FIELD_TORUS", TORUS),
            ("FIELD_BOWL", "HAS_FIELD_BOWL", BOWL),
            ("FIELD_GEAR", "HAS_FIELD_GEAR", GEAR),
            ("FIELD_BOLT", "HAS_FIELD_BOLT", BOLT),
            ("FIELD_NUT", "HAS_FIELD_NUT", NUT),
        ] {
            t.size(name, code);
            t.flag(flag, self.codes.contains(&code));
        }
    }

    /// Code of the field of a geom, and the address of its parameters in the real table or of its octree in the index
    /// table.
    fn store(
        &mut self,
        m: &Model,
        g: usize,
        t: &mut ModelTables,
    ) -> Result<(usize, usize), GpuBatchError> {
        let kind = m.geom_type[g];
        if !matches!(kind, GeomType::Mesh | GeomType::Sdf) {
            return Ok((kind as usize, NONE as usize));
        }
        if let Some(field) = m.geom_signed_distance(g) {
            let Some((code, parameters)) = field.formula().and_then(parameters) else {
                return Err(unsupported(format!("the field of geom {g} has no formula")));
            };
            t.real.extend(&parameters);
            return Ok((code, t.real.len() - parameters.len()));
        }
        let mesh = usize::try_from(m.geom_dataid[g]).unwrap_or(usize::MAX);
        if let Some((_, adr)) = self.octrees.iter().find(|(other, _)| *other == mesh) {
            return Ok((OCTREE, *adr));
        }
        let Some(adr) = store_octree(m, mesh, t) else {
            return Err(unsupported(format!("geom {g} has no distance field")));
        };
        self.octrees.push((mesh, adr));
        Ok((OCTREE, adr))
    }
}

/// Code and parameters of a formula, in the order in which kernels read them; `None` if they do not have it.
fn parameters(formula: SignedDistanceFormula) -> Option<(usize, Vec<f64>)> {
    use SignedDistanceFormula::{Bolt, Bowl, Gear, Nut, Torus};
    Some(match formula {
        Bolt { radius } => (BOLT, vec![radius]),
        Nut { radius } => (NUT, vec![radius]),
        Bowl { height, radius, thickness, width } => (BOWL, vec![height, radius, thickness, width]),
        Torus { major, minor } => (TORUS, vec![major, minor]),
        Gear(gear) => {
            let GearFormula {
                alpha,
                diameter,
                thickness,
                inner,
                base,
                outer,
                depth,
                stride,
                shift,
            } = gear;
            (GEAR, vec![alpha, diameter, thickness, inner, base, outer, depth, stride, shift])
        }
        _ => return None,
    })
}

/// Adds an octree: of each cell its bounding box and the distances at its corners to the real table, and the indices of
/// its children to the index table. Returns the address of its record: address of the cells, their number, children.
fn store_octree(m: &Model, mesh: usize, t: &mut ModelTables) -> Option<usize> {
    let number = |all: &[i32]| usize::try_from(*all.get(mesh)?).ok();
    let (first, count) = (number(&m.mesh_octadr)?, number(&m.mesh_octnum)?);
    let children = m.oct_child.as_chunks::<8>().0.get(first..)?.get(..count)?;
    let boxes = m.oct_aabb.as_chunks::<6>().0.get(first..)?.get(..count)?;
    let distances = m.oct_coeff.as_chunks::<8>().0.get(first..)?.get(..count)?;
    let cells = t.real.len();
    for (bounds, distances) in boxes.iter().zip(distances) {
        t.real.extend(bounds);
        t.real.extend(distances);
    }
    let record = t.index.len();
    t.index.extend([cells, count].map(index));
    let child = |&k: &i32| u32::try_from(k).unwrap_or(NONE);
    t.index.extend(children.iter().flatten().map(child));
    (count > 0).then_some(record)
}
