//! Sine and cosine of all lanes: the reduction and the polynomials of `sim_core::math::trig`, with the same results.

use crate::math::splat;
use sim_core::math::trig::{COS, HALF_PI, LARGE, ROUND, SIN};
use sim_simd::lanes::{Lanes, Mask};
use std::f64::consts::FRAC_2_PI;

/// `(sin x, cos x)`.
#[inline(always)]
pub(crate) fn sin_cos<V: Lanes>(x: V) -> (V, V) {
    let (mut sin, mut cos) = reduced(x);
    let small = x.abs().le(V::splat(LARGE));
    if (!small).any() {
        // each lane by itself: the result does not depend on the other lanes
        for lane in 0..V::COUNT {
            let (s, c) = sim_core::math::trig::sin_cos(x.get(lane));
            sin.set(lane, s);
            cos.set(lane, c);
        }
    }
    (sin, cos)
}

#[inline(always)]
fn reduced<V: Lanes>(x: V) -> (V, V) {
    let turns = (x * V::splat(FRAC_2_PI) + V::splat(ROUND)) - V::splat(ROUND);
    let y = (x - turns * V::splat(HALF_PI[0])) - turns * V::splat(HALF_PI[1]);
    let z = y * y;
    let one = V::splat(1.0);
    let sin = y + y * z * polynomial(&SIN, z);
    let cos = (one - V::splat(0.5) * z) + z * z * polynomial(&COS, z);
    // quadrant 0 to 3
    let quadrant = turns - V::splat(4.0) * (turns * V::splat(0.25)).floor();
    let odd = (quadrant - V::splat(2.0)).abs().lt(V::splat(1.5))
        & V::splat(0.5).lt((quadrant - V::splat(2.0)).abs());
    let (s, c) = (cos.select(odd, sin), sin.select(odd, cos));
    let upper = V::splat(1.5).lt(quadrant);
    let middle = (quadrant - V::splat(1.5)).abs().lt(one);
    ((-s).select(upper, s), (-c).select(middle, c))
}

/// Polynomial of degree five by Estrin's scheme.
#[inline(always)]
fn polynomial<V: Lanes>(c: &[f64; 6], z: V) -> V {
    let c = splat::<V, 6>(c);
    let z2 = z * z;
    (c[0] + c[1] * z) + z2 * ((c[2] + c[3] * z) + z2 * (c[4] + c[5] * z))
}

#[cfg(test)]
mod tests {
    use super::sin_cos;
    use sim_simd::lanes::{InstructionSet, Kernel, Lanes, Visitor, with_lanes};

    struct SinCos<V>(V);

    impl<V: Lanes> Kernel for SinCos<V> {
        type Output = (V, V);

        #[inline(always)]
        fn run(self) -> (V, V) {
            sin_cos(self.0)
        }
    }

    struct Check;

    impl Visitor for Check {
        type Output = ();

        fn visit<V: Lanes>(self) {
            for k in -4000..4000 {
                let mut x = V::zero();
                for lane in 0..V::COUNT {
                    x.set(lane, f64::from(k) * 0.013 + f64::from(lane as i32) * 1e4);
                }
                let (sin, cos) = V::vectorize(SinCos(x));
                for lane in 0..V::COUNT {
                    let expected = sim_core::math::trig::sin_cos(x.get(lane));
                    assert_eq!((sin.get(lane), cos.get(lane)), expected, "{}", x.get(lane));
                }
            }
        }
    }

    #[test]
    fn equals_the_scalar_functions() {
        for set in [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Portable] {
            with_lanes(Some(set), Check);
        }
        with_lanes(None, Check);
    }
}
