//! Plugins in the binary format: the name of the plugin of each instance, in place of its registry index.

use super::reader::{BinaryError, Reader, invalid};
use crate::{Model, PluginRegistry};

/// Appends the plugin name of each instance.
pub(super) fn write(m: &Model, out: &mut Vec<u8>) {
    for i in 0..m.nplugin {
        let name = m.plugin_name(i).unwrap_or_default();
        out.extend_from_slice(&(name.len() as u64).to_le_bytes());
        out.extend_from_slice(name.as_bytes());
    }
}

/// Reads the names and sets `plugin` to the indices in a registry.
pub(super) fn read(
    m: &mut Model,
    reader: &mut Reader<'_>,
    registry: &PluginRegistry,
) -> Result<(), BinaryError> {
    for i in 0..m.nplugin {
        let length = usize::try_from(reader.u64()?).map_err(|_| invalid("plugin"))?;
        let name = std::str::from_utf8(reader.bytes(length)?).map_err(|_| invalid("plugin"))?;
        let Some((index, _)) = registry.get(name) else {
            return Err(BinaryError::Plugin(format!("`{name}` is not registered")));
        };
        m.plugin[i] = i32::try_from(index).map_err(|_| invalid("plugin"))?;
    }
    Ok(())
}
