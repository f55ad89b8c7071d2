//! Table of the benchmark scenes: the model of each, and the timed operation.

use crate::{flex, heap, surface};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Origin of a scene's model.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// One of our own models.
    Ours(&'static str),
    /// A hanging chain of this many hinges, four per body because the nesting depth of MJCF is limited.
    Chain(usize),
    /// This many copies of a small tree on a grid.
    Crowd(usize),
    /// This many copies of our own humanoid, made with `attach` and `replicate`.
    Humanoids(usize),
    /// Generated large meshes.
    Meshes,
    /// One generated mesh of 100 000 triangles.
    Mesh,
    /// A heap of this many spheres in five layers.
    Spheres(usize),
    /// Two bodies of many boxes each.
    Voxels,
    /// A heap of this many boxes in five layers.
    Boxes(usize),
    /// Cloth with this many cells along each side.
    FlexCloth(usize),
    /// An elastic cube with this many cells along each side.
    FlexSolid(usize),
    /// A UR10 arm from its Denavit–Hartenberg parameters.
    Ur10,
    /// A public model in the folder [`corpus`], not part of this repository.
    Corpus(&'static str),
    /// MuJoCo's humanoid, with the sensors of a robot: an IMU of the torso, joint angles and speeds, feet, momentum.
    HumanoidWithSensors,
    /// A model of the public packages that `cargo xtask corpus` downloads.
    Package(&'static str),
    /// An MJCF or URDF file named on the command line.
    File(&'static str),
    /// A file of a folder named on the command line; skipped if it is not a model.
    Found(&'static str),
}

/// The timed operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Batches of this many steps.
    Steps(usize),
    /// Loading the model.
    Compile,
    /// Single stages at one state.
    Stages,
    /// Construction and solution of the constraints at one state.
    Constraint,
    /// Collision detection along a sequence of poses.
    Collision,
    /// A thousand rays from one point.
    Rays,
    /// Trajectories of many environments.
    Batch {
        /// Number of environments.
        envs: usize,
        /// Steps of each environment.
        steps: usize,
    },
    /// Trajectories of many environments in SIMD lanes, on one thread.
    Lanes {
        /// Number of environments.
        envs: usize,
        /// Steps of each environment.
        steps: usize,
        /// Steps before the initial states.
        warmup: usize,
    },
    /// Jacobians and inverse kinematics of an arm.
    Kinematics,
}

/// A scene of the benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its model.
    pub source: Source,
    /// The timed operation.
    pub kind: Kind,
}

const fn scene(name: &'static str, source: Source, batch: usize) -> Scene {
    Scene { name, source, kind: Kind::Steps(batch) }
}

const fn compile(name: &'static str, source: Source) -> Scene {
    Scene { name, source, kind: Kind::Compile }
}

const fn stages(name: &'static str, source: Source) -> Scene {
    Scene { name, source, kind: Kind::Stages }
}

const fn constraint(name: &'static str, source: Source) -> Scene {
    Scene { name, source, kind: Kind::Constraint }
}

const fn collision(name: &'static str, source: Source) -> Scene {
    Scene { name, source, kind: Kind::Collision }
}

const fn batch(name: &'static str, source: Source, envs: usize, steps: usize) -> Scene {
    Scene { name, source, kind: Kind::Batch { envs, steps } }
}

const fn lanes(name: &'static str, source: Source, [envs, steps, warmup]: [usize; 3]) -> Scene {
    Scene { name, source, kind: Kind::Lanes { envs, steps, warmup } }
}

const fn kinematics(name: &'static str, source: Source) -> Scene {
    Scene { name, source, kind: Kind::Kinematics }
}

const fn rays(name: &'static str, source: Source) -> Scene {
    Scene { name, source, kind: Kind::Rays }
}

/// Models of the scenes in lanes.
const HUMANOID: Source = Source::Corpus("mujoco/model/humanoid/humanoid.xml");
const ANT: Source = Source::Package("gymnasium/envs/mujoco/assets/ant.xml");
const HALF_CHEETAH: Source = Source::Package("gymnasium/envs/mujoco/assets/half_cheetah.xml");
const GYM_HUMANOID: Source = Source::Package("gymnasium/envs/mujoco/assets/humanoid.xml");
const GO1: Source = Source::Corpus("menagerie/unitree_go1/scene.xml");
const PANDA: Source = Source::Corpus("menagerie/franka_emika_panda/scene.xml");

/// Every scene.
pub const SCENES: &[Scene] = &[
    scene("cartpole", Source::Ours("robots/cartpole"), 20_000),
    scene("arm6", Source::Ours("robots/arm6"), 10_000),
    scene("arm7", Source::Ours("robots/arm7"), 10_000),
    scene("quadruped", Source::Ours("robots/quadruped"), 5_000),
    scene("humanoid", Source::Ours("robots/humanoid"), 5_000),
    scene("hand", Source::Ours("robots/hand"), 5_000),
    scene("rk4_tree", Source::Ours("features/rk4_tree"), 5_000),
    scene("forest", Source::Ours("features/forest"), 5_000),
    scene("chain_10", Source::Chain(10), 10_000),
    scene("chain_100", Source::Chain(100), 500),
    scene("chain_1000", Source::Chain(1000), 10),
    scene("crowd_10", Source::Crowd(10), 2_000),
    scene("crowd_100", Source::Crowd(100), 200),
    scene(
        "race/half_cheetah",
        Source::Package("gymnasium/envs/mujoco/assets/half_cheetah.xml"),
        5_000,
    ),
    scene("race/ant", Source::Package("gymnasium/envs/mujoco/assets/ant.xml"), 1_000),
    scene("race/humanoid", Source::Corpus("mujoco/model/humanoid/humanoid.xml"), 2_000),
    scene("race/panda", Source::Corpus("menagerie/franka_emika_panda/panda.xml"), 2_000),
    scene("race/go1", Source::Corpus("menagerie/unitree_go1/scene.xml"), 1_000),
    scene("race/shadow_hand", Source::Corpus("menagerie/shadow_hand/scene_right.xml"), 1_000),
    scene("race/cassie", Source::Corpus("menagerie/agility_cassie/scene.xml"), 1_000),
    scene("race/cube_3x3x3", Source::Corpus("mujoco/model/cube/cube_3x3x3.xml"), 200),
    scene("race/22_humanoids", Source::Corpus("mujoco/model/humanoid/22_humanoids.xml"), 100),
    scene("race/100_humanoids", Source::Corpus("mujoco/model/humanoid/100_humanoids.xml"), 20),
    scene("race/200_boxes", Source::Corpus("../scenes/boxes200.xml"), 50),
    scene("race/1000_balls", Source::Corpus("../scenes/balls1000.xml"), 10),
    scene("race/arm26", Source::Corpus("mujoco/model/tendon_arm/arm26.xml"), 5_000),
    scene("flex/trilinear", Source::Corpus("mujoco/model/flex/trilinear.xml"), 2_000),
    scene("flex/trampoline", Source::Corpus("mujoco/model/flex/trampoline.xml"), 300),
    scene("flex/jelly", Source::Corpus("mujoco/model/flex/jelly.xml"), 200),
    scene("flex/sphere_full", Source::Corpus("mujoco/model/flex/sphere_full.xml"), 200),
    scene("flex/pinch", Source::Corpus("mujoco/model/flex/pinch.xml"), 200),
    scene("flex/poncho", Source::Corpus("mujoco/model/flex/poncho.xml"), 100),
    scene("flexsize/cloth_10", Source::FlexCloth(10), 400),
    scene("flexsize/cloth_20", Source::FlexCloth(20), 100),
    scene("flexsize/cloth_30", Source::FlexCloth(30), 50),
    scene("flexsize/cloth_40", Source::FlexCloth(40), 25),
    scene("flexsize/solid_5", Source::FlexSolid(5), 400),
    scene("flexsize/solid_10", Source::FlexSolid(10), 100),
    scene("flexsize/solid_20", Source::FlexSolid(20), 10),
    compile("compile/humanoid", Source::Ours("robots/humanoid")),
    compile("compile/100_humanoids", Source::Humanoids(100)),
    compile("compile/crowd_200", Source::Crowd(200)),
    compile("compile/meshes", Source::Meshes),
    compile("compile/shadow_hand", Source::Corpus("menagerie/shadow_hand/right_hand.xml")),
    compile("compile/panda", Source::Corpus("menagerie/franka_emika_panda/panda.xml")),
    compile("compile/talos", Source::Corpus("menagerie/pal_talos/talos.xml")),
    stages("stages/half_cheetah", Source::Package("gymnasium/envs/mujoco/assets/half_cheetah.xml")),
    stages("stages/humanoid", Source::Corpus("mujoco/model/humanoid/humanoid.xml")),
    stages("stages/panda", Source::Corpus("menagerie/franka_emika_panda/panda.xml")),
    stages("stages/cassie", Source::Corpus("menagerie/agility_cassie/cassie.xml")),
    stages("stages/shadow_hand", Source::Corpus("menagerie/shadow_hand/right_hand.xml")),
    stages("stages/arm26", Source::Corpus("mujoco/model/tendon_arm/arm26.xml")),
    stages("stages/22_humanoids", Source::Corpus("mujoco/model/humanoid/22_humanoids.xml")),
    constraint(
        "constraint/half_cheetah",
        Source::Package("gymnasium/envs/mujoco/assets/half_cheetah.xml"),
    ),
    constraint("constraint/ant", Source::Package("gymnasium/envs/mujoco/assets/ant.xml")),
    constraint("constraint/humanoid", Source::Corpus("mujoco/model/humanoid/humanoid.xml")),
    constraint("constraint/panda", Source::Corpus("menagerie/franka_emika_panda/panda.xml")),
    constraint("constraint/go1", Source::Corpus("menagerie/unitree_go1/scene.xml")),
    constraint("constraint/shadow_hand", Source::Corpus("menagerie/shadow_hand/scene_right.xml")),
    constraint("constraint/cassie", Source::Corpus("menagerie/agility_cassie/scene.xml")),
    constraint("constraint/cube_3x3x3", Source::Corpus("mujoco/model/cube/cube_3x3x3.xml")),
    constraint("constraint/22_humanoids", Source::Corpus("mujoco/model/humanoid/22_humanoids.xml")),
    constraint(
        "constraint/100_humanoids",
        Source::Corpus("mujoco/model/humanoid/100_humanoids.xml"),
    ),
    constraint("constraint/200_boxes", Source::Corpus("../scenes/boxes200.xml")),
    constraint("constraint/arm26", Source::Corpus("mujoco/model/tendon_arm/arm26.xml")),
    collision("collision/spheres_10", Source::Spheres(10)),
    collision("collision/spheres_30", Source::Spheres(30)),
    collision("collision/spheres_100", Source::Spheres(100)),
    collision("collision/spheres_300", Source::Spheres(300)),
    collision("collision/spheres_1000", Source::Spheres(1000)),
    collision("collision/boxes_10", Source::Boxes(10)),
    collision("collision/boxes_30", Source::Boxes(30)),
    collision("collision/boxes_100", Source::Boxes(100)),
    collision("collision/boxes_300", Source::Boxes(300)),
    collision("collision/boxes_1000", Source::Boxes(1000)),
    collision("collision/voxels", Source::Voxels),
    collision("collision/humanoid", Source::Corpus("mujoco/model/humanoid/humanoid.xml")),
    collision("collision/panda", Source::Corpus("menagerie/franka_emika_panda/panda.xml")),
    collision("collision/shadow_hand", Source::Corpus("menagerie/shadow_hand/scene_right.xml")),
    collision("collision/cube_3x3x3", Source::Corpus("mujoco/model/cube/cube_3x3x3.xml")),
    collision("collision/iiwa", Source::Corpus("menagerie/kuka_iiwa_14/scene.xml")),
    collision("collision/22_humanoids", Source::Corpus("mujoco/model/humanoid/22_humanoids.xml")),
    collision("collision/100_humanoids", Source::Corpus("mujoco/model/humanoid/100_humanoids.xml")),
    collision("collision/200_boxes", Source::Corpus("../scenes/boxes200.xml")),
    rays("rays/humanoid", Source::Corpus("mujoco/model/humanoid/humanoid.xml")),
    rays("rays/mesh", Source::Mesh),
    batch("batch/humanoid", Source::Corpus("mujoco/model/humanoid/humanoid.xml"), 1024, 20),
    lanes("lanes/humanoid_64", HUMANOID, [64, 100, 300]),
    lanes("lanes/humanoid_1024", HUMANOID, [1024, 20, 300]),
    lanes("lanes/humanoid_sensors_64", Source::HumanoidWithSensors, [64, 100, 300]),
    lanes("lanes/humanoid_sensors_1024", Source::HumanoidWithSensors, [1024, 20, 300]),
    lanes("lanes/ant_64", ANT, [64, 100, 200]),
    lanes("lanes/ant_1024", ANT, [1024, 20, 200]),
    lanes("lanes/half_cheetah_64", HALF_CHEETAH, [64, 200, 200]),
    lanes("lanes/half_cheetah_1024", HALF_CHEETAH, [1024, 20, 200]),
    lanes("lanes/go1_64", GO1, [64, 100, 200]),
    lanes("lanes/go1_1024", GO1, [1024, 20, 200]),
    lanes("lanes/panda_64", PANDA, [64, 100, 100]),
    lanes("lanes/panda_1024", PANDA, [1024, 20, 100]),
    lanes("lanes/gym_humanoid_64", GYM_HUMANOID, [64, 20, 100]),
    lanes("lanes/gym_humanoid_1024", GYM_HUMANOID, [1024, 5, 100]),
    batch("batch/cart_pole", Source::Ours("robots/cartpole"), 4096, 50),
    kinematics("kinematics/arm6", Source::Ours("robots/arm6")),
    kinematics("kinematics/arm7", Source::Ours("robots/arm7")),
    kinematics("kinematics/ur10", Source::Ur10),
    kinematics("kinematics/ur5e", Source::Corpus("menagerie/universal_robots_ur5e/ur5e.xml")),
    kinematics("kinematics/panda", Source::Corpus("menagerie/franka_emika_panda/panda.xml")),
];

/// The folder of public models: `SIM_CORPUS`, or `shared/corpus` beside the repository.
#[must_use]
pub fn corpus() -> PathBuf {
    std::env::var_os("SIM_CORPUS")
        .map_or_else(|| sim_conformance::home().join("../../../shared/corpus"), PathBuf::from)
}

/// The folder of downloaded packages.
fn packages() -> PathBuf {
    sim_conformance::home().join("../../target/corpus")
}

/// Steps of one batch of a model named on the command line.
const FILE_STEPS: usize = 500;

/// The scenes with these names, or all of them. A group name such as `compile` selects the whole group; a
/// path to an MJCF or URDF file is a scene of its own, named by the path, and a folder selects every such
/// file below it.
///
/// # Errors
/// Names the scene that does not exist.
pub fn select(names: &[String]) -> Result<Vec<Scene>, String> {
    if names.is_empty() {
        return Ok(SCENES.to_vec());
    }
    let mut chosen = Vec::new();
    for name in names {
        let before = chosen.len();
        chosen.extend(SCENES.iter().filter(|scene| {
            scene.name == name || scene.name.split_once('/').is_some_and(|(group, _)| group == name)
        }));
        if chosen.len() == before && Path::new(name).is_file() {
            // leaked: scenes have static names, and a process measures a limited number of files
            let path: &'static str = name.clone().leak();
            chosen.push(scene(path, Source::File(path), FILE_STEPS));
        }
        if chosen.len() == before && Path::new(name).is_dir() {
            let mut files = Vec::new();
            find_models(Path::new(name), &mut files);
            // named by the path from the parent of the folder
            let parent = Path::new(name).parent().unwrap_or(Path::new(""));
            chosen.extend(files.into_iter().map(|file| {
                let path: &'static str = file.to_string_lossy().into_owned().leak();
                let name = Path::new(path).strip_prefix(parent).ok().and_then(Path::to_str);
                scene(name.unwrap_or(path), Source::Found(path), FILE_STEPS)
            }));
        }
        if chosen.len() == before {
            let known: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
            return Err(format!("no scene or file `{name}`; the scenes are {}", known.join(", ")));
        }
    }
    Ok(chosen)
}

/// Appends the paths of the MJCF and URDF files below a folder, sorted; unreadable folders are skipped.
fn find_models(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            find_models(&path, files);
        } else if matches!(extension, Some("xml" | "urdf")) {
            files.push(path);
        }
    }
}

