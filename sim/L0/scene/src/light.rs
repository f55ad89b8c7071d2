//! Lights (`mjvLight`, `mjv_makeLights`).

use crate::transform::camera_in_model;
use crate::{Scene, SceneError, single};
use sim_core::math::rows;
use sim_core::types::LightType;
use sim_core::{Data, Model};

/// Largest number of lights of a scene (`mjMAXLIGHT`).
pub const MAXLIGHT: usize = 100;

/// A light (`mjvLight`).
#[doc(alias = "mjvLight")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Light of the model; -1 for the headlight.
    pub id: i32,
    /// Position (m).
    pub pos: [f32; 3],
    /// Direction of emission.
    pub dir: [f32; 3],
    /// Type.
    pub kind: LightType,
    /// Texture of an image light; -1 for none.
    pub texid: i32,
    /// Constant, linear and quadratic attenuation of a spot light with distance.
    pub attenuation: [f32; 3],
    /// Half-angle of a spot light (degrees).
    pub cutoff: f32,
    /// Exponent of the decay of a spot light with the angle.
    pub exponent: f32,
    /// Ambient colour (r, g, b).
    pub ambient: [f32; 3],
    /// Diffuse colour (r, g, b).
    pub diffuse: [f32; 3],
    /// Specular colour (r, g, b).
    pub specular: [f32; 3],
    /// Whether this is the headlight.
    pub headlight: bool,
    /// Whether the light casts shadows.
    pub castshadow: bool,
    /// Radius of the bulb (m).
    pub bulbradius: f32,
    /// Intensity (cd).
    pub intensity: f32,
    /// Range of effect (m).
    pub range: f32,
}

/// Replaces the lights of the scene: the headlight at the cameras of the scene, then the active lights of the
/// model.
///
/// # Errors
///
/// If the cameras of the scene are not set and there is a headlight.
#[doc(alias = "mjv_makeLights")]
pub fn mjv_make_lights(m: &Model, d: &Data, scene: &mut Scene) -> Result<(), SceneError> {
    scene.lights.clear();
    let head = &m.vis.headlight;
    if head.active != 0 {
        let frame = camera_in_model(scene)?;
        scene.lights.push(Light {
            id: -1,
            pos: frame.pos.map(single),
            dir: frame.forward.map(single),
            kind: LightType::Directional,
            texid: -1,
            attenuation: [0.0; 3],
            cutoff: 0.0,
            exponent: 0.0,
            ambient: head.ambient,
            diffuse: head.diffuse,
            specular: head.specular,
            headlight: true,
            castshadow: false,
            bulbradius: 0.02,
            intensity: 0.0,
            range: 10.0,
        });
    }
    for i in (0..m.nlight).filter(|&i| m.light_active[i]) {
        if scene.lights.len() >= MAXLIGHT {
            break;
        }
        let color = |array: &[f32]| array.as_chunks::<3>().0[i];
        let spot = m.light_type[i] == LightType::Spot;
        scene.lights.push(Light {
            id: i32::try_from(i).unwrap_or(-1),
            pos: rows::<3>(&d.light_xpos)[i].map(single),
            dir: rows::<3>(&d.light_xdir)[i].map(single),
            kind: m.light_type[i],
            texid: m.light_texid[i],
            attenuation: if spot { color(&m.light_attenuation) } else { [0.0; 3] },
            cutoff: if spot { m.light_cutoff[i] } else { 0.0 },
            exponent: if spot { m.light_exponent[i] } else { 0.0 },
            ambient: color(&m.light_ambient),
            diffuse: color(&m.light_diffuse),
            specular: color(&m.light_specular),
            headlight: false,
            castshadow: m.light_castshadow[i],
            bulbradius: m.light_bulbradius[i],
            intensity: m.light_intensity[i],
            range: m.light_range[i],
        });
    }
    Ok(())
}
