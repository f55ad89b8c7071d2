//! Round trip: a `Spec` saved as XML and parsed again must compile to the same model.

use super::Outcome;
use sim_core::{FieldView, Model};
use sim_mjcf::Spec;

/// Relative tolerance: angles and frames of attached models are converted to the parent's units.
const TOLERANCE: f64 = 1e-12;
/// File names, which are relative to the folder of the saved file.
const SKIPPED: &[&str] =
    &["npaths", "paths", "mesh_pathadr", "hfield_pathadr", "tex_pathadr", "skin_pathadr"];

/// Saves the specification of `first` as XML, parses and compiles it and compares the two models.
#[must_use]
pub fn round_trip(spec: &Spec, first: &Model) -> Outcome {
    let mut out = Outcome::default();
    let second =
        spec.save_xml().and_then(|text| spec.loader.parse_str(&text, &spec.directory)?.compile());
    let second = match second {
        Ok(second) => second,
        Err(errors) => {
            out.push("save", "xml", f64::INFINITY, 0.0, errors.to_string());
            return out;
        }
    };
    let mut sizes = Vec::new();
    first.sizes().visit(&mut |_, n| sizes.push(n as f64));
    let mut sizes = sizes.into_iter();
    second.sizes().visit(&mut |name, ours| {
        let theirs = sizes.next().unwrap_or(f64::NAN);
        if !SKIPPED.contains(&name) {
            out.integers("save", name, [ours as f64].into_iter(), &[theirs]);
        }
    });
    second.visit(&mut |field, ours| {
        let Some(theirs) = first.field(field.name) else { return };
        if SKIPPED.contains(&field.name) {
            return;
        }
        let (ours, exact) = numbers(ours);
        let (theirs, _) = numbers(theirs);
        if exact {
            out.integers("save", field.name, ours.into_iter(), &theirs);
        } else {
            out.reals("save", field.name, TOLERANCE, &ours, &theirs);
        }
    });
    let mut options = Vec::new();
    first.opt.visit(&mut |_, values| options.push(values.to_vec()));
    let mut options = options.into_iter();
    second.opt.visit(&mut |name, ours| {
        let theirs = options.next().unwrap_or_default();
        out.reals("save", name, TOLERANCE, ours, &theirs);
    });
    out
}

/// An array as `f64`, and whether its elements are integers.
fn numbers(view: FieldView<'_>) -> (Vec<f64>, bool) {
    match view {
        FieldView::F64(x) => (x.to_vec(), false),
        FieldView::F32(x) => (x.iter().map(|&x| f64::from(x)).collect(), false),
        FieldView::I32(x) => (x.iter().map(|&x| f64::from(x)).collect(), true),
        FieldView::I64(x) => (x.iter().map(|&x| x as f64).collect(), true),
        FieldView::U8(x) => (x.iter().map(|&x| f64::from(x)).collect(), true),
        FieldView::Contact(_) => (Vec::new(), true),
    }
}
