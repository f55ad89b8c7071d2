//! Drawable parts of a scene: each geom becomes one or more transformed shapes.

use crate::geometry::Geometry;
use crate::material::{Materials, Texture};
use crate::matrix::{self, Mat4};
use crate::tessellation::Builtin;
use bytemuck::{Pod, Zeroable};
use sim_scene::{SceneGeom, SceneGeomType};
use std::ops::Range;

/// Data of a part on the device; the struct `Part` of the shader.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PartData {
    /// Object frame to model frame.
    pub model: Mat4,
    /// Columns of the matrix that transforms normals.
    pub normal: [[f32; 4]; 3],
    /// Colour and opacity.
    pub rgba: [f32; 4],
    /// Emission, specular, shininess exponent, width of lines in pixels.
    pub material: [f32; 4],
    /// Planes of the texture coordinates s, t, r.
    pub texture: [[f32; 4]; 3],
    /// Segmentation id + 1.
    pub id: u32,
    padding: [u32; 3],
}

/// Source of texture coordinates; the constant `TEXTURE` of the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Texturing {
    /// No texture.
    None = 0,
    /// Coordinates of vertices.
    Explicit = 1,
    /// Coordinates from the position in the object frame.
    Generated = 2,
    /// A cube texture in the direction of the position.
    Cube = 3,
}

/// Faces that are not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cull {
    /// Both sides are drawn.
    Never,
    /// The back side.
    Back,
    /// The front side: planes that are seen from behind.
    Front,
}

/// Transformed shapes with their texture.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Indices of the shapes.
    pub shapes: Range<u32>,
    pub data: PartData,
    pub texturing: Texturing,
    pub texture: Option<usize>,
    pub cull: Cull,
    /// Line segments of constant width instead of triangles.
    pub line: bool,
}

/// Appends the parts of a geom. `behind`: the camera is behind its plane; `dynamic` is the shape of a skin or
/// surface.
pub(crate) fn parts(
    materials: &Materials,
    geometry: &Geometry,
    geom: &SceneGeom,
    behind: bool,
    dynamic: Range<u32>,
    out: &mut Vec<Part>,
) {
    use Builtin::{Box, Cylinder, CylinderOpen, Sphere, SphereBottom, SphereTop};
    let frame = matrix::pose(geom.pos, geom.mat);
    let [x, y, z] = geom.size;
    let mut base = part(materials, geom);
    let mut add = |shapes: Range<u32>, model: &Mat4| {
        let mut part = base.clone();
        part.shapes = shapes;
        part.data.model = *model;
        part.data.normal = matrix::normal_matrix(model);
        out.push(part);
    };
    let unit = matrix::scaled(&frame, geom.size);
    match geom.kind {
        SceneGeomType::Plane => {
            let (shapes, model) = match geometry.plane(geom.dataid) {
                Some(shapes) => (shapes, frame),
                None => (geometry.unit_plane(), matrix::scaled(&frame, [x, y, 1.0])),
            };
            if behind {
                base.cull = Cull::Front;
                base.data.rgba[3] *= 0.3;
            }
            let mut part = base.clone();
            part.shapes = shapes;
            part.data.model = model;
            part.data.normal = matrix::normal_matrix(&model);
            out.push(part);
        }
        SceneGeomType::HField => add(geometry.hfield(geom.dataid), &frame),
        SceneGeomType::Mesh | SceneGeomType::Sdf => add(geometry.mesh(geom.dataid), &frame),
        SceneGeomType::Sphere | SceneGeomType::Ellipsoid => add(geometry.builtin(Sphere), &unit),
        SceneGeomType::Cylinder => add(geometry.builtin(Cylinder), &unit),
        SceneGeomType::Box => add(geometry.builtin(Box), &unit),
        SceneGeomType::Capsule => {
            // caps have the mean radius as height
            let cap = 0.5 * (x + y);
            add(geometry.builtin(CylinderOpen), &unit);
            let scaled = matrix::scaled(&frame, [x, y, cap]);
            let offset = [0.0, 0.0, (z - cap) / cap.max(1e-20)];
            add(geometry.builtin(SphereTop), &matrix::translated(&scaled, offset));
            let offset = offset.map(|x| -x);
            add(geometry.builtin(SphereBottom), &matrix::translated(&scaled, offset));
        }
        SceneGeomType::Arrow | SceneGeomType::Arrow1 | SceneGeomType::Arrow2 => {
            arrow(geometry, geom, &frame, &mut add);
        }
        SceneGeomType::Line | SceneGeomType::LineBox | SceneGeomType::Triangle => {
            out.push(flat(materials, geometry, geom, &frame, base));
        }
        SceneGeomType::Skin | SceneGeomType::Surface => add(dynamic, &matrix::IDENTITY),
        // edges and vertices of a flex are geoms of their own
        SceneGeomType::Flex if dynamic.is_empty() => {}
        SceneGeomType::Flex => add(dynamic, &matrix::IDENTITY),
        SceneGeomType::Label | SceneGeomType::None => {}
    }
}

