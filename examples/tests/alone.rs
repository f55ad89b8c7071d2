//! Each crate can be used alone: programs outside the workspace that depend on one crate by its path are type-checked.
//! Building and running them would test nothing that other tests do not, and take twice as long.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Package name, path of the dependency, and program.
const CRATES: [(&str, &str, &str); 5] = [
    (
        "robot",
        "sim/L1/physics",
        r#"use sim_physics::prelude::*;

fn main() -> Result<(), Error> {
    let mut sim = Simulation::from_xml(
        "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")?;
    while sim.time() < 0.1 {
        sim.step()?;
    }
    println!("{}", sim.body_pos("ball")?.z);
    Ok(())
}"#,
    ),
    (
        "solver",
        "sim/L0/constraint",
        r#"use sim_constraint::{CGSolverConfig, ContactBlock, ContactWorkspace, Inertia, cg_solve_contacts};

fn main() {
    let (one, adr) = ([1; 3], [0, 1, 2]);
    let inertia = Inertia {
        rownnz: &one, rowadr: &adr, colind: &adr, m: &[2.0; 3], ld: &[2.0; 3], diag_inv: &[0.5; 3],
    };
    let jacobian = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let contact = ContactBlock { jacobian: &jacobian, rhs: [3.0, 0.0, 0.0], friction: 0.5 };
    let (config, mut work) = (CGSolverConfig::default(), ContactWorkspace::default());
    println!("{}", cg_solve_contacts(&[contact], &inertia, &[], &config, &mut work).converged);
}"#,
    ),
    (
        "reader",
        "sim/L0/mjcf",
        r#"fn main() {
    let errors = sim_mjcf::load_str("<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>");
    println!("{}", errors.is_err());
}"#,
    ),
    (
        "chains",
        "sim/L0/kinematics",
        r#"fn main() {
    let frame = sim_kinematics::Frame::new([1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 0.0]);
    println!("{}", frame.then(&frame.inverse()).pos() == [0.0; 3]);
}"#,
    ),
    (
        "pipeline",
        "sim/L0/core",
        r#"fn main() {
    let model = sim_core::Model::with_sizes(&sim_core::ModelSizes::default());
    println!("{}", sim_core::Model::from_bytes(&model.to_bytes()[..9]).is_err());
}"#,
    ),
];

/// Writes a separate workspace with these packages.
fn workspace() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alone");
    let write = |path: PathBuf, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let members: Vec<String> = CRATES.iter().map(|(name, ..)| format!("{name:?}")).collect();
    let root = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    write(folder.join("Cargo.toml"), &root);
    fs::copy(format!("{ROOT}/Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    for (name, path, program) in CRATES {
        let crate_name = format!("sim-{}", path.rsplit('/').next().unwrap());
        let path = fs::canonicalize(format!("{ROOT}/{path}")).unwrap();
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{crate_name} = {{ path = {path:?} }}\n"
        );
        write(folder.join(name).join("Cargo.toml"), &manifest);
        write(folder.join(name).join("src/main.rs"), program);
    }
    folder
}

#[test]
fn each_crate_can_be_used_alone() {
    let folder = workspace();
    for (name, ..) in CRATES {
        let output = Command::new(env!("CARGO"))
            .args(["check", "--quiet", "--offline", "--package", name])
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            // checked once: incremental compilation is of no use
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {errors}");
    }
}
