//! Compiles the deformable bodies of `xpbd` into the model.

use super::Context;
use super::asset::read_text;
use super::math::{Pose, Vec3};
use crate::asset::decode::{decode_gmsh, decode_obj_surface, decode_tetgen};
use crate::schema::nearest;
use crate::spec::{Deformable, DeformableKind};
use nalgebra::Vector3;
use sim_core::deformable::{
    Body, CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, DeformableError, Material,
    SoftBody, SoftBodyConfig, SolidModel, SurfaceMesh, TetMesh,
};
use sim_core::types::ObjType;
use sim_core::{Attachment, Model};

/// The attribute that an error concerns, and its message.
type Failure = (Option<&'static str>, String);

/// Adds the deformable bodies to a model that is otherwise complete.
pub(super) fn add(context: &mut Context<'_, '_>, m: &mut Model) {
    m.deformables.config = context.spec.xpbd;
    for (k, spec) in context.spec.deformables.iter().enumerate() {
        let element = element(spec.kind);
        let before = &context.spec.deformables[..k];
        if !spec.name.is_empty() && before.iter().any(|other| other.name == spec.name) {
            let message = format!("another deformable body has the name `{}`", spec.name);
            context.invalid(spec.origin, element, Some("name"), message);
            continue;
        }
        let quat = context.orientation(spec.origin, element, &spec.alt);
        let pose = Pose { pos: spec.pos, quat };
        let made = body(context, spec, pose).and_then(|body| with_settings(spec, body));
        let made = made.and_then(|made| {
            let mut made = made;
            attach(context, m, spec, &mut made)?;
            m.add_deformable(made).map_err(|e| (None, e.to_string()))
        });
        if let Err((attribute, message)) = made {
            context.invalid(spec.origin, element, attribute, message);
        }
    }
}

pub(crate) fn element(kind: DeformableKind) -> &'static str {
    match kind {
        DeformableKind::Cloth => "cloth",
        DeformableKind::Soft => "soft",
        DeformableKind::Rope => "rope",
    }
}

/// Sets name, contact parameters and pins of a body.
fn with_settings(spec: &Deformable, mut body: Body) -> Result<sim_core::Deformable, Failure> {
    let failed = |attribute| move |e: DeformableError| (Some(attribute), e.to_string());
    body.set_contact_distance(spec.selfcollide).map_err(failed("selfcollide"))?;
    for &vertex in &spec.pins {
        body.pin(number(vertex)?).map_err(|e| (None, format!("<pin>: {e}")))?;
    }
    let mut made = sim_core::Deformable::new(spec.name.clone(), &body);
    (made.contype, made.conaffinity) = (spec.contype, spec.conaffinity);
    (made.margin, made.drag, made.rgba) = (spec.margin, spec.drag, spec.rgba);
    (made.solref, made.solimp) = (spec.solref, spec.solimp);
    Ok(made)
}

fn number(vertex: i32) -> Result<usize, Failure> {
    usize::try_from(vertex).map_err(|_| (None, format!("vertex {vertex}: count from 0")))
}

/// Resolves the attachments to rigid bodies and sites.
fn attach(
    context: &mut Context<'_, '_>,
    m: &Model,
    spec: &Deformable,
    made: &mut sim_core::Deformable,
) -> Result<(), Failure> {
    for attach in &spec.attachments {
        let (kind, name, attribute) = if attach.site.is_empty() {
            (ObjType::Body, &attach.body, "body")
        } else {
            (ObjType::Site, &attach.site, "site")
        };
        let Some(id) = m.name2id(kind, name) else {
            let message = format!("there is no {attribute} with the name `{name}`");
            context.invalid(attach.origin, "attach", Some(attribute), message);
            continue;
        };
        let vertices = attach.vertices.iter().map(|&v| number(v));
        let vertices = vertices.collect::<Result<Vec<_>, _>>()?;
        if kind == ObjType::Site {
            let holds = vertices.iter().filter_map(|&v| Attachment::to_site(m, v, id));
            made.attachments.extend(holds);
        } else {
            let holds = m.attachments_at_rest(made, &vertices, id);
            made.attachments.extend(holds.map_err(|e| (None, format!("<attach>: {e}")))?);
        }
    }
    Ok(())
}

