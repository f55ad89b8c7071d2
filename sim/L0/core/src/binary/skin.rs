//! Validation of the skins of a loaded model: indices relative to a skin, and consistent counts.

use super::flex::{below, expect, span};
use crate::Model;

/// Checks every skin.
pub(super) fn check(m: &Model) -> Result<(), String> {
    let count = |n: i32, name: &str| usize::try_from(n).map_err(|_| name.to_owned());
    for i in 0..m.nskin {
        let nvert = count(m.skin_vertnum[i], "skin_vertnum")?;
        expect(span(m.skin_vertadr[i], nvert, m.nskinvert).is_some(), "skin_vertadr")?;
        if m.skin_texcoordadr[i] >= 0 {
            let texcoord = span(m.skin_texcoordadr[i], nvert, m.nskintexvert);
            expect(texcoord.is_some(), "skin_texcoordadr")?;
        }
        let nface = count(m.skin_facenum[i], "skin_facenum")?;
        let faces = span(m.skin_faceadr[i], nface, m.nskinface).ok_or("skin_faceadr")?;
        expect(below(&m.skin_face[3 * faces.start..3 * faces.end], nvert, false), "skin_face")?;
        let nbone = count(m.skin_bonenum[i], "skin_bonenum")?;
        let bones = span(m.skin_boneadr[i], nbone, m.nskinbone).ok_or("skin_boneadr")?;
        expect(below(&m.skin_bonebodyid[bones.clone()], m.nbody, false), "skin_bonebodyid")?;
        for bone in bones {
            let num = count(m.skin_bonevertnum[bone], "skin_bonevertnum")?;
            let vertices = span(m.skin_bonevertadr[bone], num, m.nskinbonevert);
            let vertices = vertices.ok_or("skin_bonevertadr")?;
            expect(below(&m.skin_bonevertid[vertices], nvert, false), "skin_bonevertid")?;
        }
        expect(below(&m.skin_matid[i..=i], m.nmat, true), "skin_matid")?;
        expect(below(&m.skin_pathadr[i..=i], m.npaths, true), "skin_pathadr")?;
    }
    expect(below(&m.name_skinadr, m.nnames, false), "name_skinadr")
}
