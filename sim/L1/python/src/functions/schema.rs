//! The schema of MJCF as text.

use pyo3::prelude::*;
use sim_physics::mjcf::schema::{Element, MUJOCO, Occurs};

/// The elements of MJCF with their occurrence (`!` once, `?` at most once, `*` any number, `R` recursive) and their
/// attributes, indented by their depth; in HTML as nested lists.
#[pyfunction]
fn mj_printSchema(flg_html: bool, flg_pad: bool) -> String {
    let mut out = String::new();
    let pad = if flg_html && flg_pad { "&nbsp;" } else { " " };
    let mut ancestors = Vec::new();
    write(&MUJOCO, flg_html, pad, &mut ancestors, &mut out);
    if flg_html { format!("<ul>\n{out}</ul>\n") } else { out }
}

fn write(
    element: &'static Element,
    html: bool,
    pad: &str,
    ancestors: &mut Vec<*const Element>,
    out: &mut String,
) {
    let recursive = ancestors.contains(&std::ptr::from_ref(element));
    let occurs = match element.occurs {
        _ if recursive => 'R',
        Occurs::One => '!',
        Occurs::Optional => '?',
        Occurs::Many => '*',
    };
    let attributes: Vec<&str> = element.attributes().map(|a| a.name).collect();
    let attributes = if recursive { String::new() } else { attributes.join(", ") };
    let (name, indent) = (element.name, "  ".repeat(ancestors.len()));
    if html {
        out.push_str(&format!("{indent}<li>{name}{pad}({occurs}){pad}{attributes}<ul>\n"));
    } else {
        out.push_str(&format!("{indent}{name} ({occurs}) {attributes}\n"));
    }
    if !recursive {
        ancestors.push(element);
        for child in element.children {
            write(child, html, pad, ancestors, out);
        }
        ancestors.pop();
    }
    if html {
        out.push_str(&format!("{indent}</ul></li>\n"));
    }
}

/// Adds the function to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::add_functions!(module; mj_printSchema);
    Ok(())
}