/// Builds the body in the world frame.
fn body(context: &Context<'_, '_>, spec: &Deformable, pose: Pose) -> Result<Body, Failure> {
    let failed = |e: DeformableError| (attribute(spec, &e), e.to_string());
    match spec.kind {
        DeformableKind::Cloth => {
            let mut mesh = surface(context, spec)?;
            transform(&mut mesh.vertices, pose);
            let preset = preset(&spec.preset, "cotton", ClothConfig::PRESETS)?;
            let config = ClothConfig {
                material: material(spec, preset.material),
                thickness: spec.thickness.unwrap_or(preset.thickness),
                shear: spec.shear.unwrap_or(preset.shear),
                bending: spec.bending.unwrap_or(preset.bending),
            };
            Ok(Cloth::new(&mesh, &config).map_err(failed)?.body().clone())
        }
        DeformableKind::Soft => {
            let mut mesh = solid(context, spec)?;
            transform(&mut mesh.vertices, pose);
            let preset = preset(&spec.preset, "rubber", SoftBodyConfig::PRESETS)?;
            let model = if spec.neohookean { SolidModel::NeoHookean } else { SolidModel::Springs };
            let config = SoftBodyConfig { material: material(spec, preset.material), model };
            Ok(SoftBody::new(&mesh, &config).map_err(failed)?.body().clone())
        }
        DeformableKind::Rope => {
            let mut points = points(spec)?;
            transform(&mut points, pose);
            let preset = preset(&spec.preset, "rope", ChainConfig::PRESETS)?;
            let config = ChainConfig {
                material: material(spec, preset.material),
                radius: spec.radius.unwrap_or(preset.radius),
                bending: spec.bending.unwrap_or(preset.bending),
                twist: spec.twist.unwrap_or(preset.twist),
            };
            Ok(CapsuleChain::new(&points, &config).map_err(failed)?.body().clone())
        }
    }
}

/// The attribute that an error is about.
fn attribute(spec: &Deformable, error: &DeformableError) -> Option<&'static str> {
    match error {
        DeformableError::Material { name: "youngs_modulus", .. } => Some("young"),
        DeformableError::Material { name: "poissons_ratio", .. } => Some("poisson"),
        DeformableError::Material { name, .. } => Some(name),
        DeformableError::Parameter { name, .. } => {
            let known = ["thickness", "shear", "bending", "twist", "radius"];
            known.into_iter().find(|attribute| attribute == name)
        }
        _ if !spec.file.is_empty() => Some("file"),
        _ if !spec.points.is_empty() => Some("points"),
        _ => None,
    }
}

