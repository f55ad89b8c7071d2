//! Two-dimensional figures (`mjvFigure`).

use crate::{Rgba, single};
use sim_core::math::random::halton;

/// Largest number of lines of a figure (`mjMAXLINE`).
pub const MAXLINE: usize = 100;
/// Largest number of points of a line (`mjMAXLINEPNT`).
pub const MAXLINEPNT: usize = 1001;

/// A line of a figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FigureLine {
    /// Colour (r, g, b).
    pub rgb: [f32; 3],
    /// Name in the legend.
    pub name: String,
    /// Points (x, y); a renderer draws at most [`MAXLINEPNT`].
    pub points: Vec<[f32; 2]>,
}

/// A two-dimensional plot (`mjvFigure`).
#[doc(alias = "mjvFigure")]
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Whether the legend is shown.
    pub legend: bool,
    /// Whether tick labels are shown along x and y.
    pub ticklabel: [bool; 2],
    /// Whether the axis ranges are extended to the data.
    pub extend: bool,
    /// Whether points are drawn as isolated line segments.
    pub barplot: bool,
    /// Whether a vertical selection line is drawn.
    pub show_selection: bool,
    /// Whether the y axis is symmetric.
    pub symmetric: bool,
    /// Line width in pixels.
    pub linewidth: f32,
    /// Width of grid lines in pixels.
    pub gridwidth: f32,
    /// Grid points along x and y.
    pub gridsize: [i32; 2],
    /// Colour of the grid (r, g, b).
    pub gridrgb: [f32; 3],
    /// Colour of the figure.
    pub figurergba: Rgba,
    /// Colour of the pane.
    pub panergba: Rgba,
    /// Colour of the legend.
    pub legendrgba: Rgba,
    /// Colour of text (r, g, b).
    pub textrgb: [f32; 3],
    /// Axis ranges along x and y; automatic if the minimum is not below the maximum.
    pub range: [[f32; 2]; 2],
    /// `printf` format of the tick labels along x.
    pub xformat: String,
    /// `printf` format of the tick labels along y.
    pub yformat: String,
    /// Text whose width is the smallest width of tick labels along y.
    pub minwidth: String,
    /// Title; subplots are separated by two or more spaces.
    pub title: String,
    /// Label of the x axis.
    pub xlabel: String,
    /// Number of lines by which the legend is offset.
    pub legendoffset: i32,
    /// Subplot selected in the title.
    pub subplot: i32,
    /// Point of the legend whose line is highlighted.
    pub highlight: [i32; 2],
    /// Line that is highlighted; none if negative.
    pub highlightid: i32,
    /// Position of the selection line along x.
    pub selection: f32,
    /// Lines; at most [`MAXLINE`]. Those without points are not drawn.
    pub lines: Vec<FigureLine>,
}

/// Colours of the first lines.
const LINE_RGB: [[f32; 3]; 8] = [
    [1.0, 0.3, 0.3],
    [0.1, 1.0, 0.1],
    [0.3, 0.3, 1.0],
    [0.1, 1.0, 1.0],
    [1.0, 0.2, 1.0],
    [1.0, 1.0, 0.1],
    [1.0, 0.6, 0.2],
    [0.6, 0.7, 0.4],
];

/// Default colour of a line: from a table, then from Halton sequences.
fn line_rgb(line: usize) -> [f32; 3] {
    let color = |base: u32| {
        let index = u32::try_from(line).unwrap_or(0);
        single(f64::from(0.1_f32) + f64::from(0.8_f32) * halton(index, base))
    };
    LINE_RGB.get(line).copied().unwrap_or_else(|| [color(2), color(3), color(5)])
}

impl Default for Figure {
    /// The default figure (`mjv_defaultFigure`): [`MAXLINE`] lines with different colours and no points.
    fn default() -> Self {
        let line = |k| FigureLine { rgb: line_rgb(k), ..FigureLine::default() };
        Self {
            legend: true,
            ticklabel: [true; 2],
            extend: true,
            barplot: false,
            show_selection: false,
            symmetric: false,
            linewidth: 3.0,
            gridwidth: 1.0,
            gridsize: [2; 2],
            gridrgb: [0.4; 3],
            figurergba: [0.0, 0.0, 0.0, 1.0],
            panergba: [0.0, 0.0, 0.0, 1.0],
            legendrgba: [0.0, 0.0, 0.0, 0.3],
            textrgb: [1.0; 3],
            range: [[0.0, 1.0]; 2],
            xformat: "%.0f".into(),
            yformat: "%.2g".into(),
            minwidth: "XXX".into(),
            title: String::new(),
            xlabel: String::new(),
            legendoffset: 0,
            subplot: 0,
            highlight: [0; 2],
            highlightid: -1,
            selection: 0.0,
            lines: (0..MAXLINE).map(line).collect(),
        }
    }
}
