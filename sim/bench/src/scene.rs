//! The scenes: which model, and how many steps a batch has.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where a scene's model comes from.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// One of our own models.
    Ours(&'static str),
    /// A chain of hinges hanging from the world, four to a body: files cannot nest bodies deep
    /// enough for one to a body.
    Chain(usize),
    /// That many copies of a small tree, side by side.
    Crowd(usize),
}

/// A scene of the benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its model.
    pub source: Source,
    /// Steps of one batch.
    pub batch: usize,
}

const fn scene(name: &'static str, source: Source, batch: usize) -> Scene {
    Scene { name, source, batch }
}

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
];

/// The scenes with these names, or all of them.
///
/// # Errors
/// Names the scene that does not exist.
pub fn select(names: &[String]) -> Result<Vec<Scene>, String> {
    if names.is_empty() {
        return Ok(SCENES.to_vec());
    }
    names
        .iter()
        .map(|name| {
            SCENES.iter().copied().find(|scene| scene.name == name).ok_or_else(|| {
                let known: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
                format!("no scene `{name}`; there are {}", known.join(", "))
            })
        })
        .collect()
}

impl Scene {
    /// The model's file; a generated one is written below `folder`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn file(&self, folder: &Path) -> std::io::Result<PathBuf> {
        let text = match self.source {
            Source::Ours(name) => {
                return Ok(sim_conformance::home().join("models").join(name).with_extension("xml"));
            }
            Source::Chain(hinges) => chain(hinges),
            Source::Crowd(count) => crowd(count),
        };
        std::fs::create_dir_all(folder)?;
        let path = folder.join(self.name).with_extension("xml");
        std::fs::write(&path, text)?;
        Ok(path)
    }
}

const HEAD: &str = r#"<mujoco>
<option timestep="0.001"><flag contact="disable"/></option>
<default><joint damping="0.05" armature="0.001"/><geom type="capsule" size="0.02" mass="0.1"/></default>
<worldbody>
"#;

/// A hanging chain, four hinges to a body (fewer in the last).
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

/// Free bases with two legs of three hinges.
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
