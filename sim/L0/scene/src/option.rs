//! Visualization options (`mjvOption`).

use crate::{FrameMode, LabelMode, VisFlag};

/// Number of groups of geoms, sites, joints, tendons, actuators, flexes and skins (`mjNGROUP`).
pub const NGROUP: usize = 6;

/// What to visualize (`mjvOption`).
///
/// ```
/// use sim_scene::{VisFlag, VisOption};
/// let mut option = VisOption::default();
/// assert!(option.flag(VisFlag::Texture) && !option.flag(VisFlag::ContactPoint));
/// option.flags[VisFlag::ContactPoint as usize] = true;
/// option.geomgroup[3] = true;
/// ```
#[doc(alias = "mjvOption")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisOption {
    /// Objects that are labelled.
    pub label: LabelMode,
    /// Coordinate frames that are drawn.
    pub frame: FrameMode,
    /// Visible groups of geoms.
    pub geomgroup: [bool; NGROUP],
    /// Visible groups of sites.
    pub sitegroup: [bool; NGROUP],
    /// Visible groups of joints.
    pub jointgroup: [bool; NGROUP],
    /// Visible groups of tendons.
    pub tendongroup: [bool; NGROUP],
    /// Visible groups of actuators.
    pub actuatorgroup: [bool; NGROUP],
    /// Visible groups of flexes.
    pub flexgroup: [bool; NGROUP],
    /// Visible groups of skins.
    pub skingroup: [bool; NGROUP],
    /// Flags, indexed by [`VisFlag`].
    pub flags: [bool; VisFlag::ALL.len()],
    /// Depth of the bounding volumes that are drawn.
    pub bvh_depth: i32,
    /// Element layer that is drawn for 3D flexes.
    pub flex_layer: i32,
}

impl Default for VisOption {
    /// The default options (`mjv_defaultOption`): the first three groups, and the default flags.
    fn default() -> Self {
        let group = [true, true, true, false, false, false];
        let mut flags = [false; VisFlag::ALL.len()];
        for flag in VisFlag::ALL {
            flags[*flag as usize] = flag.info().1;
        }
        Self {
            label: LabelMode::None,
            frame: FrameMode::None,
            geomgroup: group,
            sitegroup: group,
            jointgroup: group,
            tendongroup: group,
            actuatorgroup: group,
            flexgroup: group,
            skingroup: group,
            flags,
            bvh_depth: 1,
            flex_layer: 0,
        }
    }
}

impl VisOption {
    /// Whether a flag is set.
    #[must_use]
    pub const fn flag(&self, flag: VisFlag) -> bool {
        self.flags[flag as usize]
    }
}

/// Whether an element's group is visible; groups out of range count as the nearest one.
pub(crate) fn visible(groups: &[bool; NGROUP], group: i32) -> bool {
    groups[usize::try_from(group).unwrap_or(0).min(NGROUP - 1)]
}
