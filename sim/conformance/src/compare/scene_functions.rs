//! Comparison of the interaction functions: motion of camera, perturbation and model, perturbation of bodies,
//! transformations between room and model, selection.

use super::Outcome;
use super::scene::camera_numbers as view_numbers;
use super::scene_input::{States, camera, camera_numbers, perturb, perturb_numbers};
use crate::{Archive, tolerance};
use sim_core::math::pose::Pose;
use sim_core::{Data, Model};
use sim_scene::{
    Camera, Figure, MouseAction, Scene, SceneError, VisOption, align_to_camera,
    mjv_apply_perturb_force, mjv_apply_perturb_pose, mjv_average_camera, mjv_init_perturb,
    mjv_move_camera, mjv_move_model, mjv_move_perturb, mjv_select, mjv_update_camera,
    mjv_update_skin,
};

/// Numbers of a recorded perturbation and abstract camera.
const PERTURB: usize = 20;
const ABSTRACT: usize = 10;
/// Relative distance below which two surfaces coincide. Vertices of meshes are single precision, so that faces of two
/// meshes that were designed to be coplanar have distances of this order.
const COINCIDENCE: f64 = 1e-9;

/// Compares all functions at every recorded state.
pub(super) fn functions(archive: &Archive, m: &Model, states: &mut States, out: &mut Outcome) {
    let free = |d: &Data| {
        let mut scene = Scene::new(m, 0);
        mjv_update_camera(m, d, &mut Camera::free(m), &mut scene).map(|()| scene)
    };
    let result = free(states.data(m, 0)).and_then(|scene| {
        move_camera(archive, m, &scene, out)?;
        transform(archive, m, &scene, out)
    });
    let result = result.and_then(|()| {
        for k in 0..archive.count("scene/fn/perturb") {
            let state = archive.row("scene/fn/perturb", k)[0] as usize;
            let d = states.data(m, state);
            perturbation(archive, m, d, &free(d)?, k, out)?;
        }
        for k in 0..archive.count("scene/fn/select") {
            let row = archive.row("scene/fn/select", k);
            let d = states.data(m, row[0] as usize);
            let mut scene = free(d)?;
            mjv_update_skin(m, d, &VisOption::default(), &mut scene);
            select(m, d, &scene, row, out)?;
        }
        Ok(())
    });
    if let Err(error) = result {
        out.push("mjv", "function", f64::INFINITY, 0.0, error.to_string());
    }
    let figure = Figure::default();
    let rgb = figure.lines.iter().flat_map(|line| line.rgb).map(f64::from).collect::<Vec<_>>();
    let theirs = archive.get("scene/fn/linergb");
    out.reals("mjv_defaultFigure", "linergb", tolerance::SCENE, &rgb, theirs);
}

fn action(number: f64) -> MouseAction {
    MouseAction::from_number(number as i32).unwrap_or_default()
}

fn move_camera(
    archive: &Archive,
    m: &Model,
    scene: &Scene,
    out: &mut Outcome,
) -> Result<(), SceneError> {
    for k in 0..archive.count("scene/fn/move_camera") {
        let row = archive.row("scene/fn/move_camera", k);
        let mut moved = camera(&row[3..3 + ABSTRACT]);
        mjv_move_camera(m, action(row[0]), row[1], row[2], scene, &mut moved)?;
        let (ours, theirs) = (camera_numbers(&moved), &row[3 + ABSTRACT..]);
        out.reals("mjv_moveCamera", "camera", tolerance::FUNCTION, &ours, theirs);
        let row = archive.row("scene/fn/align", k);
        let ours = align_to_camera([row[0], row[1], row[2]], [row[3], row[4], row[5]]);
        out.reals("mjv_alignToCamera", "vector", tolerance::FUNCTION, &ours, &row[6..]);
    }
    Ok(())
}

/// Start of a perturbation, motion with the mouse, resulting pose and force.
fn perturbation(
    archive: &Archive,
    m: &Model,
    d: &Data,
    scene: &Scene,
    k: usize,
    out: &mut Outcome,
) -> Result<(), SceneError> {
    let row = archive.row("scene/fn/perturb", k);
    let (head, rest) = row.split_at(5);
    let (before, rest) = rest.split_at(PERTURB);
    let (started, rest) = rest.split_at(PERTURB);
    let (moved, force) = rest.split_at(PERTURB);
    let tolerance = tolerance::FUNCTION;
    let mut p = perturb(before);
    mjv_init_perturb(m, d, scene, &mut p)?;
    out.reals("mjv_initPerturb", "perturb", tolerance, &perturb_numbers(&p), started);
    // continue from the oracle's result
    let mut p = perturb(started);
    mjv_move_perturb(m, d, action(head[1]), head[2], head[3], scene, &mut p)?;
    out.reals("mjv_movePerturb", "perturb", tolerance, &perturb_numbers(&p), moved);
    let p = perturb(moved);
    let mut d = d.clone();
    mjv_apply_perturb_pose(m, &mut d, &p, head[4] != 0.0);
    let pose = [&d.qpos[..], &d.mocap_pos[..], &d.mocap_quat[..]].concat();
    let theirs = archive.row("scene/fn/pose", k);
    out.reals("mjv_applyPerturbPose", "pose", tolerance, &pose, theirs);
    d.xfrc_applied.fill(0.0);
    mjv_apply_perturb_force(m, &mut d, &p);
    let body = usize::try_from(p.select).unwrap_or(0);
    let ours = d.xfrc_applied.get(6 * body..6 * body + 6).unwrap_or(&[]);
    out.reals("mjv_applyPerturbForce", "xfrc_applied", tolerance, ours, force);
    Ok(())
}

