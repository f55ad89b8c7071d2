//! Colours of constraint islands and of perturbations.

use crate::{Rgba, single};
use sim_core::math::random::halton;

/// Colour of a constraint island: pseudo-random by Halton sequences of its `label`, grey without one, and
/// darker if asleep.
pub(crate) fn island(label: Option<usize>, awake: bool) -> Rgba {
    let (mut hue, mut saturation, mut value) = (1.0_f32, 0.0_f32, 0.7_f32);
    if let Some(index) = label.and_then(|label| u32::try_from(label + 1).ok()) {
        hue = single(halton(index, 7));
        saturation = single(0.5 + 0.5 * halton(index, 3));
        value = single(0.6 + 0.4 * halton(index, 5));
    }
    if !awake {
        value = single(f64::from(value) * 0.6);
        saturation = single(f64::from(saturation) * 0.7);
    }
    let [r, g, b] = hsv_to_rgb(hue, saturation, value);
    [r, g, b, 1.0]
}

/// Conversion of hue, saturation and value, each in 0 to 1, to red, green and blue.
fn hsv_to_rgb(h: f32, s: f32, v: f32) -> [f32; 3] {
    if s <= 0.0 {
        return [v; 3];
    }
    let sixth = h * 6.0;
    let sector = sixth.trunc();
    let f = sixth - sector;
    let p = v * (1.0 - s);
    let q = v * (1.0 - s * f);
    let t = v * (1.0 - s * (1.0 - f));
    match sector as i32 {
        0 => [v, t, p],
        1 => [q, v, p],
        2 => [p, v, t],
        3 => [p, q, v],
        4 => [t, p, v],
        _ => [v, p, q],
    }
}

/// Colour of a perturbation that is active in the first or second set of perturbations, or in both: the
/// second has red and green exchanged.
pub(crate) fn mix(reference: Rgba, first: bool, second: bool) -> Rgba {
    let [mut r, mut g] = if first { [reference[0], reference[1]] } else { [0.0; 2] };
    if second {
        r = r.max(reference[1]);
        g = g.max(reference[0]);
    }
    [r, g, reference[2], reference[3]]
}
