//! A plotters backend that rasterizes charts with tiny-skia and an embedded font.
//!
//! The layout is that of plotters' SVG backend (same text anchors and font sizes), so PNG and SVG
//! output look the same. The font is Ubuntu Light (Ubuntu Font Licence 1.0) from
//! `epaint_default_fonts`: text does not depend on the fonts of the system.

use crate::Failure;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};
use std::convert::Infallible;
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Pixels per unit of the chart's coordinates.
const SCALE: f32 = 2.0;

/// Ratio of plotters' font sizes to CSS font sizes, as in its SVG backend.
const FONT_SIZE_RATIO: f64 = 1.24;

/// A canvas of chart units, backed by a pixmap.
pub(crate) struct Canvas {
    size: (u32, u32),
    pixmap: Pixmap,
    font: Face<'static>,
}

impl Canvas {
    pub(crate) fn new(size: (u32, u32)) -> Result<Self, Failure> {
        let [width, height] = [size.0, size.1].map(|n| (n as f32 * SCALE) as u32);
        let pixmap = Pixmap::new(width, height).ok_or("the image is too large")?;
        let font = Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0)?;
        Ok(Self { size, pixmap, font })
    }

    /// The image as a PNG file.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, Failure> {
        Ok(self.pixmap.encode_png()?)
    }

    fn fill(&mut self, path: Option<Path>, color: BackendColor, transform: Transform) {
        let Some(path) = path else { return };
        let transform = transform.post_scale(SCALE, SCALE);
        self.pixmap.fill_path(&path, &paint(color), FillRule::Winding, transform, None);
    }

    fn stroke(&mut self, path: Option<Path>, color: BackendColor, width: u32) {
        let Some(path) = path else { return };
        let stroke = Stroke { width: width as f32, ..Stroke::default() };
        let transform = Transform::from_scale(SCALE, SCALE);
        self.pixmap.stroke_path(&path, &paint(color), &stroke, transform, None);
    }

    /// Width of a line of text, in units of the font.
    fn text_width(&self, text: &str) -> f32 {
        text.chars().map(|c| self.advance(self.glyph(c))).sum()
    }

    /// The glyph of a character; `.notdef` (a box) if the font does not have it.
    fn glyph(&self, c: char) -> GlyphId {
        self.font.glyph_index(c).unwrap_or_default()
    }

    fn advance(&self, glyph: GlyphId) -> f32 {
        f32::from(self.font.glyph_hor_advance(glyph).unwrap_or_default())
    }
}

fn paint(color: BackendColor) -> Paint<'static> {
    let (r, g, b) = color.rgb;
    let mut paint = Paint::default();
    paint.set_color(Color::from_rgba8(r, g, b, (255.0 * color.alpha).round() as u8));
    paint
}

fn polyline(points: impl IntoIterator<Item = BackendCoord>, is_closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (i, (x, y)) in points.into_iter().enumerate() {
        let (x, y) = (x as f32, y as f32);
        if i == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    if is_closed {
        builder.close();
    }
    builder.finish()
}

/// Appends a glyph outline to a path, at `x` and with the y axis flipped.
struct GlyphPath<'a> {
    builder: &'a mut PathBuilder,
    x: f32,
}

impl OutlineBuilder for GlyphPath<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.builder.move_to(self.x + x, -y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.builder.line_to(self.x + x, -y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.builder.quad_to(self.x + x1, -y1, self.x + x, -y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.builder.cubic_to(self.x + x1, -y1, self.x + x2, -y2, self.x + x, -y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for &mut Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        let rect = Rect::from_xywh(x as f32, y as f32, 1.0, 1.0);
        self.fill(rect.map(PathBuilder::from_rect), color, Transform::identity());
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.stroke(polyline([from, to], false), style.color(), style.stroke_width());
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let ((x0, y0), (x1, y1)) = (upper_left, bottom_right);
        let path = polyline([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], true);
        if fill {
            self.fill(path, style.color(), Transform::identity());
        } else {
            self.stroke(path, style.color(), style.stroke_width());
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.stroke(polyline(path, false), style.color(), style.stroke_width());
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let path = PathBuilder::from_circle(center.0 as f32, center.1 as f32, radius as f32);
        if fill {
            self.fill(path, style.color(), Transform::identity());
        } else {
            self.stroke(path, style.color(), style.stroke_width());
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vertices: I,
        style: &S,
    ) -> Drawn {
        self.fill(polyline(vertices, true), style.color(), Transform::identity());
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        pos: BackendCoord,
    ) -> Drawn {
        let units_per_em = f32::from(self.font.units_per_em());
        let x_height = self.font.x_height().map_or(0.5 * units_per_em, f32::from);
        let anchor = style.anchor();
        let mut x = match anchor.h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5 * self.text_width(text),
            HPos::Right => -self.text_width(text),
        };
        let baseline = match anchor.v_pos {
            VPos::Top => 0.76 * units_per_em,
            VPos::Center => 0.5 * x_height,
            VPos::Bottom => -0.5 * x_height,
        };
        let mut builder = PathBuilder::new();
        for c in text.chars() {
            let glyph = self.glyph(c);
            self.font.outline_glyph(glyph, &mut GlyphPath { builder: &mut builder, x });
            x += self.advance(glyph);
        }
        let scale = (style.size() / FONT_SIZE_RATIO) as f32 / units_per_em;
        let degrees = match style.transform() {
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
            _ => 0.0,
        };
        let transform = Transform::from_translate(0.0, baseline)
            .post_scale(scale, scale)
            .post_concat(Transform::from_rotate(degrees))
            .post_translate(pos.0 as f32, pos.1 as f32);
        self.fill(builder.finish(), style.color(), transform);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Canvas;
    use plotters::prelude::*;

    /// Number of non-white pixels of a chart that consists of one line of text.
    fn ink(text: &str) -> usize {
        let mut canvas = Canvas::new((200, 40)).unwrap();
        {
            let root = (&mut canvas).into_drawing_area();
            root.fill(&WHITE).unwrap();
            let style = ("sans-serif", 20).into_text_style(&root);
            root.draw_text(text, &style, (10, 10)).unwrap();
            root.present().unwrap();
        }
        canvas.pixmap.pixels().iter().filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn text_is_drawn_with_the_embedded_font() {
        assert_eq!(ink(" "), 0);
        assert!(ink("qpos") > 100);
        assert!(ink("qpos qvel") > ink("qpos"));
    }

    #[test]
    fn characters_outside_the_font_are_drawn_as_boxes() {
        assert!(ink("\u{4e00}") > 20);
    }
}
