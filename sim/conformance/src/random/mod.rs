//! Conformance of random models: models over the MJCF vocabulary are generated, compared live with the
//! oracle, and those that differ are shrunk to small models.

mod asset;
mod element;
mod nontree;
mod rng;
mod scene;
mod sensor;
mod settings;
mod shrink;
mod tree;

pub use element::Element;

use crate::live::{self, Options};
use crate::{Oracle, Recording};
use rng::Rng;
use scene::Scene;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Generates the model of a seed.
#[must_use]
pub fn model(seed: u64) -> Element {
    let (mut rng, mut scene) = (Rng::new(seed), Scene::default());
    let rng = &mut rng;
    let mut root = Element::new("mujoco").with("model", format!("random{seed}"));
    let mut add = |section: Element| {
        if !section.children.is_empty() || !section.attributes.is_empty() {
            root.push(section);
        }
    };
    add(settings::compiler(rng));
    add(settings::option(rng));
    add(settings::defaults(rng, &mut scene));
    add(asset::assets(rng, &mut scene));
    add(tree::worldbody(rng, &mut scene));
    add(nontree::contact(rng, &scene));
    let tendon = nontree::tendon(rng, &mut scene);
    add(nontree::equality(rng, &scene));
    add(tendon);
    add(nontree::actuator(rng, &mut scene));
    add(sensor::sensor(rng, &mut scene));
    root
}

/// A run over random models.
#[derive(Debug, Clone)]
pub struct Run {
    /// Number of models.
    pub count: usize,
    /// Seed of the first model; the others follow.
    pub seed: u64,
    /// Folder of the shrunk models that differ.
    pub keep: Option<PathBuf>,
    /// Contents of the recordings.
    pub recording: Recording,
    /// Folder of temporary files.
    pub temp: PathBuf,
}

/// Generates and compares models; those for which `differs` returns a reason are shrunk and kept. Returns
/// the report of the live comparison.
///
/// # Errors
/// When files cannot be written.
pub fn run(
    oracle: &Oracle,
    run: &Run,
    differs: impl Fn(&Value) -> Option<String>,
) -> io::Result<Value> {
    let folder = run.temp.join("models");
    fs::create_dir_all(&folder)?;
    for k in 0..run.count as u64 {
        let seed = run.seed.wrapping_mul(1_000_000).wrapping_add(k);
        fs::write(folder.join(format!("random{seed}.xml")), model(seed).to_xml())?;
    }
    let compare = |paths: Vec<PathBuf>, temp: &str| {
        let temp = run.temp.join(temp);
        live::run(oracle, &Options { paths, recording: run.recording.clone(), temp })
    };
    let report = compare(vec![folder.clone()], "archives")?;
    if let Some(keep) = &run.keep {
        fs::create_dir_all(keep)?;
        let none = Vec::new();
        for file in report["files"].as_array().unwrap_or(&none) {
            let path = file["path"].as_str().unwrap_or_default();
            let seed = Path::new(path).file_stem().and_then(|stem| stem.to_str());
            let seed = seed.and_then(|stem| stem.strip_prefix("random")?.parse().ok());
            let (Some(_), Some(seed)) = (differs(file), seed) else { continue };
            let category = shrink::category(file);
            let small = shrink::shrink(model(seed), |candidate| {
                let path = folder.join("candidate.xml");
                fs::write(&path, candidate.to_xml())?;
                let report = compare(vec![path], "candidate")?;
                let file = &report["files"][0];
                Ok(differs(file).is_some() && shrink::category(file) == category)
            })?;
            let name = format!("random{seed}-{category}.xml");
            fs::write(keep.join(name), small.to_xml())?;
        }
    }
    // ignored: a remaining folder only takes disk space
    let _ = fs::remove_dir_all(&run.temp);
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::model;

    /// Seeds determine models, and most generated models are valid.
    #[test]
    fn generated_models_compile() {
        assert_eq!(model(1), model(1));
        assert_ne!(model(1), model(2));
        let load = |seed| sim_mjcf::load_str(&model(seed).to_xml());
        let errors: Vec<_> = (0..200).filter_map(|seed| load(seed).err()).collect();
        assert!(errors.len() < 60, "{} of 200: {:?}", errors.len(), errors.first());
    }
}
