//! Arguments of commands that use a kinematic chain: model, base, tip and configuration.

use crate::Failure;
use crate::format::count;
use crate::model_args::ModelArgs;
use clap::Args;
use sim_physics::Model;
use sim_physics::kinematics::{Chain, End};
use sim_physics::types::ObjType;

/// Arguments of commands that use a kinematic chain.
#[derive(Args)]
pub(crate) struct ChainArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The tip of the chain: a body.
    #[arg(long, value_name = "NAME", required_unless_present = "site", conflicts_with = "site")]
    body: Option<String>,
    /// The tip of the chain: a site.
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// The base of the chain, a body in whose frame poses are given; default the world.
    #[arg(long, value_name = "NAME")]
    base: Option<String>,
    /// Initial configuration: all values of the model's qpos, separated by commas.
    #[arg(long, value_name = "Q,Q,…", value_delimiter = ',', allow_hyphen_values = true)]
    qpos: Vec<f64>,
    /// Start from this keyframe.
    #[arg(long, value_name = "NAME", conflicts_with = "qpos")]
    keyframe: Option<String>,
}

impl ChainArgs {
    /// The chain.
    pub(crate) fn chain(&self, m: &Model) -> Result<Chain, Failure> {
        let base = match &self.base {
            Some(name) => End::body(m, name)?,
            None => End::WORLD,
        };
        let tip = match (&self.body, &self.site) {
            (_, Some(name)) => End::site(m, name)?,
            (Some(name), None) => End::body(m, name)?,
            (None, None) => return Err("give --body or --site".into()),
        };
        Ok(Chain::new(m, base, tip)?)
    }

    /// Whether an initial configuration was given.
    pub(crate) fn has_initial_qpos(&self) -> bool {
        !self.qpos.is_empty() || self.keyframe.is_some()
    }

    /// The initial configuration: that of the arguments, or `qpos0`.
    pub(crate) fn initial_qpos(&self, m: &Model) -> Result<Vec<f64>, Failure> {
        if let Some(name) = &self.keyframe {
            let key = m
                .name2id(ObjType::Key, name)
                .ok_or_else(|| format!("the model has no keyframe `{name}`"))?;
            return Ok(m.key_qpos[key * m.nq..][..m.nq].to_vec());
        }
        if self.qpos.is_empty() {
            return Ok(m.qpos0.clone());
        }
        if self.qpos.len() != m.nq {
            let given = self.qpos.len();
            return Err(
                format!("--qpos has {}; the model has {}", count(given, "number"), m.nq).into()
            );
        }
        if self.qpos.iter().any(|x| !x.is_finite()) {
            return Err("--qpos must be finite numbers".into());
        }
        Ok(self.qpos.clone())
    }

    /// Body of the base; 0 for the world.
    #[cfg(feature = "viewer")]
    pub(crate) fn base_body(&self, m: &Model) -> usize {
        self.base.as_ref().and_then(|name| m.name2id(ObjType::Body, name)).unwrap_or(0)
    }

    /// Position and rotation matrix of the tip in the world.
    #[cfg(feature = "viewer")]
    pub(crate) fn tip_pose(&self, m: &Model, d: &sim_physics::Data) -> ([f64; 3], [f64; 9]) {
        let id = |kind, name: &Option<String>| m.name2id(kind, name.as_ref()?);
        let (pos, mat, id) = match id(ObjType::Site, &self.site) {
            Some(site) => (&d.site_xpos, &d.site_xmat, site),
            None => (&d.xpos, &d.xmat, id(ObjType::Body, &self.body).unwrap_or(0)),
        };
        (std::array::from_fn(|k| pos[3 * id + k]), std::array::from_fn(|k| mat[9 * id + k]))
    }

    /// Description of the tip.
    pub(crate) fn tip(&self) -> String {
        match (&self.body, &self.site) {
            (_, Some(name)) => format!("site `{name}`"),
            (name, None) => format!("body `{}`", name.as_deref().unwrap_or_default()),
        }
    }

    /// Description of the base.
    pub(crate) fn base(&self) -> String {
        self.base.as_ref().map_or_else(|| "the world".to_owned(), |name| format!("body `{name}`"))
    }
}
