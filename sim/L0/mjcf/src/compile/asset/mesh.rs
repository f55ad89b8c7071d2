//! Compilation of meshes, in parallel.

use super::super::Context;
use super::super::plugin::Plugins;
use super::super::symbols::SymbolTable;
use super::{CompiledMesh, cached, read};
use crate::asset::{
    self, AssetError, AssetKey, BuiltinMesh, MeshFormat, MeshOptions, MeshSource, compile_mesh,
    decode_mesh, isosurface,
};
use crate::error::ErrorKind;
use crate::spec::{Mesh, MeshCollider, MeshInertia, Spec};
use rayon::prelude::*;
use sim_core::types::GeomType;
use sim_core::{Capabilities, SignedDistance};
use std::collections::HashSet;
use std::sync::Arc;

/// The attribute that caused an error, and the error.
type Failure = (&'static str, ErrorKind);

/// Compiles every mesh and reports errors.
pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    plugins: &Plugins<'a>,
) -> Vec<CompiledMesh<'a>> {
    let spec = context.spec;
    let (hull, sdf) = requirements(spec, symbols);
    let fields: Vec<_> = spec.meshes.iter().map(|m| signed_distance(context, plugins, m)).collect();
    let one = |(i, m): (usize, &Mesh)| match &fields[i] {
        Some(field) => sdf_mesh(&**field, options(m, hull[i], false)),
        None if m.plugin.is_some() => Ok(Arc::default()),
        None => mesh(spec, m, options(m, hull[i], sdf[i])),
    };
    let compiled: Vec<_> = if spec.compiler.usethread && spec.meshes.len() > 1 {
        spec.meshes.par_iter().enumerate().map(one).collect()
    } else {
        spec.meshes.iter().enumerate().map(one).collect()
    };
    let mut out = Vec::with_capacity(compiled.len());
    for (m, result) in spec.meshes.iter().zip(compiled) {
        let mesh = result.unwrap_or_else(|(attribute, kind)| {
            context.error(m.origin, "mesh", Some(attribute), kind);
            Arc::default()
        });
        out.push(CompiledMesh { spec: m, mesh });
    }
    out
}

/// Which meshes require a convex hull, and which a signed distance field.
fn requirements(spec: &Spec, symbols: &SymbolTable<'_>) -> (Vec<bool>, Vec<bool>) {
    let mut hull = vec![false; spec.meshes.len()];
    let mut sdf = hull.clone();
    let paired: HashSet<&str> =
        spec.pairs.iter().flat_map(|p| [p.geom1.as_str(), p.geom2.as_str()]).collect();
    for g in symbols.bodies.iter().flat_map(|b| &spec.bodies[b.0].geoms) {
        if g.mesh.is_empty() || !matches!(g.gtype, GeomType::Mesh | GeomType::Sdf) {
            continue;
        }
        let Some(id) = symbols.mesh.get(&g.mesh) else { continue };
        let collides = g.contype != 0
            || g.conaffinity != 0
            || (!g.name.is_empty() && paired.contains(g.name.as_str()));
        let by_hull = g.gtype != GeomType::Mesh || spec.meshes[id].collider == MeshCollider::Hull;
        hull[id] |= collides && by_hull || spec.meshes[id].inertia == MeshInertia::Convex;
        sdf[id] |= g.gtype == GeomType::Sdf;
    }
    (hull, sdf)
}

fn options(m: &Mesh, need_hull: bool, need_sdf: bool) -> MeshOptions {
    MeshOptions {
        scale: m.scale,
        refpos: m.refpos,
        refquat: m.refquat,
        smoothnormal: m.smoothnormal,
        maxhullvert: usize::try_from(m.maxhullvert).ok(),
        inertia: m.inertia,
        need_hull,
        need_sdf,
        keep_frame: false,
    }
}