/// Transformations between room and model with a random model transformation, and its change by the mouse.
fn transform(
    archive: &Archive,
    m: &Model,
    scene: &Scene,
    out: &mut Outcome,
) -> Result<(), SceneError> {
    for k in 0..archive.count("scene/fn/transform") {
        let row = archive.row("scene/fn/transform", k);
        let mut scene = scene.clone();
        scene.enabletransform = true;
        scene.scale = row[0] as f32;
        scene.translate = std::array::from_fn(|i| row[1 + i] as f32);
        scene.rotate = std::array::from_fn(|i| row[4 + i] as f32);
        let pose = Pose {
            pos: std::array::from_fn(|i| row[8 + i]),
            quat: std::array::from_fn(|i| row[11 + i]),
        };
        let numbers = |pose: &Pose| [&pose.pos[..], &pose.quat[..]].concat();
        let mut at = 15;
        let mut compare = |name: &str, tolerance: f64, ours: &[f64]| {
            out.reals(name, "scene", tolerance, ours, row.get(at..at + ours.len()).unwrap_or(&[]));
            at += ours.len();
        };
        let exact = tolerance::FUNCTION;
        compare("mjv_room2model", exact, &numbers(&scene.room2model(&pose)?));
        compare("mjv_model2room", exact, &numbers(&scene.model2room(&pose)?));
        let head = scene.camera_in_model()?;
        compare("mjv_cameraInModel", exact, &[head.pos, head.forward, head.up].concat());
        let head = scene.camera_in_room()?;
        compare("mjv_cameraInRoom", exact, &[head.pos, head.forward, head.up].concat());
        compare("mjv_frustumHeight", exact, &[scene.frustum_height()?]);
        let mean = mjv_average_camera(&scene.camera[0], &scene.camera[1])?;
        compare("mjv_averageCamera", tolerance::SCENE, &view_numbers(&mean));
        let argument: Vec<f64> = row.get(at..at + 6).unwrap_or(&[0.0; 6]).to_vec();
        let up = [argument[3], argument[4], argument[5]];
        mjv_move_model(m, action(argument[0]), argument[1], argument[2], up, &mut scene)?;
        let moved: Vec<f64> = [scene.scale]
            .iter()
            .chain(&scene.translate)
            .chain(&scene.rotate)
            .map(|&x| f64::from(x))
            .collect();
        let theirs = row.get(at + 6..).unwrap_or(&[]);
        out.reals("mjv_moveModel", "scene", tolerance::SCENE, &moved, theirs);
    }
    Ok(())
}

/// The object under a pixel.
fn select(
    m: &Model,
    d: &Data,
    scene: &Scene,
    row: &[f64],
    out: &mut Outcome,
) -> Result<(), SceneError> {
    let option = VisOption::default();
    let found = mjv_select(m, d, &option, row[1], row[2], row[3], scene)?;
    let id = |index: Option<usize>| index.map_or(-1.0, |index| index as f64);
    let ids = [
        id(found.map(|selection| selection.body)),
        id(found.and_then(|selection| selection.geom)),
        id(found.and_then(|selection| selection.skin)),
    ];
    let before = out.differences.len();
    // surfaces of two geoms may coincide; then only the point is compared
    let coincide = found.is_some_and(|selection| {
        let scale = row[7..10].iter().fold(1.0_f64, |s, x| s.max(x.abs()));
        let differences = selection.point.iter().zip(&row[7..10]).map(|(a, b)| (a - b).abs());
        row[4] >= 0.0 && differences.fold(0.0, f64::max) <= COINCIDENCE * scale
    });
    if !coincide || ids[2] != row[6] {
        out.integers("mjv_select", "body, geom, skin", ids.into_iter(), &row[4..7]);
    }
    if let Some(selection) = found {
        out.reals("mjv_select", "point", tolerance::SELECT, &selection.point, &row[7..10]);
    }
    for difference in &mut out.differences[before..] {
        difference.detail = format!("pixel {} {}: {}", row[2], row[3], difference.detail);
    }
    Ok(())
}
