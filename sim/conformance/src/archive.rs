//! Reader of the oracle's recordings: an `.npz` file with one flat array and a JSON index of names.

use crate::REFERENCE;
use npyz::NpyFile;
use npyz::npz::file_name_from_array_name;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use zip::ZipArchive;

/// Named arrays and the metadata of one recording.
#[derive(Debug)]
pub struct Archive {
    values: Vec<f64>,
    index: BTreeMap<String, Entry>,
    meta: Value,
}

/// Location of an array in the flat storage.
#[derive(Debug, Clone, Copy)]
struct Entry {
    offset: usize,
    len: usize,
    rows: usize,
}

/// Error of reading an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The underlying error.
        source: io::Error,
    },
    /// The content does not have the oracle's format.
    #[error("{path}: {what}")]
    Malformed {
        /// The file.
        path: String,
        /// The defect.
        what: String,
    },
}

/// Reads the array `name` of an `.npz` archive.
fn array<T: npyz::Deserialize>(
    zip: &mut ZipArchive<BufReader<File>>,
    name: &str,
) -> io::Result<Vec<T>> {
    let entry = zip.by_name(&file_name_from_array_name(name)).map_err(io::Error::other)?;
    NpyFile::new(entry)?.into_vec()
}

impl Archive {
    /// Reads a whole archive.
    ///
    /// # Errors
    /// When the file is missing, unreadable or not in the oracle's format.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let name = path.display().to_string();
        let io = |source| ArchiveError::Io { path: name.clone(), source };
        let malformed =
            |what: &str| ArchiveError::Malformed { path: name.clone(), what: what.into() };
        let file = BufReader::new(File::open(path).map_err(io)?);
        let mut zip = ZipArchive::new(file).map_err(|error| malformed(&error.to_string()))?;
        let json: Vec<u8> = array(&mut zip, "meta").map_err(io)?;
        let values: Vec<f64> = array(&mut zip, "numbers").map_err(io)?;

        let meta: Value = serde_json::from_slice(&json)
            .map_err(|error| malformed(&format!("`meta` is not JSON: {error}")))?;
        let mut index = BTreeMap::new();
        for (name, location) in meta["index"].as_object().into_iter().flatten() {
            let number = |k: usize| location[k].as_u64().map(|x| x as usize);
            let entry = match (number(0), number(1), number(2)) {
                (Some(offset), Some(len), Some(rows)) if offset + len <= values.len() => {
                    Entry { offset, len, rows }
                }
                _ => return Err(malformed(&format!("the index of `{name}` is out of range"))),
            };
            index.insert(name.clone(), entry);
        }
        Ok(Self { values, index, meta })
    }

    /// The array of this name; empty if the archive has none.
    #[must_use]
    pub fn get(&self, name: &str) -> &[f64] {
        self.index.get(name).map_or(&[], |entry| &self.values[entry.offset..][..entry.len])
    }

    /// Row `k` of a stacked array; empty if the archive has none.
    #[must_use]
    pub fn row(&self, name: &str, k: usize) -> &[f64] {
        let array = self.get(name);
        let count = self.count(name).max(1);
        let len = array.len() / count;
        array.get(k * len..(k + 1) * len).unwrap_or(&[])
    }

    /// Number of rows of a stacked array; zero if the archive has none.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.index.get(name).map_or(0, |entry| entry.rows)
    }

    /// The single number of this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).first().copied()
    }

    /// The names that start with `prefix`, with the prefix removed.
    pub fn names<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.index.keys().filter_map(move |name| name.strip_prefix(prefix))
    }

    /// Whether the reference engine loads the model.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.meta["loads"].as_bool().unwrap_or(false)
    }

    /// The reference engine's error message when it does not load the model.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.meta["error"].as_str()
    }

    /// The reference engine's error message when it loads the model but cannot step it.
    #[must_use]
    pub fn step_error(&self) -> Option<&str> {
        self.meta["step_error"].as_str()
    }

    /// Whether the model selects MuJoCo's legacy library for convex collisions, which is not implemented here. Contacts
    /// and everything that depends on them are recorded with the native library.
    #[must_use]
    pub fn legacy_ccd(&self) -> bool {
        self.meta["legacy_ccd"].as_bool().unwrap_or(false)
    }

    /// The reference engine's version.
    #[must_use]
    pub fn oracle_version(&self) -> &str {
        self.meta["oracle_version"].as_str().unwrap_or("unknown")
    }

    /// Whether the recording is of another release than [`REFERENCE`], which has no array of this name.
    #[must_use]
    pub fn lacks(&self, name: &str) -> bool {
        let other = self.meta["oracle_version"].as_str().is_some_and(|v| v != REFERENCE);
        other && !self.index.contains_key(name)
    }

    /// CRC-32 of the recorded model file.
    #[must_use]
    pub fn crc32(&self) -> Option<u64> {
        self.meta["crc32"].as_u64()
    }
}

#[cfg(test)]
impl Archive {
    /// An archive of a release with arrays of one row.
    pub(crate) fn of_arrays(version: &str, arrays: &[(&str, &[f64])]) -> Self {
        let (mut values, mut index) = (Vec::new(), BTreeMap::new());
        for (name, array) in arrays {
            let entry = Entry { offset: values.len(), len: array.len(), rows: 1 };
            index.insert((*name).to_owned(), entry);
            values.extend_from_slice(array);
        }
        let meta = serde_json::json!({ "oracle_version": version, "loads": true });
        Self { values, index, meta }
    }
}

#[cfg(test)]
mod tests {
    use super::Archive;
    use crate::REFERENCE;

    #[test]
    fn only_other_releases_lack_arrays() {
        let arrays: &[(&str, &[f64])] = &[("out/qpos", &[1.0]), ("out/act", &[])];
        let other = Archive::of_arrays("4.0.1", arrays);
        assert!(other.lacks("out/qM"));
        assert!(!other.lacks("out/qpos") && !other.lacks("out/act"));
        assert!(!Archive::of_arrays(REFERENCE, arrays).lacks("out/qM"));
    }
}
