//! Configuration of a plugin instance: a string per key.

use std::fmt;

/// An invalid configuration of a plugin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct PluginError {
    /// Key of the invalid value; `None` if the error concerns the instance.
    pub key: Option<String>,
    /// What is wrong and what to write instead.
    pub message: String,
}

impl PluginError {
    /// An error of the instance.
    pub fn new(message: impl Into<String>) -> Self {
        Self { key: None, message: message.into() }
    }

    /// An error of the value of a key.
    pub fn of_key(key: &str, message: impl Into<String>) -> Self {
        Self { key: Some(key.to_owned()), message: message.into() }
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => write!(f, "config \"{key}\": {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The configuration of an instance. A key without a value has the empty string.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PluginConfig(Vec<(String, String)>);

impl PluginConfig {
    /// The configuration with these keys and values.
    pub fn new<'a>(entries: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self(entries.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    /// Value of a key; empty if it is not set.
    #[must_use]
    pub fn get(&self, key: &str) -> &str {
        self.0.iter().find(|entry| entry.0 == key).map_or("", |entry| &entry.1)
    }

    /// Value of a key as a number; `None` if it is not set.
    ///
    /// # Errors
    /// If the value is not a finite number.
    pub fn number(&self, key: &str) -> Result<Option<f64>, PluginError> {
        let text = self.get(key).trim();
        if text.is_empty() { Ok(None) } else { parse(key, text).map(Some) }
    }

    /// Value of a key as numbers; empty if it is not set.
    ///
    /// # Errors
    /// If a word of the value is not a finite number.
    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, PluginError> {
        self.get(key).split_ascii_whitespace().map(|word| parse(key, word)).collect()
    }
}

fn parse(key: &str, word: &str) -> Result<f64, PluginError> {
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(PluginError::of_key(key, format!("`{word}` is not a number"))),
    }
}
