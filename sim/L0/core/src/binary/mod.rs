//! Binary format of compiled models (`mj_saveModel`, `mj_loadModel`).
//!
//! Layout, little endian: magic, format version, fingerprint of the field tables, options, statistics,
//! visualization settings, sizes, every array in table order, names of plugins, deformable bodies, CRC-32 of everything before
//! it. Loading validates the checksum, array lengths, enum values, references and structure, so that every model that loads can be
//! simulated.

mod flex;
mod plugin;
mod reader;
mod skin;
mod structure;
mod validate;

pub use reader::BinaryError;
pub(crate) use reader::{Reader, invalid};

use crate::field::Element;
use crate::{Model, ModelSizes, PluginRegistry};
use sim_types::{Options, Statistic, Visual};

/// Format version.
const VERSION: u32 = 3;

impl Model {
    /// First bytes of the binary format.
    pub const MAGIC: &'static [u8; 8] = b"SIMMODEL";

    /// Serialises the model. Callbacks are not included.
    ///
    /// ```
    /// let model = sim_mjcf::load_str("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")?;
    /// let bytes = model.to_bytes();
    /// let again = sim_core::Model::from_bytes(&bytes)?;
    /// assert_eq!(again.geom_size, model.geom_size);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "mj_saveModel")]
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(Self::MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&fingerprint().to_le_bytes());
        self.opt.visit(&mut |_, values| f64::put(values, &mut out));
        self.stat.visit(&mut |_, values| f64::put(values, &mut out));
        self.vis.visit(&mut |_, _, values| f64::put(values, &mut out));
        self.sizes().visit(&mut |_, n| out.extend_from_slice(&(n as u64).to_le_bytes()));
        self.write_arrays(&mut out);
        plugin::write(self, &mut out);
        self.deformables.to_bytes(&mut out);
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// Checks ids, addresses and the structure of the model after arrays were edited: every model that passes can
    /// be simulated.
    ///
    /// # Errors
    ///
    /// [`BinaryError::Invalid`] with the first array that is inconsistent.
    pub fn validate(&self) -> Result<(), BinaryError> {
        validate::references(self).map_err(|field| invalid(&field))?;
        structure::check(self).map_err(|field| invalid(&field))?;
        flex::check(self).map_err(|field| invalid(&field))?;
        skin::check(self).map_err(|field| invalid(&field))
    }

    /// Deserialises a model written by [`Model::to_bytes`] that uses no plugins other than MuJoCo's.
    ///
    /// # Errors
    ///
    /// As [`Model::from_bytes_with_plugins`].
    #[doc(alias = "mj_loadModel")]
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BinaryError> {
        Self::from_bytes_with_plugins(bytes, &PluginRegistry::default())
    }

    /// Deserialises a model written by [`Model::to_bytes`].
    ///
    /// # Errors
    ///
    /// If the data is not a compiled model, has a different version, is corrupt, or a plugin is not
    /// registered.
    pub fn from_bytes_with_plugins(
        bytes: &[u8],
        plugins: &PluginRegistry,
    ) -> Result<Self, BinaryError> {
        if !bytes.starts_with(Self::MAGIC) {
            return Err(BinaryError::Foreign);
        }
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(BinaryError::Truncated)?;
        let mut reader = Reader(body);
        reader.bytes(Self::MAGIC.len())?;
        let version = reader.u32()?;
        if version != VERSION || reader.u32()? != fingerprint() {
            return Err(BinaryError::Version);
        }
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(BinaryError::Checksum);
        }
        let (mut opt, mut stat) = (Options::default(), Statistic::default());
        let mut vis = Visual::default();
        opt.set(&mut |n| reader.reals(n).ok()).ok_or_else(|| invalid("options"))?;
        stat.set(&mut |n| reader.reals(n).ok()).ok_or_else(|| invalid("statistics"))?;
        vis.set(&mut |n| reader.reals(n).ok()).ok_or_else(|| invalid("visual"))?;
        let mut sizes = ModelSizes::default();
        let mut failed = None;
        sizes.visit_mut(&mut |name, n| match reader.u64().map(usize::try_from) {
            Ok(Ok(value)) if value <= size_limit(name, bytes.len()) => *n = value,
            Ok(_) => failed = Some(invalid(name)),
            Err(error) => failed = Some(error),
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let mut model = Self::read_arrays(&sizes, &mut reader)?;
        (model.opt, model.stat, model.vis) = (opt, stat, vis);
        model.validate()?;
        model.plan = crate::plan::Plan::new(&model);
        plugin::read(&mut model, &mut reader, plugins)?;
        let failed = |error: crate::PluginInitError| BinaryError::Plugin(error.to_string());
        model.init_plugins(plugins).map_err(failed)?;
        model.read_deformables(reader.0).map_err(BinaryError::Invalid)?;
        Ok(model)
    }
}

/// Upper bound of a size. Arrays of the model cannot have more elements than the file has bytes.
fn size_limit(size: &str, bytes: usize) -> usize {
    match size {
        // lengths of arrays in `Data`
        "nuserdata" | "nhistory" | "nsensordata" | "npluginstate" => 1 << 28,
        // informational sizes, which allocate nothing
        "njmax" | "nconmax" | "narena" | "nbuffer" => usize::MAX,
        _ => bytes,
    }
}

/// CRC-32 of the field tables: changes when a size or an array is added, renamed or reshaped.
fn fingerprint() -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    ModelSizes::default().visit(&mut |name, _| hasher.update(name.as_bytes()));
    Options::default().visit(&mut |name, _| hasher.update(name.as_bytes()));
    Visual::default().visit(&mut |_, name, _| hasher.update(name.as_bytes()));
    for field in Model::FIELDS {
        hasher.update(field.name.as_bytes());
        hasher.update(field.element.as_bytes());
        field.shape.iter().for_each(|factor| hasher.update(factor.as_bytes()));
    }
    hasher.finalize()
}
