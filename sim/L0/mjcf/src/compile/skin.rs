//! Compilation of skins (mjCSkin) and their arrays in the model.

use super::Context;
use super::asset::{self, Assets};
use super::lower::{id, optional, row};
use super::nontree::NonTreeElements;
use super::symbols::SymbolTable;
use crate::asset::{self as decoded, AssetError};
use crate::error::ErrorKind;
use crate::spec::{Skin, Spec};
use sim_core::{Model, ModelSizes};

/// A compiled skin.
#[derive(Debug)]
pub(super) struct CompiledSkin<'a> {
    pub(super) spec: &'a Skin,
    material: Option<usize>,
    data: decoded::Skin,
    /// Body of each bone.
    bodies: Vec<usize>,
}

/// Compiles a skin; reports errors.
pub(super) fn skin<'a>(
    context: &mut Context<'a, '_>,
    symbols: &SymbolTable<'a>,
    assets: &Assets<'a>,
    spec: &'a Skin,
) -> Option<CompiledSkin<'a>> {
    let material = assets.material(context, symbols, &spec.material, (spec.origin, "skin"));
    let data = match data(context.spec, spec) {
        Ok(data) => data,
        Err((attribute, kind)) => {
            context.error(spec.origin, "skin", attribute, kind);
            return None;
        }
    };
    let attribute = if spec.file.is_empty() { "body" } else { "file" };
    let reference = (spec.origin, "skin", attribute);
    let bodies =
        data.bones.iter().map(|b| symbols.find(context, &symbols.body, "body", &b.body, reference));
    let bodies = bodies.collect::<Option<_>>()?;
    Some(CompiledSkin { spec, material, data, bodies })
}

/// Reads, checks and normalizes the data of a skin.
fn data(spec: &Spec, skin: &Skin) -> Result<decoded::Skin, (Option<&'static str>, ErrorKind)> {
    if skin.file.is_empty() {
        let inline = decoded::Skin {
            vert: skin.vertex.to_vec(),
            texcoord: skin.texcoord.to_vec(),
            face: skin.face.to_vec(),
            bones: skin.bones.iter().map(bone).collect(),
        };
        return inline.compile().map_err(|e| (None, ErrorKind::Invalid(e.to_string())));
    }
    let given = [skin.vertex.is_empty(), skin.texcoord.is_empty(), skin.face.is_empty()];
    if given.contains(&false) || !skin.bones.is_empty() {
        let message = "defines the skin: remove `vertex`, `texcoord`, `face` and the bones";
        return Err((Some("file"), ErrorKind::Invalid(message.to_owned())));
    }
    if !skin.file.to_ascii_lowercase().ends_with(".skn") {
        let message = format!("{}: the extension of a skin file must be `.skn`", skin.file);
        return Err((Some("file"), ErrorKind::Invalid(message)));
    }
    let bytes = asset::read_bytes(spec, skin.origin, &skin.file).map_err(|e| (Some("file"), e))?;
    let file_error =
        |e: AssetError| (Some("file"), ErrorKind::Invalid(format!("{}: {e}", skin.file)));
    decoded::Skin::decode(&bytes).and_then(decoded::Skin::compile).map_err(file_error)
}

fn bone(b: &crate::spec::SkinBone) -> decoded::SkinBone {
    decoded::SkinBone {
        body: b.body.clone(),
        bindpos: b.bindpos,
        bindquat: b.bindquat,
        vertid: b.vertid.to_vec(),
        vertweight: b.vertweight.to_vec(),
    }
}

/// Adds the sizes of the skins.
pub(super) fn sizes(skins: &[CompiledSkin<'_>], s: &mut ModelSizes) {
    s.nskin = skins.len();
    for skin in skins {
        let data = &skin.data;
        s.nskinvert += data.vert.len() / 3;
        s.nskintexvert += data.texcoord.len() / 2;
        s.nskinface += data.face.len() / 3;
        s.nskinbone += data.bones.len();
        s.nskinbonevert += data.bones.iter().map(|b| b.vertid.len()).sum::<usize>();
    }
}

/// Fills the skin arrays of the model, except the file names.
pub(super) fn lower(nontree: &NonTreeElements<'_>, m: &mut Model) {
    let (mut vert, mut texcoord, mut face, mut bone, mut bonevert) = (0, 0, 0, 0, 0);
    for (i, skin) in nontree.skins.iter().enumerate() {
        let (s, data) = (skin.spec, &skin.data);
        m.skin_matid[i] = optional(skin.material);
        m.skin_group[i] = s.group;
        row(&mut m.skin_rgba, i, &s.rgba);
        m.skin_inflate[i] = s.inflate;
        m.skin_vertadr[i] = id(vert);
        m.skin_vertnum[i] = id(data.vert.len() / 3);
        m.skin_texcoordadr[i] = if data.texcoord.is_empty() { -1 } else { id(texcoord) };
        m.skin_faceadr[i] = id(face);
        m.skin_facenum[i] = id(data.face.len() / 3);
        m.skin_boneadr[i] = id(bone);
        m.skin_bonenum[i] = id(data.bones.len());
        put(&mut m.skin_vert, 3 * vert, &data.vert);
        put(&mut m.skin_texcoord, 2 * texcoord, &data.texcoord);
        put(&mut m.skin_face, 3 * face, &data.face);
        for (b, &body) in data.bones.iter().zip(&skin.bodies) {
            m.skin_bonevertadr[bone] = id(bonevert);
            m.skin_bonevertnum[bone] = id(b.vertid.len());
            row(&mut m.skin_bonebindpos, bone, &b.bindpos);
            row(&mut m.skin_bonebindquat, bone, &b.bindquat);
            m.skin_bonebodyid[bone] = id(body);
            put(&mut m.skin_bonevertid, bonevert, &b.vertid);
            put(&mut m.skin_bonevertweight, bonevert, &b.vertweight);
            bonevert += b.vertid.len();
            bone += 1;
        }
        vert += data.vert.len() / 3;
        texcoord += data.texcoord.len() / 2;
        face += data.face.len() / 3;
    }
}

/// Writes `values` at `adr`.
fn put<T: Copy>(array: &mut [T], adr: usize, values: &[T]) {
    array[adr..adr + values.len()].copy_from_slice(values);
}
