//! Content types of asset files: the declared one, or the one implied by the file extension.

use super::error::AssetError;

/// Content type `type/subtype` of a file, without parameters; empty if unknown.
///
/// A content type that is not of the form `type/subtype[;name=value]` is treated as unknown.
#[must_use]
pub fn content_type(file: &str, declared: Option<&str>) -> String {
    match declared.filter(|d| !d.is_empty()) {
        Some(declared) => parse(declared).unwrap_or_default(),
        None => from_extension(file).to_owned(),
    }
}

/// The format of a mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MeshFormat {
    /// STL, binary or text.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// MuJoCo's legacy binary format.
    Msh,
}

/// The format of a height field or texture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// KTX, stored undecoded.
    Ktx,
    /// MuJoCo's binary format for this asset type.
    Custom,
}

impl MeshFormat {
    /// The format of a mesh file.
    ///
    /// # Errors
    ///
    /// No decoder exists for the content type.
    pub fn of(file: &str, declared: Option<&str>) -> Result<Self, AssetError> {
        match content_type(file, declared).as_str() {
            "model/stl" => Ok(Self::Stl),
            "model/obj" => Ok(Self::Obj),
            "model/vnd.mujoco.msh" => Ok(Self::Msh),
            // With a malformed content type the extension decides.
            "" => match from_extension(file) {
                "model/stl" => Ok(Self::Stl),
                "model/obj" => Ok(Self::Obj),
                _ => Err(AssetError::Unsupported(declared.unwrap_or(file).to_owned())),
            },
            other => Err(AssetError::Unsupported(other.to_owned())),
        }
    }
}

impl ImageFormat {
    /// The format of a height field file; without a known type it is MuJoCo's binary format.
    ///
    /// # Errors
    ///
    /// No decoder exists for the content type.
    pub fn of_hfield(file: &str, declared: Option<&str>) -> Result<Self, AssetError> {
        match content_type(file, declared).as_str() {
            "image/png" => Ok(Self::Png),
            "" | "image/vnd.mujoco.hfield" => Ok(Self::Custom),
            other => Err(AssetError::Unsupported(other.to_owned())),
        }
    }

    /// The format of a texture file; without a known type it is MuJoCo's binary format.
    ///
    /// # Errors
    ///
    /// No decoder exists for the content type.
    pub fn of_texture(file: &str, declared: Option<&str>) -> Result<Self, AssetError> {
        match content_type(file, declared).as_str() {
            "image/png" => Ok(Self::Png),
            "image/ktx" => Ok(Self::Ktx),
            "" | "image/vnd.mujoco.texture" => Ok(Self::Custom),
            other => Err(AssetError::Unsupported(other.to_owned())),
        }
    }
}

fn parse(declared: &str) -> Option<String> {
    let (kind, rest) = declared.split_once('/')?;
    let (subtype, parameter) = match rest.split_once(';') {
        Some((subtype, parameter)) => (subtype, Some(parameter)),
        None => (rest, None),
    };
    let word = |s: &str| {
        !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || "-._+".contains(c))
    };
    if !word(kind) || !word(subtype) {
        return None;
    }
    if let Some(parameter) = parameter {
        let (name, value) = parameter.split_once('=')?;
        if name.trim().is_empty() || value.trim().is_empty() {
            return None;
        }
    }
    Some(format!("{kind}/{subtype}"))
}

fn from_extension(file: &str) -> &'static str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let Some((_, extension)) = name.rsplit_once('.') else {
        return "";
    };
    match extension.to_ascii_lowercase().as_str() {
        "stl" => "model/stl",
        "obj" => "model/obj",
        "ply" => "model/ply",
        "msh" => "model/vnd.mujoco.msh",
        "png" => "image/png",
        "ktx" => "image/ktx",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_content_type_takes_precedence_over_extension() {
        assert_eq!(MeshFormat::of("a.obj", Some("model/stl")), Ok(MeshFormat::Stl));
        assert_eq!(MeshFormat::of("dir.x/A.STL", None), Ok(MeshFormat::Stl));
        assert_eq!(MeshFormat::of("a", Some("model/obj;kind=x")), Ok(MeshFormat::Obj));
        assert!(MeshFormat::of("a.ply", None).is_err());
        assert!(MeshFormat::of("a", None).is_err());
        assert_eq!(ImageFormat::of_hfield("a.bin", None), Ok(ImageFormat::Custom));
        assert_eq!(ImageFormat::of_texture("a.ktx", None), Ok(ImageFormat::Ktx));
        assert!(ImageFormat::of_hfield("a.ktx", None).is_err());
        assert_eq!(content_type("x.png", Some("nonsense")), "");
    }
}
