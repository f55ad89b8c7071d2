//! Fills the asset arrays of the model.

use super::super::lower::{id, optional, row};
use super::super::nontree::NonTreeElements;
use super::{Assets, CompiledTexture};
use crate::spec::MeshCollider;
use sim_core::{Model, ModelSizes};

/// Adds the sizes of all assets.
pub(in crate::compile) fn sizes(
    assets: &Assets<'_>,
    nontree: &NonTreeElements<'_>,
    s: &mut ModelSizes,
) {
    let sum = |f: &dyn Fn(&crate::asset::Mesh) -> usize| {
        assets.meshes.iter().map(|m| f(&m.mesh)).sum::<usize>()
    };
    s.nmesh = assets.meshes.len();
    s.nmeshvert = sum(&|m| m.vert.len() / 3);
    s.nmeshnormal = sum(&|m| m.normal.len() / 3);
    s.nmeshtexcoord = sum(&|m| m.texcoord.len() / 2);
    s.nmeshface = sum(&|m| m.face.len() / 3);
    s.nmeshgraph = sum(&|m| m.graph.len());
    s.nmeshpoly = sum(&|m| m.polygons.len());
    s.nmeshpolyvert = sum(&|m| m.polygons.vert.len());
    s.nmeshpolymap = sum(&|m| m.polygons.map.len());
    s.nbvhstatic += sum(&|m| m.bvh.len());
    s.noct = sum(&|m| m.octree.depth.len());
    s.nhfield = assets.hfields.len();
    s.nhfielddata = assets.hfields.iter().map(|h| h.field.data.len()).sum();
    s.ntex = assets.textures.len();
    s.ntexdata = assets.textures.iter().map(|t| t.texture.data.len()).sum();
    s.nmat = assets.materials.len();
    let length = |file: &str| if file.is_empty() { 0 } else { file.len() + 1 };
    let files = assets.meshes.iter().map(|m| &m.spec.file);
    let files = files.chain(nontree.skins.iter().map(|x| &x.spec.file));
    let files = files.chain(assets.hfields.iter().map(|h| &h.spec.file));
    let files = files.chain(assets.textures.iter().map(|t| &t.spec.file));
    s.npaths = files.map(|file| length(file)).sum::<usize>().max(1);
}

/// Fills every asset array. The BVH nodes of meshes follow those of bodies.
pub(in crate::compile) fn lower(assets: &Assets<'_>, nontree: &NonTreeElements<'_>, m: &mut Model) {
    meshes(assets, m);
    hfields(assets, m);
    textures(assets, m);
    materials(assets, m);
    paths(assets, nontree, m);
}

fn meshes(assets: &Assets<'_>, m: &mut Model) {
    let mut bvh_adr = m.body_bvhnum.iter().map(|&n| usize::try_from(n).unwrap_or(0)).sum::<usize>();
    let (mut vert, mut normal, mut texcoord, mut face) = (0, 0, 0, 0);
    let (mut graph, mut poly, mut polyvert, mut polymap, mut oct) = (0, 0, 0, 0, 0);
    for (i, out) in assets.meshes.iter().enumerate() {
        let mesh = &*out.mesh;
        let start = |list_is_empty: bool, at: usize| if list_is_empty { -1 } else { id(at) };
        m.mesh_vertadr[i] = id(vert);
        m.mesh_vertnum[i] = id(mesh.nvert());
        m.mesh_normaladr[i] = id(normal);
        m.mesh_normalnum[i] = id(mesh.normal.len() / 3);
        m.mesh_texcoordadr[i] = start(mesh.texcoord.is_empty(), texcoord);
        m.mesh_texcoordnum[i] = id(mesh.texcoord.len() / 2);
        m.mesh_faceadr[i] = id(face);
        m.mesh_facenum[i] = id(mesh.nface());
        m.mesh_graphadr[i] = start(mesh.graph.is_empty(), graph);
        m.mesh_polyadr[i] = id(poly);
        m.mesh_polynum[i] = id(mesh.polygons.len());
        m.mesh_bvhadr[i] = start(mesh.bvh.is_empty(), bvh_adr);
        m.mesh_bvhnum[i] = id(mesh.bvh.len());
        m.mesh_octadr[i] = start(mesh.octree.depth.is_empty(), oct);
        m.mesh_octnum[i] = id(mesh.octree.depth.len());
        m.mesh_triangles[i] = out.spec.collider == MeshCollider::Triangles;
        row(&mut m.mesh_scale, i, &mesh.scale);
        row(&mut m.mesh_pos, i, &mesh.pos);
        row(&mut m.mesh_quat, i, &mesh.quat);

        copy_at(&mut m.mesh_vert, 3 * vert, &mesh.vert);
        copy_at(&mut m.mesh_normal, 3 * normal, &mesh.normal);
        copy_at(&mut m.mesh_texcoord, 2 * texcoord, &mesh.texcoord);
        copy_at(&mut m.mesh_face, 3 * face, &mesh.face);
        copy_at(&mut m.mesh_facenormal, 3 * face, &mesh.facenormal);
        copy_at(&mut m.mesh_facetexcoord, 3 * face, &mesh.facetexcoord);
        copy_at(&mut m.mesh_graph, graph, &mesh.graph);
        let p = &mesh.polygons;
        copy_at(&mut m.mesh_polynormal, 3 * poly, p.normal.as_flattened());
        copy_at(&mut m.mesh_polyvertnum, poly, &p.vertnum);
        copy_at(&mut m.mesh_polyvert, polyvert, &p.vert);
        copy_at(&mut m.mesh_polymapnum, vert, &p.mapnum);
        copy_at(&mut m.mesh_polymap, polymap, &p.map);
        for (to, from) in m.mesh_polyvertadr[poly..].iter_mut().zip(&p.vertadr) {
            *to = from + id(polyvert);
        }
        for (to, from) in m.mesh_polymapadr[vert..].iter_mut().zip(&p.mapadr) {
            *to = from + id(polymap);
        }
        copy_at(&mut m.bvh_aabb, 6 * bvh_adr, mesh.bvh.aabb.as_flattened());
        copy_at(&mut m.bvh_child, 2 * bvh_adr, mesh.bvh.child.as_flattened());
        copy_at(&mut m.bvh_nodeid, bvh_adr, &mesh.bvh.nodeid);
        copy_at(&mut m.bvh_depth, bvh_adr, &mesh.bvh.depth);
        copy_at(&mut m.oct_depth, oct, &mesh.octree.depth);
        copy_at(&mut m.oct_child, 8 * oct, mesh.octree.child.as_flattened());
        copy_at(&mut m.oct_aabb, 6 * oct, mesh.octree.aabb.as_flattened());
        copy_at(&mut m.oct_coeff, 8 * oct, mesh.octree.coeff.as_flattened());

        vert += mesh.nvert();
        normal += mesh.normal.len() / 3;
        texcoord += mesh.texcoord.len() / 2;
        face += mesh.nface();
        graph += mesh.graph.len();
        poly += p.len();
        polyvert += p.vert.len();
        polymap += p.map.len();
        bvh_adr += mesh.bvh.len();
        oct += mesh.octree.depth.len();
    }
}