/// The preset with this name.
fn preset<T: Copy>(name: &str, default: &str, presets: &[(&'static str, T)]) -> Result<T, Failure> {
    let wanted = if name.is_empty() { default } else { name };
    if let Some((_, preset)) = presets.iter().find(|(known, _)| *known == wanted) {
        return Ok(*preset);
    }
    let hint = nearest(name, presets.iter().map(|(known, _)| *known));
    let known: Vec<_> = presets.iter().map(|(known, _)| *known).collect();
    let hint = hint.map_or_else(|| known.join(", "), ToOwned::to_owned);
    Err((Some("preset"), format!("there is no preset `{name}`; write one of: {hint}")))
}

fn material(spec: &Deformable, preset: Material) -> Material {
    Material {
        youngs_modulus: spec.young.unwrap_or(preset.youngs_modulus),
        poissons_ratio: spec.poisson.unwrap_or(preset.poissons_ratio),
        density: spec.density.unwrap_or(preset.density),
        friction: spec.friction.unwrap_or(preset.friction),
        damping: spec.damping.unwrap_or(preset.damping),
    }
}

fn transform(vertices: &mut [Vector3<f64>], pose: Pose) {
    for v in vertices {
        let at: Vec3 = (*v).into();
        *v = pose.then(Pose { pos: at, ..Pose::IDENTITY }).pos.into();
    }
}

/// Exactly `N` cell counts.
fn cells<const N: usize>(spec: &Deformable, default: [usize; N]) -> Result<[usize; N], Failure> {
    if spec.cells.is_empty() {
        return Ok(default);
    }
    let wrong = || (Some("cells"), format!("must be {N} numbers above 0"));
    let cells: Vec<usize> = spec.cells.iter().filter_map(|&n| usize::try_from(n).ok()).collect();
    cells.try_into().map_err(|_| wrong())
}

fn size<const N: usize>(spec: &Deformable) -> Result<[f64; N], Failure> {
    let wrong = format!("must be {N} numbers; without a file it is needed");
    spec.size.clone().try_into().map_err(|_| (Some("size"), wrong))
}

fn surface(context: &Context<'_, '_>, spec: &Deformable) -> Result<SurfaceMesh, Failure> {
    if spec.file.is_empty() {
        let made = SurfaceMesh::grid(size(spec)?, cells(spec, [10, 10])?);
        return made.map_err(|e| (Some("cells"), e.to_string()));
    }
    let text = text(context, spec, &spec.file)?;
    decode_obj_surface(text.as_bytes()).map_err(|e| (Some("file"), format!("{}: {e}", spec.file)))
}

fn solid(context: &Context<'_, '_>, spec: &Deformable) -> Result<TetMesh, Failure> {
    if spec.file.is_empty() && spec.sphere {
        let [radius] = size(spec)?;
        let [subdivisions, layers] = cells(spec, [2, 2])?;
        let subdivisions = u32::try_from(subdivisions).unwrap_or(u32::MAX);
        let made = TetMesh::sphere(radius, subdivisions, layers);
        return made.map_err(|e| (Some("cells"), e.to_string()));
    }
    if spec.file.is_empty() {
        let made = TetMesh::cuboid(size(spec)?, cells(spec, [4, 4, 4])?);
        return made.map_err(|e| (Some("cells"), e.to_string()));
    }
    let first = text(context, spec, &spec.file)?;
    let made = match spec.file.strip_suffix(".node") {
        Some(stem) => decode_tetgen(&first, &text(context, spec, &format!("{stem}.ele"))?),
        None => decode_gmsh(&first),
    };
    made.map_err(|e| (Some("file"), format!("{}: {e}", spec.file)))
}

fn text(context: &Context<'_, '_>, spec: &Deformable, file: &str) -> Result<String, Failure> {
    read_text(context.spec, spec.origin, file).map_err(|kind| (Some("file"), kind.to_string()))
}

/// Maximum number of segments of a rope.
const MAX_SEGMENTS: i32 = 1 << 20;

fn points(spec: &Deformable) -> Result<Vec<Vector3<f64>>, Failure> {
    let Some([a, b, c, d, e, f]) = spec.fromto else {
        if spec.points.is_empty() || !spec.points.len().is_multiple_of(3) {
            let message = "must be three numbers for each point; without `fromto` it is needed";
            return Err((Some("points"), message.to_owned()));
        }
        let points = spec.points.as_chunks::<3>().0;
        return Ok(points.iter().map(|&p| p.into()).collect());
    };
    if !(1..=MAX_SEGMENTS).contains(&spec.segments) {
        return Err((Some("segments"), format!("must be between 1 and {MAX_SEGMENTS}")));
    }
    let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
    let at = |k: i32| from + (to - from) * (f64::from(k) / f64::from(spec.segments));
    Ok((0..=spec.segments).map(at).collect())
}
