//! Conformance of random models: models over the MJCF vocabulary are generated, compared live with the
//! oracle, and those that differ are shrunk to small models.

mod actuator;
mod asset;
mod attach;
mod element;
mod flex;
mod metadata;
mod nontree;
mod rng;
mod scene;
mod sensor;
mod settings;
mod shrink;
mod tree;

pub use element::Element;

use crate::live::Session;
use crate::{Oracle, Recording};
use rayon::prelude::*;
use rng::Rng;
use scene::Scene;
use serde_json::Value;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Generates the model of a seed. A sub-model that it attaches is a child of its `asset/model` element.
///
/// A few models have flexes, cables or skins; with `flex` all of them, except those with a height field or sleep.
#[must_use]
pub fn model(seed: u64, flex: bool) -> Element {
    let (mut rng, mut scene) = (Rng::new(seed), Scene::default());
    let rng = &mut rng;
    let mut root = Element::new("mujoco").with("model", format!("random{seed}"));
    root.children = sections(rng, &mut scene);
    attach::attach(rng, seed, &mut root);
    flex::add(seed, flex, &mut root);
    root
}

/// All sections of a model that are not empty.
fn sections(rng: &mut Rng, scene: &mut Scene) -> Vec<Element> {
    let settings = [
        settings::compiler(rng),
        settings::option(rng),
        metadata::size(rng),
        metadata::statistic(rng),
        metadata::visual(rng),
        settings::defaults(rng, scene),
        asset::assets(rng, scene),
        tree::worldbody(rng, scene),
    ];
    let contact = nontree::contact(rng, scene);
    let tendon = nontree::tendon(rng, scene);
    let equality = nontree::equality(rng, scene);
    let actuator = actuator::actuator(rng, scene);
    let sensor = sensor::sensor(rng, scene);
    let custom = metadata::custom(rng, scene);
    let keyframe = metadata::keyframe(rng, scene);
    let others = [contact, equality, tendon, actuator, sensor, custom, keyframe];
    let used = |section: &Element| !section.children.is_empty() || !section.attributes.is_empty();
    settings.into_iter().chain(others).filter(used).collect()
}

/// Writes a model to `path`, and its sub-models next to it.
fn write(model: &Element, path: &Path) -> io::Result<()> {
    fs::write(path, model.to_xml())?;
    for (file, part) in model.parts() {
        fs::write(path.with_file_name(file), part.to_xml())?;
    }
    Ok(())
}

/// Generated models in a temporary folder, which is removed at the end.
pub struct Models {
    session: Session,
    folder: PathBuf,
    temp: PathBuf,
    files: Vec<PathBuf>,
    flex: bool,
}

impl Models {
    /// Generates models in the folder `temp`; number `k` has the seed `seed` · 10⁶ + `k`. For `flex` see [`model`].
    ///
    /// # Errors
    /// When files cannot be written.
    pub fn generate(
        oracle: &Oracle,
        recording: Recording,
        temp: &Path,
        numbers: Range<u64>,
        seed: u64,
        flex: bool,
    ) -> io::Result<Self> {
        let folder = temp.join("models");
        fs::create_dir_all(&folder)?;
        let mut files = Vec::new();
        for k in numbers {
            let seed = seed.wrapping_mul(1_000_000).wrapping_add(k);
            let path = folder.join(format!("random{seed}.xml"));
            write(&model(seed, flex), &path)?;
            files.push(path);
        }
        let session = Session::new(oracle, recording, &temp.join("archives"))?;
        Ok(Self { session, folder, temp: temp.to_path_buf(), files, flex })
    }

    /// Compares all models; returns the report of the live comparison.
    #[must_use]
    pub fn compare(&self) -> Value {
        self.session.compare(&self.files)
    }

    /// Shrinks the models of a report for which `differs` returns a reason, and writes them to `keep`.
    ///
    /// # Errors
    /// When files cannot be written.
    pub fn keep(
        &self,
        report: &Value,
        keep: &Path,
        differs: impl Fn(&Value) -> Option<String> + Sync,
    ) -> io::Result<()> {
        fs::create_dir_all(keep)?;
        let none = Vec::new();
        let files = report["files"].as_array().unwrap_or(&none);
        files.par_iter().filter(|file| differs(file).is_some()).try_for_each(|file| {
            let path = PathBuf::from(file["path"].as_str().unwrap_or_default());
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let Some(seed) = stem.strip_prefix("random").and_then(|digits| digits.parse().ok())
            else {
                return Ok(());
            };
            let kind = shrink::failure(file);
            let candidate = self.folder.join(format!("{stem}-candidate.xml"));
            let small = shrink::shrink(model(seed, self.flex), |model| {
                write(model, &candidate)?;
                let file = self.session.compare_file(&candidate);
                Ok(differs(&file).is_some() && shrink::failure(&file) == kind)
            })?;
            write(&small, &keep.join(format!("{stem}-{}.xml", kind.0)))
        })
    }
}

impl Drop for Models {
    fn drop(&mut self) {
        // ignored: a remaining folder only takes disk space
        let _ = fs::remove_dir_all(&self.temp);
    }
}
