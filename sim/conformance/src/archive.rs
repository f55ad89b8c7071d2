//! Reading what the oracle wrote: an `.npz` file of one long array and an index of names.

use npyz::npz::NpzArchive;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Named arrays of numbers, and the oracle's remarks.
#[derive(Debug)]
pub struct Archive {
    numbers: Vec<f64>,
    index: BTreeMap<String, Place>,
    meta: Value,
}

/// Where an array is among the numbers.
#[derive(Debug, Clone, Copy)]
struct Place {
    offset: usize,
    len: usize,
    rows: usize,
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
        let name = path.display().to_string();
        let io = |source| ArchiveError::Io { path: name.clone(), source };
        let malformed =
            |what: &str| ArchiveError::Malformed { path: name.clone(), what: what.into() };
        let mut zip = NpzArchive::open(path).map_err(io)?;
        let absent = |entry: &str| malformed(&format!("there is no entry `{entry}`"));
        let text = zip.by_name("meta").map_err(io)?.ok_or_else(|| absent("meta"))?;
        let text = text.into_vec::<u8>().map_err(io)?;
        let numbers = zip.by_name("numbers").map_err(io)?.ok_or_else(|| absent("numbers"))?;
        let numbers = numbers.into_vec::<f64>().map_err(io)?;

        let meta: Value = serde_json::from_slice(&text)
            .map_err(|error| malformed(&format!("`meta` is not JSON: {error}")))?;
        let mut index = BTreeMap::new();
        for (name, place) in meta["index"].as_object().into_iter().flatten() {
            let number = |k: usize| place[k].as_u64().map(|x| x as usize);
            let entry = match (number(0), number(1), number(2)) {
                (Some(offset), Some(len), Some(rows)) if offset + len <= numbers.len() => {
                    Place { offset, len, rows }
                }
                _ => return Err(malformed(&format!("`{name}` lies outside the numbers"))),
            };
            index.insert(name.clone(), entry);
        }
        Ok(Self { numbers, index, meta })
    }

    /// The array of this name; empty if the oracle wrote none.
    #[must_use]
    pub fn get(&self, name: &str) -> &[f64] {
        self.index.get(name).map_or(&[], |place| &self.numbers[place.offset..][..place.len])
    }

    /// Row `k` of a stacked array; empty if the oracle wrote none.
    #[must_use]
    pub fn row(&self, name: &str, k: usize) -> &[f64] {
        let array = self.get(name);
        let count = self.count(name).max(1);
        let len = array.len() / count;
        array.get(k * len..(k + 1) * len).unwrap_or(&[])
    }

    /// Number of rows of a stacked array; zero if the oracle wrote none.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.index.get(name).map_or(0, |place| place.rows)
    }

    /// The single number of this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).first().copied()
    }

    /// The names that start with `prefix`, without it.
    pub fn names<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.index.keys().filter_map(move |name| name.strip_prefix(prefix))
    }

    /// Whether the reference engine loads the model.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.meta["loads"].as_bool().unwrap_or(false)
    }

    /// What the reference engine said when it could load the model but not step it.
    #[must_use]
    pub fn step_error(&self) -> Option<&str> {
        self.meta["step_error"].as_str()
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