/// The signed distance field of the plugin of a mesh; `None` without a plugin, or if it is invalid.
fn signed_distance(
    context: &mut Context<'_, '_>,
    plugins: &Plugins<'_>,
    m: &Mesh,
) -> Option<Arc<dyn SignedDistance>> {
    let plugin = m.plugin.as_deref()?;
    let instance = plugins.find(context, Some(plugin), (Capabilities::SDF, "distance fields"))?;
    if m.scale != [1.0; 3] {
        let message = "cannot be combined with a plugin: set the lengths in its configuration";
        context.invalid(m.origin, "mesh", Some("scale"), message);
    }
    let given = !m.file.is_empty() || !m.vertex.is_empty() || !m.builtin.is_empty();
    if given {
        let message = "the plugin defines the mesh: remove `file`, `vertex` and `builtin`";
        context.invalid(plugin.origin, "plugin", None, message);
    }
    plugins.signed_distance(context, instance, plugin.origin)
}

/// Compiles the zero level set of a signed distance field.
fn sdf_mesh(field: &dyn SignedDistance, options: MeshOptions) -> Result<Arc<asset::Mesh>, Failure> {
    let options = MeshOptions { keep_frame: true, ..options };
    let made = isosurface(field).and_then(|source| compile_mesh(source, &options));
    made.map(Arc::new).map_err(|e| ("plugin", invalid(&e)))
}

/// Compiles one mesh from its file, its attributes or both.
fn mesh(spec: &Spec, m: &Mesh, mut options: MeshOptions) -> Result<Arc<asset::Mesh>, Failure> {
    if let Some(builtin) = BuiltinMesh::named(&m.builtin) {
        let made = builtin.make(&m.params).map_err(|e| ("params", invalid(&e)))?;
        let (source, inertia) = made;
        options.inertia = inertia.unwrap_or(options.inertia);
        return compile_mesh(source, &options).map(Arc::new).map_err(|e| attribute_error(m, &e));
    }
    let inline = MeshSource {
        vert: m.vertex.to_vec(),
        normal: m.normal.to_vec(),
        texcoord: m.texcoord.to_vec(),
        face: m.face.to_vec(),
        ..MeshSource::default()
    };
    if m.file.is_empty() {
        return compile_mesh(inline, &options).map(Arc::new).map_err(|e| attribute_error(m, &e));
    }
    let declared = (!m.content_type.is_empty()).then_some(m.content_type.as_str());
    let format = MeshFormat::of(&m.file, declared).map_err(|e| ("file", invalid(&e)))?;
    let folder = &spec.compiler_of(m.origin).meshdir;
    let file = read(spec, m.origin, folder, &m.file).map_err(|kind| ("file", kind))?;
    let make = || {
        let decoded = decode_mesh(format, &file.bytes)?;
        compile_mesh(decoded.with_inline(&inline)?, &options)
    };
    // Inline data are not part of the cache key.
    let made = if inline == MeshSource::default() {
        cached(spec, &file, |path, v| AssetKey::mesh(path, v, format, &options), make)
    } else {
        make().map(Arc::new)
    };
    made.map_err(|e| attribute_error(m, &e))
}

fn invalid(error: &AssetError) -> ErrorKind {
    ErrorKind::Invalid(error.to_string())
}

/// An error about the content of a file, with the file name.
fn file_error(m: &Mesh, error: &AssetError) -> ErrorKind {
    ErrorKind::Invalid(format!("{}: {error}", m.file))
}

/// Attributes an error to the attribute that provided the data.
fn attribute_error(m: &Mesh, error: &AssetError) -> Failure {
    if !m.file.is_empty() {
        ("file", file_error(m, error))
    } else if !m.builtin.is_empty() {
        ("builtin", invalid(error))
    } else if m.face.iter().any(|&v| usize::try_from(v).map_or(true, |v| 3 * v >= m.vertex.len())) {
        ("face", invalid(error))
    } else {
        ("vertex", invalid(error))
    }
}
