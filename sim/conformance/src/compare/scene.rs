//! Comparison of the abstract scene (`mjv_updateScene`) and of the interaction functions.
//!
//! The oracle's results of forward dynamics are the input of our visualizer, so that geoms, lights and cameras
//! agree to one unit in the last place of single precision. With default options the scene is compared once
//! more from our own forward dynamics.

use super::Outcome;
use super::scene_functions;
use super::scene_input::{Arguments, States, own_data};
use crate::{Archive, tolerance};
use sim_core::{Data, Model};
use sim_scene::{
    Camera, GlCamera, Light, Scene, SceneGeom, VisOption, mjv_update_camera, mjv_update_scene,
};

/// Numbers of a recorded geom, light and camera.
const GEOM: usize = 34;
const LIGHT: usize = 28;
const CAMERA: usize = 16;
/// Widths of their fields; integers and flags are compared like reals of width 1.
const LIGHT_FIELDS: [usize; 16] = [1, 1, 1, 1, 1, 3, 3, 3, 1, 1, 3, 3, 3, 1, 1, 1];
const CAMERA_FIELDS: [usize; 10] = [3, 3, 3, 1, 1, 1, 1, 1, 1, 1];
/// Differences after which the comparison ends.
const MAX_DIFFERENCES: usize = 20;

/// Compares every recorded case, then the functions.
#[must_use]
pub fn scene(archive: &Archive, m: &Model) -> Outcome {
    let mut out = Outcome::default();
    visual(archive, m, &mut out);
    let mut states = States::new(archive, m);
    let mut recorded = Recorded::new(archive);
    let mut own: Option<usize> = None;
    for case in 0..archive.count("scene/case/state") {
        let arguments = Arguments::of_case(archive, case);
        let d = states.data(m, arguments.state);
        let expected = recorded.next(archive, m, case);
        let before = out.differences.len();
        check(m, d, &arguments, &expected, tolerance::SCENE, &mut out);
        // once for each state: our own forward dynamics
        if arguments.option == VisOption::default() && own != Some(arguments.state) {
            own = Some(arguments.state);
            match own_data(archive, m, arguments.state) {
                Ok(d) => check(m, &d, &arguments, &expected, tolerance::SCENE_OWN, &mut out),
                Err(error) => {
                    out.push("mj_forward", "scene", f64::INFINITY, 0.0, error.to_string());
                }
            }
        }
        for difference in &mut out.differences[before..] {
            difference.detail = format!("case {case}, {arguments}: {}", difference.detail);
        }
        if out.differences.len() > MAX_DIFFERENCES {
            return out;
        }
    }
    scene_functions::functions(archive, m, &mut states, &mut out);
    out
}

/// Compares the visualization settings. The oracle's Python module lacks the colours of bounding volumes; the
/// volumes in the scene have them.
fn visual(archive: &Archive, m: &Model, out: &mut Outcome) {
    m.vis.visit(&mut |section, name, ours| {
        if section == "rgba" && matches!(name, "bv" | "bvactive") {
            return;
        }
        let theirs = archive.get(&format!("vis/{section}.{name}"));
        out.integers("compile", &format!("vis.{section}.{name}"), ours.iter().copied(), theirs);
    });
}

/// Results of one case.
struct Expected<'a> {
    geoms: Vec<&'a [f64]>,
    lights: &'a [f64],
    cameras: &'a [f64],
    lookat: &'a [f64],
    status: bool,
    skinvert: &'a [f64],
    skinnormal: &'a [f64],
    flexvert: &'a [f64],
    flexface: &'a [f64],
    flexnormal: &'a [f64],
    flexfaceused: &'a [f64],
}

/// Position in the concatenated results of all cases.
struct Recorded {
    geom: usize,
    light: usize,
    rows: usize,
}

impl Recorded {
    fn new(archive: &Archive) -> Self {
        Self { geom: 0, light: 0, rows: archive.count("scene/rows") }
    }

    /// The results of the next case.
    fn next<'a>(&mut self, archive: &'a Archive, m: &Model, case: usize) -> Expected<'a> {
        let number = |name: &str| archive.row(name, case).first().copied().unwrap_or(0.0) as usize;
        let (count, lights) = (number("scene/count"), number("scene/light_count"));
        let indices = archive.get("scene/geoms").get(self.geom..self.geom + count).unwrap_or(&[]);
        let all_lights = archive.get("scene/lights");
        let light_range = self.light * LIGHT..(self.light + lights) * LIGHT;
        self.geom += count;
        self.light += lights;
        let rows = self.rows;
        let skin = |name: &str| {
            archive.get(name).get(3 * m.nskinvert * case..3 * m.nskinvert * (case + 1))
        };
        Expected {
            geoms: indices
                .iter()
                .map(|&row| archive.row("scene/rows", (row as usize).min(rows)))
                .collect(),
            lights: all_lights.get(light_range).unwrap_or(&[]),
            cameras: archive.row("scene/cameras", case),
            lookat: archive.row("scene/lookat", case),
            status: number("scene/status") != 0,
            skinvert: skin("scene/skinvert").unwrap_or(&[]),
            skinnormal: skin("scene/skinnormal").unwrap_or(&[]),
            flexvert: archive.row("scene/flexvert", case),
            flexface: archive.row("scene/flexface", case),
            flexnormal: archive.row("scene/flexnormal", case),
            flexfaceused: archive.row("scene/flexfaceused", case),
        }
    }
}

