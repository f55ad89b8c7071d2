//! Properties of scenes that need no reference: capacity, errors, invariance, interaction.

use sim_core::math::vec3;
use sim_core::{Data, Model, mj_forward};
use sim_scene::{
    Camera, CameraType, Category, LabelMode, MouseAction, PERT_TRANSLATE, Perturb, Scene,
    SceneError, SceneGeom, SceneGeomType, VisFlag, VisOption, mjv_apply_perturb_force,
    mjv_init_perturb, mjv_move_camera, mjv_select, mjv_update_camera, mjv_update_scene,
};

const MODEL: &str = r#"<mujoco><visual><map znear="0.02"/></visual><worldbody>
    <light pos="0 0 3"/><camera name="fixed" pos="0 -3 1" xyaxes="1 0 0 0 .3 1"/>
    <geom type="plane" size="0 0 .1"/>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="sphere" size=".1"/></body>
    <body pos="1 0 .5"><joint axis="0 1 0"/><geom type="box" size=".1 .1 .1" group="4"/></body>
    </worldbody></mujoco>"#;

fn setup() -> (Model, Data) {
    let model = sim_mjcf::load_str(MODEL).unwrap();
    let mut data = model.make_data();
    mj_forward(&model, &mut data).unwrap();
    (model, data)
}

/// The scene with these options, from the free camera.
fn update(m: &Model, d: &Data, option: &VisOption, maxgeom: usize) -> Scene {
    let mut scene = Scene::new(m, maxgeom);
    let camera = &mut Camera::free(m);
    mjv_update_scene(m, d, option, None, camera, Category::ALL, &mut scene).unwrap();
    scene
}

#[test]
fn groups_and_categories_select_geoms() {
    let (m, d) = setup();
    let mut option = VisOption::default();
    assert_eq!(update(&m, &d, &option, 100).geoms.len(), 2);
    option.geomgroup[4] = true;
    assert_eq!(update(&m, &d, &option, 100).geoms.len(), 3);
    option.flags[VisFlag::Static as usize] = false;
    assert_eq!(update(&m, &d, &option, 100).geoms.len(), 2);
}

#[test]
fn full_scene_reports_its_status() {
    let (m, d) = setup();
    let option = VisOption::default();
    assert!(!update(&m, &d, &option, 2).status);
    let scene = update(&m, &d, &option, 1);
    assert!(scene.status);
    assert_eq!(scene.geoms.len(), 1);
}

#[test]
fn segmentation_ids_are_indices() {
    let (m, d) = setup();
    let flags = [true; VisFlag::ALL.len()];
    let scene = update(&m, &d, &VisOption { flags, ..VisOption::default() }, 1000);
    assert!(scene.geoms.len() > 5);
    for (index, geom) in scene.geoms.iter().enumerate() {
        assert_eq!(usize::try_from(geom.segid), Ok(index));
    }
}

#[test]
fn labels_are_names_or_types_with_ids() {
    let (m, d) = setup();
    let option = VisOption { label: LabelMode::Geom, ..VisOption::default() };
    let labels: Vec<String> =
        update(&m, &d, &option, 100).geoms.into_iter().map(|geom| geom.label).collect();
    assert_eq!(labels, ["geom 0", "sphere"]);
}

#[test]
fn invalid_cameras_are_errors() {
    let (m, d) = setup();
    let mut scene = Scene::new(&m, 10);
    let mut update = |camera: &mut Camera| mjv_update_camera(&m, &d, camera, &mut scene);
    assert_eq!(update(&mut Camera::fixed(1)), Err(SceneError::FixedCamera(1)));
    assert_eq!(update(&mut Camera::tracking(&m, 9)), Err(SceneError::TrackedBody(9)));
    assert_eq!(update(&mut Camera::fixed(0)), Ok(()));
    let mut user = Camera { kind: CameraType::User, ..Camera::default() };
    let mut scene = Scene::new(&m, 10);
    let option = VisOption::default();
    let result = mjv_update_scene(&m, &d, &option, None, &mut user, Category::ALL, &mut scene);
    assert_eq!(result, Err(SceneError::FrustumNear));
}

#[test]
fn boxes_are_no_connectors() {
    let mut geom = SceneGeom::default();
    let result = geom.connect(SceneGeomType::Box, 1.0, [0.0; 3], [1.0; 3]);
    assert_eq!(result, Err(SceneError::Connector(SceneGeomType::Box)));
}