/// Adds the shaft and the tips of an arrow.
fn arrow(
    geometry: &Geometry,
    geom: &SceneGeom,
    frame: &Mat4,
    add: &mut impl FnMut(Range<u32>, &Mat4),
) {
    use Builtin::{Cone, Cylinder, CylinderOpen};
    let [x, y, z] = geom.size;
    if geom.kind == SceneGeomType::Arrow2 {
        let shaft = matrix::scaled(frame, [x, y, z / 3.0]);
        add(geometry.builtin(CylinderOpen), &shaft);
        let wide = matrix::scaled(&shaft, [1.75, 1.75, 0.5]);
        let up = matrix::translated(&wide, [0.0, 0.0, 2.0]);
        let down = matrix::translated(&wide, [0.0, 0.0, -2.0]);
        add(geometry.builtin(Cone), &matrix::scaled(&down, [1.0, -1.0, -1.0]));
        add(geometry.builtin(Cone), &up);
        return;
    }
    let shaft = matrix::scaled(frame, [x, y, z / 6.0]);
    add(geometry.builtin(Cylinder), &matrix::translated(&shaft, [0.0, 0.0, 1.0]));
    let tip = matrix::translated(&shaft, [0.0, 0.0, 2.0]);
    let width = if geom.kind == SceneGeomType::Arrow { 1.75 } else { 1.0 };
    add(geometry.builtin(Cone), &matrix::scaled(&tip, [width, width, 1.0]));
}

/// Lines and triangles, of which both sides are drawn.
fn flat(
    materials: &Materials,
    geometry: &Geometry,
    geom: &SceneGeom,
    frame: &Mat4,
    base: Part,
) -> Part {
    let [x, y, z] = geom.size;
    let (shapes, scale, width) = match geom.kind {
        SceneGeomType::Line => (&geometry.line, [1.0, 1.0, z], Some(x)),
        SceneGeomType::LineBox => (&geometry.line_box, geom.size, Some(1.5)),
        _ => (&geometry.triangle, [x, y, 1.0], None),
    };
    let mut part =
        Part { shapes: shapes.clone(), cull: Cull::Never, line: width.is_some(), ..base };
    part.data.model = matrix::scaled(frame, scale);
    part.data.normal = matrix::normal_matrix(frame);
    part.data.material[3] = width.unwrap_or(1.0) * materials.line_width;
    part
}

/// A part without shapes, with the colour and texture of a geom.
fn part(materials: &Materials, geom: &SceneGeom) -> Part {
    let rgba = geom.rgba;
    let (texturing, texture, planes) = texture(materials, geom);
    Part {
        shapes: 0..0,
        data: PartData {
            model: matrix::IDENTITY,
            normal: matrix::normal_matrix(&matrix::IDENTITY),
            rgba,
            material: [geom.emission, geom.specular, geom.shininess * 128.0, 1.0],
            texture: planes,
            id: geom.segid.saturating_add(1).max(0) as u32,
            padding: [0; 3],
        },
        texturing,
        texture,
        cull: Cull::Back,
        line: false,
    }
}

/// Texture of a geom's material, and the planes of its coordinates.
fn texture(materials: &Materials, geom: &SceneGeom) -> (Texturing, Option<usize>, [[f32; 4]; 3]) {
    let none = (Texturing::None, None, [[0.0; 4]; 3]);
    let Some(&Texture { id, flat, uniform, repeat }) = materials.texture(geom.matid) else {
        return none;
    };
    let size = geom.size;
    if geom.texcoord {
        return if flat { (Texturing::Explicit, Some(id), [[0.0; 4]; 3]) } else { none };
    }
    if !flat {
        let [x, y, z] = if uniform { size } else { [1.0; 3] };
        let planes = [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]];
        return (Texturing::Cube, Some(id), planes);
    }
    let mut scale = repeat;
    for k in 0..2 {
        if size[k] > 0.0 {
            // vertices with their own size instead of a unit shape
            if geom.dataid >= 0 {
                scale[k] /= size[k].max(1e-15);
            }
            if uniform {
                scale[k] *= size[k];
            }
        }
    }
    let planes = [[0.5 * scale[0], 0.0, 0.0, -0.5], [0.0, -0.5 * scale[1], 0.0, -0.5], [0.0; 4]];
    (Texturing::Generated, Some(id), planes)
}

impl Part {
    /// The skybox: a cylinder around the camera, seen from inside.
    pub(crate) fn skybox(geometry: &Geometry, texture: usize, head: [f32; 3], scale: f32) -> Self {
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let model = matrix::scaled(&matrix::pose(head, identity), [scale; 3]);
        let mut part = Self::unlit(geometry.builtin(Builtin::Cylinder), model, [1.0; 4]);
        part.texturing = Texturing::Cube;
        part.texture = Some(texture);
        // a rotation by a quarter turn about x
        part.data.texture = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0]];
        part.cull = Cull::Front;
        part
    }

    /// A part with a constant colour.
    pub(crate) fn unlit(shapes: Range<u32>, model: Mat4, rgba: [f32; 4]) -> Self {
        Self {
            shapes,
            data: PartData {
                model,
                normal: matrix::normal_matrix(&model),
                rgba,
                material: [0.0, 0.0, 0.0, 1.0],
                texture: [[0.0; 4]; 3],
                id: 0,
                padding: [0; 3],
            },
            texturing: Texturing::None,
            texture: None,
            cull: Cull::Front,
            line: false,
        }
    }
}
