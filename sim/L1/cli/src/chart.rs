//! Time-series charts, one panel above the other, as SVG or PNG.

use crate::Failure;
use crate::raster::Canvas;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// Curves that share their axes.
pub(crate) struct Panel {
    /// The quantity, with its unit.
    pub title: String,
    /// Name and values of each curve.
    pub curves: Vec<(String, Vec<f64>)>,
}

/// Width of a chart, and height of one panel.
const SIZE: (u32, u32) = (960, 280);
/// Height of the title.
pub(crate) const TITLE_HEIGHT: u32 = 30;
/// Maximum number of points of a drawn curve; longer ones are subsampled.
const MAX_POINTS: usize = 2000;
/// Maximum number of entries in a legend.
const MAX_LEGEND: usize = 12;

/// A plotters drawing area of any backend.
pub(crate) type Area<B> = DrawingArea<B, Shift>;

/// A drawing that can be rendered by any backend.
pub(crate) trait Draw {
    fn draw<B: DrawingBackend>(&self, root: Area<B>) -> Result<(), Failure>
    where
        B::ErrorType: 'static;
}

/// Whether the file extension is one that [`render`] can write.
pub(crate) fn is_supported(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "svg" || e == "png")
}

/// Renders a drawing of the given size to an SVG or PNG file, by its extension.
pub(crate) fn render(path: &Path, size: (u32, u32), drawing: &impl Draw) -> Result<(), Failure> {
    let bytes = if path.extension().is_some_and(|e| e == "png") {
        let mut canvas = Canvas::new(size)?;
        drawing.draw((&mut canvas).into_drawing_area())?;
        canvas.encode()?
    } else {
        let mut text = String::new();
        drawing.draw(SVGBackend::with_string(&mut text, size).into_drawing_area())?;
        text.into_bytes()
    };
    Ok(std::fs::write(path, bytes)?)
}

/// Draws panels over the same times to a file.
pub(crate) fn draw(
    path: &Path,
    title: &str,
    time: &[f64],
    panels: &[Panel],
) -> Result<(), Failure> {
    let height = SIZE.1 * panels.len().max(1) as u32 + TITLE_HEIGHT;
    render(path, (SIZE.0, height), &Chart { title, time, panels })
}

struct Chart<'a> {
    title: &'a str,
    time: &'a [f64],
    panels: &'a [Panel],
}

impl Draw for Chart<'_> {
    fn draw<B: DrawingBackend>(&self, root: Area<B>) -> Result<(), Failure>
    where
        B::ErrorType: 'static,
    {
        root.fill(&WHITE)?;
        let root = root.titled(self.title, ("sans-serif", 18))?;
        let areas = root.split_evenly((self.panels.len().max(1), 1));
        for (area, panel) in areas.iter().zip(self.panels) {
            draw_panel(area, self.time, panel)?;
        }
        root.present()?;
        Ok(())
    }
}

fn draw_panel<B: DrawingBackend>(area: &Area<B>, time: &[f64], panel: &Panel) -> Result<(), Failure>
where
    B::ErrorType: 'static,
{
    let (from, to) = (time.first().copied().unwrap_or(0.0), time.last().copied().unwrap_or(1.0));
    let [low, high] = value_range(panel);
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .caption(&panel.title, ("sans-serif", 14))
        .x_label_area_size(28)
        .y_label_area_size(64)
        .build_cartesian_2d(from..to.max(from + f64::EPSILON), low..high)?;
    chart.configure_mesh().x_desc("time (s)").light_line_style(WHITE).draw()?;
    let stride = time.len().div_ceil(MAX_POINTS).max(1);
    for (k, (name, values)) in panel.curves.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let points = time.iter().copied().zip(values.iter().copied()).step_by(stride);
        let finite = points.filter(|(_, y)| y.is_finite());
        let curve = chart.draw_series(LineSeries::new(finite, color.stroke_width(1)))?;
        if k < MAX_LEGEND {
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

/// Range of the value axis: that of the finite values, with a margin of 5%.
fn value_range(panel: &Panel) -> [f64; 2] {
    let values = panel.curves.iter().flat_map(|(_, values)| values).filter(|y| y.is_finite());
    let [low, high] = values
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &y| [low.min(y), high.max(y)]);
    if low > high {
        return [-1.0, 1.0];
    }
    let margin = (0.05 * (high - low)).max(1e-9 * high.abs().max(low.abs())).max(1e-12);
    [low - margin, high + margin]
}
