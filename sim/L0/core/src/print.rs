//! Human-readable dumps of models and data (`mj_printModel`, `mj_printData`).

use crate::{Data, FieldInfo, FieldView, Model};
use std::collections::HashMap;
use std::fmt::{self, Display, Write};

/// All sizes, options, statistics, visualization settings and arrays of a model as text; empty arrays are omitted.
///
/// ```
/// let model = sim_mjcf::load_str("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")?;
/// let text = sim_core::print_model(&model);
/// assert!(text.contains("geom_size [1 x 3]"));
/// # Ok::<(), sim_mjcf::Errors>(())
/// ```
#[doc(alias = "mj_printModel")]
#[must_use]
pub fn print_model(m: &Model) -> String {
    let mut out = String::new();
    let _ = model(m, &mut out);
    out
}

/// The state and all computed arrays of a data as text; empty arrays are omitted.
#[doc(alias = "mj_printData")]
#[must_use]
pub fn print_data(m: &Model, d: &Data) -> String {
    let mut out = String::new();
    let _ = data(m, d, &mut out);
    out
}

fn model(m: &Model, out: &mut String) -> fmt::Result {
    writeln!(out, "SIZES")?;
    let mut result = Ok(());
    m.sizes().visit(&mut |name, n| {
        if n > 0 {
            result = result.and_then(|()| writeln!(out, "  {name:<16}{n}"));
        }
    });
    writeln!(out, "\nOPTIONS")?;
    m.opt.visit(&mut |name, values| {
        result = result.and_then(|()| writeln!(out, "  {name:<18}{}", Row(values)));
    });
    writeln!(out, "\nSTATISTICS")?;
    m.stat.visit(&mut |name, values| {
        result = result.and_then(|()| writeln!(out, "  {name:<18}{}", Row(values)));
    });
    writeln!(out, "\nVISUAL")?;
    m.vis.visit(&mut |section, name, values| {
        let name = format!("{section}.{name}");
        result = result.and_then(|()| writeln!(out, "  {name:<26}{}", Row(values)));
    });
    let sizes = sizes(m);
    m.visit(&mut |field, view| {
        result = result.and_then(|()| array(field, &view, &sizes, out));
    });
    result
}

fn data(m: &Model, d: &Data, out: &mut String) -> fmt::Result {
    writeln!(out, "time {}", d.time)?;
    let mut sizes = sizes(m);
    sizes.insert("ncon", d.contact.len());
    let mut result = Ok(());
    d.visit(&mut |field, view| {
        result = result.and_then(|()| array(field, &view, &sizes, out));
    });
    result
}

fn sizes(m: &Model) -> HashMap<&'static str, usize> {
    let mut sizes = HashMap::new();
    m.sizes().visit(&mut |name, n| {
        sizes.insert(name, n);
    });
    sizes
}

/// Writes one array: its name and shape, then one line for each row.
fn array(
    field: &FieldInfo,
    view: &FieldView<'_>,
    sizes: &HashMap<&'static str, usize>,
    out: &mut String,
) -> fmt::Result {
    if view.is_empty() {
        return Ok(());
    }
    let factor = |name: &&str| sizes.get(name).copied().or_else(|| name.parse().ok());
    let inner: usize = field.shape[1..].iter().filter_map(factor).product();
    let width = inner.max(1);
    let rows = view.len() / width;
    if width > 1 {
        writeln!(out, "\n{} [{rows} x {width}]", field.name)?;
    } else {
        writeln!(out, "\n{} [{rows}]", field.name)?;
    }
    match view {
        FieldView::F64(list) => lines(list, width, out),
        FieldView::F32(list) => lines(list, width, out),
        FieldView::I32(list) => lines(list, width, out),
        FieldView::I64(list) => lines(list, width, out),
        FieldView::U8(list) if matches!(field.name, "names" | "paths" | "text_data") => list
            .split(|&b| b == 0)
            .filter(|word| !word.is_empty())
            .try_for_each(|word| writeln!(out, "  {}", String::from_utf8_lossy(word))),
        FieldView::U8(list) => lines(list, width, out),
        FieldView::Contact(list) => list.iter().try_for_each(|c| writeln!(out, "  {c:?}")),
    }
}

/// Values per line of a one-dimensional array.
const PER_LINE: usize = 10;

fn lines<T: Display>(list: &[T], width: usize, out: &mut String) -> fmt::Result {
    let width = if width == 1 { PER_LINE } else { width };
    for row in list.chunks(width) {
        writeln!(out, " {}", Row(row))?;
    }
    Ok(())
}

/// Displays values in columns of equal width.
struct Row<'a, T>(&'a [T]);

impl<T: Display> Display for Row<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for x in self.0 {
            let text = x.to_string();
            // more than 12 characters: six digits in scientific notation
            let short = match text.parse::<f64>() {
                Ok(x) if text.len() > 12 => format!("{x:.6e}"),
                _ => text,
            };
            write!(f, " {short:>13}")?;
        }
        Ok(())
    }
}
