//! Rendered images.

/// What to render; combine with `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outputs(u8);

impl Outputs {
    /// Colour.
    pub const RGB: Self = Self(1);
    /// Depth.
    pub const DEPTH: Self = Self(2);
    /// Segmentation.
    pub const SEGMENTATION: Self = Self(4);
    /// Surface normals.
    pub const NORMAL: Self = Self(8);
    /// Everything.
    pub const ALL: Self = Self(15);

    /// Whether all outputs of `other` are requested.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These outputs without those of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl std::ops::BitOr for Outputs {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A rendered image. Rows are ordered from top to bottom; outputs that were not requested are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Colour: red, green and blue bytes of each pixel.
    pub rgb: Vec<u8>,
    /// Distance from the camera along its line of sight (m); that of the far plane where there is nothing.
    pub depth: Vec<f32>,
    /// Index and type ([`ObjType`](sim_core::types::ObjType)) of the object at each pixel; -1 and -1 where
    /// there is none.
    pub segmentation: Vec<[i32; 2]>,
    /// Unit normal of the surface in the world frame; zero where there is none.
    pub normal: Vec<[f32; 3]>,
}
