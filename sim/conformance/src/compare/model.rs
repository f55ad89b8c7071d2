//! Comparison of the compiled model: sizes, options, statistics and every array.

use super::{Outcome, structure};
use crate::known::NOT_COMPARED;
use crate::{Archive, tolerance};
use sim_core::{FieldView, Model};

/// Compares a compiled model with the oracle's.
#[must_use]
pub fn model(archive: &Archive, m: &Model) -> Outcome {
    let mut out = Outcome::default();
    m.sizes().visit(&mut |name, ours| {
        let array = format!("size/{name}");
        if !NOT_COMPARED.iter().any(|(field, _)| *field == name) && !out.skips(archive, &array) {
            out.integers("size", name, [ours as f64].into_iter(), archive.get(&array));
        }
    });
    m.opt.visit(&mut |name, ours| {
        let array = format!("opt/{name}");
        if !out.skips(archive, &array) {
            out.reals("option", name, tolerance::MODEL, ours, archive.get(&array));
        }
    });
    m.visit(&mut |field, view| {
        let skipped = NOT_COMPARED.iter().any(|(name, _)| *name == field.name);
        if skipped || structure::FIELDS.contains(&field.name) {
            return;
        }
        let array = format!("model/{}", field.name);
        if out.skips(archive, &array) {
            return;
        }
        let theirs = archive.get(&array);
        let stage = "compile";
        match view {
            FieldView::F64(ours) => {
                let spread = archive.number(&format!("spread/model/{}", field.name));
                let tolerance = tolerance::MODEL + tolerance::DRIFT_FACTOR * spread.unwrap_or(0.0);
                out.reals(stage, field.name, tolerance, ours, theirs);
            }
            FieldView::F32(ours) => {
                let ours: Vec<f64> = ours.iter().map(|&x| f64::from(x)).collect();
                out.reals(stage, field.name, tolerance::MODEL_F32, &ours, theirs);
            }
            FieldView::I32(ours) => {
                out.integers(stage, field.name, ours.iter().map(|&x| f64::from(x)), theirs);
            }
            FieldView::I64(ours) => {
                out.integers(stage, field.name, ours.iter().map(|&x| x as f64), theirs);
            }
            FieldView::U8(ours) => {
                out.integers(stage, field.name, ours.iter().map(|&x| f64::from(x)), theirs);
            }
            FieldView::Contact(_) => {}
        }
    });
    structure::structure(&mut out, archive, m);
    m.stat.visit(&mut |name, ours| {
        out.reals("statistic", name, tolerance::MODEL, ours, archive.get(&format!("stat/{name}")));
    });
    out
}
