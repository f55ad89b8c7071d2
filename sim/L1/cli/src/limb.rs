//! A chain that a command asks for: its ends, and the state it is looked at in.

use crate::Failure;
use crate::source::Source;
use clap::Args;
use sim_physics::Model;
use sim_physics::kinematics::{Chain, End};
use sim_physics::types::ObjType;

/// Options of commands about a chain.
#[derive(Args)]
pub(crate) struct Limb {
    #[command(flatten)]
    pub source: Source,
    /// The body at the tip.
    #[arg(long, value_name = "NAME", required_unless_present = "site", conflicts_with = "site")]
    body: Option<String>,
    /// The site at the tip, instead of a body.
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// The body that poses are seen from; the world if not given.
    #[arg(long, value_name = "NAME")]
    base: Option<String>,
    /// Coordinates to start from: one number for each of the model's, separated by commas.
    #[arg(long, value_name = "Q,Q,…", value_delimiter = ',', allow_hyphen_values = true)]
    qpos: Vec<f64>,
    /// Start from this keyframe.
    #[arg(long, value_name = "NAME", conflicts_with = "qpos")]
    keyframe: Option<String>,
}

impl Limb {
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

    /// Whether a state was asked for.
    pub(crate) fn has_start(&self) -> bool {
        !self.qpos.is_empty() || self.keyframe.is_some()
    }

    /// The state asked for, or the model's reference.
    pub(crate) fn start(&self, m: &Model) -> Result<Vec<f64>, Failure> {
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
            return Err(format!("--qpos gives {given} numbers; the model has {}", m.nq).into());
        }
        if self.qpos.iter().any(|x| !x.is_finite()) {
            return Err("--qpos must be finite numbers".into());
        }
        Ok(self.qpos.clone())
    }

    /// What to call the tip in a report.
    pub(crate) fn tip(&self) -> String {
        match (&self.body, &self.site) {
            (_, Some(name)) => format!("site `{name}`"),
            (name, None) => format!("body `{}`", name.as_deref().unwrap_or_default()),
        }
    }

    /// What to call the base in a report.
    pub(crate) fn base(&self) -> String {
        self.base.as_ref().map_or_else(|| "the world".to_owned(), |name| format!("body `{name}`"))
    }
}

/// Numbers in a row, for a person.
pub(crate) fn numbers(values: &[f64]) -> String {
    // so that -0.000000 is not a number of its own
    let shown = |x: &f64| format!("{:.6}", if x.abs() < 5e-7 { 0.0 } else { *x });
    values.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// The name of a joint, or its number.
pub(crate) fn joint_name(m: &Model, id: usize) -> String {
    m.id2name(ObjType::Joint, id).map_or_else(|| format!("#{id}"), str::to_owned)
}
