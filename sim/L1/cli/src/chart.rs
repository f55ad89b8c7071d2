//! Charts of curves over time, one above the other, as SVG or PNG.

use crate::Failure;
use plotters::prelude::*;
use std::path::Path;

/// Curves that share their axes.
pub(crate) struct Panel {
    /// What is drawn, with its unit.
    pub title: String,
    /// Name and values of each curve.
    pub curves: Vec<(String, Vec<f64>)>,
}

/// Width of a chart, and height of one panel.
const SIZE: (u32, u32) = (960, 280);
/// Points that a curve is drawn with at most: more cannot be seen.
const POINTS: usize = 2000;
/// Curves that the legend has room for.
const NAMED: usize = 12;

/// Dots of a PNG to a unit of an SVG.
const SCALE: f32 = 2.0;

/// Whether a file of this name can be drawn to.
pub(crate) fn is_drawable(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "svg" || e == "png")
}

/// Draws panels over the same times to a file.
pub(crate) fn draw(
    path: &Path,
    title: &str,
    time: &[f64],
    panels: &[Panel],
) -> Result<(), Failure> {
    let mut text = String::new();
    draw_text(&mut text, title, time, panels)?;
    write(path, &text)
}

/// Writes an SVG as it is, or paints it, by the name of the file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if path.extension().is_some_and(|e| e == "png") {
        return paint(path, text);
    }
    Ok(std::fs::write(path, text)?)
}

/// Paints an SVG as dots.
fn paint(path: &Path, text: &str) -> Result<(), Failure> {
    let mut options = resvg::usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        eprintln!("warning: this system has no fonts, so the picture has no words; an .svg has");
    }
    let tree = resvg::usvg::Tree::from_str(text, &options)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("a picture without size")?;
    let mut dots =
        resvg::tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("a picture too large")?;
    let transform = resvg::tiny_skia::Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, transform, &mut dots.as_mut());
    Ok(std::fs::write(path, dots.encode_png()?)?)
}

/// Draws panels over the same times as SVG.
fn draw_text(
    text: &mut String,
    title: &str,
    time: &[f64],
    panels: &[Panel],
) -> Result<(), Failure> {
    let height = SIZE.1 * panels.len().max(1) as u32 + 30;
    let root = SVGBackend::with_string(text, (SIZE.0, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(title, ("sans-serif", 18))?;
    for (area, panel) in root.split_evenly((panels.len().max(1), 1)).iter().zip(panels) {
        draw_panel(area, time, panel)?;
    }
    root.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_panel(area: &Area<'_>, time: &[f64], panel: &Panel) -> Result<(), Failure> {
    let (from, to) = (time.first().copied().unwrap_or(0.0), time.last().copied().unwrap_or(1.0));
    let [low, high] = range(panel);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .caption(&panel.title, ("sans-serif", 14))
        .x_label_area_size(28)
        .y_label_area_size(64)
        .build_cartesian_2d(from..to.max(from + f64::EPSILON), low..high)?;
    chart.configure_mesh().x_desc("time (s)").light_line_style(WHITE).draw()?;
    let stride = time.len().div_ceil(POINTS).max(1);
    for (k, (name, values)) in panel.curves.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let points = time.iter().copied().zip(values.iter().copied()).step_by(stride);
        let finite = points.filter(|(_, y)| y.is_finite());
        let curve = chart.draw_series(LineSeries::new(finite, color.stroke_width(1)))?;
        if k < NAMED {
            let line = move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], color);
            curve.label(name).legend(line);
        }
    }
    if !panel.curves.is_empty() {
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.2))
            .label_font(("sans-serif", 11))
            .draw()?;
    }
    Ok(())
}

/// The values that the axis shows, with a little room.
fn range(panel: &Panel) -> [f64; 2] {
    let values = panel.curves.iter().flat_map(|(_, values)| values).filter(|y| y.is_finite());
    let [low, high] = values
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &y| [low.min(y), high.max(y)]);
    if low > high {
        return [-1.0, 1.0];
    }
    let room = (0.05 * (high - low)).max(1e-9 * high.abs().max(low.abs())).max(1e-12);
    [low - room, high + room]
}