impl Scene {
    /// Whether the scene is skipped if its model does not load, and its batches are short.
    #[must_use]
    pub const fn is_optional(&self) -> bool {
        matches!(self.source, Source::Found(_))
    }

    /// Steps of one batch; zero for scenes that do not time steps.
    #[must_use]
    pub const fn batch(&self) -> usize {
        match self.kind {
            Kind::Steps(batch) => batch,
            _ => 0,
        }
    }

    /// The missing file of a public model, if it is not installed.
    #[must_use]
    pub fn missing(&self) -> Option<PathBuf> {
        match self.source {
            Source::Corpus(path) => Some(corpus().join(path)).filter(|file| !file.is_file()),
            Source::Package(path) => Some(packages().join(path)).filter(|file| !file.is_file()),
            _ => None,
        }
    }

    /// Path of a temporary file of this scene below `folder`.
    #[must_use]
    pub fn temporary(&self, folder: &Path, extension: &str) -> PathBuf {
        match self.source {
            Source::File(path) | Source::Found(path) => {
                folder.join(path.replace(['/', '\\', ':'], "_"))
            }
            _ => folder.join(self.name),
        }
        .with_extension(extension)
    }

    /// The model's file; a generated one is written below `folder`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn file(&self, folder: &Path) -> std::io::Result<PathBuf> {
        let ours =
            |name: &str| sim_conformance::home().join("models").join(name).with_extension("xml");
        let path = self.temporary(folder, "xml");
        let folder = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(folder)?;
        let text = match self.source {
            Source::Ours(name) => return Ok(ours(name)),
            Source::Corpus(name) => return Ok(corpus().join(name)),
            Source::Package(name) => return Ok(packages().join(name)),
            Source::File(path) | Source::Found(path) => return Ok(PathBuf::from(path)),
            Source::Chain(hinges) => chain(hinges),
            Source::Crowd(count) => crowd(count),
            Source::Humanoids(count) => {
                std::fs::copy(ours("robots/humanoid"), folder.join("one.xml"))?;
                humanoids(count)
            }
            Source::Meshes => surface::write(folder)?,
            Source::Mesh => surface::write_one(folder)?,
            Source::Spheres(count) => heap::mjcf("sphere", count),
            Source::Voxels => heap::voxels(),
            Source::Boxes(count) => heap::mjcf("box", count),
            Source::FlexCloth(cells) => flex::cloth(cells),
            Source::FlexSolid(cells) => flex::solid(cells),
            Source::Ur10 => crate::kinematics::UR10.to_owned(),
            Source::HumanoidWithSensors => humanoid_with_sensors(),
        };
        std::fs::write(&path, text)?;
        Ok(path)
    }
}