/// Updates a scene, after its cameras were set to the free camera, and compares it.
fn check(
    m: &Model,
    d: &Data,
    arguments: &Arguments,
    expected: &Expected<'_>,
    tolerance: f64,
    out: &mut Outcome,
) {
    let mut scene = Scene::new(m, arguments.maxgeom);
    let mut camera = arguments.camera.clone();
    let updated = mjv_update_camera(m, d, &mut Camera::free(m), &mut scene).and_then(|()| {
        mjv_update_scene(
            m,
            d,
            &arguments.option,
            Some(&arguments.perturb),
            &mut camera,
            arguments.catmask,
            &mut scene,
        )
    });
    let stage = "mjv_updateScene";
    if let Err(error) = updated {
        out.push(stage, "scene", f64::INFINITY, 0.0, error.to_string());
        return;
    }
    let (ours, theirs) = (scene.geoms.len(), expected.geoms.len());
    out.integers(stage, "ngeom", [ours as f64].into_iter(), &[theirs as f64]);
    for (index, (geom, row)) in scene.geoms.iter().zip(&expected.geoms).enumerate() {
        let before = out.differences.len();
        check_geom(index, geom, row, tolerance, out);
        for difference in &mut out.differences[before..] {
            difference.detail = format!(
                "geom {index} ({:?} of {:?} {}): {}",
                geom.kind, geom.objtype, geom.objid, difference.detail
            );
        }
        if out.differences.len() > MAX_DIFFERENCES {
            return;
        }
    }
    let lights: Vec<f64> = scene.lights.iter().flat_map(light_numbers).collect();
    check_fields("lights", &LIGHT_FIELDS, tolerance, &lights, expected.lights, out);
    let cameras: Vec<f64> = scene.camera.iter().flat_map(camera_numbers).collect();
    check_fields("camera", &CAMERA_FIELDS, tolerance, &cameras, expected.cameras, out);
    out.reals(stage, "lookat", tolerance, &camera.lookat, expected.lookat);
    let status = f64::from(u8::from(scene.status));
    let recorded = f64::from(u8::from(expected.status));
    // the oracle's scene keeps the status of earlier cases of the same capacity
    if arguments.maxgeom < 1000 {
        out.integers(stage, "status", [status].into_iter(), &[recorded]);
    }
    if m.nflex > 0 {
        check_flexes(m, &scene, expected, tolerance, out);
    }
    // the oracle's scene keeps the vertices of earlier cases if skins are off
    if m.nskin > 0 && arguments.option.flag(sim_scene::VisFlag::Skin) {
        let flat = |points: &[[f32; 3]]| -> Vec<f64> {
            points.as_flattened().iter().map(|&x| f64::from(x)).collect()
        };
        // sums over bones and faces in single precision
        let tolerance = 8.0 * tolerance;
        out.reals(stage, "skinvert", tolerance, &flat(&scene.skinvert), expected.skinvert);
        out.reals(stage, "skinnormal", tolerance, &flat(&scene.skinnormal), expected.skinnormal);
    }
}

/// Compares the vertices of flexes and the faces that are shown.
fn check_flexes(
    m: &Model,
    scene: &Scene,
    expected: &Expected<'_>,
    tolerance: f64,
    out: &mut Outcome,
) {
    let stage = "mjv_updateScene";
    if !(scene.flexvertopt || scene.flexedgeopt || scene.flexfaceopt || scene.flexskinopt) {
        return;
    }
    let flat = |points: &[[f32; 3]]| -> Vec<f64> {
        points.as_flattened().iter().map(|&x| f64::from(x)).collect()
    };
    out.reals(stage, "flexvert", tolerance, &flat(&scene.flexvert), expected.flexvert);
    let used = scene.flexfaceused.iter().map(|&n| f64::from(n));
    out.integers(stage, "flexfaceused", used, expected.flexfaceused);
    for f in 0..m.nflex {
        let number = |list: &[i32]| list.get(f).map_or(0, |&n| n as usize);
        let first = number(&scene.flexfaceadr);
        let range = first..first + number(&scene.flexfaceused);
        let numbers = 9 * range.start..9 * range.end;
        for (name, ours, theirs) in [
            ("flexface", &scene.flexface, expected.flexface),
            ("flexnormal", &scene.flexnormal, expected.flexnormal),
        ] {
            let ours = flat(ours[range.clone()].as_flattened());
            let theirs = theirs.get(numbers.clone()).unwrap_or(&[]);
            // sums of normals
            out.reals(stage, name, 8.0 * tolerance, &ours, theirs);
        }
    }
}

