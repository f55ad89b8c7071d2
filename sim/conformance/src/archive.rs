//! Reading what the oracle wrote: an `.npz` file of named arrays.

use npyz::npz::NpzArchive;
use npyz::{DType, NpyFile, TypeChar};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// Named arrays of numbers, and the oracle's remarks.
#[derive(Debug)]
pub struct Archive {
    arrays: BTreeMap<String, Vec<f64>>,
    rows: BTreeMap<String, usize>,
    meta: serde_json::Value,
}

/// Why an archive cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The content is not what the oracle writes.
    #[error("{path}: {what}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
}

impl Archive {
    /// Reads a whole archive.
    ///
    /// # Errors
    /// When the file is missing, unreadable or not of the oracle's making.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let io = |source| ArchiveError::Io { path: path.display().to_string(), source };
        let mut zip = NpzArchive::open(path).map_err(io)?;
        let names: Vec<String> = zip.array_names().map(str::to_owned).collect();
        let (mut arrays, mut rows) = (BTreeMap::new(), BTreeMap::new());
        for name in names {
            if let Some(file) = zip.by_name(&name).map_err(io)? {
                rows.insert(name.clone(), file.shape().first().map_or(1, |&n| n as usize));
                let values = numbers(file).map_err(io)?;
                arrays.insert(name, values);
            }
        }
        let malformed =
            |what: &str| ArchiveError::Malformed { path: path.display().to_string(), what: what.into() };
        let bytes: Vec<u8> = arrays
            .get("meta")
            .ok_or_else(|| malformed("there is no entry `meta`"))?
            .iter()
            .map(|&x| x as u8)
            .collect();
        let meta = serde_json::from_slice(&bytes)
            .map_err(|error| malformed(&format!("`meta` is not JSON: {error}")))?;
        Ok(Self { arrays, rows, meta })
    }

    /// The array of this name; empty if the oracle wrote none.
    #[must_use]
    pub fn get(&self, name: &str) -> &[f64] {
        self.arrays.get(name).map_or(&[], Vec::as_slice)
    }

    /// Row `k` of a stacked array; empty if the oracle wrote none.
    #[must_use]
    pub fn row(&self, name: &str, k: usize) -> &[f64] {
        let array = self.get(name);
        let count = self.rows.get(name).copied().unwrap_or(1).max(1);
        let len = array.len() / count;
        array.get(k * len..(k + 1) * len).unwrap_or(&[])
    }

    /// Number of rows of a stacked array; zero if the oracle wrote none.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.rows.get(name).copied().unwrap_or(0)
    }

    /// The single number of this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).first().copied()
    }

    /// The names that start with `prefix`, without it.
    pub fn names<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.arrays.keys().filter_map(move |name| name.strip_prefix(prefix))
    }

    /// Whether the reference engine loads the model.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.meta["loads"].as_bool().unwrap_or(false)
    }

    /// The reference engine's version.
    #[must_use]
    pub fn oracle_version(&self) -> &str {
        self.meta["oracle_version"].as_str().unwrap_or("unknown")
    }

    /// Checksum of the model file that was recorded.
    #[must_use]
    pub fn crc32(&self) -> Option<u64> {
        self.meta["crc32"].as_u64()
    }
}

/// Any numeric array as double precision; integers up to 2⁵³ stay exact.
fn numbers<R: Read>(file: NpyFile<R>) -> std::io::Result<Vec<f64>> {
    let DType::Plain(kind) = file.dtype() else {
        return Err(std::io::Error::other("an array of records"));
    };
    match (kind.type_char(), kind.size_field()) {
        (TypeChar::Float, 8) => file.into_vec::<f64>(),
        (TypeChar::Float, 4) => widen(file.into_vec::<f32>()?),
        (TypeChar::Int, 4) => widen(file.into_vec::<i32>()?),
        (TypeChar::Int, 8) => {
            Ok(file.into_vec::<i64>()?.into_iter().map(|x| x as f64).collect())
        }
        (TypeChar::Uint, 8) => {
            Ok(file.into_vec::<u64>()?.into_iter().map(|x| x as f64).collect())
        }
        (TypeChar::Uint, 1) => widen(file.into_vec::<u8>()?),
        (TypeChar::Int, 1) => widen(file.into_vec::<i8>()?),
        (TypeChar::Bool, _) => {
            Ok(file.into_vec::<bool>()?.into_iter().map(f64::from).collect())
        }
        other => Err(std::io::Error::other(format!("an array of type {other:?}"))),
    }
}

fn widen<T: Into<f64>>(values: Vec<T>) -> std::io::Result<Vec<f64>> {
    Ok(values.into_iter().map(Into::into).collect())
}