#[test]
fn centre_of_the_view_selects_the_body_that_the_camera_looks_at() {
    let (m, d) = setup();
    let mut scene = Scene::new(&m, 10);
    let mut camera = Camera { lookat: [0.0, 0.0, 0.5], ..Camera::free(&m) };
    mjv_update_camera(&m, &d, &mut camera, &mut scene).unwrap();
    let option = VisOption::default();
    let selection = mjv_select(&m, &d, &option, 1.5, 0.5, 0.5, &scene).unwrap().unwrap();
    assert_eq!((selection.body, selection.geom), (1, Some(1)));
    let distance = vec3::distance(selection.point, [0.0, 0.0, 0.5]);
    assert!((distance - 0.1).abs() < 1e-6, "{distance}");
}

#[test]
fn perturbation_pulls_towards_the_reference() {
    let (m, mut d) = setup();
    let mut scene = Scene::new(&m, 10);
    mjv_update_camera(&m, &d, &mut Camera::free(&m), &mut scene).unwrap();
    let mut perturb = Perturb { select: 1, active: PERT_TRANSLATE, ..Perturb::default() };
    mjv_init_perturb(&m, &d, &scene, &mut perturb).unwrap();
    // at its centre, the effective mass of a free body is its mass
    assert!((perturb.localmass - m.body_mass[1]).abs() < 1e-12);
    perturb.refselpos[0] += 0.2;
    mjv_apply_perturb_force(&m, &mut d, &perturb);
    let force = 0.2 * f64::from(m.vis.map.stiffness) * m.body_mass[1];
    assert!((d.xfrc_applied[6] - force).abs() < 1e-9);
}

#[test]
fn zoom_and_rotation_move_the_free_camera() {
    let (m, d) = setup();
    let mut scene = Scene::new(&m, 10);
    let mut camera = Camera::free(&m);
    mjv_update_camera(&m, &d, &mut camera, &mut scene).unwrap();
    let before = camera.clone();
    mjv_move_camera(&m, MouseAction::Zoom, 0.0, 0.1, &scene, &mut camera).unwrap();
    assert!(camera.distance < before.distance);
    mjv_move_camera(&m, MouseAction::RotateV, 0.5, 5.0, &scene, &mut camera).unwrap();
    assert_eq!((camera.azimuth, camera.elevation), (0.0, -89.0));
    let none = mjv_move_camera(&m, MouseAction::None, 0.0, 0.0, &scene, &mut camera);
    assert_eq!(none, Err(SceneError::Action(MouseAction::None)));
}

/// Cloth and soft bodies are surfaces with two sides, ropes are capsules; all with their colour.
#[test]
fn deformable_bodies_are_surfaces_and_capsules() {
    let m = sim_mjcf::load_str(
        r#"<mujoco><xpbd>
            <cloth name="sheet" size="1 1" cells="2 2" rgba="1 0 0 1"/>
            <soft name="ball" shape="sphere" size="0.1" cells="1 1"/>
            <rope name="line" fromto="0 0 0 1 0 0" segments="4" radius="0.02" rgba="0 0 1 .5"/>
        </xpbd></mujoco>"#,
    )
    .unwrap();
    let mut d = m.make_data();
    mj_forward(&m, &mut d).unwrap();
    let mut option = VisOption { label: LabelMode::Flex, ..VisOption::default() };
    let scene = update(&m, &d, &option, 100);
    let kinds: Vec<_> = scene.geoms.iter().map(|geom| (geom.kind, geom.objid)).collect();
    let rope = [(SceneGeomType::Capsule, 2); 4];
    assert_eq!(kinds[..2], [(SceneGeomType::Surface, 0), (SceneGeomType::Surface, 1)]);
    assert_eq!(kinds[2..], rope);
    assert_eq!(scene.geoms[0].rgba, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!((scene.geoms[5].rgba[3], scene.geoms[5].size), (0.5, [0.02, 0.02, 0.125]));
    let labels = [0, 1, 2, 3].map(|i| scene.geoms[i].label.as_str());
    assert_eq!(labels, ["sheet", "ball", "line", ""]);
    assert_eq!(scene.surfaces[0].triangles.len(), 16);
    // every triangle faces along the normals of its vertices
    for surface in &scene.surfaces {
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(|v| surface.vertices[v as usize].map(f64::from));
            let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
            let at = |v: u32| surface.normals[v as usize].map(f64::from);
            assert!(triangle.iter().all(|&v| vec3::dot(normal, at(v)) > 0.0));
        }
    }
    // a full scene reports it, and another update removes the surfaces
    assert!(update(&m, &d, &option, 1).status);
    option.flags[VisFlag::FlexSkin as usize] = false;
    let scene = update(&m, &d, &option, 100);
    assert!(scene.geoms.is_empty() && scene.surfaces.is_empty());
}
