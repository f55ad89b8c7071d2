//! What a renderer keeps of a model: material textures, fog, shadows and skins.

use sim_core::Model;
use sim_core::types::TextureType;

/// Texture of a material.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texture {
    /// Index of the texture.
    pub id: usize,
    /// Whether it is two-dimensional, not a cube.
    pub flat: bool,
    /// Whether it repeats per unit of length, not per object.
    pub uniform: bool,
    /// Number of repetitions.
    pub repeat: [f32; 2],
}

/// Settings of a model that affect all images.
#[derive(Clone, Debug)]
pub(crate) struct Materials {
    /// Texture of each material.
    textures: Vec<Option<Texture>>,
    /// Width of lines in pixels.
    pub line_width: f32,
    /// Distances at which fog begins and is complete (m).
    pub fog: [f32; 2],
    pub fog_color: [f32; 4],
    pub haze_color: [f32; 4],
    /// Half width of the shadow volume of directional lights (m).
    pub shadow_clip: f32,
    /// Factor of the cutoff of spot lights in the shadow volume.
    pub shadow_scale: f32,
    pub skins: Vec<Skin>,
}

/// Triangles of a skin.
#[derive(Clone, Debug)]
pub(crate) struct Skin {
    /// Vertices of the triangles.
    pub faces: Vec<[u32; 3]>,
    /// Texture coordinates of each vertex; empty without.
    pub texcoord: Vec<[f32; 2]>,
}

impl Materials {
    pub(crate) fn new(m: &Model) -> Self {
        /// Role of the colour among the ten textures of a material.
        const ROLE_RGB: usize = 1;
        const ROLES: usize = 10;
        let texture = |i: usize| {
            let id = usize::try_from(m.mat_texid[ROLES * i + ROLE_RGB]).ok()?;
            Some(Texture {
                id,
                flat: *m.tex_type.get(id)? == TextureType::TwoD,
                uniform: m.mat_texuniform[i],
                repeat: [m.mat_texrepeat[2 * i], m.mat_texrepeat[2 * i + 1]],
            })
        };
        let skin = |i: usize| {
            let (adr, count) = (m.skin_faceadr[i] as usize, m.skin_facenum[i] as usize);
            let (faces, _) = m.skin_face[3 * adr..3 * (adr + count)].as_chunks::<3>();
            let texcoord = usize::try_from(m.skin_texcoordadr[i]).map_or(Vec::new(), |adr| {
                let count = m.skin_vertnum[i] as usize;
                m.skin_texcoord[2 * adr..2 * (adr + count)].as_chunks().0.to_vec()
            });
            Skin { faces: faces.iter().map(|face| face.map(|v| v as u32)).collect(), texcoord }
        };
        let extent = m.stat.extent;
        let length = |x: f32| (extent * f64::from(x)) as f32;
        let map = &m.vis.map;
        Self {
            textures: (0..m.nmat).map(texture).collect(),
            line_width: m.vis.global.linewidth,
            fog: [length(map.fogstart), length(map.fogend)],
            fog_color: m.vis.rgba.fog,
            haze_color: m.vis.rgba.haze,
            shadow_clip: length(map.shadowclip),
            shadow_scale: map.shadowscale,
            skins: (0..m.nskin).map(skin).collect(),
        }
    }

    /// Texture of a material; `None` for material -1 and materials without a texture.
    pub(crate) fn texture(&self, material: i32) -> Option<&Texture> {
        self.textures.get(usize::try_from(material).ok()?)?.as_ref()
    }
}
