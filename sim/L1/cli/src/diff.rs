//! `sim diff`: differences between two compiled models.

use crate::Failure;
use crate::model_args::load;
use clap::Args;
use serde_json::{Value, json};
use sim_physics::Model;
use sim_physics::core::FieldView;
use sim_physics::types::ObjType;
use std::path::PathBuf;

/// Arguments of `sim diff`.
#[derive(Args)]
#[command(after_help = "Exit codes: 0 same, 1 different, 2 error.

Examples:
  sim diff robot.xml robot_new.xml
  sim diff robot.xml robot.sim --tolerance 1e-9 --json")]
pub(crate) struct Diff {
    /// MJCF, URDF, or a compiled model.
    a: PathBuf,
    /// The model to compare with.
    b: PathBuf,
    /// Relative tolerance within which numbers count as equal.
    #[arg(long, default_value_t = 0.0, value_name = "X")]
    tolerance: f64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Simulate both models side by side in a window.
    #[cfg(feature = "viewer")]
    #[arg(long)]
    view: bool,
}

/// An element type, its name, and the number of its elements in a model.
type Named = (ObjType, &'static str, fn(&Model) -> usize);

/// Element types with names.
const NAMED: [Named; 10] = [
    (ObjType::Body, "body", |m| m.nbody),
    (ObjType::Joint, "joint", |m| m.njnt),
    (ObjType::Geom, "geom", |m| m.ngeom),
    (ObjType::Site, "site", |m| m.nsite),
    (ObjType::Camera, "camera", |m| m.ncam),
    (ObjType::Mesh, "mesh", |m| m.nmesh),
    (ObjType::Tendon, "tendon", |m| m.ntendon),
    (ObjType::Actuator, "actuator", |m| m.nu),
    (ObjType::Sensor, "sensor", |m| m.nsensor),
    (ObjType::Key, "keyframe", |m| m.nkey),
];

/// A difference: the field, and its description.
struct Difference {
    what: String,
    how: String,
}

impl Diff {
    /// Whether the models are the same.
    pub(crate) fn run(&self) -> Result<bool, Failure> {
        let (a, b) = (load(&self.a)?, load(&self.b)?);
        let mut found = sizes(&a, &b);
        found.extend(names(&a, &b));
        found.extend(fields("option", &a.opt, &b.opt));
        found.extend(fields("statistic", &a.stat, &b.stat));
        found.extend(fields("visual", &a.vis, &b.vis));
        found.extend(self.arrays(&a, &b));
        if self.json {
            let rows: Vec<Value> =
                found.iter().map(|d| json!({ "what": d.what, "how": d.how })).collect();
            outln!("{}", json!({ "same": found.is_empty(), "differences": rows }));
        } else if found.is_empty() {
            outln!("no difference");
        } else {
            let width = found.iter().map(|d| d.what.len()).max().unwrap_or(0);
            found.iter().for_each(|d| outln!("{:width$}  {}", d.what, d.how));
        }
        #[cfg(feature = "viewer")]
        if self.view {
            crate::window::side_by_side([(&self.a, a), (&self.b, b)])?;
        }
        Ok(found.is_empty())
    }

    /// Arrays of the same length with different values.
    fn arrays(&self, a: &Model, b: &Model) -> Vec<Difference> {
        let mut found = Vec::new();
        a.visit(&mut |info, ours| {
            let (ours, theirs) = (numbers(&ours), b.field(info.name).map(|f| numbers(&f)));
            let theirs = theirs.unwrap_or_default();
            // different lengths are reported by `sizes`
            if ours.len() != theirs.len() {
                return;
            }
            let is_equal = |x: f64, y: f64| {
                x == y
                    || (x - y).abs() <= self.tolerance * x.abs().max(y.abs())
                    || x.is_nan() && y.is_nan()
            };
            let differing: Vec<usize> =
                (0..ours.len()).filter(|&i| !is_equal(ours[i], theirs[i])).collect();
            let Some(&first) = differing.first() else { return };
            let how = format!(
                "{} of {} numbers; [{first}] is {} and {}",
                differing.len(),
                ours.len(),
                ours[first],
                theirs[first]
            );
            found.push(Difference { what: info.name.to_owned(), how });
        });
        found
    }
}

/// Sizes that differ.
fn sizes(a: &Model, b: &Model) -> Vec<Difference> {
    let mut theirs = Vec::new();
    b.sizes().visit(&mut |_, n| theirs.push(n));
    let (mut found, mut theirs) = (Vec::new(), theirs.into_iter());
    a.sizes().visit(&mut |name, ours| {
        if let Some(theirs) = theirs.next()
            && ours != theirs
        {
            found.push(Difference { what: name.to_owned(), how: format!("{ours} and {theirs}") });
        }
    });
    found
}

/// Names that only one of the models has.
fn names(a: &Model, b: &Model) -> Vec<Difference> {
    let mut found = Vec::new();
    for (kind, word, count) in NAMED {
        for (one, other, only) in [(a, b, "only in the first"), (b, a, "only in the second")] {
            let missing: Vec<&str> = (0..count(one))
                .filter_map(|id| one.id2name(kind, id))
                .filter(|name| !name.is_empty() && other.name2id(kind, name).is_none())
                .collect();
            if !missing.is_empty() {
                let how = format!("{only}: {}", missing.join(", "));
                found.push(Difference { what: word.to_owned(), how });
            }
        }
    }
    found
}

/// Fields of a structure that differ.
fn fields<T: std::fmt::Debug>(what: &str, a: &T, b: &T) -> Vec<Difference> {
    let (ours, theirs) = (rows(a), rows(b));
    let differing = ours.iter().zip(&theirs).filter(|(a, b)| a != b);
    let row = |(a, b): (&String, &String)| Difference {
        what: what.to_owned(),
        how: format!("{a} and {b}"),
    };
    differing.map(row).collect()
}

/// A line for each field of a structure, arrays on one line.
fn rows<T: std::fmt::Debug>(value: &T) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in format!("{value:#?}").lines() {
        // fields are indented once, continuation lines more
        if line.starts_with("     ") || line.starts_with("    ]") {
            if let Some(row) = rows.last_mut() {
                *row += " ";
                *row += line.trim();
            }
        } else {
            rows.push(line.trim().to_owned());
        }
    }
    rows.iter().map(|row| row.trim_end_matches(',').to_owned()).collect()
}

/// The values of an array.
fn numbers(field: &FieldView<'_>) -> Vec<f64> {
    match field {
        FieldView::F64(x) => x.to_vec(),
        FieldView::F32(x) => x.iter().map(|&x| f64::from(x)).collect(),
        FieldView::I32(x) => x.iter().map(|&x| f64::from(x)).collect(),
        FieldView::I64(x) => x.iter().map(|&x| x as f64).collect(),
        FieldView::U8(x) => x.iter().map(|&x| f64::from(x)).collect(),
        FieldView::Contact(_) => Vec::new(),
    }
}