/// Copies a slice to offset `at` of an array.
fn copy_at<T: Copy>(array: &mut [T], at: usize, list: &[T]) {
    array[at..at + list.len()].copy_from_slice(list);
}

fn hfields(assets: &Assets<'_>, m: &mut Model) {
    let mut adr = 0;
    for (i, h) in assets.hfields.iter().enumerate() {
        row(&mut m.hfield_size, i, &h.spec.size);
        m.hfield_nrow[i] = id(h.field.nrow);
        m.hfield_ncol[i] = id(h.field.ncol);
        m.hfield_adr[i] = id(adr);
        copy_at(&mut m.hfield_data, adr, &h.field.data);
        adr += h.field.data.len();
    }
}

fn textures(assets: &Assets<'_>, m: &mut Model) {
    let mut adr = 0;
    for (i, CompiledTexture { spec, texture: t }) in assets.textures.iter().enumerate() {
        m.tex_type[i] = spec.ttype;
        m.tex_colorspace[i] = t.colorspace;
        m.tex_height[i] = id(t.height);
        m.tex_width[i] = id(t.width);
        m.tex_nchannel[i] = id(t.nchannel);
        m.tex_adr[i] = i64::try_from(adr).unwrap_or(i64::MAX);
        copy_at(&mut m.tex_data, adr, &t.data);
        adr += t.data.len();
    }
}

fn materials(assets: &Assets<'_>, m: &mut Model) {
    for (i, out) in assets.materials.iter().enumerate() {
        let s = out.spec;
        let textures: Vec<i32> = out.textures.iter().map(|t| optional(*t)).collect();
        row(&mut m.mat_texid, i, &textures);
        m.mat_texuniform[i] = s.texuniform;
        row(&mut m.mat_texrepeat, i, &s.texrepeat);
        m.mat_emission[i] = s.emission;
        m.mat_specular[i] = s.specular;
        m.mat_shininess[i] = s.shininess;
        m.mat_reflectance[i] = s.reflectance;
        m.mat_metallic[i] = s.metallic;
        m.mat_roughness[i] = s.roughness;
        row(&mut m.mat_rgba, i, &s.rgba);
    }
}

/// File names of height fields, meshes, skins and textures, in this order.
fn paths(assets: &Assets<'_>, nontree: &NonTreeElements<'_>, m: &mut Model) {
    let mut at = 0;
    let mut add = |file: &str, paths: &mut [u8]| {
        if file.is_empty() {
            return -1;
        }
        copy_at(paths, at, file.as_bytes());
        let start = id(at);
        at += file.len() + 1;
        start
    };
    for (i, out) in assets.hfields.iter().enumerate() {
        m.hfield_pathadr[i] = add(&out.spec.file, &mut m.paths);
    }
    for (i, out) in assets.meshes.iter().enumerate() {
        m.mesh_pathadr[i] = add(&out.spec.file, &mut m.paths);
    }
    for (i, out) in nontree.skins.iter().enumerate() {
        m.skin_pathadr[i] = add(&out.spec.file, &mut m.paths);
    }
    for (i, out) in assets.textures.iter().enumerate() {
        m.tex_pathadr[i] = add(&out.spec.file, &mut m.paths);
    }
}
