//! Points and elements of a `flexcomp` from mesh files.

use super::super::Reader;
use super::{Failure, FlexComp};
use crate::asset::decode::{decode_gmsh_mesh, decode_mesh};
use crate::asset::{AssetError, MeshFormat};
use crate::vfs::join;
use sim_core::math::vec3::{cross, dot, sub};
use sim_core::types::MINVAL;
use std::collections::HashMap;
use std::sync::Arc;

impl Reader<'_> {
    /// Reads the file of a `flexcomp`.
    fn flexcomp_file(&self, c: &FlexComp) -> Result<Arc<Vec<u8>>, Failure> {
        if c.file.is_empty() {
            return Err((Some("file"), "is required for this type".to_owned()));
        }
        let path = join(&self.spec.directory, &join(&self.spec.compiler.meshdir, &c.file));
        self.loader.vfs().read(&path).map_err(|e| (Some("file"), e.to_string()))
    }

    /// Points and elements of a Gmsh file, which also determines the dimension.
    pub(super) fn flexcomp_gmsh(&self, c: &mut FlexComp) -> Result<(), Failure> {
        let bytes = self.flexcomp_file(c)?;
        let mesh = decode_gmsh_mesh(&bytes).map_err(|e| file_error(c, &e))?;
        c.flex.dim = mesh.dim;
        c.points = mesh.points;
        c.elem = mesh.elements;
        Ok(())
    }

    /// Triangles of a surface mesh, or tetrahedra between its triangles and one more point.
    pub(super) fn flexcomp_mesh(&self, c: &mut FlexComp) -> Result<(), Failure> {
        if c.flex.dim < 2 {
            return Err((Some("dim"), "must be 2 or 3 for a mesh".to_owned()));
        }
        let format = MeshFormat::of(&c.file, None).map_err(|e| file_error(c, &e))?;
        if format == MeshFormat::Msh {
            let message = "legacy MSH files are not supported here: use OBJ or STL";
            return Err((Some("file"), message.to_owned()));
        }
        let bytes = self.flexcomp_file(c)?;
        let mesh = decode_mesh(format, &bytes).map_err(|e| file_error(c, &e))?;
        if mesh.vert.is_empty() || mesh.face.is_empty() {
            return Err((Some("file"), format!("{}: the mesh has no triangles", c.file)));
        }
        let count = mesh.vert.len() / 3;
        let outside = |&v: &i32| usize::try_from(v).map_or(true, |v| v >= count);
        if mesh.face.iter().any(outside) {
            return Err((Some("file"), format!("{}: a face has a vertex out of range", c.file)));
        }
        let (points, faces) = merge_repeated(&mesh.vert, mesh.face);
        if !mesh.texcoord.is_empty() {
            c.texcoord = mesh.texcoord;
            c.elemtexcoord = mesh.facetexcoord;
        }
        if c.flex.dim == 2 {
            (c.points, c.elem) = (points, faces);
            return Ok(());
        }
        c.points = c.apex.iter().copied().chain(points).collect();
        for face in faces.as_chunks::<3>().0 {
            let corners = face.map(|v| v + 1);
            let [a, b, d] = corners.map(|v| {
                let at = 3 * v as usize;
                sub([c.points[at], c.points[at + 1], c.points[at + 2]], c.apex)
            });
            // only tetrahedra with positive volume
            if dot(cross(a, b), d) >= MINVAL {
                c.elem.push(0);
                c.elem.extend(corners);
            }
        }
        Ok(())
    }
}

fn file_error(c: &FlexComp, error: &AssetError) -> Failure {
    (Some("file"), format!("{}: {error}", c.file))
}

/// Merges vertices with equal coordinates, in the order of their first occurrence.
fn merge_repeated(vert: &[f32], mut faces: Vec<i32>) -> (Vec<f64>, Vec<i32>) {
    let mut points = Vec::new();
    let mut index = HashMap::new();
    let merged: Vec<i32> = vert
        .as_chunks::<3>()
        .0
        .iter()
        .map(|v| {
            // adding zero makes both signs of zero equal
            *index.entry(v.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                points.extend(v.map(f64::from));
                points.len() as i32 / 3 - 1
            })
        })
        .collect();
    faces.iter_mut().for_each(|v| *v = merged[*v as usize]);
    (points, faces)
}
