//! The names that a generated model has defined so far, to which later elements refer.

use super::rng::Rng;

/// A joint to which other elements may refer.
#[derive(Debug, Clone)]
pub struct JointName {
    pub name: String,
    pub kind: &'static str,
    pub limited: bool,
}

/// Names of the elements of a model.
#[derive(Debug, Default)]
pub struct Scene {
    pub bodies: Vec<String>,
    pub joints: Vec<JointName>,
    pub geoms: Vec<String>,
    /// Geoms around which tendons may wrap.
    pub wrap_geoms: Vec<String>,
    pub sites: Vec<String>,
    pub cameras: Vec<String>,
    pub tendons: Vec<String>,
    /// Tendons with limits.
    pub limited_tendons: Vec<String>,
    pub actuators: Vec<String>,
    pub meshes: Vec<String>,
    pub hfields: Vec<String>,
    pub materials: Vec<String>,
    /// Default classes.
    pub classes: Vec<String>,
    /// Whether the model has a `replicate`, which multiplies sensors without an object in 3.8.0.
    pub replicated: bool,
    counter: usize,
}

impl Scene {
    /// A new unique name.
    pub fn name(&mut self, prefix: &str) -> String {
        self.counter += 1;
        format!("{prefix}{}", self.counter)
    }

    /// Name of a joint with one dof.
    pub fn scalar_joint(&self, rng: &mut Rng) -> Option<JointName> {
        let scalar: Vec<&JointName> =
            self.joints.iter().filter(|j| matches!(j.kind, "hinge" | "slide")).collect();
        rng.pick(&scalar).map(|joint| (*joint).clone())
    }

    /// Name of a ball joint.
    pub fn ball_joint(&self, rng: &mut Rng) -> Option<String> {
        let balls: Vec<&JointName> = self.joints.iter().filter(|j| j.kind == "ball").collect();
        rng.pick(&balls).map(|joint| joint.name.clone())
    }

    /// Name of a hinge, slide or ball joint with limits.
    pub fn limited_joint(&self, rng: &mut Rng) -> Option<String> {
        let limited: Vec<&JointName> = self.joints.iter().filter(|j| j.limited).collect();
        rng.pick(&limited).map(|joint| joint.name.clone())
    }

    /// Type and name of an object with a frame.
    pub fn frame_object(&self, rng: &mut Rng) -> Option<(&'static str, String)> {
        let kind = rng.word(&["body", "xbody", "geom", "site", "camera"]);
        let list = match kind {
            "geom" => &self.geoms,
            "site" => &self.sites,
            "camera" => &self.cameras,
            _ => &self.bodies,
        };
        rng.pick(list).map(|name| (kind, name.clone()))
    }
}