/// Compares a list of structures whose fields have the given widths, each field relative to its own scale.
fn check_fields(
    name: &str,
    widths: &[usize],
    tolerance: f64,
    mut ours: &[f64],
    mut theirs: &[f64],
    out: &mut Outcome,
) {
    let lengths = [ours.len() as f64];
    out.integers("mjv_updateScene", name, lengths.into_iter(), &[theirs.len() as f64]);
    for &width in widths.iter().cycle() {
        let (Some((a, rest)), Some((b, others))) =
            (ours.split_at_checked(width), theirs.split_at_checked(width))
        else {
            return;
        };
        out.reals("mjv_updateScene", name, tolerance, a, b);
        (ours, theirs) = (rest, others);
    }
}

/// Compares a geom field by field.
fn check_geom(index: usize, geom: &SceneGeom, row: &[f64], tolerance: f64, out: &mut Outcome) {
    let stage = "mjv_updateScene";
    let Ok(row) = <&[f64; GEOM]>::try_from(row) else {
        out.push(stage, "geom", f64::INFINITY, 0.0, "the recording has another format".into());
        return;
    };
    let label = if geom.label.is_empty() { 0 } else { crc32fast::hash(geom.label.as_bytes()) };
    let integers: [(&str, f64); 9] = [
        ("geom type", f64::from(geom.kind.number())),
        ("geom dataid", f64::from(geom.dataid)),
        ("geom objtype", f64::from(geom.objtype.number())),
        ("geom objid", f64::from(geom.objid)),
        ("geom category", f64::from(geom.category.0)),
        ("geom matid", f64::from(geom.matid)),
        ("geom texcoord", f64::from(u8::from(geom.texcoord))),
        ("geom label", f64::from(label)),
        ("geom segid", f64::from(geom.segid)),
    ];
    for (k, (name, ours)) in integers.into_iter().enumerate() {
        let theirs = if k < 8 { row[k] } else { index as f64 };
        if ours != theirs {
            let label = &geom.label;
            let detail = format!("{ours}, the oracle has {theirs} (label `{label}`)");
            out.push(stage, name, f64::INFINITY, 0.0, detail);
        }
    }
    let scalars = [
        geom.emission,
        geom.specular,
        geom.shininess,
        geom.reflectance,
        geom.camdist,
        geom.modelrbound,
        f32::from(u8::from(geom.transparent)),
    ];
    let reals: [(&str, &[f32], usize); 5] = [
        ("geom size", &geom.size, 8),
        ("geom pos", &geom.pos, 11),
        ("geom mat", &geom.mat, 14),
        ("geom rgba", &geom.rgba, 23),
        ("geom material", &scalars, 27),
    ];
    for (name, ours, start) in reals {
        // a NaN in both engines is no difference
        let finite = |x: f64| if x.is_nan() { 1e30 } else { x };
        let theirs: Vec<f64> = row[start..start + ours.len()].iter().map(|&x| finite(x)).collect();
        let ours: Vec<f64> = ours.iter().map(|&x| finite(f64::from(x))).collect();
        out.reals(stage, name, tolerance, &ours, &theirs);
    }
}

/// A light in the order of the recording.
fn light_numbers(light: &Light) -> Vec<f64> {
    let bit = |x: bool| f32::from(u8::from(x));
    let head = [light.id, light.kind.number(), light.texid].map(f64::from);
    let mut list = vec![bit(light.headlight), bit(light.castshadow)];
    list.extend(light.pos.iter().chain(&light.dir).chain(&light.attenuation));
    list.extend([light.cutoff, light.exponent]);
    list.extend(light.ambient.iter().chain(&light.diffuse).chain(&light.specular));
    list.extend([light.bulbradius, light.intensity, light.range]);
    head.into_iter().chain(list.into_iter().map(f64::from)).collect()
}

/// A camera of the scene in the order of the recording.
pub(super) fn camera_numbers(camera: &GlCamera) -> Vec<f64> {
    let mut list: Vec<f32> = Vec::with_capacity(CAMERA);
    list.extend(camera.pos.iter().chain(&camera.forward).chain(&camera.up));
    list.extend([camera.frustum_center, camera.frustum_width, camera.frustum_bottom]);
    list.extend([camera.frustum_top, camera.frustum_near, camera.frustum_far]);
    list.push(f32::from(u8::from(camera.orthographic)));
    list.into_iter().map(f64::from).collect()
}