/// MJCF that includes MuJoCo's humanoid and adds sensors.
fn humanoid_with_sensors() -> String {
    let file = corpus().join("mujoco/model/humanoid/humanoid.xml");
    let mut text = format!("<mujoco>\n<include file=\"{}\"/>\n<sensor>\n", file.display());
    for kind in ["framequat", "framelinvel", "frameangvel", "framelinacc", "framezaxis"] {
        let _ = writeln!(text, r#"<{kind} objtype="body" objname="torso"/>"#);
    }
    for foot in ["foot_right", "foot_left"] {
        let _ = writeln!(text, r#"<framepos objtype="xbody" objname="{foot}"/>"#);
        let _ = writeln!(text, r#"<framelinvel objtype="xbody" objname="{foot}"/>"#);
    }
    for joint in ["hip_x", "hip_y", "hip_z", "knee", "ankle_x", "ankle_y"] {
        for side in ["right", "left"] {
            let _ = writeln!(text, r#"<jointpos joint="{joint}_{side}"/>"#);
            let _ = writeln!(text, r#"<jointvel joint="{joint}_{side}"/>"#);
        }
    }
    text + "<subtreecom body=\"torso\"/>\n<subtreelinvel body=\"torso\"/>\n</sensor>\n</mujoco>\n"
}

const HEAD: &str = r#"<mujoco>
<option timestep="0.001"><flag contact="disable"/></option>
<default><joint damping="0.05" armature="0.001"/><geom type="capsule" size="0.02" mass="0.1"/></default>
<worldbody>
"#;

/// MJCF of a hanging chain with four hinges per body (fewer in the last).
fn chain(hinges: usize) -> String {
    let mut text = HEAD.to_owned();
    let bodies = hinges.div_ceil(4);
    for b in 0..bodies {
        let pos = if b == 0 { "0 0 0" } else { "0 0 -0.1" };
        let _ = writeln!(text, r#"<body pos="{pos}">"#);
        for k in 0..4.min(hinges - 4 * b) {
            let axis = ["1 0 0", "0 1 0", "0 0 1", "1 0 0"][k];
            let _ = writeln!(text, r#"<joint axis="{axis}" pos="0 0 {}"/>"#, -0.02 * k as f64);
        }
        text += "<geom fromto=\"0 0 0 0 0 -0.1\"/>\n";
    }
    text += &"</body>".repeat(bodies);
    text + "\n</worldbody>\n</mujoco>\n"
}

/// MJCF of free bodies with two legs of three hinges each.
fn crowd(count: usize) -> String {
    let mut text = HEAD.to_owned();
    for i in 0..count {
        let _ = writeln!(
            text,
            r#"<body pos="{} {} 1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/>"#,
            i % 10,
            i / 10
        );
        for side in ["0.1", "-0.1"] {
            let _ = writeln!(
                text,
                r#"<body pos="0 {side} 0"><joint axis="1 0 0"/><geom fromto="0 0 0 0 0 -.2"/>
<body pos="0 0 -.2"><joint axis="0 1 0"/><geom fromto="0 0 0 0 0 -.2"/>
<body pos="0 0 -.2"><joint axis="0 1 0"/><geom fromto="0 0 0 .1 0 0"/></body></body></body>"#
            );
        }
        text += "</body>\n";
    }
    text + "</worldbody>\n</mujoco>\n"
}

/// MJCF with copies of the model `one.xml` along a spiral.
fn humanoids(count: usize) -> String {
    format!(
        r#"<mujoco>
<asset><model name="one" file="one.xml"/></asset>
<worldbody>
<replicate count="{count}" euler="0 0 17" offset="0.6 0 0">
<attach model="one" body="pelvis" prefix="h_"/>
</replicate>
</worldbody>
</mujoco>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::{Source, select};
    use std::path::Path;

    #[test]
    fn names_groups_and_paths_are_selected() {
        let one = |name: &str| select(&[name.to_owned()]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(one("humanoid").len(), 1);
        assert!(one("compile").len() > 5);
        let path = sim_conformance::home().join("models/robots/arm6.xml");
        let path = path.to_string_lossy();
        let scenes = one(&path);
        assert!(matches!(scenes[0].source, Source::File(_)) && scenes[0].name == path);
        let archive = scenes[0].temporary(Path::new("folder"), "npz");
        assert_eq!(archive.parent(), Some(Path::new("folder")));
        assert!(select(&["nothing".to_owned()]).is_err());
    }

    #[test]
    fn folders_are_searched_for_models() {
        let folder = sim_conformance::home().join("models/robots");
        let scenes = select(&[folder.to_string_lossy().into_owned()]).unwrap();
        assert!(scenes.iter().all(|scene| scene.is_optional()));
        let names: Vec<&str> = scenes.iter().map(|scene| scene.name).collect();
        assert!(names.is_sorted() && names.contains(&"robots/arm6.xml"));
    }
}
